# `export`: the numbers of a kept run in CSV, OpenSim's storage file and a MAT-file, against h5py and
# SciPy; what `inverse` reads back; refusals.
. "$SOURCE/tests/check.sh"
need_python

cat >study.yaml <<'END'
manylink: 1
title: An arm
system: {type: chain, angles: segment, segments: [{name: upper, length: 1, mass: 1}, {name: lower, length: 0.5, mass: 1}]}
initial: {angle: {upper: 2, lower: 1}}
time: {step: 1e-2, end: 0.5}
sweep: [{set: initial.rate.upper, values: [0, 1, 2, 3, 1e14]}]
save: {trajectory: {every: 5, quantities: [angle, rate, end_position, energy], runs: {every: 2}}}
motion: {type: minimum_jerk, start: {angle: {upper: 0, lower: 0}}, end: {angle: {upper: 1, lower: 2}}, duration: 0.4}
END
sed '/^save/d' study.yaml >unkept.yaml
expect 3 "$MANYLINK" run --quiet study.yaml
expect 3 "$MANYLINK" run --quiet unkept.yaml
expect 0 "$MANYLINK" inverse study.yaml -o torques.h5
for ending in csv sto mat; do
    expect 0 "$MANYLINK" export study.h5 --run 2 -o run.$ending
    says out run.$ending
    expect 0 "$MANYLINK" export study.h5 --run 4 -o early.$ending
    says err "the run ended early: 1 of 11 times are written"
    expect 0 "$MANYLINK" export torques.h5 -o torques.$ending
done
[ -z "$(find . -name '*.tmp')" ] || fail "temporary files are left"
[ "$(head -n 1 run.csv)" = "time,angle/upper,angle/lower,rate/upper,rate/lower,end_position/upper/x,end_position/upper/y,end_position/lower/x,end_position/lower/y,energy" ] ||
    [ "$(head -n 1 run.csv)" = "time,angle/upper,angle/lower,rate/upper,rate/lower,energy,end_position/upper/x,end_position/upper/y,end_position/lower/x,end_position/lower/y" ] ||
    fail "$(head -n 1 run.csv)"
printf 'An arm\nversion=1\nnRows=11\nnColumns=10\ninDegrees=no\n' >header
head -n 5 run.sto | cmp - header || fail "$(head -n 8 run.sto)"
[ "$(sed -n 7p run.sto)" = endheader ] || fail "$(head -n 8 run.sto)"

cat >check.py <<'END'
"""Compares exported files with the results."""
import csv
import sys

import h5py
import numpy
try:
    from scipy.io import loadmat
except ImportError:
    loadmat = None


def same(a, b):
    a, b = numpy.asarray(a, float), numpy.asarray(b, float)
    assert a.shape == b.shape, (a.shape, b.shape)
    assert ((a == b) | (numpy.isnan(a) & numpy.isnan(b))).all(), (a, b)


def columns_of(name, dataset, skip):
    parts = [name]
    for dim in range(skip, dataset.ndim - 1):
        parts = [f"{part}/{label.decode()}" for part in parts for label in dataset.dims[dim][0]]
    return parts


def check(stem, group, place):
    expected = {"time": group["time"][()].reshape(1, -1)}
    names = {"time": ["time"]}
    units = {"time": "s"}
    for name, dataset in group.items():
        if not isinstance(dataset, h5py.Dataset) or h5py.h5ds.is_scale(dataset.id) or dataset.ndim < 2:
            continue
        values = dataset[place] if place is not None else dataset[()]
        names[name] = columns_of(name, dataset, 0 if place is None else 1)
        expected[name] = values.reshape(-1, values.shape[-1])
        units[name] = dataset.attrs.get("units", "1")
    n = len(list(csv.reader(open(stem + ".csv")))) - 1
    for ending, delimiter in ((".csv", ","), (".sto", "\t")):
        lines = open(stem + ending).read().splitlines()
        if ending == ".sto":
            assert f"nRows={n}" in lines
            lines = lines[lines.index("endheader") + 1:]
        rows = list(csv.reader(lines, delimiter=delimiter))
        numbers = {name: [float(row[i] or "nan") for row in rows[1:]] for i, name in enumerate(rows[0])}
        assert len(numbers) == sum(len(part) for part in names.values()), numbers.keys()
        for name, values in expected.items():
            for column, wanted in zip(names[name], values):
                same(numbers[column], wanted[:n])
    if loadmat:
        mat = loadmat(stem + ".mat")
        assert mat["title"][0] == "An arm"
        for name, values in expected.items():
            same(mat[name], values[:, :n].T)
            assert [str(cell[0]) for cell in mat[name + "_columns"][0]] == names[name]
            assert mat[name + "_unit"][0] == units[name]


runs = h5py.File("study.h5")["study/trajectories"]
check("run", runs, 1)
check("early", runs, 2)
check("torques", h5py.File("torques.h5")["study/inverse"], None)
END
"$PYTHON" check.py || fail "check.py"

# Variables of a MAT-file have names of their own.
cat >names.yaml <<'END'
manylink: 1
system: {type: equations, state: {x: 1, x_columns: 2, title: 3}, rates: {x: 0, x_columns: 0, title: 0}}
time: {step: 1e-2, end: 0.1}
sweep: [{name: units, set: initial.x, values: [1, 5]}]
save: {trajectory: {every: 10}}
END
expect 0 "$MANYLINK" run --quiet names.yaml
expect 0 "$MANYLINK" export names.h5 --run 1 -o names.mat
expect 0 "$MANYLINK" export names.h5 --summary -o names_summary.mat
"$PYTHON" - <<'END' || fail "names"
from scipy.io import loadmat, whosmat

names = [row[0] for row in whosmat("names.mat")]
assert len(names) == len(set(names)) == 13, names
mat = loadmat("names.mat")
assert mat["x"][0, 0] == 5 and mat["x_columns_2"][0, 0] == 2 and mat["title_2"][0, 0] == 3, names
assert mat["x_unit"] == mat["x_columns_2_unit"] == mat["title_2_unit"] == "1", names
names = [row[0] for row in whosmat("names_summary.mat")]
assert len(names) == len(set(names)) and "units_2" in names, names
END

# Chosen columns are a motion for `inverse`: the torques are those of the result itself.
expect 0 "$MANYLINK" export study.h5 --run 2 --columns rate,angle -o motion.csv
sed '/^sweep/d; /^motion/d' study.yaml >arm.yaml
expect 0 "$MANYLINK" inverse arm.yaml --motion motion.csv -o of_table.h5
expect 0 "$MANYLINK" inverse arm.yaml --motion study.h5 --run 2 -o of_result.h5
for name in of_table of_result; do
    expect 0 "$MANYLINK" export $name.h5 --columns torque,angle -o $name.csv
done
cmp of_table.csv of_result.csv
expect 0 "$MANYLINK" export study.h5 --run 2 --columns energy,angle/lower -o few.csv
[ "$(head -n 1 few.csv)" = "time,angle/lower,energy" ] || fail "$(head -n 1 few.csv)"

refuses()
{
    expect 2 "$MANYLINK" export "$@"
    says err "$text"
}
text='--output OUT: the name ends in none of .csv, .sto (OpenSim), .mat (MATLAB)'
refuses study.h5 --run 0 -o OUT
text='cannot export run 3: kept are: 0, 2, 4'
refuses study.h5 --run 3 -o no.csv
says err '`manylink run STUDY.yaml --run 3` computes it alone'
text='several were kept; give --run K, one of 0, 2, 4'
refuses study.h5 -o no.csv
text='no run was kept over time'
refuses unkept.h5 -o no.csv
text='--columns angel: no such column; there are: time, angle'
refuses study.h5 --run 2 --columns angel -o no.csv
text='--columns angle,angel: no such column'
refuses study.h5 --run 2 --columns angle,angel -o no.csv
text='the file is the result itself'
cp study.h5 study.mat
refuses study.mat --run 2 -o study.mat
text='no ordinary file'
mkdir folder.csv
refuses study.h5 --run 2 -o folder.csv
[ ! -e no.csv ] || fail "a refusal left a file"
expect 2 "$MANYLINK" export study.yaml -o no.csv
says err "is not a manylink result"
expect 1 "$MANYLINK" export study.h5 --run 2 -o no/such/folder.csv
says err "no/such/folder.csv: cannot write the file"
cp study.h5 damaged.h5
printf 'x' | dd of=damaged.h5 bs=1 seek=$(($(wc -c <study.h5) / 3)) conv=notrunc 2>dd.err
expect 1 "$MANYLINK" export damaged.h5 --run 2 -o no.csv
[ ! -e no.csv ] || fail "a damaged file is exported"

# The summary of all runs as a MAT-file: every number, with the dimensions of the result.
expect 0 "$MANYLINK" export study.h5 --summary -o summary.mat
says out summary.mat
expect 0 "$MANYLINK" export torques.h5 --summary -o torque_summary.mat
sed '/^sweep/s/.*/sweep: [{set: initial.rate.upper, values: [0, 1, 2]}, {set: initial.angle.lower, values: [1, 2]}]/; /^save/d' \
    study.yaml >grid.yaml
expect 0 "$MANYLINK" run --quiet grid.yaml
expect 0 "$MANYLINK" export grid.h5 --summary -o grid.mat
cat >check_summary.py <<'END'
"""Compares summaries as MAT-files with the results."""
import re
import sys

try:
    import h5py
    import numpy
    from scipy.io import loadmat
except ImportError as error:
    print(error)
    sys.exit(77)

for result, file in (("study.h5", "summary.mat"), ("torques.h5", "torque_summary.mat"), ("grid.h5", "grid.mat")):
    mat = loadmat(file)
    summary = h5py.File(result)["study/summary"]
    texts = {name: [str(cell[0]) if cell.size else "" for cell in mat[name][0]]
             for name in ("variables", "names", "units", "dimensions", "descriptions", "outcomes")}
    assert texts["outcomes"][:2] == ["finished", "diverged"] and mat["title"][0] == "An arm"
    datasets = {name for name in summary if isinstance(summary[name], h5py.Dataset)}
    own = {"run", "outcome", "end_time", "steps"} & set(h5py.File(result)["study"].get("runs", ()))
    assert set(texts["names"]) == datasets | own, (file, datasets ^ set(texts["names"]))
    for variable, name, unit in zip(texts["variables"], texts["names"], texts["units"]):
        assert re.fullmatch("[A-Za-z][A-Za-z0-9_]{0,62}", variable), variable
        values, dataset = mat[variable], h5py.File(result)["study/runs"][name] if name in own else summary[name]
        assert unit in (dataset.attrs.get("units", ""), "1", ""), (name, unit)
        if h5py.check_string_dtype(dataset.dtype):
            assert [str(cell[0]) for cell in values[0]] == [text.decode() for text in dataset[...]], name
            continue
        shape = dataset.shape if dataset.ndim > 1 else (dataset.size, 1)
        assert values.shape == shape, (file, name, values.shape)
        assert numpy.array_equal(values, dataset[...].reshape(shape), equal_nan=True), (file, name)
END
code=0
"$PYTHON" check_summary.py || code=$?
[ $code = 77 ] || [ $code = 0 ] || fail "check_summary.py"
text='--output all.csv: with --summary the name ends in .mat'
refuses study.h5 --summary -o all.csv
text='--summary is of all runs: no --run'
refuses study.h5 --summary --run 2 -o all.mat
