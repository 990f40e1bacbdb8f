# label: values
# `best` and `worst`: the runs that numpy finds, with conditions, over an axis, and without those that failed; refusals.
. "$SOURCE/tests/check.sh"
need_python

cat >study.yaml <<'END'
manylink: 1
accuracy: off
system: {type: equations, parameters: {a: 1, b: 1, c: 0}, state: {x: 1, y: 0}, rates: {x: x^2*a + c, y: b}}
time: {step: 0.01, end: 1}
sweep: [{set: system.c, values: [0, 0.1, 0.2]}, {set: system.b, from: 1, to: 2, count: 4}]
sample: {method: random, count: 200, seed: 5, over: [{set: system.a, from: -1, to: 1.1}]}
END
expect 3 "$MANYLINK" run study.yaml
expect 0 "$MANYLINK" best study.h5 end_x --count 7
cp out best
expect 0 "$MANYLINK" best study.h5 end_x --largest --where 'end_y > 1.2 and system.a<=0.9' --where 'system.c != 0.1' --columns run,end_x
cp out largest
expect 0 "$MANYLINK" best study.h5 end_x --count 2000 --where 'abs(end_y - 1.4) < 0.3 && not (system.c == 0.1 or end_x^2 > 4*end_y)'
cp out formula
expect 0 "$MANYLINK" worst study.h5 end_x --over sample --tsv
cp out over
expect 0 "$MANYLINK" worst study.h5 end_x --largest --over system.b
cp out smallest
"$PYTHON" - <<'END'
import csv

import h5py
import numpy as np

with h5py.File("study.h5") as f:
    x, y = f["study/summary/end_x"][:].ravel(), f["study/summary/end_y"][:].ravel()
    a, c = f["study/runs/system.a"][:], f["study/runs/system.c"][:]
    sound = f["study/runs/outcome"][:] == 0
assert 0 < sound.sum() < len(sound)
x = np.where(sound, x, np.nan)


def rows(name, separator=","):
    with open(name) as f:
        head, *found = csv.reader(f, delimiter=separator)
    return head, [int(row[0]) for row in found], [float(row[-1]) for row in found]


head, runs, values = rows("best")
assert head == ["run", "system.c", "system.b", "system.a", "end_x"], head
order = np.argsort(x, kind="stable")
assert runs == list(order[:7]) and values == list(x[runs])
head, runs, values = rows("largest")
kept = np.where((y > 1.2) & (a <= 0.9) & (c != 0.1), -x, np.nan)
assert runs == list(np.argsort(kept, kind="stable")[:10]) and head == ["run", "end_x"]
head, runs, values = rows("formula")
kept = np.where((abs(y - 1.4) < 0.3) & (c != 0.1) & (x**2 <= 4 * y), x, np.nan)
assert len(runs) == np.isfinite(kept).sum() > 300 and runs == list(np.argsort(kept, kind="stable")[:len(runs)])
with open("formula") as f:
    drawn = [float(row[head.index("system.a")]) for row in list(csv.reader(f))[1:]] if "system.a" in head else None
assert drawn == list(a[runs]), head
head, runs, values = rows("over", "\t")
assert runs == [200 * i + np.nanargmax(x[200 * i:200 * i + 200]) for i in range(12)] and values == list(x[runs])
head, runs, values = rows("smallest")
grid = x.reshape(3, 4, 200)
with np.errstate(all="ignore"):
    known = [np.nanmin(grid[i, :, k]) for i in range(3) for k in range(200) if np.isfinite(grid[i, :, k]).any()]
assert values == known and len(known) < 600
END
says err "points no run ended as the study asks"
expect 0 "$MANYLINK" best study.h5 end_x --where 'end_x > 1e300'
says err "at 1 of 1 points no run"
expect 2 "$MANYLINK" best study.h5 end_x --where 'end_x'
says err "this is a number; a condition compares"
expect 2 "$MANYLINK" best study.h5 end_x --where '< 3'
says err 'cannot read `< 3`: a number or a name is wanted here'
expect 2 "$MANYLINK" best study.h5 end_x --where 'end_x = 3'
says err 'a comparison is a == b'
expect 2 "$MANYLINK" best study.h5 end_x --where 'end_x < three'
says err 'there is no `three` here'
says err "names are: run, "
expect 2 "$MANYLINK" best study.h5 end_x --where 'end_x < 3 s and end_time < 3 m'
says err 'a comparison of unlike units: s and m'
expect 2 "$MANYLINK" best study.h5 end_z
says err "manylink best: end_z: there is no such column"
expect 2 "$MANYLINK" best study.h5 end_x --where 'end_z < 1'
says err 'there is no `end_z` here'
expect 2 "$MANYLINK" best study.h5 end_x --over system.a
says err "the runs have no such axis; the last axis is "
expect 2 "$MANYLINK" best study.h5

# Results of `inverse` have the inputs too, on a grid and in a list.
cat >lift.yaml <<'STUDY'
manylink: 1
system: {type: chain, segments: [{name: arm, length: 1, mass: 1}]}
motion: {type: minimum_jerk, start: {angle: {arm: 0}}, end: {angle: {arm: 1}}, duration: 1}
time: {step: 0.01, end: 1}
sweep: [{set: system.gravity, values: [1, 2]}]
sample: {method: random, count: 5, over: [{set: system.segments.arm.mass, from: 1, to: 2}]}
STUDY
expect 0 "$MANYLINK" inverse lift.yaml -o lift.h5
expect 0 "$MANYLINK" inverse lift.yaml --set system.gravity=1 -o list.h5
expect 0 "$MANYLINK" best list.h5 peak_torque.arm --count 1
says out "run,system.segments.arm.mass (kg),peak_torque.arm (N m)"
expect 0 "$MANYLINK" best lift.h5 peak_torque.arm --count 1
says out "run,system.gravity (m/s^2),system.segments.arm.mass (kg),peak_torque.arm (N m)"

# Runs without a number of a condition are counted.
cat >crossing.yaml <<'END'
manylink: 1
system: {type: lorenz}
time: {end: 1, step: 0.01}
events: [{name: e, when: y, crosses: 0}]
sample: {method: random, count: 64, over: [{set: system.rho, from: 20, to: 30}, {set: initial.y, from: -1, to: 1}]}
END
"$MANYLINK" run crossing.yaml -q
"$PYTHON" -c 'import h5py, numpy
print(numpy.isnan(h5py.File("crossing.h5")["study/summary/e_time"]).sum())' >lacking
expect 0 "$MANYLINK" best crossing.h5 end_x --where "e_count == 0 or e_time > 0.1"
says err "crossing.h5: left out: $(cat lacking) runs that ended as the study asks but lack a number of the conditions"
