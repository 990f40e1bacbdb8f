# A result of `inverse` has /study/runs as one of `run`, and of a sample statistics and sensitivity indices: of a rod whose
# peak torque is a sum of its inputs, in closed form.
. "$SOURCE/tests/check.sh"
need_python

cat >rod.yaml <<'YAML'
manylink: 1
system: {type: chain, gravity: 0, segments: [{name: arm, length: 0.6, mass: 2, com: 0.2, inertia: 0.3}]}
motion: {type: minimum_jerk, start: {angle: 0.1}, end: {angle: 1.4}, duration: 0.5, onset: 0.1}
time: {step: 0.01, end: 0.7}
sample:
  method: sobol
  count: 256
  design: saltelli
  over:
    - {set: system.segments.arm.inertia, from: 0.2, to: 0.4}
    - {set: system.segments.arm.mass, scale_by: {from: 0.5, to: 1.5}}
YAML
expect 0 "$MANYLINK" inverse rod.yaml -o rod.h5 --threads 1
expect 0 "$MANYLINK" inverse rod.yaml -o threads.h5 --threads 2
same rod.h5 threads.h5
for shard in 0 1 2; do
    expect 0 "$MANYLINK" inverse rod.yaml -o part-$shard.h5 --shard $shard/3
done
expect 0 "$MANYLINK" merge part-0.h5 part-1.h5 part-2.h5 -o merged.h5
same rod.h5 merged.h5
expect 0 "$MANYLINK" verify merged.h5
expect 0 "$MANYLINK" sensitivity rod.h5 peak_torque --csv
cp out indices.csv
expect 0 "$MANYLINK" sensitivity rod.h5 peak_torque.arm
says out 'peak_torque.arm: 256 of 256 points are complete; first order by saltelli'
expect 0 "$MANYLINK" table rod.h5
[ "$(wc -l <out)" = 1025 ] || fail "not a row for each run"
cp out table.csv
expect 0 "$MANYLINK" best rod.h5 peak_torque.arm --count 1
cp out best.csv
expect 0 "$MANYLINK" info rod.h5
says out 'runs: 1024, 1024 finished'
says out 'statistics of the sample; left out: 0 of 512 runs'
expect 0 "$MANYLINK" report rod.h5 -o rod.html

# With an axis, plain points; the runs of a forward result, by their numbers.
expect 0 "$MANYLINK" inverse rod.yaml -o grid.h5 --set 'sweep=[{set: motion.duration, values: [0.5, 0.25]}]' \
    --set 'sample={method: random, count: 400, over: [{set: system.segments.arm.inertia, from: 0.2, to: 0.4}, {set: system.segments.arm.mass, from: 1, to: 3}]}'
expect 0 "$MANYLINK" sensitivity grid.h5 --csv
cp out grid.csv
cat >swing.yaml <<'YAML'
manylink: 1
system: {type: chain, segments: [{name: arm, length: 0.6, mass: 2}]}
initial: {angle: {arm: 1}}
time: {step: 0.01, end: 0.2}
save: {trajectory: {every: 1, quantities: [angle, rate, acceleration], runs: {every: 3}}}
sweep: [{set: system.segments.arm.mass, from: 1, to: 4, count: 7}]
YAML
expect 0 "$MANYLINK" run swing.yaml -o swing.h5 --no-accuracy
expect 0 "$MANYLINK" inverse swing.yaml --motion swing.h5 -o swung.h5
expect 0 "$MANYLINK" table swung.h5
cp out swung.csv
expect 2 "$MANYLINK" run swing.yaml -o swung.h5
says err "swung.h5: is there already, and is no result of \`run\`"
"$PYTHON" - <<'PY'
import csv

import h5py
import numpy as np

acceleration = 1.3 * 10 / np.sqrt(3) / 0.5**2  # largest of the motion, between two samples
with h5py.File("rod.h5") as file:
    runs, summary, statistics = (file[f"study/{name}"] for name in ("runs", "summary", "statistics"))
    inertia, mass = (runs[f"system.segments.arm.{name}"][()] for name in ("inertia", "mass"))
    peak = summary["peak_torque"][:, 0]
    factor = peak / (inertia + mass * 0.2**2)
    print("peak over inertia about the joint:", factor.min(), "to", factor.max(), "of", acceleration)
    assert np.ptp(factor) < 1e-12 * acceleration and 0.99 * acceleration < factor[0] <= acceleration
    assert (runs["run"][()] == np.arange(1024)).all() and (runs["outcome"][()] == 0).all()
    assert list(runs.attrs["inputs"]) == ["system.segments.arm.inertia", "system.segments.arm.mass"]
    assert runs["system.segments.arm.mass"].attrs["distribution_multiplies"] == 2
    counted = peak.reshape(256, 4)[:, [0, 3]].ravel()  # the independent runs of the design
    mean, sd, *_ = statistics["moments/peak_torque"][0]
    assert statistics["moments/peak_torque"].dims[0].keys() == ["joint"]
    assert abs(mean / counted.mean() - 1) < 1e-13 and abs(sd / counted.std(ddof=1) - 1) < 1e-13
    assert abs(mean / (factor[0] * 0.38) - 1) < 1e-3
    stored = file["study/sensitivity/global"]
    names = stored["output"].asstr()[()]
    first, total = (stored[name][list(names).index("peak_torque.arm")] for name in ("first_order", "total"))
right = np.array([0.2**2, 0.08**2]) / (0.2**2 + 0.08**2)  # squares of the widths
print("first order", first, "total", total, "of", right)
assert abs(first - right).max() < 0.02 and abs(total - right).max() < 0.02
printed = [row for row in csv.DictReader(open("indices.csv"))]
assert {row["output"] for row in printed} == {"peak_torque.arm"}, printed
rows = list(csv.DictReader(open("table.csv")))
assert np.array_equal([float(row["peak_torque.arm (N m)"]) for row in rows], peak)
assert np.array_equal([float(row["system.segments.arm.mass (kg)"]) for row in rows], mass)
assert {row["outcome"] for row in rows} == {"finished"}
assert int(next(csv.DictReader(open("best.csv")))["run"]) == peak.argmin()
with h5py.File("grid.h5") as file:
    peak = file["study/summary/peak_torque"][..., 0]
    assert peak.shape == (2, 400) and abs(peak[1] / peak[0] / 4 - 1).max() < 0.05
    assert abs(file["study/statistics/moments/peak_torque"][:, 0, 0] / peak.mean(-1) - 1).max() < 1e-13
    assert file["study/runs/motion.duration"].shape == (800,)
    assert file["study/sensitivity/global/first_order"].shape[0] == 2
with h5py.File("swung.h5") as file:
    runs = file["study/runs"]
    assert list(runs["run"]) == [0, 3, 6] and list(runs["system.segments.arm.mass"]) == [1, 2.5, 4]
    assert "statistics" not in file["study"] and "inputs" not in runs.attrs
assert [row["run"] for row in csv.DictReader(open("swung.csv"))] == ["0", "3", "6"]
PY
