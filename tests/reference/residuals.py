#!/usr/bin/env python3
"""Residual analysis of noisy curves by SciPy: the root mean square of y - filtfilt(y), the line of numpy's polyfit through
it at 21 cutoffs from an eighth to a quarter of the rate, and brentq's root where the root mean square is the line at 0 Hz.
Run: residuals.py > residuals.json"""
import json

import numpy as np
from scipy.optimize import brentq
from scipy.signal import butter, filtfilt

CASES = [("steps of an ankle at 70 Hz", 70, 106, 0.4, 0.004, [(0.9, 1.0), (1.8, 0.5), (2.7, 0.2), (4.5, 0.06)]),
         ("an angle at 100 Hz", 100, 150, 1.0, 0.003, [(0.7, 1.0), (2.1, 0.3), (3.5, 0.1)]),
         ("a run at 250 Hz", 250, 300, 0.8, 0.002, [(1.4, 1.0), (2.8, 0.4), (5.6, 0.1), (8.4, 0.03)]),
         ("a line with noise", 120, 100, 0.0, 0.01, []),
         ("without noise", 100, 120, 1.0, 0.0, [(0.5, 1.0)]),
         ("at rest", 100, 60, 0.0, 0.0, [])]


def analyse(y, rate):
    def residual(cutoff):
        return np.sqrt(np.mean((y - filtfilt(*butter(2, cutoff, fs=rate), y)) ** 2))

    tail = rate * np.linspace(0.125, 0.25, 21)
    noise = np.polyfit(tail, [residual(cutoff) for cutoff in tail], 1)[1]
    low, high = 1e-3 * rate, 0.125 * rate
    has_root = residual(low) > noise > residual(high)
    return noise, brentq(lambda cutoff: residual(cutoff) - noise, low, high, xtol=1e-13, rtol=1e-14) if has_root else None


random = np.random.default_rng(7)
print('{"about": "residual analysis; see residuals.py", "residuals": [')
for i, (name, rate, n, size, noise, waves) in enumerate(CASES):
    t = np.arange(n) / rate
    y = 1.2 * t * (size > 0) + size * sum(a * np.sin(2 * np.pi * f * t + 3 * f) for f, a in waves) + noise * random.standard_normal(n)
    y = np.array([float(f"{one:.7g}") for one in y])
    found, cutoff = analyse(y, rate)
    print(json.dumps({"name": name, "rate": rate, "y": y.tolist(), "noise": found, "cutoff": cutoff}) + ("," if i < len(CASES) - 1 else "]}"))
