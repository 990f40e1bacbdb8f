# label: values
# Motions that slide on conditions of formulas, against closed forms and scipy from one event to the next.
. "$SOURCE/tests/check.sh"
need_python

# Dry friction: half swings lose 2 mu of amplitude each, down to a rest within mu.
cat >friction.yaml <<'YAML'
manylink: 1
system:
  type: equations
  parameters: {mu: 0.15}
  state: {x: 1, v: 0}
  rates: {x: v, v: "-x - mu*sign(v)"}
integrator: {type: dopri54, tolerance: 1e-11}
time: {end: 30}
sweep: [{set: initial.x, from: -0.93, to: 0.93, count: 20}]
analyse: {sensitivity: {of: end_state, to: [system.mu, initial.x]}}
YAML
sed 's/^integrator.*/integrator: rk4/; s/end: 30/end: 30, step: 0.01/' friction.yaml >given.yaml
sed 's/dopri54/rodas4/' friction.yaml >implicit.yaml

# What is recorded takes one side; the balance of forces is the friction of a block that sticks.
sed 's/^sweep.*//; s/^analyse.*/analyse: {observe: {f: {at_end: friction}, side: {at_end: F}}}/; s/- mu\*sign(v)/+ F/
s/^  rates/  define: {F: -mu*sign(v)}\n&/
$a\
quantities: {friction: "where(sliding > 0.5, x, F)"}' friction.yaml >recorded.yaml

# The same force as the derivative of a dissipation.
cat >energies.yaml <<'YAML'
manylink: 1
system:
  type: equations
  parameters: {mu: 0.15}
  coordinates: {x: 1}
  kinetic: x'^2/2
  potential: x^2/2
  dissipation: mu*abs(x')
integrator: {type: dopri54, tolerance: 1e-11}
time: {end: 30}
sweep: [{set: initial.x, from: -0.93, to: 0.93, count: 20}]
analyse: {sensitivity: {of: end_state, to: [system.mu, initial.x]}}
YAML

# A block that a force moves for a part of a step: it slips and sticks again between two ends.
cat >slip.yaml <<'YAML'
manylink: 1
system: {type: equations, parameters: {a: 1.05}, state: {x: 0, v: 0}, rates: {x: v, v: "a*sin(2*pi*t) - sign(v)"}}
integrator: {type: tp86, tolerance: 1e-10}
time: {tick: 0.5, end: 0.5}
sweep: [{set: system.a, values: [0.9, 1.0001, 1.05, 1.2]}]
YAML

# Two rates that switch where x > y (OpenModelica, issue 12190), and a quantizer, which slides on floor(x).
cat >switched.yaml <<'YAML'
manylink: 1
system:
  type: equations
  state: {x: 1.5, y: 1, q: 2.1}
  rates: {x: "where(x > y, -2, 2)", y: "where(y > x, -3, 1.5)", q: 1.7 - floor(q)}
integrator: {type: dopri54, tolerance: 1e-8}
time: {end: 1}
YAML

# A block on a belt that sticks and slips, and a sliding mode control.
cat >belt.yaml <<'YAML'
manylink: 1
system:
  type: equations
  parameters: {vb: 0.4, F: 0.5, d: 2, c: 0.05}
  state: {x: 0, v: 0}
  rates: {x: v, v: "-x - c*v + F*sign(vb - v)/(1 + d*abs(vb - v))"}
integrator: {type: dop853, tolerance: 1e-12}
time: {end: 20}
events:
  - {name: stick, when: sliding, crosses: 0.5, direction: up, max: 4}
  - {name: slip, when: sliding, crosses: 0.5, direction: down, max: 4}
analyse:
  sensitivity: {of: end_state, to: [system.vb, system.F, system.d, system.c, initial.x]}
  observe: {stuck: {mean: sliding}}
YAML
cat >control.yaml <<'YAML'
manylink: 1
system:
  type: equations
  parameters: {lambda: 1.5, K: 3}
  state: {x: 1, v: 0.5}
  rates: {x: v, v: "sin(2*t) - K*sign(v + lambda*x)"}
integrator: {type: dop853, tolerance: 1e-12}
time: {end: 6}
analyse: {sensitivity: {of: end_state, to: [system.lambda, system.K, initial.x, initial.v]}}
YAML

# Two blocks, one upon the other: both stick, one of them, or none.
cat >stack.yaml <<'YAML'
manylink: 1
system:
  type: equations
  parameters: {m1: 0.8, m2: 0.5, A: 1.6}
  state: {x1: 0, v1: 0, x2: 0, v2: 0}
  rates: {x1: v1, v1: "A*sin(t) - m1*sign(v1 - v2)", x2: v2, v2: "m1*sign(v1 - v2) - m2*sign(v2) - x2"}
integrator: {type: dop853, tolerance: 1e-12}
time: {end: 20}
YAML

# A row of blocks with springs between them.
cat >row.yaml <<'YAML'
manylink: 1
system:
  type: equations
  parameters: {mu: 0.4, vb: 0.1, k: 2}
  state: {x: {count: 12, value: "0.01*mod(7*i*i, 11)"}, v: {count: 12, value: 0}}
  rates:
    x[i]: v[i]
    v[i]: "-x[i] + k*(x[i+1] + x[i-1] - 2*x[i]) + mu*sign(vb - v[i])/(1 + 3*abs(vb - v[i]))"
integrator: {type: dop853, tolerance: 1e-10}
time: {end: 20}
YAML
sed 's/^integrator.*/integrator: rk4/; s/end: 20/end: 20, step: 0.002/' row.yaml >row_given.yaml

# Conditions that change ever faster before they hold the motion together, in both at (0, 0) from 0.65 s on.
cat >spiral.yaml <<'YAML'
manylink: 1
system:
  type: equations
  state: {x: 1, y: 0.3}
  rates: {x: "-sign(x) + 2*sign(y)", y: "-2*sign(x) - sign(y)"}
integrator: {type: dop853, tolerance: 1e-10, max_steps: 1000}
time: {end: 6}
events: [{name: hold, when: sliding, crosses: 1.5, direction: up}]
YAML

# On v = -lambda x neighbours meet: one exponent is that of the level, one -inf.
cat >exponents.yaml <<'YAML'
manylink: 1
system:
  type: equations
  parameters: {lambda: 0.7, K: 3}
  state: {x: 1, v: 0.5, y: 1}
  rates: {x: v, v: "0.5*sin(x) - K*sign(v + lambda*x)", y: "-0.3*y"}
integrator: {type: dop853, tolerance: 1e-10}
time: {end: 400}
analyse: {lyapunov: {exponents: all, transient: 10}}
YAML

# A comparison that never holds, a side that does not lead back, and a rest that is left.
cat >none.yaml <<'YAML'
manylink: 1
system:
  type: equations
  state: {x: 3.2, y: -0.5, z: 0}
  rates: {x: "where(x > x, -1, 1) + sign(x - x)", y: "2 - sign(y)", z: "sign(z)"}
integrator: {type: dopri54, tolerance: 1e-10}
time: {end: 2}
YAML

for study in slip friction recorded given implicit energies switched belt control stack row row_given spiral exponents none; do
    expect 0 "$MANYLINK" run $study.yaml -o $study.h5
done
"$PYTHON" "$SOURCE/tests/cli/sliding.py" || exit $?

# A condition that keeps a root within its domain is computed as written.
cat >guard.yaml <<'YAML'
manylink: 1
system: {type: equations, state: {x: 1}, rates: {x: "where(x > 0, -1/sqrt(1 + x), sqrt(1 + x))"}}
integrator: {type: dop853, tolerance: 1e-10, max_steps: 1000}
time: {end: 6}
YAML
expect 3 "$MANYLINK" run guard.yaml -o guard.h5
grep -q 'run 0 at t = 1.21895 s; at rest where `0 < x` changes' out || fail "the condition of a rest is not named"
:
