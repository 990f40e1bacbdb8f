"""Large systems of formulas and maps against published numbers.

usage: published_networks.py MANYLINK
"""

from math import pi

import numpy as np
from scipy.optimize import brentq

from published_run import near, run, sweep


def kuramoto(name, frequencies, strengths, end, spread):
    """Phases that their mean field couples: ends of all, and the mean of the order parameter r over the time."""
    n = len(frequencies)
    found = run(name, {
        "system": {
            "type": "equations",
            "parameters": {"K": 1, "w": {"count": n, "value": [float(w) for w in frequencies]}},
            "state": {"theta": {"count": n, "value": f"{spread}*i", "unit": "rad"}, "way": 0},
            "define": {"c": f"sum(j, 1, {n}, cos(theta[j]))/{n}", "s": f"sum(j, 1, {n}, sin(theta[j]))/{n}"},
            "rates": {"theta[i]": "w[i] + K*(s*cos(theta[i]) - c*sin(theta[i]))", "way": f"where(t > {end / 2}, hypot(c, s), 0)"},
        },
        "integrator": "rk4",
        "time": {"step": 0.05, "end": end},
        "sweep": [sweep("system.K", strengths)],
    })
    return np.abs(np.exp(1j * found["end_theta"]).mean(1)), found["end_way"] / (end / 2)


def transition():
    """Kuramoto's transition: of frequencies with a Lorentzian distribution r = sqrt(1 - Kc/K) from Kc = 2 gamma on
    (Y. Kuramoto, Chemical Oscillations, Waves, and Turbulence, 1984); of even ones in [-gamma, gamma] r jumps to pi/4 at
    Kc = 4 gamma/pi (D. Pazo, Phys. Rev. E 72 (2005) 046211). Where all are locked, r = mean of sqrt(1 - (w/(K r))^2)."""
    n = 200
    gamma, strengths = 0.5, np.array([0.5, 1.5, 2, 3])
    lorentzian = gamma * np.tan(pi * (np.arange(1, n + 1) - 0.5) / n - pi / 2)
    r = kuramoto("lorentzian", lorentzian, strengths, 200, 2.4)[1]
    near("kuramoto: Lorentzian, below", r[0], 0, 0.1)
    near("kuramoto: Lorentzian, above", r[1:], np.sqrt(1 - 2 * gamma / strengths[1:]), 5e-3)

    even = (2 * np.arange(1, n + 1) - 1 - n) / n
    critical = 4 / pi
    strengths = critical * np.array([0.97, 0.99, 1.005, 1.02, 1.2, 2])
    last, mean = kuramoto("even", even, strengths, 300, 0.002)
    near("kuramoto: even, below", mean[:2], 0, 0.2)
    near("kuramoto: even, jump", last[2], pi / 4, 0.05)
    known = [brentq(lambda r: np.mean(np.sqrt(np.maximum(1 - (even / (K * r)) ** 2, 0))) - r, 1 / K, 1) for K in strengths[3:]]
    near("kuramoto: even, locked", last[3:], known, 4e-13)


def lorenz_96():
    """E. N. Lorenz, K. A. Emanuel, J. Atmos. Sci. 55 (1998) 399: with N = 40 and F = 8 errors double in 2.1 days of 0.2 units of
    time, 13 exponents are positive, and the dimension is 27.1. The sum of the exponents is the trace, -N."""
    found = run("lorenz_96", {
        "system": {"type": "equations", "parameters": {"F": 8}, "state": {"x": {"count": 40, "value": 8}},
                   "rates": {"x[i]": "(x[i+1] - x[i-2])*x[i-1] - x[i] + F"}},
        "integrator": "rk4",
        "time": {"step": 0.025, "end": 120},
        "sweep": [{"set": "initial.x.1", "from": 8.01, "to": 8.16, "count": 16}],
        "analyse": {"lyapunov": {"exponents": "all", "transient": 20, "renormalise": 0.5}},
    })
    exponents = found["lyapunov_spectrum"].mean(0)
    sums = np.cumsum(exponents)
    last = np.flatnonzero(sums > 0)[-1]
    near("lorenz_96: sum", found["lyapunov_sum"], -40, 5e-3)
    near("lorenz_96: days of doubling", 5 * np.log(2) / exponents[0], 2.1, 0.1)
    near("lorenz_96: dimension", last + 1 + sums[last] / -exponents[last + 1], 27.1, 0.1)
    near("lorenz_96: positive exponents", (exponents > 0.02).sum(), 13, 0)


def thomas():
    """Thomas' cyclically symmetric system (R. Thomas, Int. J. Bifurcation Chaos 9 (1999) 1889; J. C. Sprott, K. E. Chlouverakis,
    ibid. 17 (2007) 2097): rests lose stability at b = 1 and b = 0.32899, chaos begins at b = 0.208186."""
    system = {"type": "equations", "parameters": {"b": 0.2}, "state": {"x": 0.1, "y": 0, "z": 0},
              "rates": {"x": "sin(y) - b*x", "y": "sin(z) - b*y", "z": "sin(x) - b*z"}}
    found = run("thomas", {
        "system": system, "integrator": "rk4", "time": {"step": 0.1, "end": 4000},
        "sweep": [sweep("system.b", [0.2078, 0.208, 0.2084, 0.2086, 0.328, 0.33, 0.999, 1.001])],
        "analyse": {"lyapunov": {"exponents": "all", "transient": 2000}},
    })
    largest = found["lyapunov_max"]
    assert (largest[:2] > 0.01).all() and (largest[2:4] < 1e-3).all(), largest
    # The rest x = y = z with sin(x) = b x has the eigenvalues cos(x) exp(2 pi i k/3) - b: unstable at 0.328.
    b = np.array([0.328, 0.33, 0.999, 1.001])
    x = np.array([brentq(lambda x: np.sin(x) - own * x, 1e-3, 3) if own < 1 else 0 for own in b])
    known = np.maximum(np.cos(x), -np.cos(x) / 2) - b
    near("thomas: rests", largest[5:], known[1:], 2e-4)
    near("thomas: cycle", largest[4], 0, 3e-3)
    assert known[0] > 0


def standard_map():
    """The golden torus of the standard map breaks at K = 0.971635: residues (2 - trace)/4 of the orbits whose winding numbers are
    quotients of Fibonacci's numbers go to 0.25 there (J. M. Greene, J. Math. Phys. 20 (1979) 1183), to 0 below, and grow above."""
    K = np.array([0.95, 0.971635406, 0.99])
    ratios = [(21, 34), (34, 55), (55, 89)]

    def end(p, k, q):
        x = pi
        for _ in range(q):
            p += k * np.sin(x)
            x += p
        return x

    residues = []
    for turns, q in ratios:
        # An orbit with a positive residue has a point on x = pi.
        starts = [brentq(lambda p: end(p, k, q) - pi - 2 * pi * turns, 3.5, 4.2, xtol=1e-15, rtol=1e-15) for k in K]
        found = run(f"standard_{q}", {
            "system": {"type": "equations", "kind": "map", "parameters": {"K": 1}, "state": {"x": pi, "p": 0},
                       "define": {"kick": "p + K*sin(x)"}, "next": {"x": "x + kick", "p": "kick"}},
            "time": {"steps": q},
            "sweep": [{"name": "orbit", "set": ["system.K", "initial.p"], "values": np.transpose([K, starts]).tolist()}],
            "analyse": {"sensitivity": {"of": "end_state", "to": ["initial.x", "initial.p"]}},
        })
        residues.append((2 - np.trace(found["sensitivity"], axis1=1, axis2=2)) / 4)
    below, critical, above = np.transpose(residues)
    near("standard: residues", critical, 0.25, 2.5e-3)
    assert (np.diff(below) < -0.03).all() and (np.diff(above) > 0.2).all(), residues


for test in [transition, lorenz_96, thomas, standard_map]:
    test()
