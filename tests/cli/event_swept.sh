# label: values
# Levels, periods, phases and times of events are swept like other numbers: each run of a grid or a sample has
# the bits of a study with its numbers alone.
. "$SOURCE/tests/check.sh"
need_python

cat >step.yaml <<'END'
manylink: 1
system: {type: chain, segments: [{name: upper, length: 1, mass: 1}, {name: lower, length: 1, mass: 1}]}
initial: {angle: [2, 1], rate: [0, -0.5]}
time: {step: 2e-3, end: 3}
events:
  - {name: cross, when: angle.upper, crosses: 0.1, max: 4, keep: [state]}
  - {name: turn, when: angle.lower, crosses: 0, every: 6, from: 0.1, max: 4, keep: [energy]}
  - {name: peak, of: rate.lower, kind: either, least: 0.1, max: 9}
  - {name: beat, period: 0.5, phase: 0.05, max: 20, keep: [angle]}
sweep:
  - {set: events.cross.crosses, from: -0.8, to: 1.2, count: 5}
  - {set: [events.beat.period, events.beat.phase], name: beats, values: [[0.3, 0], [0.5, 0.1], [0.7, -0.05]]}
  - {set: [events.turn.from, events.turn.every, events.peak.least], name: turns,
     values: [[0, 1, 0.3], [0.7, 0.5, 0]]}
END
sed 's/^time: .*/time: {tick: 0.1, end: 3}\nintegrator: {type: tp86, tolerance: 1e-10}/' step.yaml >tolerance.yaml
sed 's/{name: cross.*/{name: cross, when: angle.upper, crosses: 0.1, stop: true}/; /^sweep/,$d' step.yaml >sample.yaml
cat >>sample.yaml <<'END'
sample:
  method: sobol
  count: 20
  over: [{set: events.cross.crosses, from: -0.8, to: 1.2}, {set: initial.angle.upper, from: 1.5, to: 2.5}]
END
for name in step tolerance sample; do
    expect 0 "$MANYLINK" run $name.yaml --no-accuracy
    expect 0 "$MANYLINK" verify $name.h5
    expect 0 "$MANYLINK" run $name.yaml --no-accuracy --kernel general --threads 1 -o other.h5
    same $name.h5 other.h5
    rm other.h5
done
expect 0 "$MANYLINK" list keys
says out 'events[].crosses  [can be swept]'

"$PYTHON" - "$MANYLINK" <<'END' || exit $?
import itertools
import os
import subprocess
import sys

import h5py
import numpy

EVENTS = ("cross_", "turn_", "peak_", "beat_")


def summary(*command):
    subprocess.run((sys.argv[1], "run") + command + ("-o", "alone.h5", "--no-accuracy"), check=True, capture_output=True)
    with h5py.File("alone.h5") as result:
        found = {name: data[()] for name, data in result["study/summary"].items() if isinstance(data, h5py.Dataset)}
        end = result["study/runs/end_time"][()]
    os.remove("alone.h5")
    return found, end


def check(all_runs, where, alone):
    for name in (name for name in all_runs if name.startswith(EVENTS) and all_runs[name].dtype == float):
        own = numpy.ascontiguousarray(all_runs[name][where])
        assert own.tobytes() == numpy.ascontiguousarray(alone[name]).tobytes(), (where, name, own, alone[name])


beats = [[0.3, 0], [0.5, 0.1], [0.7, -0.05]]
turns = [[0, 1, 0.3], [0.7, 0.5, 0]]
for study in ("step", "tolerance"):
    with h5py.File(f"{study}.h5") as result:
        whole = {name: data[()] for name, data in result["study/summary"].items() if isinstance(data, h5py.Dataset)}
        levels = result["study/runs/events.cross.crosses"][()].reshape(5, -1)[:, 0]
        assert result["study/summary/events.cross.crosses"].attrs["units"] in ("rad", b"rad")
    assert len(numpy.unique(whole["cross_time"][:, 0, 0])) == 5 and (whole["turn_count"][:, :, 0] > 0).any()
    for (i, level), (j, beat), (k, turn) in itertools.product(*map(enumerate, (levels, beats, turns))):
        sets = {"cross.crosses": level, "beat.period": beat[0], "beat.phase": beat[1], "turn.from": turn[0],
                "turn.every": turn[1], "peak.least": turn[2]}
        sets = [word for key, value in sets.items() for word in ("--set", f"events.{key}={float(value)!r}")]
        check(whole, (i, j, k), summary(f"{study}.yaml", *sets)[0])
with h5py.File("sample.h5") as result:
    whole = {name: data[()] for name, data in result["study/summary"].items() if isinstance(data, h5py.Dataset)}
    ends = result["study/runs/end_time"][()]
assert len(numpy.unique(ends)) > 10
for run in range(20):
    alone, end = summary("sample.yaml", "--run", str(run))
    check(whole, run, alone)
    assert end == ends[run], run
END
