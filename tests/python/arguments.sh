# Arguments of the Python package that are numbers: whole ones within their bounds, real ones of the right shape,
# from Python, numpy, xarray and pandas; any other is refused, and none is rounded or wrapped. Names are those
# that help() describes; a result of every command is whole, and labels tell axes apart.
. "$SOURCE/tests/check.sh"
use_package pandas

cat >study.yaml <<END
manylink: 1
system: {type: chain, segments: [{name: upper, length: 1, mass: 1}, {name: lower, length: 0.5, mass: 2}]}
time: {step: 1e-3, end: 0.1}
initial: {angle: {upper: 1}}
END
expect 0 "$MANYLINK" compare study.yaml -o compared.h5
expect 0 "$MANYLINK" inverse "$SOURCE/studies/reach_inverse.yaml" -o torques.h5
cat >arguments.py <<END
import json
import math
import os
from types import MappingProxyType

import h5py
import numpy as np
import pandas
import xarray
from xarray.plot.utils import label_from_attrs

import manylink

study = {"manylink": 1, "system": {"type": "lorenz"}, "initial": {"y": 1, "z": 1}, "time": {"step": 1e-3, "end": 0.1},
         "sweep": [{"set": "initial.x", "values": xarray.DataArray([1, 2, 3])},
                   {"set": "system.rho", "values": pandas.Series([20.0, 28.0])}]}
result = manylink.run(study, set={"initial.y": xarray.DataArray(1.5), "initial.z": np.longdouble(1)})
assert result.sizes == {"initial.x": 3, "system.rho": 2} and "y: 1.5" in result.attrs["resolved"]


def refused(text, call, *arguments, **named):
    try:
        call(*arguments, **named)
    except manylink.ManylinkError as error:
        assert text in str(error), (text, str(error))
        return
    raise AssertionError(f"not refused: {text}")


for run in (1.5, "1", True, None, np.array([1]), np.float64(1), 1j):
    refused("must be a whole number", manylink.trajectory, result, run)
for run in (2**64, 2**63, -1):
    refused("must be from 0 to 9223372036854775807", manylink.trajectory, result, run)
    refused("must be from 0 to", manylink.evaluate, study, run=run)
for run in (1, np.int8(1), np.uint64(1), result.run[0, 1], np.array(1)):
    assert int(manylink.trajectory(result, run).run) == 1
for threads in (-1, 2**31):
    refused("threads is", manylink.run, study, threads=threads)
    refused("threads is", manylink.plan, study, threads=threads)
os.environ["MANYLINK_CUDA_LIBRARY"] = "libnone.so.1"
end = {**study, "save": {"summary": ["end_state"]}}
refused("libnone.so.1, the library of the driver of GPUs, is not there", manylink.run, end, device="gpu")
refused("must be auto, none, gpu or gpu:K", manylink.run, end, device="cuda")
assert (manylink.run(end, device="auto").end_y == manylink.run(end).end_y).all()

refused("must be real numbers, not complex128", manylink.evaluate, study, state=np.array([1j, 2, 3]))
refused("must have (3,)", manylink.evaluate, study, state=[[1, 2, 3]])
refused("must have ()", manylink.evaluate, study, time=[1.0])
refused("must be real numbers, not masked", manylink.evaluate, study, state=np.ma.array([1.0, 2, 3], mask=[1, 0, 0]))
for every in (0, 1.5, "1", True):
    refused("every", manylink.trajectory, result, 1, every=every)
refused("not finite", manylink.evaluate, study, time=math.nan)

# C ends a text at a NUL: no other file is read or written, and no other key is set.
for call in (lambda: manylink.run(study, output="a\\0b.h5"), lambda: manylink.load("a\\0b.h5"),
             lambda: manylink.inverse(study, motion="a\\0b.csv"), lambda: manylink.run("a\\0b.yaml"),
             lambda: manylink.run(study, set={"title\\0x": "t"})):
    refused("has a NUL character", call)
assert not os.path.exists("a")

# Every map is a study; a value that is missing is none.
assert manylink.run(MappingProxyType(dict(study, sweep=[{"set": "initial.x", "values": range(3)}]))).sizes["initial.x"] == 3
try:
    manylink.run(dict(study, sweep=[{"set": "initial.x", "values": np.ma.array([1.0, 2], mask=[0, 1])}]))
except TypeError as error:
    assert "MaskedArray cannot be part of a study" in str(error), error
else:
    raise AssertionError("a value that is missing is taken")
assert set(dir(manylink)) == {*manylink.__all__, "__doc__", "__version__"}
assert {"study", "motion", "return"} <= set(manylink.inverse.__annotations__)

# Every label that xarray writes along an axis of a map is another.
labels = {label_from_attrs(result[name]) for name in ("initial.x", "system.rho", "end_x")}
assert len(labels) == 3 and "initial.x" in labels, labels

# compare and inverse: every array of the file.
for name, groups in (("compared.h5", ["precision"]), ("torques.h5", ["inverse", "summary"])):
    data = manylink.load(name)
    with h5py.File(name) as file:
        for group in groups:
            arrays = {k: v for k, v in file["study"][group].items() if isinstance(v, h5py.Dataset)}
            there = {k for k, v in arrays.items() if v.dtype.kind == "f" and v.attrs.get("CLASS") != b"DIMENSION_SCALE"}
            missing = there - set(data.variables)
            assert len(there) > 3 and not missing, (group, missing)
            for k in there:
                assert arrays[k][()].tobytes() == np.ascontiguousarray(data[k].values).tobytes(), k
torques = manylink.inverse("$SOURCE/studies/reach_inverse.yaml")
assert torques.torque.dims == ("system.segments.hand.mass", "system.segments.forearm.com", "joint", "time")
assert torques.identical(manylink.load("torques.h5"))
# A motion of a table brings its times, for a dict as for a file.
arm = {"manylink": 1, "system": {"type": "chain", "segments": [{"name": "arm", "length": 0.3, "mass": 2.0}]}}
with open("motion.csv", "w") as table:
    table.write("time,angle/arm\n" + "".join(f"{k / 100},{math.sin(k / 30)!r}\n" for k in range(60)))
with open("arm.yaml", "w") as file:
    json.dump(arm, file)
assert manylink.inverse(arm, motion="motion.csv").equals(manylink.inverse("arm.yaml", motion="motion.csv"))
again = manylink.inverse("$SOURCE/studies/reach_inverse.yaml", output="again.h5")
assert again.equals(torques) and manylink.load("again.h5").equals(torques)
END
"$PYTHON" -W error arguments.py

# Notes are printed, as the command does, and stop no program that makes errors of warnings.
cat >note.py <<'END'
import manylink

manylink.run({"manylink": 1, "system": {"type": "duffing", "alpha": 1, "beta": 0, "gamma": 0},
              "integrator": "euler", "time": {"step": 1, "end": 4}})
END
expect 0 "$PYTHON" -W error note.py
says err "note: a step of 1 s is too large"
