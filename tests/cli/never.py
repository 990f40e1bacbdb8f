"""Quantiles, counts and orders of numbers that some runs never have, against numpy."""
import csv
import re

import h5py
import numpy as np
from plot_tables import images, script, tables

P = [0.025, 0.05, 0.25, 0.5, 0.75, 0.95, 0.975]
SIGN = {"rise_time": 1, "settling_time": 1, "gain_reduction_margin": 1, "turned_time": 1, "gain_margin": -1, "phase_margin": -1, "delay_margin": -1}


def wilson(k, n, z=1.959963984540054):
    p, scale = k / n, 1 + z * z / n
    centre, half = (p + z * z / (2 * n)) / scale, z * np.sqrt(p * (1 - p) / n + (z / (2 * n)) ** 2) / scale
    return [p, centre - half if k else 0, centre + half if k < n else 1]


def quantile(v, p):
    """Linear between order statistics; NaN unless both are finite."""
    at = p * (len(v) - 1)
    low, high = v[int(at)], v[min(int(at) + 1, len(v) - 1)]
    return low + (at - int(at)) * (high - low) if np.isfinite(low) and np.isfinite(high) else np.nan


def check(name):
    seen = set()
    with h5py.File(name) as f:
        summary, tables = f["study/summary"], f["study/statistics"]
        assert {k for k, d in summary.items() if "better" in d.attrs} == set(SIGN)
        assert {k for k, d in tables["never"].items() if k != "segment" and k not in summary.attrs["run_dims"]} == set(SIGN)
        for key, sign in SIGN.items():
            assert summary[key].attrs["better"] == ("smaller" if sign > 0 else "larger")
            y = summary[key][:].reshape(-1, 60)
            quantiles = tables["quantiles"][key][()].reshape(-1, 7, 3)
            never, part = tables["never"][key][()].ravel(), tables["never_fraction"][key][()].reshape(-1, 3)
            for cell, values in enumerate(y):
                k = np.isnan(values).sum()
                seen.add((k > 0, k < 60))
                assert never[cell] == k
                np.testing.assert_allclose(part[cell], wilson(k, 60), rtol=0, atol=4e-16)
                ordered = np.sort(np.where(np.isnan(values), sign * np.inf, values))
                np.testing.assert_allclose(quantiles[cell, :, 0], [quantile(ordered, p) for p in P], rtol=1e-14)
    assert (True, True) in seen


def check_requirements(name):
    with h5py.File(name) as f:
        summary, tables = f["study/summary"], f["study/statistics"]
        assert [*tables["requirement"].asstr()] == ["settling_time.rod < 1.5", "0 < overshoot < 0.4", "delay_margin.rod > 0.005", "all"]
        settling, overshoot, delay = (summary[k][()].reshape(-1, 60) for k in ("settling_time", "overshoot", "delay_margin"))
        met = np.array([settling < 1.5, (overshoot > 0) & (overshoot < 0.4), delay > 0.005])
        met = np.concatenate([met, [met.all(0)]])
        counts = met.sum(-1).T
        assert 0 < counts.min() and counts.max() < 60 and len(set(counts[0])) > 2, counts
        assert (tables["requirement_runs"][()].reshape(-1, 4) == counts).all()
        for found, k in zip(tables["requirement_fraction"][()].reshape(-1, 3), counts.ravel()):
            np.testing.assert_allclose(found, wilson(k, 60), rtol=0, atol=4e-16)
        return [wilson(k, 60) for k in counts[0]]


check_requirements("never.h5")
check("never.h5")
check("one.h5")


def rows(name):
    with open(name) as f:
        return list(csv.DictReader(f))


with h5py.File("never.h5") as f:
    settling, phase, delay, unstable = (f["study/summary"][k][:].ravel() for k in ("settling_time", "phase_margin", "delay_margin", "unstable_roots"))
found = rows("worst_settling")
assert [(int(r["without"]), int(r["of"])) for r in found] == [(np.isnan(s).sum(), 60) for s in settling.reshape(2, 60)], found
assert all(r["settling_time.rod (s)"] == "" for r in found) and np.isnan(settling[[int(r["run"]) for r in found]]).all()
stable = np.where(unstable == 0, delay, np.nan).reshape(2, 60)
assert [int(r["run"]) for r in rows("worst_margin")] == [60 * i + np.nanargmin(d) for i, d in enumerate(stable)]
assert [int(r["run"]) for r in rows("best_margin")] == list(np.argsort(np.where(np.isnan(phase), np.inf, -phase), kind="stable"))

with h5py.File("one.h5") as f:
    k = int(f["study/statistics/never/settling_time"][0])
    part = f["study/statistics/never_fraction/settling_time"][0]
with open("info") as f:
    line = re.search(r"settling_time\.rod .*\n *(.*)", f.read())
assert line[1] == f"{k} of 60 runs have none: {part[0]:.2g}, {part[1]:.2g} .. {part[2]:.2g}", line
assert " none " in line[0]
with open("info") as f:
    found = re.findall(r"^  (?:settling_time.rod < |0 < |delay_margin.rod > |all ).* ([0-9.]+), ([0-9.]+) \.\. ([0-9.]+)$", f.read(), re.M)
assert found == [tuple(f"{x:.3g}" for x in part) for part in check_requirements("one.h5")], found


def shares(name):
    with h5py.File(f"{name}.h5") as f:
        return f["study/statistics/requirement_fraction"][()]


np.testing.assert_allclose(tables("one")[0], np.column_stack([range(4), shares("one")]), rtol=0, atol=4e-16)
np.testing.assert_allclose(tables("never")[0], np.column_stack([[4, 8], shares("never").reshape(2, 12)]), rtol=0, atol=4e-16)
assert script("never").count("yerrorlines") == 4
np.testing.assert_array_equal(images("map")[0].reshape(3, 4), shares("map")[..., 3, 0].astype(float))
with h5py.File("never.h5") as f:
    np.testing.assert_allclose(tables("outcome")[0][:, 1:], f["study/statistics/outcome_fraction"][:, 0], rtol=0, atol=4e-16)


with h5py.File("step.h5") as f:
    first = f["study"][f["study"].attrs["default"]]
    assert (first.attrs["shows"], first.attrs["signal"], [*first.attrs["dims"]]) == ("settling_time", "lower", ["y", "x", "1"])
    assert [*f["study/summary/plots/overshoot"].attrs["dims"]][2] == "1" and [*f["study/summary/plots/end_angle"].attrs["dims"]][2] == "2"
