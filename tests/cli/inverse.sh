# `inverse`: a motion in, torques out; from a table, a result, or the study; and what it refuses.
. "$SOURCE/tests/check.sh"
need gnuplot
need_python

cat >arm.yaml <<'END'
manylink: 1
system:
  type: chain
  angles: joint
  zero: right
  segments: [{name: upper, length: 0.31, mass: 1.93}, {name: fore, length: 0.34, mass: 1.52}]
forces:
  - {name: friction, type: damper, joint: fore, coefficient: 0.3}
  - {name: drive, type: torque, joint: upper, value: 2}
initial: {angle: {upper: -1, fore: 0.5}, rate: {fore: 1}}
time: {step: 1e-3, end: 0.2}
save: {trajectory: {every: 1, quantities: [angle, rate]}}
END
cat >path.yaml <<'END'
manylink: 1
system:
  type: chain
  angles: joint
  zero: right
  gravity: 0
  segments: [{name: upper, length: 0.31, mass: 1.93}, {name: fore, length: 0.34, mass: 1.52}]
time: {step: 0.01, end: 0.6}
motion: {type: hand_path, start: [-0.1, 0.3], end: [-0.1, 0.5], duration: 0.6}
END

# refuses TEXT FILE...: exit code 2 for this motion, these words, nothing written.
refuses()
{
    text=$1
    shift
    expect 2 "$MANYLINK" inverse arm.yaml -o no.h5 "$@"
    says err "$text"
    [ ! -e no.h5 ] || fail "bad input left a file"
    [ -z "$(find . -name '*.tmp')" ] || fail "bad input left a temporary file"
}

# table TEXT...: a table of these lines
table()
{
    printf '%s\n' "$@" >table.csv
}

head=time,angle/upper,angle/fore
samples="0,0.1,0.2 0.1,0.1,0.2 0.2,0.1,0.2 0.3,0.1,0.2 0.4,0.1,0.2"

# A table that is good, in any order of columns, with blanks, CRLF and a line end too many.
# shellcheck disable=SC2086
table $head $samples 0.5,0.1,0.2
expect 0 "$MANYLINK" inverse arm.yaml --motion table.csv -o table.h5
says out "one motion, 1 set of parameters, 6 samples"
printf 'angle/fore , time, angle/upper\r\n' >other.csv
for t in 0 0.1 0.2 0.3 0.4 0.5; do printf '0.2, %s,\t0.1\r\n' $t; done >>other.csv
printf '\r\n\n' >>other.csv
cp other.csv table.csv
expect 0 "$MANYLINK" inverse arm.yaml --motion table.csv -o other.h5
same table.h5 other.h5
expect 0 "$MANYLINK" inverse arm.yaml --motion table.csv -o other.h5
[ -z "$(find . -name '*.tmp')" ] || fail "a temporary file is left"

printf '\357\273\277' | cat - table.csv >marked.csv # a byte order mark
mv marked.csv table.csv
expect 0 "$MANYLINK" inverse arm.yaml --motion table.csv -o other.h5
same table.h5 other.h5

# With everything given there is no spline, and one sample, or two far apart, will do.
table $head,rate/upper,rate/fore,acceleration/upper,acceleration/fore 0,0.1,0.2,1,2,3,4
expect 0 "$MANYLINK" inverse arm.yaml --motion table.csv -o one.h5
table $head,rate/upper,rate/fore,acceleration/upper,acceleration/fore \
    0,0,0,0,0,0,0 0.1,0,0,0,0,0,0 0.2,0,0,0,0,0,0 9,0,0,0,0,0,0
expect 0 "$MANYLINK" inverse arm.yaml --motion table.csv -o sparse.h5
cp arm.yaml smoothed.yaml
echo "inverse: {spline: {smoothing: gcv}}" >>smoothed.yaml
expect 2 "$MANYLINK" inverse smoothed.yaml --motion table.csv -o sparse.h5
says err "table.csv:5:1: time is 9, but in the line before 0.2: a gap"

# shellcheck disable=SC2086
table $head $samples
refuses "table.csv: 5 samples are too few" --motion table.csv
# Up to 10 usual intervals are no gap.
# shellcheck disable=SC2086
table $head $samples 1.4,0.1,0.2
expect 0 "$MANYLINK" inverse arm.yaml --motion table.csv -o sparse.h5
# shellcheck disable=SC2086
table $head $samples 1.6,0.1,0.2 1.7,0.1,0.2 2.9,0.1,0.2
refuses "table.csv:7:1: time is 1.6, but in the line before 0.4: a gap of more than 10 times" \
    --motion table.csv
says err "the usual 0.1 s"
says err "table.csv:9:1: time is 2.9"
table $head 0,0.1,0.2 0.1,,0.2 0.2,nan,0.2 0.3,0,0
refuses "table.csv:3:1: angle/upper is missing here and in 1 more, 0.3 s from number to number" \
    --motion table.csv
table $head 0,0.1,0.2 0.1,0.2
refuses "table.csv:3:1: the line has 2 columns but the first line names 3" --motion table.csv
table $head 0,0.1,0.2 "0.1;0.2"
refuses "table.csv:3:1: the line has 1 column but the first line names 3: is the file cut off?" \
    --motion table.csv
# shellcheck disable=SC2086
table $head $samples 0.5,0.1,0.2 0.50001,0.1,0.2
refuses "table.csv:8:1: time is 0.50001, only 1e-05 s after the line before" --motion table.csv
# shellcheck disable=SC2086
table $head 0,0,0 5e-324,0.01,0.02 0.1,0,0 0.2,0,0 0.3,0,0 0.4,0,0
refuses "table.csv:3:1: time is 4.94066e-324, only 4.94e-324 s after" --motion table.csv
table $head 0,0.1,0.2 0,0.1,0.2
refuses "table.csv:3:1: time is 0 but must be greater than in the line before, 0" --motion table.csv
table $head 0.2,0.1,0.2 0.1,0.1,0.2
refuses "table.csv:3:1: time is 0.1 but must be greater" --motion table.csv
table $head 0,nan,0.2 0.1,-inf,abc
refuses "table.csv:3:5: angle/upper is \`-inf\`: a number must be finite" --motion table.csv
says err "table.csv:3:10: angle/fore is \`abc\`"
table $head 0,1e16,0
refuses "table.csv:2:3: angle/upper is 1e+16 but must be >= -1e+15 and <= 1e+15" --motion table.csv
table time,angle/upper 0,1
refuses "table.csv:1:1: column \`angle/fore\` is missing" --motion table.csv
table angle/upper,angle/fore 0,1
refuses "table.csv:1:1: column \`time\` is missing" --motion table.csv
table $head,rate/fore 0,1,2,3
refuses "column \`rate/upper\` is missing: all segments have that column" --motion table.csv
table time,angle/uper,angle/fore,angle/fore 0,1,2,3
refuses "table.csv:1:6: column \`angle/uper\` is of no segment of the study" --motion table.csv
says err "the nearest is \`angle/upper\`"
table time,angle/upper,angle/fore,angle/fore 0,1,2,3
refuses "table.csv:1:29: column \`angle/fore\` appears twice" --motion table.csv
table time_ms,angle/upper,angle/fore,angle/fore_deg 0,0.1,0.2,3
refuses "the nearest is \`angle/fore\`; a unit stands in brackets: angle/NAME (deg)" --motion table.csv
table time_ms,angle/upper,angle/fore 0,0.1,0.2
refuses "column \`time\` is missing, and the header has no rate; \`columns: {time: NAME}\` or \`rate: HZ\` of the motion gives the times; the columns are \`time_ms\`" --motion table.csv
table 0,0.1,0.2 0.1,0.1,0.2
refuses "table.csv:1:1: the first line has numbers and no names; put a line above it" --motion table.csv
table time,angle/upper,angle/fore,angle/hand 0,1,2,3
refuses "table.csv:1:29: column \`angle/hand\` is of no segment of the study" --motion table.csv
table time,angle/1,angle/2 0,1,2
refuses "table.csv:1:6: column \`angle/1\` is of no segment of the study" --motion table.csv
table $head
refuses "table.csv:1:1: the table has no samples" --motion table.csv
table "" $head
refuses "table.csv:2:1: the table has no samples" --motion table.csv
: >table.csv
refuses "table.csv:1:1: the file is empty" --motion table.csv
head -c 2000 "$MANYLINK" >table.csv
refuses "table.csv:1:1: a control character" --motion table.csv
printf '%s\n\377\n' $head >table.csv
refuses "table.csv:2:1: byte 0xFF is not valid UTF-8" --motion table.csv
refuses "--run chooses from a result file" --motion other.csv --run 0
refuses "arm.yaml: no motion"
expect 2 "$MANYLINK" inverse arm.yaml --motion none.csv
says err "none.csv: No such file"
[ "$(wc -l <err)" = 1 ] || fail "more than one line about a file that is not there"

# Torques that are not finite are told, with run and time, though there is a file.
table $head 0,0.1,0.2 1e-200,0.1,0.3 2e-200,0.1,0.2 3e-200,0.1,0.1 4e-200,0,0.2 5e-200,0,0
expect 3 "$MANYLINK" inverse arm.yaml --motion table.csv -o large.h5
says err "run 0: the torque or force of joint \`upper\` is not finite at 0 s"
says err "1 of 1 results are not finite"

# Filters of measured angles.
filter='inverse={filter: {type: butterworth, order: 4, cutoff: 2}}'
{
    echo $head
    for k in 0 1 2 3 4 5 6 7 8 9; do echo "0.${k}0,0.1,0.$k 0.${k}5,0.2,0.$k" | tr ' ' '\n'; done
} >uneven.csv
expect 0 "$MANYLINK" inverse arm.yaml --motion uneven.csv -o smooth.h5 --set "$filter"
refuses "uneven.csv: 20 samples are too few: a filter of order 8 needs 28" --motion uneven.csv \
    --set "$filter" --set inverse.filter.order=8
refuses "cutoff is 12 but must be less than 10 Hz, half of the sampling rate of uneven.csv" \
    --motion uneven.csv --set "$filter" --set inverse.filter.cutoff=12
sed 's/^0\.\(..\),/\1000,/' uneven.csv >table.csv
refuses "half of the sampling rate of table.csv; are its times in ms?" --motion table.csv --set "$filter"
sed 's/^0.45/0.453/' uneven.csv >table.csv
refuses "equal intervals between samples, but the samples at 0.4 and 0.453 s differ" --motion table.csv \
    --set "$filter"
expect 0 "$MANYLINK" inverse arm.yaml --motion table.csv -o splined.h5 \
    --set inverse.spline.smoothing=gcv
refuses "leave \`filter\` or \`spline\` out" --motion uneven.csv --set "$filter" \
    --set inverse.spline.smoothing=gcv

# 200,000 columns are read in one go: each is not looked for among all others.
"$PYTHON" - <<'END'
with open("wide.csv", "w") as file:
    file.write("time," + ",".join(f"angle/x{i}" for i in range(200000)) + "\n" + "0," * 200000 + "0\n")
END
refuses "wide.csv:1:6: column \`angle/x0\` is of no segment" --motion wide.csv

# Systems without joints have no torques.
expect 2 "$MANYLINK" inverse "$SOURCE/studies/lorenz_rho.yaml" --motion other.csv
says err "system \`lorenz\` has no joints"

# Results of other studies.
expect 0 "$MANYLINK" run arm.yaml --quiet
expect 0 "$MANYLINK" inverse arm.yaml --motion arm.h5
says out "result: arm_inverse.h5"
expect 0 "$MANYLINK" inverse arm.yaml --motion arm.h5 -o swapped.h5 --set \
    'system.segments=[{name: fore, length: 0.3, mass: 2}, {name: upper, length: 0.3, mass: 2}]'
refuses "has no segment \`arm\`; the nearest is \`fore\`" --motion arm.h5 \
    --set 'system.segments=[{name: arm, length: 1, mass: 1}, {name: fore, length: 1, mass: 1}]' \
    --set forces=[] --set initial.angle=0
refuses "motions of 2 segments, but the study has 1" --motion arm.h5 \
    --set 'system.segments=[{name: fore, length: 1, mass: 1}]' --set forces=[] --set initial.angle=0
refuses "its angles differ from the study's, which has \`angles: segment\`" --motion arm.h5 \
    --set system.angles=segment
refuses "its angles differ from the study's, which has \`zero: down\`" --motion arm.h5 \
    --set system.zero=down
refuses "keeps no trajectory of run 1; there are 1, from run 0 to run 0" --motion arm.h5 --run 1
refuses "keeps no trajectories" --motion arm_inverse.h5
expect 0 "$MANYLINK" run arm.yaml --quiet -o rates.h5 --set 'save.trajectory.quantities=[rate]'
refuses "keeps no angles" --motion rates.h5
expect 3 "$MANYLINK" run arm.yaml --quiet -o diverged.h5 --set initial.rate.fore=1e14
refuses "diverged.h5: run 0 has no finite angle from t = " --motion diverged.h5

# What is there is not overwritten, unless it is such a result.
cp arm.h5 keep.h5
expect 2 "$MANYLINK" inverse arm.yaml --motion arm.h5 -o keep.h5
says err "keep.h5: is there already"
cmp arm.h5 keep.h5 || fail "a result was overwritten"

# Several runs: with the same parameters, or each with its own if the study is swept as it was.
sweep="sweep=[{set: system.segments.fore.mass, values: [1, 2]},
    {set: initial.rate.fore, values: [0, 1, 2]}]"
expect 0 "$MANYLINK" run arm.yaml --quiet -o six.h5 --set "$sweep"
expect 0 "$MANYLINK" inverse arm.yaml --motion six.h5 --set "$sweep" -o paired.h5
says out "6 motions, 201 samples"
expect 0 "$MANYLINK" inverse arm.yaml --motion six.h5 -o alike.h5
says out "6 motions"
expect 0 "$MANYLINK" inverse arm.yaml --motion six.h5 --run 4 --set "$sweep" -o grid.h5
says out "one motion, 2 sets of parameters"
says err "arm.yaml: note: torques do not depend on \`initial.rate.fore\`"
refuses "its runs are not those of the study, by \`initial.rate.fore\` of run 1" --motion six.h5 \
    --set 'sweep=[{set: initial.rate.fore, values: [0, 3, 1, 2, 4, 5]}]'
refuses "the study has 2 runs" --motion six.h5 \
    --set 'sweep=[{set: system.segments.fore.mass, values: [1, 1]}]'
refuses 'an axis cannot be named "torque"' --motion six.h5 \
    --set 'sweep=[{set: initial.rate.fore, name: torque, values: [0, 3]}]'

# The same bits on any number of threads and any instruction set.
expect 0 "$MANYLINK" inverse arm.yaml --motion six.h5 --set "$sweep" -o one_thread.h5 --threads 1
same paired.h5 one_thread.h5
isas=$(instruction_sets)
for isa in $isas; do
    expect 0 env MANYLINK_ISA="$isa" "$MANYLINK" inverse arm.yaml --motion six.h5 --set "$sweep" \
        -o "$isa.h5" --threads 3
    same paired.h5 "$isa.h5"
done

# A motion of the study is not smoothed.
expect 0 "$MANYLINK" inverse path.yaml -o path.h5 --set inverse.spline.smoothing=gcv
says err "path.yaml: note: the key \`inverse\` smooths measured motions"

# Times of 150 Hz to the millisecond are even, and names may stand in quotes.
awk 'BEGIN { print "\"time\",\"angle/upper\",\"angle/fore\""
    for (k = 0; k < 60; k++) printf "%.3f,%.6f,0.3\n", k / 150, 0.5 * sin(k / 30) }' >rounded.csv
expect 0 "$MANYLINK" inverse arm.yaml --motion rounded.csv -o rounded.h5 --set "$filter"
[ ! -s err ] || fail "rounding of times is taken for noise: $(cat err)"
sed 's/^0.200/0.203/' rounded.csv >table.csv
refuses "equal intervals between samples, but the samples at " --motion table.csv --set "$filter"

# Nothing is integrated, so there is no step to be judged, and with measured motions no time to be given.
cat >stiff.yaml <<'END'
manylink: 1
system: {type: chain, segments: [{name: a, length: 1, mass: 1}, {name: b, length: 0.01, mass: 1e-6}]}
forces:
  - {name: e, type: damper, joint: b, coefficient: 0.1}
  - {name: drive, type: torque, joint: a, value: {type: ramp, from: 0, to: 1, onset: 5, duration: 2}}
motion: {type: minimum_jerk, start: {angle: {a: 0, b: 0}}, end: {angle: {a: 1, b: 1}}, duration: 0.5}
time: {step: 5e-3, end: 1}
END
expect 0 "$MANYLINK" inverse stiff.yaml -o stiff.h5
[ ! -s err ] || fail "an integration is judged: $(cat err)"
sed '/^time/d; /^initial/d; /^save/d' arm.yaml >timeless.yaml
expect 0 "$MANYLINK" inverse arm.yaml --motion uneven.csv -o timed.h5
for shard in 0 1; do
    expect 0 "$MANYLINK" inverse timeless.yaml --motion uneven.csv -o timeless-$shard.h5 --shard $shard/2 \
        --set "sweep=[{set: system.segments.fore.mass, values: [1, 2]}]"
    [ ! -s err ] || grep -q "^shard" err || fail "something is said: $(cat err)"
done
expect 0 "$MANYLINK" inverse timeless.yaml --motion uneven.csv -o timeless.h5
expect 0 "$MANYLINK" verify timeless.h5
for result in timed timeless; do
    expect 0 "$MANYLINK" export $result.h5 -o $result.csv
done
cmp timed.csv timeless.csv
expect 0 "$MANYLINK" info timeless.h5
expect 2 "$MANYLINK" run timeless.yaml
says err "timeless.yaml:1:1: key \`time\` is missing: span and step of the integration"
sed '/^time/d' stiff.yaml >untimed.yaml
expect 2 "$MANYLINK" inverse untimed.yaml
says err "untimed.yaml:1:1: key \`time\` is missing"

# A hand path that the arm does not reach, of any run.
expect 0 "$MANYLINK" inverse path.yaml -o path.h5 \
    --set 'sample.method=sobol' --set sample.count=8 \
    --set 'sample.over=[{set: system.segments.fore.mass, from: 1, to: 2}]'
expect 2 "$MANYLINK" inverse path.yaml -o no.h5 --set 'motion.end=[-0.1, 0.7]'
says err "path.yaml:9:1: the hand is 0.316228 to 0.707107 m from the base"
expect 2 "$MANYLINK" inverse path.yaml -o no.h5 \
    --set 'sweep=[{set: system.segments.fore.length, values: [0.34, 0.15]}]'
says err "(run 1)"
[ ! -e no.h5 ] || fail "bad input left a file"

# Every shape of a result opens everywhere, and is what it should be.
for result in one paired grid path smooth splined; do
    "$PYTHON" "$SOURCE/tests/results/view_result.py" "$result.h5" || fail "$result.h5 does not open everywhere"
done
expect 0 "$MANYLINK" info grid.h5
says out torque_coriolis
expect 0 "$MANYLINK" plot grid.h5

# Actuators are what is looked for, whichever they are; what acts from outside is balanced.
sed 's/^  - {name: drive.*/  - {name: brain, type: pid, joint: upper, target: 1, kp: 2}/' arm.yaml >pid.yaml
expect 0 "$MANYLINK" inverse pid.yaml --motion arm.h5 -o pid.h5
sed 's/^  - {name: drive.*/  - {name: hand, type: point_force, segment: fore, at: 0.3, force: [5, -7]}/' \
    arm.yaml >hand.yaml
expect 0 "$MANYLINK" inverse hand.yaml --motion arm.h5 -o hand.h5
"$PYTHON" "$SOURCE/tests/results/check_inverse.py" || exit $?

