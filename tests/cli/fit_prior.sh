# label: values
# Fits with priors against closed forms: the posterior of a linear model by numpy, of a nonlinear one by scipy's least squares with the
# priors as residuals; of bounds alone; priors that cannot be.
. "$SOURCE/tests/check.sh"
need_python

cat >line.yaml <<'END'
manylink: 1
system: {type: equations, parameters: {a: 1, b: 2, c: -0.5}, state: {x: 0}, rates: {x: 1}}
time: {step: 0.125, end: 4}
sample:
  method: sobol
  count: 4
  over:
    - {set: system.a, distribution: normal, mean: 1.2, sd: 0.3}
    - {set: system.b, from: -5, to: 5}
    - {set: system.c, scale_by: {distribution: normal, mean: 1, cv: 0.25}}
fit: {to: line.csv, columns: {a + b*x + c*x^2: y}, sd: 0.4}
END

cat >step.yaml <<'END'
manylink: 1
system: {type: equations, parameters: {k: 22, c: 1, f: 25}, state: {x: 0, v: 0}, rates: {x: v, v: f - k*x - c*v}}
time: {step: 0.00125, end: 4}
sample:
  method: sobol
  count: 4
  over:
    - {set: system.k, distribution: lognormal, mean: 24, cv: 0.02}
    - {set: system.c, distribution: normal, mean: 0.9, sd: 0.05, from: 0.1, to: 2}
    - {set: initial.x, distribution: normal, mean: 0, sd: 0.01, from: -1, to: 1}
fit:
  experiments: [{name: rest, to: rest.csv}, {name: push, to: push.csv, set: {system.f: 40}}]
  own: [initial.x]
  columns: {x: x}
  sd: 0.05
END
"$PYTHON" "$SOURCE/tests/cli/fit_prior.py" "$MANYLINK"

# A number that no run depends on keeps its prior.
expect 0 "$MANYLINK" fit line.yaml --set 'fit.columns={a + b*x: y}'
says out "prior of factor of system.c: normal, 1 +- 0.25; the estimate is 0.00 deviations off, with an error of 1.00 deviations: the measured numbers add next to nothing"

expect 2 "$MANYLINK" fit line.yaml --set sample.over[0].from=2
says err "line.yaml:8:13: the mean of the prior of \`system.a\`, 1.2, is outside of its range, 2 to 3."
expect 2 "$MANYLINK" fit line.yaml --set fit.loss=huber
says err 'cannot weigh the prior of `system.a` against a `loss`'
sed '/^fit/s/, sd: 0.4//' line.yaml >noise.yaml
expect 2 "$MANYLINK" fit noise.yaml
says err 'noise.yaml:8:13: cannot weigh the prior of `system.a` against measured numbers of unknown noise; give `sd`'
sed 's/normal, mean: 1.2, sd: 0.3/triangular, from: 0, mode: 1, to: 3/' line.yaml >shape.yaml
expect 2 "$MANYLINK" fit shape.yaml
says err 'cannot fit `system.a` by distribution `triangular`'
# Correlations bind priors alone, and those of all experiments; of ranges that are refused nothing more is said.
for loss in huber '{type: huber}'; do
    expect 2 "$MANYLINK" fit line.yaml --set "fit.loss=$loss" \
        --set 'sample.correlation=[{between: [system.a, system.b], r: 0.5}]'
    ! grep -q "with a correlation" err || fail "a consequence: $(cat err)"
done
expect 2 "$MANYLINK" fit line.yaml --set 'sample.correlation=[{between: [system.a, system.b], r: 0.5}]'
says err 'line.yaml:11:1: cannot fit `system.a` and `system.b` with a correlation: both need a `normal` or `lognormal` prior'
expect 2 "$MANYLINK" fit step.yaml --set 'sample.correlation=[{between: [system.c, initial.x], r: 0.5}]'
says err 'cannot fit `system.c` and `rest: initial.x` with a correlation'

# A fit whose file gives the priors of a later fit is not replaced by it, which would count the same numbers again.
expect 0 "$MANYLINK" fit line.yaml -o first.h5
cp first.h5 kept.h5
expect 2 "$MANYLINK" fit line.yaml --set 'sample={from_fit: first.h5, method: sobol, count: 2}' -o first.h5
says err 'cannot write the fit to first.h5: the file gives the priors (`from_fit`)'
cmp first.h5 kept.h5 || fail "the earlier fit is changed"
