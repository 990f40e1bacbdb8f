"""Profiles of fits against closed forms and scipy."""
import subprocess
import sys

import h5py
import numpy as np
from scipy.optimize import brentq, least_squares
from scipy.stats import chi2, t as student

manylink = sys.argv[1]
rng = np.random.default_rng(5)


def fit(name, *options):
    subprocess.run([manylink, "fit", name + ".yaml", "-q", "--profile", *options], check=True)
    with h5py.File(name + "_fit.h5") as f:
        g = f["study/fit"]
        return {k: g[k][...] for k in g if isinstance(g[k], h5py.Dataset)} | dict(g.attrs)


def write(name, time, x):
    np.savetxt(name + ".csv", np.column_stack([time, x]), delimiter=",", header="time,x", comments="", fmt="%.12g")
    return np.loadtxt(name + ".csv", delimiter=",", skiprows=1)[:, 1]


# x = b + a t with unknown noise: tau is (p - estimate) / error, the ends are those of Student's t.
time = 0.5 * np.arange(11)
x = write("line", time, 2 * time - 1 + 0.3 * rng.normal(size=11))
found = fit("line", "--threads", "1")
design = np.column_stack([time, np.ones(11)])
estimate, squares = np.linalg.lstsq(design, x, rcond=None)[:2]
error = np.sqrt(np.diag(np.linalg.inv(design.T @ design)) * squares[0] / 9)
half = student.ppf(0.975, 9) * error
off = np.max(abs(np.array([found["profile_low"] - (estimate - half), found["profile_high"] - (estimate + half)]) / error))
points = found["profile_numbers"]
tau = (points[[0, 1], :, [0, 1]] - estimate[:, None]) / error[:, None]
off_tau = np.max(abs(found["profile"][:2] - tau))
print(f"line: ends differ by {off:.1e} standard errors, tau by {off_tau:.1e}")
assert off < 1e-4 and off_tau < 1e-4  # Student's t is an expansion, good to 3e-5
other = np.linalg.inv(design.T @ design)
along = estimate[1] + other[0, 1] / other[0, 0] * (points[0, :, 0] - estimate[0])
assert np.max(abs(points[0, :, 1] - along) / error[1]) < 1e-5
assert np.max(abs(found["profile"][2] - student.ppf(0.975, 9))) < 1e-4
again = fit("line", "--threads", "2", "--kernel", "general")
assert again["profile"].tobytes() == found["profile"].tobytes()

# x = c + (x0 - c) exp(-k t) with a known deviation, and ends where the sum of squares rises by chi^2 of one.


LOW, HIGH = np.array([0.05, 0, -20]), np.array([20, 10, 3.0])


def profile(time, x, best, i, value):
    """Least sum of squares with number i at a value."""
    others = [j for j in range(3) if j != i]

    def residual(q):
        p = np.empty(3)
        p[i], p[others] = value, q
        return (p[2] + (p[1] - p[2]) * np.exp(-p[0] * time) - x) / 0.05

    return 2 * least_squares(residual, np.clip(best[others], LOW[others] + 1e-9, HIGH[others] - 1e-9), xtol=1e-15, ftol=1e-15, gtol=1e-15, x_scale="jac", max_nfev=5000,
                             bounds=(LOW[others], HIGH[others])).cost


def compare(name, time, x):
    found = fit(name)
    best = found["estimate"]
    least = 2 * least_squares(lambda p: (p[2] + (p[1] - p[2]) * np.exp(-p[0] * time) - x) / 0.05, best, xtol=1e-15, ftol=1e-15,
                              gtol=1e-15).cost
    worst = 0
    for i in range(3):
        for end, sign in (("profile_low", -1), ("profile_high", 1)):
            if np.isnan(found[end][i]):
                continue
            limit = chi2.ppf(0.95, 1)
            rise = lambda v: profile(time, x, best, i, v) - least - limit
            at = brentq(rise, best[i] + 1e-3 * sign * found["standard_error"][i], best[i] + 1.2 * (found[end][i] - best[i]), xtol=1e-12)
            worst = max(worst, abs(at - found[end][i]) / found["standard_error"][i])
    return found, worst


time = 0.2 * np.arange(11)
x = write("decay", time, 0.4 + 2.6 * np.exp(-1.3 * time) + 0.05 * rng.normal(size=11))
found, worst = compare("decay", time, x)
print(f"decay: ends differ by {worst:.1e} standard errors; interval of k {found['profile_low'][0]:.4f} .. {found['profile_high'][0]:.4f}, "
      f"by covariance {found['low'][0]:.4f} .. {found['high'][0]:.4f}")
assert worst < 1e-4 and not np.isnan(found["profile_low"]).any() and not np.isnan(found["profile_high"]).any()

# Measured until 0.5 s the motion is nearly a straight line: c has no lower end within the range.
with open("short.yaml", "w") as out:
    out.write(open("decay.yaml").read().replace("decay.csv", "short.csv").replace("from: -20", "from: -2"))
LOW[2] = -2
time = 0.05 * np.arange(11)
x = write("short", time, 0.4 + 2.6 * np.exp(-1.3 * time) + 0.05 * rng.normal(size=11))
found, worst = compare("short", time, x)
print(f"short: ends differ by {worst:.1e} standard errors, {found['profile_low']} .. {found['profile_high']}")
assert np.isnan(found["profile_low"][2]) and not np.isnan(found["profile_high"][2]) and worst < 1e-4
