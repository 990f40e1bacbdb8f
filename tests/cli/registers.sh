# label: values
# Registers: numbers that formulas or events set, in equations and in a chain, against closed forms and integrations from
# one instant to the next, with derivatives, and the same bits whatever the threads and shards.
. "$SOURCE/tests/check.sh"
need_python

# A sampled regulator of a double integrator, whose gains are names: beside a register of half its rate, an encoder, and a
# filter of its samples.
cat >regulator.yaml <<'YAML'
manylink: 1
define: {k1: 1.2, k2: 1.7, T: 0.1}
system:
  type: equations
  state: {x: 1, v: 0.3}
  rates: {x: v, v: u}
registers:
  u: {start: 0, every: T, next: -k1*x - k2*v, unit: m/s^2, doc: acceleration}
  seen: {start: 0, every: T, next: "0.001*floor(x/0.001)"}
  smooth: {start: 0, every: T, next: 0.9*smooth + 0.1*seen}
  slow: {start: 5, every: 2*T, phase: T, next: u + 0.1*slow}
integrator: {type: dop853, tolerance: 1e-12}
time: {end: 2.05}
sweep: [{set: define.k1, from: 1, to: 1.4, count: 3}]
analyse: {sensitivity: {of: end_state, to: [define.k1, define.k2, initial.x]}}
YAML
sed 's/^integrator.*/integrator: rk4/; s/end: 2.05/end: 2.05, step: 0.041/' regulator.yaml >given.yaml

# A double pendulum whose elbow a sampled controller of joint angles holds; a latch notes when the elbow is first there.
cat >arm.yaml <<'YAML'
manylink: 1
define: {k: 20}
system:
  type: chain
  angles: joint
  segments: [{name: upper, length: 0.3, mass: 2}, {name: elbow, length: 0.3, mass: 1.5}]
initial: {angle: {upper: 0.2, elbow: 0.503}}
registers:
  u: {start: 0, every: 0.05, next: "k*(1 - 0.01*floor(angle.elbow/0.01)) - rate.elbow", unit: N m}
  latch: -1
forces:
  - {type: formula, name: hold, joint: elbow, torque: "u - where(latch > 0, 2, 0)"}
events:
  - {name: there, when: angle.elbow, crosses: 0.6, if: latch < 0, set: {latch: t}}
integrator: {type: dop853, tolerance: 1e-12}
time: {end: 0.5}
quantities: {double: 2*u}
save: {trajectory: {quantities: [angle, u, latch, double]}}
analyse: {observe: {mean_u: {mean: u}}, sensitivity: {of: end_state, to: [define.k, initial.angle.elbow]}}
YAML

# A relay with a dead zone and hysteresis, and a limit of the rate of a command: |x| > 1 switches on, |x| < 0.5 off.
cat >relay.yaml <<'YAML'
manylink: 1
system:
  type: equations
  parameters: {d: 0.3}
  state: {x: 0, v: 0.6}
  rates: {x: v, v: -push + d}
registers: {push: 0, command: {start: 0, every: 0.02, next: "command + max(-0.002, min(0.002, push - command))"}}
events:
  - {name: above, when: x, crosses: 1, direction: up, set: {push: 1}}
  - {name: inside, when: x, crosses: 0.5, direction: down, set: {push: 0}}
integrator: {type: dop853, tolerance: 1e-12}
time: {end: 14}
analyse: {sensitivity: {of: end_state, to: [system.d, initial.v]}}
YAML

# A flip-flop that a phase triggers and that goes back after a delay; doses after a longer one, two of them under way at once,
# which are taken until 6 s; and a last one that ends the run.
cat >monostable.yaml <<'YAML'
manylink: 1
define: {d: 0.7}
system:
  type: equations
  parameters: {w: 3}
  state: {p: 0, x: 0}
  rates: {p: w, x: q - 0.5*x}
registers: {q: 0}
events:
  - {name: trigger, when: sin(p), crosses: 0.5, direction: up, set: {q: 1}, max: 8}
  - {name: back, after: {event: trigger, delay: d}, set: {q: 0}, max: 8}
  - {name: dose, after: {event: trigger, delay: 3.5*d}, set: {x: x + 1}, if: t < 6, max: 8, keep: [x]}
  - {name: last, after: {event: dose, delay: 4}, stop: true}
integrator: {type: dop853, tolerance: 1e-12}
time: {end: 10}
sweep: [{set: define.d, values: [0.7, 0.8]}]
analyse: {sensitivity: {of: end_state, to: [define.d, system.w]}}
YAML
sed 's/^integrator.*/integrator: rk4/; s/end: 10/end: 10, step: 0.01/' monostable.yaml >timed.yaml
sed 's/delay: 3.5\*d/delay: 9/; s/, if: t < 6//' monostable.yaml >crowded.yaml

for study in regulator given arm relay monostable timed; do
    expect 0 "$MANYLINK" run $study.yaml -o $study.h5
done
"$PYTHON" "$SOURCE/tests/cli/registers.py"
expect 3 "$MANYLINK" run crowded.yaml -o crowded.h5 # more are under way than there is room for
says out "diverged"

# Two strobes that disagree.
cat >twice.yaml <<'YAML'
manylink: 1
system: {type: equations, state: {x: 1}, rates: {x: u}}
registers: {u: {start: 0, every: 0.1, next: -x}}
events: [{name: also, period: 0.1, set: {u: 3}}, {name: twice, period: 0.1, set: {x: 2*x}}]
integrator: {type: dopri54, tolerance: 1e-9}
time: {end: 1}
YAML
expect 0 "$MANYLINK" plan twice.yaml
says err '`also` and `u` set `u` at the same instants, to `3` and `-x`'

# Beside registers a system that is built in is one of its formulas, with the same motion and energies.
for system in lorenz roessler henon_heiles duffing; do
    case $system in duffing) start="v: 0.2" ;; *) start="y: 0.2" ;; esac
    cat >$system.yaml <<YAML
manylink: 1
system: {type: $system}
initial: {x: 0.1, $start}
integrator: {type: tp86, tolerance: 1e-13}
time: {tick: 0.1, end: 2}
YAML
    case $system in henon_heiles | duffing)
        echo "save: {trajectory: {quantities: [energy, kinetic_energy, potential_energy]}}" >>$system.yaml ;;
    esac
    sed '$a\
registers: {n: 0, seen: {start: 0, every: 0.8, next: x}}\
events: [{name: up, when: x, crosses: 0.05, set: {n: n + 1}, max: 9}]' $system.yaml >$system.registers.yaml
    echo "events: [{name: up, when: x, crosses: 0.05, max: 9}, {name: at, period: 0.8, max: 3, keep: [x]}]" >>$system.yaml
    expect 0 "$MANYLINK" run $system.yaml --no-accuracy
    expect 0 "$MANYLINK" run $system.registers.yaml --no-accuracy
done
"$PYTHON" - <<'END' || fail "systems with registers"
import h5py
import numpy as np

for system in "lorenz", "roessler", "henon_heiles", "duffing":
    with h5py.File(system + ".h5") as f, h5py.File(system + ".registers.h5") as g:
        one, other = f["study/summary"], g["study/summary"]
        assert other["end_n"][()] == other["up_count"][()] == one["up_count"][()], system
        assert abs(other["end_seen"][()] - one["at_x"][2]) < 1e-12, system
        for key in "end_x", "up_time":
            assert np.nanmax(np.abs([one[key][()] - other[key][()], 0])) < 1e-12, (system, key)
        for key in "energy", "kinetic_energy", "potential_energy":
            if system in ("henon_heiles", "duffing"):
                errors = f["study/trajectories"][key][()] - g["study/trajectories"][key][()]
                assert np.abs(errors).max() < 1e-12, (system, key)
END
sed -i "s/lorenz}/lorenz, rh: 3}/" lorenz.registers.yaml
expect 2 "$MANYLINK" plan lorenz.registers.yaml
says err '`rh` is no parameter of lorenz: the nearest is `rho`; `manylink show-equations` shows'

# The same bits, also of the study that the result has.
for study in regulator given monostable; do
    for isa in $(instruction_sets); do
        expect 0 env MANYLINK_ISA="$isa" "$MANYLINK" run $study.yaml --threads 2 -o other.h5
        same $study.h5 other.h5
        rm other.h5
    done
    for shard in 0 1; do
        expect 0 "$MANYLINK" run $study.yaml --shard $shard/2 -o $study.shard-$shard.h5
    done
    expect 0 "$MANYLINK" merge $study.shard-*.h5 -o other.h5
    same $study.h5 other.h5
    rm other.h5
done
"$PYTHON" -c '
import h5py
for name in "regulator", "arm", "monostable":
    open(name + ".resolved.yaml", "w").write(h5py.File(name + ".h5")["study/resolved"][()].decode())'
for study in regulator arm monostable; do
    expect 0 "$MANYLINK" run $study.resolved.yaml -o $study.resolved.h5
    "$PYTHON" -c "
import sys
import h5py
one, other = (h5py.File(name)['study/summary'] for name in sys.argv[1:])
for key in one:
    if isinstance(one[key], h5py.Dataset) and one[key].dtype.kind == 'f':
        assert one[key][()].tobytes() == other[key][()].tobytes(), key" $study.h5 $study.resolved.h5
done
