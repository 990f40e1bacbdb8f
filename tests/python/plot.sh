# `plot` of the Python package, by xarray and matplotlib: a map, curves, points and torques as their views have them, with the numbers of the file.
. "$SOURCE/tests/check.sh"
use_package xarray h5py matplotlib

cat >map.yaml <<'END'
manylink: 1
accuracy: off
system: {type: chain, segments: [{name: a, length: 1, mass: 1}, {name: b, length: 0.5, mass: 1}]}
time: {step: 0.01, end: 3}
sweep:
  - {set: initial.angle.a, from: 0.5, to: 3, count: 5}
  - {set: initial.rate.b, values: [0, 1, 30]}
END
expect 0 "$MANYLINK" run map.yaml -q
expect 0 "$MANYLINK" run map.yaml -q -o sample.h5 --set sweep=[] \
    --set 'sample={method: sobol, count: 8, over: [{set: initial.angle.a, from: 0, to: 3}]}'
expect 0 "$MANYLINK" inverse "$SOURCE/studies/reach_inverse.yaml" -o reach.h5
cat >oscillator.yaml <<'END'
manylink: 1
system: {type: mass_spring_damper, mass: [[1]], stiffness: [[4]]}
initial: {position: [1]}
time: {step: 0.01, end: 2}
END
expect 0 "$MANYLINK" compare oscillator.yaml --integrators rk4,dop853 --levels 3 -o compare.h5
MPLBACKEND=Agg "$PYTHON" - <<'END'
import h5py
import matplotlib.pyplot as plt
import numpy as np

import manylink


def read(name, dataset):
    with h5py.File(f"{name}.h5") as file:
        return file[f"study/{dataset}"][()]


def axes(**keys):
    return {"ax": plt.figure().subplots(), **keys}


# The first view is the wrapped end angle over both axes.
summary, own = manylink.load("map.h5"), axes(vmin=-1)
mesh, angle = summary.manylink.plot(**own), read("map", "summary/end_angle")[..., 1]
assert np.abs(angle).max() > np.pi and own["ax"].get_xlabel().startswith("initial.rate.b"), angle
assert np.allclose(np.reshape(mesh.get_array(), (5, 3)), np.remainder(angle + np.pi, 2 * np.pi) - np.pi, atol=1e-12)
assert mesh.norm.vmin == -1 and own["ax"].get_ylabel().startswith("initial.angle.a")
mesh, drift = manylink.plot("map.h5", "energy_drift", **axes()), read("map", "summary/energy_drift")
assert np.array_equal(np.reshape(mesh.get_array(), (5, 3)), drift) and type(mesh.norm).__name__ == "LogNorm"
points = manylink.load("sample.h5").manylink.plot("max_rate", **axes())
assert np.array_equal(points.get_offsets(), np.column_stack([read("sample", "runs/initial.angle.a"), read("sample", "summary/max_rate")[:, 0]]))
# A curve of each part: forces of joints by their coordinates; errors over a cost that is no axis.
reach = manylink.load("reach.h5")
forces, lines = read("reach", "inverse/joint_force"), reach.manylink.plot("joint_force", **axes())
item = next(view for view in reach.manylink.views() if view.dataset == "inverse/joint_force").dims[:-3]
chosen = forces[item]
assert len(lines) == chosen[..., 0].size, (len(lines), chosen.shape)
for line, row in zip(lines, chosen.reshape(-1, chosen.shape[-1])):
    assert np.array_equal(line.get_ydata(), row) and np.array_equal(line.get_xdata(), read("reach", "inverse/time"))
own = axes()
for line, x, y in zip(manylink.plot("compare.h5", **own), read("compare", "precision/cpu_time"), read("compare", "precision/error"), strict=True):
    assert np.array_equal(line.get_xdata(), x) and np.array_equal(line.get_ydata(), y)
assert own["ax"].get_xscale() == own["ax"].get_yscale() == "log"

for result, name, text in ((summary, "none", "no view of none can be drawn; there are: end_angle_wrapped.b, energy_drift"),
                           (manylink.run("map.yaml", set={"time.end": 1}, quiet=True), None, "a result in memory has no views")):
    try:
        result.manylink.plot(name)
    except manylink.ManylinkError as error:
        assert text in str(error), error
    else:
        raise AssertionError(name)
END
