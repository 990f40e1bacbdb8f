"""Ends of runs of table_end.sh: `table` writes sine.csv; `ends FILE`, `decay FILE` check a result."""

import sys

import h5py
import numpy as np
from scipy.integrate import quad
from scipy.interpolate import PchipInterpolator

LAST = 1.5


def table():
    x = np.linspace(-LAST, LAST, 61)
    with open("sine.csv", "w") as file:
        file.write("angle,s\n")
        for row in zip(x, np.sin(x)):
            file.write("%.17g,%.17g\n" % row)


def ends(path):
    """With s^2 = LAST - x the time to the end of the table is the integral of 2 s / v, v of the energy. Where
    a run would be beyond for less than a step, the step may pass over that."""
    x, y = np.loadtxt("sine.csv", delimiter=",", skiprows=1).T
    well = PchipInterpolator(x, y).antiderivative()
    depth = well(LAST) - well(0.0)
    roots = np.concatenate([[0.0], np.sqrt(LAST - x[(x > 0) & (x < LAST)])[::-1], [np.sqrt(LAST)]])

    def time(v):
        def rate(s):
            return 2.0 * s / np.sqrt(v * v - 2.0 * depth + 2.0 * (well(LAST) - well(LAST - s * s)))

        return sum(quad(rate, a, b, epsabs=1e-13, epsrel=1e-12)[0] for a, b in zip(roots, roots[1:]))

    with h5py.File(path) as file:
        runs = file["study/runs"]
        v, outcome, end_time, steps = (runs[name][:] for name in ("initial.v", "outcome", "end_time", "steps"))
    at_end = v * v - 2.0 * depth
    assert np.all(outcome[at_end < -1e-7] == 0) and np.all(end_time[outcome == 0] == 3.0)
    assert np.all(outcome[at_end > 1e-3] == 1) and set(outcome) == {0, 1}
    assert np.sum((outcome == 1) & (at_end < 1e-4)) > 5
    assert steps.max() < 20000, steps.max()
    worst = max(abs(time(v[i]) - end_time[i]) * np.sqrt(at_end[i]) for i in np.flatnonzero(outcome == 1)[::5])
    print("distance from the end of the table", worst, "steps", steps.max(), np.bincount(outcome))
    assert worst < 1e-7, worst


def decay(path):
    with h5py.File(path) as file:
        rate = file["study/runs/system.rate"][:]
        y, z = (file["study/summary/end_" + name][:] for name in "yz")
    assert np.allclose(y, np.exp(-rate / 1e6), rtol=1e-9, atol=0.0), np.abs(y / np.exp(-rate / 1e6) - 1).max()
    assert np.allclose(z, 1.0, rtol=1e-9, atol=0.0), np.abs(z - 1).max()


if __name__ == "__main__":
    {"table": table, "ends": ends, "decay": decay}[sys.argv[1]](*sys.argv[2:])
