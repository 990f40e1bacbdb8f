# A run that does not finish is reported with its cause: the formula without a value, a stiff system,
# a singularity, a tolerance below rounding, a step that is too large.
. "$SOURCE/tests/check.sh"

# study NAME SYSTEM INTEGRATOR TIME
study()
{
    cat >"$1.yaml" <<YAML
manylink: 1
system: {type: equations, $2}
integrator: $3
time: $4
YAML
}

# fails NAME TEXT: the run fails and its cause has the text.
fails()
{
    expect 3 "$MANYLINK" run "$1.yaml" --no-accuracy --kernel general --threads 1
    says out "$2"
}

# a tank that empties at 2/k = 2.5 s, by a tolerance and by given steps
tank='parameters: {k: 0.8}, state: {h: 1}, rates: {h: -k*sqrt(h)}'
study tank "$tank" '{type: tp86, tolerance: 1e-8}' '{end: 4}'
fails tank 'diverged: run 0 at t = 2.5'
says out '; the rate of `h` has no value: `sqrt(h)` where `h` is -'
says out 'max(.., 0)'
study stiff_tank "$tank" '{type: rodas4, tolerance: 1e-8}' '{end: 4}'
fails stiff_tank '`sqrt(h)` where `h` is -'
study steps "$tank" rk4 '{end: 4, step: 0.01}'
fails steps 'diverged: run 0 at t = 2.49 s; the rate of `h` has no value: `sqrt(h)` where `h` is -'

study logarithm 'state: {h: 1}, rates: {h: "-1 + 0*log(h)"}' rk4 '{end: 4, step: 0.01}'
fails logarithm 'diverged: run 0 at t = 0.99 s; the rate of `h` has no value: `log(h)` where `h` is -'
# the side of `where` that is not taken is no cause
study side 'state: {h: 1}, rates: {h: "-1 + where(h > 9, log(-h), 0) + 0*asin(2 - 2*h)"}' rk4 '{end: 4, step: 0.01}'
fails side '`asin(2 - 2*h)` where `2 - 2*h` is '
study square 'state: {x: 1}, rates: {x: x^2}' '{type: dopri54, tolerance: 1e-8}' '{end: 3}'
fails square 'diverged: run 0 at t = 1 s; the rate of `x` overflows: `x^2` where `x` is '
# sqrt(x) - 0.3 eight times from 0.5 is -0.0705
study map 'kind: map, state: {x: 0.5}, next: {x: sqrt(x) - 0.3}' map '{steps: 100}'
fails map '; the next value of `x` has no value: `sqrt(x)` where `x` is -0.0705'
cat >mechanism.yaml <<'YAML'
manylink: 1
system: {type: equations, coordinates: {x: 1}, kinetic: "x'^2/2", potential: sqrt(x)}
time: {end: 4, step: 0.001}
YAML
fails mechanism 'the rate of `x_rate` has no value: '

# Van der Pol's eigenvalue at x = 2 is -3 mu
study stiff 'parameters: {mu: 1e9}, state: {x: 2, v: 0}, rates: {x: v, v: "mu*(1 - x^2)*v - x"}' \
    '{type: dopri54, tolerance: 1e-8, max_steps: 20000}' '{end: 10}'
fails stiff '; stiff: steps of about '
says out '(eigenvalue -3e+09 1/s)'
says out 'rodas4'
# a fall onto the centre takes pi/(2 sqrt 2) = 1.11072 s
study fall 'state: {x: 1, v: 0}, rates: {x: v, v: -1/x^2}' '{type: dopri54, tolerance: 1e-8}' '{end: 3}'
fails fall 'step_too_short: run 0 at t = 1.11072 s; a singularity? rates grow without bounds: `v` is '
study rounding 'state: {x: 1e3, v: 0}, rates: {x: v, v: -x + 1e9}' \
    '{type: tp86, relative: 1e-15, absolute: 1e-12, max_steps: 10000}' '{end: 3000}'
fails rounding '; the tolerance is below the rounding of `x`, which is '
# a pendulum that is merely given too few steps has no cause
study few 'state: {x: 1, v: 0}, rates: {x: v, v: -sin(x)}' '{type: dopri54, tolerance: 1e-9, max_steps: 2000}' '{end: 1e4}'
fails few 'too_many_steps: run 0 at t = '
if grep -F '; ' out | grep too_many; then
    fail "a cause where there is none"
fi

# A step of 14 times the largest: of the stable run of a plane pendulum no chaos is told, which it cannot have.
cat >long.yaml <<'YAML'
manylink: 1
system: {type: chain, segments: [{name: rod, length: 0.01, mass: 1}]}
sweep: [{set: initial.angle.rod, from: 0.5, to: 1, count: 2}]
time: {step: 1, end: 1000}
YAML
expect 0 "$MANYLINK" run long.yaml --threads 1
says err 'a step of 1 s is too large'
says err 'warning: large step error'
if grep chaotic err; then
    fail "a plane pendulum is called chaotic"
fi
expect 0 "$MANYLINK" info long.h5
if grep chaotic out; then
    fail "a plane pendulum is called chaotic"
fi
# planning finds the spring, and the run that fails cites that
cat >spring.yaml <<'YAML'
manylink: 1
system: {type: equations, state: {x: 1, v: 0}, rates: {x: v, v: -1e6*x - 4000*v + x^3}}
time: {step: 0.01, end: 10}
YAML
expect 3 "$MANYLINK" run spring.yaml --no-accuracy --threads 1
sed -n 's/.*is too large for \(the fastest.*\)/\1/p' err >cause
grep -qF "step too large? it is for $(cat cause); or let" out || fail "the cause is not that of the notice"
