# label: values
# Signals by name in formulas: each type equals the drive of a mass_spring_damper, also pulses that steps could pass over, and
# in a chain the torque that follows the signal; derivatives by their times are those of differences.
. "$SOURCE/tests/check.sh"
need_python

"$PYTHON" -c "
import math
print('time,f,one')
for i in range(41):
    print(0.25 * i + 0.003 * (i % 3), math.sin(0.7 * i) + 0.2 * (i % 5), int(i == 20), sep=',')" >curve.csv
"$PYTHON" -c "
print('time,u')
for i in range(101):
    print(i / 10, int(i == 60), sep=',')" >dirac.csv

printf 'time,u\n0,0\n0.3,1\n0.71,-1.5\n1.9,0.5\n5,7\n9,3\n' >stairs.csv

# equal NAME SIGNAL INTEGRATOR TIME [SWEPT ROW]: one.NAME.h5 by formulas, other.NAME.h5 by a drive
equal()
{
    sweep=${5:+"sweep: [{set: PATH$5, from: 1, to: 8, count: 301}]"}
    cat >one.yaml <<YAML
manylink: 1
system:
  type: equations
  parameters: {m: 2, k: 5, c: 0.3}
  state: {x: 0.1, v: 0}
  rates: {x: v, v: (u - k*x - c*v)/m}
signals: {u: $2}
time: {end: 9$4}
integrator: $3
$(echo "$sweep" | sed 's/PATH/signals.u./')
YAML
    cat >other.yaml <<YAML
manylink: 1
system: {type: mass_spring_damper, mass: [[2]], stiffness: [[5]], damping: [[0.3]]}
initial: {position: [0.1]}
forces: [{type: drive, name: u, dof: 1, force: $2}]
time: {end: 9$4}
integrator: $3
$(echo "$sweep" | sed 's/PATH/forces.u.force./')
YAML
    for study in one other; do
        expect 0 "$MANYLINK" run $study.yaml --no-accuracy -o $study.$1.h5
    done
}
adaptive='{type: dop853, tolerance: 1e-12}'
equal pulses '{type: pulse, amplitude: 3, onset: 1.2, duration: 0.001}' "$adaptive" '' onset
equal given_pulses '{type: pulse, amplitude: 3, onset: 1.2, duration: 0.001}' rk4 ', step: 0.05' onset
equal ramp '{type: ramp, from: 0.3, to: 2, onset: 1.23, duration: 3}' "$adaptive" ''
equal given_ramp '{type: ramp, from: 0.3, to: 2, onset: 1.23, duration: 3}' rk4 ', step: 0.05'
equal jerk '{type: minimum_jerk, from: 0.3, to: 2, onset: 1.2, duration: 3}' "$adaptive" ''
equal sine '{type: sine, amplitude: 2, frequency: 0.7, mean: 0.1, phase: 0.3}' "$adaptive" ''
equal table '{type: table, file: curve.csv, column: f, scale: 2}' "$adaptive" ''
equal given_table '{type: table, file: curve.csv, column: one}' rk4 ', step: 0.05'
equal stairs '{type: table, file: stairs.csv, column: u, hold: true, scale: 2}' "$adaptive" ''
equal given_stairs '{type: table, file: stairs.csv, column: u, hold: true, scale: 2}' rk4 ', step: 0.05'

# Numbers of a signal by either path, also by an option, and written.
for path in signals.u.scale define.u_scale; do
    expect 0 "$MANYLINK" run one.yaml --no-accuracy -o set.$path.h5 --set $path=3
done
sed 's/scale: 2/scale: 3/' one.yaml >written.yaml
expect 0 "$MANYLINK" run written.yaml --no-accuracy -o written.h5

# A table of a state whose samples hold: 1, 2 and 4 from 0, 1 and 2 on.
printf 'x,speed\n0,1\n1,2\n2,4\n3,8\n' >speed.csv
cat >speed.yaml <<'YAML'
manylink: 1
tables: {speed: {file: speed.csv, x: x, y: speed, hold: true}}
system: {type: equations, state: {x: 0.25}, rates: {x: speed(x)}}
time: {end: 1.5}
integrator: {type: dop853, tolerance: 1e-12}
analyse: {sensitivity: {of: end_state, to: [initial.x]}}
YAML
expect 0 "$MANYLINK" run speed.yaml --no-accuracy -o speed.h5

# A table whose samples hold, as pulses that are added.
cat >stairs.yaml <<'YAML'
manylink: 1
system: {type: mass_spring_damper, mass: [[2]], stiffness: [[5]], damping: [[0.3]]}
initial: {position: [0.1]}
forces: [{type: drive, name: u, dof: 1, force: {type: table, file: stairs.csv, hold: true, scale: 2}}]
time: {step: 0.05, end: 3}
integrator: rk4
YAML
sed 's/{type: drive.*/{type: drive, dof: 1, force: {type: pulse, amplitude: 2, onset: 0.3, duration: 0.41}},\
  {type: drive, dof: 1, force: {type: pulse, amplitude: -3, onset: 0.71, duration: 1.19}},\
  {type: drive, dof: 1, force: {type: pulse, amplitude: 1, onset: 1.9, duration: 9}}]/; s/^forces: ./&/' stairs.yaml >steps.yaml
for study in stairs steps; do
    expect 0 "$MANYLINK" run $study.yaml --no-accuracy -o $study.h5
done

# A single sample that is not 0.
cat >dirac.yaml <<'YAML'
manylink: 1
system: {type: equations, state: {x: 0, v: 0}, rates: {x: v, v: -x - v + u}}
signals: {u: {type: table, file: dirac.csv, column: u}}
integrator: {type: tp86, tolerance: 1e-9}
time: {end: 10}
YAML

# A chain, whose formulas, events and observed numbers take signals; and the same with torques that follow them.
cat >arm.yaml <<'YAML'
manylink: 1
define: {f: 1.5}
system: {type: chain, segments: [{name: arm, length: 0.4, mass: 2}]}
initial: {angle: 0.6}
signals:
  push: {type: pulse, amplitude: 2, onset: 1/3, duration: f/5}
  lift: {type: ramp, from: 0.2, to: 0.7, onset: -0.1, duration: f}
  reach: {type: minimum_jerk, from: 0.1, to: -0.3, onset: 1.1, duration: f}
  w: {type: sine, amplitude: 0.1, frequency: f}
forces: [{type: formula, name: kick, joint: arm, torque: push + lift + reach + w}]
events: [{name: top, when: angle.arm - 3*w, direction: up, max: 4, keep: [w]}]
time: {end: 4}
integrator: {type: dop853, tolerance: 1e-12}
save: {trajectory: {quantities: [angle, w, push]}}
analyse: {sensitivity: {of: end_state, to: [define.f]}, observe: {sum: {integral: push}}}
YAML
cat >torques.yaml <<'YAML'
manylink: 1
define: {f: 1.5}
system: {type: chain, segments: [{name: arm, length: 0.4, mass: 2}]}
initial: {angle: 0.6}
forces:
  - {type: torque, joint: arm, name: push, value: {type: pulse, amplitude: 2, onset: 1/3, duration: f/5}}
  - {type: torque, joint: arm, name: lift, value: {type: ramp, from: 0.2, to: 0.7, onset: -0.1, duration: f}}
  - {type: torque, joint: arm, name: reach, value: {type: minimum_jerk, from: 0.1, to: -0.3, onset: 1.1, duration: f}}
  - {type: torque, joint: arm, name: w, value: {type: sine, amplitude: 0.1, frequency: f}}
sweep: [{set: define.f, values: [1.4999, 1.5, 1.5001]}]
time: {end: 4}
integrator: {type: dop853, tolerance: 1e-12}
YAML
for study in dirac arm torques; do
    expect 0 "$MANYLINK" run $study.yaml --no-accuracy -o $study.h5
    cp err $study.err
done
# A table that ends before the study.
sed 's/end: 10/end: 11/' dirac.yaml >early.yaml
expect 2 "$MANYLINK" run early.yaml -o early.h5
says err "early.yaml:3:34: the times of ./dirac.csv are 0 to 10 s but must cover those of the study, 0 to 11 s"
# Steps of a chain do not end at samples.
cat >held.yaml <<'YAML'
manylink: 1
system: {type: chain, segments: [{name: arm, length: 0.4, mass: 2}]}
signals: {u: {type: table, file: stairs.csv, column: u, hold: true}}
forces: [{type: formula, name: kick, joint: arm, torque: u}]
time: {step: 0.01, end: 1}
YAML
expect 2 "$MANYLINK" plan held.yaml
says err 'held.yaml:3:57: `hold` of a table for formulas is for equations'
"$PYTHON" - <<'END'
import h5py
import numpy as np


def summary(name):
    return h5py.File(name + ".h5")["study/summary"]


for name in "pulses", "given_pulses", "ramp", "given_ramp", "jerk", "sine", "table", "given_table", "stairs", "given_stairs":
    one, other = summary("one." + name), summary("other." + name)
    for mine, its in (("end_x", "end_position"), ("end_v", "end_velocity")):
        worst = np.max(np.abs(one[mine][()] - other[its][..., 0]))
        assert worst < 1e-12, (name, worst)
assert len(np.unique(summary("one.pulses")["end_x"][()])) == 301
for key in "end_position", "end_velocity":
    assert abs(summary("stairs")[key][0] - summary("steps")[key][0]) < 1e-15, key
ends = [summary(name)["end_x"][()] for name in ("set.signals.u.scale", "set.define.u_scale", "written", "one.given_stairs")]
assert ends[0] == ends[1] == ends[2] != ends[3], ends
assert b"hold: true" in h5py.File("stairs.h5")["study/resolved"][()]
end = summary("dirac")
assert abs(end["end_x"][()] + 0.00494278164) < 1e-9 and abs(end["end_v"][()] + 0.01036258813) < 1e-9
assert abs(summary("speed")["end_x"][()] - 3) < 1e-14 and abs(summary("speed")["sensitivity"][()] - 4) < 1e-13
arm, torques = summary("arm"), summary("torques")
for row, key in enumerate(("end_angle", "end_rate")):
    assert abs(arm[key][0] - torques[key][1, 0]) < 1e-11, key
    difference = (torques[key][2, 0] - torques[key][0, 0]) / 2e-4
    assert abs(arm["sensitivity"][row, 0] - difference) < 1e-6 * abs(difference), (key, difference)
assert abs(arm["sum"][()] - 0.6) < 1e-14
assert np.allclose(arm["top_w"][()], 0.1 * np.sin(2 * np.pi * 1.5 * arm["top_times"][()]), atol=1e-15)
END
