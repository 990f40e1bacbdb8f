"""Deviations of each number against scipy."""
import re
import subprocess
import sys

import h5py
import numpy as np
from scipy.optimize import least_squares

t = np.arange(161) * 0.025


def model(p):
    k, c = p
    w = np.sqrt(k - c * c / 4)
    decay = np.exp(-c * t / 2)
    x = 25 / k * (1 - decay * (np.cos(w * t) + c / 2 / w * np.sin(w * t)))
    return np.array([x, 25 / w * decay * np.sin(w * t)])


def fit(numbers, *more):
    np.savetxt("step.csv", np.column_stack([t, *numbers]), delimiter=",", header="time,x,v,sx,sv", comments="", fmt="%.17g")
    done = subprocess.run([sys.argv[1], "fit", "step.yaml", "-o", "step.h5", *more], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done
    with h5py.File("step.h5") as f:
        return done.stdout, f["study/fit/estimate"][:], f["study/fit/standard_error"][:]


rng = np.random.default_rng(3)
truth = np.array([25, 0.8])
sd = np.array([0.001 + 0.05 * t / 4, 0.02 * 10 ** rng.uniform(-1, 1, len(t))])
y = model(truth) + sd * rng.normal(size=sd.shape)
page, found, error = fit([*y, *sd])
known = least_squares(lambda p: ((model(p) - y) / sd).ravel(), truth, jac="3-point", xtol=1e-15, ftol=1e-15, gtol=1e-15)
expected = np.sqrt(np.diag(np.linalg.inv(known.jac.T @ known.jac)))
assert (abs(found / known.x - 1) < 2e-8).all(), (found, known.x)
assert (abs(error / expected - 1) < 2e-6).all(), (error, expected)
assert (abs(found - truth) < 3 * error).all(), (found, error)
chi2 = float(re.search(r"chi\^2 / 320 degrees of freedom: (\S+) ", page)[1])
assert abs(chi2 / (2 * known.cost / 320) - 1) < 1e-3, (chi2, known.cost)
assert "standard deviations of the others" not in page, page
assert (error < 0.7 * fit([*y, *sd], "--set", "fit.sd={x: 0.02, v: 0.1}")[2]).all()

# A number is far from the others by its own deviation.
wrong = y.copy()
wrong[0, 8] += 8 * sd[0, 8]
assert re.search(r"1 of 161 residuals is beyond 5 standard deviations of the others, which is [01].\d+ `sd`: \S+ at 0.2 s", fit([*wrong, *sd])[0])

# One deviation, and two columns that share one; any number of threads.
same = np.full(len(t), 0.03)
by_column, by_number = fit([*y, same, same]), fit([*y, same, same], "--set", "fit.sd={x: 0.03, v: 0.03}")
assert by_column[1].tobytes() == by_number[1].tobytes() and by_column[2].tobytes() == by_number[2].tobytes()
y[1] = y[0]
one, two = (fit([*y, sd[0], sd[0]], "--threads", n, "--set", "fit.columns={x: x, 1*x: v}", "--set", f"fit.sd={s}")
            for n, s in ((1, "{x: sx, 1*x: sx}"), (2, "{x: sx, 1*x: sv}")) for n in [str(n)])
assert one[1].tobytes() == two[1].tobytes() and one[2].tobytes() == two[2].tobytes()
fit([*model(truth), *sd])
