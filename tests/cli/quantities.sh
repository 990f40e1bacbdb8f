# Records by formula: their values against the same formulas of what is saved, of every kind of system; events on them
# against closed forms; derivatives; the same bits by made kernels, shards and a run that goes on.
. "$SOURCE/tests/check.sh"
need_python

cat >chain.yaml <<'EOF'
manylink: 1
system: {type: chain, segments: [{name: upper, length: 1, mass: 1}, {name: lower, length: 0.5, mass: 1}]}
initial: {angle: {upper: 1.2, lower: 30deg}}
forces: [{name: bearing, type: damper, joint: lower, coefficient: 0.1}]
quantities:
  tip: sqrt(end_position.lower.x^2 + end_position.lower.y^2)
  margin: {formula: "max(abs(angle.upper), 0.1) - pi/2", unit: rad, doc: how far from level}
  lift: system.segments.lower.mass*gravity.y*com_position.lower.y + forces.bearing.coefficient*tip + t/10
time: {step: 1e-3, end: 2}
sweep: [{set: system.segments.lower.mass, from: 0.5, to: 2, count: 40}]
events:
  - {name: level, when: cos(angle.upper) - sin(angle.lower)/2 - 0.9, max: 4, keep: [cos(angle.lower), lift, tip/2, angle]}
  - {name: far, of: tip, max: 3, keep: [tip]}
analyse: {sensitivity: {to: [system.segments.lower.mass, initial.angle.upper]}}
save: {trajectory: {every: 10, quantities: [angle, end_position, com_position, tip, margin, lift]}}
EOF
cat >duffing.yaml <<'EOF'
manylink: 1
system: {type: duffing, alpha: 1, beta: 0, delta: 0, gamma: 0, omega: 1.5}
initial: {x: 1, v: 0}
quantities: {drift: 2*level - 1, level: v^2/2 + alpha*x^2/2, phase: omega*t}
time: {step: 2e-3, end: 10}
sweep: [{set: system.alpha, from: 0.5, to: 2, count: 33}]
events:
  - {name: meet, when: x - v, max: 6, keep: [x/v, t]}
  - {name: up, when: x*v, direction: up, crosses: 0.1, max: 6}
analyse: {sensitivity: {to: system.alpha}}
save: {trajectory: {every: 50, quantities: [x, v, drift, level, phase]}}
EOF
sed 's/{type: duffing, .*/{type: equations, parameters: {alpha: 1, omega: 1.5}, state: {x: 1, v: 0}, rates: {x: v, v: -alpha*x}}/
    s/^initial.*//' duffing.yaml >equations.yaml
sed 's/{type: duffing.*/{type: mass_spring_damper, names: [a], mass: [[1]], stiffness: [[1]]}/
    s/^initial.*/initial: {position: 1, velocity: 0}/; s/\<v\>/velocity.a/g; s/system.alpha/system.stiffness.a.a/g; s/\<alpha\>/system.stiffness.a.a/g
    s/omega/1.5/g; s/\<x\>/position.a/g; s/quantities: \[position.a, velocity.a/quantities: [position, velocity/
    s/system.system/system/g' duffing.yaml >masses.yaml
cp "$SOURCE/tests/cli/plugins/lorenz.c" .
"$CC" -std=c17 -O2 -ffp-contract=off -shared -fPIC -I"$SOURCE/include" -o lorenz.so "$SOURCE/tests/cli/plugins/lorenz.c" -lm
cat >plugin.yaml <<'EOF'
manylink: 1
system: {type: plugin, file: lorenz.so, source: lorenz.c}
initial: {x: 1, y: 1, z: 20}
quantities: {ball: rho*x^2 + sigma*y^2 + sigma*(z - 2*rho)^2}
time: {step: 2e-3, end: 5}
sweep: [{set: system.rho, from: 20, to: 40, count: 33}]
events: [{name: peak, of: ball, max: 4, keep: [ball, "hypot(x, y)"]}, {name: side, when: x - y, max: 4}]
analyse: {sensitivity: {to: system.rho}}
save: {trajectory: {every: 50, quantities: [x, y, z, ball]}}
EOF
# Numbers that formulas take stand among the constants of forces, of a controller that sees the past too.
cat >late.yaml <<'EOF'
manylink: 1
system: {type: chain, segments: [{name: upper, length: 1, mass: 1}, {name: lower, length: 0.5, mass: 1}]}
forces: [{name: hold, type: pid, joint: lower, target: 0.5, kp: 20, kd: 1, delay: 0.02}]
quantities: {m: system.segments.lower.mass*angle.upper + forces.hold.kp}
initial: {angle: {upper: 1}}
time: {step: 2e-3, end: 1}
sweep: [{set: system.segments.lower.mass, from: 1, to: 2, count: 17}, {set: forces.hold.kp, values: [10, 30]}]
analyse: {observe: {mean: {mean: m}, gain: {at_end: forces.hold.kp}}}
save: {trajectory: {every: 20, quantities: [angle, m]}}
EOF
# Statistics over time, and events that count where comparisons hold.
cat >observe.yaml <<'EOF'
manylink: 1
system: {type: equations, parameters: {w: 1}, state: {x: {value: 1, unit: m}, v: {value: 0, unit: m/s}}, rates: {x: v, v: -w^2*x}}
quantities: {flow: {formula: -w^2*x*v, unit: W}}
time: {step: 1e-3, end: 7}
sweep: [{set: system.w, from: 1, to: 2, count: 17}]
events:
  - {name: rise, when: x, crosses: 0, and: [v > 0, t > 3 or x > 1], max: 3, keep: [v/w]}
  - {name: turn, of: x, and: t > 4, max: 3}
  - {name: beat, period: 1, and: x > 0, max: 8}
  - {name: many, when: x, crosses: 0.005, every: 0.01, and: v > 0}
analyse:
  observe:
    peak: {max: abs(v)}
    low: {min: x}
    late: {max: x, from: 5.5}
    mean_flow: {mean: flow}
    swing: {rms: x}
    way: {integral: abs(v), doc: length of the way}
    area: {integral: x}
    last: {at_end: x*v + t, unit: m^2}
    flown: {integral: flow, from: 1}
    none: {max: sqrt(x)}
  sensitivity: {of: observe, to: system.w}
save: {trajectory: {every: 50, quantities: [x, v]}}
show: swing
EOF
# Stopped by an event.
sed 's/max: 3}/max: 1, stop: true}/; s/^  sensitivity.*//' observe.yaml >stopped.yaml
expect 0 "$MANYLINK" run stopped.yaml --no-accuracy -o stopped.h5
for study in chain duffing equations masses plugin observe late; do
    native=
    [ $study != plugin ] || native="--plugin $PWD/lorenz.so"
    for steps in given chosen; do
        [ -z "$SANITIZE" ] || [ $steps = given ] || continue # numbers are those of the build without sanitizers
        set --
        [ $steps = given ] || set -- --set 'integrator={type: dop853, tolerance: 1e-11}' --set time.tick=0.05
        [ $study.$steps != observe.chosen ] || set -- --set 'integrator={type: dop853, tolerance: 1e-11}' --set time.tick=0.01
        [ $steps = given ] || sed '/every:/s/every: 50/every: 2/; /every:/s/every: 10/every: 1/; s/step: [^,]*, //' $study.yaml >$study.$steps.yaml
        [ $steps = chosen ] || cp $study.yaml $study.$steps.yaml
        # Whole by the general kernel, and in shards on one thread by a kernel that is made, where one can be.
        kernel=made
        makes_kernels || kernel=general
        case $study.$steps in [!c]*.chosen) kernel=general ;; esac
        expect 0 "$MANYLINK" run $study.$steps.yaml "$@" --no-accuracy --kernel general -o $study.$steps.h5
        for k in 0 1; do
            expect 0 "$MANYLINK" run $study.$steps.yaml "$@" --no-accuracy --threads 1 --kernel $kernel --shard $k/2 -o part$k.h5
        done
        # shellcheck disable=SC2086 # no argument, or two
        expect 0 "$MANYLINK" merge part0.h5 part1.h5 $native -o $study.$steps.merged.h5
        # shellcheck disable=SC2086
        expect 0 "$MANYLINK" verify $study.$steps.h5 $native --runs 4
        rm -f part?.h5
    done
done
[ -n "$SANITIZE" ] || PYTHONPATH="$SOURCE/tests/results" PYTHONDONTWRITEBYTECODE=1 "$PYTHON" "$SOURCE/tests/cli/quantities.py"

# Blanks make no other study; another formula does.
sed 's/x - v,/x  -v,/; s/2\*level - 1/2 * level-1/' duffing.yaml >again.yaml
expect 0 "$MANYLINK" run again.yaml --no-accuracy -o duffing.given.h5
says out "finished already"
expect 2 "$MANYLINK" run duffing.yaml --set quantities.drift='2*level - 3' -o duffing.given.h5
expect 0 "$MANYLINK" plot duffing.given.h5 drift -o drift.png

# A ball bounces as long as a comparison holds, then falls through the floor: closed form.
cat >ball.yaml <<'EOF'
manylink: 1
system: {type: equations, parameters: {g: 9.81}, state: {x: 1, v: 0}, rates: {x: v, v: -g}}
time: {step: 1e-2, end: 3.5}
sweep: [{set: initial.x, values: [1, 2, 0.5]}]
events: [{name: bounce, when: x, and: t < 3, set: {v: -v}, crosses: 0, max: 8}]
EOF
expect 0 "$MANYLINK" run ball.yaml --no-accuracy -o ball.h5
"$PYTHON" - <<'END' || fail "a bounce that depends on a comparison"
import h5py, numpy as np
with h5py.File("ball.h5") as f:
    for i, start in enumerate([1, 2, 0.5]):
        first = np.sqrt(2 * start / 9.81)
        times = first * np.arange(1, 40, 2)
        times = times[times < 3]
        left = 3.5 - times[-1]
        found = f["study/summary/bounce_times"][i]
        assert f["study/summary/bounce_count"][i] == len(times) and abs(found[:len(times)] - times).max() < 1e-14, found
        assert abs(f["study/summary/end_x"][i] - 9.81 * (first * left - left**2 / 2)) < 1e-13
END

# A name of `define` that stands alone, which is recorded, and in formulas of the same study, in any order.
cat >alone.yaml <<'END'
manylink: 1
system: {type: equations, state: {x: 1}, define: {u: -x}, rates: {x: u}}
time: {end: 2, step: 0.01}
events: [{name: low, when: u, crosses: -0.5, and: u + x > -1, max: 1, keep: [u, u*x]}]
analyse: {observe: {alone: {max: u}, with: {max: u*x}, before: {max: -u}}}
END
expect 0 "$MANYLINK" run alone.yaml -q --kernel general
expect 0 "$MANYLINK" table alone.h5
"$PYTHON" - <<'END' || fail "names that stand alone"
import csv
from math import exp, isclose
row = next(csv.DictReader(open("out")))
numbers = [float(next(value for name, value in row.items() if name.split(" ")[0].split(".")[0] == key)) for key in ("alone", "with", "before")]
print(numbers)
assert all(isclose(a, b, rel_tol=1e-9) for a, b in zip(numbers, (-exp(-2), -exp(-4), 1)))
END
