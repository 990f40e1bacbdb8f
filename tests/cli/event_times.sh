# label: values
# Events at given times, once, and under a guard: times, counts and states by hand, a swept time, shards, and the text of the
# study that results have.
. "$SOURCE/tests/check.sh"
need_python

cat >times.yaml <<'END'
manylink: 1
system: {type: equations, state: {x: 0, y: 0}, rates: {x: 1, y: 0}}
events:
  - {name: one, at: 1.25, set: {y: y + 1}, max: 1}
  - {name: more, at: [0, 0.5, 1.25, 2], set: {y: 10*y}, max: 4, keep: [y]}
  - {name: seen, at: [0.1, 1/5, 0.7], from: 0.2, max: 4, keep: [x]}
  - {name: first, when: sin(10*x), direction: up, once: true, max: 1}
  - {name: lift, when: sin(10*x), direction: up, if: [x > 1, y > 10], set: {x: x + 1}, once: true, max: 1}
  - {name: tick, period: 0.5, if: y > 5, max: 8}
sweep: [{set: events.one.at, values: [0.3, 0.5, 1.25, 2]}]
time: {step: 0.01, end: 2}
END
sed 's/^time.*/integrator: {type: tp86, tolerance: 1e-8, step_max: 0.1}\ntime: {end: 2}/' times.yaml >tolerant.yaml
for study in times tolerant; do
    expect 0 "$MANYLINK" run $study.yaml --no-accuracy
    for shard in 0 1; do
        expect 0 "$MANYLINK" run $study.yaml --no-accuracy --threads 1 --shard $shard/2
    done
    expect 0 "$MANYLINK" merge $study.shard-* -o merged.h5
    same $study.h5 merged.h5
    rm merged.h5
done

"$PYTHON" -c 'import h5py; print(h5py.File("times.h5")["study/resolved"].asstr()[()])' >again.yaml
grep -q "at: \[0, 0.5, 1.25, 2\]" again.yaml || fail "list of times in the study of the result"
expect 0 "$MANYLINK" run again.yaml --no-accuracy -o again.h5

"$PYTHON" - <<'END' || fail "events at given times"
import math

import h5py
import numpy as np


def check(own, name, wanted):
    for run, times in enumerate(wanted):
        found = own[name + "_times"][run][: len(times)]
        assert own[name + "_count"][run] == len(times), (name, run, own[name + "_count"][run])
        assert np.abs(found - times).max(initial=0) < 1e-15, (name, run, found, times)


for name in "times", "tolerant", "again":
    with h5py.File(name + ".h5") as f:
        own = f["study/summary"]
        check(own, "one", [[0.3], [0.5], [1.25], [2.0]])
        check(own, "more", [[0, 0.5, 1.25, 2]] * 4)
        check(own, "seen", [[0.2, 0.7]] * 4)
        check(own, "first", [[math.pi / 5]] * 4)
        check(own, "lift", [[2 * math.pi / 5]] * 2 + [[]] * 2)
        check(own, "tick", [[1, 1.5, 2]] * 2 + [[1.5, 2], []])
        assert (own["end_y"][...] == [1000, 1000, 100, 10]).all(), own["end_y"][...]
        assert np.abs(own["end_x"][...] - [3, 3, 2, 2]).max() < 1e-13, own["end_x"][...]
        assert (own["more_y"][:, :4] == [[0, 1, 10, 100], [0, 1, 10, 100], [0, 0, 1, 10], [0, 0, 0, 1]]).all()
END
