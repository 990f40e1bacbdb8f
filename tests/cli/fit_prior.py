"""Fits with priors against closed forms."""
import os
import subprocess
import sys

import h5py
import numpy as np
from scipy.optimize import least_squares


def fit(study, *more):
    done = subprocess.run([sys.argv[1], "fit", study, "-o", "fit.h5", *more], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done
    with h5py.File("fit.h5") as f:
        return done.stdout, {name: data[()] for name, data in f["study/fit"].items() if isinstance(data, h5py.Dataset)} | dict(f["study/fit"].attrs)


def same(found, x, covariance, tolerance):
    sd = np.sqrt(np.diag(covariance))
    assert (abs(found["estimate"] - x) / sd).max() < tolerance, (found["estimate"] - x) / sd
    assert (abs(found["covariance"] - covariance) / np.outer(sd, sd)).max() < 10 * tolerance, found["covariance"]
    assert np.allclose(found["standard_error"], sd, rtol=10 * tolerance)
    return sd


# A linear model of normal priors: posterior covariance (X^T X / sd^2 + P^-1)^-1. The factor multiplies -0.5.
rng = np.random.default_rng(3)
t, sd = np.arange(17) * 0.25, 0.4
y = 1 + 2 * t - 0.5 * t ** 2 + sd * rng.normal(size=t.size)
np.savetxt("line.csv", np.column_stack([t, y]), delimiter=",", header="time,y", comments="", fmt="%.17g")
X, mean, precision = np.column_stack([t ** 0, t, -0.5 * t ** 2]), np.array([1.2, 0, 1]), np.diag([0.3 ** -2, 0, 0.25 ** -2])
covariance = np.linalg.inv(X.T @ X / sd ** 2 + precision)
x = covariance @ (X.T @ y / sd ** 2 + precision @ mean)
page, found = fit("line.yaml", "--profile")
error = same(found, x, covariance, 1e-9)
off = (x - mean)[[0, 2]] / [0.3, 0.25]
squares = np.sum((y - X @ x) ** 2) / sd ** 2 + np.sum(off ** 2)
assert abs(found["squares"] / squares - 1) < 1e-10 and found["degrees_of_freedom"] == 17 + 2 - 3, found["squares"]
assert np.isnan(found["aic"]) and "AIC" not in page
assert np.allclose(found["low"], x - 1.959964 * error, rtol=1e-6) and np.allclose(found["profile_low"], found["low"], atol=1e-4 * error.min())
assert np.array_equal(found["prior_mean"], [1.2, np.nan, 1], equal_nan=True) and np.array_equal(found["prior_sd"], [0.3, np.nan, 0.25], equal_nan=True)
assert f"prior of system.a: normal, 1.2 +- 0.3; the estimate is {off[0]:.2f} deviations off, with an error of {error[0] / 0.3:.2f} deviations\n" in page, page

# A far prior of little weight leaves the fit by bounds alone.
free = fit("line.yaml", "--set", "sample.over[0]={set: system.a, from: -9, to: 9}", "--set", "sample.over[2]={set: system.c, scale_by: {from: -9, to: 9}}")[1]
wide = fit("line.yaml", "--set", "sample.over[0].sd=1e5", "--set", "sample.over[2].scale_by.cv=1e5")[1]
assert np.allclose(free["estimate"], wide["estimate"], rtol=1e-7) and "prior_mean" not in free
same(free, np.linalg.lstsq(X, y, rcond=None)[0], sd ** 2 * np.linalg.inv(X.T @ X), 5e-8)

# A second set of measured numbers with the estimates of a first one as correlated priors: the fit of both sets at once.
other = np.arange(1, 22) * 0.125
more = 1 + 2 * other - 0.5 * other ** 2 + sd * rng.normal(size=other.size)
np.savetxt("more.csv", np.column_stack([other, more]), delimiter=",", header="time,y", comments="", fmt="%.17g")
flat = ["--set", "sample.over[0]={set: system.a, from: -2, to: 2}", "--set", "sample.over[2]={set: system.c, from: -2, to: 2}"]
fit("line.yaml", *flat)
os.rename("fit.h5", "first.h5")
found = fit("line.yaml", "--set", "sample={from_fit: first.h5, method: sobol, count: 4}", "--set", "fit.to=more.csv", "--profile")[1]
Y, both = np.concatenate([y, more]), np.concatenate([t, other])
X2 = np.column_stack([both ** 0, both, both ** 2])
covariance2 = sd ** 2 * np.linalg.inv(X2.T @ X2)
error2 = same(found, covariance2 @ (X2.T @ Y) / sd ** 2, covariance2, 1e-9)
assert found["degrees_of_freedom"] == 21 and np.allclose(found["profile_low"], found["low"], atol=1e-4 * error2.min())
parts = [np.sum((u - w @ np.linalg.lstsq(w, u, rcond=None)[0]) ** 2) / sd ** 2 for u, w in ((Y, X2), (y, X2[:y.size]))]
assert abs(found["squares"] - (parts[0] - parts[1])) < 1e-8 * parts[0], (found["squares"], parts)


# Lognormal and normal priors, also of numbers that each experiment has.
def model(t, k, c, f, x0):
    w, rest = np.sqrt(k - c * c / 4), f / k
    return rest + np.exp(-c * t / 2) * (x0 - rest) * (np.cos(w * t) + c / 2 / w * np.sin(w * t))


times, forces, numbers = [np.arange(0, 41) * 0.1, np.arange(0, 21) * 0.2], [25, 40], [25, 0.8, 0.02, -0.01]
data = [model(t, *numbers[:2], f, x0) + 0.05 * rng.normal(size=t.size) for t, f, x0 in zip(times, forces, numbers[2:])]
for name, t, y in zip(("rest", "push"), times, data):
    np.savetxt(name + ".csv", np.column_stack([t, y]), delimiter=",", header="time,x", comments="", fmt="%.17g")
variance = np.log1p(0.02 ** 2)


def residuals(p):  # of log k, c and both starts
    measured = [(m - model(t, np.exp(p[0]), p[1], f, x0)) / 0.05 for m, t, f, x0 in zip(data, times, forces, p[2:])]
    priors = [(p[0] - np.log(24) + variance / 2) / np.sqrt(variance), (p[1] - 0.9) / 0.05, p[2] / 0.01, p[3] / 0.01]
    return np.concatenate([*measured, priors])


known = least_squares(residuals, [np.log(24), 0.9, 0, 0], jac="3-point", xtol=1e-15, ftol=1e-15, gtol=1e-15)
scale = np.diag([np.exp(known.x[0]), 1, 1, 1])
covariance = scale @ np.linalg.inv(known.jac.T @ known.jac) @ scale
page, found = fit("step.yaml", "--threads", "1")
same(found, [np.exp(known.x[0]), *known.x[1:]], covariance, 1e-6)
assert found["page"].decode() == page or page.startswith(found["page"].decode()), page
assert np.array_equal(found["prior_mean"], [24, 0.9, 0, 0]) and found["degrees_of_freedom"] == 62
again = fit("step.yaml", "--threads", "2")[1]
assert again["estimate"].tobytes() == found["estimate"].tobytes() and again["covariance"].tobytes() == found["covariance"].tobytes()
