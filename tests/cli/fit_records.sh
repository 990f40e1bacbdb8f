# label: values
# Fits of records that are no numbers of the state, and of formulas, against scipy; of data without noise.
. "$SOURCE/tests/check.sh"
need_python

sed '/^fit:/,$d; s/count: 256/count: 8/; s/step: 0.005, end: 5/step: 0.002, end: 3/' "$SOURCE/studies/fit_pendulum.yaml" >records.yaml
cat >>records.yaml <<'END2'
quantities: {reach: {formula: "hypot(end_position.lower.x, end_position.lower.y)", unit: m}}
fit:
  to: records.csv
  columns: {end_position.lower.x: hand_x, end_position.lower.y: hand_y, joint_force.upper.y: base_force, reach: reach}
  sd: {end_position.lower.x: 0.002, end_position.lower.y: 0.002, joint_force.upper.y: 0.1, reach: 0.003}
END2
"$PYTHON" "$SOURCE/tests/cli/fit_records.py" "$SOURCE/tests/reference" "$MANYLINK"
expect 0 "$MANYLINK" fit records.yaml
says out "8 of 8 met the best minimum"
says out "residuals of joint_force.upper.y: rms 0."

# A formula as a column; its table has any unit.
cat >spring.yaml <<'END2'
manylink: 1
system: {type: equations, parameters: {k: 4}, state: {x: 1, v: 0}, rates: {x: v, v: -k*x}}
time: {step: 1e-2, end: 10}
sample: {method: sobol, count: 4, over: [{set: system.k, from: 3, to: 5}]}
fit: {to: spring.csv, columns: {v^2/2: kinetic}}
END2
awk 'BEGIN { print "time,kinetic (m)"; for (i = 0; i < 100; i++) { v = 2 * sin(i / 5); printf "%.1f,%.6f\n", i / 10, v * v / 2 + (i % 2 ? 0.001 : -0.001) } }' >spring.csv
expect 0 "$MANYLINK" fit spring.yaml
says out "system.k                 4.00000"

# In the first phases the data are below 0 and move u to its bound, where k has no effect: whole runs depend on k.
cat >late.yaml <<'END2'
manylink: 1
system: {type: equations, parameters: {k: 0.6, u: 2}, state: {x: 0}, rates: {x: "-k*x + u*(t/10)^2"}}
time: {step: 0.05, end: 10}
sample: {method: sobol, count: 4, over: [{set: system.k, from: 0.1, to: 5}, {set: system.u, from: 0, to: 20}]}
fit: {to: late.csv, columns: {x: x}}
END2
awk 'BEGIN { print "time,x"; for (i = 0; i <= 200; i++) printf "%.2f,%.6f\n", i / 20, i <= 120 ? -0.002 : 0.01 * (i / 20 - 6)^3 }' >late.csv
expect 0 "$MANYLINK" fit late.yaml
says out "4 of 4 met the best minimum"

# Data without noise: no alarm.
sed '/^sample:/d; /^fit:/d' spring.yaml >run.yaml
expect 0 "$MANYLINK" run run.yaml --set save.trajectory.every=10 --no-accuracy -o exact.h5
"$PYTHON" - <<'END2'
import h5py
import numpy as np

with h5py.File("exact.h5") as f:
    g = f["study/trajectories"]
    np.savetxt("spring.csv", np.array([g["time"][:], g["x"][...].ravel()]).T, delimiter=",", header="time,x", comments="", fmt="%.17g")
END2
sed 's|v^2/2: kinetic|x: x|; s/{set: system.k, from: 3, to: 5}/&, {set: initial.x, from: 0.5, to: 2}/' spring.yaml >exact.yaml
expect 0 "$MANYLINK" fit exact.yaml
says out "residuals are rounding errors"
says out "starts: 4 converged, 0 stalled"
says out "4 of 4 met the best minimum"
grep -q "follow each other" out && fail "rounding is called a lack of the model"

# A link is not replaced.
ln -s elsewhere.h5 link.h5
expect 1 "$MANYLINK" fit exact.yaml -o link.h5
says err "link.h5: is a symbolic link"
[ -h link.h5 ] || fail "a link was replaced"

# Nor is a fit that nobody may write to.
chmod a-w exact_fit.h5
expect 1 "$MANYLINK" fit exact.yaml
says err "exact_fit.h5: cannot replace this fit: the file is read-only"
