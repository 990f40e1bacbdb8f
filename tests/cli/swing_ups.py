"""Shipped studies that swing up, by equations of their own.

usage: swing_ups.py MANYLINK STUDIES
"""

import sys

import numpy as np
import yaml
from scipy.integrate import solve_ivp
from scipy.linalg import solve_continuous_are

from published_run import near, run


def shipped(name, **changes):
    study = yaml.safe_load(open(f"{sys.argv[2]}/{name}.yaml"))
    study.pop("manylink")
    return {**study, **changes}


def regulator(inertia, falling, by, q, r):
    """K and P of inertia x'' = falling x + by u."""
    a, b = np.zeros((4, 4)), np.zeros((4, 1))
    a[:2, 2:] = np.eye(2)
    a[2:, :2] = np.linalg.solve(inertia, falling)
    b[2:, 0] = np.linalg.solve(inertia, by)
    p = solve_continuous_are(a, b, np.diag(q), [[r]])
    return (b.T @ p / r)[0], p


def follow(rates, cost, start, end):
    """The state at the end, and when the cost falls to 0 with the pendulum above: from there on it is caught.

    rates  of a state, by where the arm was then, None before"""
    def fall(_, x):
        return cost(x)

    fall.direction, fall.terminal = -1, True
    t, x, caught, home = 0.0, np.array(start, float), np.nan, None
    while t < end:
        done = solve_ivp(lambda _, y, at=home: rates(y, at), (t, end), x, "DOP853", rtol=1e-10, atol=1e-12, max_step=0.01,
                         events=fall if home is None else None)
        t, x = done.t[-1], done.y[:, -1]
        if t < end and np.cos(x[1]) > 0:
            caught, home = t, x[0]
    return x, caught


def furuta():
    """Balances of momentum: of the arm with its pendulum about the vertical, and of the pendulum about its joint, a rod from which
    the joint's acceleration r p'' and the turning frame are seen."""
    ja, m, r, l, g, pump = 0.002, 0.05, 0.2, 0.15, 9.81, 10.0
    j, lever = m * (2 * l) ** 2 / 3, m * l * r
    gain, p = regulator(np.array([[ja + m * r**2, lever], [lever, j]]), np.diag([0, m * g * l]), [1, 0], [1, 10, 0.1, 0.1], 100)
    study = shipped("furuta")
    shown = [float(text.split("*")[0]) for text in study["system"]["define"]["hold"].split(" + ")]
    near("furuta: gains", np.array(shown) / -gain, 1, 3e-4)

    def rates(x, limit, home):
        arm, a, arm_rate, rate = x
        s, c = np.sin(a), np.cos(a)
        energy = j / 2 * rate**2 + m * g * l * (c - 1)
        push = pump * energy * rate * c - 0.004 * arm_rate
        hold = push if home is None else 0.1 * (arm - home) + 1.2084 * s + 0.0716 * arm_rate + 0.15845 * rate
        u = np.clip(hold, -limit, limit)
        whole = ja + m * r**2 + j * s**2
        sides = [u - 2 * j * s * c * rate * arm_rate + lever * s * rate**2, j * s * c * arm_rate**2 + m * g * l * s]
        return [arm_rate, rate, *np.linalg.solve([[whole, lever * c], [lever * c, j]], sides)]

    def cost(x, limit):
        z = np.array([0, np.sin(x[1]), x[2], x[3]])
        return z @ p @ z / limit**2 - 8

    angles, limits = np.radians([60, 130, 178]), [0.15, 0.22, 0.3]
    for end, catch_tolerance, tolerance in (0.3, 0, 5e-8), (2.5, 2e-5, 3e-5):  # the study rounds K and P
        found = run(f"furuta_{end}", {**study, "time": {"end": end, "tick": 0.02}, "integrator": {"type": "dop853", "tolerance": 1e-12},
                               "sweep": [{"set": "initial.a", "values": angles.tolist()}, {"set": "system.limit", "values": limits}]})
        known = [[follow(lambda y, home: rates(y, limit, home), lambda y: cost(y, limit), [0, a, 0, 0], end) for limit in limits]
                 for a in angles]
        states = np.array([[x for x, _ in row] for row in known])
        caught = np.array([[at for _, at in row] for row in known])
        for key, name in enumerate(("p", "a", "p_rate", "a_rate")):
            near(f"furuta: {name} after {end} s", found[f"end_{name}"], states[..., key], tolerance)
        assert (np.isnan(caught) == (end < 1)).all(), caught
        if end > 1:
            near("furuta: catch", found["catch_time"], caught, catch_tolerance)

    free = shipped("furuta", show="energy_drift", initial={"a": 2, "a_rate": 3, "p_rate": 5})
    del free["events"], free["sweep"], free["registers"], free["system"]["define"]
    free["system"]["forces"] = {"p": "0*limit*pump"}
    near("furuta: energy", run("furuta_free", free)["energy_drift"], 0, 3e-10)


furuta()
