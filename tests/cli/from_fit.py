"""Samples of a fit's estimates against the file of the fit and closed forms."""
import shutil
import subprocess
import sys

import h5py
import numpy as np


def manylink(*arguments):
    done = subprocess.run([sys.argv[1], *arguments], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done
    return done.stdout + done.stderr


def drawn(study, *more):
    text = manylink("run", study, "-o", "later.h5", "--restart", "--no-accuracy", *more)
    with h5py.File("later.h5") as f:
        numbers = {name[len("system."):]: f["study/runs"][name][()] for name in f["study/runs"] if name.startswith("system.")}
        return text, numbers, f["study/summary/line"][()], f["study/resolved"][()].decode()


rng = np.random.default_rng(5)
t = np.arange(33) * 0.125
z = 1 + 2 * t - 0.5 * t ** 2 + 0.2 * t ** 3 + 0.05 * rng.normal(size=t.size)
y = 0.3 + t ** 2 + 0.05 * rng.normal(size=t.size)
np.savetxt("data.csv", np.column_stack([t, z, y]), delimiter=",", header="time,z,y", comments="", fmt="%.17g")
manylink("fit", "fit.yaml", "-o", "fit.h5")
with h5py.File("fit.h5") as f:
    fit = f["study/fit"]
    names, x, covariance = [name.decode() for name in fit["parameter"]], fit["estimate"][()], fit["covariance"][()]
    assert [bytes(k).decode() if isinstance(k, bytes) else k for k in fit.attrs["parameter_keys"]] == ["system.a", "system.b", "system.c", "system.d, system.e", ""]
assert names == ["system.a", "system.b", "factor of system.c", "system.d", "one: initial.y"], names
x, covariance = x[:4], covariance[:4, :4]
sd = np.sqrt(np.diag(covariance))

# Means and covariances, of `b` those of the logarithm; keys of one range have the same number, which the factor multiplies.
scale = np.array([1, 1 / x[1], 1, 1])
wanted, spread = np.array([x[0], np.log(x[1]), x[2], x[3]]), sd * scale
for method, tolerance in (("sobol", 2e-3), ("latin_hypercube", 0.05), ("random", 0.1)):
    text, numbers, line, resolved = drawn("later.yaml", "--set", f"sample.method={method}")
    assert "rank correlation of" not in text, text
    sample = np.array([numbers["a"], np.log(numbers["b"]), numbers["c"] / -0.5, numbers["d"]])
    assert (numbers["d"] == numbers["e"]).all() and abs(numbers["w"]).max() <= 1
    assert (abs(sample.mean(axis=1) - wanted) / spread).max() < tolerance, method
    off = (np.cov(sample) - covariance * np.outer(scale, scale)) / np.outer(spread, spread)
    assert abs(off).max() < 3 * tolerance, (method, off)
    # w + a + 2 d: of the drawn numbers themselves, and its variance by the covariance.
    assert np.allclose(line, numbers["w"] + numbers["a"] + 3 * numbers["d"] - numbers["e"], rtol=1e-12)
    variance = 1 / 3 + covariance[0, 0] + 4 * covariance[3, 3] + 4 * covariance[0, 3]
    assert abs(line.var() / variance - 1) < 3 * tolerance, method

# The resolved text has the numbers themselves: it is the same study without the file.
assert "from_fit" not in resolved and "lognormal" in resolved
open("resolved.yaml", "w", encoding="utf-8").write(resolved)
before = drawn("later.yaml", "--set", "sample.method=random")[1]
again = drawn("resolved.yaml")[1]
assert all(before[name].tobytes() == again[name].tobytes() for name in before)

# Numbers left out keep the study's own; Saltelli's design takes the fit as one input.
left = drawn("later.yaml", "--set", "sample.leave_out=[system.b, factor of system.c]")[1]
assert set(left) == {"a", "d", "e", "w"}
drawn("later.yaml", "--set", "sample.design=saltelli", "--set", "sample.count=256")
text = manylink("sensitivity", "later.h5", "line")
assert "from_fit" in text, text

# Files for what is refused: without covariance, with a number at its bound, with one number, of a wide error.
shutil.copy("fit.h5", "lacking.h5")
with h5py.File("lacking.h5", "a") as f:
    del f["study/fit/covariance"]
manylink("fit", "fit.yaml", "-o", "held.h5", "--set", "sample.over[0].to=0.9")
text = open("fit.yaml", encoding="utf-8").read()
open("small.yaml", "w", encoding="utf-8").write("\n".join(line for line in text.splitlines() if not line.startswith("    - ") or "system.a," in line).replace(", own: [initial.y]", ""))
manylink("fit", "small.yaml", "-o", "small.h5")
shutil.copy("small.h5", "mass.h5")
with h5py.File("mass.h5", "a") as f:
    fit = f["study/fit"]
    fit["parameter"][0] = fit.attrs["parameter_keys"] = ["system.segments.a.mass"]
    fit["estimate"][0], fit["covariance"][0, 0] = 1, 0.25
