. "$SOURCE/tests/check.sh"
# A contour on logarithmic axes: b = 2 - a from end to end of both.
cat >line.py <<'PY'
import re, subprocess, sys
import numpy as np
name, log_x, log_y = sys.argv[1], "x" in sys.argv[2], "y" in sys.argv[2]
text = open(f"{name}/plot.gp").read()
text = text[:text.index("unset table")].replace("ARG0[1:strlen(ARG0) - strlen('plot.gp')]", f"'{name}/'")
text = re.sub(r"set (terminal|output).*\n", "", text.replace("set table $contours", "set table 'lines'"))
subprocess.run(["gnuplot"], text=True, check=True, input=text)
x, y, z = np.array([line.split() for line in open("lines") if re.match(r" *[-0-9]", line)], float).T
a, b = 10**x if log_x else x, 10**y if log_y else y
line = abs(z - 2) < 1e-9
assert np.abs(a + b - 2)[line].max() < 0.02, np.abs(a + b - 2)[line].max()
for values in (a[line], b[line]):
    assert values.min() < 0.15 and values.max() > 1.85, (values.min(), values.max())
PY
for axes in x y xy; do
    scale() { case $axes in *$1*) echo ', scale: log' ;; esac; }
    cat >contour.yaml <<END
manylink: 1
accuracy: off
system: {type: equations, parameters: {a: 1, b: 1}, state: {x: 0}, rates: {x: a + b}}
time: {step: 0.5, end: 1}
sweep: [{set: system.a, from: 0.1, to: 10, count: 40$(scale x)}, {set: system.b, from: 0.1, to: 10, count: 40$(scale y)}]
END
    expect 0 "$MANYLINK" run -q contour.yaml -o contour_$axes.h5
    expect 0 "$MANYLINK" plot contour_$axes.h5 end_x --contours 2 --script contour_$axes
    "$PYTHON" line.py contour_$axes $axes || fail "$axes: $(cat contour_$axes/plot.gp)"
done
