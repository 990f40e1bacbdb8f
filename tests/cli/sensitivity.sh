# What a study differentiates is in the result under the names of what it is, in every reader.
. "$SOURCE/tests/check.sh"
need_python

cat >study.yaml <<'END'
manylink: 1
system:
  type: chain
  segments: [{name: upper, length: 1, mass: 1}, {name: lower, length: 0.5, mass: 1}]
initial: {angle: {upper: 1.5, lower: 0.4}}
time: {step: 1e-3, end: 1}
sweep: [{set: initial.angle.upper, from: 1, to: 1.5, count: 20}]
analyse:
  sensitivity:
    of: [end_state, trajectory, max_rate, energy_drift]
    to: [system.segments.upper.mass, initial.angle.lower]
save: {trajectory: {every: 100, quantities: [angle], runs: {every: 4}}}
END
expect 0 "$MANYLINK" run study.yaml
expect 0 "$MANYLINK" info study.h5
says out "20 x 7 x 2" # sensitivity of the summary
says out "5 x 4 x 2 x 11"

# The file is as large as planned, of derivatives along the motion, too.
expect 0 "$MANYLINK" run study.yaml --set analyse.sensitivity.of=trajectory -o along.h5
size=$(wc -c <along.h5)
expect 0 "$MANYLINK" plan study.yaml --set analyse.sensitivity.of=trajectory
awk -v size="$size" '$1 == "disk" { planned = 1000 * $3 } END { exit planned < 0.9 * size || planned > 1.1 * size }' out ||
    fail "a file of $size bytes: $(grep disk out)"

cat >check.py <<'END'
import sys

import h5py

file = h5py.File("study.h5")
state = ["angle.upper", "angle.lower", "rate.upper", "rate.lower"]
indicators = ["max_rate.upper", "max_rate.lower", "energy_drift"]
to = ["system.segments.upper.mass", "initial.angle.lower"]


def labels(name):
    return [label.decode() for label in file[name][()]]


assert labels("study/summary/output") == state + indicators
assert labels("study/summary/parameter") == to
assert labels("study/trajectories/output") == state
assert labels("study/trajectories/parameter") == to
along = file["study/trajectories/sensitivity"]
assert [along.dims[k][0].name.split("/")[-1] for k in range(4)] == [
    "run", "output", "parameter", "time"]
assert (along[:, :, :, -1] == file["study/summary/sensitivity"][::4, :4]).all()
assert file["study/trajectories/checksums/sensitivity"].shape == (5,)
END
"$PYTHON" check.py || fail "the result is not what it should be"
"$PYTHON" "$SOURCE/tests/results/view_result.py" study.h5 ||
    fail "study.h5 does not open everywhere"
