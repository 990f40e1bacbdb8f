# Cycles of a gait from strike to strike, by the force of a plate or the motion of a foot: their curves, means and standard
# deviations are those of the formulas that made the motion.
. "$SOURCE/tests/check.sh"
need_python

cp "$SOURCE/tests/cli/gait_cycles.py" .
"$PYTHON" gait_cycles.py write

cat >leg.yaml <<'YAML'
manylink: 1
system: {type: chain, gravity: 0, segments: [{name: shank, length: 0.4, mass: 3, com: 0.2, inertia: 0.05}]}
motion: {file: swing.csv}
forces: [{name: plate, type: load, segment: shank, at: 0, file: plate_good.csv, force: [fx, fy]}]
inverse: {cycles: {of: plate, threshold: 475}}
YAML
inverse()
{
    expect 0 "$MANYLINK" inverse leg.yaml "$@"
    ! grep -q 'note:' err || fail "a note: $(cat err)"
}
inverse -o good.h5
inverse --set inverse.per_mass=70 -o mass.h5
"$PYTHON" gait_cycles.py check good.h5 mass.h5
# Neither dropped samples, nor short forces, nor stances at the ends of the table are strikes; two plates are added; the
# threshold is compared with the table before those of the load.
inverse --set forces.plate.file=plate_noisy.csv -o noisy.h5
inverse --set forces.plate.file=plate_edge.csv -o edge.h5
sed 's/^forces.*/forces:/; /^inverse/i\
  - {name: left, type: load, segment: shank, at: 0, file: plate_part.csv, force: [fx, fy]}\
  - {name: right, type: load, segment: shank, at: 0, file: plate_part.csv, force: [fx, fy], scale: 1.5, threshold: 590}
    s/plate, thr/[left, right], thr/' leg.yaml >plates.yaml
expect 0 "$MANYLINK" inverse plates.yaml -o plates.h5
"$PYTHON" gait_cycles.py same good.h5 noisy.h5 edge.h5 plates.h5
# Several sets of parameters share the pieces of a plate's table that the motion needs; one alone takes the whole table.
inverse --set 'sweep=[{set: system.segments.shank.mass, values: [3, 4, 5]}]' --set 'inverse.keep=[torque, torque_external]' -o masses.h5
inverse --set system.segments.shank.mass=5 -o heavy.h5
"$PYTHON" - <<'PY'
import h5py

masses, heavy = (h5py.File(f"{name}.h5")["study/inverse"] for name in ("masses", "heavy"))
for name in ("torque", "torque_external", "cycle_torque_mean", "cycle_power_mean", "cycle_power_sd", "burst_work", "cycle_positive_work"):
    assert (masses[name][2] == heavy[name][()]).all(), name
PY
# Chosen datasets, and cycles of a part of the time.
inverse --set 'inverse.keep=[cycle_power]' -o kept.h5
inverse --set 'inverse.report={from: 1, to: 4}' -o report.h5
"$PYTHON" - <<'PY'
import h5py

whole, kept, report, edge = (h5py.File(f"{name}.h5")["study/inverse"] for name in ("good", "kept", "report", "edge"))
assert abs(edge["toe_off_before"][0] - (0.099 + 0.001 * 325 / 800)) < 1e-12  # of a stance without a strike, from 800 to 0 N
assert (report["toe_off_before"][()] == whole["toe_off_before"][1:3]).all()
assert "cycle_torque" not in kept and (kept["cycle_power"][()] == whole["cycle_power"][()]).all()
assert (kept["cycle_torque_mean"][()] == whole["cycle_torque_mean"][()]).all()
assert (report["cycle_torque"][()] == whole["cycle_torque"][0, 1:3]).all() and report["cycle"].shape == (2,)
PY

# By the motion of the foot.
cat >foot.yaml <<'YAML'
manylink: 1
system: {type: chain, segments: [{name: leg, length: 0.4, mass: 3}, {name: foot, length: 0.2, mass: 1}]}
motion: {file: legs.csv}
inverse: {cycles: {of: foot}, per_mass: 70}
YAML
expect 0 "$MANYLINK" inverse foot.yaml -o foot.h5
expect 0 "$MANYLINK" verify foot.h5
"$PYTHON" gait_cycles.py foot foot.h5
# Angles of segments and of joints have the same cycles; sets of parameters have the cycles of the first.
expect 0 "$MANYLINK" inverse foot.yaml --set system.angles=joint --set motion.file=joints.csv -o joints.h5
expect 0 "$MANYLINK" inverse foot.yaml --set 'sweep=[{set: system.segments.leg.length, values: [0.4, 0.2]}]' -o two.h5
"$PYTHON" - <<'PY'
import h5py
import numpy as np

foot, joints, two = (h5py.File(f"{name}.h5")["study/inverse"] for name in ("foot", "joints", "two"))
for name in ("cycle_angle", "cycle_torque", "cycle_power", "cycle_power_mean"):
    error = np.abs(foot[name][()] - joints[name][()]).max() / np.abs(foot[name][()]).max()
    print("difference of joint angles:", name, error)
    assert error < 1e-9, name
    if name != "cycle_angle":
        assert (two[name][0] == foot[name][()]).all() and two[name].shape[1:] == foot[name].shape
        assert foot[name].attrs["units"] == ("W/kg" if "power" in name else "N m/kg")
PY

# By its vertical velocity.
cat >steps.yaml <<'YAML'
manylink: 1
system: {type: chain, zero: right, segments: [{name: foot, length: 0.16, mass: 1}]}
motion: {file: steps.csv}
inverse: {cycles: {of: foot, method: oconnor}}
YAML
expect 0 "$MANYLINK" inverse steps.yaml -o steps.h5
expect 0 "$MANYLINK" verify steps.h5
"$PYTHON" gait_cycles.py velocity steps.h5
says steps.h5 "method: oconnor"
expect 0 "$MANYLINK" inverse foot.yaml --set inverse.cycles.method=zeni -o foot.h5
says out "foot.h5 is finished already"

# Doubts, and studies without a cycle.
expect 0 "$MANYLINK" inverse leg.yaml --set 'inverse.report={from: 1, to: 2.5}' -o one.h5
says err "a single cycle of \`plate\`, from 1.21 to 2.339 s: standard deviations over cycles are missing (NaN)"
awk -F , -v OFS=, '$1 > 1.1 && $1 < 2 { $3 = 0 } { print }' plate_good.csv >plate_missed.csv
expect 0 "$MANYLINK" inverse leg.yaml --set forces.plate.file=plate_missed.csv -o missed.h5
says err "the cycle of \`plate\` from 0.2095 s on takes 2.13 s, the median is 1.07 s: was a foot strike missed"
refuse()
{
    said=$1
    shift
    expect 2 "$MANYLINK" inverse "$@" -o no.h5
    says err "$said"
}
refuse "leg.yaml:5:24: no foot strike: the upward force of \`plate\` is at most 1000 N in the motion, 0 to 4.649 s, but the threshold is 2000 N" \
    leg.yaml --set inverse.cycles.threshold=2000
refuse "no whole cycle of \`plate\`: 5 foot strikes, the first at 0.2095 s" leg.yaml --set 'inverse.report={from: 1, to: 2}'
refuse "no foot strike of \`plate\` from 0 to 4.649 s" leg.yaml --set inverse.cycles.shortest=5
refuse "no foot strike: the upward force" leg.yaml --set forces.plate.scale=-1
refuse "\`share\` is of the body's weight, but the system has no \`body\`" leg.yaml --set 'inverse.cycles={of: plate, share: 0.05}'
refuse "or no gravity" leg.yaml --set 'inverse.cycles={of: plate, share: 0.05}' --set 'system={type: chain, gravity: 0, body: {mass: 70, height: 1.7, table: winter, segments: [shank]}}'
awk 'NR == 1 || NR % 700 == 2' swing.csv >seldom.csv
refuse "the cycle of \`plate\` from 0.2095 to 1.21 s has fewer than 4 samples of the motion" leg.yaml --set motion.file=seldom.csv
# Names of datasets of cycles are free in studies without.
swept='sweep=[{set: system.segments.shank.mass, name: cycle, values: [3, 4]}]'
refuse 'an axis cannot be named "cycle"' leg.yaml --set "$swept"
sed '/^inverse/d' leg.yaml >plain.yaml
expect 0 "$MANYLINK" inverse plain.yaml --set "$swept" -o plain.h5
refuse "load \`plate\` has no table of its force" leg.yaml --set 'forces=[{name: plate, type: load, segment: shank, at: 0, force: [0, 800]}]'
refuse "no foot strike of \`leg\` from 0 to" foot.yaml --set inverse.cycles.of=leg
says err "the foot does not turn before the first joint"
refuse '--set inverse.cycles={of: plate, threshold: 2000}: no foot strike' leg.yaml --set 'inverse.cycles={of: plate, threshold: 2000}'
refuse "no foot strike of \`foot\` from 0.1 to 4.995 s: the vertical velocity of the foot has no minimum near the ground" \
    steps.yaml --set 'motion.sign={foot: -1}' --set 'motion.plane=[x, -y]'
