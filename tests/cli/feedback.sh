# label: values
# Controllers that see the past: against the method of steps, the characteristic equation, exact maps of sampled
# controllers and SciPy's DOP853 from delay to delay; noise by its statistics; the same bits from kernels and shards.
. "$SOURCE/tests/check.sh"
need_python

cat >steps.yaml <<'END'
manylink: 1
system: {type: chain, gravity: 0, segments: [{name: rod, length: 1, mass: 3}]}      # 1 kg m^2
forces: [{name: hold, type: pid, joint: rod, target: 0, kp: 40, kd: 0.5, delay: 0.23}]
initial: {angle: 1, rate: 0.7}
time: {step: 1e-2, end: 3}
sweep: [{set: forces.hold.delay, values: [0.23, 0.1234567, 0.0707, 0.25, 0.0300001, 0.004, 2.5, 0]}]
END

cat >arm.yaml <<'END'
manylink: 1
system: {type: chain, angles: joint, segments: [{name: arm, length: 0.3, mass: 2}, {name: hand, length: 0.25, mass: 1.5}]}
forces:
  - {name: muscles, type: impedance, equilibrium: [{type: ramp, from: 0, to: 0.6, onset: 0.3, duration: 0.4}, 0.5],
     stiffness: [[4, 0.5], [0.5, 1]], damping: [[0.5, 0.05], [0.05, 0.15]], delay: 0.0613}
  - {name: wrist, type: pid, joint: hand, target: 0.2, kp: 0.5, ki: 0.3, kd: 0.02, delay: 0.11}
  - {name: model, type: computed_torque, kp: 9, kd: 3, mass_factor: 0.4, target: 0.3, delay: 0.0613}
  - {name: push, type: torque, joint: arm, value: {type: pulse, amplitude: 2, onset: 0.41, duration: 0.2}}
initial: {angle: [0.2, 0.1], rate: [0.5, -0.3]}
time: {step: 2e-3, end: 1}
sweep: [{set: forces.muscles.delay, values: [0.0613, 0.04, 0.02]}]
END
sed -e 's/, delay: 0.0613}/, sample_time: 0.0113, delay: 0.004, angle_noise: 0.001, rate_noise: 0.01}/; s/values: .*/values: [0.004, 0.002, 0]}]/' arm.yaml >sampled.yaml
sed -e 's/, delay: 0[.0-9]*//' -e 's/^sweep.*/sweep: [{set: forces.muscles.sample_time, values: [0.0113, 0.01]}]/' \
    -e 's/kd: 0.02/kd: 0.02, sample_time: 0.05, seed: 7, angle_noise: 0.01/' \
    -e 's/^time: .*/time: {end: 1, tick: 0.25}\nintegrator: {type: tp86, tolerance: 1e-11}/' sampled.yaml >free.yaml
sed 's/^time: .*/time: {end: 1, tick: 0.25}\nintegrator: {type: tp86, tolerance: 1e-11}/' arm.yaml >late.yaml
sed 's/^time: .*/time: {end: 1, tick: 0.25}\nintegrator: {type: rodas4, tolerance: 1e-7}/' sampled.yaml >stiff.yaml
for name in arm sampled free late stiff; do
    sed '/^sweep/a events: [{name: up, when: angle.arm, crosses: 0.3}, {name: turn, of: angle.hand, kind: either, max: 9, keep: [joint_torque.hand]}]' \
        $name.yaml >$name-events.yaml
done
sed -e '/^forces/a \ \ - {name: stop, type: joint_limit, joint: hand, upper: 0.35, stiffness: 200, damping: 0.1}' \
    -e '/^sweep/a events: [{name: hit, when: angle.hand, crosses: 0.35, align: true}]' arm.yaml >arm-cut.yaml

for name in arm sampled free late stiff arm-events sampled-events free-events late-events stiff-events arm-cut; do
    expect 0 "$MANYLINK" run $name.yaml --kernel general --no-accuracy
    expect 0 "$MANYLINK" verify $name.h5
    expect 0 "$MANYLINK" run $name.yaml --run 1 --no-accuracy -o $name-alone.h5
    expect 0 "$MANYLINK" run $name.yaml --kernel made --no-accuracy -o made.h5
    same $name.h5 made.h5
    rm made.h5
done

# more steps in the longest delay than are kept, for as many as the shortest makes
sed 's/values: .*/values: [0.00005, 0.0613]}]/' late.yaml >lost.yaml
expect 3 "$MANYLINK" run lost.yaml --no-accuracy --kernel general
says out "1 too_many_steps"

expect 2 "$MANYLINK" compare arm.yaml
says err "a controller has a delay"

cat >noise.yaml <<'END'
manylink: 1
system: {type: chain, gravity: 0, segments: [{name: rod, length: 1, mass: 3e8}]}
forces: [{name: hold, type: pid, joint: rod, target: 0, kp: 1, kd: 1, sample_time: 0.01, angle_noise: 0.2, rate_noise: 0}]
time: {step: 5e-3, end: 20}
sample: {method: random, count: 40, seed: 3, over: [{set: forces.hold.kp, from: 1, to: 1.0000001}]}
save: {trajectory: {quantities: [joint_torque], every: 2, runs: all}}
END
expect 0 "$MANYLINK" run noise.yaml --no-accuracy --threads 2
for index in 0 1; do
    expect 0 "$MANYLINK" run noise.yaml --no-accuracy --threads 1 --shard $index/2 -o shard$index.h5
done
expect 0 "$MANYLINK" merge -o merged.h5 shard1.h5 shard0.h5
same noise.h5 merged.h5
expect 0 "$MANYLINK" verify merged.h5

"$PYTHON" - "$MANYLINK" <<'END'
import subprocess
import sys

import h5py
import numpy
from numpy.polynomial import Polynomial
from scipy.integrate import solve_ivp


def run(study, *sets):
    words = [word for text in sets for word in ("--set", text)]
    subprocess.run([sys.argv[1], "run", study, "-o", "run.h5", "--no-accuracy", "--restart"] + words, check=True,
                   capture_output=True)
    with h5py.File("run.h5") as result:
        return {name: values[...] for name, values in result["study/summary"].items() if isinstance(values, h5py.Dataset)}


def end(*words):
    out = run(*words)
    return numpy.stack([out["end_angle"].reshape(-1, out["end_angle"].shape[-1]),
                        out["end_rate"].reshape(-1, out["end_rate"].shape[-1])], axis=1)


for name in ("arm", "sampled", "free", "late", "stiff", "arm-events", "sampled-events", "free-events", "late-events", "stiff-events", "arm-cut"):
    with h5py.File(f"{name}-alone.h5") as alone, h5py.File(f"{name}.h5") as whole:
        for output in ("end_angle", "end_rate"):
            assert alone["study/summary"][output][...].tobytes() == whole["study/summary"][output][1].tobytes(), name


# The method of steps: q'' = -kp q(t - tau) - kd q'(t - tau) with q = q0, q' = r0 before 0 has polynomials from delay to
# delay.
def by_steps(kp, kd, tau, q0, r0, t):
    q, r, a, b = Polynomial([q0]), Polynomial([r0]), q0, r0
    n = int(numpy.floor(t / tau * (1 + 1e-14)))
    for _ in range(n + 1):
        rate = (-kp * q - kd * r).integ() + b
        q, r = rate.integ() + a, rate
        a, b = q(tau), r(tau)
    return numpy.array([q(t - n * tau), r(t - n * tau)])


delays = (0.23, 0.1234567, 0.0707, 0.25, 0.0300001, 0.004, 2.5)
exact = numpy.array([by_steps(40, 0.5, tau, 1, 0.7, 3) if tau > 0.01 else [0, 0] for tau in delays])
for method, order, most in (("rk4", 4, 3e-6), ("dopri54", 5, 4e-10), ("tp86", 6, 1e-12), ("dop853", 8, 1e-12), ("gauss4", 4, 3e-6)):
    error = []
    for step in (0.02, 0.01):
        sets = ["sweep.0.values=[0.23,0.1234567,0.0707,0.25,0.0300001,0.03,2.5,0.03]"] if method == "gauss4" else []
        own = end("steps.yaml", f"integrator.type={method}", f"time.step={step}", *sets)[:7, :, 0]
        error.append(numpy.abs(own - exact) / numpy.abs(exact).max(axis=1, keepdims=True).clip(1e-300))
    error = numpy.array(error)[:, [0, 1, 2, 3, 4, 6]].max(axis=(1, 2))
    print(method, error)
    assert error[1] < most, (method, error)
    if order < 6:
        assert numpy.log2(error[0] / error[1]) > order - 0.4, (method, error)

# Of steps that lanes choose the error follows the tolerance.
text = open("steps.yaml").read().replace("time: {step: 1e-2, end: 3}", "time: {end: 3, tick: 1}\nintegrator: {type: %s, tolerance: %s}")
for method, most in (("bs32", (1e-6, 1e-8, None)), ("dopri54", (3e-7, 3e-9, 3e-11)), ("tp86", (1e-9, 1e-11, 3e-12)),
                     ("dop853", (1e-8, 3e-10, 3e-12)), ("verner98", (1e-8, 1e-10, 3e-12)), ("rodas4", (1e-7, 6e-9, None))):
    for tolerance, limit in zip(("1e-7", "1e-9", "1e-11"), most):
        if limit:
            with open("chosen.yaml", "w") as study:
                study.write(text % (method, tolerance))
            own = end("chosen.yaml")[:7, :, 0]
            error = numpy.abs(own - exact) / numpy.abs(exact).max(axis=1, keepdims=True).clip(1e-300)
            error = error[[0, 1, 2, 3, 4, 6]].max()
            print(method, tolerance, error)
            assert error < limit, (method, tolerance, error)
# Late times are rounded more than angles: differences over short steps must not be of that.
with open("chosen.yaml", "w") as study:
    study.write((text % ("dopri54", "1e-11")).replace("end: 3", "start: 1000, end: 1003"))
error = numpy.abs(end("chosen.yaml")[[0, 1, 2, 3], :, 0] - exact[:4]).max() / numpy.abs(exact[:4]).max()
print("late", error)
assert error < 1e-10, error
chosen = end("chosen.yaml", "sweep.0.values=[0,0.1]")[0]
present = end("chosen.yaml", "sweep.0.values=[0]", "forces.hold.delay=0")[0]
assert numpy.abs(chosen - present).max() < 1e-10, chosen - present

# a delay of 0 does not delay; a delay shorter than a step cuts the step
assert (end("steps.yaml")[7] == end("steps.yaml", "sweep.0.values=[0]", "forces.hold.delay=0")[0]).all()
short = by_steps(4, 0.5, 0.004, 1, 0.7, 0.5)
own = end("steps.yaml", "sweep.0.values=[0.004,0.1]", "forces.hold.kp=4", "time.end=0.5")[0, :, 0]
assert numpy.abs(own - short).max() < 1e-10, own - short

# The characteristic equation s^2 + (kd s + kp) exp(-s tau) = 0 has the roots +-i w on the imaginary axis for
# w^4 = kp^2 + kd^2 w^2, tau w = atan(kd w / kp).
kp, kd = 9.0, 2.0
w = numpy.sqrt(kd**2 / 2 + numpy.sqrt(kd**4 / 4 + kp**2))
critical = numpy.arctan(kd * w / kp) / w
for share in (0.9, 1.0, 1.01):
    tau, s = share * critical, 1j * w
    for _ in range(50):
        f = s * s + (kd * s + kp) * numpy.exp(-s * tau)
        s -= f / (2 * s + (kd - tau * (kd * s + kp)) * numpy.exp(-s * tau))
    size = []
    for stop in (20, 20 + 8 * numpy.pi / s.imag):
        angle, rate = end("steps.yaml", f"sweep.0.values=[{float(tau)!r},1]", f"forces.hold.kp={kp}", f"forces.hold.kd={kd}",
                          f"time.end={float(stop)!r}", "time.step=" + repr(float(stop / round(stop / 1e-2))))[0, :, 0]
        size.append(angle)
    growth = numpy.log(size[1] / size[0]) / (8 * numpy.pi / s.imag)
    print("growth", share, growth, s.real)
    assert abs(growth - s.real) < 2e-7, (share, growth, s.real)


# A sampled controller of q'' = u, which is held: an exact map from sample to sample.
def by_samples(target, limit=numpy.inf, late=0, interval=0.05, t=2.0):
    q, r, z, seen = 1.0, 0.4, 0.0, []
    for k in range(round(t / interval)):
        seen.append((q, r))
        q_seen, r_seen = seen[max(k - late, 0)]
        e = target(k * interval) - q_seen
        u = 4 * e - 0.5 * r_seen + 1.5 * z
        held = abs(u) > limit and u * e > 0
        u = min(max(u, -limit), limit)
        q, r, z = q + r * interval + u * interval**2 / 2, r + u * interval, z + (0 if held else e * interval)
    return numpy.array([q, r])


text = """manylink: 1
system: {type: chain, gravity: 0, segments: [{name: rod, length: 1, mass: 3}]}
forces: [{name: hold, type: pid, joint: rod, target: %s, kp: 4, ki: 1.5, kd: 0.5, sample_time: 0.05%s}]
initial: {angle: 1, rate: 0.4}
%s
"""
sine = "{type: sine, amplitude: 0.2, frequency: 0.7}", lambda t: 0.2 * numpy.sin(2 * numpy.pi * 0.7 * t)
pulse = "{type: pulse, amplitude: 0.4, onset: 0.5, duration: 0.52}", lambda t: 0.4 * (0.5 - 1e-9 < t < 1.02)
for clock in ("time: {steps: 65, end: 2}", "time: {steps: 65, end: 2}\nintegrator: {type: gauss4}",
              "time: {end: 2, tick: 0.5}\nintegrator: {type: tp86, tolerance: 1e-12}",
              "time: {end: 2, tick: 0.01}\nintegrator: {type: rodas4, tolerance: 1e-9}"):
    for target, course in ("0.3", lambda t: 0.3), sine, pulse:
        for extra, known in (("", {}), (", limit: 0.8", {"limit": 0.8}), (", delay: 0.15", {"late": 3})):
            with open("one.yaml", "w") as study:
                study.write(text % (target, extra, clock))
            error = numpy.abs(end("one.yaml")[0, :, 0] - by_samples(course, **known)).max()
            assert error < 3e-14, (clock, target, extra, error)


# Two segments with three controllers that look back, by DOP853 from break to break.
def arm(delay):
    m1, l1, d1, m2, d2 = 2, 0.3, 0.15, 1.5, 0.125
    j1, j2, g = 2 * 0.3**2 / 12, 1.5 * 0.25**2 / 12, 9.81

    def terms(a, w):
        c, s = numpy.cos(a[0] - a[1]), numpy.sin(a[0] - a[1])
        mass = numpy.array([[j1 + m1 * d1**2 + m2 * l1**2, m2 * l1 * d2 * c], [m2 * l1 * d2 * c, j2 + m2 * d2**2]])
        spin = m2 * l1 * d2 * s * numpy.array([-w[1] ** 2, w[0] ** 2])
        weight = -g * numpy.array([(m1 * d1 + m2 * l1) * numpy.sin(a[0]), m2 * d2 * numpy.sin(a[1])])
        return mass, spin, weight

    def joint(torque):
        return numpy.array([torque[0] - torque[1], torque[1]])

    def rates(t, y, past, middle):
        late, later = past(t - delay), past(t - 0.11)
        ramp = min(max((t - 0.3) / 0.4, 0), 1) * 0.6
        speed = 1.5 if 0.3 < middle < 0.7 else 0
        alpha, alpha_rate = numpy.array([late[0], late[1] - late[0]]), numpy.array([late[2], late[3] - late[2]])
        pull = numpy.array([[4, 0.5], [0.5, 1]]) @ ([ramp, 0.5] - alpha) + numpy.array([[0.5, 0.05], [0.05, 0.15]]) @ ([speed, 0] - alpha_rate)
        pull[0] += 2 * (0.41 < middle < 0.61)
        error = 0.2 - (later[1] - later[0])
        pull[1] += 0.5 * error - 0.02 * (later[3] - later[2]) + 0.3 * y[4]
        model = past(t - 0.0613)
        wanted = numpy.cumsum(9 * (0.3 - numpy.array([model[0], model[1] - model[0]])) - 3 * numpy.array([model[2], model[3] - model[2]]))
        mass, spin, weight = terms(model[:2], model[2:4])
        force = joint(pull) + 0.4 * (mass @ wanted - spin - weight)
        mass, spin, weight = terms(y[:2], y[2:4])
        return [*y[2:4], *numpy.linalg.solve(mass, spin + weight + force), error]

    start = numpy.array([0.2, 0.3, 0.5, 0.2, 0])
    pieces, now, y = [], 0.0, start

    def past(t):
        for begin, piece in reversed(pieces):
            if t > begin:
                return piece(t)
        return start

    own = {0, 0.3, 0.7, 0.41, 0.61}
    for _ in range(4):
        own = {b + tau for b in own for tau in (0, delay, 0.11, 0.0613) if b + tau < 1}
    stops = sorted(own | {1.0})
    for stop in stops[1:]:
        if stop - now < 1e-12:
            continue
        while now < stop:
            then = min(stop, now + 0.9 * min(delay, 0.0613))
            found = solve_ivp(rates, (now, then), y, "DOP853", args=(past, 0.5 * (now + then)), rtol=1e-12, atol=1e-13, dense_output=True)
            pieces.append((now, found.sol))
            now, y = then, found.y[:, -1]
    return numpy.array([[y[0], y[1] - y[0]], [y[2], y[3] - y[2]]])


exact = arm(0.04)
error = [numpy.abs(end("arm.yaml", f"time.step={step}", f"integrator.type={method}")[1] - exact).max()
         for method, step in (("rk4", 2e-3), ("rk4", 5e-4), ("dop853", 5e-4))]
late = numpy.abs(end("late.yaml")[1] - exact).max()
print("arm", error, late)
assert late < 2e-12, late
assert error[2] < 2e-12 and numpy.log2(error[0] / error[1]) > 2 * 3.6, error

# Noise: mean, deviation, fourth moment, and correlation with the sample before and the run before.
with h5py.File("noise.h5") as result:
    torque = result["study/trajectories/joint_torque"][..., 0, 1:]
noise = -torque / 0.2
n = noise.size
assert abs(noise.mean()) < 4 / n**0.5
assert abs((noise**2).mean() - 1) < 4 * (2 / n) ** 0.5
assert abs((noise**4).mean() - 3) < 4 * (96 / n) ** 0.5
assert abs((noise[:, 1:] * noise[:, :-1]).mean()) < 4 / n**0.5
assert abs((noise[1:] * noise[:-1]).mean()) < 4 / n**0.5
others = []
for seed in (0, 1, 2**32):
    run("noise.yaml", f"forces.hold.seed={seed}", "sample.count=3", "time.end=1")
    with h5py.File("run.h5") as result:
        others.append(result["study/trajectories/joint_torque"][..., 0, 1:])
assert numpy.allclose(others[0], torque[:3, :100], rtol=0, atol=1e-6)
assert not numpy.allclose(others[0], others[1], rtol=0, atol=1e-2)
assert numpy.allclose(others[2][0], others[2][1], rtol=0, atol=1e-6)
END
