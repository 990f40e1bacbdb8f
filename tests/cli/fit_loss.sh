# label: values
# Fits by robust losses of a step response with wrong samples against scipy's least_squares at the printed scale, which is that of
# the median; truth within the intervals; without wrong samples they are near least squares.
. "$SOURCE/tests/check.sh"
need_python

cat >step.yaml <<'END'
manylink: 1
system: {type: equations, parameters: {k: 22, c: 1}, state: {x: 0, v: 0}, rates: {x: v, v: 25 - k*x - c*v}}
time: {step: 0.00125, end: 4}
sample: {method: sobol, count: 1, over: [{set: system.k, from: 5, to: 60}, {set: system.c, from: 0.05, to: 4}]}
fit: {to: step.csv, columns: {x: x}, loss: huber}
END
"$PYTHON" "$SOURCE/tests/cli/fit_loss.py" "$MANYLINK"
expect 2 "$MANYLINK" fit step.yaml --profile
says err "cannot make profiles of a fit by \`loss\`"
expect 2 "$MANYLINK" fit step.yaml --set fit.loss=hubber
says err "huber"
