# Sobol' indices of a sample by Saltelli's design: against the closed form of Ishigami's function, SALib's numbers, from shards,
# of runs that end in another way, and without what they need.
. "$SOURCE/tests/check.sh"

cat >ishigami.yaml <<'END'
manylink: 1
system: {type: equations, kind: map, parameters: {x: 0, y: 0, z: 0}, state: {f: 0}, next: {f: sin(x) + 7*sin(y)^2 + 0.1*z^4*sin(x)}}
time: {steps: 1}
sample:
  method: sobol
  count: 1024
  seed: 0
  design: saltelli
  second_order: true
  over: [{set: system.x, from: -pi, to: pi}, {set: system.y, from: -pi, to: pi}, {set: system.z, from: -pi, to: pi}]
END
expect 0 "$MANYLINK" run ishigami.yaml
says out "8192 runs"
expect 0 "$MANYLINK" sensitivity ishigami.h5
cp out whole
says out "end_f: 1024 of 1024 points are complete"
# as sobol.analyze of SALib
for index in 'system.x .* 0.3330 .* 0.5582 ' 'system.y .* 0.4413 .* 0.4433 ' 'system.z .* 0.0186 .* 0.2421 ' 'system.x, system.z: .* 0.2276 '; do
    grep -q "$index" out || fail "no $index: $(cat out)"
done
for k in 0 1 2; do
    expect 0 "$MANYLINK" run ishigami.yaml --shard $k/3 -o part$k.h5
done
expect 0 "$MANYLINK" merge part?.h5 -o merged.h5
expect 0 "$MANYLINK" sensitivity merged.h5 end_f
cmp out whole || fail "shards have other indices"
# The file has the same numbers, also after a merge.
for result in ishigami merged; do
    expect 0 "$MANYLINK" sensitivity $result.h5 --csv
    cp out $result.csv
done
cat >global.py <<'END'
import csv
import h5py
for result in "ishigami", "merged":
    group = h5py.File(f"{result}.h5")["study/sensitivity/global"]
    inputs = list(group["input"].asstr())
    assert group["first_order"].dims[0]["output"].asstr()[0] == "end_f" and group["complete"][0] == 1024
    for row in csv.DictReader(open(f"{result}.csv")):
        at = tuple(inputs.index(name) for name in row["input"].split(" * "))
        kinds = ["first_order", "total"] if len(at) == 1 else ["second_order"]
        for kind in kinds:
            assert group[kind][0][at] == float(row[kind]) and group[kind + "_half"][0][at] == float(row[kind + "_half"]), (row, kind)
END
/usr/bin/python3 global.py || fail "the file has other indices than the command"

# Of 4096 scrambled points the closed forms are in the intervals: 0.3139, 0.4424, 0; 0.5576, 0.4424, 0.2437.
expect 0 "$MANYLINK" run ishigami.yaml --set sample.method=scrambled_sobol --set sample.count=4096 --set sample.second_order=false -o scrambled.h5
expect 0 "$MANYLINK" sensitivity scrambled.h5
awk '/^  system/ { n++; first = n == 1 ? 0.31390 : n == 2 ? 0.44241 : 0; total = n == 1 ? 0.55759 : n == 2 ? 0.44241 : 0.24368
    if ((first - $2)^2 > $4^2 || (total - $5)^2 > $7^2 || $7 > 0.06) exit 1 } END { exit n != 3 }' out || fail "$(cat out)"

# A point counts if all of its runs have a number: here x above 3 ends the run, in 1 - (1 - 0.0225)^2 of the points.
cat >ends.yaml <<'END'
manylink: 1
system: {type: equations, parameters: {x: 0, y: 1}, state: {f: 0}, rates: {f: x*y + 0*sqrt(3 - x)}}
time: {step: 0.1, end: 1}
sample: {method: sobol, count: 1024, seed: 0, design: saltelli, over: [{set: system.x, from: -pi, to: pi}, {set: system.y, from: 0, to: 1}]}
END
expect 3 "$MANYLINK" run ends.yaml
expect 0 "$MANYLINK" sensitivity ends.h5 end_f
says out "end_f: 978 of 1024 points are complete"
expect 0 "$MANYLINK" run ends.yaml --set sample.count=16 -o few.h5
expect 0 "$MANYLINK" sensitivity few.h5 end_f
says out "intervals of fewer than 32 points are too narrow"
expect 2 "$MANYLINK" sensitivity ends.h5 nothing
says err "the summary has no such output"

# A range that --set takes out of the sample leaves its runs out too; indices need independent inputs and room for two halves.
expect 0 "$MANYLINK" plan ishigami.yaml --set system.z=1
says out "6144 (Sobol sample)"

# Any sample: random points with runs that end early, against scipy and numpy; the first of its runs.
sed 's/^sample: .*over/sample: {method: random, count: 2000, over/' ends.yaml >plain.yaml
expect 3 "$MANYLINK" run plain.yaml
expect 3 "$MANYLINK" run plain.yaml --set sample.count=20000 --no-accuracy -o many.h5
for estimator in bins rank rbd_fast; do
    expect 0 env OMP_NUM_THREADS=1 "$MANYLINK" sensitivity many.h5 --csv --estimator $estimator
    mv out one_thread
    expect 0 env OMP_NUM_THREADS=3 "$MANYLINK" sensitivity many.h5 --csv --estimator $estimator
    cmp one_thread out || fail "indices depend on the number of threads"
done
expect 0 "$MANYLINK" sensitivity plain.h5 end_f --estimator rank
cat >given.py <<'END'
import re
import h5py, numpy
from scipy import stats
with h5py.File("plain.h5") as f:
    assert f["study/runs"].attrs["design"] == "points" and f["study/runs"].attrs["points"] == "independent"
    x = numpy.array([f["study/runs"][name][:] for name in f["study/runs"].attrs["inputs"].astype(str)])
    y = f["study/summary/end_f"][:]
whole = numpy.isfinite(y)
x, y = x[:, whole], y[whole]
text = open("out").read()
assert f"end_f: {len(y)} of 2000 runs are complete; first order by rank" in text
rows = [[float(a) for a in re.findall(r"(\S+) \+- ", line)] for line in text.splitlines() if "system." in line]
c = y - y.mean()
z = (x - x.mean(1, keepdims=True)) / x.std(1, keepdims=True)
b = numpy.linalg.lstsq(z.T, c / c.std(), rcond=None)[0]
for i in range(2):
    s = c[numpy.argsort(x[i])]
    q = numpy.quantile(x[i], numpy.arange(0, 1.1, 0.1))
    ks = [stats.ks_2samp(y[(x[i] >= low) & (x[i] < high)], y).statistic for low, high in zip(q[:-1], q[1:])]
    wanted = [(s * numpy.roll(s, -1)).sum() / (s * s).sum(), numpy.median(ks), b[i], stats.spearmanr(x[i], y).statistic]
    assert numpy.abs(numpy.array(rows[i]) - wanted).max() < 5.1e-5, (rows[i], wanted)
r2 = numpy.corrcoef(z.T @ b, y)[0, 1] ** 2
assert abs(float(re.search(r"explains (\S+)", text)[1]) - r2) < 5.1e-5
END
/usr/bin/python3 given.py || fail "indices of a sample differ from those of numpy and scipy"
expect 0 "$MANYLINK" sensitivity plain.h5 end_f --convergence
says out "of 250 runs are complete"
says out "of 2000 runs are complete; first order by bins"
expect 2 "$MANYLINK" sensitivity plain.h5 --estimator janon
says err 'cannot use estimator `janon` of runs of `design: points`, which has bins'
expect 2 "$MANYLINK" sensitivity ends.h5 --estimator bins
says err 'cannot use estimator `bins` of runs of `design: saltelli`'
expect 2 "$MANYLINK" sensitivity ends.h5 --estimator sobol
says err "--estimator"
sed 's/method: random/method: sobol/' plain.yaml >even.yaml
expect 3 "$MANYLINK" run even.yaml
expect 2 "$MANYLINK" sensitivity even.h5 --estimator rank
says err 'cannot use estimator `rank` of a sequence of low discrepancy'
sed '/^sample/d' ends.yaml >one.yaml
expect 0 "$MANYLINK" run one.yaml
expect 2 "$MANYLINK" sensitivity one.h5
says err 'the result has no runs of a whole sample'
# Of 4096 scrambled points the closed forms again.
sed '/second_order/d; s/design: saltelli/design: points/' ishigami.yaml >given.yaml
expect 0 "$MANYLINK" run given.yaml --set sample.method=scrambled_sobol --set sample.count=4096
expect 0 "$MANYLINK" sensitivity given.h5
awk '/^  system/ { n++; first = n == 1 ? 0.31390 : n == 2 ? 0.44241 : 0; if ((first - $2)^2 > 0.003^2 || $4 > 0.03) exit 1 } END { exit n != 3 }' out || fail "$(cat out)"
sed 's/^  over/  correlation: [{between: [system.x, system.y], r: 0.5}]\n  over/' ishigami.yaml >correlated.yaml
expect 2 "$MANYLINK" plan correlated.yaml
says err "its indices need independent inputs"
sed 's/design: saltelli/design: points/' ishigami.yaml >second.yaml
expect 2 "$MANYLINK" plan second.yaml
says err '`second_order` belongs to `design: saltelli`'
sed 's/^sample/sweep: [{set: system.y, values: [1, 2], name: input}]\nsample/; s/, {set: system.y, from: 0, to: 1}//' ends.yaml >named.yaml
expect 2 "$MANYLINK" run named.yaml
says err "the name is taken by another dataset there"

# At every point of a grid: the indices of the study with that point's values.
sed 's/z: 0}/z: 0, a: 0}/; s/7\*sin/a*sin/; s/^sample/sweep: [{set: system.a, values: [1, 7]}]\nsample/' given.yaml >grid.yaml
expect 0 "$MANYLINK" run grid.yaml
expect 0 "$MANYLINK" sensitivity grid.h5
says out "system.a = 7:"
expect 0 "$MANYLINK" run grid.yaml --set sample.count=16 --set 'save={trajectory: {every: 1}}' -o kept.h5
expect 2 "$MANYLINK" sensitivity kept.h5 f --over-time
says err "the sample is in a grid; make the result of a point"
expect 0 "$MANYLINK" extend kept.h5 --set system.a=7 -o point.h5
expect 0 "$MANYLINK" sensitivity point.h5 f --over-time
expect 0 "$MANYLINK" sensitivity grid.h5
sed -n '/system.a = 7/,$p' out | sed 1d >last
expect 0 "$MANYLINK" run given.yaml -o alone.h5
expect 0 "$MANYLINK" sensitivity alone.h5
cmp out last || fail "a point of a grid has other indices than its study alone"
expect 0 "$MANYLINK" run grid.yaml --set sample.design=saltelli -o whole.h5
/usr/bin/python3 -c "import h5py; g = h5py.File('whole.h5')['study/sensitivity/global/total']; assert g.shape == (2, 1, 3) and list(g.dims[0]['system.a']) == [1, 7]" ||
    fail "no indices along the grid"
expect 0 "$MANYLINK" run grid.yaml --shard 0/2 -o part.h5
expect 2 "$MANYLINK" sensitivity part.h5
says err "the result has no runs of a whole sample"

# Over time: numpy's means of the saved runs, of each component; at the end the indices of the output.
cat >decay.yaml <<'END'
manylink: 1
system: {type: equations, parameters: {k: 1, c: 0.1}, state: {x: 1, v: 0}, rates: {x: v, v: -k*x - c*v}}
time: {step: 0.01, end: 1}
save: {trajectory: {every: 50}}
sample: {method: random, count: 100, design: saltelli, over: [{set: system.k, from: 1, to: 3}, {set: initial.x, from: 0.9, to: 1.1}]}
END
expect 0 "$MANYLINK" run decay.yaml
expect 0 "$MANYLINK" sensitivity decay.h5 x --over-time
cp out times.csv
expect 0 "$MANYLINK" sensitivity decay.h5 end_x --csv
cp out end.csv
cat >times.py <<'END'
import csv
import h5py, numpy
rows = list(csv.DictReader(open("times.csv")))
assert len(rows) == 3 * 2 and list(rows[0]) == ["time", "output", "complete", "input", "first_order", "first_order_half", "total", "total_half"]
with h5py.File("decay.h5") as f:
    times, x = f["study/trajectories/time"][:], f["study/trajectories/x"][:]
for row in rows:
    t, i = list(times).index(float(row["time"])), ["system.k", "initial.x"].index(row["input"])
    a, mixed, b = x[0::4, t], x[1 + i::4, t], x[3::4, t]
    mean, v = x[:, t].mean(), numpy.var([a, b])
    first, total = ((b - mean) * (mixed - a)).mean() / v, ((a - mixed) ** 2).mean() / 2 / v
    assert abs(float(row["first_order"]) - first) < 1e-13 and abs(float(row["total"]) - total) < 1e-13, (row, first, total)
for row, end in zip(rows[4:], csv.DictReader(open("end.csv"))):
    assert [row[key] for key in ("first_order", "first_order_half", "total", "total_half")] == list(end.values())[3:]
END
/usr/bin/python3 times.py || fail "indices over time differ from numpy's"
expect 2 "$MANYLINK" sensitivity decay.h5 --over-time
says err "name saved quantities"
expect 2 "$MANYLINK" sensitivity decay.h5 y --over-time
says err 'the trajectories have no such quantity'
expect 0 "$MANYLINK" run decay.yaml --set save.trajectory.runs.every=2 -o half.h5
expect 2 "$MANYLINK" sensitivity half.h5 x --over-time
says err "200 of 400 runs are saved"

# Each label of an attractor: two wells of a Duffing oscillator, by its start.
cat >wells.yaml <<'END'
manylink: 1
system: {type: equations, state: {x: 0, v: 0}, rates: {x: v, v: x - x^3 - 0.5*v}}
time: {step: 0.05, end: 60}
events: [{name: rest, period: 5, from: 40, max: 4, keep: [x], attractors: 0.1}]
sample: {method: random, count: 64, design: saltelli, over: [{set: initial.x, from: -1, to: 1}, {set: initial.v, from: -1, to: 1}]}
END
expect 0 "$MANYLINK" run wells.yaml
expect 0 "$MANYLINK" sensitivity wells.h5 rest_attractor --csv
cat >labels.py <<'END'
import csv
import h5py, numpy
with h5py.File("wells.h5") as f:
    label = f["study/summary/rest_attractor"][:]
for row in csv.DictReader(open("out")):
    if row["output"] == "rest_attractor is unsettled":
        assert row["total"] == ""
        continue
    y = (label == int(row["output"][18])).astype(float)
    i = ["initial.x", "initial.v"].index(row["input"])
    total = ((y[0::4] - y[1 + i::4]) ** 2).mean() / 2 / numpy.var([y[0::4], y[3::4]])
    assert abs(float(row["total"]) - total) < 1e-13 and 0.1 < total < 1.1
assert len(numpy.unique(label)) == 2
END
/usr/bin/python3 labels.py || fail "indices of labels differ from numpy's: $(cat out)"

# Morris' design: numpy's effects of the runs. A fitted polynomial of 512 points: the closed forms.
sed '/second_order/d; /seed/d; /method/d; s/design: saltelli/design: morris/; s/count: 1024/count: 20/' ishigami.yaml >morris.yaml
expect 0 "$MANYLINK" run morris.yaml
expect 0 "$MANYLINK" sensitivity morris.h5 --csv
cat >morris.py <<'END'
import csv
import h5py, numpy
with h5py.File("morris.h5") as f:
    x = numpy.array([f["study/runs"][f"system.{name}"][:] for name in "xyz"]).T.reshape(20, 4, 3)
    y = f["study/summary/end_f"][:].reshape(20, 4)
steps, changes = numpy.diff(x, axis=1) / (2 * numpy.pi), numpy.diff(y, axis=1)
assert numpy.allclose(abs(steps).sum(axis=1), 2 / 3)
effects = (changes[:, :, None] * (steps != 0) / numpy.where(steps != 0, steps, 1)).sum(axis=1)
for i, row in enumerate(csv.DictReader(open("out"))):
    wanted = [abs(effects[:, i]).mean(), effects[:, i].mean(), effects[:, i].std(ddof=1)]
    assert numpy.allclose([float(row[k]) for k in ("mu_star", "mu", "sigma")], wanted, rtol=1e-12), (row, wanted)
assert i == 2
END
/usr/bin/python3 morris.py || fail "effects differ from numpy's: $(cat out)"
expect 0 "$MANYLINK" sensitivity morris.h5
says out "20 of 20 trajectories are complete; effects by morris"
expect 2 "$MANYLINK" sensitivity morris.h5 --estimator bins
says err 'cannot use estimator `bins` of runs of `design: morris`'

# Curves of FAST: numpy's sums of the spectrum, the closed forms, from shards.
sed '/second_order/d; /method/d; s/design: saltelli/design: fast/; s/count: 1024/count: 4097/' ishigami.yaml >fast.yaml
expect 0 "$MANYLINK" run fast.yaml
expect 0 "$MANYLINK" sensitivity fast.h5 --csv
cat >fast.py <<'END'
import csv
import h5py, numpy
with h5py.File("fast.h5") as f:
    y = f["study/summary/end_f"][:].reshape(3, 4097)
omega = 4096 // 8
for i, row in enumerate(csv.DictReader(open("out"))):
    power = abs(numpy.fft.rfft(y[i]))[1:] ** 2
    wanted = power[omega * numpy.arange(1, 5) - 1].sum() / power.sum(), 1 - power[:omega // 2].sum() / power.sum()
    found = float(row["first_order"]), float(row["total"])
    assert numpy.allclose(found, wanted, rtol=0, atol=1e-14), (row, wanted)
    assert abs(found[0] - [0.31390, 0.44241, 0][i]) < 0.0075, row
    assert abs(found[1] - [0.55759, 0.44241, 0.24368][i]) < 0.0075, row
    assert 0.001 < float(row["total_half"]) < 0.05, row
assert i == 2 and row["complete"] == "3"
END
/usr/bin/python3 fast.py || fail "indices differ from numpy's: $(cat out)"
cp out whole
for k in 0 1; do
    expect 0 "$MANYLINK" run fast.yaml --shard $k/2 -o fast$k.h5
done
expect 0 "$MANYLINK" merge fast0.h5 fast1.h5 -o fast-merged.h5
expect 0 "$MANYLINK" sensitivity fast-merged.h5 --csv
cmp out whole || fail "shards have other indices"
expect 0 "$MANYLINK" sensitivity fast.h5
says out "3 of 3 curves are complete; indices by fast"
says out "intervals leave out interference of the frequencies of a curve, up to 0.02"
expect 0 "$MANYLINK" run given.yaml --set sample.method=scrambled_sobol --set sample.count=512 -o chaos.h5
expect 0 "$MANYLINK" sensitivity chaos.h5 --estimator chaos
awk '/^  system/ { n++; first = n == 1 ? 0.31390 : n == 2 ? 0.44241 : 0; total = n == 1 ? 0.55759 : n == 2 ? 0.44241 : 0.24368
    if ((first - $2)^2 > 0.002^2 || (total - $5)^2 > 0.002^2) exit 1 } END { exit n != 3 }' out || fail "$(cat out)"
expect 0 "$MANYLINK" sensitivity plain.h5 end_f --estimator chaos
expect 0 "$MANYLINK" run given.yaml --set sample.count=20 -o rough.h5
cat >sixteen.yaml <<'END'
manylink: 1
accuracy: off
system: {type: equations, kind: map, parameters: {a: 1, z: 0}, state: {f: 0}, next: {f: a^2 + z}}
time: {steps: 1}
sample: {method: random, count: 16400, over: [{set: system.a, from: 0, to: 1}, {set: system.z, from: 0, to: 1}]}
END
expect 0 "$MANYLINK" run sixteen.yaml -q
expect 0 "$MANYLINK" sensitivity sixteen.h5 --estimator chaos
says out "the first 16384 runs are used"
expect 0 "$MANYLINK" sensitivity rough.h5 --estimator chaos
says out "or no polynomial explains half of the variance"
expect 0 "$MANYLINK" run given.yaml --set sample.count=5 -o five.h5
expect 0 "$MANYLINK" sensitivity five.h5
says out "no indices: fewer than 8 runs are complete"
# Eight runs are one block of neighbours: no interval, in place of one of length 0.
sed 's/method: sobol/method: random/' given.yaml >eight.yaml
expect 0 "$MANYLINK" run eight.yaml --set sample.count=8 --restart
expect 0 "$MANYLINK" sensitivity eight.h5 --estimator rank
grep -E -q '^  system.x +[-0-9.]+  ' out || fail "an interval of one block: $(cat out)"
if grep -q nan out; then fail "an interval that is no number: $(cat out)"; fi
