# A finished result that Python extends is the file of a study that was asked for all of it at once.
. "$SOURCE/tests/check.sh"
use_package xarray h5py

cat >extend.py <<'END_OF_PROGRAM'
import manylink

study = {
    "manylink": 1,
    "system": {"type": "lorenz"},
    "initial": {"x": 1},
    "time": {"step": 1e-2, "end": 1},
    "sample": {"method": "halton", "count": 20, "over": [{"set": "system.rho", "from": 20, "to": 30}]},
}
manylink.run(study, output="part.h5")
manylink.run(study, set={"sample.count": 50}, output="once.h5")
other = manylink.extend("part.h5", {"sample.count": 50}, output="other.h5")
same = manylink.extend("part.h5", {"sample.count": 50}, threads=1)
assert other.identical(same) and same.sizes["run"] == 50
try:
    manylink.extend("part.h5", {"system.sigma": 9})
except manylink.ManylinkError as error:
    assert "part.h5: cannot extend: all motions differ" in str(error)
else:
    raise AssertionError("no error")
study["system"] = {"type": "plugin", "file": "lorenz.so"}
manylink.run(study, output="theirs.h5")
manylink.run(study, set={"sample.count": 50}, output="theirs_once.h5")
try:
    manylink.extend("theirs.h5", {"sample.count": 50})
except manylink.ManylinkError as error:
    assert "a result cannot be trusted to name native code" in str(error), error
else:
    raise AssertionError("no error")
manylink.extend("theirs.h5", {"sample.count": 50}, plugin="lorenz.so")
END_OF_PROGRAM
"$CC" -std=c17 -O2 -ffp-contract=off -shared -fPIC -I"$SOURCE/include" -o lorenz.so "$SOURCE/tests/cli/plugins/lorenz.c" -lm
"$PYTHON" extend.py
same theirs.h5 theirs_once.h5
same part.h5 once.h5
same other.h5 once.h5
