# `statistics` and `indices` of the Python package: the tables of the file, labelled, of a file and of memory.
. "$SOURCE/tests/check.sh"
use_package xarray

cat >study.yaml <<'END'
manylink: 1
system: {type: chain, segments: [{name: upper, length: 1, mass: 1}, {name: lower, length: 0.5, mass: 1}]}
time: {step: 1e-2, end: 0.5}
sweep: [{set: system.gravity, values: [1, 9.81]}]
sample: {method: random, count: 50, over: [{set: initial.angle.upper, from: -1, to: 1}]}
save: {trajectory: {every: 10, quantities: [angle]}}
END
expect 0 "$MANYLINK" run study.yaml
"$PYTHON" - <<'END'
import numpy as np

import manylink

summary = manylink.load("study.h5")
memory = manylink.run("study.yaml", output=False)
for tables in manylink.statistics("study.h5"), manylink.statistics(memory):
    mean = tables["moments"].end_angle.sel(statistic="mean", segment="lower")
    assert mean.dims == ("system.gravity",) and mean.attrs["units"] == "rad"
    assert np.allclose(mean, summary.end_angle.sel(segment="lower").mean("sample"), rtol=1e-14)
    median = tables["quantiles"].end_rate.sel(quantile=0.5, estimate="value")
    assert np.array_equal(median, summary.end_rate.median("sample"))
    assert (tables["histogram"].end_angle.sum("bin") == 50).all() and (tables["runs"].end_angle == 50).all()
    assert set(tables["correlations"].input.values) == {"initial.angle.upper"}
    bands = tables["over_time/quantiles"].angle.sel(segment="upper", quantile=0.05)
    assert bands.dims == ("system.gravity", "time") and bands.attrs["units"] == "rad"
    assert np.allclose(bands[:, -1], summary.end_angle.sel(segment="upper").quantile(0.05, "sample"), rtol=1e-14)
    assert (tables["over_time/runs"].angle == 50).all()
    assert (tables["outcomes"].outcome_fraction.sel(outcome="finished", estimate="value") == 1).all()
for found in manylink.indices("study.h5"), manylink.indices(memory):
    assert found.attrs == {"design": "points", "estimator": "bins", "taken": "all runs of the sample"} and "unit" not in found.coords
    index = found.rank_correlation.sel(output="end_angle.lower", input="initial.angle.upper")
    ranks = [np.argsort(np.argsort(row)) for row in (summary["initial.angle.upper"], *summary.end_angle.sel(segment="lower"))]
    known = np.corrcoef(ranks)[0, 1:]
    assert index.dims == ("system.gravity",) and np.allclose(index, known, rtol=1e-13), (index, known)
    assert (found.complete == 50).all() and (found.first_order_half > 0).all()
with open("study.yaml") as study, open("morris.yaml", "w") as morris:
    morris.write(study.read().replace("method: random, count: 50", "design: morris, count: 4"))
assert manylink.indices(manylink.run("morris.yaml", output=False)).unit.sel(output="end_angle.lower") == "rad"
grid = {"manylink": 1, "system": {"type": "lorenz"}, "initial": {"x": 1}, "time": {"step": 0.01, "end": 0.1}}
for function in manylink.statistics, manylink.indices:
    try:
        function(manylink.run(grid))
    except manylink.ManylinkError as error:
        assert "of a study with a `sample`" in str(error)
    else:
        raise AssertionError
END
