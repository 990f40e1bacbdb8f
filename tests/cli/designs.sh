# Designs of samples in the file: runs in the order that docs/sampling.md has, at the quantiles of the distributions, at every point
# of a grid, from shards and the resolved text, without an input that --set gives; what a design cannot have.
. "$SOURCE/tests/check.sh"
need_python

cat >morris.yaml <<'END'
manylink: 1
system: {type: equations, kind: map, parameters: {x: 0, y: 0, z: 1}, state: {f: 0}, next: {f: 3*x - y + z^2}}
time: {steps: 1}
sample:
  design: morris
  count: 12
  levels: 6
  candidates: 50
  seed: 4
  over:
    - {set: system.x, from: 2, to: 12}
    - {set: system.y, distribution: normal, mean: 1, sd: 2}
    - {set: system.z, scale_by: {from: -1, to: 1}}
END
for design in oat fast; do
    sed "s/design: morris/design: $design/; /levels:/d; /candidates:/d; s/count: 12/count: 65/" morris.yaml >$design.yaml
done
sed -i 's/count: 65/count: 4/' oat.yaml
for design in morris oat fast; do
    expect 0 "$MANYLINK" run $design.yaml
    "$PYTHON" -c 'import h5py, sys; print(h5py.File(sys.argv[1])["study/resolved"].asstr()[()])' $design.h5 >resolved.yaml
    expect 0 "$MANYLINK" run resolved.yaml -o $design.h5
    says out "finished already"
done
expect 0 "$MANYLINK" sensitivity oat.h5 --csv
cat >oat.py <<'PY'
import csv
import h5py, numpy as np
with h5py.File("oat.h5") as file:
    x = np.array([file[f"study/runs/system.{name}"][()] for name in "xyz"])
    f = file["study/summary/end_f"][()]
rows = list(csv.DictReader(open("out")))
for i, row in enumerate(rows):
    runs = np.r_[0, 1 + 4*i:5 + 4*i]
    change, along = f[runs] - f[0], x[i, runs]
    beside = np.argsort(along)[[1, 3]]
    slope = np.diff(change[beside])[0]/np.diff(along[beside])[0]
    found = [float(row[key] or "nan") for key in ("at_lowest", "at_highest", "swing", "elasticity")]
    wanted = [change[along.argmin()], change[along.argmax()], np.ptp(change), slope*x[i, 0]/f[0] if x[i, 0] else np.nan]
    assert np.allclose(found, wanted, rtol=1e-13, equal_nan=True), (row, wanted)
assert i == 2 and rows[0]["complete"] == "13"
PY
"$PYTHON" oat.py || fail "effects differ from numpy's: $(cat out)"
expect 0 "$MANYLINK" sensitivity oat.h5
says out "13 of 13 runs are complete; effects by oat"
says out "changes from 20, where all inputs are at their middle"
[ "$(sed -n 's/^  system\.\(.\).*/\1/p' out | tr -d '\n')" = xyz ] || fail "no table in the order of swings: $(cat out)"
expect 2 "$MANYLINK" sensitivity oat.h5 --convergence
says err "cannot show the convergence of \`design: oat\`"
expect 2 "$MANYLINK" sensitivity fast.h5 --estimator bins
says err "cannot use estimator \`bins\` of runs of \`design: fast\`"
"$PYTHON" - <<'END'
import h5py
import numpy as np
from scipy import stats

def columns(name):
    runs = h5py.File(name)["study/runs"]
    assert runs.attrs["design"] == name[:-3] and list(runs.attrs["inputs"]) == ["system.x", "system.y", "system.z"]
    return runs, np.array([runs[f"system.{key}"][()] for key in "xyz"]).T

runs, x = columns("morris.h5")
assert runs.attrs["levels"] == "6" and x.shape == (48, 3)
levels = [np.linspace(2, 12, 6), stats.norm.ppf((np.arange(6) + 0.5)/6, 1, 2), np.linspace(-1, 1, 6)]
index = np.array([np.abs(x[:, i, None] - levels[i]).argmin(1) for i in range(3)]).T
for i in range(3):
    assert np.abs(x[:, i] - levels[i][index[:, i]]).max() < 5e-15, i
steps = np.diff(index.reshape(12, 4, 3), axis=1)
assert (np.abs(steps).sum(2) == 3).all() and (np.abs(steps).sum(1) == 3).all()
f = h5py.File("morris.h5")["study/summary/end_f"][()].reshape(12, 4)
moved, effect = np.abs(steps).argmax(2), np.diff(f)
assert np.allclose(effect[moved == 0], 3*10*0.6*np.sign(steps[..., 0][moved == 0]), rtol=1e-13)

runs, x = columns("oat.h5")
middle = [7, 1, 0]
assert x.shape == (13, 3) and np.allclose(x[0], middle, atol=1e-15)
ends = [np.linspace(2, 12, 4), stats.norm.ppf((np.arange(4) + 0.5)/4, 1, 2), np.linspace(-1, 1, 4)]
for i in range(3):
    known = np.tile(np.array(middle, float), (4, 1))
    known[:, i] = ends[i]
    assert np.allclose(x[1 + 4*i:5 + 4*i], known, rtol=0, atol=3e-15)

runs, x = columns("fast.h5")
assert x.shape == (195, 3)
u = np.array([(x[:, 0] - 2)/10, stats.norm.cdf(x[:, 1], 1, 2), (x[:, 2] + 1)/2]).T.reshape(3, 65, 3)
for curve in range(3):
    power = np.abs(np.fft.rfft(u[curve] - 0.5, axis=0))**2
    found = power[1:].argmax(0) + 1
    assert found[curve] == 8 and (np.delete(found, curve) == 1).all(), found
END
for k in 0 1; do
    expect 0 "$MANYLINK" run morris.yaml --shard $k/2 -o part$k.h5
done
expect 0 "$MANYLINK" merge part0.h5 part1.h5 -o merged.h5
same merged.h5 morris.h5
expect 0 "$MANYLINK" run morris.yaml --set system.y=1 -o fixed.h5
"$PYTHON" -c 'import h5py; print(h5py.File("fixed.h5")["study/resolved"].asstr()[()])' >fixed.yaml
expect 0 "$MANYLINK" run fixed.yaml -o fixed.h5
says out "finished already"

# refused OPTION, message
refused() {
    expect 2 "$MANYLINK" plan $1
    says err "$2"
}
refused "morris.yaml --set sample.levels=5" "levels must be even"
refused "morris.yaml --set sample.candidates=5" "candidates must not be fewer than the 12 trajectories"
refused "morris.yaml --set sample.candidates=501" "candidates"
refused "morris.yaml --set sample.method=sobol" "design \`morris\` makes its points itself; leave \`method\` out"
refused "morris.yaml --set sample.second_order=true" "key \`second_order\` belongs to \`design: saltelli\`"
refused "morris.yaml --set sample.design=oat" "key \`levels\` belongs to \`design: morris\`"
refused "morris.yaml --set sample.design=points" "key \`method\` is missing"
refused "fast.yaml --set sample.count=64" "count of design \`fast\` must be from 65"
sed 's/distribution: normal, mean: 1, sd: 2/distribution: discrete, values: [1, 2]/' morris.yaml >discrete.yaml
refused discrete.yaml "cannot move \`system.y\` by levels"
sed '/^  over/i\  correlation: [{between: [system.x, system.y], r: 0.7}]' morris.yaml >correlated.yaml
refused correlated.yaml "cannot make design \`morris\` of correlated ranges"
# Distances of many candidates of many inputs are found in moments, or not at all.
"$PYTHON" - <<'PY'
import json
for n, name in (30, "many"), (400, "vast"):
    json.dump({"manylink": 1, "time": {"steps": 1},
               "system": {"type": "equations", "kind": "map", "parameters": {"p": {"count": n, "value": 1}},
                          "state": {"x": 1}, "next": {"x": f"sum(j, 1, {n}, p[j])"}},
               "sample": {"design": "morris", "candidates": 500, "count": 4,
                          "over": [{"set": f"system.p.{i + 1}", "from": 0, "to": 1} for i in range(n)]}}, open(f"{name}.yaml", "w"))
PY
refused vast.yaml "cannot compare 500 candidates of 400 inputs in a reasonable time; take at most 81"
expect 0 "$MANYLINK" plan many.yaml
