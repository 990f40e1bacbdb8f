"""Writes sampled_loops.json: margins of 40 control loops that sample, by eigenvalues of the whole closed loop.

Between two samples the plant x' = A x + B torque is stepped by matrix exponentials of [A B; 0 0] (scipy.linalg.expm). The
state at a sample, integrals of controllers, values on their way to controllers and late torques are one vector v, and the
closed loop is v' = F v. A gain margin is the factor of the torque at one joint, a phase margin the angle of a complex factor
exp(-i angle), a delay margin the lateness of the torque, at which an eigenvalue of F (numpy.linalg.eigvals) reaches the unit
circle: the first on a grid, then by Brent's method.

    python3 sampled_loops.py > sampled_loops.json
"""
import json

import numpy
from scipy.linalg import expm
from scipy.optimize import brentq

GRAVITY = 9.81


class Loop:
    """x' = a x + b torque; controllers (gain, integral, error, delay): torque += gain y + integral z, z' = error y at the samples, of
    which y is x so much earlier. `integral` None: without z."""

    def __init__(self, a, b, controllers, interval):
        self.a, self.b, self.controllers, self.interval = a, b, controllers, interval

    def hold(self, time):
        n, m = self.b.shape
        whole = expm(numpy.block([[self.a, self.b], [numpy.zeros((m, n + m))]]) * time)
        return whole[:n, :n], whole[:n, n:]

    def pulse(self, time, late):
        """State after `time` by the state, by torques from `late` on, and by those up to then."""
        if time <= late:
            step, before = self.hold(time)
            return step, 0 * before, before
        first, before = self.hold(late)
        rest, own = self.hold(time - late)
        return rest @ first, own, rest @ before

    def matrix(self, factor, late):
        """F, with the torques times `factor` [joint] and `late` [joint], s."""
        n, m = self.b.shape
        split = [(int(l // self.interval), l % self.interval) for l in late]
        lags = [int(numpy.ceil(d / self.interval - 1e-12)) for *_, d in self.controllers]
        own = [integral is not None for _, integral, *_ in self.controllers]
        size = n + sum(own) + sum(lags) * n + sum(whole + 1 for whole, _ in split)
        at, rows = 0, numpy.eye(size, dtype=complex)

        def take(count):
            nonlocal at
            at += count
            return at - count

        x = take(n)
        z = [take(1) if is_own else None for is_own in own]
        seen = [[take(n) for _ in range(lag)] for lag in lags]              # the first arrives now
        torques = [[take(1) for _ in range(whole + 1)] for whole, _ in split]  # the first is the newest
        out = numpy.zeros((size, size), dtype=complex)
        torque = numpy.zeros((m, size), dtype=complex)
        for k, (gain, integral, error, _) in enumerate(self.controllers):
            y = rows[seen[k][0]:seen[k][0] + n] if lags[k] else rows[x:x + n]
            torque += gain @ y
            if own[k]:
                torque += numpy.outer(integral, rows[z[k]])
                out[z[k]] = rows[z[k]] + self.interval * error @ y
        torque = numpy.asarray(factor)[:, None] * torque

        def ahead(time):
            value = 0
            for j, (whole, part) in enumerate(split):
                step, own_part, before = self.pulse(time, part)
                newest = [torque[j]] + [rows[t] for t in torques[j]]
                value = value + numpy.outer(own_part[:, j], newest[whole]) + numpy.outer(before[:, j], newest[whole + 1])
            return value + step @ rows[x:x + n]

        out[x:x + n] = ahead(self.interval)
        for k, lag in enumerate(lags):
            for i in range(lag - 1):
                out[seen[k][i]:seen[k][i] + n] = rows[seen[k][i + 1]:seen[k][i + 1] + n]
            if lag:
                out[seen[k][-1]:seen[k][-1] + n] = ahead(max(lag * self.interval - self.controllers[k][3], 0.0))
        for j, own_torques in enumerate(torques):
            out[own_torques[0]] = torque[j]
            for i in range(1, len(own_torques)):
                out[own_torques[i]] = rows[own_torques[i - 1]]
        return out

    def eigenvalues(self, joint=0, factor=1.0, late=0.0):
        one = numpy.arange(self.b.shape[1]) == joint
        return numpy.linalg.eigvals(self.matrix(numpy.where(one, factor, 1.0), numpy.where(one, late, 0.0)))

    def first(self, of, values):
        """The first number at which the largest eigenvalue of `of` is on the unit circle, and its frequency."""
        before = values[0]
        for value in values[1:]:
            if abs(of(value)).max() > 1:
                found = brentq(lambda v: abs(of(v)).max() - 1, before, value, xtol=1e-15, rtol=1e-14)
                largest = max(of(found), key=abs)
                return float(found), float(numpy.angle(largest) / self.interval)
            before = value
        return None, None

    def margins(self, joint):
        gain, gain_at = self.first(lambda g: self.eigenvalues(joint, g), numpy.geomspace(1, 1e3, 700))
        low, low_at = self.first(lambda g: self.eigenvalues(joint, g), numpy.geomspace(1, 1e-4, 700))
        angles = numpy.linspace(0, numpy.pi, 700)
        # The same factor is a lag of motions that turn forward, of frequencies above 0, and a lead of those that turn backward.
        phase, phase_at = self.first(lambda p: self.eigenvalues(joint, numpy.exp(-1j * p)), angles)
        late, _ = self.first(lambda d: self.eigenvalues(joint, 1.0, d), numpy.arange(0, 30 * self.interval, self.interval / 9.7))
        out = {"gain_margin": gain, "gain_reduction_margin": low, "phase_margin": phase and float(numpy.copysign(phase, phase_at)),
               "delay_margin": late}
        for name, at in (("gain_margin", gain_at), ("gain_reduction_margin", low_at), ("phase_margin", phase_at)):
            out[f"{name}_frequency"] = at if at is None else abs(at)
        return out


def rod(p):
    inertia, weight = 0.5, 1.5 * GRAVITY / 2
    a = numpy.array([[0, 1], [-weight * numpy.cos(p["target"]) / inertia, -0.3 / inertia]])
    integral = numpy.array([p["ki"]]) if p["ki"] else None
    return Loop(a, numpy.array([[0], [1 / inertia]]), [(numpy.array([[-p["kp"], -p["kd"]]]), integral, numpy.array([-1.0, 0]), p["delay"])],
                p["sample_time"])


def arm(p):
    """Two segments in absolute angles; muscles on both joint angles, a wrist with an integral that brings the hand to 0.2."""
    lengths, masses = (0.3, 0.25), (2.0, 1.5)
    moments = numpy.array([masses[0] * lengths[0] / 2 + masses[1] * lengths[0], masses[1] * lengths[1] / 2])
    inertias = [masses[0] * lengths[0] ** 2 / 3 + masses[1] * lengths[0] ** 2, masses[1] * lengths[1] ** 2 / 3]
    stiffness = numpy.array([[p["stiffness"], 5.0], [5, 10]])
    damping = numpy.array([[3, 0.3], [0.3, 0.8]])
    balance = lambda q: stiffness[0] @ (numpy.array([0.6, 0.5]) - [q, 0.2]) - GRAVITY * moments @ numpy.sin([q, q + 0.2])
    first = brentq(balance, -3, 3, xtol=1e-15)
    coupling = moments[1] * lengths[0] * numpy.cos(0.2)
    mass = numpy.array([[inertias[0], coupling], [coupling, inertias[1]]])
    joint = numpy.array([[1.0, 0], [-1, 1]])
    to_angles, loss = numpy.linalg.inv(mass), joint.T @ numpy.diag([0, 0.1]) @ joint
    weight = numpy.diag(GRAVITY * moments * numpy.cos([first, first + 0.2]))
    a = numpy.block([[numpy.zeros((2, 2)), numpy.eye(2)], [-to_angles @ weight, -to_angles @ loss]])
    b = numpy.vstack([numpy.zeros((2, 2)), to_angles @ joint.T])
    muscles = -numpy.hstack([stiffness @ joint, damping @ joint])
    wrist = -numpy.vstack([numpy.zeros(4), p["kp"] * numpy.append(joint[1], 0 * joint[1]) + 0.2 * numpy.append(0 * joint[1], joint[1])])
    return Loop(a, b, [(muscles, None, None, p["muscles"]), (wrist, numpy.array([0, 3.0]), -numpy.append(joint[1], [0, 0]), p["wrist"])],
                p["sample_time"])


def drawn(random, **ranges):
    return {name: float(numpy.round(random.uniform(*ends), 6)) for name, ends in ranges.items()}


def case(of, p):
    loop = of(p)
    eigenvalues = loop.eigenvalues()
    unstable = int((abs(eigenvalues) > 1).sum())
    poles = sorted(([float(v.real), float(v.imag)] for v in eigenvalues if abs(v) > 1e-9), key=lambda v: (-abs(complex(*v)), v[1]))
    joints = range(loop.b.shape[1])
    return {"numbers": p, "unstable_roots": unstable, "poles": poles, "joints": [loop.margins(j) for j in joints] if unstable == 0 else []}


def main():
    random = numpy.random.default_rng(7)
    rods = []
    for i in range(28):
        p = drawn(random, target=(-3, 3), kp=(10, 60), ki=(0.5, 30), kd=(1, 7), delay=(0, 0.06), sample_time=(0.01, 0.05))
        if i % 4 == 0:
            p["ki"], p["target"] = 0.0, float(numpy.pi)
        if i % 3 == 0:
            p["delay"] = 0.0
        if i % 9 == 5:
            p["delay"] = 2 * p["sample_time"]
        rods.append(p)
    arms = [drawn(random, stiffness=(20, 80), muscles=(0, 0.03), wrist=(0, 0.06), kp=(1, 20), sample_time=(0.004, 0.02)) for _ in range(12)]
    print(json.dumps({
        "description": "Margins, counts of unstable roots and poles in the z plane of sampled control loops; null: none up to a factor of "
                       "1000, down to 1e-4, within half a turn, or below 30 intervals. Systems as in sampled_loops.py, SI units.",
        "method": "eigenvalues of the closed loop as one discrete system; numpy, scipy.linalg.expm, brentq", "precision": "1e-11",
        "rods": [case(rod, p) for p in rods], "arms": [case(arm, p) for p in arms]}, indent=1))


if __name__ == "__main__":
    main()
