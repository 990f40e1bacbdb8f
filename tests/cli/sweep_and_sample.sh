# A sample at every point of a grid: its axes, the same points everywhere, and every run as in the study of its grid point alone;
# single runs, shards, the resolved text, options that take keys out, a design at every point.
. "$SOURCE/tests/check.sh"
need_python

cat >grid.yaml <<'END'
manylink: 1
system: {type: chain, segments: [{name: upper, length: 1, mass: 1}, {name: lower, length: 0.5, mass: 1}]}
initial: {angle: {lower: 30deg}}
time: {step: 1e-3, end: 0.3}
sweep:
  - {set: initial.angle.upper, from: -1, to: 1, count: 5}
  - {set: [initial.rate.upper, initial.rate.lower], name: push, values: [[0, 1], [2, 1], [1, 3]]}
sample:
  method: scrambled_sobol
  count: 16
  over:
    - {set: system.segments.lower.mass, distribution: normal, mean: 1, sd: 0.1}
    - {set: system.segments.upper.length, scale_by: {from: 0.9, to: 1.1}}
  correlation: [{between: [system.segments.lower.mass, system.segments.upper.length], r: 0.6}]
save: {trajectory: {every: 100, runs: {every: 7}}}
END
expect 0 "$MANYLINK" plan grid.yaml
says out "240 (scrambled Sobol sample at each point of a grid)"
expect 0 "$MANYLINK" run grid.yaml --no-accuracy
expect 0 "$MANYLINK" run grid.yaml --no-accuracy --set initial.angle.upper=0.5 --set initial.rate.upper=1 --set initial.rate.lower=3 -o point.h5
says err "fixes this axis of the sweep: 48 runs instead of 240"
expect 0 "$MANYLINK" run grid.yaml --no-accuracy --pick initial.angle.upper=0.4,initial.rate.upper=0.9,initial.rate.lower=2.9,sample=5
says err "run 181 of 240"
"$PYTHON" - <<'END'
import h5py
import numpy as np
grid, point, run = (h5py.File(name) for name in ("grid.h5", "point.h5", "grid.run-181.h5"))
summary = grid["study/summary"]
assert list(summary.attrs["run_dims"]) == ["initial.angle.upper", "push", "sample"]
assert summary["max_rate"].shape == (5, 3, 16, 2)
for name in ("max_rate", "end_angle", "end_rate", "energy_drift"):
    assert [list(dim)[0] for dim in summary[name].dims][:3] == ["initial.angle.upper", "push", "sample"]
    assert np.array_equal(summary[name][3, 2], point["study/summary"][name]), name
    assert np.array_equal(summary[name][3, 2, 5], run["study/summary"][name]), name
for key in ("system.segments.lower.mass", "system.segments.upper.length"):
    drawn = grid["study/runs"][key][()].reshape(15, 16)
    assert (drawn == drawn[0]).all() and len(set(drawn[0])) == 16
    assert np.array_equal(drawn[0], summary[key]) and np.array_equal(drawn[0], point["study/runs"][key])
    assert list(summary[key].dims[0]) == ["sample"]
assert list(summary["sample"]) == list(range(16))
END
for k in 0 1; do
    expect 0 "$MANYLINK" run grid.yaml --no-accuracy --shard $k/2 -o part$k.h5
done
expect 0 "$MANYLINK" merge part0.h5 part1.h5 -o merged.h5
same merged.h5 grid.h5
"$PYTHON" -c 'import h5py; print(h5py.File("grid.h5")["study/resolved"].asstr()[()])' >resolved.yaml
expect 0 "$MANYLINK" run resolved.yaml --no-accuracy -o grid.h5
says out "finished already"

# Without the keys of the sample a grid remains, and without those of the sweep the sample.
expect 0 "$MANYLINK" plan grid.yaml --set system.segments.lower.mass=1 --set system.segments.upper.length=1
says err "fixes the last key of the sample: 15 runs instead of 240"
says out "15 (grid)"
expect 0 "$MANYLINK" plan grid.yaml --set initial.angle.upper=0 --set initial.rate.upper=1 --set initial.rate.lower=1
says out "16 (scrambled Sobol sample)"

# A design at every point: the attributes name the inputs of the sample alone.
sed '/correlation/d; s/  count: 16/  count: 16\n  design: saltelli/' grid.yaml >design.yaml
expect 0 "$MANYLINK" run design.yaml --no-accuracy
"$PYTHON" - <<'END'
import h5py
file = h5py.File("design.h5")
assert file["study/summary/max_rate"].shape == (5, 3, 64, 2)
assert list(file["study/runs"].attrs["inputs"]) == ["system.segments.lower.mass", "system.segments.upper.length"]
END
expect 0 "$MANYLINK" sensitivity design.h5 max_rate
says out "max_rate.upper: 16 of 16 points are complete"
