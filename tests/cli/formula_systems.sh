# label: values
# Built-in systems written as formulas: end states, exponents and derivatives by initial values and parameters are
# those of the built-in systems, whose derivatives are written by hand.
. "$SOURCE/tests/check.sh"
need_python

# pair NAME SETTINGS PARAMETERS-OF-BOTH: writes NAME-formula.yaml from the formulas of stdin, and NAME.yaml
pair() {
    { echo "manylink: 1" && cat && echo "$2"; } >"$1-formula.yaml"
    { echo "manylink: 1" && echo "system: {type: $1}" && echo "$2"; } >"$1.yaml"
}

pair roessler 'initial: {x: 1, y: 2, z: 0.5}
time: {step: 0.01, end: 20}
sweep: [{set: system.c, from: 2, to: 9, count: 20}]
analyse: {lyapunov: {exponents: all}, sensitivity: {of: end_state, to: [initial.x, system.a, system.b]}}' <<'END'
system:
  type: equations
  parameters: {a: 0.2, b: 0.2, c: 5.7}
  state: {x: 0, y: 0, z: 0}
  rates: {x: -y - z, y: x + a*y, z: b + z*(x - c)}
END
pair duffing 'initial: {x: 1, v: 0.1}
time: {step: 0.01, end: 12}
sweep: [{set: system.gamma, from: 0.1, to: 0.6, count: 20}]
analyse: {lyapunov: {exponents: all}, sensitivity: {of: end_state, to: [initial.x, system.delta, system.omega]}}' <<'END'
system:
  type: equations
  parameters: {delta: 0.3, alpha: -1, beta: 1, gamma: 0.5, omega: 1.2}
  state: {x: 0, v: 0}
  rates: {x: v, v: gamma*cos(omega*t) - delta*v - alpha*x - beta*x^3}
END
pair henon_heiles 'initial: {x: 0.1, y: 0.1, px: 0.3, py: 0.1}
time: {step: 0.02, end: 20}
sweep: [{set: initial.y, from: -0.2, to: 0.3, count: 20}]
analyse: {lyapunov: {exponents: all}, sensitivity: {of: end_state, to: [initial.x, initial.px]}}' <<'END'
system:
  type: equations
  state: {x: 0, y: 0, px: 0, py: 0}
  rates: {x: px, y: py, px: -x - 2*x*y, py: y^2 - y - x^2}
END
pair four_mass_runner 'initial: {v1: 0.96, v2: 0.96, v3: 2, v4: 2}
time: {step: 2e-5, end: 0.15}
sweep: [{set: system.m4, from: 40, to: 60, count: 20}]
analyse: {sensitivity: {of: end_state, to: [initial.v3, system.k1, system.c4, system.m3]}}' <<'END'
system:
  type: equations
  parameters: {m1: 6.15, m2: 6, m3: 12.58, m4: 50.34, k1: 6e3, k2: 6e3, k3: 10e3, k4: 10e3, k5: 18e3, c1: 300,
    c2: 650, c4: 1900, gravity: 9.81, area: 2, stiffness: 1e6, exponent: 1.56, damping: 2e4, damping_exponent: 0.73}
  state: {x1: 0, x2: 0, x3: 0, x4: 0, v1: 0, v2: 0, v3: 0, v4: 0}
  define:
    f1: k1*(x1 - x3) + c1*(v1 - v3)
    f2: k2*(x1 - x2) + c2*(v1 - v2)
    f3: k3*(x2 - x3)
    f4: (k4 + k5)*(x3 - x4) + c4*(v3 - v4)
    depth: max(x1, 0)
    ground: where(x1 > 0, max(area*(stiffness*depth^exponent + damping*depth^damping_exponent*v1), 0), 0)
  rates:
    x1: v1
    x2: v2
    x3: v3
    x4: v4
    v1: gravity - (f1 + f2 + ground)/m1
    v2: gravity + (f2 - f3)/m2
    v3: gravity + (f1 + f3 - f4)/m3
    v4: gravity + f4/m4
END
# A single exponent is that of a generic direction, though nothing grows along the first coordinate.
cat >first.yaml <<'END'
manylink: 1
system:
  type: equations
  state: {phase: 0, x: 1, y: 2, z: 20}
  rates: {phase: 1, x: 10*(y - x), y: x*(28 - z) - y, z: x*y - 8/3*z}
time: {step: 0.005, end: 100}
analyse: {lyapunov: {exponents: 1, transient: 10}}
END
expect 0 "$MANYLINK" run first.yaml --no-accuracy
for name in roessler duffing henon_heiles four_mass_runner; do
    for kind in "" -formula; do
        expect 0 "$MANYLINK" run "$name$kind.yaml" --no-accuracy
    done
done
"$PYTHON" - <<'END' || fail "systems by formula"
import h5py, numpy as np
with h5py.File("first.h5") as f:
    assert 0.8 < f["study/summary/lyapunov_max"][()] < 1, f["study/summary/lyapunov_max"][()]
for name in "roessler", "duffing", "henon_heiles", "four_mass_runner":
    with h5py.File(name + ".h5") as f, h5py.File(name + "-formula.h5") as g:
        own, other = f["study/summary"], g["study/summary"]
        names = [n for n in other if n.startswith("end_") or n in ("lyapunov_spectrum", "mean_trace", "sensitivity")]
        assert "sensitivity" in names, names
        for n in names:
            a, b = own[n][...].astype(float), other[n][...].astype(float)
            error = np.abs(a - b).max() / max(np.abs(a).max(), 1e-3)
            # Derivatives by parameters of roessler that is built in are differences.
            assert error < (3e-11 if (name, n) == ("roessler", "sensitivity") else 1e-13), (name, n, error)
END
