# Segments without a length are as long as their markers are apart, by the median in the plane of the motion; a length
# that is given stays. Units of markers that do not fit lengths are told.
. "$SOURCE/tests/check.sh"
need_python

cp "$SOURCE"/tests/reference/laboratory/ok.trc "$SOURCE"/tests/reference/laboratory/load_s.csv .
cat >rod.yaml <<'YAML'
manylink: 1
system: {type: chain, segments: [{name: thigh, mass: 3}]}
motion: {file: ok.trc, markers: {thigh: [hip, knee]}, base: hip}
inverse: {filter: {type: butterworth, order: 2, cutoff: 6}}
forces: [{name: plate, type: load, segment: thigh, file: load_s.csv, force: [fx, fy], point: [px, 0.5], threshold: 20}]
YAML
expect 0 "$MANYLINK" inverse rod.yaml -o rod.h5
[ ! -s err ] || fail "a word about good data: $(cat err)"
expect 0 "$MANYLINK" verify rod.h5
expect 0 "$MANYLINK" inverse rod.yaml -o given.h5 --set system.segments.thigh.length=0.43
expect 0 "$MANYLINK" inverse rod.yaml -o other.h5 --motion ok.trc --set motion.file=missing.trc

# A leg in cm, the knee in the middle of two markers, one wrong sample and one without the knee.
cat >leg.yaml <<'YAML'
manylink: 1
system: {type: chain, body: {mass: 82, height: 1.74, segments: [thigh, shank]}}
motion:
  file: leg.csv
  markers: {thigh: [HIP, [LK, MK]], shank: [[LK, MK], ANKLE]}
  plane: [-x, z]
  base: HIP
  length: cm
  gaps: {spline: 0.1}
sweep: [{set: system.segments.thigh.length, scale_by: {from: 0.9, to: 1.1, count: 3}}]
YAML
"$PYTHON" - <<'PY'
import numpy as np

t = np.arange(101) / 100
angle = np.array([0.4 * np.sin(5 * t), -0.5 + 0.3 * np.sin(6 * t)])
hip = np.array([100 - 90 * t, 92 + 2 * np.sin(9 * t)])  # x, z in cm: a walk towards -x
knee = hip + 41.7 * np.array([-np.sin(angle[0]), -np.cos(angle[0])])
ankle = knee + 40.2 * np.array([-np.sin(angle[1]), -np.cos(angle[1])])
ankle[0, 50] += 3
side = np.array([4 * np.cos(2 * t), 3 * np.sin(3 * t)])
with open("leg.csv", "w") as file:
    print(",".join(["time"] + [f"{m}{c}" for m in ("HIP", "LK", "MK", "ANKLE") for c in "xyz"]), file=file)
    for k in range(len(t)):
        cells = [repr(t[k])]
        for place in (hip, knee + side, knee - side, ankle):
            cells += [f"{place[0, k]:.12f}", f"{7 + k}", f"{place[1, k]:.12f}"]
        if k == 20:
            cells[4] = ""
        print(",".join(cells), file=file)
PY
expect 0 "$MANYLINK" inverse leg.yaml -o leg.h5
expect 0 "$MANYLINK" verify leg.h5
expect 0 "$MANYLINK" inverse leg.yaml -o longer.h5 --set sweep=[] --set system.segments.thigh.length=0.4587
expect 0 "$MANYLINK" run leg.yaml -o run.h5 --no-accuracy --set time='{step: 0.01, end: 0.1}'
"$PYTHON" - <<'PY'
import re

import h5py
import numpy as np

peak = {name: h5py.File(f"{name}.h5")["study/summary/peak_torque"][0] for name in ("rod", "given", "other")}
assert abs(peak["rod"] - 29.90) < 5e-3 and abs(peak["given"] / peak["rod"] - 1) < 1e-9, peak
assert peak["other"] == peak["rod"], peak
for name in ("leg", "run"):
    text = h5py.File(f"{name}.h5")["study/resolved"].asstr()[()]
    lengths = [float(x) for x in re.findall(r" length: ([0-9.]+)", text)[:2]]
    assert np.allclose(lengths, [0.417, 0.402], rtol=1e-12), lengths
swept, longer = (h5py.File(f"{name}.h5")["study/inverse/torque"][()] for name in ("leg", "longer"))
assert abs(swept[2] - longer).max() < 1e-10 * abs(longer).max() < abs(swept[2] - swept[1]).max()
PY

# Units.
expect 0 "$MANYLINK" inverse rod.yaml -o no.h5 --set forces=[] --set motion.length=m
says err "rod.yaml:3:1: note: the markers of \`thigh\` are 430 m apart, which is the length of the segment: another \`length\`"
says err "ok.trc: markers are in mm by the file, but \`length\` of the motion takes them as m"
expect 0 "$MANYLINK" inverse rod.yaml -o no.h5 --set forces=[] --set motion.length=m --set system.segments.thigh.length=0.43
says err "are 430 m apart (median, in the plane), but the segment is 0.43 m long: are they in mm? if so, \`motion: {length: mm}\`"
expect 2 "$MANYLINK" inverse rod.yaml -o no.h5 --set motion.length=m --set system.segments.thigh.length=0.43
says err "rod.yaml: note: ./ok.trc: the markers of \`thigh\` are 430 m apart"
says err "rod.yaml:5:10: force \`plate\`: its point is farther from segment \`thigh\`"
sed "3s/mm/cm/" ok.trc >cm.trc
expect 0 "$MANYLINK" inverse rod.yaml -o mm.h5 --set forces=[] --set motion.file=cm.trc --set motion.length=mm
says err "cm.trc: markers are in cm by the file, but \`length\` of the motion takes them as mm"
expect 0 "$MANYLINK" inverse rod.yaml -o plain.h5 --set forces=[]
"$PYTHON" - <<'PY'
import h5py

found = [h5py.File(name)["study/inverse/torque"][()] for name in ("plain.h5", "mm.h5")]
assert abs(found[0] - found[1]).max() < 1e-12
PY
expect 2 "$MANYLINK" inverse leg.yaml -o no.h5 --set 'motion={file: leg.csv, markers: {thigh: [HIP, LK]}, plane: [-x, z]}'
says err "leg.csv:1:6: the unit of the markers is missing, and the study gives no length of \`thigh\`: give \`length: mm\`"

# Without markers a length is needed.
expect 2 "$MANYLINK" inverse rod.yaml -o no.h5 --set 'motion={file: ok.trc, columns: {thigh: hip/x}}'
says err "rod.yaml:2:34: key \`length\` is missing: distance from its joint to the next"
expect 2 "$MANYLINK" inverse rod.yaml -o no.h5 --set motion.file=missing.trc
says err "rod.yaml:3:1: cannot read the lengths of segments from the markers in ./missing.trc: No such file"
