# label: values
# Margins of loops with sample_time: against eigenvalues of the closed loop as one discrete system, a rod and an arm; and runs
# with a little less and more than each gain margin, which come to rest and do not. Poles, and responses of the rod's loops.
. "$SOURCE/tests/check.sh"
need_python

cat >rods.yaml <<'END'
manylink: 1
accuracy: off
system: {type: chain, segments: [{name: rod, length: 1, mass: 1.5}]}
forces:
  - {name: hold, type: pid, joint: rod, target: 1, kp: 30, ki: 12, kd: 4, delay: 0.02, sample_time: 0.01}
  - {name: loss, type: damper, joint: rod, coefficient: 0.3}
  - {name: load, type: torque, joint: rod, value: 0}
initial: {angle: 0}
time: {step: 5e-3, end: 0.1}
sample: {file: rods.csv}
analyse: {margins: {}, poles: {}, frequency_response: {from: 0.5, to: 60, count: 40}}
END
cat >arms.yaml <<'END'
manylink: 1
accuracy: off
system: {type: chain, angles: joint, segments: [{name: arm, length: 0.3, mass: 2}, {name: hand, length: 0.25, mass: 1.5}]}
forces:
  - {name: muscles, type: impedance, equilibrium: [0.6, 0.5], stiffness: [[40, 5], [5, 10]], damping: [[3, 0.3], [0.3, 0.8]],
     delay: 0.02, sample_time: 0.01}
  - {name: wrist, type: pid, joint: hand, target: 0.2, kp: 5, ki: 3, kd: 0.2, delay: 0.05, sample_time: 0.01}
  - {name: loss, type: damper, joint: hand, coefficient: 0.1}
time: {step: 5e-3, end: 0.1}
sample: {file: arms.csv}
analyse: {margins: {}, poles: {}}
END
"$PYTHON" "$SOURCE/tests/cli/sampled_margins.py" "$MANYLINK" "$SOURCE/tests/reference/sampled_loops.json" ||
    fail "margins of sampled loops"
