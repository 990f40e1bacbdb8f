# Mistakes of a gait laboratory that change torques and do not stop the reading are noticed, each once and with its
# cause; good data have no notice. A plate may give its force and moment about an origin.
. "$SOURCE/tests/check.sh"
need_python

cp "$SOURCE"/tests/reference/laboratory/* .
cp "$SOURCE/tests/cli/gait_doubts.py" .
"$PYTHON" gait_doubts.py

# notes N COMMAND...: that many notices; the last are in `err`
notes()
{
    n=$1
    shift
    expect 0 "$@"
    [ "$(grep -c 'note: ' err)" = "$n" ] || fail "not $n notices: $(cat err)"
}

cat >walk.yaml <<'YAML'
manylink: 1
system:
  type: chain
  body: {mass: 70, height: 1.75, segments: [thigh, shank, foot]}
  segments: [{name: thigh, length: 0.45}, {name: shank, length: 0.45}, {name: foot, length: 0.2}]
motion: {file: leg.csv}
inverse: {filter: {type: butterworth, order: 2, cutoff: 6}}
forces: [{name: plate, type: load, segment: foot, file: plate_good.csv, force: [fx, fy], point: [px, py], threshold: 20}]
YAML
plate()
{
    notes "$1" "$MANYLINK" inverse walk.yaml --set "forces.plate.file=plate_$2.csv" -o "$2.h5"
}
plate 0 good
plate 1 ms
says err "samples of plate_ms.csv are 10 s apart: in ms"
plate 1 swapped
says err "force \`plate\`: is more along the ground than upwards"
plate 1 sideways
says err "force \`plate\`: is more along the ground than upwards"
plate 1 tenfold
says err "of the body's weight, but a foot has 0.5 to 4"
plate 1 drift
says err "an offset or drift of the empty plate?"
plate 1 dropped
says err "falls from "
says err "dropped samples?"

# Two feet on one plate.
for kind in next last; do
    expect 2 "$MANYLINK" inverse walk.yaml --set "forces.plate.file=plate_$kind.csv" -o no.h5
    says err "walk.yaml:8:10: force \`plate\`: its point is farther from segment \`foot\`"
    [ $kind = next ] && parted=0.66 || parted=0.26 # more than the foot's length, 0.2 m, from its ends at 0.3 and 0.5 m
    says err "of two feet on one plate (in one contact, parted at $parted s), or of another segment?"
done
notes 0 "$MANYLINK" inverse walk.yaml --set motion.file=stand.csv --set forces.plate.file=plate_stand.csv -o stand.h5
notes 1 "$MANYLINK" inverse walk.yaml --set motion.file=stand.csv --set forces.plate.file=plate_touched.csv -o touched.h5
says err "force \`plate\`: in one contact its point is on \`foot\` and, parted at 0.64 s, up to 0.207 m away: do two feet press"
expect 2 "$MANYLINK" inverse walk.yaml --set "forces.plate.file=plate_far.csv" -o no.h5
! grep -q 'two feet' err || fail "two feet: $(cat err)"

# A force that the motion never meets.
cat >rod.yaml <<'YAML'
manylink: 1
system: {type: chain, segments: [{name: thigh, length: 0.43, mass: 3}]}
motion: {file: ok.trc, markers: {thigh: [hip, knee]}, base: hip}
inverse: {filter: {type: butterworth, order: 2, cutoff: 6}}
forces: [{name: plate, type: load, segment: thigh, file: load_s.csv, force: [fx, fy], point: [px, 0.5], threshold: 20}]
YAML
notes 0 "$MANYLINK" inverse rod.yaml -o s.h5
notes 1 "$MANYLINK" inverse rod.yaml --set motion.from=0.09 --set motion.to=0.19 -o never.h5
says err "force \`plate\`: is 0 at every sample of the motion, 0.09 to 0.19 s, but load_s.csv has a force from 0.21 to 0.49 s"
notes 1 "$MANYLINK" inverse rod.yaml --set motion.from=0.04 --set motion.to=0.2 --set forces.plate.filter=20 -o tail.h5
says err "force \`plate\`: is below 5 % of its peak at every sample of the motion, 0.04 to 0.2 s"

# Samples of markers.
notes 1 "$MANYLINK" inverse rod.yaml --set motion.file=spike.trc --set forces=[] -o spike.h5
says err "the distance of the markers of \`thigh\` jumps by 18 % at 0.3 s"
awk -F '\t' -v OFS='\t' '$1 > 20 && $1 < 24 && NR > 5 { $6 = $7 = $8 = 0 } { print }' ok.trc >zeros.trc
notes 1 "$MANYLINK" inverse rod.yaml --set motion.file=zeros.trc --set forces=[] -o zeros.h5
says err "a marker of \`thigh\` is at 0, 0 in 3 samples, the first at 0.2 s"
awk 'BEGIN { print "time,angle/thigh"
    for (k = 0; k < 100; k++)
        printf "%.2f,%.9f\n", k / 100, 0.4 * sin(5 * k / 100) + (k == 40) * 0.15 }' >angle.csv
notes 1 "$MANYLINK" inverse rod.yaml --set 'motion={file: angle.csv}' --set forces=[] -o angle.h5
says err "smoothing moves \`thigh\` by 0.1"
says err "rad at 0.4 s"

# The same wrench about another point.
notes 0 "$MANYLINK" inverse walk.yaml --set forces.plate.file=plate_origin.csv --set forces.plate.moment=mz -o origin.h5
notes 0 "$MANYLINK" inverse walk.yaml --set forces.plate.file=plate_far.csv --set forces.plate.moment=mz -o far.h5
"$PYTHON" - <<'PY'
import h5py

found = [h5py.File(name)["study/inverse/torque"][()] for name in ("good.h5", "origin.h5", "far.h5")]
for other in found[1:]:
    error = abs(found[0] - other).max() / abs(found[0]).max()
    print("difference by the point of the plate:", error)
    assert error < 1e-13, error
for name, peak in (("s.h5", 29.90), ("spike.h5", 6.6398)):
    assert abs(h5py.File(name)["study/summary/peak_torque"][0] - peak) < 5e-3, name
PY

# Motions are cut after they are smoothed, so that a part has the bits of the whole; or their summary alone is.
cat >arm.yaml <<'YAML'
manylink: 1
system: {type: chain, segments: [{name: thigh, length: 0.43, mass: 3}]}
motion: {file: swing.csv}
YAML
awk 'BEGIN { print "time,angle/thigh"
    for (k = 0; k <= 200; k++) {
        if (k != 30 && k != 31)
            printf "%.2f,%.9f\n", k / 100, 0.4 * sin(5 * k / 100) + 1e-3 * sin(7 * k * k)
        else
            printf "%.2f,\n", k / 100
    } }' >swing.csv
for way in filter spline; do
    [ $way = filter ] && keys='{filter: {type: butterworth, order: 2, cutoff: 6}}' || keys='{spline: {smoothing: gcv}}'
    expect 0 "$MANYLINK" inverse arm.yaml --set "inverse=$keys" --set motion.from=0.32 -o long.h5
    expect 0 "$MANYLINK" inverse arm.yaml --set "inverse=$keys" --set motion.from=0.6 --set motion.to=1.5 -o part.h5
    ends="report: {from: 0.6, to: 1.5}"
    expect 0 "$MANYLINK" inverse arm.yaml --set "inverse=${keys%?}, $ends}" --set motion.from=0.32 -o report.h5
    "$PYTHON" - <<'PY'
import h5py
import numpy as np

long, part, report = (h5py.File(f"{name}.h5")["study"] for name in ("long", "part", "report"))
time = long["inverse/time"][()]
taken = (time > 0.599) & (time < 1.501)
assert (part["inverse/time"][()] == time[taken]).all()
for name in ("torque", "angle", "rate", "acceleration", "angle_raw"):
    assert (part["inverse"][name][..., :] == long["inverse"][name][..., taken]).all(), name
for name in ("peak_torque", "rms_torque", "positive_work", "negative_work"):
    assert (part["summary"][name][()] == report["summary"][name][()]).all(), name
assert part["summary/peak_torque"][0] == abs(long["inverse/torque"][()][0, taken]).max()
PY
done
expect 2 "$MANYLINK" inverse arm.yaml --set 'inverse={report: {from: 5}}' --set motion.from=0.32 -o no.h5
says err "no time is within \`from\` and \`to\` of \`inverse: {report: ..}\`"
expect 2 "$MANYLINK" inverse arm.yaml --set 'inverse={report: {from: 1, to: 0.5}}' -o no.h5
says err "to is 0.5 but must be greater than from, 1 s"

# The largest torque of a table's end is noticed.
awk 'BEGIN { print "time,angle/thigh"
    for (k = 0; k <= 100; k++)
        printf "%.2f,%.9f\n", k / 100, 0.2 * sin(5 * k / 100) + (k > 92) * 0.002 * (k - 92) ^ 2 }' >end.csv
notes 1 "$MANYLINK" inverse arm.yaml --set motion.file=end.csv --set 'inverse={filter: {type: butterworth, order: 2, cutoff: 6}}' -o end.h5
says err "s, is within 0.083 s of an end of the table"
notes 0 "$MANYLINK" inverse arm.yaml --set motion.file=end.csv --set motion.to=0.85 \
    --set 'inverse={filter: {type: butterworth, order: 2, cutoff: 6}}' -o end.h5

# A load's filter is SciPy's: the same torques as with a table that SciPy has filtered.
"$PYTHON" - <<'PY'
import numpy as np
from scipy.signal import butter, filtfilt

data = np.genfromtxt("plate_good.csv", delimiter=",", names=True)
low = butter(2, 10, fs=1 / 0.01)
held = np.hypot(data["fx"], data["fy"]) >= 20
np.savetxt("filtered.csv", np.stack([data["time"], *(filtfilt(*low, data[name] * held) for name in ("fx", "fy")),
           data["px"], data["py"]], -1), fmt="%.17g", delimiter=",", header="time,fx,fy,px,py", comments="")
PY
expect 0 "$MANYLINK" inverse walk.yaml --set forces.plate.filter=10 -o filtered.h5
expect 0 "$MANYLINK" inverse walk.yaml --set 'forces=[{name: plate, type: load, segment: foot, file: filtered.csv, force: [fx, fy], point: [px, py]}]' -o scipy.h5
"$PYTHON" - <<'PY'
import h5py

found = [h5py.File(name)["study/inverse/torque"][()] for name in ("filtered.h5", "scipy.h5", "good.h5")]
error, change = (abs(found[0] - other).max() / abs(found[0]).max() for other in found[1:])
print("difference from SciPy's filter:", error, "; change by the filter:", change)
assert error < 1e-11 and change > 1e-3
PY
expect 2 "$MANYLINK" inverse walk.yaml --set forces.plate.filter=60 -o no.h5
says err "filter is 60 but must be less than 50 Hz, half of the sampling rate of plate_good.csv"
sed 's/,0,/&0/; 5,50d' plate_good.csv >uneven.csv
expect 2 "$MANYLINK" inverse walk.yaml --set forces.plate.filter=10 --set forces.plate.file=uneven.csv -o no.h5
says err "filter needs equal intervals between samples"
sed 's/threshold: 20/threshold: 20, filter: 10/; s/^inverse/time: {step: 1e-3, end: 1}\ninverse/' walk.yaml >run.yaml
expect 0 "$MANYLINK" run run.yaml --no-accuracy -o run.h5

# Beside a load a length that is 5 % off the markers is noticed, alone it is not.
notes 1 "$MANYLINK" inverse rod.yaml --set system.segments.thigh.length=0.45 -o off.h5
says err "the chain's next joint is 20 mm from its marker"
notes 0 "$MANYLINK" inverse rod.yaml --set system.segments.thigh.length=0.45 --set forces=[] --set motion.from=0.1 --set motion.to=0.5 -o off.h5
