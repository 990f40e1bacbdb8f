"""Results of tests/cli/sliding.sh against closed forms, and against scipy from one event to the next."""

import h5py
import numpy as np
from scipy.integrate import solve_ivp
from scipy.optimize import brentq


def summary(name):
    return h5py.File(name + ".h5")["study/summary"]


def near(found, right, tolerance, what):
    worst = np.max(np.abs(np.asarray(found) - right))
    assert worst <= tolerance, (what, worst, found, right)


def rest(x, mu):
    """Where dry friction ends, and its derivatives by mu and x."""
    by_mu, by_x = 0.0, 1.0
    while abs(x) > mu:
        sign = np.sign(x)
        x, by_mu, by_x = -(x - 2 * mu * sign), -(by_mu - 2 * sign), -by_x
    return x, by_mu, by_x


starts = np.linspace(-0.93, 0.93, 20)
right = np.array([rest(x, 0.15) for x in starts])
for name, error in ("friction", 2e-10), ("given", 2e-9), ("implicit", 2e-9), ("energies", 2e-10):
    s = summary(name)
    near(s["end_x"][()], right[:, 0], error, name)
    near(s["end_x_rate" if name == "energies" else "end_v"][()], 0, 1e-15, name)
    near(s["sensitivity"][:, 0], right[:, 1:], 10 * error, name + ", derivatives")
    near(s["sensitivity"][:, 1], 0, 1e-12, name + ", derivatives of the rate")
    assert name == "given" or np.max(h5py.File(name + ".h5")["study/runs/steps"][()]) < 2000, name

s = summary("recorded")
near([s["f"][()], abs(s["side"][()])], [-0.1, 0.15], 1e-10, "recorded")
s = summary("switched")
near([s["end_" + q][()] for q in "xyq"], [31 / 34, 31 / 34, 2], 1e-14, "switched")


def filippov(x, end, number, rate, change):
    """The state behind `end` s of a motion with one condition, and the times at which it begins and ends to slide:
    rate(t, x, sign), and change = d(number)/dt."""
    times = []
    t, x, sign = 0.0, np.array(x, float), np.sign(number(x))

    def share(t, x):
        below, above = change(t, x, -1), change(t, x, 1)
        return below / (below - above) if below > above else -1.0

    def slid(t, x):
        part = share(t, x)
        return (1 - part) * rate(t, x, -1) + part * rate(t, x, 1)

    while t < end:
        if sign == 0:
            events = [lambda t, x: share(t, x) - 1, lambda t, x: share(t, x)]
            of = slid
        else:
            events = [lambda t, x: number(x)]
            events[0].direction = -sign

            def of(t, x, sign=sign):
                return rate(t, x, sign)
        for event in events:
            event.terminal = True
        run = solve_ivp(of, (t, end), x, "DOP853", rtol=1e-13, atol=1e-15, events=events)
        t, x = run.t[-1], run.y[:, -1]
        if run.status == 0:
            break
        if sign == 0:
            sign = 1 if len(run.t_events[0]) else -1
            times.append(t)
        else:
            sign = 0 if 0 < share(t, x) < 1 else -sign
            times += [t] if sign == 0 else []
    return x, times


def differences(of, at, h):
    """Derivatives by each number, of fourth order."""
    columns = []
    for i in range(len(at)):
        def shifted(by):
            return of(*[v + by * (k == i) for k, v in enumerate(at)])
        columns.append((8 * (shifted(h) - shifted(-h)) - (shifted(2 * h) - shifted(-2 * h))) / (12 * h))
    return np.array(columns).T


def belt(vb, F, d, c, x):
    def rate(t, y, sign):
        return np.array([y[1], -y[0] - c * y[1] + F * sign / (1 + d * sign * (vb - y[1]))])
    return filippov([x, 0], 20, lambda y: vb - y[1], rate, lambda t, y, sign: -rate(t, y, sign)[1])


def control(slope, K, x, v):
    def rate(t, y, sign):
        return np.array([y[1], np.sin(2 * t) - K * sign])
    return filippov([x, v], 6, lambda y: y[1] + slope * y[0], rate,
                    lambda t, y, sign: rate(t, y, sign)[1] + slope * y[1])


for name, of, at, h, error in ("belt", belt, (0.4, 0.5, 2, 0.05, 0.0), 1.5e-4, 1e-8), \
                              ("control", control, (1.5, 3, 1, 0.5), 4e-3, 4e-11):
    s = summary(name)
    near([s["end_x"][()], s["end_v"][()]], of(*at)[0], 3e-12, name)
    near(s["sensitivity"][()], differences(lambda *numbers: of(*numbers)[0], at, h), error, name + ", derivatives")

s = summary("belt")
times = belt(0.4, 0.5, 2, 0.05, 0.0)[1]
near(s["stick_times"][:3], times[::2], 1e-11, "belt sticks")
near(s["slip_times"][:3], times[1::2], 1e-11, "belt slips")
assert s["stick_count"][()] == 3 and s["slip_count"][()] == 3
near(s["stuck"][()], np.sum(np.diff(times)[::2]) / 20, 1e-11, "time that the belt carries the block")

s = summary("spiral")
near([s["end_x"][()], s["end_y"][()], s["hold_time"][()] - 0.65], 0, 1e-12, "spiral")


class Stack:
    """Two blocks with dry friction; a phase has the signs of the two rates that slip, 0 of those that stick."""
    m = 0.8, 0.5

    def forces(self, t, y, phase):
        first, second = 1.6 * np.sin(t), -y[2]
        if phase[0]:
            u = phase[0] * self.m[0]
            return u, phase[1] * self.m[1] if phase[1] else second + u
        if phase[1]:
            w = phase[1] * self.m[1]
            return (first - second + w) / 2, w
        return first, second + first

    def rate(self, t, y, phase):
        u, w = self.forces(t, y, phase)
        return [y[1], 1.6 * np.sin(t) - u, y[3], -y[2] + u - w]

    def choose(self, t, y, at_rest, phase):
        """The phase in which forces, and the rates that set out, agree with it."""
        for first in [0, 1, -1] if at_rest[0] else phase[:1]:
            for second in [0, 1, -1] if at_rest[1] else phase[1:]:
                own = first, second
                forces, rates = self.forces(t, y, own), self.rate(t, y, own)
                sets_out = rates[1] - rates[3], rates[3]
                if all(abs(forces[i]) < self.m[i] + 1e-9 if own[i] == 0 else
                       not at_rest[i] or own[i] * sets_out[i] > -1e-9 for i in range(2)):
                    return own
        raise AssertionError("no phase")

    def slack(self, t, y, phase, i):
        slip = y[1] - y[3], y[3]
        return slip[i] * phase[i] if phase[i] else self.m[i] - abs(self.forces(t, y, phase)[i])

    def run(self, end):
        t, y, phase = 0.0, np.zeros(4), (0, 0)
        while t < end:
            events = []
            for i in range(2):
                def event(t, y, i=i, phase=phase):
                    return self.slack(t, y, phase, i)
                event.terminal, event.direction = True, -1
                events.append(event)
            run = solve_ivp(lambda t, y, phase=phase: self.rate(t, y, phase), (t, end), y, "DOP853", rtol=1e-13,
                            atol=1e-14, events=events)
            t, y = run.t[-1], run.y[:, -1].copy()
            if run.status == 0:
                return y
            i = 0 if len(run.t_events[0]) else 1
            at_rest = [phase[k] == 0 or k == i for k in range(2)]
            if phase[i] == 0:  # the force at its limit
                phase = tuple(int(np.sign(self.forces(t, y, phase)[i])) if k == i else phase[k] for k in range(2))
                at_rest[i] = False
            phase = self.choose(t, y, at_rest, phase)
        return y


s = summary("stack")
near([s["end_" + q][()] for q in ("x1", "v1", "x2", "v2")], Stack().run(20.0), 1e-9, "stack")

a, b = summary("row"), summary("row_given")
near(a["end_x"][()], b["end_x"][()], 1e-6, "row")

s = summary("exponents")
near(s["lyapunov_spectrum"][:2], [-0.3, -0.7], 1e-11, "exponents")
assert s["lyapunov_spectrum"][2] == -np.inf and s["kaplan_yorke_dimension"][()] == 0

s = summary("none")
near([s["end_x"][()], s["end_y"][()], s["end_z"][()]], [5.2, 11 / 6, 0], 1e-9, "none")

s = summary("slip")
w = 2 * np.pi
for i, a in ((1, 1.0001), (2, 1.05), (3, 1.2)):
    t1 = np.arcsin(1 / a) / w
    t2 = brentq(lambda t: a / w * (np.cos(w * t1) - np.cos(w * t)) - (t - t1), 0.5 - t1, t1 + 0.6, xtol=1e-16)
    x = a / w * np.cos(w * t1) * (t2 - t1) - a / w**2 * (np.sin(w * t2) - np.sin(w * t1)) - (t2 - t1) ** 2 / 2
    near(s["end_x"][i], x, 1e-13, "slip")
assert s["end_x"][0] == 0 and np.abs(s["end_v"]).max() < 1e-15
