# Mistakes in systems as formulas are answered with a remedy.
. "$SOURCE/tests/check.sh"

# refused SYSTEM INTEGRATOR TEXT
refused()
{
    cat >study.yaml <<YAML
manylink: 1
system: {type: equations, $1}
integrator: $2
time: {step: 0.1, end: 4}
YAML
    expect 2 "$MANYLINK" plan study.yaml
    says err "$3"
}
refused 'parameters: {a: 0,5}, state: {u: 1}, rates: {u: -a*u}' rk4 \
    'study.yaml:2:45: `5` cannot be a name in formulas: names begin with a letter; a decimal number has a point, as 0.5'
refused 'state: {x: 1, v: 0}, rates: {x: v, v: "-x + x'"''"'"}' rk4 "rates are of first order: make the rate a state"
refused "coordinates: {x: 1}, kinetic: \"x'^2/2\", potential: x^2, dissipation: \"x'^2\"" verlet \
    'equations is not, as its forces or its mass matrix depend on rates or it is held;'

refused 'coordinates: {x: 1}, lagrangain: x' rk4 'study.yaml:2:48: unknown key `lagrangain`; did you mean `lagrangian`?'
refused 'state: {x: 1}, rates: {x: "-x + 1)"}' rk4 'this `)` has no `(`'
refused 'state: {x: 1}, rates: {x: "x % 2"}' rk4 "5 % is 0.05, and the remainder of a/b is mod(a, b)"
refused 'parameters: {k: 40 N m/foo}, state: {x: 1}, rates: {x: -k*x}' rk4 '`foo` is neither a number nor a unit; a number is decimal'

refused 'state: {u: {count: 9, value: 1}}, functions: {"l(k)": "u[k]"}, rates: {"u[i]": "l(i - 1)"}' rk4 \
    '`u` has entries 1 to 9, not 0; a computed index, as in u[k + 0], wraps around'

cat >unused.yaml <<'YAML'
manylink: 1
system: {type: equations, parameters: {l3: 1}, coordinates: {x: 1}, kinetic: "x'^2/2", potential: x^2}
time: {step: 0.1, end: 4}
YAML
expect 0 "$MANYLINK" plan unused.yaml
says err 'no formula in the system depends on `l3`'

cat >level.yaml <<'YAML'
manylink: 1
system: {type: equations, parameters: {L: 2}, state: {x: 0}, rates: {x: L}}
time: {step: 0.1, end: 4}
events: [{name: on, when: x, crosses: L}]
YAML
expect 2 "$MANYLINK" plan level.yaml
says err 'level.yaml:4:39: crosses is a number; a level that has a name is a part of `when`: `when: x - L, crosses: 0`'

# Words and signs of other notations
for wrong in '-sinus(x)/the sine is sin(x)' '-e^x/a power of e is exp(x)' '-|x|/an absolute value is abs(x)' \
    '-0,5*x/a decimal number has a point, as 0.5' '-(0,5)*x/a decimal number has a point' '-arctan(x)/is atan(x)'; do
    refused "state: {x: 1}, rates: {x: \"${wrong%%/*}\"}" rk4 "${wrong#*/}"
done
refused "state: {x: 1}, rates: {\"x''\": -x}" rk4 "which is not in \`state\`; rates are of first order"
refused 'state: {u: {count: 8, value: 1}}, define: {"lap[i]": "u[i+1]"}, rates: {"u[i]": "-u[i]"}' rk4 \
    'a formula of an index is one of `functions`, as lap(i)'
refused "coordinates: {x: {count: 4, value: 1}}, kinetic: \"x'^2/2\"" rk4 '`x` is an array; a coordinate must be'
! grep -q 'is missing' err || fail 'rates of an array among coordinates'

cat >defined.yaml <<'YAML'
manylink: 1
define: {f: 2}
system: {type: chain, segments: [{name: up, length: 1, mass: 1}]}
time: {step: 0.1, end: 1}
analyse: {observe: {a: {max: define.f*angle.up}}}
YAML
expect 2 "$MANYLINK" plan defined.yaml
says err 'there is no `define.f` here; names of `define` stand alone: `f`'

# Numbers of a force, written as a quantity
for wrong in 'analyse: {observe: {a: {max: c.kp}}}' 'events: [{name: e, when: angle.up, crosses: 0.1, set: {c.m: -1}}]'; do
    cat >force.yaml <<YAML
manylink: 1
system: {type: chain, segments: [{name: up, length: 1, mass: 1}]}
forces: [{name: c, type: pid, joint: up, kp: 40, target: 1}]
time: {step: 0.1, end: 1}
$wrong
YAML
    expect 2 "$MANYLINK" plan force.yaml
    says err '`c` is a force, no quantity: formulas read its numbers as forces.c.KEY'
done
