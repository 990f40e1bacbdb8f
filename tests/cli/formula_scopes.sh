# Formulas of quantities, events and statistics by the names of all scopes above them: of the study's
# `define`, and of the definitions, functions and arrays of the system; against closed forms.
. "$SOURCE/tests/check.sh"
need_python

# x_i = e^-t for all i. Of `define`: k = 2, m = 6.
cat >decay.yaml <<'YAML'
manylink: 1
define: {k: 2, m: 3*k}
system:
  type: equations
  state: {x: {value: 1, count: 3}}
  define: {twice: "2*x[1]"}
  functions: {"f(a)": a^2 + twice}
  rates: {"x[i]": "-x[i]"}
quantities: {product: "k*x[1]", both: m + twice, called: "f(x[2])", all: "sum(i, 1, 3, x[i])"}
events: [{name: low, when: "x[1] - 0.1*k", direction: down, max: 1}]
sweep: [{set: define.k, values: [2, 4]}]
analyse:
  observe: {a: {at_end: product + both}, b: {at_end: called}, c: {at_end: all}, d: {max: m*twice}}
integrator: {type: dopri54, tolerance: 1e-12}
time: {end: 3}
YAML
expect 0 "$MANYLINK" run decay.yaml -o decay.h5 --quiet
! grep "note:" err || fail "notes about names that are taken"

# Conditions of runs know names of `define` too, if runs differ in the name.
expect 0 "$MANYLINK" best decay.h5 a --where "k > 3"
says out 4
! grep -q '^0' out || fail "a run that does not meet a condition of k"
expect 2 "$MANYLINK" best decay.h5 a --where "m > 3"
says err 'there is no `m` here'

# d/dk of k x and of k^2 x at the end are x and 2 k x, of a system without formulas; the derivatives
# of records by numbers are differences.
cat >lorenz.yaml <<'YAML'
manylink: 1
define: {k: 2, square: k^2}
system: {type: lorenz}
initial: {x: 1, y: 1, z: 1}
quantities: {first: k*x, second: square*x}
analyse:
  observe: {p: {at_end: first}, q: {at_end: second}, end: {at_end: x}}
  sensitivity: {to: define.k, of: observe}
time: {step: 1e-2, end: 1}
YAML
expect 0 "$MANYLINK" run lorenz.yaml -o lorenz.h5 --quiet

cat >check.py <<'PY'
import math, h5py
s = h5py.File('decay.h5')["study/summary"]
x = math.exp(-3)
for run, k in enumerate((2, 4)):
    for name, right in (('a', (k + 2)*x + 3*k), ('b', x*x + 2*x), ('c', 3*x), ('d', 6*k),
                        ('low_time', -math.log(0.1*k))):
        value = s[name][run]
        assert abs(value - right) < 1e-10, (name, k, value, right)
s = h5py.File('lorenz.h5')["study/summary"]
x = float(s['end'][()])
assert float(s['p'][()]) == 2*x and float(s['q'][()]) == 4*x
for at, right in enumerate((x, 4*x)): # of p, q
    value = s['sensitivity'][()].ravel()[at]
    assert abs(value - right) < 1e-9*abs(right), (at, value, right)
PY
"$PYTHON" check.py || fail "numbers by names of other scopes"

# The rate of constraints' errors by a name: as by the number.
constrained() { # constrained NAME RATE
    cat >"$1.yaml" <<YAML
manylink: 1
define: {decay: 8}
system:
  type: equations
  coordinates: {x: 1, y: 0}
  kinetic: "0.5*(x'^2 + y'^2)"
  potential: 9.81*y
  constraints: ["x^2 + y^2 = 1"]
  stabilisation: $2
quantities: {speed: "sqrt(x'^2 + y'^2)"}
time: {step: 1e-2, end: 0.5}
YAML
    expect 0 "$MANYLINK" run "$1.yaml" -o "$1.h5" --quiet
    "$MANYLINK" table "$1.h5" >"$1.csv"
}
constrained by_name decay
constrained by_number 8
cmp by_name.csv by_number.csv || fail "a stabilisation by its name has other numbers"
