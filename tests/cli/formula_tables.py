"""formula_tables.py make|check: tables, and what formulas of them give, against scipy."""
import sys

import h5py
import numpy as np
from scipy.integrate import solve_ivp
from scipy.interpolate import PchipInterpolator


def table(name, *columns):
    with open(name, "w") as out:
        out.write(",".join(key for key, _ in columns) + "\n")
        out.writelines(",".join(repr(float(v)) for v in row) + "\n" for row in zip(*(v for _, v in columns)))


odd = np.cumsum(np.r_[0, np.random.default_rng(3).uniform(0.1, 0.5, 40)])
odd *= 10 / odd[-1]
values = np.random.default_rng(4).normal(size=41).round(2)
angles = np.round(np.linspace(-90, 180, 41) + values, 1)
angle = np.linspace(-4, 4, 321)
if sys.argv[1] == "make":
    table("odd.csv", ("x", odd), ("value", values), ("angle (deg)", angles))
    table("sine.csv", ("angle", angle), ("s", np.sin(angle)), ("c", np.cos(angle)))
    for name, step in ("coarse", 0.1), ("fine", 0.05):
        table(f"{name}.csv", ("t", np.arange(0, 10.05, step)), ("s", np.sin(np.arange(0, 10.05, step))))
    table("potential.csv", ("x", np.linspace(-8, 8, 1601)), ("u", -np.cos(np.linspace(-8, 8, 1601))))
    sys.exit()


def read(name):
    with h5py.File(f"{name}.h5") as f:
        return {key: d[...] for part in ("trajectories", "summary") if part in f["study"]
                for key, d in f[f"study/{part}"].items() if isinstance(d, h5py.Dataset)}


def near(a, b, tolerance, what):
    worst = np.max(abs(a - b))
    print(f"{what}: {worst:.1e}")
    assert worst <= tolerance, (what, worst, tolerance)


# The curve itself and all its derivatives; that in degrees comes in radians. Where a piece ends only value and slope
# are one.
r = read("curve")
x = np.minimum(r["x"].ravel(), 10)
inside = np.min(abs(x[:, None] - odd), axis=1) > 1e-9
f, g = PchipInterpolator(odd, values), PchipInterpolator(odd, angles * np.pi / 180)
near(r["f0"].ravel(), f(x), 1e-14, "values")
near(r["f1"].ravel(), f(x, 1), 1e-13, "slopes")
near(r["f2"].ravel()[inside], f(x, 2)[inside], 4e-12, "second derivatives")
near(r["f3"].ravel()[inside], f(x, 3)[inside], 3e-14, "third derivatives")
steep = (x > 0.3) & (x < 1.2)
worst = [np.max(abs(r[key].ravel()[steep])) for key in ("off", "less")]
assert 1e-6 < worst[0] < 1e-3 and worst[0] / worst[1] > 6, worst  # slopes of order 2: values of order 3
near(r["g0"].ravel(), g(x), 8e-15, "values in radians")
near(r["g1"].ravel(), g(x, 1), 4e-14, "slopes in radians")

# x'' = -k s(x) + c cos t - 0.1 s(x') and its variational equations; kinks where pieces end cost digits of both.
r, s = read("rates"), PchipInterpolator(angle, np.sin(angle))


def rates(t, y, k):
    x, v = y[:2]
    jacobian = np.array([[0, 1], [-k * s(x, 1), -0.1 * s(v, 1)]])
    by = np.array([[0, 0, 0], [-s(x), np.cos(t), 0]])
    return np.r_[v, -k * s(x) + 0.3 * np.cos(t) - 0.1 * s(v), (jacobian @ y[2:].reshape(2, 3) + by).ravel()]


for run in 0, 16, 32:
    k = np.linspace(1, 2, 33)[run]
    known = solve_ivp(rates, (0, 5), np.r_[1, 0, 0, 0, 1, 0, 0, 0], args=(k,), method="DOP853", rtol=1e-11, atol=1e-12,
                      max_step=0.01, t_eval=r["time"].ravel()[-1:])
    near(np.r_[r["x"][run].ravel()[-1], r["v"][run].ravel()[-1]], known.y[:2, -1], 5e-10, "end of a run")
    near(r["sensitivity"][run].ravel(), known.y[2:, -1], 3e-6, "its derivatives")
near(r["q"], s(r["x"]) + r["time"], 5e-15, "a record")
found = np.isfinite(r["up_times"])
assert found.sum() >= 33
near(r["up_moment'(v)"][found], s(r["up_v"][found], 1), 1e-15, "a slope that an event keeps")

# A potential by table is its force: the same motion, whose energy stays as well as the method keeps it.
one, two = read("energies"), read("forces")
near(one["end_x"], two["end_x"], 1e-15, "energies and forces")
near(one["lyapunov_spectrum"], two["lyapunov_spectrum"], 7e-15, "their exponents")
assert np.max(one["energy_drift"]) < 1e-6, np.max(one["energy_drift"])

# A table of the sine is the sine, as far as a curve through 40 samples in a unit goes.
one, two = read("arm"), read("arm_sines")
for key in "end_angle", "end_rate":
    near(one[key], two[key], 1e-5, f"arm, {key}")
near(one["sensitivity"], two["sensitivity"], 1e-3, "arm, sensitivity")
one, two = read("sums"), read("sums_sines")
for key in "end_a", "end_vb", "lyapunov_spectrum":
    near(one[key], two[key], 1e-4, f"sums, {key}")
