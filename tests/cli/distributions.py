"""Drawn numbers against scipy's quantiles at the uniform numbers of the same points, and their correlations."""
import h5py
import numpy as np
from scipy import stats


def read(name):
    with h5py.File(name + ".h5") as f:
        return {key[-1]: f["study/runs/" + key][...] for key in f["study/runs"] if key.startswith("system.")}


def quantile(law, p, q):
    return np.where(p < 0.5, law.ppf(p), law.isf(q))


def near(name, found, known, tolerance):
    worst = np.max(abs(found - known) / np.maximum(abs(known), 0.1))
    print(f"{name}: {worst:.1e}")
    assert worst < tolerance, (name, worst, tolerance)


s = np.sqrt(np.log1p(0.3**2))
below_9 = stats.lognorm(s, scale=2 * np.exp(-s * s / 2)).cdf(9)
for method in "random", "latin_hypercube", "sobol", "scrambled_sobol", "halton":
    u, x = read("plain-" + method), read("drawn-" + method)
    p, q = {k: v + 2.0**-54 for k, v in u.items()}, {k: 1 - v - 2.0**-54 for k, v in u.items()}
    near(method + " normal", x["a"], quantile(stats.norm(1, 0.2), p["a"], q["a"]), 3e-15)
    near("lognormal", x["b"], stats.lognorm(s, scale=2 * np.exp(-s * s / 2)).ppf(p["b"] * below_9), 5e-13)
    near("cut off", x["c"], stats.truncnorm(-0.5, 1, 1, 2).ppf(p["c"]), 3e-14)
    near("triangular", x["d"], stats.triang(0.25, 1, 4).ppf(p["d"]), 2e-14)
    near("factor", x["e"], 2 * (0.5 + quantile(stats.beta(2, 0.7), p["e"], q["e"])), 3e-15)
    assert (x["f"] == np.select([u["f"] < 0.25, u["f"] < 0.5], [1, 2], 5)).all()
    near("logarithm", x["g"], 10 ** u["g"], 2e-15)
    near("histogram", x["i"], stats.rv_histogram(([0, 3, 0, 1, 0], [-1, 0, 2, 3, 5, 6]), density=False).ppf(p["i"]), 2e-15)
    near("quantiles", x["j"], np.interp(p["j"], np.linspace(0, 1, 5), [1, 2, 2.5, 4, 9]), 2e-15)
    near("far tail", x["h"], -3 + stats.norm.isf(stats.norm.sf(5) * q["h"]), 8e-15)

# The attributes of a column of /study/runs give the law, here without the program's quantiles.
def law(attributes):
    a = {k.removeprefix("distribution_"): v for k, v in attributes.items() if k.startswith("distribution")}
    low, high, times = a.get("from", -np.inf), a.get("to", np.inf), a.get("multiplies", 1)
    match a["distribution"]:
        case "uniform":
            return stats.loguniform(low, high) if a.get("scale") == "log" else stats.uniform(low, high - low), times
        case "normal":
            return stats.truncnorm((low - a["mean"]) / a["sd"], (high - a["mean"]) / a["sd"], a["mean"], a["sd"]), times
        case "lognormal":
            s = np.sqrt(np.log1p((a["sd"] / a["mean"]) ** 2))
            whole = stats.lognorm(s, scale=a["mean"] * np.exp(-s * s / 2))
            return stats.rv_histogram(np.histogram(whole.ppf((np.arange(1e6) + 0.5) / 1e6 * whole.cdf(high)), 1000)), times
        case "triangular":
            return stats.triang((a["mode"] - low) / (high - low), low, high - low), times
        case "beta":
            return stats.beta(a["alpha"], a["beta"], low, high - low), times
        case "discrete":
            return stats.rv_discrete(values=(a["values"], a["weights"] / sum(a["weights"]))), times
        case "table":
            return stats.rv_histogram((a.get("weights", np.ones(len(a["values"]) - 1)), a["values"]), density=False), times


with h5py.File("drawn-scrambled_sobol.h5") as f:
    for key, x in read("drawn-scrambled_sobol").items():
        found, times = law(f["study/runs/system." + key].attrs)
        near(f"mean of {key} by its attributes", np.mean(x), times * found.mean(), 2e-3)
        near("standard deviation", np.std(x), times * found.std(), 5e-3)
    assert "distribution" not in f["study/runs/steps"].attrs

# Scrambled points are uniform in each coordinate and balanced in boxes, as Sobol's; Halton's unscrambled points are known.
u = read("plain-scrambled_sobol")
for key, v in u.items():
    assert (np.sort(np.floor(v * 2048)) == np.arange(2048)).all(), key
assert (np.bincount((np.floor(u["a"] * 32) * 64 + np.floor(u["b"] * 64)).astype(int), minlength=2048) == 1).all()

# Correlations of normal scores, and of ranks, 6/pi asin(r/2); the marginal distributions stay.
x = read("correlated")
ranks = {k: stats.rankdata(v) / 65536 for k, v in x.items()}
scores = {k: stats.norm.ppf(ranks[k] - 0.5 / 65536) for k in "abcg"}
for a, b, r in ("a", "b", 0.7), ("g", "c", -0.4), ("b", "g", 0.2), ("a", "g", 0), ("a", "c", 0):
    near(f"correlation of {a} and {b}", 1 + np.corrcoef(scores[a], scores[b])[0, 1], 1 + r, 3e-4)
    near("of ranks", 1 + np.corrcoef(ranks[a], ranks[b])[0, 1], 1 + 6 / np.pi * np.arcsin(r / 2), 3e-4)
near("mean", np.mean(x["a"]), 1, 3e-6)
near("sd", np.std(x["a"]), 0.2, 1e-4)
near("a cut mean", np.mean(x["c"]), stats.truncnorm(-0.5, 1, 1, 2).mean(), 1e-7)
