# label: values
# The test of residuals against the exact distribution of the Durbin-Watson statistic (Imhof's integral), of one column and of
# two together, with a gap; residuals far from the others, with time and size; how often white noise is called correlated.
. "$SOURCE/tests/check.sh"
need_python

cat >line.yaml <<'END'
manylink: 1
system: {type: equations, parameters: {b: 1, d: 1}, state: {x: 0, y: 0}, rates: {x: b, y: d}}
time: {step: 0.5, end: 50}
sample: {method: sobol, count: 1, over: [{set: system.b, from: -5, to: 5}, {set: initial.x, from: -9, to: 9}, {set: system.d, from: -5, to: 5}]}
fit: {to: line.csv, columns: {x: x, y: y}}
END
"$PYTHON" "$SOURCE/tests/cli/fit_residuals.py" "$MANYLINK"
