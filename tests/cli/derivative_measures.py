"""Tables of measures by derivatives against closed forms, numpy and scipy."""
import csv

import h5py
import numpy as np
from scipy.linalg import eigh, expm
from scipy.sparse import diags
from scipy.sparse.linalg import eigsh


def table(name):
    rows = {}
    for row in csv.DictReader(open(name + ".csv")):
        rows.setdefault(row["output"], []).append(row)
    return rows


def column(rows, name):
    return np.array([float(row[name] or "nan") for row in rows])


def near(what, found, expected, tolerance):
    error = np.max(np.abs(np.array(found) / np.array(expected) - 1))
    assert error <= tolerance, f"{what}: {error:.2e} > {tolerance:.0e}"


def measures(x, g, y, constants, is_log):
    """Mean squares, bounds, and eigenvalues over the variance with their vectors; x, g [input, run]."""
    h = np.where(np.array(is_log)[:, None], x * g, g)
    scale = np.array([np.log(a).std() if log else a.std() for a, log in zip(x, is_log)])
    values, vectors = eigh((scale[:, None] * h) @ (scale[:, None] * h).T / y.size / y.var())
    return (g**2).mean(1), constants * (h**2).mean(1) / y.var(), values[::-1], vectors[:, ::-1]


def constant_of_elements(density, low, high, n=4000):
    """Poincare constant by linear finite elements: another way than the program's."""
    x = np.linspace(low, high, n + 1)
    h, p = x[1] - x[0], density(0.5 * (x[1:] + x[:-1]))
    both = np.r_[p, 0] + np.r_[0, p]
    stiff = diags([-p / h, both / h, -p / h], [-1, 0, 1]).tocsc()
    mass = diags([p * h / 6, both * h / 3, p * h / 6], [-1, 0, 1]).tocsc()
    return 1 / sorted(eigsh(stiff, 2, mass, sigma=-0.1)[0])[1]


# Ishigami: closed forms within the intervals, total indices below the bounds.
rows = table("ishigami")["end_f"]
p = np.pi
nu = np.array([0.5 * (1 + 0.2 * p**4 / 5 + 0.01 * p**8 / 9), 24.5, 0.08 * p**6 / 7])
variance = 49 / 8 + 0.1 * p**4 / 5 + 0.01 * p**8 / 18 + 0.5
assert (np.abs(column(rows, "mean_square") - nu) <= column(rows, "mean_square_half")).all()
assert (np.abs(column(rows, "total_bound") - 4 * nu / variance) <= column(rows, "total_bound_half")).all()
near("nu", column(rows, "mean_square"), nu, 0.01)
for study in "ishigami", "pendulum":
    totals = table(study + "-sobol")
    for output, rows in table(study).items():
        assert (column(rows, "total_bound") > column(totals[output], "total") - column(totals[output], "total_half")).all(), output

# A double pendulum: all numbers of the table from derivatives, inputs and outputs of the file.
constants = np.array([0.01, (np.log(4) / p) ** 2, 0, np.log1p(0.01)])
constants[2] = constant_of_elements(lambda x: np.where(x < 0.9, (x - 0.8) / 0.1, (1.2 - x) / 0.3), 0.8, 1.2)
with h5py.File("pendulum.h5") as f:
    s = f["study/summary"]
    inputs = list(f["study/runs"].attrs["inputs"])
    x = np.array([f["study/runs"][i][:] for i in inputs])
    outputs, derivatives = list(s["output"].asstr()), s["sensitivity"][:]
    assert list(s["parameter"].asstr()) == inputs
    for number, output, y in ("end_angle.upper", "angle.upper", s["end_angle"][:, 0]), ("max_rate.lower", "max_rate.lower", s["max_rate"][:, 1]):
        rows = table("pendulum")[number]
        g = derivatives[:, outputs.index(output)].T
        squares, bounds, values, vectors = measures(x, g, y, constants, [False, True, False, True])
        near("mean squares", column(rows, "mean_square"), squares, 1e-12)
        near("bounds", column(rows, "total_bound"), bounds, 1e-5)
        found = column(rows, "eigenvalue")
        assert np.max(np.abs(found - values)) < 1e-12 * values[0], (found, values)
        assert found[3] < 1e-15 * found[0], "the motion depends on the ratio of the masses alone"
        found = column(rows, "activity")
        errors = [np.max(np.abs(found - (values * vectors**2)[:, :m].sum(1))) for m in (1, 2, 3)]
        assert min(errors) < 1e-12, errors
assert len(table("pendulum")) == 6

# An oscillator with k and c = k/10 that move together: the derivative along both, by the matrix exponential.
def end_x(k, m):
    return expm(np.array([[0, 1], [-k / m, -k / 10]]))[0, 0]


with h5py.File("oscillator.h5") as f:
    assert f["study/runs/system.c"].attrs["distribution_of"] == "system.k"
    x = np.array([f["study/runs/system.k"][:], f["study/runs/system.m"][:]])
    y = f["study/summary/end_x"][:]
step = 1e-4
g = np.array([[(end_x(*(z + d)) - end_x(*(z - d))) / (2 * step) for z in x.T] for d in np.eye(2) * step])
squares, bounds, values, _ = measures(x, g, y, np.array([0.01, 1 / p**2]), [False, False])
rows = table("oscillator")["end_x"]
near("oscillator", np.r_[column(rows, "mean_square"), column(rows, "total_bound"), column(rows, "eigenvalue")], np.r_[squares, bounds, values], 1e-7)

# A fall: the time of the event, sqrt(2 y/g).
with h5py.File("fall.h5") as f:
    x = np.array([f["study/runs/initial.y"][:], f["study/runs/system.g"][:]])
    y = f["study/summary/ground_time"][:]
time = np.sqrt(2 * x[0] / x[1])
squares, bounds, _, _ = measures(x, np.array([time / (2 * x[0]), -time / (2 * x[1])]), y, np.array([1 / p**2, np.nan]), [False, False])
rows = table("fall")["ground_time"]
near("fall", column(rows, "mean_square"), squares, 1e-8)
near("fall", column(rows, "total_bound")[0], bounds[0], 1e-8)
assert np.isnan(column(rows, "total_bound")[1])
