"""Fits of joint torques and of the force at the base against linear regression, by equations written out by hand."""
import subprocess
import sys

import h5py
import numpy as np

manylink = sys.argv[1]
L, M1, C1, C2, G = 0.5, 1.0, 0.25, 0.22, 9.81
TRUE = np.array([0.8, 0.02, 0.012, 0.05, 0.02])  # mass of the lower segment, inertias, dampers
SD = np.array([0.02, 0.01, 0.1])  # N m, N m, N


def motion(t):
    """Angles, rates, accelerations of both segments."""
    w = np.array([[3.1], [5.3]])
    size = np.array([[0.7], [1.1]])
    return size * np.sin(w * t), size * w * np.cos(w * t), -size * w**2 * np.sin(w * t)


def regressor(t):
    """[3, time, 5] and the rest [3, time]: torques of the actuators of both joints, vertical force of the base."""
    (a, b), (u, v), (da, dv) = motion(t)
    k, s = L * C2 * np.cos(a - b), L * C2 * np.sin(a - b)  # of a unit mass
    zero = np.zeros_like(t)
    lower = [C2**2 * dv + k * da - s * u**2 + C2 * G * np.sin(b), zero, dv, zero, v - u]
    upper = [L**2 * da + k * dv + s * v**2 + L * G * np.sin(a), da, zero, u, zero]
    both = [x + y for x, y in zip(lower, upper)]
    both[4] = zero  # the hinge's damper is between the segments
    rise = lambda angle, rate, turn: np.sin(angle) * turn + np.cos(angle) * rate**2
    force = [L * rise(a, u, da) + C2 * rise(b, v, dv) + G, zero, zero, zero, zero]
    rest = [M1 * (C1**2 * da + C1 * G * np.sin(a)), zero, M1 * (C1 * rise(a, u, da) + G)]
    return np.moveaxis(np.array([both, lower, force]), 1, 2), np.array(rest)


def table(path, names, columns):
    np.savetxt(path, np.column_stack(columns), delimiter=",", header=",".join(names), comments="", fmt="%.17g")


def fit(path, *options):
    subprocess.run([manylink, "fit", "torques.yaml", "-q", "-o", path, *options], check=True)
    with h5py.File(path) as f:
        g = f["study/fit"]
        return {k: g[k][...] for k in g if isinstance(g[k], h5py.Dataset)} | dict(g.attrs)


def solve(matrix, right):
    """Gauss' elimination with pivots; np.linalg has no extended precision."""
    a, n = np.column_stack([matrix, right]), len(matrix)
    for k in range(n):
        pivot = k + np.argmax(abs(a[k:, k]))
        a[[k, pivot]] = a[[pivot, k]]
        a[k] /= a[k, k]
        for i in range(n):
            if i != k:
                a[i] -= a[i, k] * a[k]
    return a[:, n:]


def compare(t, found, data):
    """Against the normal equations in extended precision, whose rounding is 1e-19 times their condition, some 1e4: BLAS, which
    rounds differently on every processor, has no part in them."""
    matrix, rest = regressor(t.astype(np.longdouble))
    matrix = (matrix / SD[:, None, None]).reshape(-1, 5)
    residual = ((data - rest) / SD[:, None]).ravel()
    normal = (matrix[:, :, None] * matrix[:, None, :]).sum(axis=0)
    estimate = solve(normal, (matrix * residual[:, None]).sum(axis=0))[:, 0]
    covariance = solve(normal, np.eye(5, dtype=np.longdouble))
    error = np.sqrt(np.diag(covariance))
    return np.max(abs(found["estimate"] - estimate) / error), np.max(abs(found["covariance"] - covariance) / np.outer(error, error))


time = 0.01 * np.arange(301)
rows = motion(time)
table("motion.csv", ["time"] + [f"{q}/{s}" for q in ("angle", "rate", "acceleration") for s in ("upper", "lower")],
      [time, *(x for row in rows for x in row)])
rng = np.random.default_rng(3)
matrix, rest = regressor(time)
data = matrix @ TRUE + rest + SD[:, None] * rng.normal(size=rest.shape)
table("torques.csv", ["time", "m1 (N m)", "m2 (N m)", "f (N)"], [time, *data])
found = fit("torques.h5", "--threads", "1")
off, off_covariance = compare(time, found, data)
print(f"estimates differ by {off:.1e} standard errors, covariances by {off_covariance:.1e}")
# A minimum is found as far as the cost, half of the sum of squares, shows it: a step by d standard errors changes the cost by d^2 / 2.
assert off < np.sqrt(2 * 2.2e-16 * 0.5 * data.size) and off_covariance < 1e-11
assert np.all(abs(found["estimate"] - TRUE) < 4 * found["standard_error"])
again = fit("again.h5", "--threads", "3", "--profile")
assert again["estimate"].tobytes() == found["estimate"].tobytes() and again["covariance"].tobytes() == found["covariance"].tobytes()
z = 1.959963984540054
off = np.max(abs(again["profile_high"] - found["estimate"] - z * found["standard_error"]) / found["standard_error"])
print(f"ends of profiles differ by {off:.1e} standard errors")
assert off < 1e-5

# Times between the samples of the motion.
between = 0.0137 + 0.0113 * np.arange(250)
matrix, rest = regressor(between)
data = matrix @ TRUE + rest + SD[:, None] * rng.normal(size=rest.shape)
table("torques.csv", ["time", "m1 (N m)", "m2 (N m)", "f (N)"], [between, *data])
off, off_covariance = compare(between, fit("between.h5"), data)
print(f"between samples: estimates differ by {off:.1e} standard errors, covariances by {off_covariance:.1e}")
assert off < 2e-4 and off_covariance < 2e-7

# The same of a motion that is not evenly sampled.
time = time + 0.003 * np.sin(40 * time)
rows = motion(time)
table("motion.csv", ["time"] + [f"{q}/{s}" for q in ("angle", "rate", "acceleration") for s in ("upper", "lower")],
      [time, *(x for row in rows for x in row)])
off, off_covariance = compare(between, fit("uneven.h5"), data)
print(f"uneven samples: estimates differ by {off:.1e} standard errors, covariances by {off_covariance:.1e}")
assert off < 2e-4 and off_covariance < 2e-7
