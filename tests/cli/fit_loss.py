"""Robust losses against scipy."""
import re
import subprocess
import sys

import h5py
import numpy as np
from scipy.optimize import least_squares

TUNING = {"huber": 1.345, "soft_l1": 1.345, "cauchy": 2.385}
t = np.arange(161) * 0.025


def model(p):
    k, c = p
    w = np.sqrt(k - c * c / 4)
    return 25 / k * (1 - np.exp(-c * t / 2) * (np.cos(w * t) + c / 2 / w * np.sin(w * t)))


def fit(y, loss, *more):
    np.savetxt("step.csv", np.array([t, y]).T, delimiter=",", header="time,x", comments="", fmt="%.17g")
    done = subprocess.run([sys.argv[1], "fit", "step.yaml", "--set", f"fit.loss={loss}", "-o", "step.h5", *more], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done
    with h5py.File("step.h5") as f:
        return done.stdout, f["study/fit/estimate"][:], f["study/fit/standard_error"][:]


rng = np.random.default_rng(7)
truth = np.array([25, 0.8])
clean = model(truth) + 0.002 * rng.normal(size=len(t))
y = clean.copy()
y[rng.choice(161, 8, replace=False)] += 0.05 * rng.choice([-1, 1], 8)
y[100] = 3
squares = fit(y, "squares")[1]
for loss, tuning in TUNING.items():
    page, found, error = fit(y, loss)
    count, scale = re.search(r"loss: (\d+) of 161 residuals are beyond its scale, (\S+), and", page).groups()
    scale = float(scale)
    known = least_squares(lambda p: model(p) - y, truth, jac="3-point", loss=loss, f_scale=scale, xtol=1e-15, ftol=1e-15, gtol=1e-15)
    residual = model(known.x) - y
    assert abs(scale / (tuning * 1.4826 * np.median(abs(residual))) - 1) < 1e-6, (loss, scale)
    assert int(count) == (abs(residual) > scale).sum()
    assert (abs(found / known.x - 1) < 1e-6).all(), (loss, found, known.x)
    assert (abs(found - truth) < 3 * error).all() and (abs(found - truth) < 0.1 * abs(squares - truth)).all(), (loss, found, error)
    psi, slope = {"huber": lambda u: (np.clip(u, -1, 1), abs(u) < 1), "soft_l1": lambda u: (u / np.sqrt(1 + u * u), (1 + u * u) ** -1.5),
                  "cauchy": lambda u: (u / (1 + u * u), (1 - u * u) / (1 + u * u) ** 2)}[loss](residual / scale)
    jacobian = np.array([(model(known.x + d) - model(known.x - d)) / 2e-5 for d in np.eye(2) * 1e-5]).T
    variance = scale**2 * (psi @ psi) / 159 / np.mean(slope) ** 2
    expected = np.sqrt(np.diag(np.linalg.inv(jacobian.T @ jacobian) * variance))
    assert (abs(error / expected - 1) < 1e-5).all(), (loss, error, expected)
    # Of normal noise: little is lost.
    plain, robust = fit(clean, "squares"), fit(clean, loss)
    assert (abs(robust[1] - plain[1]) < plain[2]).all() and (robust[2] < 1.25 * plain[2]).all(), (loss, plain, robust)
held = 0
for seed in range(12):
    rng = np.random.default_rng(seed)
    y = model(truth) + 0.002 * rng.normal(size=161) + 0.05 * (rng.random(161) < 0.05) * rng.choice([-1, 1], 161)
    _, found, error = fit(y, "huber", "--threads", "1", "--set", "time.step=0.005")
    held += (abs(found - truth) < 1.98 * error).sum()
assert held >= 20, held
fit(y, "huber", "--threads", "1", "--set", "time.step=0.005")
with h5py.File("step.h5") as f:
    first = f["study/fit/estimate"][:].tobytes()
assert fit(y, "huber", "--threads", "2", "--set", "time.step=0.005")[1].tobytes() == first
