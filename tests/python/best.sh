# `table` and `best` of the Python package: numpy's order of the runs, of a file and of memory; refusals as ManylinkError.
. "$SOURCE/tests/check.sh"
use_package xarray

"$PYTHON" - <<'END'
import numpy as np

import manylink

study = {"manylink": 1, "accuracy": "off",
         "system": {"type": "equations", "parameters": {"a": 1, "b": 1}, "state": {"x": 1, "y": {"value": 0, "unit": "m"}},
                    "rates": {"x": "x^2*a", "y": "b"}},
         "time": {"step": 0.01, "end": 1}, "sweep": [{"set": "system.b", "from": 1, "to": 2, "count": 4}],
         "sample": {"method": "random", "count": 200, "seed": 5, "over": [{"set": "system.a", "from": -1, "to": 1.1}]}}
for output in False, "study.h5":
    summary = manylink.run(study, output=output, quiet=True)
    x, y = summary.end_x.values.ravel(), summary.end_y.values.ravel()
    a = np.tile(summary["system.a"].values.reshape(-1)[:200], 4)
    sound = summary.outcome.values.ravel() == 0
    assert 0 < sound.sum() < 800
    x = np.where(sound, x, np.nan)
    rows = manylink.table(summary)
    assert rows.identical(summary.manylink.table()) and summary.manylink.trajectory(3, every=1).identical(
        manylink.trajectory(summary, 3, every=1))
    assert (rows.run == np.arange(800)).all() and np.array_equal(np.where(sound, rows.end_x, np.nan), x, equal_nan=True)
    assert rows.outcome.attrs["flag_meanings"].startswith("finished ") and (rows.outcome == 0).values.tolist() == sound.tolist()
    few = manylink.table(summary, ["system.a", "end_y"])
    assert set(few) == {"system.a", "end_y"} and (few["system.a"] == a).all() and few.end_y.attrs["units"] == "m"
    found = manylink.best(summary, "end_x", count=7)
    assert found.run.values.tolist() == np.argsort(x, kind="stable")[:7].tolist() and list(found) == ["system.b", "system.a", "end_x"]
    found = manylink.best(summary, "end_x", where=["end_y > 1.2 m", "system.a < 0.9"], largest=True, columns=["outcome"])
    order = np.argsort(np.where((y > 1.2) & (a < 0.9), -x, np.nan), kind="stable")[:10]
    assert found.run.values.tolist() == order.tolist() and list(found) == ["outcome", "end_x"] and (found.end_x == x[order]).all()
    found = manylink.best(summary, "end_x", worst=True, over="sample")
    assert found.run.values.tolist() == [200 * i + np.nanargmax(x[200 * i:200 * i + 200]) for i in range(4)]
    assert found.counted.values.tolist() == sound.reshape(4, 200).sum(1).tolist() and not found.without.any()
    assert manylink.best(summary, "end_x", where=["end_x > 1e300"]).sizes["run"] == 0
    for arguments, text in ((["end_z"], "no such column"), (["end_x", 3, ["end_x"]], "a condition compares"),
                            (["end_x", 3, [], False, False, "system.a"], "have no such axis")):
        try:
            manylink.best(summary, *arguments)
        except manylink.ManylinkError as error:
            assert text in str(error), error
        else:
            raise AssertionError(arguments)
END
