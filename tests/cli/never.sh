# label: values
# Numbers that a finished run lacks, as it never settles, its loop is unstable or no event happens: the worst of `best`, `worst` and
# quantiles, counted with Wilson's interval in the file, in `info` and beside each row of `worst --over`; of margins larger ones
# are better. Requirements that a run without the number does not meet, in pictures too.
. "$SOURCE/tests/check.sh"
need_python

cat >never.yaml <<'END'
manylink: 1
accuracy: off
system: {type: chain, segments: [{name: rod, length: 0.6, mass: 2}]}
forces: [{name: c, type: pid, joint: rod, target: 1, kp: 40, ki: 30, kd: 4, delay: 0.03, limit: 30}]
time: {step: 4e-3, end: 3}
sweep: [{set: forces.c.kd, values: [4, 8]}]
sample: {method: random, count: 60, over: [{set: system.segments.rod.mass, distribution: lognormal, mean: 2, cv: 0.3}, {set: forces.c.delay, distribution: triangular, from: 0.001, mode: 0.04, to: 0.08}]}
events: [{name: turned, when: angle.rod - 1.4, direction: up, max: 1}]
analyse: {tracking: {band: 0.05}, margins: {}}
require: {settling_time.rod: {below: 1.5}, overshoot: {above: 0, below: 0.4}, delay_margin.rod: {above: 0.005}}
END
expect 0 "$MANYLINK" run never.yaml -q
expect 0 "$MANYLINK" worst never.h5 settling_time.rod --over sample
cp out worst_settling
expect 0 "$MANYLINK" worst never.h5 delay_margin.rod --over sample --where 'unstable_roots == 0'
cp out worst_margin
expect 0 "$MANYLINK" best never.h5 phase_margin.rod --count 1000
cp out best_margin
says err "finished runs have no phase_margin.rod: these count as the worst"
expect 0 "$MANYLINK" best never.h5 phase_margin.rod --count 1000 --largest
cmp out best_margin
expect 0 "$MANYLINK" worst never.h5 settling_time.rod --count 1
grep -q ',$' out || fail "the worst run settles: $(cat out)"
expect 0 "$MANYLINK" best never.h5 settling_time.rod --count 1 --largest
! grep -q ',$' out || fail "the run that settles last does not settle: $(cat out)"
sed '/^sweep/d' never.yaml >one.yaml
expect 0 "$MANYLINK" run one.yaml -q
expect 0 "$MANYLINK" info one.h5
cp out info
# Another requirement makes another study, of the same runs.
expect 2 "$MANYLINK" run one.yaml -q --set require.overshoot.below=0.5
# Shares in pictures: bars of a sample, curves over one axis, a map of two, with the interval's ends as error bars.
sed 's/^sweep.*/sweep: [{set: forces.c.kd, values: [4, 6, 8]}, {set: forces.c.ki, values: [10, 20, 30, 40]}]/; s/count: 60/count: 12/' never.yaml >map.yaml
expect 0 "$MANYLINK" run map.yaml -q
for of in one never map; do
    expect 0 "$MANYLINK" plot $of.h5 requirement_fraction --script $of
done
expect 0 "$MANYLINK" plot never.h5 outcome_fraction.finished --script outcome
expect 2 "$MANYLINK" plot never.h5 requirement_fractions
says err 'did you mean `requirement_fraction`'
for kind in --histogram --matrix; do
    expect 2 "$MANYLINK" plot never.h5 requirement_fraction $kind
done
# A study of a step opens on the settling time of the joint that is controlled; one that begins at its target does not.
cat >step.yaml <<'END'
manylink: 1
accuracy: off
system: {type: chain, segments: [{name: upper, length: 1, mass: 1}, {name: lower, length: 0.5, mass: 1}, {name: tip, length: 0.1, mass: 0.1}]}
forces: [{name: brace, type: pid, joint: lower, target: pi/3, kp: 30, ki: 3, kd: 1}]
time: {step: 5e-3, end: 0.1}
sweep: [{set: forces.brace.kp, from: 20, to: 60, count: 3}, {set: forces.brace.kd, from: 1, to: 6, count: 3}]
analyse: {effort: {}, tracking: {}}
END
expect 0 "$MANYLINK" run step.yaml -q
for change in initial.angle.lower=pi/3 'forces.brace.target={type: sine, mean: 0, amplitude: 1, frequency: 1}' 'analyse={fli: {}, tracking: {}}'; do
    rm -f other.h5
    expect 0 "$MANYLINK" run step.yaml -q -o other.h5 --set "$change"
    expect 0 "$MANYLINK" info other.h5
    case $change in analyse*) says out "shown first: map of fli," ;; *) says out "shown first: map of end_angle_wrapped.tip," ;; esac
done
PYTHONPATH="$SOURCE/tests/results" "$PYTHON" "$SOURCE/tests/cli/never.py"
