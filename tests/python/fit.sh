# `fit` of the Python package: the numbers of the command's file, labelled; of a study with arrays of numpy, without a file.
. "$SOURCE/tests/check.sh"
use_package xarray h5py

cp "$SOURCE/studies/fit_pendulum.csv" .
sed 's/count: 256/count: 4/' "$SOURCE/studies/fit_pendulum.yaml" >study.yaml
expect 0 "$MANYLINK" fit study.yaml --profile --threads 1
"$PYTHON" - <<'END'
import warnings

import h5py
import numpy as np

import manylink

found = manylink.fit("study.yaml", threads=2, profile=True)
with h5py.File("study_fit.h5") as f:
    group = f["study/fit"]
    for name in ("estimate", "covariance", "residual", "profile", "profile_low", "start_minimum", "comparison"):
        assert np.array_equal(found[name], group[name][...], equal_nan=True), name
    assert found.squares == group.attrs["squares"] and found.degrees_of_freedom == 994
    assert found.variance == group.attrs["variance"] and found.best_start == group.attrs["best_start"]
    assert found.page == group["page"][()].decode() and found.least_determined == group.attrs["least_determined"]
assert found.covariance.dims == ("parameter", "with_parameter") and found.start_minimum.dims == ("start",)
mass = found.sel(parameter="system.segments.lower.mass")
assert abs(mass.estimate - 0.8) < 3 * mass.standard_error
assert found.profile.sel(profile_curve="system.segments.lower.mass", offset=0) == 0
assert np.array_equal(manylink.load("study_fit.h5").estimate, found.estimate)
assert "manylink" not in found.encoding

# A dict, data of numpy. A minimum that one start alone has met is doubted.
time = np.linspace(0, 2, 21)
x = 2 * time - 1 + 0.1 * (-1.0) ** np.arange(21)
np.savetxt("line.csv", np.column_stack([time, x]), delimiter=",", header="t,x", comments="")
study = {
    "manylink": 1,
    "system": {"type": "equations", "parameters": {"a": 1}, "state": {"x": 0}, "rates": {"x": "a"}},
    "time": {"step": 0.1, "end": 2},
    "sample": {"method": "sobol", "count": 3, "over": [{"set": "system.a", "from": -10, "to": 10},
                                                       {"set": "initial.x", "from": -5, "to": np.float64(5)}]},
    "fit": {"to": "line.csv", "time": "t", "columns": {"x": "x"}},
}
with warnings.catch_warnings():
    warnings.simplefilter("error")
    found = manylink.fit(study, output="line_fit.h5")
assert np.allclose(found.estimate, np.polyfit(time, x, 1), rtol=1e-9) and "profile" not in found
assert np.array_equal(manylink.load("line_fit.h5").estimate, found.estimate)
with warnings.catch_warnings(record=True) as doubts:
    warnings.simplefilter("always")
    manylink.fit(study, set={"fit.iterations": 1})
assert any("no other start met it" in str(doubt.message) for doubt in doubts)

# Chains of a posterior; those that are too short are doubted.
with warnings.catch_warnings(record=True) as doubts:
    warnings.simplefilter("always")
    chains = manylink.fit(study, set={"fit.posterior.walkers": 8, "fit.posterior.steps": 20, "fit.posterior.burn_in": 0})
assert any("the chains are shorter" in str(doubt.message) for doubt in doubts)
assert chains.chain.dims == ("walker", "step", "parameter") and chains.chain.shape == (8, 20, 2) and 0 < chains.acceptance <= 1
assert np.allclose(chains.chain.mean(("walker", "step")), chains.posterior_mean) and "acceptance" not in found.attrs

# Torques of a given motion, by a study without `time`: a point mass of 2 kg at 0.5 m, whose hinge has a damper.
time = np.linspace(0, 3, 301)
angle, rate, turn = np.sin(2 * time), 2 * np.cos(2 * time), -4 * np.sin(2 * time)
torque = 2 * (0.25 * turn + 9.81 * 0.5 * np.sin(angle)) + 0.1 * rate + 0.01 * (-1.0) ** np.arange(301)
np.savetxt("arm.csv", np.column_stack([time, angle, rate, turn, torque]), delimiter=",", comments="", fmt="%.17g",
           header="time,angle/arm,rate/arm,acceleration/arm,m")
arm = manylink.fit({
    "manylink": 1,
    "system": {"type": "chain", "segments": [{"name": "arm", "length": 0.5, "mass": 1, "com": 0.5, "inertia": 0}]},
    "forces": [{"name": "hinge", "type": "damper", "joint": "arm", "coefficient": 0.05}],
    "motion": {"file": "arm.csv"},
    "sample": {"method": "sobol", "count": 2, "over": [{"set": "system.segments.arm.mass", "from": 0.1, "to": 5},
                                                       {"set": "forces.hinge.coefficient", "from": 0, "to": 1}]},
    "fit": {"of": "inverse", "to": "arm.csv", "columns": {"torque.arm": "m"}},
})
expected = np.linalg.lstsq(np.column_stack([0.25 * turn + 9.81 * 0.5 * np.sin(angle), rate]), torque, rcond=None)[0]
assert np.allclose(arm.estimate, expected, rtol=1e-9), arm.estimate - expected

for wrong, text in (({"fit.columns": {"y": "x"}}, "y"), ({"fit.to": "none.csv"}, "none.csv: No such file")):
    try:
        manylink.fit(study, set=wrong)
    except manylink.ManylinkError as error:
        assert text in str(error), error
    else:
        raise AssertionError(wrong)
END
