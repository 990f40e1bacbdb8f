# Motions and filters that differ from run to run: minimum-jerk motions against the closed form, filtered ones against
# SciPy, and each run against the study that has its numbers for all runs.
. "$SOURCE/tests/check.sh"
need_python

cat >link.yaml <<'YAML'
manylink: 1
system: {type: chain, zero: down, gravity: 0, segments: [{name: arm, length: 0.6, mass: 2.5}]}
motion: {type: minimum_jerk, start: {angle: 0.1}, end: {angle: 1.4}, duration: 0.5, onset: 0.1}
time: {step: 1e-3, end: 2.2}
sweep:
  - {set: motion.duration, from: 0.25, to: 2, count: 8}
  - {set: motion.onset, values: [0, 0.2]}
  - {set: motion.end.angle.arm, values: [1.4, 0.7]}
YAML
expect 0 "$MANYLINK" inverse link.yaml -o grid.h5 --threads 1
[ ! -s err ] || fail "a word about good motions"
expect 0 "$MANYLINK" inverse link.yaml -o threads.h5 --threads 2
same grid.h5 threads.h5
{
    sed '/sweep:/,$d' link.yaml
    echo 'sample: {method: random, count: 50, over: [{set: motion.duration, from: 0.25, to: 2}, {set: motion.onset, from: 0, to: 0.2}]}'
} >drawn.yaml
expect 0 "$MANYLINK" inverse drawn.yaml -o drawn.h5

# Two joints, a hand path, and a filter: a run has the bits of the study with its numbers.
cat >reach.yaml <<'YAML'
manylink: 1
system:
  type: chain
  angles: joint
  zero: right
  segments: [{name: upper, length: 0.31, mass: 1.93}, {name: fore, length: 0.34, mass: 1.52}]
time: {step: 0.01, end: 0.6}
motion: {type: hand_path, start: [0.1, 0.4], end: [0.3, 0.45], duration: 0.5, onset: 0.05}
sweep:
  - {set: motion.duration, from: 0.3, to: 0.5, count: 3}
  - {set: [motion.start.x, motion.end.y], values: [[0.1, 0.45], [0.05, 0.5]]}
  - {set: system.segments.fore.mass, values: [1.52, 2]}
YAML
expect 0 "$MANYLINK" inverse reach.yaml -o reach.h5
expect 0 "$MANYLINK" inverse reach.yaml -o alone.h5 --set motion.duration=0.4 --set motion.start.x=0.05 \
    --set motion.end.y=0.5 --set system.segments.fore.mass=2
expect 2 "$MANYLINK" inverse reach.yaml -o no.h5 --set sweep[1].values='[[0.1, 0.45], [0, 0.7]]'
says err "reach.yaml:8:1: the hand is 0.4 to 0.761577 m from the base, but segments of 0.31 and 0.34 m (run 2) reach"

cat >arm.yaml <<'YAML'
manylink: 1
system: {type: chain, angles: joint, body: {mass: 70, height: 1.75, table: winter, segments: [upper_arm, forearm, hand]}}
inverse: {filter: {type: butterworth, order: 2, cutoff: 6}, per_mass: 70}
sweep:
  - {set: [system.body.mass, inverse.per_mass], from: 50, to: 100, count: 3}
  - {set: inverse.filter.cutoff, from: 2, to: 16, count: 13, scale: log}
YAML
"$PYTHON" - >arm.csv <<'PY'
import math
import random

random.seed(5)
print("time,upper_arm,forearm,hand")
for k in range(201):
    t = k / 100
    print(t, *(a * math.sin(w * t + p) + random.gauss(0, 0.003) for a, w, p in ((0.4, 6.1, 0), (0.6, 5.3, 1), (0.3, 7.7, 2))),
          sep=",")
PY
expect 0 "$MANYLINK" inverse arm.yaml --motion arm.csv -o arm.h5
says err "arm.csv, run 11: of the power of the acceleration of \`upper_arm\`"
expect 0 "$MANYLINK" verify arm.h5
expect 0 "$MANYLINK" inverse arm.yaml --motion arm.csv -o mass.h5 --set inverse.filter.cutoff=4 --set system.body.mass=75 \
    --set inverse.per_mass=75
expect 0 "$MANYLINK" inverse arm.yaml --motion arm.csv -o cutoff.h5 --set inverse.filter.cutoff=16 --set system.body.mass=100 \
    --set inverse.per_mass=100
for shard in 0 1 2; do
    expect 0 "$MANYLINK" inverse arm.yaml --motion arm.csv -o part-$shard.h5 --shard $shard/3
done
expect 0 "$MANYLINK" merge part-0.h5 part-1.h5 part-2.h5 -o merged.h5
same arm.h5 merged.h5
expect 2 "$MANYLINK" inverse arm.yaml --motion arm.csv -o no.h5 --set sweep[1].to=60
says err "arm.yaml:3:57: cutoff is 60 in run 12 but must be less than 50 Hz, half of the sampling rate of arm.csv"
expect 0 "$MANYLINK" inverse arm.yaml --motion arm.csv -o body.h5 --set sweep[0].set=system.body.mass
says err "the mass of the body is swept, but all results are divided by 70 kg"

# What the motion that is taken does not have is left out.
expect 0 "$MANYLINK" inverse arm.yaml -o own.h5 --set time='{step: 0.01, end: 1}' \
    --set motion='{type: minimum_jerk, start: {angle: 0}, end: {angle: 1}, duration: 1}'
says err "torques do not depend on \`inverse.filter.cutoff\`"
cat >table.csv <<'CSV'
time,arm
0,0.1
0.1,0.2
0.2,0.4
0.3,0.5
0.4,0.5
0.5,0.4
CSV
expect 0 "$MANYLINK" inverse link.yaml --motion table.csv -o table.h5
says err "torques do not depend on \`motion.duration\`, \`motion.onset\`, \`motion.end.angle.arm\`, which set"

# Runs: their motion does not matter; each has its own filter when the torques are found again.
cat >runs.yaml <<'YAML'
manylink: 1
system: {type: chain, segments: [{name: arm, length: 0.6, mass: 2.5}]}
forces:
  - {name: hold, type: pid, joint: arm, kp: 30, kd: 3, target: {type: minimum_jerk, from: 0, to: 1, duration: 0.5}}
motion: {type: minimum_jerk, start: {angle: 0}, end: {angle: 1}, duration: 0.5}
inverse: {filter: {type: butterworth, order: 2, cutoff: 6}}
time: {step: 1e-3, end: 1}
sweep:
  - {set: [motion.duration, forces.hold.target.duration], values: [[0.3, 0.3], [0.8, 0.8]]}
  - {set: inverse.filter.cutoff, values: [5, 20]}
save: {trajectory: {every: 10, quantities: [angle]}}
YAML
expect 0 "$MANYLINK" run runs.yaml --no-accuracy -o runs.h5
says err "runs.yaml:10:11: note: all runs along \`inverse.filter.cutoff\` are equal: only \`manylink inverse\` uses that key"
expect 0 "$MANYLINK" run runs.yaml --run 2 -o two.h5
expect 0 "$MANYLINK" inverse runs.yaml --motion runs.h5 -o pairs.h5
expect 0 "$MANYLINK" inverse runs.yaml --motion runs.h5 --run 2 -o second.h5 --set inverse.filter.cutoff=5
expect 0 "$MANYLINK" run runs.yaml --no-accuracy -o plain.h5 --set motion.duration=1 --set inverse.filter.cutoff=6

# Plates: each run has its own threshold, and the bits of the study that has it.
cat >plate.yaml <<'YAML'
manylink: 1
system: {type: chain, gravity: 0, segments: [{name: foot, length: 0.5, mass: 1}]}
forces:
  - {name: plate, type: load, segment: foot, file: plate.csv, force: [fx, fy], moment: mz, point: [px, -0.4], threshold: 20}
time: {step: 0.05, end: 1}
sweep: [{set: forces.plate.threshold, values: [0, 15, 20, 60, 100]}, {set: system.segments.foot.mass, values: [1, 2]}]
YAML
"$PYTHON" - <<'PY'
import math

with open("plate.csv", "w") as plate, open("still.csv", "w") as still:
    print("time,fx,fy,mz,px", file=plate)
    print("time,angle/foot,rate/foot,acceleration/foot", file=still)
    for k in range(21):
        t = k / 20
        print(t, 9 * math.cos(7 * t), 130 * math.sin(3 * t) ** 4, 0.3 - t, 0.1 * math.sin(4 * t), sep=",", file=plate)
        print(t, 0.2, 0, 0, sep=",", file=still)
PY
expect 0 "$MANYLINK" inverse plate.yaml --motion still.csv -o plate.h5
expect 0 "$MANYLINK" verify plate.h5
expect 0 "$MANYLINK" inverse plate.yaml --motion still.csv -o sixty.h5 --set forces.plate.threshold=60
for shard in 0 1; do
    expect 0 "$MANYLINK" inverse plate.yaml --motion still.csv -o plate-$shard.h5 --shard $shard/2
done
expect 0 "$MANYLINK" merge plate-0.h5 plate-1.h5 -o plates.h5
same plate.h5 plates.h5
expect 2 "$MANYLINK" inverse plate.yaml --motion still.csv -o no.h5 --set 'sweep[0].values=[20, 200]'
says err "plate.yaml:4:5: force \`plate\`: threshold is 200 N in run 2, more than the largest force in the table"
expect 2 "$MANYLINK" run plate.yaml -o no.h5
says err "plate.yaml:4:5: cannot sweep the threshold of \`plate\` in a run; \`manylink inverse\` can"
[ ! -e no.h5 ] || fail "bad input left a file"
"$PYTHON" "$SOURCE/tests/cli/inverse_swept.py" || exit $?
