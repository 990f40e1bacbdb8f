# Measures by derivatives of manylink sensitivity: Ishigami's closed forms, Sobol' total indices below their bounds, a double
# pendulum and an oscillator against numpy, times of events, keys that move together, correlated inputs and refusals.
. "$SOURCE/tests/check.sh"

cat >ishigami.yaml <<'END'
manylink: 1
system: {type: equations, kind: map, parameters: {x: 0, y: 0, z: 0}, state: {f: 0}, next: {f: sin(x) + 7*sin(y)^2 + 0.1*z^4*sin(x)}}
time: {steps: 1}
sample: {method: scrambled_sobol, count: 2048, seed: 0, design: saltelli, over: [{set: system.x, from: -pi, to: pi}, {set: system.y, from: -pi, to: pi}, {set: system.z, from: -pi, to: pi}]}
analyse: {sensitivity: {to: [system.x, system.y, system.z]}}
END
cat >pendulum.yaml <<'END'
manylink: 1
system: {type: chain, segments: [{name: upper, length: 1, mass: 1}, {name: lower, length: 0.5, mass: 1}]}
initial: {angle: {lower: 30deg}}
time: {step: 1e-3, end: 1}
sample:
  method: scrambled_sobol
  count: 512
  seed: 0
  design: saltelli
  over:
    - {set: initial.angle.upper, distribution: normal, mean: 0.5, sd: 0.1}
    - {set: system.segments.lower.mass, from: 0.5, to: 2, scale: log}
    - {set: system.segments.upper.length, distribution: triangular, mode: 0.9, from: 0.8, to: 1.2}
    - {set: system.segments.upper.mass, scale_by: {distribution: lognormal, mean: 1, cv: 0.1}}
analyse: {sensitivity: {of: [end_state, max_rate], to: [initial.angle.upper, system.segments.lower.mass, system.segments.upper.length, system.segments.upper.mass]}}
END
cat >oscillator.yaml <<'END'
manylink: 1
system: {type: equations, parameters: {k: 1, c: 0.1, m: 1}, state: {x: 1, v: 0}, rates: {x: v, v: -k*x/m - c*v}}
time: {step: 0.01, end: 1}
sample: {method: random, count: 200, seed: 0, over: [{set: [system.k, system.c], scale_by: {distribution: normal, mean: 1, sd: 0.1}}, {set: system.m, from: 1, to: 2}]}
analyse: {sensitivity: {to: [system.m, system.k, system.c]}}
END
cat >fall.yaml <<'END'
manylink: 1
system: {type: equations, parameters: {g: 9.81}, state: {y: 1, v: 0}, rates: {y: v, v: -g}}
time: {step: 0.01, end: 2}
sample: {method: random, count: 200, seed: 0, over: [{set: initial.y, from: 1, to: 2}, {set: system.g, distribution: discrete, values: [9.81, 1.62]}]}
events: [{name: ground, when: y, crosses: 0, direction: down, stop: true}]
analyse: {sensitivity: {to: [initial.y, system.g]}}
END
for study in ishigami pendulum oscillator fall; do
    expect 0 "$MANYLINK" run $study.yaml --failed-runs-ok
    expect 0 "$MANYLINK" sensitivity $study.h5 --csv --estimator derivatives
    cp out $study.csv
done
for study in ishigami pendulum; do
    expect 0 "$MANYLINK" sensitivity $study.h5 --csv
    cp out $study-sobol.csv
done
/usr/bin/python3 "$SOURCE/tests/cli/derivative_measures.py" || fail "measures by derivatives"

# Below the table of each number; not of its own derivatives, of which Sobol' indices say little.
expect 0 "$MANYLINK" sensitivity ishigami.h5
says out "end_f: 2048 of 2048 points are complete; first order by saltelli"
says out "end_f: 10240 of 10240 runs are complete; measures by derivatives"
says out "largest gap behind eigenvalue"
says out "direction 1: 1.00 system.y"
! grep -q sensitivity.f out || fail "$(cat out)"
expect 0 "$MANYLINK" sensitivity ishigami.h5 sensitivity
says out "sensitivity.f.system.x: 2048 of 2048"
expect 0 "$MANYLINK" sensitivity ishigami.h5 end_f --estimator derivatives --convergence
says out "end_f: 1280 of 1280 runs"
expect 0 "$MANYLINK" sensitivity fall.h5 ground_time --estimator derivatives
says out "no bound: of inputs that are correlated, discrete"

# A key without its derivative leaves the input out: the derivative along the input needs all of its keys.
expect 0 "$MANYLINK" run oscillator.yaml --set 'analyse.sensitivity.to=[system.m, system.k]' -o part.h5
expect 0 "$MANYLINK" sensitivity part.h5 end_x --estimator derivatives
says out "no derivatives by system.k: add this input"
sed 's/seed: 0,/seed: 0, correlation: [{between: [system.k, system.m], r: 0.5}],/' oscillator.yaml >correlated.yaml
expect 0 "$MANYLINK" run correlated.yaml
expect 0 "$MANYLINK" sensitivity correlated.h5 end_x --estimator derivatives
says out "no bound"
expect 2 "$MANYLINK" sensitivity correlated.h5 end_x --estimator chaos
says err 'cannot use estimator `chaos` of correlated inputs, such as `system.k`'
# At a point of a grid: the measures of the study there.
sed 's/^sample/sweep: [{set: initial.x, values: [1, 2]}]\nsample/' oscillator.yaml >grid.yaml
expect 0 "$MANYLINK" run grid.yaml
expect 0 "$MANYLINK" sensitivity grid.h5 end_x --estimator derivatives
sed -n '2,/^$/p' out | sed '$d' >first
expect 0 "$MANYLINK" sensitivity oscillator.h5 end_x --estimator derivatives
cmp out first || fail "a point of a grid has other measures than its study alone"

sed 's/method: random, count: 200, seed: 0/design: morris, count: 20/' oscillator.yaml >morris.yaml
expect 0 "$MANYLINK" run morris.yaml
expect 2 "$MANYLINK" sensitivity morris.h5 --estimator derivatives
says err 'cannot use estimator `derivatives` of runs of `design: morris`'
expect 0 "$MANYLINK" run oscillator.yaml --set 'analyse.sensitivity.to=system.k' -o none.h5
expect 2 "$MANYLINK" sensitivity none.h5 --estimator derivatives
says err 'the result has no derivatives of such outputs by the inputs of the sample'
expect 2 "$MANYLINK" sensitivity oscillator.h5 x --over-time --estimator derivatives
says err 'cannot use estimator `derivatives` over time'
# The largest x has other derivatives than the x at the end: the same name for both is refused.
sed 's/^analyse: {/analyse: {observe: {x: {max: x}}, /' oscillator.yaml >named.yaml
grep -q observe named.yaml || fail "no analyse: $(cat named.yaml)"
expect 2 "$MANYLINK" run named.yaml
says err '"x" cannot name a dataset of /study/summary: derivatives of the state have this name'
