"""Pages of fits of lines to made noise."""
import re
import subprocess
import sys

import h5py
import numpy as np
from scipy.integrate import quad


def page(rows):
    np.savetxt("line.csv", rows, delimiter=",", header="time,x,y", comments="")
    done = subprocess.run([sys.argv[1], "fit", "line.yaml", "-o", "line.h5"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done
    with h5py.File("line.h5") as f:
        return done.stdout, f["study/fit/residual"][:], f["study/fit/durbin_watson"][:]


def imhof(weights):
    """P(sum weights chi^2_1 < 0): J. P. Imhof, Biometrika 48, 419, 1961."""
    def f(u):
        return np.sin(0.5 * np.arctan(weights * u).sum()) / (u * np.prod((1 + (weights * u) ** 2) ** 0.25))
    return 0.5 - quad(f, 0, np.inf, limit=500)[0] / np.pi


def exact(t, kept):
    """Two-sided probability as a function of the residuals, of x = a + b t and y = d t."""
    blocks, models = [], []
    for column, model in zip(kept, ([t, np.ones_like(t)], [t])):
        d = np.diff(np.eye(column.sum()), axis=0)
        blocks.append(d.T @ d)
        models.append(np.array(model).T[column])
    n = [len(b) for b in blocks]
    a, x = np.zeros((sum(n), sum(n))), np.zeros((sum(n), 3))
    a[:n[0], :n[0]], a[n[0]:, n[0]:] = blocks
    x[:n[0], :2], x[n[0]:, 2:] = models
    m = np.eye(sum(n)) - x @ np.linalg.pinv(x)
    values, vectors = np.linalg.eigh(m)
    space = vectors[:, values > 0.5]
    inner = np.linalg.eigvalsh(space.T @ a @ space)

    def chance(residuals):
        e = np.concatenate([r[k] for r, k in zip(residuals, kept)])
        below = imhof(inner - e @ a @ e / (e @ e))
        return 2 * min(below, 1 - below)
    return chance


def noise(rng, n, r):
    e = rng.normal(size=(2, n))
    for k in range(1, n):
        e[:, k] += r * e[:, k - 1]
    return e


rng = np.random.default_rng(4)
found, known, called = [], [], 0
for n, r in [(7, 0), (10, 0.6), (14, 0.6), (21, 0.6), (21, -0.5), (21, 0.3), (60, 0.3), (60, 0)] + [(14, 0)] * 40:
    t = 0.5 * np.arange(n)
    y = noise(rng, n, r) + [0.7 * t - 0.3, 0.2 * t]
    if n > 10:
        y[0, 4] = np.nan
    text, residuals, durbin = page(np.array([t, *y]).T)
    for c in range(2):
        e = residuals[c][np.isfinite(residuals[c])]
        assert abs(durbin[c] - (np.diff(e) ** 2).sum() / (e @ e)) < 1e-12
    chance = exact(t, np.isfinite(y))(residuals)
    if n == 14 and r == 0:
        called += "follow each other" in text
        continue
    low = re.search(r"with a probability of ([^:]+):", text)
    high = re.search(r"\(p = ([^)]+)\), which the intervals assume; of (\d+) samples only one above (\S+) would", text)
    assert (low is None) != (high is None), text
    assert (chance < 0.01) == (low is not None), (chance, text)
    found.append(float((low or high)[1]))
    known.append(chance)
    if n == 21 and high:
        assert int(high[2]) == 41 and 0.3 <= float(high[3]) <= 0.5
print(found, known, called)
assert min(known) < 1e-3 and max(known) > 0.3
for a, b in zip(found, known):
    assert abs(np.log(a / b)) < (0.3 if b < 1e-3 else 0.06) or abs(a - b) < 0.05 * b + 0.6 * 10 ** np.floor(np.log10(b)), (a, b)
assert called <= 3, called

# One wrong sample, and four.
t = 0.5 * np.arange(101)
y = 0.01 * rng.normal(size=(2, 101)) + [0.7 * t, 0.2 * t]
text = page(np.array([t, *y]).T)[0]
assert "standard deviations of the others" not in text
y[0, 50] += 2
text, residuals, _ = page(np.array([t, *y]).T)
line = re.search(r"residuals of x: .*\n *1 of 101 residuals is beyond 5 standard deviations of the others, which is (\S+): (\S+) at 25 s\n", text)
assert line and float(line[2]) == float(f"{residuals[0, 50]:.3g}"), text
assert abs(float(line[1]) / (1.4826 * np.median(abs(residuals[0])) * np.sqrt(202 / 199)) - 1) < 0.05
y[1, [20, 30, 40, 60]] -= [1, 2, 3, 4]
assert re.search(r"4 of 101 residuals are beyond .*: -\S+ at 30 s, -\S+ at 20 s, -\S+ at 15 s, \.\.\.\n", page(np.array([t, *y]).T)[0])
