# label: values
# Multiple shooting against the least squares of closed forms, of runs that a single run follows and of those that none can; a
# chaotic record that single runs do not find; experiments; any number of threads; bad input.
. "$SOURCE/tests/check.sh"
need_python

# H. G. Bock's problem, in P. Deuflhard, E. Hairer (eds.), Numerical Treatment of Inverse Problems in Differential and Integral
# Equations (1983), p. 95: runs grow by exp(mu t).
cat >bock.yaml <<'END'
manylink: 1
system:
  type: equations
  parameters: {p: 2, mu: 60}
  state: {x: 0, v: 3}
  rates: {x: v, v: mu^2*x - (mu^2 + p^2)*sin(p*t)}
time: {step: 0.005, end: 1}
sample:
  method: sobol
  count: 2
  over:
    - {set: system.p, from: 0.5, to: 6}
    - {set: initial.x, from: -1, to: 1}
    - {set: initial.v, from: -10, to: 10}
fit: {to: bock.csv, columns: {x: x, v: v}, sd: 0.05, segments: 20}
END
sed 's/to: bock.csv/experiments: [{to: bock.csv}, {to: bock_2.csv}]\n  own: [initial.x, initial.v]/; s/^fit: {/fit:\n  /; s/, columns/\n  columns/; s/, sd/\n  sd/; s/, segments/\n  segments/; s/20}$/20/' \
    bock.yaml >both.yaml

# E. N. Lorenz' system by x alone.
cat >lorenz.yaml <<'END'
manylink: 1
system:
  type: equations
  parameters: {s: 8, r: 20, b: 2}
  state: {x: 1, y: 1, z: 20}
  rates: {x: s*(y - x), y: x*(r - z) - y, z: x*y - b*z}
time: {step: 0.01, end: 20}
sample:
  method: sobol
  count: 4
  over:
    - {set: system.s, from: 5, to: 20}
    - {set: system.r, from: 15, to: 60}
    - {set: system.b, from: 1, to: 6}
    - {set: initial.x, from: -20, to: 20}
    - {set: initial.y, from: -20, to: 20}
    - {set: initial.z, from: 0, to: 50}
fit: {to: lorenz.csv, columns: {x: x}, sd: 0.5, segments: 60}
END
"$PYTHON" "$SOURCE/tests/cli/fit_shooting.py" "$MANYLINK"

# Times between steps, of samples that the model has exactly: no segment reads beyond its run.
"$PYTHON" -c '
from math import cos, pi, sin
print("time,x,v")
for k in range(99):
    t = 0.0023 + 0.01 * k
    print(t, sin(pi * t), pi * cos(pi * t), sep=",")' >between.csv
for segments in 20 48; do
    expect 0 "$MANYLINK" fit bock.yaml --set fit.to=between.csv --set system.mu=40 --set fit.sd=0.001 --set fit.segments=$segments
    ! grep -q "interpolated" out || fail "a false alarm with $segments segments: $(cat out)"
done

expect 2 "$MANYLINK" fit bock.yaml --set fit.segments=300
says err 'cannot cut the runs into 300 segments: the measured times have 100 intervals; take fewer `segments`'
expect 2 "$MANYLINK" fit bock.yaml --profile
says err 'cannot find profiles: a single run follows the records up to'
expect 2 "$MANYLINK" fit bock.yaml --set 'fit.posterior={walkers: 8, steps: 10}'
says err 'cannot find the posterior: a single run follows the records up to'
expect 2 "$MANYLINK" fit bock.yaml --set 'events=[{name: e, when: x - 0.5, stop: true}]'
says err 'bock.yaml:15:54: cannot cut the records into segments: an event stops runs or sets the state'
