# studies/step.yaml: its files are those that tests/reference/step.py makes, and its torques are those of that simulation.
. "$SOURCE/tests/check.sh"
need_python

expect 0 "$PYTHON" "$SOURCE/tests/reference/step.py" "$MANYLINK" .
expect 0 "$MANYLINK" inverse "$SOURCE/studies/step.yaml" -o step.h5
"$PYTHON" - "$SOURCE/studies" <<'PY'
import sys

import h5py
import numpy as np

tables = {}
for name in ("motion", "plate"):
    shipped, made = (np.genfromtxt(f"{folder}/step_{name}.csv", delimiter=",") for folder in (sys.argv[1], "."))
    assert np.nanmax(np.abs(shipped - made)) < 1e-5, name  # 9 digits of 800 N
plate = np.genfromtxt(f"{sys.argv[1]}/step_plate.csv", delimiter=",", names=True)
with h5py.File("step.h5") as file:
    torque = 70 * file["study/inverse/torque"][2, 2]  # of the foot's mass and the plate's scale as they are
    assert abs(file["study/inverse/system.segments.foot.mass"][2] - 1) < 1e-12
for i, (joint, most) in enumerate([("hip", 5), ("knee", 3), ("ankle", 1)]):
    off = np.abs(torque[i] - plate[f"moment_{joint}"])[5:-5]
    print(joint, off.max(), "N m")
    assert off.max() < most, joint
PY
