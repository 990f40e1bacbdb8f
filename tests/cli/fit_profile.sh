# label: values
# Profile likelihood: the parabola of a linear model in closed form, the intervals of nonlinear models by scipy, an end beyond a
# bound, and a number at its bound.
. "$SOURCE/tests/check.sh"
need_python

cat >line.yaml <<'END2'
manylink: 1
system: {type: equations, parameters: {a: 1}, state: {x: 0}, rates: {x: a}}
time: {step: 0.1, end: 5}
sample: {method: sobol, count: 4, over: [{set: system.a, from: -10, to: 10}, {set: initial.x, from: -20, to: 20}]}
fit: {to: line.csv, columns: {x: x}}
END2
cat >decay.yaml <<'END2'
manylink: 1
system: {type: equations, parameters: {k: 1, c: 0}, state: {x: 1}, rates: {x: -k*(x - c)}}
time: {step: 0.01, end: 2}
sample: {method: sobol, count: 8, over: [{set: system.k, from: 0.05, to: 20, scale: log}, {set: initial.x, from: 0, to: 10}, {set: system.c, from: -20, to: 3}]}
fit: {to: decay.csv, columns: {x: x}, sd: 0.05}
END2
"$PYTHON" "$SOURCE/tests/cli/fit_profile.py" "$MANYLINK"
expect 0 "$MANYLINK" fit decay.yaml --profile
says out "the model is not linear along system.k"
says out "rises by 3.841 variances"
expect 0 "$MANYLINK" plot decay_fit.h5 profile
expect 0 "$MANYLINK" fit decay.yaml
grep -q "profile" out && fail "a profile that nobody asked for"

# Data that end early: c may be as low as its bound. A number at its bound has the other end.
expect 0 "$MANYLINK" fit short.yaml --profile
says out "(lower bound)"
sed 's/from: -20, to: 3/from: 0.5, to: 3/' decay.yaml >held.yaml
expect 0 "$MANYLINK" fit held.yaml --profile
says out "at its bound: widen \`from\` of its range  0.5 .. 0."

# Nothing but rounding errors: no variance that a rise could be measured in.
awk 'BEGIN { print "time,x"; for (i = 0; i <= 10; i++) printf "%.1f,%.1f\n", i / 2, i / 2 }' >line.csv
expect 2 "$MANYLINK" fit line.yaml --profile
says err "cannot find profiles: the residuals are rounding errors"
