# /study/sensitivity/global of every design: the numbers that the command prints, scales, units and sources; the first points
# of samples that would take long, and no table of grids that would; names of numbers that the command takes.
. "$SOURCE/tests/check.sh"
need_python

cat >base.yaml <<'YAML'
manylink: 1
system: {type: chain, segments: [{name: upper, length: 1, mass: 1}, {name: lower, length: 0.5, mass: 1}]}
time: {step: 1e-2, end: 0.1}
save: {trajectory: {every: 5, quantities: [angle]}}
sample:
  design: points
  count: 64
  seed: 3
  over:
    - {set: initial.angle.upper, from: -1, to: 1}
    - {set: initial.rate.lower, distribution: normal, mean: 1, sd: 0.2}
    - {set: system.segments.lower.mass, from: 1, to: 2, scale: log}
YAML
for design in saltelli morris fast oat points; do
    extra=
    case $design in
    saltelli) extra="--set sample.second_order=true --set sample.method=sobol" ;;
    points) extra="--set sample.method=random" ;;
    fast) extra="--set sample.count=65" ;;
    esac
    expect 0 "$MANYLINK" run base.yaml --no-accuracy --set sample.design=$design $extra -o $design.h5
    expect 0 "$MANYLINK" sensitivity $design.h5 --csv
    cp out $design.csv
done
OMP_NUM_THREADS=1 expect 0 "$MANYLINK" run base.yaml --no-accuracy --set sample.method=random -o alone.h5
same alone.h5 points.h5
for k in 0 1 2; do
    expect 0 "$MANYLINK" run base.yaml --no-accuracy --set sample.method=random --shard $k/3 -o part$k.h5
    expect 0 "$PYTHON" -c "import h5py; assert 'sensitivity' not in h5py.File('part$k.h5')['study']"
done
expect 0 "$MANYLINK" merge part?.h5 -o merged.h5
same merged.h5 points.h5
expect 0 "$MANYLINK" run base.yaml --no-accuracy --set sample.method=random --set sample.count=32 -o less.h5
expect 0 "$MANYLINK" extend less.h5 --set sample.count=64 -o more.h5
cat >stored.py <<'PY'
import csv

import h5py
import numpy as np

KINDS = {"saltelli": ["first_order", "total", "second_order"], "morris": ["mu_star", "mu", "sigma"], "fast": ["first_order", "total"],
         "oat": ["at_lowest", "at_highest", "swing", "elasticity"], "points": ["first_order", "pawn", "regression", "rank_correlation"]}
ESTIMATORS = {"points": "bins"}
INPUTS = ["initial.angle.upper", "initial.rate.lower", "system.segments.lower.mass"]
OUTPUTS = ["energy_drift", "max_rate.upper", "max_rate.lower", "end_angle.upper", "end_angle.lower", "end_rate.upper", "end_rate.lower"]
for design, kinds in KINDS.items():
    group = h5py.File(design + ".h5")["study/sensitivity/global"]
    assert group.attrs["design"] == design and group.attrs["estimator"] == ESTIMATORS.get(design, design)
    assert group.attrs["taken"] == "all runs of the sample"
    assert list(group["output"].asstr()) == OUTPUTS and list(group["input"].asstr()) == INPUTS
    for kind in kinds:
        assert group[kind].dims[0].keys() == ["output"] and group[kind].dims[1].keys() == ["input"], (design, kind)
        assert len(group[kind].attrs["description"]) > 20
    if design in ("morris", "oat"):
        assert list(group.attrs["output_units"]) == ["1", "rad/s", "rad/s", "rad", "rad", "rad/s", "rad/s"]
        assert "units" not in group[kinds[0]].attrs
    seen = 0
    for row in csv.DictReader(open(design + ".csv")):
        at = (OUTPUTS.index(row["output"]), *(INPUTS.index(name) for name in row["input"].split(" * ")))
        assert int(row["complete"]) == group["complete"][at[0]]
        for kind in kinds:
            for name in (kind, kind + "_half") if design != "oat" else (kind,):
                if (kind == "second_order") == (len(at) == 3):
                    stored = group[name][at]
                    assert (row[name] == "" and np.isnan(stored)) or float(row[name]) == stored, (design, row, name, stored)
                    seen += 1
    assert seen == len(OUTPUTS) * {"saltelli": 2*2*3 + 2*3, "morris": 3*2*3, "fast": 2*2*3, "oat": 4*3, "points": 4*2*3}[design], (design, seen)

with h5py.File("points.h5") as f:
    group, runs = f["study/sensitivity/global"], f["study/runs"]
    x = np.array([runs[name][:] for name in INPUTS]).T
    y = f["study/summary/end_angle"][:, 1]
    design = np.c_[np.ones(64), x]
    left = y - design @ np.linalg.lstsq(design, y, rcond=None)[0]
    assert abs(group["r_squared"][4] - (1 - left.var() / y.var())) < 1e-13
with h5py.File("oat.h5") as f:
    assert f["study/sensitivity/global/middle"][3] == f["study/summary/end_angle"][0, 0]
with h5py.File("more.h5") as f, h5py.File("points.h5") as g:
    for name in ("first_order", "pawn_half", "rank_correlation", "r_squared_half", "complete"):
        assert np.array_equal(f["study/sensitivity/global/" + name], g["study/sensitivity/global/" + name]), name
PY
expect 0 "$PYTHON" stored.py

# Names of numbers are taken as they are printed, also over time; a name that is none is refused beside others.
expect 0 "$MANYLINK" sensitivity points.h5 end_angle.lower energy_drift --csv
[ "$(sed 1d out | cut -d, -f1 | sort -u | tr '\n' ' ')" = "end_angle.lower energy_drift " ] || fail "$(cat out)"
expect 0 "$MANYLINK" sensitivity points.h5 angle.upper --over-time
[ "$(sed 1d out | cut -d, -f2 | sort -u)" = angle.upper ] || fail "$(cat out)"
for name in end_angle.foot end_angl end_angle.; do
    expect 2 "$MANYLINK" sensitivity points.h5 end_rate $name
    says err "cannot find sensitivity indices of \`$name\`: the summary has no such output"
done
expect 2 "$MANYLINK" sensitivity points.h5 angle.foot --over-time
says err '`trajectories/angle` has no such component; it has: angle.upper, angle.lower'
[ ! -s out ] || fail "a head without a table: $(cat out)"

[ -z "$SANITIZE" ] || exit 0 # more numbers, not other paths

# 2048 points at 24 places for 32 inputs take longer than the bound: the first half counts; of 1024 points at 64 places none do.
python_over=$("$PYTHON" -c 'print(", ".join(f"{{set: system.p{i}, from: 0, to: 1}}" for i in range(32)))')
python_parameters=$("$PYTHON" -c 'print(", ".join(f"p{i}: 0" for i in range(32)))')
python_sum=$("$PYTHON" -c 'print(" + ".join(f"{i}*p{i}" for i in range(32)))')
cat >wide.yaml <<YAML
manylink: 1
system: {type: equations, kind: map, parameters: {a: 1, $python_parameters}, state: {f: 0}, next: {f: a*p1^2 + $python_sum}}
time: {steps: 1}
sweep: [{set: system.a, from: 1, to: 2, count: 24}]
sample: {method: sobol, count: 2048, over: [$python_over]}
YAML
expect 0 "$MANYLINK" run wide.yaml --no-accuracy -o wide.h5
expect 0 "$MANYLINK" run wide.yaml --no-accuracy -o half.h5 --set sample.count=1024 --set sweep.0.count=2
expect 0 "$MANYLINK" run wide.yaml --no-accuracy -o many.h5 --set sample.count=1024 --set sweep.0.count=64
expect 0 "$PYTHON" - <<'PY'
import h5py, numpy
wide, half = (h5py.File(name)["study/sensitivity/global"] for name in ("wide.h5", "half.h5"))
assert wide.attrs["taken"] == "first 1024 of 2048 runs" and wide["pawn"].shape == (24, 1, 32)
for name in "first_order", "pawn", "regression", "complete":
    assert numpy.array_equal(wide[name][0], half[name][0]) and numpy.array_equal(wide[name][23], half[name][1]), name
assert "sensitivity" not in h5py.File("many.h5")["study"]
PY
