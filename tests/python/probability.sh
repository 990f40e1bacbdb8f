# `probability` of the Python package: the numbers of the command's JSON, to the bit, labelled by requirement, axis of the grid and
# input; doubts are warnings; a linear limit state by FORM against its closed form.
. "$SOURCE/tests/check.sh"
use_package xarray

cat >ratio.yaml <<'END'
manylink: 1
system: {type: equations, kind: map, parameters: {r: 20, s: 1, m: 1}, state: {g: 0, h: 0}, next: {g: log(m*r) - log(s), h: r}}
time: {steps: 1}
sweep: [{name: margin, set: system.m, values: [1, 1.2]}]
sample:
  method: random
  count: 500
  over:
    - {set: system.r, distribution: lognormal, mean: 20, cv: 0.15}
    - {set: system.s, scale_by: {distribution: lognormal, mean: 10, cv: 0.2}}
require: {end_g: {above: 0}, end_h: {above: 15}}
END
for method in subset form importance; do
    expect 0 "$MANYLINK" probability ratio.yaml --json --method $method
    mv out $method.json
done
"$PYTHON" - <<'END'
import json
import math
import warnings
from pathlib import Path

import numpy as np

import manylink

warnings.simplefilter("error")
for method in "subset", "form", "importance":
    found, told = manylink.probability("ratio.yaml", method, threads=2), json.loads(Path(f"{method}.json").read_text())
    rows = found.stack(row=("margin", "requirement")).transpose("row", ...)
    assert found.input.values.tolist() == told["inputs"] and rows.sizes["row"] == len(told["failures"]), method
    for i, failure in enumerate(told["failures"]):
        row = rows.isel(row=i)
        assert str(row.requirement.values) == failure["requirement"] and float(row.margin) == failure["at"]["margin"]
        for name in ("probability", "low", "high", "variation", "index", "curved", "levels", "runs", "without"):
            value = np.nan if failure[name] is None else failure[name]
            assert np.array_equal(float(row[name]), float(value), equal_nan=True), (method, name, row[name].item(), value)
        for name in ("point", "scores", "alpha"):
            values = [np.nan] * 2 if failure[name] is None else failure[name]
            assert np.array_equal(row[name], np.array(values, float), equal_nan=True), (method, name)
    assert found.doubt.dims == ("margin", "requirement") and (found.doubt == "").all()

# The logarithm of a ratio of independent lognormal numbers is normal.
sd = np.sqrt(np.log1p(np.array([0.15, 0.2]) ** 2))
beta = (np.log(1.2 * 20 / 10) - (sd[0] ** 2 - sd[1] ** 2) / 2) / np.hypot(*sd)
form = manylink.probability("ratio.yaml", "form").sel(margin=1.2, requirement="end_g > 0")
assert abs(form.index - beta) < 1e-9 and abs(form.probability / (math.erfc(beta / math.sqrt(2)) / 2) - 1) < 1e-9
assert np.allclose(form.alpha, [-sd[0] / np.hypot(*sd), sd[1] / np.hypot(*sd)], atol=1e-9)

# A dict, without a grid; a number that jumps has no design point.
study = {
    "manylink": 1,
    "system": {"type": "equations", "kind": "map", "parameters": {"r": 0, "b": "1 m"}, "state": {"g": 0}, "next": {"g": "floor(r)"}},
    "time": {"steps": 1},
    "sample": {"method": "random", "count": 100, "over": [{"set": "system.r", "distribution": "normal", "mean": 0, "sd": 1},
                                                          {"set": "system.b", "distribution": "normal", "mean": 0, "sd": 1}]},
    "require": {"end_g": {"below": 2.5}},
}
with warnings.catch_warnings(record=True) as doubts:
    warnings.simplefilter("always")
    found = manylink.probability(study, "form", quiet=True)
assert found.probability.dims == ("requirement",) and found.unit.sel(input="system.b") == "m", found
assert np.isnan(found.probability).all() and np.isnan(found.low).all() and len(doubts) == 1 and str(doubts[0].message) == f"end_g < 2.5: {found.doubt.item()}", doubts
for wrong, text in (({"method": "plain"}, "must be one of: subset"), ({"set": {"require": {}}}, "require"), ({"threads": -1}, "threads")):
    try:
        manylink.probability(study, **wrong)
    except manylink.ManylinkError as error:
        assert text in str(error), error
    else:
        raise AssertionError(wrong)
END
