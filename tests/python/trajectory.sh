# Trajectories of the Python package: what is saved is what h5py reads; any other run is computed with
# the bits that the command has of it; a result from elsewhere needs its study.
. "$SOURCE/tests/check.sh"
use_package h5py xarray

cat >study.yaml <<END
manylink: 1
system: {type: chain, segments: [{name: upper, length: 1, mass: 1}, {name: lower, length: 0.5, mass: 2}]}
time: {step: 1e-3, end: 0.5}
sweep:
  - {set: initial.angle.upper, from: -3, to: 3, count: 5}
  - {set: system.segments.lower.mass, values: [1, 2]}
save: {trajectory: {every: 50, quantities: [angle, energy, end_position], runs: {every: 3}}}
END
expect 0 "$MANYLINK" run --quiet study.yaml -o saved.h5
expect 0 "$MANYLINK" run --quiet study.yaml --run 7 --set save.trajectory.every=1 -o run_7.h5
cat >trajectory.py <<'END'
import copy
import pickle

import h5py
import numpy as np

import manylink


def error(call, *arguments, **named):
    try:
        call(*arguments, **named)
    except manylink.ManylinkError as problem:
        return str(problem)
    raise AssertionError("no error")


def compare(path, i, data, names):
    with h5py.File(path) as file:
        group = file["study/trajectories"]
        for name in names:
            there = group[name]
            assert there[i].tobytes() == np.ascontiguousarray(data[name].values).tobytes(), name
            assert list(data[name].dims) == [d[0].name.rpartition("/")[2] for d in there.dims][1:]
            assert data[name].attrs.get("units", "") == there.attrs.get("units", "")
        assert np.array_equal(group["time"][()], data.time.values) and data.time.attrs["units"] == "s"


of_file = manylink.run("study.yaml")
in_memory = manylink.run("study.yaml", output=False)
for source in (of_file, in_memory, manylink.load("study.h5"), "study.h5", copy.deepcopy(in_memory),
               pickle.loads(pickle.dumps(of_file))):
    data = manylink.trajectory(source, 6)
    compare("saved.h5", 2, data, ("angle", "energy", "end_position"))
    assert int(data.run) == 6 and list(data.segment.values) == ["upper", "lower"]
for source in (of_file, in_memory):
    point = {"initial.angle.upper": 0, "system.segments.lower.mass": 2}
    data = manylink.trajectory(source, source.run.sel(point))
    assert int(data.run) == 5 and data.time.size == 11 and float(data.angle[0, 0]) == 0
    compare("run_7.h5", 0, manylink.trajectory(source, 7, every=1), ("angle", "energy"))
data = manylink.trajectory(of_file, 6, every=10, quantities=["rate"])
assert list(data.data_vars) == ["rate"] and data.time.size == 51
assert "energy" in error(manylink.trajectory, of_file, 6, quantities=["enrgy"])

loaded = manylink.load("study.h5")
assert "run 7 is not saved, but [0, 3, 6, 9]" in error(manylink.trajectory, loaded, 7)
assert manylink.trajectory(loaded, 7, study="study.yaml").identical(manylink.trajectory(of_file, 7))
assert "is not the study of the result" in error(manylink.trajectory, loaded, 7, study="study.yaml",
                                                  set={"time.end": 1})
assert "not what run() or load() returned" in error(manylink.trajectory, loaded.end_angle, 7)
assert "10" in error(manylink.trajectory, of_file, 10)
again = manylink.run("study.yaml", set={"time.end": 0.4}, output="again.h5")
manylink.run("study.yaml", output="again.h5", restart=True)
assert "again.h5: has the result of another study by now" in error(manylink.trajectory, again, 6)
assert "memory of another process" in error(manylink.trajectory, pickle.loads(pickle.dumps(in_memory)), 6)
END
expect 0 "$PYTHON" trajectory.py
