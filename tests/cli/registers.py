"""Results of tests/cli/registers.sh against closed forms, and against scipy from one instant to the next."""

import h5py
import numpy as np
from scipy.integrate import solve_ivp


def summary(name):
    return h5py.File(name + ".h5")["study/summary"]


def near(found, right, tolerance, what):
    worst = np.max(np.abs(np.asarray(found) - right))
    assert worst <= tolerance, (what, worst, found, right)


def regulator(k1, k2, x0, T=0.1, end=2.05):
    """x, v, u, seen, smooth, slow and their derivatives by k1, k2, x0: matrix exponential of the double integrator."""
    s = np.array([x0, 0.3, 0, 0, 0, 5.0])
    d = np.zeros((6, 3))
    d[0, 2] = 1
    n = int(end / T + 1e-9)
    for i in range(n + 1):
        x, v, u, seen, smooth, slow = s
        dx, dv, du, dseen, dsmooth, dslow = (row.copy() for row in d)
        s[2], d[2] = -k1 * x - k2 * v, -k1 * dx - k2 * dv - [x, v, 0]
        s[3], d[3] = 0.001 * np.floor(x / 0.001), 0
        s[4], d[4] = 0.9 * smooth + 0.1 * seen, 0.9 * dsmooth + 0.1 * dseen
        if i % 2 == 1:
            s[5], d[5] = u + 0.1 * slow, du + 0.1 * dslow
        h = T if i < n else end - n * T
        for a in s, d:
            a[0], a[1] = a[0] + h * a[1] + h * h / 2 * a[2], a[1] + h * a[2]
    return s, d


for name in "regulator", "given":
    s = summary(name)
    for run, k1 in enumerate((1, 1.2, 1.4)):
        state, derivs = regulator(k1, 1.7, 1.0)
        for row, key in enumerate(("x", "v", "u", "seen", "smooth", "slow")):
            near(s["end_" + key][run], state[row], 1e-13, (name, key))
        near(s["sensitivity"][run], derivs, 1e-13, (name, "derivatives"))


def arm(k, elbow, T=0.05, end=0.5):
    """Joint angles and rates of the held double pendulum, the torque, and when the elbow was at 0.6."""
    length, m1, m2, c, g = 0.3, 2, 1.5, 0.15, 9.81

    def rates(t, s, u):
        p, q, w, z = s
        cross, turn = m2 * length * c * np.cos(p - q), -m2 * length * c * np.sin(p - q)
        mass = [[m1 * length**2 / 3 + m2 * length**2, cross], [cross, m2 * length**2 / 3]]
        right = [
            turn * z * z - (m1 * c + m2 * length) * g * np.sin(p) - u,
            -turn * w * w - m2 * c * g * np.sin(q) + u,
        ]
        return [w, z, *np.linalg.solve(mass, right)]

    s, latch, used, samples = np.array([0.2, 0.2 + elbow, 0, 0]), -1, 0, []
    for i in range(round(end / T)):
        u = k * (1 - 0.01 * np.floor((s[1] - s[0]) / 0.01)) - (s[3] - s[2])
        samples.append(u)
        t = i * T
        while t < (i + 1) * T:
            there = lambda t, s, u: s[1] - s[0] - 0.6 if latch < 0 else 1.0
            there.terminal = True
            found = solve_ivp(
                rates, (t, (i + 1) * T), s, "DOP853", rtol=1e-13, atol=1e-14, args=(u - 2 * (latch > 0),), events=there
            )
            t, s = found.t[-1], found.y[:, -1]
            latch = t if found.status == 1 else latch
    joint = np.array([s[0], s[1] - s[0], s[2], s[3] - s[2]])
    return joint, latch, samples


s = summary("arm")
joint, latch, samples = arm(20, 0.503)
near(np.concatenate([s["end_angle"][()], s["end_rate"][()]]), joint, 2e-9, "arm")
near(s["there_time"][()], latch, 1e-12, "latch")
kept = h5py.File("arm.h5")["study/trajectories"]
near(kept["latch"][0, -1], latch, 1e-12, "latch")
near(kept["u"][0, [3, 23, 43]], [samples[0], samples[2], samples[4]], 1e-8, "torque")
near(kept["double"][0], 2 * kept["u"][0], 0, "a quantity of a register")
near(s["mean_u"][()], np.mean(samples), 1e-9, "mean of a register")
for column, at in enumerate(((1e-5, 0), (0, 1e-7))):
    above, below = (arm(20 + sign * at[0], 0.503 + sign * at[1])[0] for sign in (1, -1))
    difference = (above - below) / (2 * sum(at))
    near(s["sensitivity"][:, column], difference, 1e-4 * np.max(np.abs(difference)), "derivatives of the arm")


def relay(d, v, end=14.0):
    """x, v, push, command: parabolas between the switches."""
    t, x, push, switches = 0.0, 0.0, 0, [(0.0, 0)]
    while True:
        a, level = d - push, 0.5 if push else 1.0
        roots = [r.real for r in np.roots([a / 2, v, x - level]) if abs(r.imag) < 1e-12 and r.real > 1e-9]
        roots = [r for r in roots if (v + a * r > 0) == (push == 0)]
        h = min(roots, default=np.inf)
        if t + h >= end:
            h = end - t
            x, v = x + v * h + a / 2 * h * h, v + a * h
            break
        t, x, v, push = t + h, level, v + a * h, 1 - push
        switches.append((t, push))
    command = 0.0
    for i in range(round(end / 0.02) + 1):
        now = [p for when, p in switches if when < i * 0.02][-1] if i else 0
        command += max(-0.002, min(0.002, now - command))
    return np.array([x, v, push, command])


s = summary("relay")
state = relay(0.3, 0.6)
assert s["above_count"][()] + s["inside_count"][()] == 3
near([s["end_" + key][()] for key in ("x", "v", "push", "command")], state, 1e-12, "relay")
h = 1e-6
for column, at in enumerate(((h, 0), (0, h))):
    difference = (relay(0.3 + at[0], 0.6 + at[1]) - relay(0.3 - at[0], 0.6 - at[1])) / (2 * h)
    near(s["sensitivity"][:, column], difference, 1e-7, "derivatives of the relay")


def monostable(d, w):
    """Triggers, ends of pulses, doses, the end of the run, and x there."""
    triggers = (np.pi / 6 + 2 * np.pi * np.arange(8)) / w
    doses = triggers + 3.5 * d
    end = doses[0] + 4
    changes = sorted([(t, 1, 0) for t in triggers] + [(t + d, 0, 0) for t in triggers] + [(t, None, 1) for t in doses if t < 6])
    t, x, q = 0.0, 0.0, 0
    for when, to, more in [c for c in changes if c[0] < end] + [(end, None, 0)]:
        x = 2 * q + (x - 2 * q) * np.exp(-0.5 * (when - t)) + more
        t, q = when, q if to is None else to
    return triggers[triggers < end], triggers[triggers + d < end] + d, doses[(doses < 6) & (doses < end)], end, x


for name in "monostable", "timed":
    s = summary(name)
    for run, d in enumerate((0.7, 0.8)):
        triggers, ends, doses, end, x = monostable(d, 3)
        for key, right in ("trigger", triggers), ("back", ends), ("dose", doses), ("last", [end]):
            assert s[key + "_count"][run] == len(right), key
            near(s[key + "_time"][run], right[0], 4e-15, key)
            if key != "last":
                near(s[key + "_times"][run, : len(right)], right, 1e-13 if name == "monostable" else 1e-12, key)
        near(s["end_x"][run], x, 1e-12 if name == "monostable" else 1e-9, "x")
        near(s["dose_times_sensitivity"][run, 0], [3.5, -np.pi / 6 / 9], 1e-10, "derivatives of a dose")
        near(s["last_time_sensitivity"][run], [3.5, -np.pi / 6 / 9], 1e-10, "derivatives of the end")
        h = 1e-5
        by = [(monostable(d + h, 3)[4] - monostable(d - h, 3)[4]) / (2 * h)]
        by.append((monostable(d, 3 + h)[4] - monostable(d, 3 - h)[4]) / (2 * h))
        near(s["sensitivity"][run, 1], by, 1e-8, "derivatives of x")
