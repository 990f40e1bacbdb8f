# label: values
# Events that set one number of the state while the number they look at goes on: switches, gears, doses, clocks, with given
# steps and by tolerance, against closed forms and with derivatives.
. "$SOURCE/tests/check.sh"
need_python

# A valve opens as S' = 0.4, or 0.4 cos t, passes a level: y' = open from then on.
cat >valve.yaml <<'YAML'
manylink: 1
system:
  type: equations
  parameters: {L: 0.18}
  state: {S: 0, C: 0, open: 0, y: 0}
  rates: {S: 0.4 + 0*open, C: 0.4*cos(t), open: 0, y: open}
INTEGRATOR
sweep: [{set: system.L, from: 0.01, to: 0.39, count: 381}]
events:
  - {name: opens, when: S - L, direction: up, set: {open: 1}}
  - {name: either, when: C - L, set: {open: open + 1}}
  - {name: up, when: C, crosses: 0.25, direction: up, set: {y: y - 1}}
analyse: {sensitivity: {of: end_state, to: [system.L]}}
YAML

# A brake is put on at x = 1; the flag of the number looked at itself stays.
cat >brake.yaml <<'YAML'
manylink: 1
system:
  type: equations
  parameters: {c: 0.5}
  state: {x: 0, v: 1, brake: 0}
  rates: {x: v, v: -c*brake*v, brake: 0}
INTEGRATOR
events: [{name: on, when: x, crosses: 1, direction: up, set: {brake: 1}, max: 3}]
analyse: {sensitivity: {of: end_state, to: [system.c]}}
YAML

# A thermostat; gears whose number goes on over several levels within a long step; a clock that runs out and stays; a
# neuron whose number jumps back; a speed that is halved at a mark.
cat >modes.yaml <<'YAML'
manylink: 1
system:
  type: equations
  state: {T: 18, heat: 1, x: 0, gear: 1, clock: 1.3, runs: 1, u: 0.1, z: 0, w: 1}
  rates: {T: 12*heat + 12 - T, heat: 0, x: 1.7, gear: 0, clock: -runs, runs: 0, u: 3.1, z: w, w: 0}
INTEGRATOR
sweep: [{set: initial.T, values: [18, 18.3, 19.7]}]
events:
  - {name: cold, when: T, crosses: 19, direction: down, set: {heat: 1}, max: 8}
  - {name: warm, when: T, crosses: 21, direction: up, set: {heat: 0}, max: 8}
  - {name: shift, when: x, crosses: 0, every: 0.25, direction: up, set: {gear: gear + 1}}
  - {name: out, when: clock, crosses: 0, direction: down, set: {runs: 0}}
  - {name: fire, when: u, crosses: 1, set: {u: 0}}
  - {name: mark, when: z, crosses: 0.7, direction: up, set: {w: w/2}}
YAML
for study in valve brake modes; do
    for method in bs32 dopri54 tp86 dop853 rodas4; do
        tolerance=1e-8
        [ $method = bs32 ] && tolerance=1e-6
        sed "s/^INTEGRATOR/integrator: {type: $method, tolerance: $tolerance}\ntime: {tick: 1, end: END}/" $study.yaml >$study-$method.yaml
    done
    sed 's/^INTEGRATOR/integrator: rk4\ntime: {step: 0.01, end: END}/' $study.yaml >$study-rk4.yaml
    for method in bs32 dopri54 tp86 dop853 rodas4 rk4; do
        sed -i "s/end: END/end: $([ $study = valve ] && echo 1 || echo 4)/" $study-$method.yaml
        expect 0 "$MANYLINK" run $study-$method.yaml --no-accuracy
    done
done

"$PYTHON" - <<'PY' || fail "switches"
import math

import h5py
import numpy as np

TOLERANCES = {  # of the valve and the brake, of their derivatives, and of the thermostat
    "bs32": (1e-5, 5e-5, 2e-4), "dopri54": (5e-9, 5e-8, 1e-7), "rodas4": (5e-9, 5e-8, 1e-7),
    "rk4": (5e-11, 2e-10, 2e-9), "tp86": (5e-12, 1e-10, 2e-13), "dop853": (5e-12, 1e-10, 2e-13)}
for method, (near, deriv, warmth) in TOLERANCES.items():
    with h5py.File(f"valve-{method}.h5") as f:
        own, L = f["study/summary"], f["study/runs/system.L"][...]
        late = np.where(L < 0.4 * math.sin(1), 1 - np.arcsin(L / 0.4), 0)  # behind `opens`
        y, slope = late - L / 0.4, -2.5 - np.where(late > 0, 1 / np.sqrt(0.16 - L**2), 0)
        assert (own["opens_count"][...] == 1).all() and (own["either_count"][...] == (late > 0)).all(), method
        errors = np.array([np.abs(own["end_y"][...] - y).max(), np.abs(own["sensitivity"][:, 3, 0] - slope).max(),
                           np.abs(own["opens_time"][...] - L / 0.4).max()])
        assert (errors < [near, deriv, 1e-14]).all(), (method, errors)
    with h5py.File(f"brake-{method}.h5") as f:
        own, c = f["study/summary"], 0.5
        x = 1 + (1 - math.exp(-3 * c)) / c
        dx = (3 * c * math.exp(-3 * c) - (1 - math.exp(-3 * c))) / c**2
        assert own["on_count"][()] == 1
        errors = np.array([abs(own["end_x"][()] - x), abs(own["sensitivity"][0, 0] - dx)])
        assert (errors < [near, deriv]).all(), (method, errors)
    with h5py.File(f"modes-{method}.h5") as f:
        own = f["study/summary"]
        for run, T in enumerate(f["study/runs/initial.T"][...]):
            t, heat, warm, cold = 0.0, 1, [], []
            while True:
                to, rest = (21, 24) if heat else (19, 12)
                t += math.log((T - rest) / (to - rest))
                if t > 4:
                    break
                (warm if heat else cold).append(t)
                T, heat = to, 1 - heat
            assert own["warm_count"][run] == len(warm) and own["cold_count"][run] == len(cold), (method, run)
            errors = [np.abs(own["warm_times"][run][: len(warm)] - warm).max(),
                      np.abs(own["cold_times"][run][: len(cold)] - cold).max()]
            assert own["shift_count"][run] == 27 and own["end_gear"][run] == 28, (method, own["shift_count"][run])
            assert own["out_count"][run] == 1 and abs(own["end_clock"][run]) < 1e-14, (method, own["end_clock"][run])
            assert own["fire_count"][run] == 12, (method, own["fire_count"][run])
            errors += [abs(own["end_u"][run] - 0.5), abs(own["end_z"][run] - 0.7 - 3.3 / 2)]
            assert own["mark_count"][run] == 1, (method, run)
            assert (np.array(errors) < [warmth, warmth, 5e-14, 5e-14]).all(), (method, errors)
PY
