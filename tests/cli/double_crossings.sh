# label: values
# Levels that are passed twice within a step: events that set the state or end steps, and conditions of formulas, by tolerance
# and with given steps, against closed forms.
. "$SOURCE/tests/check.sh"
need_python

# x = 1 - (t - c)^2, of which every method has the exact step, is above L for 2 sqrt(1 - L) s; steps are a tenth of 3 s or longer.
cat >peak.yaml <<'YAML'
manylink: 1
system:
  type: equations
  parameters: {L: 0.9}
  state: {x: -0.8769, v: 2.74, n: 0, m: 0, y: 0}
  rates: {x: v, v: -2, n: 0, m: 0, y: "where(x > L, 100, 1)"}
INTEGRATOR
sweep: [{set: system.L, values: [0.99, 0.9999, 0.999999]}]
events:
  - {name: both, when: x - L, set: {n: n + 1}, max: 4}
  - {name: down, when: x, crosses: 0.99995, direction: down, set: {m: m + 1}, max: 4}
ALIGNED
analyse: {sensitivity: {of: end_state, to: [system.L]}}
YAML
for method in dopri54 tp86 dop853 rodas4; do
    sed "s/^INTEGRATOR/integrator: {type: $method, tolerance: 1e-9}\ntime: {end: 3}/; /ALIGNED/d" peak.yaml >peak-$method.yaml
done
sed 's/^INTEGRATOR/integrator: rk4\ntime: {step: 0.3, end: 3}/
     s/^ALIGNED/  - {name: cut, when: x, crosses: 0.9998, align: true, max: 4}/' peak.yaml >peak-rk4.yaml

# An angle that turns by many turns within a step.
cat >fast.yaml <<'YAML'
manylink: 1
system:
  type: equations
  parameters: {w: 50}
  state: {a: 0.1, n: 0, y: 0, z: 0}
  rates: {a: w, n: 0, y: "where(sin(a) > 0.99, 1, 0)", z: "where(sin(w*t) > 0.99, 1, 0)"}
integrator: {type: dop853, tolerance: 1e-9}
time: {end: 7.3}
sweep: [{set: system.w, values: [0.4, 6.28, 50, 208.3]}]
events: [{name: high, when: sin(a), crosses: 0.99, set: {n: n + 1}, max: 1000}]
YAML
for study in peak-dopri54 peak-tp86 peak-dop853 peak-rodas4 peak-rk4 fast; do
    expect 0 "$MANYLINK" run $study.yaml --no-accuracy
done

"$PYTHON" - <<'PY' || fail "double crossings"
import h5py
import numpy as np

c, L = 1.37, np.array([0.99, 0.9999, 0.999999])
half = np.sqrt(1 - L)
for method in "dopri54", "tp86", "dop853", "rodas4", "rk4":
    with h5py.File(f"peak-{method}.h5") as f:
        own = f["study/summary"]
        assert (own["both_count"][...] == 2).all() and (own["end_n"][...] == 2).all(), (method, own["both_count"][...])
        assert (own["down_count"][...] == 1).all() and (own["end_m"][...] == 1).all(), (method, own["down_count"][...])
        late = [np.abs(own["both_times"][:, i] - (c + side * half)).max() for i, side in enumerate((-1, 1))]
        late += [np.abs(own["down_times"][:, 0] - (c + np.sqrt(5e-5))).max()]
        if method == "rk4":
            assert (own["cut_count"][...] == 2).all(), own["cut_count"][...]
            late += [np.abs(own["cut_times"][:, i] - (c + side * np.sqrt(2e-4))).max() for i, side in enumerate((-1, 1))]
        area = np.abs(own["end_y"][...] - (3 + 99 * 2 * half)).max()
        slope = np.abs(own["sensitivity"][:, 4, 0] * half / 99 + 1).max()
        print(method, f"times {max(late):.1e} s, area {area:.1e}, its derivative {slope:.1e}")
        assert max(late) < 5e-12 and area < 1e-9 and slope < 5e-9, (method, late, area, slope)

with h5py.File("fast.h5") as f:
    own = f["study/summary"]
    for i, w in enumerate(f["study/runs/system.w"][...]):
        def crossings(start):
            turns = np.arange(-1, w * 7.3 / (2 * np.pi) + 2)[:, None]
            return (np.array([np.arcsin(0.99), np.pi - np.arcsin(0.99)]) + 2 * np.pi * turns - start) / w
        of_a, of_t = crossings(0.1), crossings(0)
        times = of_a[(of_a > 0) & (of_a < 7.3)]
        above = [np.diff(np.clip(t, 0, 7.3)).sum() for t in (of_a, of_t)]
        assert own["high_count"][i] == own["end_n"][i] == len(times), (w, own["high_count"][i], len(times))
        errors = [np.abs(own["high_times"][i, :len(times)] - times).max(), abs(own["end_y"][i] - above[0]),
                  abs(own["end_z"][i] - above[1])]
        print(f"{w} rad/s", errors)
        assert max(errors) < 1e-12, (w, errors)
PY
