# label: values
# Margins of control loops: against closed forms and an independent linearisation of an arm, crossings found by SciPy
# on a dense grid; the delay margin is where runs begin to swing up; the same bits from kernels, shards and threads.
. "$SOURCE/tests/check.sh"
need_python

cat >rod.yaml <<'END'
manylink: 1
system: {type: chain, segments: [{name: rod, length: 1, mass: 1.5}]}
forces:
  - {name: hold, type: pid, joint: rod, target: 0.7, kp: 30, ki: 12, kd: 4, delay: 0.02, limit: 500}
  - {name: loss, type: damper, joint: rod, coefficient: 0.3}
  - {name: load, type: torque, joint: rod, value: 2}
time: {step: 1e-2, end: 0.1}
sample:
  method: random
  count: 64
  seed: 3
  over:
    - {set: forces.hold.target, from: -3, to: 3}
    - {set: forces.hold.kp, from: 3, to: 60}
    - {set: forces.hold.ki, from: 0.1, to: 30}
    - {set: forces.hold.kd, from: 1, to: 8}
    - {set: forces.hold.delay, from: 0, to: 0.1}
analyse: {margins: {}}
END
sed 's/{name: hold, type: pid, joint: rod/{name: hold, type: computed_torque, mass_factor: 0.8/; s/, ki: 12//; /hold.ki/d; s/hold.target,/hold.target.rod,/' rod.yaml >model.yaml
cat >arm.yaml <<'END'
manylink: 1
system: {type: chain, angles: joint, segments: [{name: arm, length: 0.3, mass: 2}, {name: hand, length: 0.25, mass: 1.5}]}
forces:
  - {name: muscles, type: impedance, equilibrium: [{type: minimum_jerk, from: 0, to: 0.6, onset: 0, duration: 0.05}, 0.5],
     stiffness: [[40, 5], [5, 10]], damping: [[3, 0.3], [0.3, 0.8]], rate_share: 0.5, delay: 0.02}
  - {name: wrist, type: pid, joint: hand, target: 0.2, kp: 5, ki: 3, kd: 0.2, delay: 0.05}
  - {name: loss, type: damper, joint: hand, coefficient: 0.1}
time: {step: 1e-3, end: 0.1}
sample:
  method: random
  count: 24
  seed: 3
  over:
    - {set: forces.muscles.delay, from: 0, to: 0.06}
    - {set: forces.muscles.rate_share, from: 0, to: 1}
    - {set: forces.muscles.stiffness.arm.arm, from: 20, to: 80}
    - {set: forces.wrist.delay, from: 0, to: 0.1}
    - {set: forces.wrist.kp, from: 1, to: 30}
analyse: {margins: {}}
END
sed 's/joint: hand, target/joint: hand, perturbation: true, target/; s/, delay: 0.05//; /wrist.delay/d' arm.yaml >passive.yaml

for name in rod model arm passive; do
    expect 0 "$MANYLINK" run $name.yaml --kernel general --no-accuracy
    for index in 0 1; do
        expect 0 "$MANYLINK" run $name.yaml --no-accuracy --threads 1 --shard $index/2 -o shard$index.h5
    done
    expect 0 "$MANYLINK" merge -o merged.h5 shard1.h5 shard0.h5
    same $name.h5 merged.h5
    rm merged.h5 shard?.h5
done
expect 0 "$MANYLINK" run arm.yaml --kernel made --no-accuracy -o made.h5
same arm.h5 made.h5
expect 0 "$MANYLINK" run rod.yaml --no-accuracy --restart
grep -q "margins: the closed loop is unstable about its equilibrium in [0-9]* of 64 runs, which have none (NaN)" err
sed 's/analyse: .*/integrator: {type: dopri54, tolerance: 1e-8}\nanalyse: {margins: {}, tracking: {}, effort: {}}/; s/step: 1e-2, //; s/, delay: 0.02//; /hold.delay/d
    s/method: random/method: sobol/' rod.yaml >free.yaml
expect 0 "$MANYLINK" run free.yaml --no-accuracy

"$PYTHON" "$SOURCE/tests/cli/margins.py" "$MANYLINK"

# Without a delay the delay margin is the delay at which a pair of roots begins to grow, and the motion with it.
cat >body.yaml <<'END'
manylink: 1
system: {type: chain, segments: [{name: body, length: 1.75, mass: 70}]}
forces: [{name: ankles, type: pid, joint: body, target: pi, kp: 900, kd: 300}]
initial: {angle: pi + 1e-5}
time: {step: 1e-2, end: 60}
analyse: {margins: {}}
END
"$PYTHON" - "$MANYLINK" <<'END'
import subprocess
import sys

import h5py


def run(*sets):
    words = [word for text in sets for word in ("--set", text)]
    subprocess.run([sys.argv[1], "run", "body.yaml", "-o", "body.h5", "--no-accuracy", "--restart", "--quiet"] + words, check=True)
    with h5py.File("body.h5") as file:
        return {name: file["study/summary"][name][()].ravel() for name in ("delay_margin", "unstable_roots", "end_angle")}


margin = run()["delay_margin"][0]
below, above = (run(f"forces.ankles.delay={margin * factor}") for factor in (1 - 1e-6, 1 + 1e-6))
assert below["unstable_roots"] == 0 and above["unstable_roots"] == 2
assert 0 < below["delay_margin"] < 2e-6 * margin, below
decays, grows = (abs(run(f"forces.ankles.delay={margin * factor}")["end_angle"][0] - 3.141592653589793) for factor in (0.9, 1.1))
assert decays < 1e-7 < 1e-5 < grows, (decays, grows)
END

# In contact with a stiff wall: the balance of spring and wall, k (e - a) = s (d - c) c' in the angle by bisection.
cat >wall.yaml <<'END'
manylink: 1
accuracy: off
system: {type: chain, gravity: 0, segments: [{name: rod, length: 1, mass: 3}]}
forces:
  - {name: c, type: impedance, equilibrium: 0.3, stiffness: [50], damping: [14]}
  - {name: wall, type: contact, segment: rod, point: [0.14943813247359922, 0], normal: [-1, 0], stiffness: 3000, exponent: 1, damping: 0}
initial: {angle: 0.1525}
analyse: {margins: {}}
time: {step: 1e-4, end: 0.01}
sweep: [{set: forces.wall.stiffness, values: [300, 1000, 3000, 1e5, 1e6]}]
END
expect 0 "$MANYLINK" run wall.yaml
"$PYTHON" - <<'PY' || fail "equilibrium at a wall"
import h5py, numpy as np
from scipy.optimize import brentq
with h5py.File("wall.h5") as file:
    at, delay = (file[f"study/summary/{name}"][()].ravel() for name in ("equilibrium_angle", "delay_margin"))
for a, stiffness in zip(at, (300, 1000, 3000, 1e5, 1e6)):
    # the tip at sin(a) is pushed by s (sin(a) - x) along -x, whose arm is cos(a)
    wanted = brentq(lambda q: 50*(0.3 - q) - stiffness*(np.sin(q) - 0.14943813247359922)*np.cos(q), 0.14, 0.3, xtol=1e-15)
    assert abs(a - wanted) < 1e-12, (a, wanted)
assert abs(delay[0] - 0.0561247479) < 1e-9 and np.isfinite(delay).all()
PY
