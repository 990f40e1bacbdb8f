"""Results of tests/cli/formula_switches.sh against closed forms, and against scipy from one change to the next."""

import h5py
import numpy as np
from scipy.integrate import solve_ivp


def summary(name):
    return h5py.File(name + ".h5")["study/summary"]


def near(found, right, tolerance, what):
    worst = np.max(np.abs(np.asarray(found) - right))
    assert worst <= tolerance, (what, worst, found, right)


for name in "threshold", "given", "implicit":
    s = summary(name)
    near(s["end_y"][()], -0.1, 1e-12, name)
    near(s["end_u"][()], 0.5, 1e-12, name)
    near(s["sensitivity"][()], [[-2, -2.1, 3, 0], [0, 0, 0, 4]], 1e-11, name)
s = summary("faster")
near(s["end_x"][()], 3, 1e-12, "faster")
near(s["sensitivity"][()], [[-1, 2]], 1e-12, "faster")


def piecewise(pieces, x, rate):
    """The state behind pieces (begin, end) of time, along rate(t, x, middle of the piece)."""
    for begin, end in pieces:
        middle = 0.5 * (begin + end)
        x = solve_ivp(lambda t, y: rate(t, y, middle), (begin, end), x, "DOP853", rtol=1e-13, atol=1e-14).y[:, -1]
    return x


def waves(P, T, c, end=11.5):
    peak = np.arcsin(c)
    times = {0.0, end}
    times |= {k * P / 2 for k in range(60)} | {k * T for k in range(20)}
    times |= {(2 * np.pi * k + a) / 3 for k in range(20) for a in (peak, np.pi - peak)}
    times = sorted(t for t in times if t <= end)

    def rate(t, x, m):
        wave = 1 if m % P < P / 2 else -1
        sign = 1 if np.floor(m / T) % 2 < 1 else -1
        return [-x[0] + wave, np.floor(m / P), sign * x[0], float(np.sin(3 * m) > c)]

    return piecewise(zip(times, times[1:]), np.zeros(4), rate)


def differences(of, at, h):
    """Derivatives by each number, of fourth order."""
    columns = []
    for i in range(len(at)):
        def shifted(by):
            return of(*[v + by * (k == i) for k, v in enumerate(at)])
        columns.append((8 * (shifted(h) - shifted(-h)) - (shifted(2 * h) - shifted(-2 * h))) / (12 * h))
    return np.array(columns).T


s = summary("waves")
near([s["end_" + q][()] for q in "xwzs"], waves(1.3, 2, 0.8), 3e-11, "waves")
near(s["sensitivity"][()], differences(waves, (1.3, 2, 0.8), 1e-3), 2e-8, "derivatives of waves")

on = np.linspace(5, 35, 61)
near(summary("pulse")["end_u"][()], 1000 * (np.exp(on + 0.001 - 40) - np.exp(on - 40)), 1e-9, "pulse")
near(summary("dirac")["end_x"][()], -0.00494278164, 2e-11, "dirac x")
near(summary("dirac")["end_v"][()], -0.01036258813, 2e-11, "dirac v")


def switched(x, end, numbers, rate):
    """From one sign change of `numbers` to the next; rate(x, signs)."""
    t = 0.0
    x = np.array(x, float)
    signs = np.sign([n(x) for n in numbers])
    for i in np.flatnonzero(signs == 0):
        free = signs.copy()
        step = 1e-6 * np.array(rate(x, free))
        signs[i] = np.sign(numbers[i](x + step))
    while t < end:
        events = []
        for n in numbers:
            def event(t, y, n=n):
                return n(y)
            event.terminal = True
            events.append(event)
        first = solve_ivp(lambda t, y: rate(y, signs), (t, t + 1e-7), x, "DOP853", rtol=1e-13, atol=1e-14)
        run = solve_ivp(lambda t, y: rate(y, signs), (t + 1e-7, end), first.y[:, -1], "DOP853", rtol=1e-13,
                        atol=1e-14, events=events)
        t, x = run.t[-1], run.y[:, -1]
        for i, times in enumerate(run.t_events):
            if len(times):
                signs[i] = -signs[i]
    return x


def relay(k, r, d, x):
    return switched([x, 0], 9, [lambda y: y[0] - d, lambda y: y[1], lambda y: abs(y[0]) - 1],
                    lambda y, s: [y[1], (-y[0] if s[0] < 0 else -(1 + k) * y[0])
                                  + r * s[1] * (1 if s[2] < 0 else 0.5)])


s = summary("relay")
for run, x in enumerate(np.linspace(1.4, 2.2, 5)):
    at = (3, 0.2, 0.1, x)
    near([s["end_x"][run], s["end_v"][run]], relay(*at), 1e-9, "relay")
    near(s["sensitivity"][run], differences(relay, at, 1e-4), 2e-6, "derivatives of the relay")


def energies(k, F, q):
    return switched([q, 0], 6, [lambda y: y[0], lambda y: y[1] - 0.5],
                    lambda y, s: [y[1], (-k * y[0] - F * s[0] - 0.1 * y[1] + (0.3 if s[1] > 0 else 0)) / 2])


s = summary("energies")
near([s["end_q"][()], s["end_q_rate"][()]], energies(5, 1, 0.3), 1e-9, "energies")
near(s["sensitivity"][()], differences(energies, (5, 1, 0.3), 1e-4), 2e-6, "derivatives of energies")

near(summary("tank")["end_h"][()], 0.05**2, 1e-9, "tank")
near(summary("tank")["sensitivity"][()], -2 * 0.05 * 0.95, 1e-7, "derivative of the tank")

# Pieces of 0.7 s: x = 1 - 0.7 t, then by the past of the piece before.
tau, x = 0.7, np.polynomial.Polynomial([1.0])
for push in 0.3, 0.3, -0.3:
    x = x(tau) + (push - x).integ()
near(summary("late")["end_x"][()], x(tau), 1e-6, "beside delays")

# x = 1 - p t up to 1/p, then twice as fast: the area is x0^2/(2 p) + p (2 - x0/p)^2.
s = summary("corner")
near(s["area"][()], 1.5, 2e-15, "area")
near(s["sensitivity"][0], [2.5, -1], 5e-12, "derivatives of the area")

s = summary("trace")
near(s["mean_trace"][()], (-1.3 - 3 * 0.7) / 2, 1e-14, "trace that jumps")
near(s["lyapunov_sum"][()], (-1.3 - 3 * 0.7) / 2, 5e-10, "sum of its exponents")

# The exponents of two hand-written trajectories 1e-3 apart: 0.1885.
s = summary("jerk")
near(s["lyapunov_spectrum"][()], [0.186, 0, -0.786], 0.008, "exponents of the jerk circuit")
near(s["lyapunov_sum"][()], -0.6, 1e-8, "their sum")


def ball(c, e, h, end=2.0, g=9.81):
    """Up with g + c, down with g - c."""
    t, v = 0.0, 0.0
    while True:
        fall = g - c if v <= 0 else g + c
        if v > 0:
            if t + v / fall >= end:
                return np.array([h + v * (end - t) - fall * (end - t) ** 2 / 2, v - fall * (end - t)])
            h, t, v = h + v * v / (2 * fall), t + v / fall, 0.0
            continue
        down = np.sqrt(2 * h / fall)
        if t + down >= end:
            return np.array([h - fall * (end - t) ** 2 / 2, -fall * (end - t)])
        h, t, v = 0.0, t + down, e * fall * down


s = summary("ball")
near([s["end_h"][()], s["end_v"][()]], ball(0.7, 0.8, 1), 1e-9, "ball")
near(s["sensitivity"][()], differences(ball, (0.7, 0.8, 1), 1e-3), 1e-6, "derivatives of the ball")
