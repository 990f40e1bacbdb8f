# label: values
# Events: the first flips of a double pendulum are where the reference has them, mirror images flip at the
# same bits, and neither shards, kernels, neighbours nor what else is measured change them.
. "$SOURCE/tests/check.sh"
need_python

cat >study.yaml <<'END'
manylink: 1
system:
  type: chain
  segments: [{name: upper, mass: 1, length: 1}, {name: lower, mass: 1, length: 1}]
time: {step: 2e-3, end: 5}
sweep:
  - {set: initial.angle.upper, from: -2.945243112740431, to: 2.945243112740431, count: 16}
  - {set: initial.angle.lower, from: -2.945243112740431, to: 2.945243112740431, count: 16}
events:
  - {name: upper, when: angle.upper, crosses: pi, every: 2*pi, max: 5, keep: [state, energy, end_position.lower.x]}
  - {name: lower, when: angle.lower, crosses: pi, every: 2*pi, max: 5}
  - {name: swing, of: rate.lower, kind: either}
  - {name: beat, period: 0.5, max: 11, keep: [angle]}
END
sed '/swing/d; /beat/d; s/ max: 5}/ stop: true}/' study.yaml >stop.yaml
for name in study stop; do
    sed 's/^time: .*/time: {end: 5, tick: 0.5}\nintegrator: {type: tp86, tolerance: 1e-13}/; /swing/d' $name.yaml >$name-tolerance.yaml
done
for name in study study-tolerance stop stop-tolerance; do
    expect 0 "$MANYLINK" run $name.yaml --no-accuracy -o $name.h5
done
expect 0 "$MANYLINK" run stop.yaml --no-accuracy --restart -o stop.h5
says out "104 finished, 152 event"

for name in study stop stop-tolerance; do
    expect 0 "$MANYLINK" run $name.yaml --no-accuracy --kernel general --threads 1 -o other.h5
    same $name.h5 other.h5
    rm other.h5
    for shard in 0 1 2; do
        expect 0 "$MANYLINK" run $name.yaml --no-accuracy --shard $shard/3
    done
    expect 0 "$MANYLINK" merge $name.shard-* -o merged.h5
    same $name.h5 merged.h5
    rm merged.h5 $name.shard-*
    expect 0 "$MANYLINK" verify $name.h5
done

# A run by itself, and one whose neighbours are others.
expect 0 "$MANYLINK" run study.yaml --run 22 -o alone.h5
expect 0 "$MANYLINK" run stop.yaml --no-accuracy --set sweep.0.count=2 -o two.h5
"$PYTHON" -c 'import h5py; print(h5py.File("study.h5")["study/resolved"][()].decode())' >resolved.yaml ||
    skip "$PYTHON has no h5py"
expect 0 "$MANYLINK" run resolved.yaml --no-accuracy -o resolved.h5

"$PYTHON" - "$SOURCE/tests/reference/flip_times_equal_rods_16x16.json" <<'END' || exit $?
import json
import sys

import h5py
import numpy


def summary(name):
    return h5py.File(f"{name}.h5")["study/summary"]


def every_bit(a, b):
    return a.shape == b.shape and a.tobytes() == b.tobytes()


with open(sys.argv[1], encoding="utf-8") as file:
    rows = json.load(file)["rows"]
for name, bound in (("study", 1e-7), ("study-tolerance", 3e-14), ("stop", 1e-7), ("stop-tolerance", 3e-14)):
    found = summary(name)
    for event, column in (("upper", 2), ("lower", 3)):
        times = found[f"{event}_time"][...].ravel()
        if name.startswith("stop") and event == "upper":
            continue  # the run may have ended before
        worst = 0.0
        for row, time in zip(rows, times):
            assert (row[column] is None) == numpy.isnan(time), (name, event, row, time)
            if row[column] is not None:
                worst = max(worst, abs(time - row[column]) / max(1.0, row[column + 2]))
        print(f"{name} {event}: {worst:.1e}")
        assert worst <= bound, (name, event, worst)
    for event in ("upper", "lower"):
        times = found[f"{event}_time"][...]
        assert every_bit(times, numpy.ascontiguousarray(times[::-1, ::-1])), "mirror images differ"

found = summary("study")
kept = found["upper_angle"][...]
level = (kept[..., 0] - numpy.pi) / (2 * numpy.pi)
assert numpy.nanmax(numpy.abs(level - numpy.round(level))) < 1e-15
assert numpy.nanmax(numpy.abs(found["upper_end_position.lower.x"][...] - numpy.sin(kept).sum(-1))) < 1e-14
count = numpy.minimum(found["upper_count"][...], 5)
assert (numpy.isfinite(found["upper_times"][..., :5]).sum(-1) == count).all()
first = found["upper_energy"][..., 0]
assert numpy.nanmax(numpy.abs(first / found["upper_energy"][..., 1] - 1)) < 2e-7
assert numpy.array_equal(found["beat_times"][3, 4], numpy.arange(11) * 0.5)

# What an event ends is that event's: the last angle, the last time.
stop = summary("stop")
runs = h5py.File("stop.h5")["study/runs"]
ended = runs["outcome"][...].ravel() == 7
assert ended.sum() == 152 and numpy.array_equal(ended, numpy.isfinite(stop["lower_time"][...]).ravel())
angle = stop["end_angle"][...].reshape(-1, 2)[ended, 1]
assert numpy.abs(numpy.abs(angle) - numpy.pi).max() < 1e-15
time = stop["lower_time"][...].ravel()[ended]
assert every_bit(runs["end_time"][...].ravel()[ended], time)
assert every_bit(summary("study")["lower_time"][...].ravel()[ended], time)

alone, two = summary("alone"), summary("two")
for name in ("upper_times", "upper_angle", "swing_count", "beat_angle"):
    assert every_bit(alone[name][...].ravel(), found[name][...].reshape(256, -1)[22]), name
assert every_bit(two["lower_time"][...], stop["lower_time"][...][[0, 15]])
assert every_bit(summary("resolved")["upper_rate"][...], found["upper_rate"][...])
END

# Names of a result are refused before the first run.
cat >parts.yaml <<'X'
manylink: 1
system: {type: chain, segments: [{name: a, length: 1, mass: 1}, {name: b, length: 1, mass: 1}]}
time: {end: 1, step: 0.01}
initial: {angle: {b: 0.5}}
events: [{name: e, when: angle.b, crosses: 0, max: 4, keep: [angle.a, angle]}]
X
for keep in 'angle.a, angle' 'state, angle.a' 'rate, rate.a'; do
    sed "s/keep: .*/keep: [$keep]}]/" parts.yaml >kept.yaml
    expect 2 "$MANYLINK" plan kept.yaml
    says err "is kept twice, as a part of"
done
sed 's/keep: .*/keep: [angle.a, rate.a, angle.b]}]/' parts.yaml >kept.yaml
expect 0 "$MANYLINK" run kept.yaml
