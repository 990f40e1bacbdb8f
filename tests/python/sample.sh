# Samples of the Python package: problems of SALib in all its distributions, against scipy's, and tables of numbers, bit for bit.
. "$SOURCE/tests/check.sh"
use_package xarray

cat >sample.py <<'END'
import numpy as np
from scipy import stats

import manylink

KEYS = "abcdef"
study = {"manylink": 1, "time": {"steps": 1},
         "system": {"type": "equations", "kind": "map", "parameters": {key: 1 for key in KEYS}, "state": {"x": 0},
                    "next": {"x": "+".join(KEYS)}}}
problem = {"num_vars": 6, "names": [f"system.{key}" for key in KEYS],
           "dists": ["unif", "logunif", "triang", "norm", "truncnorm", "lognorm"],
           "bounds": [[2, 5], [1, 100], [1, 5, 0.25], [3, 0.5], [0, 4, 3, 2], [0.2, 0.6]]}
known = [stats.uniform(2, 3), stats.loguniform(1, 100), stats.triang(0.25, 1, 4), stats.norm(3, 0.5),
         stats.truncnorm(-1.5, 0.5, 3, 2), stats.lognorm(0.6, scale=np.exp(0.2))]
unit = {**problem, "dists": None, "bounds": [[0, 1]]*6}
drawn = manylink.run({**study, "sample": manylink.problem(problem, 256, "points")})
cube = manylink.run({**study, "sample": manylink.problem(unit, 256, "points")})
for name, of in zip(problem["names"], known):
    assert np.allclose(drawn[name], of.ppf(cube[name] + 2.0**-54), rtol=1e-11, atol=0), name
assert manylink.run({**study, "sample": manylink.problem(problem, 16)}).sizes["run"] == 16*8
assert manylink.run({**study, "sample": manylink.problem(problem, 5, "morris", levels=6, seed=2)}).sizes["run"] == 5*7
assert manylink.run({**study, "sample": manylink.problem(problem, 65, "fast")}).sizes["run"] == 65*6


def message(call, *arguments, **named):
    try:
        call(*arguments, **named)
    except manylink.ManylinkError as error:
        return str(error)
    raise AssertionError("no error")


grouped = {**problem, "groups": list("aabbc") + ["system.f"]}
assert manylink.run({**study, "sample": manylink.problem(grouped, 16)}).sizes["run"] == 16*6
assert "`group` belongs to `design: saltelli`" in message(manylink.run, {**study, "sample": manylink.problem(grouped, 5, "morris")})
assert "5 groups" in message(manylink.problem, {**problem, "groups": list("aabbc")}, 8)
assert "'weibull'" in message(manylink.problem, {**problem, "dists": ["weibull"]*6}, 8)
assert "'triang' takes 3" in message(manylink.problem, {**problem, "dists": ["triang"]*6}, 8)
assert "5 bounds" in message(manylink.problem, {**problem, "bounds": problem["bounds"][:5]}, 8)

table = np.random.default_rng(1).normal(size=(100, 2))
names = ["system.a", "system.b"]
columns = dict(zip(names, table.T))
structured = np.rec.fromarrays(table.T, names=names)
for i, (given, named) in enumerate(((table, names), (columns, None), (structured, None))):
    found = manylink.run({**study, "sample": manylink.points(given, f"points{i}.csv", named)})
    assert np.array_equal(found["system.a"], table[:, 0]) and np.array_equal(found["system.b"], table[:, 1])
    assert np.allclose(found.end_x, table.sum(1) + 4)
try:
    import pandas
    frame = pandas.DataFrame(columns)
    assert manylink.run({**study, "sample": manylink.points(frame, "frame.csv")}).sizes["run"] == 100
except ImportError:
    pass
assert "no names" in message(manylink.points, table, "points.csv")
assert "[rows, 1]" in message(manylink.points, table, "points.csv", ["system.a"])
assert "same key twice" in message(manylink.points, table, "points.csv", ["system.a", "system.a"])
assert "not finite" in message(manylink.points, np.ma.masked_greater(table, 2), "points.csv", names)
assert "complex numbers" in message(manylink.points, {"system.a": np.array([1j, 2])}, "points.csv")
assert "line breaks" in message(manylink.points, {"system.a\nx": [1, 2]}, "points.csv")
assert "2**53" in message(manylink.points, {"system.a": [20, 2**53 + 1]}, "points.csv")
assert manylink.points({"system.a": [20, 2**53]}, "points.csv")
table[3, 1] = np.nan
assert "system.b" in message(manylink.points, table, "points.csv", names)
END
expect 0 "$PYTHON" sample.py
