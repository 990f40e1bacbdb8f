# `table`: every number of a result by h5py's, to the bit, as Python's csv reads it; refusals.
. "$SOURCE/tests/check.sh"
need_python

cat >study.yaml <<'END'
manylink: 1
title: a
system: {type: chain, segments: [{name: upper, length: 1, mass: 1}, {name: lower, length: 0.5, mass: 1}]}
initial: {angle: {upper: 2, lower: 1}}
time: {step: 1e-2, end: 0.5}
sweep:
  - {set: initial.rate.upper, values: [0, 0.1, 1e14]}
  - {set: initial.angle.upper, from: -3, to: 3, count: 7}
  - {set: system.gravity, values: [9.81]}
analyse: {lyapunov: {exponents: 2}}
END
sed '/^sweep/,/count/d; /gravity/d' study.yaml >single.yaml
{ sed '/^sweep/,/gravity/d' study.yaml && cat <<'END'; } >sample.yaml
sample: {method: sobol, count: 2000, seed: 1, over: [{set: initial.rate.lower, from: 0.01, to: 10, scale: log}]}
END
{ sed '/^sweep/,/^analyse/d' study.yaml && cat <<'END'; } >large.yaml
sweep: [{set: initial.rate.upper, from: 0, to: 1, count: 200}, {set: initial.angle.upper, from: -3, to: 3, count: 150}]
END
sed -i 's/end: 0.5/end: 1e-2/' large.yaml
expect 3 "$MANYLINK" run --quiet study.yaml
expect 0 "$MANYLINK" run --quiet large.yaml
expect 0 "$MANYLINK" run --quiet single.yaml
expect 0 "$MANYLINK" run --quiet sample.yaml
expect 0 "$MANYLINK" run --quiet sample.yaml --shard 0/2 -o shard.h5

cat >check.py <<'END'
"""Compares a table with the result: check.py RESULT TABLE SEPARATOR."""
import csv
import sys

import h5py
import numpy

result, table, separator = sys.argv[1:]
rows = list(csv.reader(open(table, newline=""), delimiter=separator))
names, rows = rows[0], rows[1:]
columns = {name: [row[i] for row in rows] for i, name in enumerate(names)}
assert len(columns) == len(names), names
file = h5py.File(result)["study"]
runs, summary = file["runs"], file["summary"]
n = len(runs["run"])
assert len(rows) == n


def label(name, dataset):
    unit = dataset.attrs.get("units", "1")
    return name if unit == "1" else f"{name} ({unit})"


def compare(name, values):
    numbers = numpy.array([float(cell) if cell else numpy.nan for cell in columns.pop(name)])
    values = numpy.asarray(values, float)
    same = (numbers.view("u8") == values.view("u8")) | (numpy.isnan(numbers) & numpy.isnan(values))
    assert same.all(), (name, numbers[~same], values[~same])


texts = columns.pop("outcome")
meanings = runs["outcome"].attrs["flag_meanings"].split()
assert texts == [meanings[i] for i in runs["outcome"]], texts
for name, dataset in runs.items():
    if name != "outcome":
        compare(label(name, dataset), dataset[()])
copies = list(summary.attrs.get("copies_for_viewers", []))
for name, dataset in summary.items():
    if not isinstance(dataset, h5py.Dataset):
        continue  # views
    if name in copies or dataset.dtype.kind != "f" or h5py.h5ds.is_scale(dataset.id) or name in runs or dataset.size % n:
        continue
    values = dataset[()].reshape(n, -1)
    parts = [name]
    if values.shape[1] > 1:
        scale = dataset.dims[dataset.ndim - 1][0]
        parts = [f"{name}.{i.decode() if scale.dtype.kind == 'O' else int(i)}" for i in scale]
    for i, part in enumerate(parts):
        compare(label(part, dataset), values[:, i])
assert not columns, columns.keys()
END
for name in study single sample shard large; do
    expect 0 "$MANYLINK" table $name.h5
    mv out $name.csv
    [ ! -s err ] || fail "$(cat err)"
    expect 0 "$MANYLINK" table --tsv $name.h5
    mv out $name.tsv
    for kind in csv tsv; do
        separator=,
        [ $kind = csv ] || separator="$(printf '\t')"
        "$PYTHON" check.py $name.h5 $name.$kind "$separator" || fail "check.py $name.$kind"
    done
done
[ "$(wc -l <large.csv)" = 30001 ] || fail "a row per run"

# What is chosen, in that order; an outcome's rows.
expect 0 "$MANYLINK" table study.h5 --columns end_angle.lower,run,max_rate,outcome --outcome finished
[ "$(head -n 1 out)" = "end_angle.lower (rad),run,max_rate.upper (rad/s),max_rate.lower (rad/s),outcome" ] ||
    fail "$(head -n 1 out)"
[ "$(wc -l <out)" = 15 ] || fail "the rows of what finished: $(cat out)"
if grep -v ',finished$' out | grep -qv outcome; then fail "others too"; fi
expect 0 "$MANYLINK" table study.h5 --columns outcome,lyapunov_spectrum.1
says out "outcome,lyapunov_spectrum.1 (1/s)"
grep -qE '^[a-z ]*[^f][a-z ]*,$' out || fail "what a run lacks is an empty cell: $(cat out)"

refuses()
{
    expect 2 "$MANYLINK" table "$@"
    says err "$text"
    [ ! -s out ] || fail "it prints: $(cat out)"
}
text='manylink table: end_angel: there is no such column; did you mean `end_angle`? There are: run, initial.rate.upper'
refuses study.h5 --columns end_angel
text='end_angle.hand: there is no such column'
refuses study.h5 --columns run,end_angle.hand
text='--outcome done: one of finished, '
refuses study.h5 --outcome done
text='one of --csv and --tsv, only once'
refuses study.h5 --csv --tsv

# A full disk, a file that is no result, one that is damaged.
if [ -w /dev/full ]; then
    code=0
    "$MANYLINK" table large.h5 >/dev/full 2>err || code=$?
    [ $code = 1 ] || fail "a full disk: exit code $code"
fi
expect 2 "$MANYLINK" table study.yaml
says err "is not a manylink result"
cp study.h5 damaged.h5
printf 'x' | dd of=damaged.h5 bs=1 seek=$(($(wc -c <study.h5) / 2)) conv=notrunc 2>dd.err
expect 1 "$MANYLINK" table damaged.h5
[ ! -s out ] || fail "a damaged file has a table"

# An axis' own number, which moves several keys; and of joint torques a row per set of parameters.
cat >scaled.yaml <<'END'
manylink: 1
system: {type: chain, segments: [{name: upper, length: 0.4, mass: 3}, {name: lower, length: 0.3, mass: 1}]}
forces: [{name: d, type: damper, joint: upper, coefficient: 0.2}, {name: e, type: damper, joint: lower, coefficient: 0.1}]
initial: {angle: {upper: 1}}
time: {step: 5e-3, end: 0.5}
motion: {type: minimum_jerk, start: {angle: {upper: 0, lower: 0}}, end: {angle: {upper: 1, lower: 1}}, duration: 0.5}
sweep:
  - {name: scale, set: [forces.d.coefficient, forces.e.coefficient], scale_by: {values: [0.5, 1, 2]}}
  - {set: system.segments.lower.mass, values: [1, 2]}
END
sed '/- {set/d' scaled.yaml >alone.yaml
sed '/^sweep/,$d' scaled.yaml >without.yaml
for name in scaled alone; do
    expect 0 "$MANYLINK" run --quiet $name.yaml
    expect 0 "$MANYLINK" inverse --quiet $name.yaml -o $name-torques.h5
done
expect 0 "$MANYLINK" inverse --quiet without.yaml -o without-torques.h5
scales="0.5 0.5 1 1 2 2"
column()
{
    expect 0 "$MANYLINK" table "$1" --columns "$2"
    sed 1d out | tr '\n' ' ' | sed 's/ $//'
}
[ "$(column scaled.h5 scale)" = "$scales" ] || fail "$(cat out)"
[ "$(column scaled-torques.h5 scale)" = "$scales" ] || fail "$(cat out)"
[ "$(column alone.h5 scale)" = "0.5 1 2" ] || fail "$(cat out)"
[ "$(column alone-torques.h5 run,scale)" = "0,0.5 1,1 2,2" ] || fail "$(cat out)"
expect 0 "$MANYLINK" table scaled.h5
says out "run,forces.d.coefficient (N m s/rad),forces.e.coefficient (N m s/rad),system.segments.lower.mass (kg),outcome,end_time (s),steps,scale,"
expect 0 "$MANYLINK" table scaled-torques.h5
mv out torques.csv
[ "$(wc -l <torques.csv)" = 7 ] || fail "$(cat torques.csv)"
expect 0 "$MANYLINK" table without-torques.h5
[ "$(wc -l <out)" = 2 ] || fail "$(cat out)"
expect 0 "$MANYLINK" table scaled-torques.h5 --outcome diverged
[ "$(wc -l <out)" = 1 ] || fail "torques that diverged: $(cat out)"
code=0
"$PYTHON" - <<'END' || code=$?
import csv
import sys

try:
    import h5py
except ImportError as error:
    print(error)
    sys.exit(77)

rows = list(csv.DictReader(open("torques.csv", newline="")))
summary = h5py.File("scaled-torques.h5")["study/summary"]
assert len(rows) == 6 and list(rows[0])[0] == "run", rows[0]
for i, row in enumerate(rows):
    assert int(row["run"]) == i
    assert float(row["forces.e.coefficient (N m s/rad)"]) == summary["forces.e.coefficient"][i // 2]
    assert float(row["system.segments.lower.mass (kg)"]) == summary["system.segments.lower.mass"][i % 2]
    for name in ("peak_torque", "rms_torque"):
        for j, joint in enumerate(("upper", "lower")):
            assert float(row[f"{name}.{joint} (N m)"]) == summary[name][i // 2, i % 2, j], (i, name, joint)
END
[ $code = 77 ] || [ $code = 0 ] || fail "the table of torques"
