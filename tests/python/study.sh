# Studies of the Python package: a dict is the study that the same file is, numpy's numbers in it too;
# `set` is the command's --set; what is wrong is told as the command tells it.
. "$SOURCE/tests/check.sh"
use_package xarray

cat >study.yaml <<END
manylink: 1
system:
  type: chain
  segments:
    - {name: upper, length: 1, mass: -1}
time: {step: 1e-3, end: 0.1}
END
expect 2 "$MANYLINK" run study.yaml
mv err told
says told "study.yaml:5:38: mass is -1"
expect 2 "$MANYLINK" run study.yaml --set system.gravty=3
mv err told_of_set
cat >study.py <<'END'
import math
import threading

import numpy as np

import manylink


def message(call, *arguments, **named):
    try:
        call(*arguments, **named)
    except manylink.ManylinkError as error:
        return str(error), error.status
    raise AssertionError("no error")


told = open("told").read()
for call in (manylink.run, manylink.plan, manylink.evaluate):
    assert message(call, "study.yaml") == (told.rstrip("\n"), 2)
    assert message(call, "study.yaml", set={"system.gravty": 3})[0] == open("told_of_set").read().rstrip("\n")
assert "there_is_none.yaml" in message(manylink.run, "there_is_none.yaml")[0]
assert message(manylink.load, "study.yaml") != "" and message(manylink.load, "none.h5")[1] == 2

study = {
    "manylink": 1,
    "title": "A dict: with \"quotes\", ümlauts and a # sign",
    "system": {"type": "chain", "segments": [{"name": "upper", "length": 1, "mass": np.float64(1.1)}]},
    "time": {"step": 1e-3, "end": 0.1},
    "sweep": [{"set": "initial.angle.upper", "values": np.array([0.1, 1 / 3, math.pi])}],
}
text, status = message(manylink.run, {**study, "time": {"step": 1e-3, "end": -1}})
place, source, caret = text.split("\n")
assert place.startswith("study:") and '"end": -1' in source and caret.strip() == "^", text
assert source[caret.index("^"):].startswith("-1"), text
data = manylink.run(study)
assert data.title == study["title"]
assert list(data["initial.angle.upper"].values) == [0.1, 1 / 3, math.pi]
assert data.attrs["resolved"].count("mass: 1.1") == 1
other = manylink.run(study, set={"system.segments.upper.mass": 0.7, "system.gravity": [0, -1.5],
                                 "time.end": "0.2", "sweep": []})
assert other.end_time == 0.2 and "initial.angle.upper" not in other.coords and other.end_angle.dims == ("segment",)
assert "mass: 0.7" in other.attrs["resolved"]
for wrong in (float("nan"), {1, 2}):
    try:
        manylink.run({**study, "title": wrong})
    except (TypeError, ValueError):
        continue
    raise AssertionError(wrong)

# Plans and terms of the equations of a pendulum: m l^2 / 3 q'' = -m g l / 2 sin q
plan = manylink.plan(study, threads=2)
assert plan.runs == 3 and plan.time.steps == 100 and plan.system.name == "chain" and plan.speed.seconds > 0
assert manylink.plan(study, measure=False).speed.seconds == 0
at = manylink.evaluate(study, run=1, params=["system.gravity"])
assert list(at.state) == [1 / 3, 0] and at.mass_unit == "kg m^2" and at.force_unit == "N m"
assert abs(at.M[0, 0] - 1.1 / 3) < 1e-15 and at.rates.shape == (2,) and at.kinetic == 0
assert abs(at.qdd[0] + 1.5 * 9.81 * math.sin(1 / 3)) < 1e-12 and at.rates[1] == at.qdd[0]
assert abs(at.rates_by_param[1, 0] + 1.5 * math.sin(1 / 3)) < 1e-12
assert abs(at.rates_by_state[1, 0] + 1.5 * 9.81 * math.cos(1 / 3)) < 1e-12
assert abs(manylink.evaluate(study, state=[math.pi / 2, 2.0]).qdd[0] + 1.5 * 9.81) < 1e-12
assert "state has the shape (3,)" in message(manylink.evaluate, study, state=[1, 2, 3])[0]
assert "3" in message(manylink.evaluate, study, run=3)[0]

# Two at once, in two threads: each the result that it is alone.
alone = [data, other]
both = [None, None]
def work(i, **named):
    both[i] = manylink.run(study, threads=2, **named)
threads = [threading.Thread(target=work, args=(0,)),
           threading.Thread(target=work, args=(1,), kwargs={"set": {
               "system.segments.upper.mass": 0.7, "system.gravity": [0, -1.5], "time.end": "0.2", "sweep": []}})]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
for i in range(2):
    assert both[i].identical(alone[i]), i
END
expect 0 "$PYTHON" study.py
