"""Margins against other derivations; margins.sh has made the results."""
import subprocess
import sys

import h5py
import numpy
from scipy.optimize import brentq

GRAVITY = 9.81
GRID = numpy.geomspace(1e-4, 1e4, 20001)


def read(path):
    with h5py.File(path) as file:
        values = {name: file["study/summary"][name][()] for name in NAMES}
        runs = {name: file["study/runs"][name][()] for name in file["study/runs"]}
    return values, runs


NAMES = ["gain_margin", "gain_margin_frequency", "gain_reduction_margin", "gain_reduction_margin_frequency", "phase_margin",
         "phase_margin_frequency", "delay_margin", "bandwidth", "equilibrium_angle", "unstable_roots"]
worst = {}


def crossings(of, values):
    """Frequencies where a real function of the frequency changes its sign, `values` on the grid."""
    return [brentq(lambda w: of(numpy.array([w]))[0], GRID[i], GRID[i + 1], xtol=1e-15, rtol=1e-15)
            for i in numpy.nonzero(values[:-1] * values[1:] < 0)[0]]


def margins(loop, closed, characteristic, order, still):
    """By the open loop, the closed loop to the angle, and det, each a function of i w; `still`: L(0), NaN: none."""
    s = 1j * GRID
    turn = numpy.unwrap(numpy.angle(characteristic(s)))
    turn = turn[-1] - (0 if numpy.cos(turn[0]) > 0 else numpy.pi) - 2 * numpy.pi * numpy.round(turn[0] / (2 * numpy.pi))
    roots = round(order / 2 - turn / numpy.pi)
    out = {"unstable_roots": roots}
    if roots > 0:
        return {**{name: numpy.nan for name in NAMES[:8]}, **out}
    real = [(w, loop(numpy.array([1j * w]))[0].real) for w in crossings(lambda w: loop(1j * w).imag, loop(s).imag)]
    real = [(w, -gain) for w, gain in real if gain < 0] + ([(0.0, -still)] if still < 0 else [])
    above = [(1 / gain, w) for w, gain in real if gain < 1]
    below = [(1 / gain, w) for w, gain in real if gain > 1]
    out["gain_margin"], out["gain_margin_frequency"] = min(above, default=(numpy.inf, numpy.nan))
    out["gain_reduction_margin"], out["gain_reduction_margin_frequency"] = max(below, default=(0.0, numpy.nan))
    ones = crossings(lambda w: abs(loop(1j * w)) - 1, abs(loop(s)) - 1)
    phases = [(numpy.angle(-loop(numpy.array([1j * w]))[0]), w) for w in ones]
    out["phase_margin"], out["phase_margin_frequency"] = min(phases, key=lambda p: abs(p[0]), default=(numpy.inf, numpy.nan))
    out["delay_margin"] = min((phase % (2 * numpy.pi) / w for phase, w in phases), default=numpy.inf)
    follows = abs(closed(1e-9j * numpy.ones(1))[0])
    level = 10**-0.15 * follows
    found = crossings(lambda w: abs(closed(1j * w)) - level, abs(closed(s)) - level)
    out["bandwidth"] = numpy.nan if follows < 1e-6 else found[0] if found else numpy.inf
    return out


def compare(values, at, expected, skip=()):
    for name in NAMES[:8] + NAMES[9:]:
        own, other = values[name][at], expected[name]
        if name in skip:
            assert numpy.isnan(own), (name, at, own)
        elif not numpy.isfinite(other):
            assert own == other or numpy.isnan(own) and numpy.isnan(other), (name, at, own, other)
        else:
            error = abs(own - other) / max(abs(other), 1e-3)
            worst[name] = max(worst.get(name, 0), error)
            assert error < TOLERANCE, (name, at, own, other)


TOLERANCE = 3e-11


def rods():
    inertia, loss, weight = 0.5, 0.3, 1.5 * GRAVITY / 2
    for study, is_pid in (("rod", True), ("model", False)):
        values, runs = read(f"{study}.h5")
        n_stable = 0
        for run in range(64):
            kp, kd = runs["forces.hold.kp"][run], runs["forces.hold.kd"][run]
            delay, target = runs["forces.hold.delay"][run], runs["forces.hold.target" + (".rod" if not is_pid else "")][run]
            if is_pid:
                ki, angle = runs["forces.hold.ki"][run], target
                control = lambda s: (kd * s + kp + ki / s) * numpy.exp(-s * delay)
                follow = lambda s: kp + ki / s
            else:
                rest = lambda q: (0.8 * (inertia * kp * (target - q) + weight * numpy.sin(q)) + 2 - weight * numpy.sin(q))
                near = numpy.linspace(-6, 6, 1201)
                angle = values["equilibrium_angle"][run, 0]
                if numpy.isnan(angle):          # then there is none
                    assert numpy.all(rest(near) > 0) or numpy.all(rest(near) < 0)
                    continue
                assert abs(rest(angle)) < 1e-11, rest(angle)
                control = lambda s: 0.8 * (inertia * (kd * s + kp) - weight * numpy.cos(angle)) * numpy.exp(-s * delay)
                follow = lambda s: 0 * s + 1
            assert abs(values["equilibrium_angle"][run, 0] - angle) < 1e-12
            stiffness = weight * numpy.cos(angle)
            plant = lambda s: inertia * s * s + loss * s + stiffness
            loop = lambda s: control(s) / plant(s)
            closed = lambda s: follow(s) / (plant(s) + control(s))
            whole = lambda s: (plant(s) + control(s)) * (s if is_pid else 1)
            still = numpy.nan if is_pid else control(0) / stiffness
            expected = margins(loop, closed, whole, 3 if is_pid else 2, still)
            compare({**values, "unstable_roots": values["unstable_roots"][:, None]}, (run, 0), expected,
                    () if is_pid else ("bandwidth",))
            n_stable += expected["unstable_roots"] == 0
        print(study, "stable", n_stable, worst)
        assert 16 < n_stable < 60, n_stable


def arm_of(runs, run, is_passive):
    """The arm about its equilibrium, in absolute angles: M, D and the stiffness of gravity; and its controllers."""
    lengths, masses = (0.3, 0.25), (2.0, 1.5)
    moments = numpy.array([masses[0] * lengths[0] / 2 + masses[1] * lengths[0], masses[1] * lengths[1] / 2])
    inertias = [masses[0] * lengths[0] ** 2 / 3 + masses[1] * lengths[0] ** 2, masses[1] * lengths[1] ** 2 / 3]
    coupling = moments[1] * lengths[0]
    joint = numpy.array([[1.0, 0], [-1, 1]])
    number = lambda name, other: runs[name][run] if name in runs else other
    stiffness = numpy.array([[number("forces.muscles.stiffness.arm.arm", 40), 5.0], [5, 10]])
    damping = numpy.array([[3, 0.3], [0.3, 0.8]])
    kp, ki, kd = number("forces.wrist.kp", 5), 3.0, 0.2
    # The integral brings the hand to its target.
    torque = lambda q: stiffness[0] @ (numpy.array([0.6, 0.5]) - [q, 0.2])
    first = brentq(lambda q: torque(q) - GRAVITY * moments @ numpy.sin([q, q + 0.2]), -3, 3, xtol=1e-15)
    angles = numpy.array([first, first + 0.2])
    mass = numpy.array([[inertias[0], coupling * numpy.cos(0.2)], [coupling * numpy.cos(0.2), inertias[1]]])
    weight = numpy.diag(GRAVITY * moments * numpy.cos(angles))
    muscles, wrist = number("forces.muscles.delay", 0.02), number("forces.wrist.delay", 0.0 if is_passive else 0.05)
    share = number("forces.muscles.rate_share", 0.5)
    of = lambda s, m: s[:, None, None] * m
    loss = joint.T @ numpy.diag([0, 0.1]) @ joint
    plant = lambda s: of(s * s, mass) + of(s, loss) + weight
    held = lambda s: of(numpy.exp(-s * muscles), stiffness) + of(s * numpy.exp(-s * muscles), damping)
    pid = lambda s: of((kp + kd * s + ki / s) * numpy.exp(-s * wrist), numpy.diag([0.0, 1]))
    follow = lambda s: of(0 * s + 1, stiffness) + of(share * s, damping)
    if not is_passive:
        follow_all = lambda s: follow(s) + of(kp + ki / s, numpy.diag([0.0, 1]))
        return joint, plant, lambda s: held(s) + pid(s), lambda s: 0 * held(s), follow_all, angles
    return joint, plant, held, pid, follow, angles


def arms():
    for study, is_passive in (("arm", False), ("passive", True)):
        values, runs = read(f"{study}.h5")
        n_stable = 0
        for run in range(24):
            joint, plant, held, rest, follow, angles = arm_of(runs, run, is_passive)
            assert numpy.allclose(values["equilibrium_angle"][run], joint @ angles, rtol=0, atol=1e-12)
            whole = lambda s: numpy.linalg.det(plant(s) + joint.T @ (held(s) + rest(s)) @ joint) * s
            for j in range(2):
                other = numpy.diag([float(j != 0), float(j != 1)])
                cut = lambda s: numpy.linalg.solve(plant(s) + joint.T @ (other @ held(s) + rest(s)) @ joint,
                                                   numpy.broadcast_to(joint.T[:, [j]], (len(s), 2, 1)))
                loop = lambda s: (held(s) @ joint @ cut(s))[:, j, 0]
                closed = lambda s: (joint @ numpy.linalg.solve(plant(s) + joint.T @ (held(s) + rest(s)) @ joint,
                                                               joint.T @ follow(s)))[:, j, j]
                still = numpy.nan
                expected = margins(loop, closed, whole, 5, still)
                compare({**values, "unstable_roots": values["unstable_roots"][:, None].repeat(2, 1)}, (run, j), expected)
            n_stable += expected["unstable_roots"] == 0
        print(study, "stable", n_stable, worst)
        assert 5 < n_stable <= 24, n_stable


rods()
GRID = numpy.geomspace(1e-3, 2e4, 40001)
arms()
