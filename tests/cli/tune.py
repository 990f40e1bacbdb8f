"""Tuned numbers against closed forms and SciPy."""
import json
import subprocess
import sys

import h5py
import numpy as np
from scipy.integrate import quad
from scipy.optimize import minimize_scalar


def tune(study, *more, code=0):
    done = subprocess.run([sys.argv[1], "tune", study, "--json", *more], capture_output=True, text=True, check=False)
    assert done.returncode == code, done
    return json.loads(done.stdout)


def near(found, wanted, most):
    assert abs(found - wanted) <= most, (found, wanted, most)


# Rosenbrock's function in the unit disk: the minimum is on the circle. Inside of x <= 0.7 it is on that line.
rosenbrock = lambda x, y: (1 - x) ** 2 + 100 * (y - x * x) ** 2
circle = minimize_scalar(lambda a: rosenbrock(np.cos(a), np.sin(a)), bounds=(0.5, 0.8), method="bounded", options={"xatol": 1e-13})
found = tune("rosenbrock.yaml")
x, y = (n["value"] for n in found["numbers"])
near(found["cost"], circle.fun, 3e-8)
near(x, np.cos(circle.x), 1e-6)
near(found["cost"], rosenbrock(x, y), 1e-15)
near(found["before"], rosenbrock(-1, 0.5), 1e-12)
assert found["met"] and found["converged"] and found["runs"] == found["points"] <= 20000
assert found["requirements"] == [{"requirement": "end_g < 1", "value": found["requirements"][0]["value"], "met": True}]
assert 1 - 1e-6 < found["requirements"][0]["value"] < 1
cut = tune("rosenbrock.yaml", "--set", "tune.vary.0.to=0.7", "--set", "tune.require.end_g.below=9")
near(cut["numbers"][0]["value"], 0.7, 1e-6)
near(cut["numbers"][1]["value"], 0.49, 1e-5)
near(cut["cost"], 0.09, 1e-6)
assert [n["bound"] for n in cut["numbers"]] == [1, 0]
off = tune("rosenbrock.yaml", "--set", "tune.require={end_g: {below: -1}, end_f: {below: 1000}}", code=1)
near(off["requirements"][0]["value"], 0, 1e-9)
assert not off["met"]


# x'' + 2 z x' + x = 1: the error is exp(-z t) (cos(w t) + z/w sin(w t)), and its ITAE is least near z = 0.7 (D. Graham, R. C. Lathrop,
# The synthesis of optimum transient response, Trans. AIEE 72, 273, 1953, whose table has 1.4 for the middle coefficient).
def itae(z):
    w = np.sqrt(1 - z * z)
    error = lambda t: np.exp(-z * t) * (np.cos(w * t) + z / w * np.sin(w * t))
    zeros = (np.pi / 2 + np.arctan2(z, w) + np.pi * np.arange(7)) / w
    ends = [0, *zeros[zeros < 20], 20]
    return sum(abs(quad(lambda t: t * error(t), a, b, epsabs=1e-13)[0]) for a, b in zip(ends, ends[1:]))


least = minimize_scalar(itae, bounds=(0.6, 0.9), method="bounded", options={"xatol": 1e-10})
found = tune("second_order.yaml")
near(found["cost"], least.fun, 1e-7)
near(found["numbers"][0]["value"] / 2, least.x, 1e-4)
near(least.x, 0.7, 0.06)

# Three runs with the costs (x - p)^2 of p = 0, 1, 5.
for over, best, cost in (("worst", 2.5, 6.25), ("mean", 2, 14 / 3), ("quantile", 0.5, 0.25), ("quantile", None, 0)):
    share = ["--set", "tune.quantile=2/3" if cost else "tune.quantile=1/3"]
    found = tune("three.yaml", "--set", f"tune.over={over}", *(share if over == "quantile" else []))
    near(found["numbers"][0]["value"], best or round(found["numbers"][0]["value"]), 3e-7)
    near(found["cost"], cost, 1e-6)
    assert found["numbers"][0]["key"] == "system.x" and found["runs"] == 3 * found["points"]
    assert found["set"].count("--set") == 2

# x(1) = 2/(3 p) (1 - (1 - p)^1.5) up to p = 1. From p = 1500 runs that end later show the way.
found = tune("ends.yaml")
assert found["before"] is None and found["numbers"][0]["bound"] == -1
near(found["cost"], 2 / 3 / 0.01 * (1 - 0.99 ** 1.5) + 0.01, 3e-5)

# The cost is that of the runs with these numbers, to the bit.
found = tune("arm.yaml")
assert found["points"] <= 600 and found["runs"] == 8 * found["points"] and found["cost"] < found["before"]
subprocess.run([sys.argv[1], "run", "arm.yaml", "-q", "-o", "tuned.h5", *found["set"].split()], check=True)
with h5py.File("tuned.h5") as f:
    of = {name: f["study/summary/" + name][:, 0] for name in ("iae", "rms_torque", "overshoot", "peak_torque")}
cost = 0.0
for a, b in zip(of["iae"], of["rms_torque"]):
    cost += a + 1e-3 * b
assert abs(found["cost"] / (cost / 8) - 1) < 1e-15, (found["cost"], cost / 8)
assert [q["value"] for q in found["requirements"]] == [of["overshoot"].max(), of["peak_torque"].max()]
assert found["met"] == (of["overshoot"].max() < 0.1 and of["peak_torque"].max() < 200)

one, two = (tune("arm.yaml", "--threads", n) for n in "12")
assert one == two
assert tune("arm.yaml", "--set", "tune.seed=5") != one

# A name of `define` is read with the study at each point: the torque that does not change the loop any more.
found = tune("arm.yaml", "--set", "tune.vary=[{set: define.strength, from: 0.001, to: 1}]", "--set", "tune.points=200", "--set", "tune.starts=1",
             "--set", "tune.minimise=iae", "--set", "require.overshoot.below=9")
assert found["numbers"][0]["value"] > 0.02 and found["points"] <= 200
