"""Labels of attractors in a result of tests/cli/attractors.sh, against SciPy's DOP853 at 1e-12.

usage: attractors.py RESULT.h5
"""

import sys

import h5py
import numpy as np
from scipy.integrate import solve_ivp

DELTA, GAMMA, PERIODS, TOLERANCE = 0.15, 0.1, 80, 1e-12


def rates(t, y):
    x, v = np.split(y, 2)
    return np.concatenate([v, -DELTA * v + x - x**3 + GAMMA * np.cos(t)])


with h5py.File(sys.argv[1]) as file:
    summary = file["study/summary"]
    labels = summary["beat_attractor"][()].astype(int)
    v, x = np.meshgrid(summary["initial.v"][()], summary["initial.x"][()], indexing="ij")
    table = file["study/attractors/beat"]
    points = np.stack([table["x"][()], table["v"][()]], axis=1)
    periods, fractions = table["period"][()], table["fraction"][()]
    first = table["first_run"][()].astype(int)

assert np.all(periods == 1), periods
assert np.all(np.diff(fractions) <= 0) and abs(fractions.sum() + np.mean(labels == 0) - 1) < 1e-12
assert np.allclose(fractions, [np.mean(labels == i + 1) for i in range(len(fractions))])
assert np.array_equal(labels.ravel()[first], np.arange(1, len(first) + 1))

# All starts are one system, whose steps are those that the hardest needs: the norm of its error is that of each
# number, times the root of how many there are.
start = np.concatenate([x.ravel(), v.ravel()])
bound = TOLERANCE / np.sqrt(start.size)
solved = solve_ivp(rates, (0, 2 * np.pi * PERIODS), start, method="DOP853", rtol=bound, atol=bound)
x, v = (part.reshape(labels.shape) for part in np.split(solved.y[:, -1], 2))
distance = np.hypot(x[..., None] - points[:, 0], v[..., None] - points[:, 1])
found = np.where(distance.min(axis=-1) < 1e-2, distance.argmin(axis=-1) + 1, 0)
equal = np.mean(found == labels)
print(f"{len(points)} attractors, {100 * equal:.2f} % of the labels equal")
assert len(points) == 4 and equal >= 0.99, (len(points), equal)

# What differs is on a boundary, where the labels of the result differ from cell to cell.
around = np.pad(labels, 1, mode="edge")
sides = np.stack([around[:-2, 1:-1], around[2:, 1:-1], around[1:-1, :-2], around[1:-1, 2:]])
on_boundary = (sides != labels).any(axis=0)
assert on_boundary[found != labels].all(), np.argwhere((found != labels) & ~on_boundary)
counts = [np.mean(found == i + 1) for i in range(len(fractions))]
print(f"fractions {fractions}, by DOP853 {counts}")
assert np.abs(counts - fractions).max() <= 0.01
