# label: values
# Where signals jump, steps end, whichever the step of the study: methods keep their order against closed forms
# and SciPy's DOP853 from jump to jump, kernels and neighbours change no bit, and events are found beside jumps.
. "$SOURCE/tests/check.sh"

cat >pulse.yaml <<'END'
manylink: 1
system: {type: chain, gravity: 0, segments: [{name: rod, length: 1, mass: 3}]}      # 1 kg m^2
forces: [{name: push, type: torque, joint: rod, value: {type: pulse, amplitude: 1, onset: 0.25, duration: 0.25}}]
time: {step: 1e-2, end: 1}
sweep: [{set: forces.push.value.onset, values: [0.25, 0.1, 0.3, 0.123456, 0.7071, 0.005, -0.1, 0.9]}]
END

printf '%s\n' time,angle 0,0 0.213,0.4 0.5,1 0.77,0.7 1,1.2 >target.csv
cat >follow.yaml <<'END'
manylink: 1
system: {type: chain, gravity: 0, segments: [{name: rod, length: 1, mass: 3}]}
forces: [{name: c, type: computed_torque, kp: 0, kd: 0, target: {type: table, file: target.csv}}]
time: {step: 1e-2, end: 1}
END

cat >all.yaml <<'END'
manylink: 1
system: {type: chain, segments: [{name: rod, length: 1, mass: 3}]}
forces:
  - {name: push, type: torque, joint: rod, value: {type: pulse, amplitude: 9, onset: 0.2, duration: 0.31}}
  - {name: hold, type: pid, joint: rod, kp: 20, kd: 1, target: {type: table, file: target.csv}}
  - {name: lift, type: torque, joint: rod, value: {type: ramp, from: 0, to: 4, onset: 0.43, duration: 0.1}}
  - {name: move, type: computed_torque, kp: 5, kd: 2, mass_factor: 0.3, target: {type: minimum_jerk, from: 0, to: 1, onset: 0.37, duration: 0.4}}
initial: {angle: 0.3}
time: {step: 1e-2, end: 1}
sweep: [{set: forces.push.value.onset, values: [0.2, 0.301, 0.1499, 0.5, 0.11]}]
END
sed 's/time: .*/time: {end: 1, tick: 0.25}\nintegrator: {type: tp86, tolerance: 1e-11}/' all.yaml >free.yaml
sed 's/time: .*/time: {end: 1, tick: 0.25}\nintegrator: {type: rodas4, tolerance: 1e-9}/' all.yaml >implicit.yaml
for name in all free; do
    sed '/^sweep/a events: [{name: up, when: angle.rod, crosses: 0.9, max: 4}, {name: turn, of: angle.rod, kind: either, max: 9}]' \
        $name.yaml >$name-events.yaml
    sed '/^sweep/a analyse: {sensitivity: {of: end_state, to: [forces.push.value.amplitude, forces.lift.value.onset, forces.move.target.rod.duration]}}' \
        $name.yaml >$name-derived.yaml
done

for name in all free implicit all-events free-events all-derived free-derived; do
    expect 0 "$MANYLINK" run $name.yaml --kernel general --no-accuracy
    expect 0 "$MANYLINK" verify $name.h5
    expect 0 "$MANYLINK" run $name.yaml --run 3 --no-accuracy -o $name-alone.h5
done
for name in all free all-derived; do
    expect 0 "$MANYLINK" run $name.yaml --kernel made --no-accuracy -o made.h5
    same $name.h5 made.h5
    rm made.h5
done

"$PYTHON" - "$MANYLINK" <<'END' || exit $?
import subprocess
import sys

try:
    import h5py
    import numpy
    from scipy.integrate import solve_ivp
    from scipy.interpolate import PchipInterpolator
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)


def run(study, *sets):
    words = [word for text in sets for word in ("--set", text)]
    subprocess.run([sys.argv[1], "run", study, "-o", "run.h5", "--no-accuracy", "--restart"] + words, check=True,
                   capture_output=True)
    with h5py.File("run.h5") as result:
        return {name: values[...] for name, values in result["study/summary"].items() if isinstance(values, h5py.Dataset)}


for name in ("all", "free", "implicit", "all-events", "free-events", "all-derived", "free-derived"):
    with h5py.File(f"{name}-alone.h5") as alone, h5py.File(f"{name}.h5") as whole:
        for output in ("end_angle", "end_rate"):
            assert alone["study/summary"][output][...].tobytes() == whole["study/summary"][output][3].tobytes(), name

# A pulse: every method of order 2 and more is exact up to rounding.
onset = numpy.array([0.25, 0.1, 0.3, 0.123456, 0.7071, 0.005, -0.1, 0.9])
lasts = numpy.clip(onset + 0.25, 0, 1) - numpy.clip(onset, 0, 1)
exact = lasts**2 / 2 + lasts * (1 - numpy.clip(onset + 0.25, 0, 1))
methods = [("midpoint", 0.01), ("heun", 0.01), ("rk4", 0.01), ("rk4", 0.125), ("dopri54", 0.05), ("gauss4", 0.02),
           ("tp86", 0.25)]
for method, step in methods:
    error = abs(run("pulse.yaml", f"integrator.type={method}", f"time={{step: {step}, end: 1}}")["end_angle"][:, 0] - exact)
    print(f"pulse, {method} {step:.3g}: {error.max():.1e}")
    assert error.max() < 1e-14, (method, step, error)
for method, tolerance in (("dopri54", 1e-3), ("tp86", 1e-6), ("rodas4", 1e-6), ("bs32", 1e-9)):
    error = abs(run("pulse.yaml", f"integrator={{type: {method}, tolerance: {tolerance}}}", "time={end: 1}")["end_angle"][:, 0]
                - exact)
    print(f"pulse, {method} by {tolerance}: {error.max():.1e}")
    assert error.max() < 1e-14, (method, tolerance, error)

# An acceleration that is linear from sample to sample.
time, angle = numpy.loadtxt("target.csv", delimiter=",", skiprows=1).T
target = PchipInterpolator(time, angle)
change = target(1.0, 1) - target(0.0, 1)
for step in (0.1, 0.05, 0.02, 0.01):
    error = abs(run("follow.yaml", f"time.step={step}")["end_rate"][0] - change)
    print(f"table, {step}: {error:.1e}")
    assert error < 1e-14, (step, error)


# All at once: theta'' of a rod of 1 kg m^2.
def signal(t, middle, begin, duration):
    return (t - begin) / duration if begin < middle < begin + duration else float(middle > begin)


def reference(onset):
    def rate(t, x, middle, knot):
        s = signal(t, middle, 0.37, 0.4)
        moves = 0.37 < middle < 0.77
        wanted = s**3 * (10 - 15 * s + 6 * s * s)
        speed = moves * 30 * (s * (1 - s))**2 / 0.4
        bend = moves * s * (1 - s) * (60 - 120 * s) / 0.16
        follow = 0.3 * (bend + 2 * (speed - x[1]) + 5 * (wanted - x[0]) + 14.715 * numpy.sin(x[0]))
        hold = 20 * (numpy.polyval(target.c[:, knot], t - time[knot]) - x[0]) - x[1]
        lift, push = 4 * signal(t, middle, 0.43, 0.1), 9 * (onset < middle < onset + 0.31)
        return [x[1], -14.715 * numpy.sin(x[0]) + push + hold + lift + follow]

    jumps = sorted({0.0, 1.0, *time, onset, onset + 0.31, 0.43, 0.53, 0.37, 0.77})
    x, found = [0.3, 0.0], []
    for begin, end in zip(jumps, jumps[1:]):
        middle = (begin + end) / 2
        knot = numpy.searchsorted(time, middle) - 1
        events = [lambda t, x, *rest: x[0] - 0.9, lambda t, x, *rest: x[1]]
        piece = solve_ivp(rate, (begin, end), x, "DOP853", rtol=1e-13, atol=1e-14, args=(middle, knot), events=events)
        found.append(piece.t_events)
        x = piece.y[:, -1]
    return x, [numpy.concatenate(times) for times in zip(*found)]


right = [reference(onset) for onset in (0.2, 0.301, 0.1499, 0.5, 0.11)]
states = numpy.array([state for state, _ in right])


def error(result):
    found = numpy.stack([result["end_angle"][:, 0], result["end_rate"][:, 0]], -1)
    return abs(found - states).max()


for method, order, steps in (("rk4", 4, (0.02, 0.01, 0.005)), ("heun", 2, (0.01, 0.005, 0.0025)),
                             ("dopri54", 5, (0.05, 0.025, 0.0125)), ("gauss4", 4, (0.05, 0.025, 0.0125))):
    errors = [error(run("all.yaml", f"integrator.type={method}", f"time.step={step}")) for step in steps]
    orders = [numpy.log2(a / b) for a, b in zip(errors, errors[1:])]
    print(method, [f"{e:.1e}" for e in errors], [f"{o:.2f}" for o in orders])
    assert min(orders) > order - 0.35, (method, orders)
for study, most in (("free", 1e-10), ("implicit", 1e-7), ("free-events", 1e-10), ("all-events", 1e-6)):
    print(study, f"{error(run(f'{study}.yaml')):.1e}")
    assert error(run(f"{study}.yaml")) < most, study

# Events beside jumps, and one number of them.
for study, most in (("free-events", 1e-9), ("all-events", 1e-6)):
    result = run(f"{study}.yaml")
    for i, (_, (up, turn)) in enumerate(right):
        for name, times in (("up", up), ("turn", turn[turn > 1e-9])):
            found = result[f"{name}_times"][i]
            found = found[numpy.isfinite(found)]
            assert len(found) == len(times) == result[f"{name}_count"][i], (study, i, name, found, times)
            assert abs(found - times).max(initial=0) < most, (study, i, name, found - times)

# Derivatives, by differences of whole runs.
for study in ("free-derived", "all-derived"):
    result = run(f"{study}.yaml", "sweep=[]")["sensitivity"]
    for p, (path, value) in enumerate((("push.value.amplitude", 9), ("lift.value.onset", 0.43), ("move.target.duration", 0.4))):
        ends = [run("free.yaml", "sweep=[]", f"forces.{path}={value + d}") for d in (1e-4, -1e-4)]
        slope = numpy.array([(ends[0][name][0] - ends[1][name][0]) / 2e-4 for name in ("end_angle", "end_rate")])
        print(study, path, result[:, p] - slope)
        assert abs(result[:, p] - slope).max() < 2e-6, (study, path, result[:, p], slope)
END
