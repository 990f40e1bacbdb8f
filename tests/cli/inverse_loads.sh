# `inverse` with forces from outside over time, and a base that moves: torques are those of an independent
# balance of momenta.
. "$SOURCE/tests/check.sh"
need_python

"$PYTHON" "$SOURCE/tests/cli/inverse_loads.py" "$MANYLINK" "$SOURCE/tests/reference" || exit $?

# A base without derivatives: they are those of the spline, smoothed by the filter as angles are.
cat >leg.yaml <<'YAML'
manylink: 1
system: {type: chain, segments: [{name: leg, length: 0.8, mass: 9}]}
YAML
"$PYTHON" - >motion.csv <<'PY'
import math
print("base/y,time,angle/leg,base/x")
for k in range(121):
    t = k / 100
    print(f"{0.9 + 0.03 * math.cos(11 * t)},{t},{0.4 * math.sin(5 * t)},{1.3 * t + 0.02 * math.sin(11 * t)}")
PY
expect 0 "$MANYLINK" inverse leg.yaml --motion motion.csv -o splined.h5
! grep base err || fail "a word about a good base"
expect 0 "$MANYLINK" inverse leg.yaml --motion motion.csv -o filtered.h5 \
    --set 'inverse={filter: {type: butterworth, order: 2, cutoff: 6}}'
"$PYTHON" "$SOURCE/tests/cli/inverse_base.py" splined.h5 filtered.h5 motion.csv || exit $?
expect 0 "$MANYLINK" verify filtered.h5

# Millimetres, noise, and half of a base.
awk -F, -v OFS=, 'NR > 1 { $1 *= 1000; $4 *= 1000 } 1' motion.csv >mm.csv
expect 0 "$MANYLINK" inverse leg.yaml --motion mm.csv -o mm.h5
says err "mm.csv: \`base\` goes to 1.57e+03 m: in mm? positions are in m"
awk -F, -v OFS=, 'NR > 1 { $1 += NR % 2 * 0.002 } 1' motion.csv >noise.csv
expect 0 "$MANYLINK" inverse leg.yaml --motion noise.csv -o noise.h5
says err "noise.csv: of the power of the acceleration of \`base/y\` 100.0 % is above 10 Hz"
cut -d, -f2-4 motion.csv >half.csv
expect 2 "$MANYLINK" inverse leg.yaml --motion half.csv -o half.h5
says err "half.csv:1:1: column \`base/y\` is missing: a moving base needs x and y"
sed 1s/base/base_rate/g motion.csv >rates.csv
expect 2 "$MANYLINK" inverse leg.yaml --motion rates.csv -o half.h5
says err "rates.csv:1:1: column \`base/x\` is missing: a moving base needs x and y"
[ ! -e half.h5 ] || fail "bad input left a file"

# Runs: the motion under a load is that of the reference, by every kernel; and back from the motion and the force of the
# ground, as a plate measures it, to the torques of the joints.
cat >leg.head <<'YAML'
manylink: 1
system:
  type: chain
  segments:
    - {name: thigh, length: 0.43, mass: 7, com: 0.19, inertia: 0.11}
    - {name: shank, length: 0.42, mass: 3.3, com: 0.18, inertia: 0.05}
    - {name: foot, length: 0.14, mass: 1, com: 0.07, inertia: 0.004}
time: {step: 1e-4, end: 0.8}
initial: {angle: [0.35, 0.1, 1.3], rate: [-1, 0, 0]}
save: {trajectory: {every: 50, quantities: [angle, rate, acceleration]}}
forces:
  - {type: torque, joint: thigh, value: {type: sine, mean: 9, amplitude: 12, frequency: 1.1}}
  - {type: torque, joint: shank, value: {type: sine, amplitude: -6, frequency: 0.9, phase: pi/2}}
  - {type: torque, joint: foot, value: {type: sine, amplitude: 2, frequency: 2, phase: 0.5}}
  - {type: damper, joint: shank, coefficient: 2}
  - {type: damper, joint: foot, coefficient: 0.5}
YAML
cat leg.head - >pushed.yaml <<'YAML'
  - {name: plate, type: load, segment: foot, file: push.csv, force: [fx, fy], moment: mz, point: [px, py], scale: 1.5}
  - {name: hand, type: load, segment: shank, at: 0.1, force: [{type: sine, amplitude: 20, frequency: 3}, 0]}
YAML
"$PYTHON" - >push.csv <<'PY'
import random
random.seed(3)
print("time,fx,fy,mz,px,py")
for k in range(30):
    print(k * 0.031, *(random.uniform(-s, s) for s in (20, 40, 2, 0.1, 0.1)), sep=",")
PY
expect 0 "$MANYLINK" run pushed.yaml --kernel general --no-accuracy -o pushed.h5
"$PYTHON" "$SOURCE/tests/cli/inverse_stance.py" check pushed.h5 "$SOURCE/tests/reference" || exit $?
expect 0 "$MANYLINK" run pushed.yaml --kernel made --no-accuracy -o made.h5
same pushed.h5 made.h5

cat leg.head - >stance.yaml <<'YAML'
  - {type: ground, segment: foot, level: -0.86, stiffness: 9e4, damping: 0.3, friction: 0.7, slip_speed: 0.05}
YAML
expect 0 "$MANYLINK" run stance.yaml --no-accuracy -o stance.h5
"$PYTHON" "$SOURCE/tests/cli/inverse_stance.py" plate stance.h5 "$SOURCE/tests/reference" || exit $?
expect 0 "$MANYLINK" export stance.h5 --run 0 --columns angle,rate,acceleration -o motion.csv
cat leg.head - >back.yaml <<'YAML'
  - {name: plate, type: load, segment: foot, file: plate.csv, force: [fx, fy], point: [px, py], threshold: 1e-3}
YAML
expect 0 "$MANYLINK" inverse back.yaml --motion motion.csv -o back.h5
"$PYTHON" "$SOURCE/tests/cli/inverse_stance.py" back back.h5 || exit $?

# Tables and motions that do not go together: another span, another origin, millimetres, the force on the plate.
refuses()
{
    text=$1
    shift
    expect 2 "$MANYLINK" inverse back.yaml --motion motion.csv -o no.h5 "$@"
    says err "$text"
    [ ! -e no.h5 ] || fail "bad input left a file"
}
sed '$d' plate.csv >short.csv
refuses "back.yaml:17:5: force \`plate\`: the times of short.csv are 0 to 0.795 s but must cover those of the motion" \
    --set forces.plate.file=short.csv --set time.end=0.7
awk -F, -v OFS=, 'NR > 1 { $4 += 1.5 } 1' plate.csv >elsewhere.csv
refuses "farther from segment \`foot\` than the segment's length (0.14 m) in 100 % of the samples with a force" \
    --set forces.plate.file=elsewhere.csv
refuses "it presses \`foot\` down: the force on the plate, or axes that point down?" --set forces.plate.scale=-1
awk -F, -v OFS=, -v CONVFMT=%.17g 'NR > 1 { $4 *= 1000; $5 *= 1000 } 1' plate.csv >mm.csv
refuses "point.y is -8" --set forces.plate.file=mm.csv
says err "is column py of mm.csv in mm? then write \`length: mm\`"
expect 0 "$MANYLINK" inverse back.yaml --motion motion.csv -o mm.h5 --restart --set forces.plate.file=mm.csv \
    --set forces.plate.length=mm
expect 0 "$PYTHON" "$SOURCE/tests/cli/inverse_stance.py" back mm.h5
