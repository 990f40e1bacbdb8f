# C3D files of every processor, with numbers and with integers, and plates of types 1 to 4 give the torques of the same data as
# text; so does an excerpt of a measured walk against an independent reader. Damaged files are refused.
. "$SOURCE/tests/check.sh"
need_python

cp "$SOURCE/tests/cli/c3d.py" "$SOURCE/tests/reference/laboratory/walk_excerpt.c3d" .
"$PYTHON" c3d.py write
cat >rod.yaml <<'YAML'
manylink: 1
system: {type: chain, segments: [{name: thigh, length: 0.43, mass: 3}]}
motion: {file: points.csv, markers: {thigh: [HIP, KNEE]}, plane: [x, z], base: HIP}
inverse: {filter: {type: butterworth, order: 2, cutoff: 6}}
forces: [{name: plate, type: load, segment: thigh, file: plates.csv, force: [fx, fz], point: [px, 0.5], threshold: 20}]
YAML
expect 0 "$MANYLINK" inverse rod.yaml -o text.h5
for form in intel_float intel_int dec_float dec_int mips_float mips_int; do
    for k in 1 2 3 4; do
        expect 0 "$MANYLINK" inverse rod.yaml --set motion.file=$form.c3d -o $form$k.h5 \
            --set "forces=[{name: plate, type: load, segment: thigh, file: $form.c3d, force: [plate${k}_fx, plate${k}_fz], point: [plate${k}_px, 0.5], threshold: 20}]"
    done
done
cat >walk.yaml <<'YAML'
manylink: 1
system:
  type: chain
  body: {mass: 82, height: 1.74, segments: [thigh, shank, foot]}
  segments: [{name: thigh, length: 0.42}, {name: shank, length: 0.43}, {name: foot, length: 0.2}]
motion: {file: walk_excerpt.c3d, markers: {thigh: [RASI, RKNE_2], shank: [RKNE_2, RANK], foot: [RANK, RTOE]}, plane: [-x, z], base: RASI}
inverse: {filter: {type: butterworth, order: 2, cutoff: 6}}
forces: [{name: plate, type: load, segment: foot, file: walk_excerpt.c3d, force: [-plate2_fx, plate2_fz], point: [-plate2_px, plate2_pz], threshold: 20}]
YAML
expect 0 "$MANYLINK" inverse walk.yaml -o walk.h5
"$PYTHON" c3d.py read walk_excerpt.c3d
expect 0 "$MANYLINK" inverse walk.yaml --set motion.file=read_points.csv --set forces.plate.file=read_plates.csv -o read.h5
"$PYTHON" - <<'PY'
import h5py
import numpy as np

def torque(name):
    return h5py.File(f"{name}.h5")["study/inverse/torque"][()]

right = torque("text")
for form, most in (("float", 1e-5), ("int", 5e-3)): # of 16 bits
    for processor in ("intel", "dec", "mips"):
        for k in range(1, 5):
            error = np.abs(torque(f"{processor}_{form}{k}") - right).max() / np.abs(right).max()
            print(processor, form, "plate of type", k, ":", error)
            assert error < most
walk, read = torque("walk"), torque("read")
error = np.abs(walk - read).max() / np.abs(read).max()
print("walk, against an independent reader:", error, "; largest torques", np.abs(read).max(-1))
assert error < 1e-7
PY

# `motion` describes points, channels and plates.
expect 0 "$MANYLINK" motion walk_excerpt.c3d
says out 'walk_excerpt.c3d: C3D, 34 lines of numbers, 100 columns'
says out 'walk_excerpt.c3d: C3D, 340 lines of numbers, 40 columns'
says out 'force: ["plate2_fx", "plate2_fz"], point: ["plate2_px", "plate2_pz"], threshold: 20}'

# Every way of cutting a file off, and of changing one byte of its header or parameters, ends with a message or numbers.
head -c 20000 walk_excerpt.c3d >cut.c3d
expect 2 "$MANYLINK" motion cut.c3d
says err "this is a C3D file whose data are fewer than the header's frames, at byte "
"$PYTHON" - "$MANYLINK" <<'PY'
import random
import subprocess
import sys

good = open("intel_int.c3d", "rb").read()
random.seed(3)
for case in range(150):
    bad = bytearray(good)
    if case < 30:
        bad = bad[:random.randrange(600, len(bad))]
    else:
        for _ in range(random.choice((1, 1, 3))):
            bad[random.randrange(2 if case % 2 else 512, 2048)] = random.choice((0, 1, 127, 128, 255, random.randrange(256)))
    open("bad.c3d", "wb").write(bad)
    done = subprocess.run([sys.argv[1], "motion", "bad.c3d"], capture_output=True, timeout=60)
    assert done.returncode in (0, 2), (case, done.returncode, done.stderr)
    open("bad.c3d", "wb").write(bad)
PY
