"""Labels of attractors in a result of tests/cli/attractors.sh, against a plain loop in numpy.

usage: attractors.py RESULT.h5
"""

import sys

import h5py
import numpy as np

DELTA, GAMMA, STEPS, PERIODS = 0.15, 0.1, 300, 80


def rates(t, x, v):
    return v, -DELTA * v + x - x**3 + GAMMA * np.cos(t)


def step(t, h, x, v):
    """Kutta's 3/8 rule."""
    a = rates(t, x, v)
    b = rates(t + h / 3, x + h / 3 * a[0], v + h / 3 * a[1])
    c = rates(t + 2 * h / 3, x + h * (b[0] - a[0] / 3), v + h * (b[1] - a[1] / 3))
    d = rates(t + h, x + h * (a[0] - b[0] + c[0]), v + h * (a[1] - b[1] + c[1]))
    return tuple(y + h / 8 * (p + 3 * q + 3 * r + s) for y, p, q, r, s in zip((x, v), a, b, c, d))


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

h = 2 * np.pi / STEPS
for k in range(STEPS * PERIODS):
    x, v = step(k * h, h, x, v)
distance = np.hypot(x[..., None] - points[:, 0], v[..., None] - points[:, 1])
found = np.where(distance.min(axis=-1) < 1e-2, distance.argmin(axis=-1) + 1, 0)
equal = np.mean(found == labels)
print(f"{len(points)} attractors, {100 * equal:.2f} % of the labels equal")
assert len(points) == 4 and equal >= 0.99, (len(points), equal)
