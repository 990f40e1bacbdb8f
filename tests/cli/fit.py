"""A fit of six numbers of a double pendulum against scipy.optimize.least_squares with a model of its own."""
import importlib.util
import os
import subprocess
import sys

import h5py
import numpy as np
from scipy.optimize import least_squares

reference, manylink = sys.argv[1:3]
spec = importlib.util.spec_from_file_location("fit_pendulum", os.path.join(reference, "fit_pendulum.py"))
pendulum = importlib.util.module_from_spec(spec)
spec.loader.exec_module(pendulum)


def read(path):
    with h5py.File(path) as f:
        g = f["study/fit"]
        return {k: g[k][...] for k in g if isinstance(g[k], h5py.Dataset)} | {k: v for k, v in g.attrs.items()}


def fit(text, *options, path="again"):
    with open(path + ".yaml", "w") as out:
        out.write(text)
    subprocess.run([manylink, "fit", path + ".yaml", "-q", "--threads", "1", "--kernel", "general", "-o", path + ".h5", *options], check=True)
    return read(path + ".h5")


one, three = read("one.h5"), read("three.h5")
for key in one:
    if isinstance(one[key], np.ndarray) and one[key].dtype.kind == "f":
        assert one[key].tobytes() == three[key].tobytes(), key

# The same minimum and covariance as scipy's, from another integration with numerical derivatives.
data = np.loadtxt("fit_pendulum.csv", delimiter=",", skiprows=1)
time, both = data[:, 0], data[:, 1:]
scipy = least_squares(
    lambda p: (pendulum.angles(time, p) - both).ravel(),
    one["estimate"] * (1 + 1e-3),
    jac="3-point",
    x_scale=one["standard_error"],
    xtol=1e-14,
    ftol=1e-14,
    gtol=1e-14,
)
variance = 2 * scipy.cost / (both.size - 6)
covariance = variance * np.linalg.inv(scipy.jac.T @ scipy.jac)
error = np.sqrt(np.diag(covariance))
off = np.max(abs(one["estimate"] - scipy.x) / error)
off_covariance = np.max(abs(one["covariance"] - covariance) / np.outer(error, error))
print(f"estimates differ by {off:.1e} standard errors, covariances by {off_covariance:.1e}, squares by "
      f"{one['squares'] / (2 * scipy.cost) - 1:.1e}")
assert off < 5e-4 and off_covariance < 4e-4
assert abs(one["variance"] - variance) < 1e-6 * variance
residual = both - pendulum.angles(time, one["estimate"])
assert np.max(abs(one["residual"] - residual.T)) < 1e-5
e = residual[:, 0]
assert abs(one["durbin_watson"][0] - np.sum(np.diff(e) ** 2) / np.sum(e * e)) < 1e-4

# Singular values of the Jacobian in parts of the ranges, by numpy.
text = open("fit.yaml").read()
low = np.array([0.3, 0.1, 0.003, 0.001, 0.001, 0.5])
high = np.array([3, 0.35, 0.06, 0.2, 0.1, 1.5])
is_log = np.array([1, 0, 1, 1, 1, 0], bool)
scale = np.where(is_log, scipy.x * np.log(high / low), high - low)
singular = np.linalg.svd(scipy.jac * scale, compute_uv=False)
assert np.max(abs(one["singular_value"] / singular - 1)) < 1e-3
half = np.log(one["high"] / one["estimate"]) * one["estimate"] / one["standard_error"]
assert abs(half[0] - 1.9623) < 1e-3  # Student's t of 994 degrees of freedom

# Times between samples, by the polynomial through six of them.
between = fit(text.replace("step: 0.005, end: 5", "step: 0.003, steps: 1700"))
assert np.max(abs(between["estimate"] - one["estimate"]) / error) < 5e-4

# Gaps, degrees, another column of times: the same data, less what is missing; deviations that are given.
lines = ["t;theta_2 (deg);theta_1 (deg)"] + [
    f"{t:.2f};{np.degrees(b):.9g};{'' if k % 10 == 3 else f'{np.degrees(a):.9g}'}" for k, (t, (a, b)) in enumerate(zip(time, both))
]
with open("gaps.csv", "w") as out:
    out.write("\n".join(lines) + "\n")
gaps = text.replace("fit_pendulum.csv", "gaps.csv\n  time: t\n  sd: {angle.upper: 0.01, angle.lower: 0.02}")
found = fit(gaps)
weights = np.array([100.0, 50.0]) * np.ones_like(both)
weights[3::10, 0] = 0
scipy = least_squares(
    lambda p: (weights * (pendulum.angles(time, p) - both)).ravel(),
    found["estimate"] * (1 + 1e-3), jac="3-point", x_scale=found["standard_error"], xtol=1e-14, ftol=1e-14, gtol=1e-14)
covariance = np.linalg.inv(scipy.jac.T @ scipy.jac)
error = np.sqrt(np.diag(covariance))
assert found["missing"] == 50 and found["variance"] == 1
assert np.max(abs(found["estimate"] - scipy.x) / error) < 5e-4
assert np.max(abs(found["covariance"] - covariance) / np.outer(error, error)) < 4e-4
assert np.isnan(found["residual"][0, 3]) and abs(found["squares"] / (2 * scipy.cost) - 1) < 1e-6

# Coverage: the first start is the study's own guess.
inside, n_seed = [], 100
few = text.replace("count: 256", "count: 1").replace("fit_pendulum.csv", "seed.csv")
exact_time = 0.02 * np.arange(250)
exact = pendulum.angles(exact_time, pendulum.TRUE)
for seed in range(n_seed):
    noise = pendulum.NOISE * np.random.default_rng(1000 + seed).normal(size=exact.shape)
    pendulum.write("seed.csv", exact_time, exact + noise)
    found = fit(few)
    inside.append((found["low"] <= pendulum.TRUE) & (pendulum.TRUE <= found["high"]))
coverage = np.mean(inside, axis=0)
print("coverage of 95 % intervals:", coverage, "all", np.mean(inside))
assert np.all((coverage > 0.90) & (coverage < 0.995)), coverage
