"""Measured angles of a double pendulum whose numbers are known: its equations of motion, written out by hand,
integrated by scipy's DOP853 to 1e-12, with normal noise from numpy. Makes studies/fit_pendulum.csv.

    M = [[I1 + m1 c1^2 + m2 L^2, m2 L c2 cos(a - b)], [m2 L c2 cos(a - b), I2 + m2 c2^2]]
    M (a'', b'') = (-m2 L c2 sin(a - b) b'^2 - (m1 c1 + m2 L) g sin(a) - d1 a' + d2 (b' - a'),
                    +m2 L c2 sin(a - b) a'^2 - m2 c2 g sin(b) - d2 (b' - a'))

usage: fit_pendulum.py FILE [SAMPLES [INTERVAL [SEED]]]
"""

import sys

import numpy as np
from scipy.integrate import solve_ivp

# What a fit has to find: mass, com, inertia of the lower segment, dampers of both joints, first angle of the upper one.
TRUE = np.array([0.8, 0.22, 0.012, 0.02, 0.008, 1.1])
NOISE = 0.01  # rad
L, M1, C1, I1, G, B0 = 0.5, 1.0, 0.25, 0.02, 9.81, 0.3  # known: upper segment, gravity, first angle of the lower one


def rates(x, p):
    """Of the state (a, b, a', b')."""
    m2, c2, i2, d1, d2, _ = p
    a, b, u, v = x
    k, s = m2 * L * c2 * np.cos(a - b), m2 * L * c2 * np.sin(a - b)
    m11, m22 = I1 + M1 * C1**2 + m2 * L**2, i2 + m2 * c2**2
    f = -s * v * v - (M1 * C1 + m2 * L) * G * np.sin(a) - d1 * u + d2 * (v - u)
    h = s * u * u - m2 * c2 * G * np.sin(b) - d2 * (v - u)
    det = m11 * m22 - k * k
    return np.array([u, v, (m22 * f - k * h) / det, (m11 * h - k * f) / det])


def angles(time, p):
    """[time, 2]"""
    found = solve_ivp(lambda t, x: rates(x, p), (0, time[-1]), [p[5], B0, 0, 0], "DOP853", time, rtol=1e-12, atol=1e-12)
    return found.y[:2].T


def measured(samples, interval, seed):
    time = interval * np.arange(samples)
    return time, angles(time, TRUE) + NOISE * np.random.default_rng(seed).normal(size=(samples, 2))


def write(path, time, both):
    with open(path, "w") as out:
        out.write("time,theta_1 (rad),theta_2 (rad)\n")
        for t, (a, b) in zip(time, both):
            out.write(f"{t:.6g},{a:.5f},{b:.5f}\n")


if __name__ == "__main__":
    path, samples, interval, seed = (sys.argv[1:] + ["500", "0.01", "1"][len(sys.argv) - 2 :])[:4]
    write(path, *measured(int(samples), float(interval), int(seed)))
