# label: values
# Fits with a standard deviation for each measured number, from columns of the table, against scipy's weighted least squares; a
# column of equal deviations gives the bits of that deviation.
. "$SOURCE/tests/check.sh"
need_python

cat >step.yaml <<'END'
manylink: 1
system: {type: equations, parameters: {k: 22, c: 1}, state: {x: 0, v: 0}, rates: {x: v, v: 25 - k*x - c*v}}
time: {step: 0.00125, end: 4}
sample: {method: sobol, count: 1, over: [{set: system.k, from: 5, to: 60}, {set: system.c, from: 0.05, to: 4}]}
fit: {to: step.csv, columns: {x: x, v: v}, sd: {x: sx, v: sv}}
END
"$PYTHON" "$SOURCE/tests/cli/fit_sd.py" "$MANYLINK"
expect 2 "$MANYLINK" fit step.yaml --set fit.sd.x=missing
says err "missing"
expect 2 "$MANYLINK" fit step.yaml --set fit.sd.x=1e-40
says err "sd"
sed '3s/[^,]*$/0/' step.csv >zero.csv
expect 2 "$MANYLINK" fit step.yaml --set fit.to=zero.csv
says err "zero.csv:3:"
says err 'the standard deviation of `v`, column `sv`, is 0 here but must be above 0'
