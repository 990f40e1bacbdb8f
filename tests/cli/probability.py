"""Probabilities of failure against closed forms and quadratures."""
import json
import subprocess
import sys

import h5py
import numpy as np
from scipy.integrate import quad
from scipy.optimize import brentq, minimize
from scipy.stats import norm, truncnorm


def find(study, *more, code=0):
    done = subprocess.run([sys.argv[1], "probability", study, "--json", *more], capture_output=True, text=True, check=False)
    assert done.returncode == code, done
    return json.loads(done.stdout)


def holds(failure, p, most=0.5):
    assert failure["low"] <= p <= failure["high"], (failure, p)
    assert failure["variation"] < most and failure["doubt"] == "", failure


# Four branches, and each pair of them: in w = (x - y)/sqrt(2) and the coordinate across.
bent = lambda w: norm.pdf(w) * 2 * norm.sf(3 + 0.2 * w * w)
pairs = quad(bent, -40, 40, points=[0])[0], 2 * norm.sf(3.5)
union = pairs[1] + quad(bent, -3.5, 3.5)[0]
found = find("branch.yaml")["failures"]
assert [f["requirement"] for f in found] == ["end_a > 0", "end_b > 0", "any"], found
for failure, p in zip(found, [*pairs, union]):
    holds(failure, p)
    assert failure["runs"] == 1000 + (failure["levels"] - 1) * 900 and failure["without"] == 0
    assert abs(failure["index"] + norm.ppf(failure["probability"])) < 1e-12
    assert failure["point"] is None and failure["curved"] is None

# The peak of a step response, 10/k (1 + exp(-c pi/(2 w))), of random stiffness and damping.
s = np.sqrt(np.log(1.01))
m, cut = np.log(25) - s * s / 2, -5.9
peak = lambda k, c: 10 / k * (1 + np.exp(-c * np.pi / 2 / np.sqrt(k - c * c / 4)))
passes = lambda c: norm.cdf((np.log(brentq(lambda k: peak(k, c) - 1, 5, 40)) - m) / s)
p = quad(lambda c: norm.pdf((c - 0.6) / 0.1) / 0.1 / norm.sf(cut) * passes(c), 0.01, 1.4, points=[0.3, 0.6])[0]
number = lambda u: (np.exp(m + s * u[0]), truncnorm.ppf(norm.cdf(u[1]), cut, np.inf, loc=0.6, scale=0.1))
near = minimize(lambda u: u @ u, [-3, 0], constraints={"type": "eq", "fun": lambda u: peak(*number(u)) - 1}, options={"ftol": 1e-15})
holds(find("oscillator.yaml")["failures"][0], p)
form = find("oscillator.yaml", "--method", "form")
assert form["inputs"] == ["system.k", "system.c"]
form = form["failures"][0]
beta = np.sqrt(near.fun)
assert abs(form["index"] - beta) < 1e-5 and abs(form["probability"] / norm.sf(beta) - 1) < 5e-5, (form, beta)
assert abs(form["curved"] / p - 1) < 1e-3, (form, p)
assert abs(np.array(form["scores"]) - near.x).max() < 1e-2, (form, near.x)
assert abs(np.array(form["alpha"]) - near.x / beta).max() < 4e-3 and abs(np.array(form["point"]) / number(form["scores"]) - 1).max() < 1e-12
assert abs(peak(*form["point"]) - 1) < 1e-4
holds(find("oscillator.yaml", "--method", "importance")["failures"][0], p, 0.15)

# The logarithm of a ratio is normal.
log_sd = np.sqrt(np.log1p(np.array([0.15, 0.2]) ** 2))
mean = np.log(20 / 10) - (log_sd[0] ** 2 - log_sd[1] ** 2) / 2
sd = np.sqrt(log_sd[0] ** 2 + log_sd[1] ** 2 - 2 * 0.4 * log_sd[0] * log_sd[1])
for method in ("form", "subset", "importance"):
    for failure, margin in zip(find("ratio.yaml", "--method", method)["failures"], (1, 1.2)):
        p = norm.sf((mean + np.log(margin)) / sd)
        assert failure["at"] == {"margin": margin}
        if method == "form":
            assert abs(failure["probability"] / p - 1) < 1e-11 and abs(failure["curved"] / p - 1) < 1e-9, (failure, p)
        else:
            holds(failure, p)

both = find("ratio.yaml", "--set", "require.end_g={above: 0, below: 1.25}")["failures"][0]
assert both["requirement"] == "0 < end_g < 1.25"
holds(both, norm.sf(mean / sd) + norm.sf((1.25 - mean) / sd))

# x(1) = sqrt(3.2 - p) up to p = 3, and no number beyond 3.2.
found = find("ends.yaml")["failures"][0]
holds(found, norm.sf(3))
assert 30 < found["without"] < 120, found

with h5py.File("noise.h5") as f:
    met = f["study/statistics/requirement_runs"][:]
for failure, runs in zip(find("noise.yaml")["failures"], met):
    assert round(failure["probability"] * 200) == 200 - runs and failure["runs"] == 200 and runs < 180, (failure, met)

one, two = (find("branch.yaml", "--threads", n) for n in "12")
assert one == two
assert find("branch.yaml", "--set", "sample.seed=5") != one
