#!/usr/bin/env python3
"""scipy's solve_ivp with DOP853 on the runs of bench_tolerance: its rows are added to that JSON file.

usage: tolerance_scipy.py TOLERANCE.json

As in the program: the loosest tolerance of the ladder whose largest error of the angles is at most the
one asked for. The reference is DOP853 at 3e-14, whose own error the tightest of the three is near.
"""
import json
import statistics
import sys
import time

try:
    import numpy as np
    from scipy.integrate import solve_ivp
except ImportError:
    sys.exit("skipped scipy: python3-scipy is not installed")

N_RUN, N_ALL, LAST, GRAVITY, WIDEST = 8, 1024, 10.0, 9.81, 0.5


def uniform(i):
    """splitmix64 of i as a number in [0, 1), as in runs.c."""
    mask = (1 << 64) - 1
    z = (i + 1) * 0x9E3779B97F4A7C15 & mask
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & mask
    z = (z ^ z >> 27) * 0x94D049BB133111EB & mask
    return ((z ^ z >> 31) >> 11) * 2.0**-53


def right_hand_side(run):
    length = [0.5 + 0.5 * uniform(3 * (2 * run + i)) for i in range(2)]
    mass = [0.5 + uniform(3 * (2 * run + i) + 1) for i in range(2)]
    mu = [(mass[0] / 2 + mass[1]) * length[0], mass[1] / 2 * length[1]]
    m11 = (mass[0] / 3 + mass[1]) * length[0] ** 2
    m22 = mass[1] / 3 * length[1] ** 2
    coupling = mu[1] * length[0]

    def f(_, x):
        a, b, u, v = x
        m12 = coupling * np.cos(a - b)
        sine = coupling * np.sin(a - b)
        f1 = -sine * v * v - mu[0] * GRAVITY * np.sin(a)
        f2 = sine * u * u - mu[1] * GRAVITY * np.sin(b)
        scale = 1.0 / (m11 * m22 - m12 * m12)
        return u, v, (m22 * f1 - m12 * f2) * scale, (m11 * f2 - m12 * f1) * scale

    start = [WIDEST * (2.0 * uniform(3 * (2 * run + i) + 2) - 1.0) for i in range(2)]
    return f, [*start, 0.0, 0.0]


def ends(tolerance):
    """Angles at the end of all runs, and seconds of each."""
    angles, seconds = [], []
    for run in range(N_RUN):
        f, start = right_hand_side(run)
        began = time.process_time()
        found = solve_ivp(f, (0.0, LAST), start, method="DOP853", rtol=tolerance, atol=tolerance)
        seconds.append(time.process_time() - began)
        angles.append(found.y[:2, -1])
    return np.array(angles), seconds


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        result = json.load(file)
    reference = ends(3e-14)[0]
    ours = {row["size"]: row for row in result["rows"] if row["name"] == "ours, tp86"}
    rung = 0
    for digits in (6, 9, 12):
        while rung < 43:
            tolerance = 1e-3 * 10 ** (-rung / 4)
            angles, seconds = ends(tolerance)
            error = np.max(np.abs(angles - reference))
            if error <= 10.0**-digits:
                break
            rung += 1
        name, ns = "scipy DOP853", 1e9 * statistics.median(seconds)
        if error > 10.0**-digits or digits not in ours:
            continue
        ratio = ns / ours[digits]["median"]
        result["rows"].append({
            "name": name, "size": digits, "isa": "", "threads": 1, "min": 1e9 * min(seconds),
            "median": ns, "unit": "ns/run", "rate": 1e9 / ns, "ratio": ratio, "best_ratio": ratio,
            "ratio_of": "ours, tp86/this"})
        result["notes"].append(f"1e-{digits:02} rad, {name}: tolerance {tolerance:.1e}, error {error:.1e}; "
                               "not in turns with the others")
    with open(sys.argv[1], "w", encoding="utf-8") as file:
        json.dump(result, file, indent=1)


if __name__ == "__main__":
    main()
