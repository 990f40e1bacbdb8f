"""Fits of several experiments against scipy."""
import subprocess
import sys

import h5py
import numpy as np
from scipy.optimize import least_squares


def model(t, k, c, f, x0, v0):
    w, rest = np.sqrt(k - c * c / 4), f / k
    decay, a = np.exp(-c * t / 2), x0 - rest
    b = (v0 + c / 2 * a) / w
    x = rest + decay * (a * np.cos(w * t) + b * np.sin(w * t))
    v = decay * ((b * w - c / 2 * a) * np.cos(w * t) - (a * w + c / 2 * b) * np.sin(w * t))
    return np.array([x, v])


def fit(study, output, *more):
    done = subprocess.run([sys.argv[1], "fit", study, "-o", output, *more], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done
    with h5py.File(output) as f:
        group = f["study/fit"]
        read = {name: group[name][()] for name in ("estimate", "standard_error", "covariance", "residual_rms", "durbin_watson", "residual", "time")}
        return done.stdout, [name.decode() for name in group["parameter"][:]], [name.decode() for name in group["column"][:]], read


rng = np.random.default_rng(7)
times = [np.arange(0, 161) * 0.025, np.arange(0, 100, 3) * 0.025, np.arange(1, 50) * 0.0625]
forces, rates, numbers = [25, 40, 0], [0, 0, -2], np.array([25, 0.1, 0.6, 1.2, 0.8])  # k, x of each, c
sd = np.array([[0.01], [0.05]])


def curves(p):
    return [model(t, p[0], p[4], f, p[1 + e], v) for e, (t, f, v) in enumerate(zip(times, forces, rates))]


data = [y + sd * rng.normal(size=y.shape) for y in curves(numbers)]
for name, t, y in zip(("rest", "push", "free"), times, data):
    columns, head = ([t, y[0]], "time,x") if name == "push" else ([t, *y], "time,x,v")
    np.savetxt(name + ".csv", np.column_stack(columns), delimiter=",", header=head, comments="", fmt="%.17g")


def residuals(p):
    parts = [(y - m) / sd for y, m in zip(data, curves(p))]
    return np.concatenate([part[:1 if e == 1 else 2].ravel() for e, part in enumerate(parts)])


known = least_squares(residuals, numbers, jac="3-point", xtol=1e-15, ftol=1e-15, gtol=1e-15)
covariance = np.linalg.inv(known.jac.T @ known.jac)
page, names, columns, found = fit("joint.yaml", "joint.h5")
assert names == ["system.k", "rest: initial.x", "push: initial.x", "free: initial.x", "system.c"], names
assert columns == ["rest: x", "rest: v", "push: x", "free: x", "free: v"], columns
off = abs(found["estimate"] - known.x) / np.sqrt(np.diag(covariance))
assert off.max() < 1e-6, off
error = abs(found["covariance"] - covariance) / np.sqrt(np.outer(np.diag(covariance), np.diag(covariance)))
assert error.max() < 2e-6, error
assert "of 3 experiments" in page and "residuals of push: x: rms" in page, page

# Residuals of each column of each experiment, beside the times of its own table.
best = [(y - m) for y, m in zip(data, curves(known.x))]
own = [best[0][0], best[0][1], best[1][0], best[2][0], best[2][1]]
at = [times[0], times[0], times[1], times[2], times[2]]
for c, (e, t) in enumerate(zip(own, at)):
    there = np.isfinite(found["residual"][c])
    assert np.allclose(found["time"][there], t, atol=1e-9) and np.allclose(found["residual"][c][there], e, atol=1e-7), c
    assert abs(found["residual_rms"][c] / np.sqrt(np.mean(e ** 2)) - 1) < 1e-5, c
    assert abs(found["durbin_watson"][c] / (np.sum(np.diff(e) ** 2) / np.sum(e ** 2)) - 1) < 1e-5, c

# The bits of one thread and of two, and of a fit without `experiments`.
one, two = (fit("joint.yaml", "threads.h5", "--threads", n)[3] for n in "12")
assert all(one[name].tobytes() == two[name].tobytes() for name in one)
text = open("joint.yaml", encoding="utf-8").read()
head, tail = text.split("  experiments:\n")
rest = tail.split("  own: [initial.x]\n")[1]
open("plain.yaml", "w", encoding="utf-8").write(head + "  to: rest.csv\n" + rest)
open("one.yaml", "w", encoding="utf-8").write(head + "  experiments: [{to: rest.csv}]\n" + rest)
plain, one = (fit(name + ".yaml", name + ".h5")[3] for name in ("plain", "one"))
assert all(plain[name].tobytes() == one[name].tobytes() for name in plain)

# The noise found by the fit, of all experiments together.
found = fit("joint.yaml", "noise.h5", "--set", "fit.columns={x: x}", "--set", "fit.experiments[1].leave_out=[]", "--set", "fit.sd=0.02")[3]
assert np.isfinite(found["standard_error"]).all()
