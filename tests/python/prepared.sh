# A kept study in Python: the numbers of manylink.run with the same `set`, for one point and for arrays; a
# dataset; motions; messages; values that are no numbers of runs.
. "$SOURCE/tests/check.sh"
use_package xarray

cat >prepared.py <<'END'
import numpy as np

import manylink

mass, rate = "system.segments.lower.mass", "initial.rate.upper"
study = {
    "manylink": 1,
    "system": {"type": "chain", "segments": [{"name": "upper", "length": 1, "mass": 1},
                                             {"name": "lower", "length": 0.5, "mass": 1}]},
    "initial": {"angle": {"upper": 1}},
    "time": {"step": 1e-2, "end": 1},
}
grid = {**study, "sweep": [{"set": rate, "from": 0, "to": 2, "count": 3},
                           {"set": "initial.angle.lower", "values": [0.5, 1.5]}]}


def message(call, *arguments, **named):
    try:
        call(*arguments, **named)
    except manylink.ManylinkError as error:
        return str(error)
    raise AssertionError("no error")


def same(kept, ran):
    """Datasets have the numbers of manylink.run, but for twins and coordinates that only that has."""
    for name in kept.data_vars:
        assert kept[name].dims == ran[name].dims and kept[name].shape == ran[name].shape, name
        assert np.array_equal(kept[name].values, ran[name].values, equal_nan=True), name
        assert kept[name].attrs.get("description") == ran[name].attrs.get("description"), name
    for name in ("outcome", "steps", "end_time"):
        assert np.array_equal(kept[name].values, ran[name].values), name


for of in (study, grid):
    kept = manylink.study(of)
    runs = kept.run({mass: np.array([1.5, 2.5, 3.5])})
    same(kept.run({mass: 2.5}).to_dataset(), manylink.run(of, set={mass: 2.5}))
    same(runs.to_dataset().isel(point=1), manylink.run(of, set={mass: 2.5}))
    assert kept.readings == 1
    assert runs["end_angle"].shape == (3, *runs.outcome.shape[1:], 2) and runs.steps.dtype == np.int64
    assert list(runs.to_dataset()[mass]) == [1.5, 2.5, 3.5]
    assert np.array_equal(kept.run({mass: [1.5, 2.5, 3.5]})["end_angle"], runs["end_angle"])
    same(kept.run().to_dataset(), manylink.run(of))
assert list(runs.to_dataset()["end_angle"].sel({rate: 1.0}, method="nearest").segment) == ["upper", "lower"]

# Arrays are the caller's: the next call leaves them alone.
before = runs["end_angle"].copy()
kept.run({mass: [4.0, 5.0, 6.0]})
assert np.array_equal(runs["end_angle"], before)

# Motions, of one run and of those of a grid that are saved.
kept = manylink.study(study, set={"save.trajectory.every": 20})
moved = kept.run({mass: [1.5, 2.5]})
ran = manylink.run(study, set={"save.trajectory.every": 20, mass: 2.5})
there = manylink.trajectory(ran, 0)
assert np.array_equal(moved.trajectory["angle"][1], there.angle.values) and moved.trajectory["angle"].shape == (2, 2, 6)
assert np.array_equal(moved.trajectory["time"], there.time.values)
assert moved.to_dataset().trajectory_angle.dims == ("point", "segment", "time")
some = manylink.study(grid, set={"save.trajectory": {"every": 50, "runs": {"every": 4}}}).run()
assert some.trajectory["rate"].shape == (2, 2, 3) and some.to_dataset().trajectory_rate.dims[0] == "saved"

# A run that fails is an outcome; a value that --set refuses is its message.
flow = {"manylink": 1, "system": {"type": "equations", "parameters": {"k": 1}, "state": {"x": 1},
                                  "rates": {"x": "k*x^2"}}, "time": {"step": 1e-2, "end": 2}}
failed = manylink.study(flow).run({"system.k": [0.1, 30]})
assert list(failed.outcome != 0) == [False, True] and np.isnan(failed["end_x"][1]) and failed["end_x"][0] > 1
kept = manylink.study(study)
for wrong in ({mass: -1}, {"system.gravty": 3}, {"time.end": -1.5}, {"integrator": "rk5"}):
    assert message(kept.run, wrong) == message(manylink.run, study, set=wrong), wrong
assert "same length" in message(kept.run, {mass: [1, 2], rate: [1, 2, 3]})
assert "one dimension" in message(kept.run, {mass: [[1.0, 2.0]]})
assert "not finite" in message(kept.run, {mass: float("nan")})
assert "kernel is" in message(manylink.study, study, kernel="fast")
assert kept.run({mass: 1.5}).outcome == 0
for wrong in ({3: 1}, [1], 2.0):
    try:
        kept.run(wrong)
    except TypeError as error:
        assert "dict whose keys are paths" in str(error)
    else:
        raise AssertionError(wrong)

# Numbers along dimensions of outputs.
held = manylink.study({**study, "forces": [{"name": "hold", "type": "pid", "joint": "upper", "target": 1, "kp": 50, "kd": 5}],
                       "analyse": {"poles": {}, "frequency_response": {"from": 0.5, "to": 50, "count": 7}, "lqr": {}}}).run().to_dataset()
assert held.lqr_stiffness.sel(joint="upper", segment="lower") == held.lqr_stiffness[0, 1]
assert list(held.loop_pole) == [1, 2, 3, 4, 5] and abs(held.loop_frequency / np.geomspace(0.5, 50, 7) - 1).max() < 1e-15

# Values that are no numbers stay until a call leaves them out; progress is told.
same(kept.run({"integrator": "heun", mass: 2.5}).to_dataset(), manylink.run(study, set={"integrator": "heun", mass: 2.5}))
calls = []
same(kept.run({mass: 2.5}, progress=lambda *now: calls.append(now)).to_dataset(), manylink.run(study, set={mass: 2.5}))
assert calls and calls[-1][:2] == (1, 1)
# A dict that is changed in place; points with other times or axes; one call at a time.
kept = manylink.study({**grid, "save": {"trajectory": {"every": 10}}}, quiet=True)
start = {"angle": {"upper": 1.0}}
before = kept.run({"initial": start})["end_angle"]
start["angle"]["upper"] = 2.0
assert np.array_equal(kept.run({"initial": start})["end_angle"], kept.run({"initial": {"angle": {"upper": 2.0}}})["end_angle"])
assert not np.array_equal(kept.run({"initial": start})["end_angle"], before)
for values in ({"time.step": [1e-2, 2e-2], "time.end": [1.0, 2.0]}, {"sweep.0.to": [2.0, 3.0]}):
    assert "different shapes, times or axes" in message(kept.run, values)


def again(*_progress):
    kept.run({mass: 2.0})


assert "one call at a time" in message(kept.run, {mass: np.ones(64)}, progress=again)
kept.run({mass: 2.0})
END
expect 0 "$PYTHON" -W error prepared.py
