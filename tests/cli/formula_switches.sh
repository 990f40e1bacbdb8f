# label: values
# Formulas that jump: steps end where conditions change, and derivatives, exponents and fits have the jumps, against closed
# forms and integrations from one change to the next.
. "$SOURCE/tests/check.sh"
need_python

# A threshold of the state and one of time: y = 1 - k t to the level, then three times as fast; u = 4 T - t.
cat >threshold.yaml <<'YAML'
manylink: 1
system:
  type: equations
  parameters: {level: 0.5, k: 1, T: 0.3}
  state: {y: 1, u: 0}
  rates: {y: "where(y > level, -k, -3*k)", u: "where(t <= T, 3, -1)"}
integrator: {type: dopri54, tolerance: 1e-10}
time: {end: 0.7}
analyse: {sensitivity: {to: [system.level, system.k, initial.y, system.T]}}
YAML
sed 's/^integrator.*/integrator: rk4/; s/end: 0.7/end: 0.7, step: 0.07/' threshold.yaml >given.yaml
sed 's/^integrator.*/integrator: {type: rodas4, tolerance: 1e-10}/' threshold.yaml >implicit.yaml

# A threshold between two motions to the same side.
cat >faster.yaml <<'YAML'
manylink: 1
system: {type: equations, parameters: {p: 1}, state: {x: 0}, rates: {x: "where(x < p, 1, 2)"}}
time: {end: 2}
integrator: {type: dop853, tolerance: 1e-10}
analyse: {sensitivity: {of: end_state, to: [system.p, initial.x]}}
YAML

# Waves of time, one of them with a curved number, and a nested one.
cat >waves.yaml <<'YAML'
manylink: 1
system:
  type: equations
  parameters: {P: 1.3, T: 2, c: 0.8}
  state: {x: 0, w: 0, z: 0, s: 0}
  rates:
    x: "-x + where(mod(t, P) < P/2, 1, -1)"
    w: "floor(t/P)"
    z: "where(mod(floor(t/T), 2) < 1, 1, -1)*x"
    s: "where(sin(3*t) > c, 1, 0)"
integrator: {type: dop853, tolerance: 1e-11}
time: {end: 11.5}
analyse: {sensitivity: {of: end_state, to: [system.P, system.T, system.c]}}
YAML

# A pulse that steps could pass over.
cat >pulse.yaml <<'YAML'
manylink: 1
system:
  type: equations
  parameters: {on: 5, width: 0.001, height: 1000}
  state: {u: 0}
  rates: {u: "-u + where(t > on and t < on + width, height, 0)"}
integrator: {type: tp86, tolerance: 1e-8}
time: {end: 40}
sweep: [{set: system.on, from: 5, to: 35, count: 61}]
save: {summary: [end_state]}
YAML
"$PYTHON" -c "
print('time,u')
for i in range(101):
    print(i / 10, int(i == 60), sep=',')" >dirac.csv
cat >dirac.yaml <<'YAML'
manylink: 1
tables: {u: {file: dirac.csv, x: time, y: u}}
system: {type: equations, state: {x: 0, v: 0}, rates: {x: v, v: -x - v + u(t)}}
integrator: {type: tp86, tolerance: 1e-9}
time: {end: 10}
save: {summary: [end_state]}
YAML

# An oscillator with a spring on one side and a relay of its rate, beside a force from energies that jumps.
cat >relay.yaml <<'YAML'
manylink: 1
system:
  type: equations
  parameters: {k: 3, r: 0.2, d: 0.1}
  state: {x: 1.5, v: 0}
  rates: {x: v, v: "where(x < d, -x, -(1 + k)*x) + r*sign(v)*where(abs(x) < 1, 1, 0.5)"}
integrator: {type: dop853, tolerance: 1e-12}
time: {end: 9}
sweep: [{set: initial.x, from: 1.4, to: 2.2, count: 5}]
analyse: {sensitivity: {of: end_state, to: [system.k, system.r, system.d, initial.x]}}
YAML
cat >energies.yaml <<'YAML'
manylink: 1
system:
  type: equations
  parameters: {m: 2, k: 5, F: 1}
  coordinates: {q: 0.3}
  kinetic: m*q'^2/2
  potential: "k*q^2/2 + F*abs(q)"
  forces: {q: "-0.1*q' + where(q' > 0.5, 0.3, 0)"}
integrator: {type: dop853, tolerance: 1e-12}
time: {end: 6}
analyse: {sensitivity: {of: end_state, to: [system.k, system.F, initial.q]}}
YAML

# A guard of a root is no switch: behind it there is no root.
cat >tank.yaml <<'YAML'
manylink: 1
system: {type: equations, parameters: {k: 1}, state: {h: 1}, rates: {h: "where(h > 0, -k*sqrt(h), 0)"}}
integrator: {type: dopri54, tolerance: 1e-8}
time: {end: 1.9}
analyse: {sensitivity: {to: [system.k]}}
YAML

# A jerk circuit: a flow that is bounded has an exponent 0.
cat >jerk.yaml <<'YAML'
manylink: 1
system: {type: equations, state: {x: 0.1, v: 0, a: 0}, rates: {x: v, v: a, a: "-0.6*a - v - 1.2*x + 2*sign(x)"}}
integrator: {type: dop853, tolerance: 1e-8}
time: {end: 3000, tick: 0.5}
analyse: {lyapunov: {exponents: all}}
YAML

# A ball that drops through a drag of either direction onto a floor.
cat >ball.yaml <<'YAML'
manylink: 1
system:
  type: equations
  parameters: {g: 9.81, c: 0.7, e: 0.8}
  state: {h: 1, v: 0}
  rates: {h: v, v: "-g + where(v > 0, -c, c)"}
events: [{name: floor, when: h, crosses: 0, direction: down, set: {v: -e*v}, max: 8}]
integrator: {type: dopri54, tolerance: 1e-11}
time: {end: 2}
analyse: {sensitivity: {of: end_state, to: [system.c, system.e, initial.h]}}
YAML

# An integral whose integrand has its corner where a step ends at a switch.
cat >corner.yaml <<'YAML'
manylink: 1
system: {type: equations, parameters: {p: 1}, state: {x: 1, y: 1}, rates: {x: "where(x > 0, -p, -2*p)", y: -y}}
integrator: {type: tsit54, tolerance: 1e-10}
time: {end: 2}
analyse: {observe: {area: {integral: abs(x)}}, sensitivity: {of: observe, to: [system.p, initial.x]}}
YAML

# A Jacobian whose trace jumps.
cat >trace.yaml <<'YAML'
manylink: 1
system: {type: equations, state: {a: 0, x: 1}, rates: {a: 1, x: "where(a < 1.3, -x, -3*x)"}}
integrator: {type: tsit54, tolerance: 1e-9}
time: {end: 2}
analyse: {lyapunov: {exponents: all}}
YAML

# Beside delays conditions are computed as written.
cat >late.yaml <<'YAML'
manylink: 1
system:
  type: equations
  parameters: {tau: 0.7, T: 1.4}
  state: {x: 1}
  rates: {x: "-x(t - tau) + where(t < T, 0.3, -0.3) + where(x(t - tau) > 5, 1, 0)"}
integrator: {type: dopri54, tolerance: 1e-9}
time: {end: 2.1}
YAML

for study in trace corner late faster threshold given implicit waves pulse dirac relay energies tank jerk ball; do
    expect 0 "$MANYLINK" run $study.yaml -o $study.h5
    cp err $study.err
done
grep -q 'leave out the jumps of the rates where `0 < h` changes' tank.err || fail "no notice of a jump that is left out"
grep -q 'leave out' threshold.err && fail "a notice where nothing is left out"
"$PYTHON" "$SOURCE/tests/cli/formula_switches.py"

# The fit of a threshold.
"$PYTHON" -c "
print('time,y')
for i in range(61):
    t = 0.02 * i
    print(t, max(1 - t, 0.49) + 3 * min(0.51 - t, 0) + 0.01 * ((7 * i) % 11 - 5) / 5, sep=',')" >measured.csv
cat >fit.yaml <<'YAML'
manylink: 1
system:
  type: equations
  parameters: {level: 0.5, k: 1}
  state: {y: 1}
  rates: {y: "where(y > level, -k, -3*k)"}
integrator: {type: dopri54, tolerance: 1e-10}
time: {end: 1.2}
sample: {method: sobol, count: 8, over: [{set: system.level, from: 0.3, to: 0.7}, {set: system.k, from: 0.5, to: 2}]}
fit: {to: measured.csv, columns: {y: y}}
YAML
sed 's/state: {y: 1}/state: {y: 1, m: 0}/; s/^  rates.*/  rates: {y: "-k*(1 + 2*m)", m: 0}\
events: [{name: switch, when: y - level, crosses: 0, set: {m: 1}}]/' fit.yaml >by_event.yaml
sed -i '/^events/{h;d}; /^integrator/{x;G}' by_event.yaml
for study in fit by_event; do
    expect 0 "$MANYLINK" fit $study.yaml -o $study.h5
    grep '^system' out | cut -c 1-50 >$study.numbers
done
cmp fit.numbers by_event.numbers || fail "a threshold of a formula is fitted otherwise than that of an event"
"$PYTHON" - <<'END' || fail "a threshold is fitted otherwise than by scipy"
import h5py
import numpy as np
from scipy.optimize import least_squares

t, y = np.loadtxt("measured.csv", delimiter=",", skiprows=1).T
by = least_squares(lambda p: np.maximum(1 - p[1] * t, p[0]) + 3 * np.minimum(1 - p[1] * t - p[0], 0) - y, [0.45, 1.1],
                   xtol=1e-15, ftol=1e-15, gtol=1e-15)
errors = np.sqrt(np.diag(np.linalg.inv(by.jac.T @ by.jac)) * 2 * by.cost / (len(t) - 2))
with h5py.File("fit.h5") as file:
    fit = file["study/fit"]
    assert np.abs(fit["estimate"][()] / by.x - 1).max() < 1e-8, (fit["estimate"][()], by.x)
    assert np.abs(fit["standard_error"][()] / errors - 1).max() < 1e-6, (fit["standard_error"][()], errors)
END

# The formulas are shown as they were written.
expect 0 "$MANYLINK" show-equations threshold.yaml
grep -q 'where(level < y, -k, -3\*k)' out || fail "a latched condition is shown"
expect 0 "$MANYLINK" show-equations energies.yaml
grep -q 'mode' out && fail "a mode is shown"
:
