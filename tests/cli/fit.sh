# label: values
# Fits against scipy's least_squares with an independent model, the coverage of the intervals over noise seeds, times between
# samples, gaps, the same bits on threads, and what cannot be fitted.
. "$SOURCE/tests/check.sh"
need_python

study=$SOURCE/studies/fit_pendulum.yaml
cp "$SOURCE/studies/fit_pendulum.csv" .
cp "$study" fit.yaml
expect 0 "$MANYLINK" fit fit.yaml --threads 1 -o one.h5
says out "256 converged"
says out "no correlation of residuals found"
expect 0 "$MANYLINK" fit fit.yaml --threads 3 --kernel general -o three.h5
"$PYTHON" "$SOURCE/tests/cli/fit.py" "$SOURCE/tests/reference" "$MANYLINK"

# The result is a result: its page, its pictures; it is replaced by another fit, and replaces nothing else.
expect 0 "$MANYLINK" info one.h5
expect 0 "$MANYLINK" fit fit.yaml --set sample.count=4 -o one.h5
case $("$MANYLINK" --version) in
*"of this machine: baseline)"*) ;; # no kernel is made
*)
    expect 0 "$MANYLINK" fit fit.yaml --set sample.count=4 --kernel made -o one.h5
    expect 0 "$MANYLINK" info one.h5
    says out "kernel      made"
    ;;
esac
expect 0 "$MANYLINK" run fit.yaml --set sample.count=4 --no-accuracy -o runs.h5
expect 2 "$MANYLINK" fit fit.yaml -o runs.h5
for use in extend verify sensitivity; do
    expect 2 "$MANYLINK" $use one.h5
    says err "has no runs"
done
expect 2 "$MANYLINK" fit fit.yaml -o fit_pendulum.csv
says err "the file is the table"
expect 0 "$MANYLINK" run fit.yaml --set sample.count=4 --no-accuracy -o runs.h5
says out "finished already"

# refused TEXT SED...: what cannot be fitted, by the study
refused()
{
    text=$1
    shift
    sed "$@" fit.yaml >wrong.yaml
    expect 2 "$MANYLINK" fit wrong.yaml -o wrong.h5
    says err "$text"
    [ ! -e wrong.h5 ] || fail "a result of what was refused"
}
refused 'the study has no key `fit`; add fit: {to: FILE' '/^fit:/,$d'
refused 'no run from any of the 4 starts has finite numbers and derivatives of all `columns`' \
    's/{angle.upper: theta_1, .*}/{"log(-1 - angle.upper^2)": theta_1}/; s/count: 256/count: 4/'
# bad TEXT LINES: what is wrong with the table
bad()
{
    printf '%b' "$2" >bad.csv
    expect 2 "$MANYLINK" fit bad.yaml -o wrong.h5
    says err "$1"
    [ ! -e wrong.h5 ] || fail "a result of what was refused"
}
header='time,theta_1,theta_2\n'
lines='0,1,0.3\n0.01,1,0.3\n0.02,1,0.3\n0.03,0.99,0.3\n'
sed 's/to: fit_pendulum.csv/to: bad.csv/; s/count: 256/count: 4/' fit.yaml >bad.yaml
bad 'bad.csv:6:1: time is 7 s, but the run is from 0 s to 5 s; lengthen it by time.end' "$header${lines}7,1,0.3\n"
bad 'bad.csv:2:1: time is -1 s, but the run is from 0 s to 5 s; let it begin before' "$header-1,1,0.3\n$lines"
bad 'bad.csv:1:1: column `theta_2` is missing: `fit` of the study names it' "time,theta_1,theta2\n$lines"
bad 'column `time` is missing, and the header has no rate; `fit: {time: NAME}` names another' "t,theta_1,theta_2\n$lines"
bad 'column `theta_2` is in m, but `angle.lower` in rad' "time,theta_1,theta_2 (m)\n$lines"
bad 'bad.csv:2:5: theta_2 is `low`' "${header}0,1,low\n$lines"
bad 'column `theta_2` has no number; leave it out' "${header}0,1,\n0.1,1,nan\n0.2,1,NA\n"
bad '4 measured numbers cannot determine 6 fitted numbers and the noise' "${header}0,1,0.3\n0.01,1,0.3\n"
bad 'the table has no samples' "$header"
rm bad.csv
expect 2 "$MANYLINK" fit bad.yaml -o wrong.h5
says err "bad.csv: No such file"

# A number that the data do not see: the mass of a pendulum. One that has no effect beside others is a combination.
cat >mass.yaml <<'END'
manylink: 1
system: {type: chain, segments: [{name: rod, length: 1, mass: 1}]}
initial: {angle: {rod: 1}}
time: {step: 1e-3, end: 0.1}
sample:
  method: sobol
  count: 4
  over:
    - {set: initial.angle.rod, from: 0.5, to: 1.5}
    - {set: system.segments.rod.mass, from: 1, to: 2}
fit: {to: mass.csv, columns: {angle.rod: angle}, sd: 0.1}
END
printf 'time,angle\n0,1\n0.02,1\n0.04,\n0.0505,1.1\n' >mass.csv
expect 2 "$MANYLINK" fit mass.yaml
says err "mass.yaml: line 10, column 13: cannot fit \`system.segments.rod.mass\`: the measured numbers do not depend on it"
cat >ratio.yaml <<'END'
manylink: 1
system: {type: chain, segments: [{name: rod, length: 1, mass: 1}]}
initial: {angle: {rod: 1}}
time: {step: 1e-3, end: 0.5}
sample:
  method: sobol
  count: 4
  over:
    - {set: system.gravity, from: 5, to: 20, scale: log}
    - {set: system.segments.rod.length, from: 0.5, to: 2, scale: log}
fit: {to: ratio.csv, columns: {angle.rod: angle}, sd: 0.001}
END
expect 0 "$MANYLINK" run ratio.yaml --set sample.count=1 --run 0 --set save.trajectory.every=50 -o ratio.h5
"$PYTHON" - <<'END'
import h5py
import numpy as np

with h5py.File("ratio.h5") as f:
    g = f["study/trajectories"]
    np.savetxt("ratio.csv", np.array([g["time"][:], g["angle"][...].ravel()]).T, delimiter=",", header="time,angle", comments="")
END
expect 0 "$MANYLINK" fit ratio.yaml
says out "the data do not determine 0.71 system.gravity + 0.71 system.segments.rod.length (in parts of the ranges)"

# A minimum at a bound, from every start: at 3.662871431 and 0 by scipy's least_squares, squares 6.030188e-5.
cat >spring.yaml <<'END'
manylink: 1
system: {type: equations, parameters: {k: 4, c: 0.2}, state: {x: 1, v: 0}, rates: {x: v, v: -k*x - c*v}}
time: {step: 1e-2, end: 10}
sample: {method: sobol, count: 8, over: [{set: system.k, from: 1, to: 10}, {set: system.c, from: 0, to: 1}]}
fit: {to: spring.csv, columns: {x: x}}
END
printf 'time,x\n0,1.0034558419206479\n0.1,0.98848047533081318\n0.2,0.92591657325082466\n' >spring.csv
expect 0 "$MANYLINK" fit spring.yaml
says out "system.k                 3.66287"
says out "system.c                         0  at its bound"
says out "8 of 8 met the best minimum"

# A logarithmic range of negative numbers.
cat >growth.yaml <<'END'
manylink: 1
system: {type: equations, parameters: {c: -0.5}, state: {x: 1}, rates: {x: -c*x}}
time: {step: 1e-2, end: 2}
sample: {method: sobol, count: 4, over: [{set: system.c, from: -1, to: -0.1, scale: log}]}
fit: {to: growth.csv, columns: {x: x}, sd: 0.01}
END
awk 'BEGIN { print "time,x"; for (i = 0; i <= 20; i++) printf "%.1f,%.12f\n", i / 10, exp(0.03 * i) }' >growth.csv
expect 0 "$MANYLINK" fit growth.yaml
says out "system.c                      -0.3 "
says out "the noise is only"
says out "4 of 4 met the best minimum"

# Ticks that are too long for times which no sixteenth of a tick meets: said, and not of short steps. x is cos 2 t.
awk 'BEGIN { print "time,x"; for (i = 0; i < 100; i++) printf "%.1f,%.12f\n", i / 10, cos(i / 5) + (i % 2 ? 0.001 : -0.001) }' >spring.csv
expect 0 "$MANYLINK" fit spring.yaml --set time.step=0.03 --set time.end=9.99
grep -q "interpolated" out && fail "short steps are called too long"
sed 's|step: 1e-2|tick: 10/21|' spring.yaml >ticks.yaml
echo 'integrator: {type: dopri54, tolerance: 1e-9}' >>ticks.yaml
expect 0 "$MANYLINK" fit ticks.yaml
says out "between steps the model is interpolated to 0.00"

# Angles within -pi .. pi: a rod that turns by 6 rad/s.
cat >turn.yaml <<'END'
manylink: 1
system: {type: chain, gravity: 0, segments: [{length: 1, mass: 1}]}
time: {step: 1e-2, end: 5}
sample: {method: sobol, count: 4, over: [{set: initial.rate.1, from: 5, to: 7}]}
fit: {to: turn.csv, columns: {angle.1: a}, sd: 0.01}
END
awk 'BEGIN { print "time,a"; for (i = 0; i <= 50; i++) printf "%.1f,%.12f\n", i / 10, 0.6 * i }' >turn.csv
expect 0 "$MANYLINK" fit turn.yaml
grep -q "half a turn" out && fail "a turning rod is called wrapped"
awk 'BEGIN { print "time,a"; for (i = 0; i <= 50; i++) printf "%.1f,%.12f\n", i / 10, atan2(sin(0.6 * i), cos(0.6 * i)) }' >turn.csv
expect 0 "$MANYLINK" fit turn.yaml
says out "5 neighbours are more than half a turn apart"

# A start that is cut off, in a flat minimum far from the data, which are too few for a first phase with a part of the runs.
awk 'BEGIN { print "time,x"; for (i = 0; i <= 100; i += 6) printf "%.1f,%.12f\n", i / 10, exp(-0.015 * i) * cos(0.1994 * i) }' >spring.csv
sed 's/, {set: system.c.*}\]/]/; s/from: 1, to: 10/from: 5, to: 10/; s/count: 8/count: 1/' spring.yaml >far.yaml
expect 0 "$MANYLINK" fit far.yaml --set fit.iterations=20
says out "the best start had not converged"
