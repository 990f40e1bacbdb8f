"""Multiple shooting against closed forms by scipy, and against the numbers of a chaotic record."""
import subprocess
import sys

import h5py
import numpy as np
from scipy.integrate import solve_ivp
from scipy.optimize import least_squares


def fit(study, *more):
    done = subprocess.run([sys.argv[1], "fit", study, "-o", "fit.h5", *more], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done
    with h5py.File("fit.h5") as f:
        return done.stdout, {name: data[()] for name, data in f["study/fit"].items() if isinstance(data, h5py.Dataset)} | dict(f["study/fit"].attrs)


def write(path, names, *columns):
    np.savetxt(path, np.column_stack(columns), delimiter=",", header=names, comments="", fmt="%.17g")


# x = sin(p t) + a exp(mu (t - 1)) + b exp(-mu t): no number of the fit is large.
rng = np.random.default_rng(1)
t, sd = np.arange(101) * 0.01, 0.05


def curve(p, a, b, mu):
    up, down = a * np.exp(mu * (t - 1)), b * np.exp(-mu * t)
    return np.concatenate([np.sin(p * t) + up + down, p * np.cos(p * t) + mu * (up - down)])


data = [curve(np.pi, 0, b, 60) + sd * rng.normal(size=2 * t.size) for b in (0, 0.01)]
for path, both in zip(("bock.csv", "bock_2.csv"), data):
    write(path, "time,x,v", t, both[:t.size], both[t.size:])


def known(mu, sets):
    """Least squares of p and the start of each experiment, with their covariance."""
    n = len(sets)
    found = least_squares(lambda q: np.concatenate([(curve(q[0], *q[1 + 2 * e:3 + 2 * e], mu) - y) / sd for e, y in enumerate(sets)]),
                          [3] + [0] * 2 * n, x_scale=[1] + [1 / mu] * 2 * n, jac="3-point", xtol=1e-15, ftol=1e-15, gtol=1e-15)
    turn = np.zeros((1 + 2 * n, 1 + 2 * n))
    turn[0, 0], order = 1, [0]
    for e in range(n):
        a, b = 1 + 2 * e, 2 + 2 * e
        turn[a, [a, b]], turn[b, [0, a, b]] = [np.exp(-mu), 1], [1, mu * np.exp(-mu), -mu]
    order += [1 + 2 * e for e in range(n)] + [2 + 2 * e for e in range(n)]  # p, x of each, v of each
    turn = turn[order]
    return turn @ found.x, turn @ np.linalg.inv(found.jac.T @ found.jac) @ turn.T, 2 * found.cost


def same(found, mu, sets, estimates, covariances):
    x, covariance, squares = known(mu, sets)
    error = np.sqrt(np.diag(covariance))
    off = abs(found["estimate"] - x) / error
    spread = abs(found["covariance"] - covariance) / np.outer(error, error)
    print(mu, off.max(), spread.max(), found["squares"] - squares)
    assert off.max() < estimates and spread.max() < covariances, (off, spread)
    assert abs(found["squares"] - squares) < 2e-2


# exp(10): single runs follow, and the results are theirs. exp(60): no run can.
page, found = fit("bock.yaml", "--set", "system.mu=10", "--set", "fit.segments=10")
same(found, 10, data[:1], 2e-5, 1e-6)
assert "a single run follows these to the end" in page and found["followed_until"] == 1, page
page, found = fit("bock.yaml", "--threads", "1")
same(found, 60, data[:1], 3e-3, 1e-3)
assert found["segments"] == 20 and found["largest_gap"] < 1e-6 and 0.1 < found["followed_until"] < 0.5, found["followed_until"]
assert "all results are those of the segments' runs" in page and "2 of 2 met the best minimum" in page, page
again = fit("bock.yaml", "--threads", "2")[1]
assert all(again[name].tobytes() == found[name].tobytes() for name in ("estimate", "covariance", "residual"))
same(fit("both.yaml")[1], 60, data, 5e-3, 1e-3)

# Without segments no start finds the numbers of a chaotic record, with segments all do.
true = np.array([10, 28, 8 / 3, -8, -7, 27])
time = np.arange(1001) * 0.02
x = solve_ivp(lambda _, u: [true[0] * (u[1] - u[0]), u[0] * (true[1] - u[2]) - u[1], u[0] * u[1] - true[2] * u[2]],
              (0, 20), true[3:], "DOP853", time, rtol=1e-12, atol=1e-12).y[0]
write("lorenz.csv", "time,x", time, x + 0.5 * rng.normal(size=time.size))
page, found = fit("lorenz.yaml")
off = (found["estimate"] - true) / found["standard_error"]
print(off, page)
assert abs(off).max() < 4 and abs(found["squares"] / found["degrees_of_freedom"] - 1) < 0.2, off
assert found["start_minimum"].tolist() == [0] * 4, found["start_minimum"]
plain = fit("lorenz.yaml", "--set", "fit.segments=1", "--set", "fit.iterations=30")[1]
assert plain["squares"] > 20 * found["squares"] and "segments" not in plain, plain["squares"]
