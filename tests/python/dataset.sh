# Datasets of the Python package have every number, label and unit that h5py reads from the file that
# the command writes: of a file and of memory, of grids, axes that only count, samples, single runs.
. "$SOURCE/tests/check.sh"
use_package h5py xarray

rods='{type: chain, segments: [{name: upper, length: 1, mass: 1}, {name: lower, length: 0.5, mass: 2}]}'
# study NAME: from standard input, run by the command, too
study()
{
    { printf 'manylink: 1\nsystem: %s\ntime: {step: 1e-3, end: 0.1}\n' "${system:-$rods}" && cat; } >"$1.yaml"
    "$MANYLINK" run --quiet "$1.yaml" -o "by_command_$1.h5" || [ $? = 3 ]
}
study grid <<END
title: Grid
initial: {rate: {upper: 1}}
sweep:
  - {set: initial.angle.upper, from: -3, to: 3, count: 4}
  - {name: steps, set: initial.rate.lower, values: [1]}
  - {name: both, set: [system.segments.lower.mass, system.segments.upper.mass], values: [[1, 2], [2, 3], [3, 5]]}
  - {name: pace, set: [initial.rate.upper, system.gravity], scale_by: {from: 1, to: 10, count: 2, scale: log}}
analyse: {lyapunov: {exponents: all}, sensitivity: {to: [system.segments.lower.length]}}
save: {trajectory: {every: 50, quantities: [angle, energy, end_position], runs: {every: 5}}}
END
study sample <<END
sample: {method: sobol, count: 20, seed: 1, over: [{set: initial.angle.upper, from: -1, to: 1}, {set: system.segments.lower.mass, from: 1, to: 2}]}
END
study single <<END
save: {trajectory: {every: 10, quantities: [angle]}}
END
system='{type: lorenz}' study diverging <<END
initial: {x: 1, y: 1, z: 1}
sweep: [{set: initial.x, values: [1, 1e15]}]
END
cat >compare.py <<'END'
import os
import shutil
import warnings

import h5py
import numpy as np

import manylink

names = {"grid": 24, "sample": 20, "single": 1, "diverging": 2}


def text(values):
    return values.astype(str) if values.dtype == object else values


def equal(there, here):
    """To the bit; integers of any width."""
    there = text(there)
    if here.dtype.kind == "f":
        assert there.dtype == here.dtype == np.float64
        return there.tobytes() == np.ascontiguousarray(here).tobytes()
    return np.array_equal(there, here)


def compare_variable(there, here, dims):
    assert equal(there[()], here.values.reshape(there.shape)), there.name
    assert here.attrs.get("units", "") == there.attrs.get("units", ""), there.name
    assert here.attrs.get("description", "") == there.attrs.get("description", ""), there.name
    if dims is not None:
        assert list(here.dims) == dims, (there.name, here.dims, dims)


def compare(file, data, n_run):
    study = file["study"]
    summary, runs = study["summary"], study["runs"]
    swept = set(runs) - {"run", "outcome", "steps", "end_time"}
    drawn = set(summary.attrs.get("copies_for_viewers", [])) - {"outcome"} | {"plots"}
    wanted = set(summary.attrs["outputs"])
    assert wanted and set(data.data_vars) == wanted, set(data.data_vars) ^ wanted
    for name in wanted:
        dims = [d[0].name.rpartition("/")[2] for d in summary[name].dims]
        compare_variable(summary[name], data[name], dims)
        for dim in dims:
            compare_variable(summary[dim], data[dim], [dim])
    for name in runs:
        if name in summary and name != "run":
            assert name in data.coords
            continue
        if not (name == "steps" and "steps" in summary):  # an axis has the name first
            compare_variable(runs[name], data.coords[name], None)
            assert data.coords[name].size == n_run
    for name in swept:  # what it is in every run
        along = data.coords[name].broadcast_like(data.run)
        assert equal(runs[name][()], along.transpose(*data.run.dims).values.reshape(-1)), name
    assert data.outcome.attrs["flag_meanings"] == runs["outcome"].attrs["flag_meanings"]
    assert list(data.outcome.attrs["flag_values"]) == list(runs["outcome"].attrs["flag_values"])
    assert not drawn & set(data.variables), drawn & set(data.variables)
    for name in ("title", "definition", "resolved"):
        assert data.attrs[name] == study[name][()].decode()
    if "source" not in data.encoding:  # in memory
        assert manylink.views(data) == []
        return
    default = study.attrs["default"]
    group, view = study[default], manylink.views(data)[0]
    shown = study[default.split("/")[0]][group.attrs["shows"]]
    assert view.dataset == shown.name.removeprefix("/study/") and len(view.dims) == shown.ndim, view
    assert (view.style, view.x, view.y) == tuple(group.attrs[key] for key in ("style", "x", "y")), view
    drawn = [shown.dims[k][0].name.rpartition("/")[2] for k, how in enumerate(view.dims) if how in ("x", "y")]
    assert {f"axis.{name}" for name in drawn} <= {*group.attrs["axes"], "axis.run"}, (view, drawn)
    assert len(drawn) == {"map": 2, "curves": 1, "scatter": 1}[view.style], view


for name, n_run in names.items():
    shutil.copy(f"by_command_{name}.h5", "copy.h5")  # HDF5 opens no file twice in different ways
    with h5py.File("copy.h5") as file, warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        compare(file, manylink.load(f"by_command_{name}.h5"), n_run)
        compare(file, manylink.run(f"{name}.yaml", threads=2), n_run)  # into a file
        compare(file, manylink.run(f"{name}.yaml", output=False), n_run)  # in memory
        compare(file, manylink.run(f"{name}.yaml", output=f"again_{name}.h5"), n_run)
    assert [w.message for w in told if "1 of 2 runs did not finish: diverged" in str(w.message)] \
        or name != "diverging", told
    assert os.path.exists(f"{name}.h5") and os.path.exists(f"again_{name}.h5")
data = manylink.load("grid.h5")
assert data.end_angle.sel({"initial.angle.upper": -1, "segment": "lower"}).dims == ("steps", "both", "pace")
assert int(data.run.isel({"initial.angle.upper": 1, "both": 2, "pace": 1, "steps": 0})) == 11
END
expect 0 "$PYTHON" compare.py
same by_command_grid.h5 grid.h5
same by_command_grid.h5 again_grid.h5
