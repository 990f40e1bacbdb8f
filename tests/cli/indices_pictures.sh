# Pictures of `sensitivity`: bars, convergence and curves over time have the numbers that it prints as cells.
. "$SOURCE/tests/check.sh"
need gnuplot
need_python

cat >study.yaml <<'YAML'
manylink: 1
title: Two "inputs"
system: {type: equations, parameters: {k: 1, c: 0}, state: {x: 1, y: 2}, rates: {x: -k*x, y: -k*y + c}}
time: {step: 0.05, end: 1}
sample: {method: sobol, count: 256, over: [{set: system.k, from: 0.5, to: 2}, {set: system.c, from: 0, to: 1}]}
save: {trajectory: {every: 1, quantities: [y]}}
YAML
expect 0 "$MANYLINK" run study.yaml -q
expect 0 "$MANYLINK" run study.yaml -q -o design.h5 --set sample.design=saltelli
cat >check.py <<'PY'
"""check.py FOLDER CELLS KINDS [X]: tables of the picture are the cells of the columns KINDS, curves over X."""
import csv
import sys

import numpy as np
from plot_tables import script, tables

folder, cells, kinds = sys.argv[1], list(csv.DictReader(open(sys.argv[2]))), sys.argv[3].split(",")
x = sys.argv[4] if len(sys.argv) > 4 else None
found = tables(folder)
outputs = list(dict.fromkeys(row["output"] for row in cells))
for output in outputs:
    # All runs begin at the same y: at time 0 there are no indices.
    rows = [row for row in cells if row["output"] == output and not (x and row["first_order"] == "")]
    if x:
        block = found.pop(0)
        places = sorted({float(row[x]) for row in rows})
        assert block[:, 0].tolist() == places, (block[:, 0], places)
        for k, kind in enumerate(kinds):
            for i, name in enumerate(("system.k", "system.c")):
                values = [(float(r[kind] or "nan"), float(r[f"{kind}_half"] or "nan")) for r in rows if r["input"] == name]
                value, half = np.array(values).T
                start = 1 + 3 * (2 * k + i)
                wanted = np.stack([value, value - half, value + half], axis=1)
                assert np.allclose(block[:, start:start + 3], wanted, rtol=1e-14, equal_nan=True), (output, kind, name)
        continue
    for kind in kinds:
        halves = [float(row[f"{kind}_half"]) for row in rows]
        wanted = [(i, v, v - h, v + h) for i, (v, h) in enumerate(zip((float(row[kind]) for row in rows), halves))]
        assert np.allclose(found.pop(0), wanted, rtol=1e-14), (output, kind)
assert not found and len(outputs) > 0
assert all(output in script(folder) for output in outputs)
PY
export PYTHONPATH="$SOURCE/tests/results" PYTHONDONTWRITEBYTECODE=1
# pictured NAME KINDS X RESULT ARGUMENT...: draws what is printed between commas.
pictured()
{
    name=$1 kinds=$2 x=$3
    shift 3
    expect 0 "$MANYLINK" sensitivity "$@" --csv --script "$name" -o "$name.png"
    mv out "$name.csv"
    # shellcheck disable=SC2086 # none without X
    "$PYTHON" check.py "$name" "$name.csv" "$kinds" $x || fail "$name: $(cat "$name/plot.gp")"
    [ "$(head -c 4 "$name.png" | tail -c 3)" = PNG ] || fail "$name is no picture"
}
pictured bars first_order,pawn,regression,rank_correlation '' study.h5 end_x end_y
pictured designed first_order,total '' design.h5 end_y
pictured converging first_order,total complete design.h5 end_y --convergence
pictured times first_order time study.h5 y --over-time
grep -q 'set multiplot layout 1,2' bars/plot.gp || fail "no two panels: $(cat bars/plot.gp)"
grep -q 'set logscale x 2' converging/plot.gp || fail "no doubling points: $(cat converging/plot.gp)"
sed 's/method: sobol/design: fast/' study.yaml >fast.yaml
sed 's/method: sobol, count: 256/design: oat, count: 5/' study.yaml >oat.yaml
expect 0 "$MANYLINK" run fast.yaml -q
expect 0 "$MANYLINK" run oat.yaml -q
pictured curves first_order,total '' fast.h5 end_y
# A tornado: the changes at both ends, the largest swing first, without intervals.
expect 0 "$MANYLINK" sensitivity oat.h5 end_y --script tornado -o tornado.png
expect 0 "$MANYLINK" sensitivity oat.h5 end_y --csv
cat >tornado.py <<'PY'
import csv
import numpy as np
from plot_tables import tables
rows = sorted(csv.DictReader(open("out")), key=lambda row: -float(row["swing"]))
for kind, found in zip(("at_lowest", "at_highest"), tables("tornado"), strict=True):
    assert np.allclose(found, [(i, float(row[kind])) for i, row in enumerate(rows)], rtol=1e-14), (kind, found)
PY
"$PYTHON" tornado.py || fail "the tornado has other numbers: $(cat out)"
expect 0 "$MANYLINK" sensitivity design.h5 end_y -o design.svg
grep -q '<svg' design.svg || fail "no drawing"

expect 2 "$MANYLINK" sensitivity study.h5 energy_drift -o none.png
expect 2 "$MANYLINK" sensitivity study.h5 end_x -o wrong.bmp
says err "a picture's name ends in"
expect 0 "$MANYLINK" run study.yaml -q -o same.h5 --set 'system.rates.y=0*k*y'
expect 2 "$MANYLINK" sensitivity same.h5 end_y -o same.png
says err "cannot draw indices: no number has indices"
[ ! -e same.png ] || fail "a picture of nothing"
