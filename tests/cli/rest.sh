# label: values
# Exponents of runs that have come to rest are the eigenvalues of the Jacobian there; where steps are too long for
# tangent vectors `run` warns, and only there.
. "$SOURCE/tests/check.sh"

# told STUDY [OPTION]..., quiet STUDY [OPTION]...
told()
{
    expect 0 "$MANYLINK" run "$@" --restart --no-accuracy -o rest.h5
    says err 'that have come to rest are not the eigenvalues there'
}
quiet()
{
    expect 0 "$MANYLINK" run "$@" --restart --no-accuracy -o rest.h5
    ! grep 'warning' err || fail "$*: $(cat err)"
}

# Decay with 15, 20 and 25 1/s: at a step of 0.1 s rk4 multiplies by 0.273, 1/3 and 0.648, ln 0.648 / 0.1 = -4.34.
cat >decay.yaml <<'END2'
manylink: 1
system: {type: equations, state: {x: 1, y: 1, z: 1}, rates: {x: -15*x, y: -20*y + x, z: -25*z}}
integrator: rk4
time: {step: 0.1, end: 100}
sweep: [{set: initial.x, values: [1, 2]}]
analyse: {lyapunov: {exponents: 1}}
END2
told decay.yaml
says err 'exponents of 2 of 2 runs that have come to rest are not the eigenvalues there (-4.34 instead of -15 1/s)'
says err 'take a smaller step'
quiet decay.yaml --set time.step=0.01
quiet decay.yaml --set time.step=0.01 --set analyse.lyapunov.exponents=3

# Damped pendulums, c = 0.1 to 1.9: -c/2.
cat >damped.yaml <<'END2'
manylink: 1
system: {type: equations, state: {a: 1, w: 0}, parameters: {c: 0.5}, rates: {a: w, w: -sin(a) - c*w}}
integrator: {type: tp86, tolerance: 1e-9}
time: {end: 200}
sweep: [{set: system.c, from: 0.1, to: 1.9, count: 10}]
analyse: {lyapunov: {exponents: 1}}
END2
told damped.yaml --set integrator.error_of=state --set time.end=5000
says err 'leave `error_of` out'
for end in 10 50 200 2000; do
    quiet damped.yaml --set time.end=$end
done
quiet damped.yaml --set analyse.lyapunov.exponents=2 --set integrator.type=dopri54
quiet damped.yaml --set integrator=rk4 --set 'time={step: 0.02, end: 200}'

# Lorenz' system below rho = 13.93 ends in a fixed point.
cat >lorenz.yaml <<'END2'
manylink: 1
system: {type: lorenz}
initial: {x: 1, y: 1, z: 1}
integrator: {type: tp86, tolerance: 1e-8}
time: {end: 60}
sweep: [{set: system.rho, from: 0.5, to: 13, count: 26}]
analyse: {lyapunov: {exponents: all}}
END2
quiet lorenz.yaml
quiet lorenz.yaml --set time.end=600
told lorenz.yaml --set time.end=600 --set analyse.lyapunov.exponents=1 --set integrator.error_of=state

# A chain in closed form, and one that a drive keeps in motion.
cat >chain.yaml <<'END2'
manylink: 1
system: {type: chain, segments: [{name: a, length: 1, mass: 1}, {name: b, length: 1, mass: 1}]}
forces:
  - {name: d, type: damper, joint: a, coefficient: 0.5}
  - {name: e, type: damper, joint: b, coefficient: 0.5}
initial: {angle: {a: 0.5}}
integrator: {type: dop853, tolerance: 1e-9, error_of: state}
time: {end: 3000}
analyse: {lyapunov: {exponents: 1}}
END2
told chain.yaml
quiet chain.yaml --set integrator.error_of=tangents
cat >driven.yaml <<'END2'
manylink: 1
system: {type: equations, state: {x: 1}, rates: {x: -x*(2 + sin(t))}}
integrator: {type: dop853, tolerance: 1e-9}
time: {end: 200.3}
analyse: {lyapunov: {exponents: 1}}
END2
quiet driven.yaml
