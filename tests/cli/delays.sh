# x(t - delay) in rates and in formulas of forces: against the method of steps by polynomials and by SciPy's DOP853, the
# roots of the characteristic equation, published bifurcations of the Mackey-Glass equation, and controllers with the
# key `delay`; the same bits from kernels, threads, shards and a run alone.
. "$SOURCE/tests/check.sh"
need_python

cat >line.yaml <<'END'
manylink: 1
system: {type: equations, parameters: {tau: 1}, state: {x: 1}, rates: {x: -x(t - tau)}}
integrator: {type: rk4}
time: {step: 0.05, end: 5}
sweep: [{set: system.tau, values: [1, 0.7, 0.33, 2.2, 0.013]}]
events: [{name: zero, when: x, crosses: 0}]
END
cat >ring.yaml <<'END'
manylink: 1
system:
  type: equations
  parameters: {K: 1.5, near: 0.4, omega: {count: 3, value: "1 + i/4"}}
  state: {theta: {count: 3, value: i^2/2}, load: 0.3}
  functions:
    pull(a, b): sin(a - b)
  rates:
    theta[i]: omega[i] + K*pull(theta[i + 1](t - near), theta[i]) - 0.2*load(t - 0.25)
    load: cos(theta[1](t - 0.9)) - load + 0.3*sin(3*t)*load(t - near)
time: {step: 0.01, end: 4}
sweep: [{set: system.near, from: 0.2, to: 0.9, count: 20}]
quantities: {spread: theta.1 - theta.3}
events: [{name: turn, of: load, kind: either, max: 9, keep: [load, spread]}]
save: {trajectory: {quantities: [theta, load, spread], every: 50, runs: all}}
END
cat >glass.yaml <<'END'
manylink: 1
system:
  type: equations
  parameters: {beta: 0.2, gamma: 0.1, n: 10, tau: 17}
  state: {x: 1.2}
  rates: {x: beta*x(t - tau)/(1 + x(t - tau)^n) - gamma*x}
integrator: {type: dop853}
time: {step: 0.1, end: 100}
END
cat >mechanism.yaml <<'END'
manylink: 1
system:
  type: equations
  parameters: {late: 0.0613}
  coordinates: {angle: 0.4}
  kinetic: 0.5*2.4*angle'^2
  potential: -9.81*1.5*cos(angle)
  forces: {angle: "-20*angle(t - late) - 2*angle'(t - late)"}
initial: {angle_rate: 0.7}
integrator: {type: dop853}
time: {step: 1e-2, end: 2}
END
cat >chain.yaml <<'END'
manylink: 1
system: {type: chain, angles: joint, segments: [{name: upper, length: 1, mass: 1}, {name: lower, length: 0.5, mass: 1}]}
initial: {angle: {upper: 0.5, lower: -0.3}, rate: {upper: 1, lower: 0.2}}
forces:
  - {name: hold, type: formula, joint: lower, parameters: {late: 0.0217}, torque: -8*angle.lower(t - late) - rate.lower(t - late)}
  - {name: push, type: torque, joint: upper, value: {type: pulse, amplitude: 2, onset: 0.41, duration: 0.2}}
time: {step: 2e-3, end: 2}
sweep: [{set: forces.hold.late, from: 0.01, to: 0.05, count: 20}]
END
sed 's/parameters: {late: 0.0217}/delay: 0.0217/; s/(t - late)//g; s/hold.late/hold.delay/' chain.yaml >key.yaml
sed 's/^time.*/time: {end: 2, tick: 0.1}\nintegrator: {type: tp86, tolerance: 1e-9}/' chain.yaml >chain-free.yaml
sed 's/^time.*/time: {end: 2, tick: 0.1}\nintegrator: {type: tp86, tolerance: 1e-9}/' key.yaml >key-free.yaml
sed 's/^time.*/time: {end: 4, tick: 0.5}\nintegrator: {type: dop853, tolerance: 1e-10}/; s/every: 50/every: 1/' ring.yaml >ring-free.yaml
sed 's/^time.*/time: {step: 0.01, end: 4}\nintegrator: {type: gauss4}/' ring.yaml >ring-stiff.yaml
sed 's/^time.*/time: {end: 4, tick: 0.5}\nintegrator: {type: rodas4, tolerance: 1e-8}/; s/every: 50/every: 1/' ring.yaml >ring-stiff-free.yaml
cat >reflex.yaml <<'END'
manylink: 1
system: {type: chain, gravity: 0, segments: [{name: rod, length: 1, mass: 3}]}      # 1 kg m^2
forces:
  - {name: reflex, type: formula, joint: rod, parameters: {nerve: 0.05, late: 0.11}, state: {muscle: 0.2},
     torque: 6*muscle(t - nerve) - 0.4*rate.rod, rates: {muscle: (-angle.rod(t - late) - 0.2*rate.rod(t - 0.02) - muscle)/0.04}}
initial: {angle: 1, rate: 0.7}
integrator: {type: dop853}
time: {step: 1e-2, end: 3}
END
sed 's/^time.*/time: {end: 3, tick: 1}/; s/dop853}/dop853, tolerance: 1e-10}/' reflex.yaml >reflex-free.yaml

for name in line ring ring-free ring-stiff ring-stiff-free glass mechanism chain chain-free key key-free reflex reflex-free; do
    expect 0 "$MANYLINK" run $name.yaml --kernel general --no-accuracy
    expect 0 "$MANYLINK" verify $name.h5
done
for name in ring ring-free chain; do
    for index in 0 1; do
        expect 0 "$MANYLINK" run $name.yaml --no-accuracy --kernel general --threads 1 --shard $index/2 -o part$index.h5
    done
    expect 0 "$MANYLINK" merge -o merged.h5 part1.h5 part0.h5
    same $name.h5 merged.h5
    rm part0.h5 part1.h5 merged.h5
    expect 0 "$MANYLINK" run $name.yaml --run 7 --no-accuracy --kernel general -o $name-alone.h5
done
if makes_kernels; then
    for name in ring ring-free ring-stiff mechanism chain reflex reflex-free; do
        expect 0 "$MANYLINK" run $name.yaml --kernel made --no-accuracy -o made.h5
        says out "kernel made for it"
        same $name.h5 made.h5
        rm made.h5
    done
fi

expect 0 "$MANYLINK" show-equations glass.yaml
says out 'x: "beta*x(t - tau)/(1 + x(t - tau)^n) - gamma*x"'
expect 0 "$MANYLINK" show-equations glass.yaml --latex
says out 'x(t - \tau)'
expect 2 "$MANYLINK" compare line.yaml
says err "has a delay"
expect 2 "$MANYLINK" inverse chain.yaml

"$PYTHON" - "$MANYLINK" <<'END'
import subprocess
import sys

import h5py
import numpy
from numpy.polynomial import Polynomial
from scipy.integrate import solve_ivp
from scipy.special import lambertw


def summary(result):
    with h5py.File(result) as file:
        return {name: values[...] for name, values in file["study/summary"].items() if isinstance(values, h5py.Dataset)}


def run(study, *sets):
    words = [word for text in sets for word in ("--set", text)]
    subprocess.run([sys.argv[1], "run", study, "-o", "run.h5", "--no-accuracy", "--restart", "--kernel", "general"] + words,
                   check=True, capture_output=True)
    return summary("run.h5")


for name, output in (("ring", "end_theta"), ("ring-free", "end_theta"), ("chain", "end_angle")):
    assert summary(f"{name}-alone.h5")[output].tobytes() == summary(f"{name}.h5")[output][7].tobytes(), name

# x' = -x(t - tau) is a polynomial between delays.
def polynomials(tau, end):
    pieces, x, begin = [], Polynomial([1.0]), 1.0
    for _ in range(int(numpy.floor(end / tau * (1 + 1e-14))) + 1):
        x = (-x).integ() + begin
        begin = x(tau)
        pieces.append(x)
    return pieces


delays = (1, 0.7, 0.33, 2.2)
exact = numpy.array([polynomials(tau, 5)[-1](5 - tau * numpy.floor(5 / tau * (1 + 1e-14))) for tau in delays])
for method, order, most in (("rk4", 4, 2e-10), ("dopri54", 5, 2e-14), ("tp86", 6, 2e-14), ("dop853", 8, 2e-14), ("gauss4", 4, 2e-10)):
    error = []
    for step in (0.05, 0.025):
        shorter = ["sweep.0.values=[1,0.7,0.33,2.2,0.1]"] if method == "gauss4" else []
        error.append(numpy.abs(run("line.yaml", f"integrator.type={method}", f"time.step={step}", *shorter)["end_x"][:4] - exact).max())
    print(method, error)
    assert error[1] < most, (method, error)
    assert order > 5 or numpy.log2(error[0] / error[1]) > order - 0.1, (method, error)
free = open("line.yaml").read().replace("time: {step: 0.05, end: 5}", "time: {end: 5, tick: 1}")
for method, tolerance, most in (("bs32", "1e-7", 2e-7), ("dopri54", "1e-9", 5e-10), ("dop853", "1e-11", 1.5e-14), ("rodas4", "1e-7", 2e-9)):
    with open("free.yaml", "w") as study:
        study.write(free.replace("type: rk4", f"type: {method}, tolerance: {tolerance}"))
    error = numpy.abs(run("free.yaml")["end_x"][:4] - exact).max()
    print(method, tolerance, error)
    assert error < most, (method, error)
# Its first zero: of tau = 0.7 the root of the second piece.
zero = run("line.yaml", "integrator.type=dop853")["zero_time"]
assert abs(zero[0] - 1) < 1e-13 and abs(zero[1] - (1.7 - numpy.sqrt(0.4)) ) < 1e-13, zero


# The method of steps: DOP853 between all times at which some delay has gone by.
def by_steps(rates, start, delays, end):
    breaks = {0.0}
    for _ in range(9):
        breaks |= {round(b + d, 13) for b in breaks for d in delays if b + d < end}
    shortest, times = min(delays), [0.0]
    for b in sorted(breaks)[1:] + [end]:
        while b - times[-1] > shortest * (1 + 1e-12):
            times.append(times[-1] + shortest)
        if b - times[-1] > 1e-12:
            times.append(b)
    pieces, now = [], numpy.array(start, float)

    def past(t):
        if t <= 0:
            return numpy.array(start, float)
        i = min(max(int(numpy.searchsorted(times, t, side="left")) - 1, 0), len(pieces) - 1)
        return pieces[i](t)

    for begin, until in zip(times[:-1], times[1:]):
        solved = solve_ivp(lambda t, y: rates(t, y, past), (begin, until), now, method="DOP853", rtol=3e-14, atol=1e-15, dense_output=True)
        pieces.append(solved.sol)
        now = solved.y[:, -1]
    return now


def ring(near):
    omega = numpy.array([1.25, 1.5, 1.75])

    def rates(t, y, past):
        theta, load, near_past = y[:3], y[3], past(t - near)
        turn = omega + 1.5 * numpy.sin(numpy.roll(near_past[:3], -1) - theta) - 0.2 * past(t - 0.25)[3]
        return numpy.append(turn, numpy.cos(past(t - 0.9)[0]) - load + 0.3 * numpy.sin(3 * t) * near_past[3])

    return by_steps(rates, [0.5, 2, 4.5, 0.3], (near, 0.25, 0.9), 4)


nears = numpy.linspace(0.2, 0.9, 20)
own = {name: numpy.column_stack([summary(f"{name}.h5")["end_theta"], summary(f"{name}.h5")["end_load"]])
       for name in ("ring", "ring-free", "ring-stiff", "ring-stiff-free")}
for i in (0, 11, 19):
    exact = ring(nears[i])
    error = {name: numpy.abs(states[i] - exact).max() for name, states in own.items()}
    print("ring", nears[i], error)
    for name, most in (("ring", 5e-9), ("ring-free", 2e-11), ("ring-stiff", 4e-9), ("ring-stiff-free", 2e-8)):
        assert error[name] < most, (name, error)

# Before chaos has grown: Mackey and Glass, Science 197 (1977) 287.
glass = by_steps(lambda t, y, past: 0.2 * past(t - 17) / (1 + past(t - 17)**10) - 0.1 * y, [1.2], (17,), 100)[0]
print("Mackey-Glass", summary("glass.h5")["end_x"] - glass)
assert abs(summary("glass.h5")["end_x"] - glass) < 2e-13

# A torque that is late: a mechanism, a chain's formula and its key, and SciPy.
pendulum = by_steps(lambda t, y, past: numpy.array([y[1], (-9.81 * 1.5 * numpy.sin(y[0]) - 20 * past(t - 0.0613)[0] - 2 * past(t - 0.0613)[1]) / 2.4]),
                    [0.4, 0.7], (0.0613,), 2)
out = summary("mechanism.h5")
print("mechanism", out["end_angle"] - pendulum[0], out["end_angle_rate"] - pendulum[1])
assert abs(out["end_angle"] - pendulum[0]) < 1e-14 and abs(out["end_angle_rate"] - pendulum[1]) < 7e-15
for one, other in (("chain", "key"), ("chain-free", "key-free")):
    a, b = summary(f"{one}.h5"), summary(f"{other}.h5")
    for output in ("end_angle", "end_rate"):
        assert a[output].tobytes() == b[output].tobytes(), (one, output)
reflex = by_steps(lambda t, y, past: numpy.array([y[1], 6 * past(t - 0.05)[2] - 0.4 * y[1],
                                                  (-past(t - 0.11)[0] - 0.2 * past(t - 0.02)[1] - y[2]) / 0.04]),
                  [1, 0.7, 0.2], (0.05, 0.11, 0.02), 3)
for name, most in (("reflex", 2e-6), ("reflex-free", 5e-12)):
    out = summary(f"{name}.h5")
    error = max(abs(out["end_angle"][0] - reflex[0]), abs(out["end_rate"][0] - reflex[1]))
    print(name, error)
    assert error < most, (name, error)

# x' = -a x(t - 1) grows from a = pi/2 on, as exp(s t) for s = W(-a), Lambert's function.
rates = (numpy.pi / 2 * 0.98, numpy.pi / 2, numpy.pi / 2 * 1.02)
with open("edge.yaml", "w") as study:
    study.write("manylink: 1\nsystem: {type: equations, parameters: {a: 1}, state: {x: 1}, rates: {x: -a*x(t - 1)}}\n"
                f"time: {{step: 0.02, end: 130}}\nsweep: [{{set: system.a, values: {list(map(float, rates))}}}]\n"
                "events: [{name: top, of: x, kind: maximum, from: 60, max: 30, keep: [x]}]\n")
out = run("edge.yaml")
for a, times, tops in zip(rates, out["top_times"], out["top_x"]):
    n = numpy.isfinite(times).sum()
    growth = numpy.log(tops[n - 1] / tops[0]) / (times[n - 1] - times[0])
    root = lambertw(-a)
    print("growth", a, growth - root.real, 2 * numpy.pi * (n - 1) / (times[n - 1] - times[0]) - root.imag)
    assert abs(growth - root.real) < 2.5e-9 and abs(2 * numpy.pi * (n - 1) / (times[n - 1] - times[0]) - root.imag) < 2e-9

# Mackey-Glass: the fixed point 1 loses its stability where -0.1 - 0.4 exp(-i w tau) = i w, at 4.708; the limit cycle
# doubles its period at 13.3 (J. D. Farmer, Physica D 4 (1982) 366): the square of how far maxima differ grows from 0.
w = numpy.sqrt(0.4**2 - 0.1**2)
hopf = numpy.arccos(-0.25) / w
text = open("glass.yaml").read().replace("dop853", "rk4").replace("x: 1.2", "x: 1.01")
with open("hopf.yaml", "w") as study:
    study.write(text.replace("end: 100", "end: 1500") + f"sweep: [{{set: system.tau, values: [{hopf - 0.1}, {hopf + 0.1}]}}]\n"
                "events: [{name: top, of: x, kind: maximum, from: 200, max: 200, keep: [x]}]\n")
tops = run("hopf.yaml")["top_x"] - 1
tops = [t[numpy.isfinite(t)] for t in tops]
print("Hopf", hopf, tops[0][0], tops[0][-1], tops[1][0], tops[1][-1])
assert tops[0][-1] < 0.5 * tops[0][0] and tops[1][-1] > 2 * tops[1][0]
with open("double.yaml", "w") as study:
    study.write(text.replace("step: 0.1, end: 100", "step: 0.25, end: 6000") + "sweep: [{set: system.tau, values: [13.1, 13.4, 13.5]}]\n"
                "events: [{name: top, of: x, kind: maximum, from: 5500, max: 40, keep: [x]}]\n")
gap = numpy.array([numpy.nanmax(t) - numpy.nanmin(t) for t in run("double.yaml")["top_x"]])**2
doubling = 13.4 - 0.1 * gap[1] / (gap[2] - gap[1])
print("doubling", gap, doubling)
assert gap[0] < 1e-5 and abs(doubling - 13.3) < 0.1
END
