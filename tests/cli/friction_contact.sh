# label: values
# Friction in joints and contacts: accelerations and forces of random chains by an independent balance of momenta,
# bounces and stick-slip in closed form, and the same bits from kernels, shards and threads.
. "$SOURCE/tests/check.sh"
need_python

"$PYTHON" "$SOURCE/tests/cli/friction_contact.py" "$MANYLINK" "$SOURCE/tests/reference" || exit $?

# Every number's derivative, while a joint rubs and three surfaces are touched.
cat >leg.yaml <<'END'
manylink: 1
system:
  type: chain
  angles: joint
  segments: [{name: thigh, length: 1, mass: 1}, {name: shank, length: 0.7, mass: 0.8}]
forces:
  - {name: rub, type: friction, joint: shank, coulomb: 0.5, static: 0.8, stribeck_speed: 0.4, viscous: 0.05,
     velocity_scale: 0.1}
  - {name: bearing, type: friction, joint: thigh, coulomb: 0.2}
  - {name: floor, type: contact, segment: shank, point: [0, -0.9], normal: [0.1, 2], stiffness: 1e3, damping: 0.3,
     friction: 0.4}
  - {name: ball, type: contact, segment: shank, at: 0.4, point: [0.9, -1.2], radius: 0.6, stiffness: 1e3, damping: 0.2,
     friction: 0.3, exponent: 1}
  - {name: bowl, type: contact, segment: thigh, at: 0.9, point: [0.1, 0.05], radius: -0.85, stiffness: 1e3, exponent: 2.2}
  - {name: push, type: pid, joint: shank, target: {type: sine, amplitude: 0.5, frequency: 1.3}, kp: 20, ki: 3, kd: 1}
initial: {angle: {thigh: 0.9, shank: -0.7}, rate: {thigh: 0.3, shank: 1}}
time: {step: 5e-4, end: 1}
save: {trajectory: {every: 20, quantities: [angle, rate, acceleration, contact_force, joint_force, joint_moment, slip]}}
END
expect 0 "$MANYLINK" evaluate leg.yaml --check-derivatives
sed -n 's/.*worst \([^:]*\):.*/\1/p' out | awk '{ if (!($1 < 1e-10)) exit 1; n++ } END { exit !n }' ||
    fail "derivatives are off: $(tail -1 out)"

# A joint that holds.
cat >held.yaml <<'END'
manylink: 1
system: {type: chain, segments: [{name: rod, length: 1, mass: 1}]}
forces: [{type: friction, joint: rod, coulomb: 10}]
initial: {angle: 1}
time: {step: 1e-4, end: 0.2}
END
expect 0 "$MANYLINK" run held.yaml
says err "joint \`rod\` sticks in 1 of 1 runs, for up to 100 % of the time"
expect 0 "$MANYLINK" run held.yaml --set time.step=0.01 --set initial.rate.rod=2 -o coarse.h5
says err "for force \`1\` (friction) where it acts: step x |eigenvalue| is 30, and rk4 is stable up to 2.79"

# Contacts, joints and events of runs: joint forces and moments are those of inverse dynamics; events are where
# their quantity has the value of the event; and results are the same from kernels, shards and threads, and by tolerance.
cat >sweep.txt <<'END'
sweep:
  - {set: forces.floor.friction, values: [0, 0.2, 0.9]}
  - {set: forces.rub.coulomb, from: 0, to: 1, count: 7}
events:
  - {name: press, when: contact_force.floor.y, crosses: 3, max: 8, keep: [contact_force.floor.y, slip.shank]}
  - {name: let_go, when: slip.shank, crosses: 1, direction: up, max: 8, keep: [slip.shank]}
  - {name: hard, when: joint_force.thigh.y, crosses: 40, max: 8, keep: [joint_force.thigh.y]}
END
cat leg.yaml sweep.txt >study.yaml
cat >>study.yaml <<'END'
analyse: {sensitivity: {of: end_state, to: [forces.rub.static, forces.floor.normal.x, forces.ball.radius]}}
END
expect 0 "$MANYLINK" run study.yaml --kernel general --threads 1 -o general.h5
expect 0 "$MANYLINK" run study.yaml --kernel made --threads 2 -o made.h5
same general.h5 made.h5
for i in 0 1 2; do
    expect 0 "$MANYLINK" run study.yaml --shard $i/3 -o shard$i.h5
done
expect 0 "$MANYLINK" merge shard0.h5 shard1.h5 shard2.h5 -o merged.h5
same general.h5 merged.h5
expect 0 "$MANYLINK" verify general.h5
sed 's/^time:.*/time: {tick: 1e-2, end: 1}\nintegrator: {type: dop853, tolerance: 1e-11}/; s/every: 20/every: 1/' \
    study.yaml >tolerance.yaml
for kernel in general made; do
    expect 0 "$MANYLINK" run tolerance.yaml --kernel $kernel -o tolerance.$kernel.h5
done
same tolerance.general.h5 tolerance.made.h5
expect 0 "$MANYLINK" inverse leg.yaml --set sweep='[{set: forces.floor.friction, values: [0, 0.2, 0.9]}, {set:
    forces.rub.coulomb, from: 0, to: 1, count: 7}]' --motion general.h5 -o inverse.h5
"$PYTHON" "$SOURCE/tests/cli/contact_records.py" general.h5 tolerance.general.h5 inverse.h5
