# label: values
# Actuators with limits, and perturbations: states against SciPy's DOP853 with torques of its own, torques within
# limits to the last digit, derivatives against differences; kernels and shards change no bit.
. "$SOURCE/tests/check.sh"
need_python

cat >arm.yaml <<'END'
manylink: 1
system:
  type: chain
  segments: [{name: upper, length: 0.9, mass: 1.3}, {name: lower, length: 0.6, mass: 0.7, com: 0.25, inertia: 0.03}]
initial: {angle: {upper: 0.4, lower: -0.7}, rate: {upper: 1}}
time: {end: 1, tick: 0.01}
integrator: {type: tp86, tolerance: 1e-13}
analyse: {effort: {}}
save: {trajectory: {quantities: [joint_torque, power]}}
END
with()
{
    sed "/^initial/i forces: [$2]" arm.yaml >"$1.yaml"
    echo "sweep: [${3-}]" >>"$1.yaml"
}
# LIMITED.yaml: two numbers that are swept, for derivatives too
with torque '{name: push, type: torque, joint: lower, value: {type: sine, amplitude: 3, frequency: 2}, limit: [-0.5, 1.5]}' \
    '{set: forces.push.limit.high, values: [1.5, 0.25]}, {set: forces.push.value.amplitude, values: [3, 2]}'
with pid '{name: hold, type: pid, joint: lower, target: 1.2, kp: 30, ki: 40, kd: 2, limit: [-1, 4]}' \
    '{set: forces.hold.limit.high, values: [4, 2]}, {set: forces.hold.kp, values: [30, 15]}'
with impedance '{name: brace, type: impedance, stiffness: [[20, 5], [5, 15]], damping: [[1, 0.2], [0.2, 1]], equilibrium: {upper: {type: minimum_jerk, from: 0, to: 1, duration: 0.8}, lower: 0.5}, limit: {upper: [-6, 5], lower: 2}}' \
    '{set: forces.brace.limit.upper.high, values: [5, 3]}, {set: forces.brace.stiffness.upper.lower, values: [5, -2]}'
with computed '{name: drive, type: computed_torque, kp: 80, kd: 9, mass_factor: 0.9, target: {upper: {type: minimum_jerk, from: 0.4, to: 1.5, duration: 0.7}, lower: 0.2}, limit: {upper: [-9, 12]}}' \
    '{set: forces.drive.limit.upper.high, values: [12, 7]}, {set: forces.drive.kp, values: [80, 30]}'
to='torque:push.limit.high,push.value.amplitude pid:hold.limit.high,hold.kp
    impedance:brace.limit.upper.high,brace.stiffness.upper.lower computed:drive.limit.upper.high,drive.kp'
for case in $to; do
    name=${case%%:*}
    expect 0 "$MANYLINK" run $name.yaml --kernel general --no-accuracy
    expect 0 "$MANYLINK" run $name.yaml --kernel made --no-accuracy -o made.h5
    same $name.h5 made.h5
    expect 0 "$MANYLINK" run $name.yaml --shard 0/2 --no-accuracy -o 0.h5
    expect 0 "$MANYLINK" run $name.yaml --shard 1/2 --no-accuracy -o 1.h5
    expect 0 "$MANYLINK" merge 0.h5 1.h5 -o merged.h5
    same $name.h5 merged.h5
    expect 0 "$MANYLINK" verify $name.h5
    grep -v '^sweep\|^save\|^analyse' $name.yaml >$name-derived.yaml
    echo "analyse: {sensitivity: {of: end_state, to: [forces.$(echo ${case#*:} | sed 's/,/, forces./')]}}" >>$name-derived.yaml
    rm made.h5
    # the rate of an integral that stands still at a limit jumps, which derivatives do not see
    [ $name != pid ] || expect 0 "$MANYLINK" plan pid-derived.yaml
    [ $name != pid ] || says err "the integral of \`hold\` stands still"
    sed -i 's/ki: 40/ki: 0/' $name-derived.yaml
    expect 0 "$MANYLINK" run $name-derived.yaml --kernel general --no-accuracy
    expect 0 "$MANYLINK" run $name-derived.yaml --kernel made --no-accuracy -o made.h5
    same $name-derived.h5 made.h5
    # the resolved study has the same results
    "$PYTHON" -c "import h5py, sys; sys.stdout.write(h5py.File('$name.h5')['study/resolved'][()].decode())" >again.yaml
    expect 0 "$MANYLINK" run again.yaml --kernel general --no-accuracy
    mv again.h5 $name-again.h5
    rm made.h5 0.h5 1.h5 merged.h5
done

# Derivatives of the effort of actuators.
with effort '{name: hold, type: pid, joint: lower, target: 1.2, kp: 30, ki: 40, kd: 2}, {name: brace, type: impedance, stiffness: [9, 2], equilibrium: 0.3, limit: {upper: [-2, 1.5]}}'
sed -i '/^sweep/d; s/^time: .*/time: {step: 2e-3, end: 1}/; s/^integrator: .*/integrator: rk4/' effort.yaml
sed 's/^analyse: .*/analyse: {effort: {}, sensitivity: {of: [end_state, effort], to: [forces.hold.kp, forces.hold.ki, forces.brace.limit.upper.high, system.segments.upper.mass, initial.angle.lower]}}/' effort.yaml >effort-derived.yaml
for kernel in general made; do
    expect 0 "$MANYLINK" run effort-derived.yaml --kernel $kernel --no-accuracy -o effort-$kernel.h5
done
same effort-general.h5 effort-made.h5

"$PYTHON" - "$MANYLINK" <<'END' || exit $?
import subprocess
import sys

import h5py
import numpy
from scipy.integrate import solve_ivp

length, mass, com, inertia = [0.9, 0.6], [1.3, 0.7], [0.45, 0.25], [1.3 * 0.81 / 12, 0.03]


def run(study, *sets):
    words = [word for text in sets for word in ("--set", text)]
    subprocess.run([sys.argv[1], "run", study, "-o", "run.h5", "--no-accuracy", "--restart"] + words, check=True,
                   capture_output=True)
    return read("run.h5")


def read(name):
    with h5py.File(name) as result:
        found = {key: data[...] for key, data in result["study/summary"].items() if isinstance(data, h5py.Dataset)}
        if "study/trajectories" in result:
            found.update((key, result["study/trajectories"][key][...]) for key in ("joint_torque", "power"))
        return found


def end(result):
    return numpy.concatenate([result["end_angle"], result["end_rate"]], -1)


def model(phi, omega):
    """M, and M q'' less what accelerates without torques."""
    m, f = numpy.diag(inertia).astype(float), numpy.zeros(2)
    for i in range(2):
        r = [length[0], com[1]] if i else [com[0], 0]
        jacobian = numpy.array([[r[k] * numpy.cos(phi[k]), r[k] * numpy.sin(phi[k])] for k in range(2)]).T
        bias = sum(r[k] * omega[k]**2 * numpy.array([-numpy.sin(phi[k]), numpy.cos(phi[k])]) for k in range(2))
        m += mass[i] * jacobian.T @ jacobian
        f += jacobian.T @ (mass[i] * (numpy.array([0, -9.81]) - bias))
    return m, f


def reach(t, a, b, duration):
    s = min(t / duration, 1.0)
    return (a + (b - a) * s**3 * (10 - 15 * s + 6 * s * s), (b - a) * 30 * (s * (1 - s))**2 / duration,
            (b - a) * s * (1 - s) * (60 - 120 * s) / duration**2)


# By the numbers that move: torques at the joints without limits, the limits, and the rate of a PID's state.
INFINITY = numpy.inf


def torque(t, phi, omega, z, high, amplitude):
    return [0, amplitude * numpy.sin(4 * numpy.pi * t)], [-INFINITY, -0.5], [INFINITY, high], 1


def pid(t, phi, omega, z, high, kp):
    error = 1.2 - phi[1]
    return [0, kp * error + 40 * z - 2 * omega[1]], [-INFINITY, -1], [INFINITY, high], error


def impedance(t, phi, omega, z, high, coupling):
    upper = reach(t, 0, 1, 0.8)
    apart = numpy.array([upper[0] - phi[0], 0.5 - upper[0] - (phi[1] - phi[0])])
    rate = numpy.array([upper[1] - omega[0], -upper[1] - (omega[1] - omega[0])])
    tau = numpy.array([[20, coupling], [5, 15]]) @ apart + numpy.array([[1, 0.2], [0.2, 1]]) @ rate
    return tau, [-6, -2], [high, 2], 1


def computed(t, phi, omega, z, high, kp):
    target = numpy.array([reach(t, 0.4, 1.5, 0.7), (0.2, 0, 0)]).T
    wanted = target[2] + 9 * (target[1] - omega) + kp * (target[0] - phi)
    m, f = model(phi, omega)
    generalised = 0.9 * (m @ wanted - f)
    return [generalised.sum(), generalised[1]], [-9, -INFINITY], [high, INFINITY], 1


def reference(law, *numbers):
    """From kink to kink: within a piece each torque is free, at its low or at its high end all the time."""
    def law_at(t, x):
        return law(t, x[:2], x[2:4], x[4], *numbers)

    def rate(t, x, modes, way):
        tau, low, high, error = law_at(t, x)
        first, second = (b if mode > 0 else a if mode < 0 else u for u, a, b, mode in zip(tau, low, high, modes))
        m, f = model(x[:2], x[2:4])
        z = 0 if modes[1] * way > 0 else error
        return [*x[2:4], *numpy.linalg.solve(m, f + [first - second, second]), z]

    def beyond(joint, end):
        def distance(t, x, *rest):
            found = law_at(t, x)
            bound = found[2 if end > 0 else 1][joint]
            return found[0][joint] - bound if numpy.isfinite(bound) else 1.0

        return distance

    def error_of(t, x, *rest):
        return law_at(t, x)[3]

    def event(of, direction):
        of.terminal, of.direction = True, direction
        return of

    t, x = 0.0, [0.4, -0.7, 1, 0, 0]
    tau, low, high, error = law_at(t, x)
    modes, way = [(u > b) * 1 - (u < a) * 1 for u, a, b in zip(tau, low, high)], numpy.sign(error)
    while t < 1:
        ends = [(j, e) for j in range(2) for e in (-1, 1) if modes[j] in (0, e)]
        events = [event(beyond(j, e), e if modes[j] == 0 else -e) for j, e in ends] + [event(error_of, -way)]
        stop = min(end for end in (0.7, 0.8, 1.0) if end > t)
        piece = solve_ivp(rate, (t, stop), x, "DOP853", rtol=1e-12, atol=1e-13, args=(modes, way), events=events)
        t, x = piece.t[-1], piece.y[:, -1]
        for (joint, end), times in zip(ends, piece.t_events):
            if len(times):
                modes[joint] = end if modes[joint] == 0 else 0
        way = -way if len(piece.t_events[-1]) else way
    return x[:4]


cases = {"torque": (torque, "push.limit.high", (1.5, 0.25), "push.value.amplitude", (3, 2), [(0, 0), (-0.5, None)], 5e-9),
         "pid": (pid, "hold.limit.high", (4, 2), "hold.kp", (30, 15), [(0, 0), (-1, None)], 5e-9),
         "impedance": (impedance, "brace.limit.upper.high", (5, 3), "brace.stiffness.upper.lower", (5, -2), [(-6, None), (-2, 2)], 5e-9),
         "computed": (computed, "drive.limit.upper.high", (12, 7), "drive.kp", (80, 30), [(-9, None), (-1e9, 1e9)], 5e-9)}
for name, (law, first, firsts, second, seconds, bounds, most) in cases.items():
    result = read(f"{name}.h5")
    right = numpy.array([[reference(law, a, b) for b in seconds] for a in firsts])
    error = abs(end(result) - right).max()
    print(name, f"{error:.1e}", "power", f"{abs(result['power_balance_error']).max():.1e}")
    assert error < most, name
    assert end(read(f"{name}-again.h5")).tobytes() == end(result).tobytes()
    # torques stay within the limits, and are there, to the last digit
    tau = result["joint_torque"].reshape(2, 2, 2, -1)
    for joint, (low, high) in enumerate(bounds):
        for k in range(2):
            top = firsts[k] if high is None else high
            assert low <= tau[k, :, joint].min() and tau[k, :, joint].max() <= top, (name, joint)
    assert (tau == numpy.array(firsts)[:, None, None, None]).any((1, 2, 3)).all(), name
    # the peak is that of all times, those of the samples among them
    peak, most = result["peak_torque"].reshape(2, 2, 2), abs(tau).max(-1)
    print(name, "peak", (peak - most).max())
    assert (peak - most).min() > -1e-12 and (peak - most).max() < 1e-2, name
    ends = numpy.array([[[max(-low, firsts[k] if high is None else high) for low, high in bounds]] * 2 for k in range(2)])
    assert (peak - ends).max() < 1e-9, name
    found = read(f"{name}-derived.h5")["sensitivity"]
    for p, (path, value) in enumerate(((first, firsts[0]), (second, seconds[0]))):
        d = 1e-4 * value
        own = ["sweep=[]"] + ["forces.hold.ki=0"] * (name == "pid")
        near = [end(run(f"{name}.yaml", *own, f"forces.{path}={value + s * d!r}")) for s in (1, -1)]
        slope = (near[0] - near[1]) / (2 * d)
        error = abs(found[:, p] - slope).max() / abs(slope).max()
        print(name, path, f"{error:.1e}")
        assert error < 3e-4, (name, path, found[:, p], slope)

names = ["peak_torque", "rms_torque", "positive_work", "negative_work"]


def effort(result):
    return numpy.concatenate([result[name] for name in names])


with h5py.File("effort-general.h5") as result:
    found, plain = result["study/summary/sensitivity"][...], [result[f"study/summary/{name}"][...] for name in names]
    outputs = [name.decode() for name in result["study/summary/output"][...]]
assert outputs[4:] == [f"{name}.{joint}" for name in names for joint in ("upper", "lower")] + ["power_balance_error"], outputs
assert (effort(run("effort.yaml")) == numpy.concatenate(plain)).all()
for p, (path, value) in enumerate((("forces.hold.kp", 30), ("forces.hold.ki", 40), ("forces.brace.limit.upper.high", 1.5),
                                   ("system.segments.upper.mass", 1.3), ("initial.angle.lower", -0.7))):
    d = 1e-5 * abs(value)
    near = [effort(run("effort.yaml", f"{path}={value + s * d!r}")) for s in (1, -1)]
    slope = (near[0] - near[1]) / (2 * d)
    error = abs(found[4:12, p] - slope).max() / abs(slope).max()
    print("effort", path, f"{error:.1e}")
    assert error < 1e-6, (path, found[4:12, p], slope)
    assert abs(found[12, p]) < 1e-3 * abs(slope).max(), (path, found[12, p])

# Always beyond: a constant. One number is both ends; a wide limit changes nothing.
rod = ("system={type: chain, gravity: 0, segments: [{name: rod, length: 1, mass: 3}]}", "initial={}", "sweep=[]", "save={}",
       "integrator=rk4", "time={step: 0.125, end: 1}")
for limit, torque in (("2", 2), ("[-3, 0.5]", 0.5), ("[-1, 20]", 10)):
    found = run("arm.yaml", *rod, f"forces=[{{type: torque, joint: rod, value: 10, limit: {limit}}}]")
    assert found["end_rate"][0] == torque and abs(found["end_angle"][0] - torque / 2) < 1e-15, limit
wide = [run("pid.yaml", "sweep=[]", f"forces.hold.limit={limit}") for limit in ("1e9", "[-1e9, 1e9]")]
assert end(wide[0]).tobytes() == end(wide[1]).tobytes()
for name, key in (("impedance", "brace"), ("computed", "drive")):
    free = read(f"{name}.h5")
    wide = [run(f"{name}.yaml", "sweep=[]", f"forces.{key}.limit={limit}") for limit in ("1e9", "{upper: [-1e9, 1e9]}")]
    assert abs(end(wide[0]) - end(wide[1])).max() < 1e-12, name

# A perturbation moves as any torque, and is no actuator's: its power is that of forces without a potential.
push = "{type: torque, joint: lower, value: {type: pulse, amplitude: 3, onset: 0.2, duration: 0.3}"
found = [run("arm.yaml", f"forces=[{push}{more}]") for more in ("}", ", perturbation: true}")]
assert end(found[0]).tobytes() == end(found[1]).tobytes()
assert found[0]["peak_torque"][1] == 3 and found[1]["peak_torque"][1] == 0
assert abs(found[0]["power"] - found[1]["power"]).max() < 1e-12 and abs(found[1]["power"]).max() > 0.1
found = [run("arm.yaml", f"forces=[{{type: torque, joint: lower, value: 2{more}}}]") for more in ("", ", perturbation: true")]
assert abs(end(found[0]) - end(found[1])).max() < 1e-12
assert found[0]["peak_torque"][1] == 2 and found[1]["peak_torque"][1] == 0
END

# `inverse` counts a perturbation beside the joints' own torques, and refuses one that depends on the past of a run.
cat >push.yaml <<'END'
manylink: 1
system: {type: chain, segments: [{name: a, length: 1, mass: 1}, {name: b, length: 0.8, mass: 0.7}]}
initial: {angle: {a: 0.5, b: -0.3}, rate: {a: 1}}
time: {step: 1e-3, end: 0.5}
forces: [{name: q, type: impedance, stiffness: [5, 3], damping: [0.4, 0.3], equilibrium: 0.1, perturbation: true}]
save: {trajectory: {every: 1, quantities: [angle, rate, acceleration]}}
END
expect 0 "$MANYLINK" run push.yaml -o push.h5
expect 0 "$MANYLINK" inverse push.yaml --motion push.h5 -o back.h5
"$PYTHON" - <<'END' || fail "torques that are left beside a perturbation"
import h5py
with h5py.File("back.h5") as result:
    torque, passive = (abs(result[f"study/inverse/{name}"][...]).max() for name in ("torque", "torque_passive"))
print("left", torque, "of", passive)
assert torque < 1e-13 and passive > 1, (torque, passive)
END
expect 2 "$MANYLINK" inverse push.yaml --set forces.q.delay=0.1 --motion push.h5 -o late.h5
says err "force \`q\` depends on the past of a run"
expect 2 "$MANYLINK" inverse push.yaml --set 'forces=[{name: servo, type: pid, joint: a, target: 0, kp: 3, perturbation: true}]' --motion push.h5 -o pid.h5
says err "force \`servo\` depends on the past of a run"
