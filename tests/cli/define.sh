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
[ -z "$SANITIZE" ] || exit 0 # no interpreter loads the library
use_package
expect 0 "$PYTHON" "$SOURCE/tests/cli/define.py"
