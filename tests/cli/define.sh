# Numbers by formulas of names (`define`): each run equals the run of a study that has its numbers by hand, and
# derivatives by a name are those by the numbers that follow from it, by the chain rule.
. "$SOURCE/tests/check.sh"

cat >arm.yaml <<'YAML'
manylink: 1
define:
  m: {value: 2, unit: kg, doc: mass of the upper rod}
  l: 0.5
  c: 0.02
  omega: 3
  T: 2*pi/omega
  I_rod: mass2*l^2/12
  mass2: 3*m/2 + 0.1
system:
  type: chain
  gravity: g0
  segments:
    - {name: upper, length: 2*l, mass: m}
    - {name: lower, length: l, mass: mass2, inertia: I_rod}
forces:
  - {name: brake, type: damper, joint: lower, coefficient: c*sqrt(m)/l}
  - {name: push, type: torque, joint: upper, value: {type: sine, amplitude: m*l, frequency: omega/(2*pi)}}
initial: {angle: {upper: 1, lower: sqrt(m) - 0.5}, rate: l/m}
time: {end: 2*T, steps: 400}
sweep:
  - {set: define.m, from: 1, to: 4, count: 4}
  - {set: define.omega, values: [3, 6]}
YAML
sed -i 's/^define:/&\n  g0: 9.81/' arm.yaml
expect 0 "$MANYLINK" run arm.yaml --kernel general -o arm.h5
! grep -v "step error" err || fail "a word about a good study"
expect 0 "$MANYLINK" run arm.yaml --kernel general --threads 2 -o threads.h5
same arm.h5 threads.h5
for shard in 0 1; do
    expect 0 "$MANYLINK" run arm.yaml --kernel general --shard $shard/2 -o shard$shard.h5
done
expect 0 "$MANYLINK" merge shard0.h5 shard1.h5 -o merged.h5
same arm.h5 merged.h5
expect 0 "$MANYLINK" verify arm.h5

# same_runs A B: of results of studies that are written in two ways.
same_runs()
{
    for result in "$@"; do
        expect 0 "$MANYLINK" table "$result"
        mv out "$result.table"
    done
    cmp "$1.table" "$2.table" || fail "other runs in $1 than in $2"
}

# Formulas of a system and of a force take names as if these were their parameters; step and end follow both.
cat >own.yaml <<'YAML'
manylink: 1
define: {omega: {value: 3, unit: rad/s, doc: of the drive}, T: 2*pi/omega, zeta: 0.1, amplitude: 0.3}
system:
  type: equations
  parameters: {zeta: 0.2}
  state: {x: 1, v: 0}
  functions: {"f(x, T)": x*T}
  rates: {x: v, v: "-f(x, omega^2) - zeta*v"}
integrator: rk4
time: {step: T/200, end: 4*T}
sweep: [{set: define.omega, values: [3, 6]}]
YAML
expect 0 "$MANYLINK" run own.yaml -o own.h5
says err 'own.yaml:2:76: note: no number depends on `zeta`'
says err 'own.yaml:2:87: note: no number depends on `amplitude`'
expect 0 "$MANYLINK" plan own.yaml
grep -qx 'formulas  time.step = T/200, from 0.00523599 to 0.010472' out || fail "$(cat out)"
sed 's/{zeta: 0.2}/{zeta: 0.2, omega: {value: omega, unit: rad\/s, doc: of the drive}}/
    s/end: 4.T/steps: 800/' own.yaml >given.yaml
expect 0 "$MANYLINK" run given.yaml -o given.h5
same_runs own.h5 given.h5
sed 's/end: 4.T/end: 4*T + omega - 3/' own.yaml >uneven.yaml
expect 2 "$MANYLINK" run uneven.yaml -o uneven.h5
says err 'all runs must have the same number of steps, but `end` is 1372.957795 steps after the start in run 1'
cat >reflex.yaml <<'YAML'
manylink: 1
define: {strength: 8, elbow: 1}
system: {type: chain, segments: [{name: upper, length: 1, mass: 1}, {name: elbow, length: 1, mass: 1}]}
forces: [{name: hold, type: formula, joint: elbow, torque: -strength*angle.elbow}]
initial: {angle: {elbow: elbow}}
time: {step: 0.01, end: 1}
sweep: [{set: define.strength, values: [2, 8]}]
analyse: {sensitivity: {to: [define.strength]}}
YAML
expect 0 "$MANYLINK" run reflex.yaml -o reflex.h5
sed 's/joint: elbow, t/joint: elbow, parameters: {strength: strength}, t/' reflex.yaml >explicit.yaml
expect 0 "$MANYLINK" run explicit.yaml -o explicit.h5
same_runs reflex.h5 explicit.h5
sed 's/parameters: {strength: strength}/parameters: {strength: 1}/; /^define/s/strength: 8, //
    s/define[.]strength/forces.hold.strength/' explicit.yaml >number.yaml
expect 0 "$MANYLINK" run number.yaml -o number.h5
expect 0 "$MANYLINK" table number.h5
sed 's/forces[.]hold/define/g' out | cmp - reflex.h5.table || fail "a force's number by a name has other runs"
[ -z "$SANITIZE" ] || exit 0 # no interpreter loads the library
use_package
expect 0 "$PYTHON" "$SOURCE/tests/cli/define.py"
