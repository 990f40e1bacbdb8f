"""Posteriors of fits against closed forms and quadrature."""
import subprocess
import sys

import h5py
import numpy as np


def fit(study, *more, threads="1"):
    done = subprocess.run([sys.argv[1], "fit", study, "-o", "fit.h5", "--threads", threads, *more], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done
    with h5py.File("fit.h5") as f:
        return done.stdout, {name: data[()] for name, data in f["study/fit"].items() if isinstance(data, h5py.Dataset)} | dict(f["study/fit"].attrs)


def save(name, t, y, head="y"):
    np.savetxt(name + ".csv", np.column_stack([t, y]), delimiter=",", header="time," + head, comments="", fmt="%.17g")


def check(found, mean, covariance):
    """Moments, to four of their standard errors by the autocorrelation time."""
    sd, n = np.sqrt(np.diag(covariance)), found["chain"][:, :, 0].size / found["autocorrelation_time"].max()
    assert n > 3000, n
    assert (abs(found["posterior_mean"] - mean) / sd).max() < 4 / np.sqrt(n), (found["posterior_mean"] - mean) / sd
    off = (found["posterior_covariance"] - covariance) / np.outer(sd, sd)
    assert abs(off).max() < 4 * np.sqrt(2 / n) * 1.5, off


def by_numpy(chain):
    """Autocorrelation time by FFT about the common mean, and split R-hat, of [walker, step]."""
    walkers, steps = chain.shape
    spectrum = np.fft.rfft(chain - chain.mean(), 2 * steps, axis=1)
    rho = np.fft.irfft(abs(spectrum) ** 2, axis=1)[:, :steps].sum(axis=0)
    time = 2 * np.cumsum(rho / rho[0]) - 1
    window = np.argmax(np.arange(steps) >= 5 * np.append(1, time[:-1])) - 1
    halves = np.concatenate([chain[:, :steps // 2], chain[:, -(steps // 2):]])
    within, between = halves.var(axis=1, ddof=1).mean(), np.sum((halves.mean(axis=1) - chain.mean()) ** 2) / (2 * walkers - 1)
    return time[window], np.sqrt(((steps // 2 - 1) / (steps // 2) * within + between) / within)


# A linear model of normal priors.
rng = np.random.default_rng(3)
t, sd = np.arange(17) * 0.25, 0.4
X = np.column_stack([t ** 0, t, t ** 2])
y = X @ [1, 2, -0.5] + sd * rng.normal(size=t.size)
save("line", t, y)
save("exact", t, X @ [1, 2, -0.5])
mean, precision = np.array([1.2, 0, -0.5]), np.diag([0.3 ** -2, 0, 0.125 ** -2])
covariance = np.linalg.inv(X.T @ X / sd ** 2 + precision)
page, found = fit("line.yaml")
check(found, covariance @ (X.T @ y / sd ** 2 + precision @ mean), covariance)
assert found["chain"].shape == (64, 2500, 3) and found["burn_in"] == 300 and 0.3 < found["acceptance"] < 0.8
assert "posterior by 64 walkers of 2500 steps, after 300: 0." in page and "rough" not in page and "mixed" not in page, page
for i in range(3):
    time, r_hat = by_numpy(found["chain"][:, :, i])
    assert abs(found["autocorrelation_time"][i] / time - 1) < 1e-9 and abs(found["r_hat"][i] / r_hat - 1) < 1e-12, (time, r_hat)
    low, median, high = np.quantile(found["chain"][:, :, i], [0.025, 0.5, 0.975], method="nearest")
    assert (found["posterior_low"][i], found["posterior_median"][i], found["posterior_high"][i]) == (low, median, high)

# The density is that of the point: half the squares of residuals and priors, below its maximum.
p = found["chain"][7, 100]
squares = np.sum((y - X @ p) ** 2) / sd ** 2 + np.sum((p - mean) ** 2 * np.diag(precision))
assert abs(found["log_density"][7, 100] + squares / 2) < 1e-9 and found["log_density"].max() <= -found["squares"] / 2 + 1e-9

# Unknown noise: p ~ S^(-N/2), flat in a and in log k, cut off at the bounds.
y = 1.6 * np.exp(-0.8 * t) + 0.35 * rng.normal(size=t.size)
save("decay", t, y)
page, found = fit("decay.yaml")
a, u = np.meshgrid(np.linspace(0.5, 1.9, 601), np.linspace(np.log(0.05), np.log(3), 601), indexing="ij")
squares = sum((yi - a * np.exp(-np.exp(u) * ti)) ** 2 for ti, yi in zip(t, y))
density = (squares / squares.min()) ** (-t.size / 2)
for edge in (0, -1):
    density[edge] /= 2
    density[:, edge] /= 2
density /= density.sum()
points = np.array([a.ravel(), np.exp(u).ravel()])
mean = points @ density.ravel()
check(found, mean, (points - mean[:, None]) * density.ravel() @ (points - mean[:, None]).T)
cut = [density[-2].sum() / density.sum(axis=1).max(), mean[1] / found["estimate"][1]]
assert cut[0] > 0.05 and found["chain"][:, :, 0].max() <= 1.9, cut  # the bound matters

# Numbers of experiments; the same bits on threads; chains too short.
times = np.arange(0, 21) * 0.1
for name, level in (("rest", 1.0), ("push", 1.6)):
    save(name, times, level * (1 - np.exp(-times / 2) * np.cos(5 * times)) + 0.05 * rng.normal(size=times.size), "x")
page, one = fit("step.yaml")
two = fit("step.yaml", threads="3")[1]
assert one["chain"].shape == (32, 40, 4) and one["chain"].tobytes() == two["chain"].tobytes() and one["log_density"].tobytes() == two["log_density"].tobytes()
assert "  the chains are shorter than 50 autocorrelation times (40 steps" in page and "  the chains have not mixed: their halves differ" in page, page
assert fit("step.yaml", "--set", "fit.posterior.seed=2")[1]["chain"].tobytes() != one["chain"].tobytes()
