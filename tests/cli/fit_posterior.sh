# label: values
# The posterior by an ensemble of walkers: moments of a linear model with priors by the closed form, of a nonlinear one of unknown noise,
# near its bounds, by quadrature; autocorrelation times and R-hat by numpy; the same bits on threads; chains that have not mixed.
. "$SOURCE/tests/check.sh"
need_python

cat >line.yaml <<'END'
manylink: 1
system: {type: equations, parameters: {a: 1, b: 2, c: -0.5}, state: {x: 0}, rates: {x: 1}}
time: {step: 0.25, end: 4}
sample:
  method: sobol
  count: 1
  over:
    - {set: system.a, distribution: normal, mean: 1.2, sd: 0.3}
    - {set: system.b, from: -5, to: 5}
    - {set: system.c, distribution: normal, mean: -0.5, sd: 0.125}
fit:
  to: line.csv
  columns: {a + b*x + c*x^2: y}
  sd: 0.4
  posterior: {walkers: 64, steps: 2500, burn_in: 300}
END
cat >decay.yaml <<'END'
manylink: 1
system: {type: equations, parameters: {a: 1, k: 0.5}, state: {x: 0}, rates: {x: 1}}
time: {step: 0.25, end: 4}
sample: {method: sobol, count: 1, over: [{set: system.a, from: 0.5, to: 1.9}, {set: system.k, from: 0.05, to: 3, scale: log}]}
fit: {to: decay.csv, columns: {a*exp(-k*x): y}, posterior: {walkers: 64, steps: 2500, burn_in: 300, seed: 5}}
END
cat >step.yaml <<'END'
manylink: 1
system: {type: equations, parameters: {k: 22, c: 1, f: 25}, state: {x: 0, v: 0}, rates: {x: v, v: f - k*x - c*v}}
time: {step: 0.0125, end: 2}
sample:
  method: sobol
  count: 1
  over: [{set: system.k, from: 5, to: 60}, {set: system.c, from: 0.05, to: 4}, {set: initial.x, from: -1, to: 1}]
fit:
  experiments: [{name: rest, to: rest.csv}, {name: push, to: push.csv, set: {system.f: 40}}]
  own: [initial.x]
  columns: {x: x}
  sd: 0.05
  posterior: {walkers: 32, steps: 40, burn_in: 20}
END
"$PYTHON" "$SOURCE/tests/cli/fit_posterior.py" "$MANYLINK"

# refused TEXT OPTION...
refused()
{
    text=$1
    shift
    expect 2 "$MANYLINK" fit line.yaml -o wrong.h5 "$@"
    says err "$text"
    [ ! -e wrong.h5 ] || fail "a result of what was refused"
}
refused 'walkers is 4 but must be even, and at least 6, twice the number of fitted numbers' --set fit.posterior.walkers=4
refused 'walkers is 33 but must be even' --set fit.posterior.walkers=33
refused '64 walkers of 1000000 steps of 3 numbers do not fit into memory' --set fit.posterior.steps=1000000
sed 's/^  sd: 0.4/  loss: huber/; s/distribution: normal, mean: [^}]*/from: -5, to: 5/' line.yaml >loss.yaml
expect 2 "$MANYLINK" fit loss.yaml -o wrong.h5
says err 'loss.yaml:15:3: cannot draw from a posterior by `loss`'
sed '/^  sd:/d; s/distribution: normal, mean: [^}]*/from: -5, to: 5/' line.yaml >exact.yaml
expect 2 "$MANYLINK" fit exact.yaml -o wrong.h5 --set fit.to=exact.csv
says err 'cannot draw from the posterior: the residuals are rounding errors'
