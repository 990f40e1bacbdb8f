# A number of steps instead of a step: the end is met whatever it is, the step is what is written into
# the result, and the numbers are those of that step.
. "$SOURCE/tests/check.sh"

cat >study.yaml <<'YAML'
manylink: 1
system: {type: chain, segments: [{name: rod, length: 1, mass: 3}]}
initial: {angle: 1}
time: {steps: 1000, end: 10}
sweep: [{set: initial.angle.rod, from: -1, to: 1, count: 20}]
analyse: {every: 10}
save: {trajectory: {every: 100}}
YAML
sed 's/steps: 1000/step: 0.01/' study.yaml >step.yaml
for name in study step; do
    expect 0 "$MANYLINK" run $name.yaml -o $name.h5
    expect 0 "$MANYLINK" table $name.h5
    mv out $name.csv
done
cmp study.csv step.csv

# Ends that no round step divides.
for end in 2*pi 1/3 7.3 1e-7; do
    expect 0 "$MANYLINK" plan study.yaml --set time.end="$end"
    says out "in 1000 steps of"
    expect 0 "$MANYLINK" run study.yaml --set time.end="$end" -o any.h5 --restart
    says out "20 finished"
done

# With every key filled in it is the same study as the one with the step: it goes on in its result.
expect 0 "$MANYLINK" run step.yaml -o study.h5
expect 2 "$MANYLINK" run step.yaml --set time.step=0.02 -o study.h5
says err "    step: 0.02"

# What is said of the step is said where the steps are.
sed 's/^time.*/time: {steps: 1000, end: 3}/; s/^initial.*/&\nforces: [{name: it, type: damper, joint: rod, coefficient: 1e3}]/' \
    study.yaml >stiff.yaml
expect 0 "$MANYLINK" plan stiff.yaml
says err "stiff.yaml:5:15: note: a step of 0.003 s is too large"
