# label: values
# Events that accumulate: a ball that comes to rest after infinitely many impacts ends its run at that time, with its impacts
# kept, or rests from then on in the state that the study gives, until a force lifts it; with derivatives.
. "$SOURCE/tests/check.sh"
need_python

lift="where(t > 6, 20*(t - 6), 0) - g"

# study NAME INTEGRATOR TIME LEVEL: writes NAME-ends.yaml and NAME-rests.yaml.
study()
{
    cat >$1-ends.yaml <<END
manylink: 1
system:
  type: equations
  parameters: {g: 9.8, e: 0.5, level: $4}
  state: {y: $4+8, v: 0}
  rates: {y: v, v: -g}
integrator: $2
time: {$3, end: 40}
sweep: [{set: system.e, from: 0.1, to: 0.9, count: 9}]
events: [{name: hit, when: y - level, direction: down, set: {v: -e*v}, max: 300, keep: [v]}]
END
    cat >$1-rests.yaml <<END
manylink: 1
system:
  type: equations
  parameters: {g: 9.8, e: 0.5, level: $4}
  state: {y: $4+8, v: 0, held: 0, rested: 0, far: 0}
  rates: {y: v, v: "where(held > 0.5, 0, $lift)", held: 0, rested: held, far: "y - level"}
integrator: $2
time: {$3, end: 8}
sweep: [{set: system.e, values: [0, 0.3, 0.5, 0.6]}]
events:
  - {name: hit, when: y - level, direction: down, set: {v: -e*v}, then: {y: level, v: 0, held: 1}, max: 60}
  - {name: lifts, when: "$lift", direction: up, if: held > 0.5, set: {held: 0}, max: 3}
DERIVS
END
}
study given rk4 "step: 0.01" 0
study tolerant "{type: tp86, tolerance: 1e-8}" "tick: 0.5" 0
study implicit "{type: rodas4, tolerance: 1e-9}" "tick: 1" 0
study high "{type: dopri54, tolerance: 1e-8}" "tick: 0.5" 1
for study in given tolerant implicit high; do
    sed -i '/DERIVS/d' $study-rests.yaml
    expect 3 "$MANYLINK" run $study-ends.yaml --no-accuracy
    says out "9 zeno"
    says out 'event `hit` follows itself without time between; `then: rest` lets the motion rest there'
    expect 0 "$MANYLINK" run $study-rests.yaml --no-accuracy
done
sed 's/values: \[0, /values: [/; $a\
analyse: {sensitivity: {of: end_state, to: [system.e]}}' tolerant-rests.yaml >derivs.yaml
expect 0 "$MANYLINK" run derivs.yaml --no-accuracy

# Neither threads nor shards change bits, and `verify` takes the runs again.
for study in tolerant-ends given-rests; do
    for shard in 0 1; do
        "$MANYLINK" run $study.yaml --no-accuracy --threads 1 --shard $shard/2 >out 2>err || [ $? = 3 ]
    done
    "$MANYLINK" merge $study.shard-* -o merged.h5 >out 2>err || [ $? = 3 ]
    same $study.h5 merged.h5
    rm merged.h5
    expect 0 "$MANYLINK" verify $study.h5
done

"$PYTHON" - <<'END' || fail "events that accumulate"
import h5py
import numpy as np

fall = np.sqrt(16 / 9.8)
for name, near in ("given", 1e-12), ("tolerant", 2e-11), ("implicit", 1e-11), ("high", 2e-6):
    with h5py.File(name + "-ends.h5") as f:
        e, own = f["study/runs/system.e"][...], f["study/summary"]
        rest = fall * (1 + e) / (1 - e)
        assert (f["study/runs/outcome"][...] == 8).all()
        assert np.abs(f["study/runs/end_time"][...] - rest).max() < near, (name, f["study/runs/end_time"][...] - rest)
        assert np.isnan(own["end_y"][...]).all()
        for run in range(len(e)):
            n = int(own["hit_count"][run])
            times = fall + 2 * fall * e[run] * (1 - e[run] ** np.arange(n)) / (1 - e[run])
            speeds = -9.8 * fall * e[run] ** np.arange(n)
            assert n > 4 and np.abs(own["hit_times"][run][:n] - times).max() < near, (name, run)
            assert np.abs(own["hit_v"][run][:n] - speeds).max() < 10 * near, (name, run)
    with h5py.File(name + "-rests.h5") as f:
        e, own = f["study/runs/system.e"][...], f["study/summary"]
        level = 1 if name == "high" else 0
        rest, lifts = fall * (1 + e) / (1 - e), 6 + 9.8 / 20
        free = 8 - lifts
        assert (f["study/runs/outcome"][...] == 0).all() and (own["lifts_count"][...] == 1).all(), name
        far = 8 * fall * 2 / 3 + 2 / 3 * 9.8 * fall**3 * e**3 / (1 - e**3) + 20 * free**4 / 24
        errors = [np.abs(own["lifts_time"][...] - lifts).max(), np.abs(own["end_rested"][...] - (lifts - rest)).max(),
                  np.abs(own["end_y"][...] - level - 20 * free**3 / 6).max(), np.abs(own["end_far"][...] - far).max()]
        assert (np.array(errors) < [1e-14, max(near, 1e-10), 1e-11, 1e-8]).all(), (name, errors)
with h5py.File("derivs.h5") as f:
    e, own = f["study/runs/system.e"][...], f["study/summary"]
    rested = -2 * fall / (1 - e) ** 2
    far = 2 / 3 * 9.8 * fall**3 * 3 * e**2 / (1 - e**3) ** 2
    errors = np.abs(np.transpose(own["sensitivity"][..., 0]) - [0 * e, 0 * e, 0 * e, rested, far]).max(axis=1)
    assert (errors < [1e-12, 1e-12, 1e-12, 1e-8, 1e-7]).all(), errors
END
