# Pictures of counts have tics at whole numbers; of a fit, points of the measured numbers under curves of the model.
. "$SOURCE/tests/check.sh"
need gnuplot

cat >counts.yaml <<'END'
manylink: 1
system: {type: chain, segments: [{length: 1, mass: 1}]}
initial: {angle: 1}
time: {step: 1e-2, end: 5}
sweep: [{set: initial.rate.1, from: 0, to: 3, count: 20}]
events: [{name: down, when: angle.1, crosses: 0}]
END
expect 0 "$MANYLINK" run counts.yaml
expect 0 "$MANYLINK" plot counts.h5 down_count --script counts
says counts/plot.gp "set ytics 1"
expect 0 "$MANYLINK" plot counts.h5 end_angle --script angles
! grep -q "set ytics 1" angles/plot.gp || fail "angles have the tics of counts"
sed 's/^sweep.*/sweep: [{set: initial.rate.1, from: 0, to: 3, count: 4}, {set: initial.angle.1, from: 0.1, to: 1, count: 3}]/' counts.yaml >map.yaml
expect 0 "$MANYLINK" run map.yaml
expect 0 "$MANYLINK" plot map.h5 down_count --script map
says map/plot.gp "set cbtics 1"

cat >fit.yaml <<'END'
manylink: 1
system: {type: equations, parameters: {a: 1}, state: {x: 1}, rates: {x: -a*x}}
time: {step: 0.1, end: 1}
sample: {method: sobol, count: 1, over: [{set: system.a, from: 0.5, to: 2}]}
fit: {to: measured.csv, columns: {x: x}}
END
awk 'BEGIN { print "time,x"; for (i = 0; i <= 10; i++) printf "%g,%.6f\n", i / 10, exp(-i / 10) + (i % 2 - 0.5) / 100 }' >measured.csv
expect 0 "$MANYLINK" fit fit.yaml -o fit.h5
expect 0 "$MANYLINK" plot fit.h5 comparison --script fit
grep -q "with points .*title \"x.measured\"" fit/plot.gp || fail "measured: $(grep title fit/plot.gp)"
grep -q "with lines .*title \"x.model\"" fit/plot.gp || fail "model: $(grep title fit/plot.gp)"
