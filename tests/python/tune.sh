# `tune` of the Python package: the numbers of the command, which other calls take.
. "$SOURCE/tests/check.sh"
use_package xarray

cat >study.yaml <<'END'
manylink: 1
system: {type: chain, segments: [{name: rod, length: 1, mass: 1}]}
forces: [{name: hold, type: pid, joint: rod, target: 1, kp: 30, ki: 3, kd: 2}]
time: {step: 1e-2, end: 2}
analyse: {tracking: {}, effort: {}}
tune:
  vary: [{set: [forces.hold.kp], from: 10, to: 300, scale: log}, {set: forces.hold.kd, from: 1, to: 30, scale: log}]
  minimise: iae + 1e-3*rms_torque
  require: {overshoot: {below: 0.1}}
  starts: 2
  points: 300
END
expect 0 "$MANYLINK" tune study.yaml --json
"$PYTHON" - <<'END'
import json

import manylink

found = manylink.tune("study.yaml", threads=2)
printed = json.load(open("out"))
assert list(found.numbers) == ["forces.hold.kp", "forces.hold.kd"], found
assert list(found.numbers.values()) == [n["value"] for n in printed["numbers"]]
assert (found.cost, found.cost_before, found.points, found.end) == tuple(printed[k] for k in ("cost", "before", "points", "end"))
assert found.is_met and found.runs == found.points and found.is_converged == printed["converged"]
summary = manylink.run("study.yaml", set=found.numbers, output=None)
assert float(summary.iae.sum()) + 1e-3 * float(summary.rms_torque.sum()) == found.cost
assert manylink.tune("study.yaml", set={"tune.seed": 5}).numbers != found.numbers
for values, words in (({"tune.minimise": "iea"}, "cannot minimise"), ({"tune.require.overshoot.below": -1}, None)):
    try:
        assert not manylink.tune("study.yaml", set=values).is_met and words is None
    except manylink.ManylinkError as error:
        assert words and words in str(error), error
END
