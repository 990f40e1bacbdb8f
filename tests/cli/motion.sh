# `motion FILE` describes the columns of a file, and the keys that it prints read the file.
. "$SOURCE/tests/check.sh"
need_python

cp "$SOURCE/tests/cli/motion_files.py" .
"$PYTHON" motion_files.py "$MANYLINK" # makes the files

# reads FILE ANGLES: a study of the keys that are printed of a file
reads()
{
    expect 0 "$MANYLINK" motion "$1"
    cp out "$1.out"
    { printf 'manylink: 1\nsystem: {type: chain, angles: %s, segments: [' "$2" &&
        printf '{name: thigh, length: 0.4, mass: 7}, {name: shank, length: 0.4, mass: 3}, {name: foot, length: 0.15, mass: 1}]}\n' &&
        sed -n '/^motion:/,$p' out | sed 's/# rate: [.][.] #/rate: 100 #/'; } >"$1.yaml"
    expect 0 "$MANYLINK" inverse "$1.yaml" -o out.h5 --restart
}

# tells FILE TEXT: the description of the file has the text
tells()
{
    grep -qF -- "$2" "$1.out" || fail "$1 lacks: $2
$(cat "$1.out")"
}

for file in left.trc walk.mot ms.csv slow.csv; do
    reads $file "$(case $file in *.trc) echo segment ;; *) echo joint ;; esac)"
    [ ! -s err ] || fail "$file: $(cat err)"
done
tells left.trc 'left.trc: TRC, 120 lines of numbers, 14 columns'
tells left.trc '150.001 Hz (the header says 150)'
tells left.trc '10 missing, longest gap 0.0733 s'
tells left.trc '  markers: {thigh: ["R.HIP", "R.KNEE"], shank: ["R.KNEE", "R ANKLE"], foot: ["R ANKLE", "TOE"]}'
tells left.trc '  plane: [-x, y]'
tells left.trc '  gaps: {spline: 0.0734}'
tells walk.mot 'walk.mot: OpenSim, 120 lines of numbers, 4 columns'
tells walk.mot 'degrees, if an angle (inDegrees)'
tells walk.mot 'columns: {thigh: "hip_flexion_r", shank: "knee_angle_r", foot: "ankle_angle_r"}'
tells ms.csv 'ms of even ones: rounded, and taken as even'
tells slow.csv '  unit: deg # by their range'
tells slow.csv 'times: none; give a rate'
tells slow.csv '  # rate: .. # Hz: yours, as the file has no times'
expect 0 "$MANYLINK" motion wrapped.csv
says out "jumps by 2 pi: wrapped? \`unwrap: true\`"
says out "  unwrap: true"
printf 'time,thigh\n0,1\n10,2\n20,1\n' >seconds.csv
expect 0 "$MANYLINK" motion seconds.csv
says out "they may be in ms: name the column \`time [ms]\`"

printf 'time,thigh\n0,1\n0,2\n' >bad.csv
expect 2 "$MANYLINK" motion bad.csv
says err "bad.csv:3:1: time is 0 but must be greater"
expect 2 "$MANYLINK" motion leg.c3d
says err "this is a C3D file"
expect 2 "$MANYLINK" motion none.csv
says err "none.csv: No such file"

# Of columns that are named as the study's the file is enough; force plates are loads, and forces no lengths.
printf 'time,angle/thigh,angle/shank\n0,1,2\n0.1,2,3\n' >native.csv
expect 0 "$MANYLINK" motion native.csv
[ "$(sed -n '/^motion:/,$p' out)" = 'motion:
  file: "native.csv"' ] || fail "native names: $(cat out)"
printf 'Time\tHPx\tHPy\tKNx\tKNy\tFx\tFy\tCOPx\tCOPy\n0\t1\t900\t2\t500\t30\t700\t100\t0\n0.1\t1\t900\t2\t500\t30\t600\t150\t0\n' >plate.txt
expect 0 "$MANYLINK" motion plate.txt
[ "$(grep -c 'cm or mm' out)" = 3 ] || fail "lengths: $(cat out)"
says out 'file: "plate.txt", force: ["Fx", "Fy"], point: ["COPx", "COPy"], threshold: 20, length: mm} # up to 700 N'
printf 'x\nnRows=2\nendheader\ntime\tR_force_vx\tR_force_vy\tR_force_vz\tR_force_px\tR_force_py\tR_force_pz\n0\t1\t2\t-500\t1\t0\t2\n1\t1\t2\t-600\t1\t0\t2\n' >down.mot
expect 0 "$MANYLINK" motion down.mot
says out 'force: ["R_force_vx", "R_force_vz"], point: ["R_force_px", "R_force_pz"], threshold: 20, scale: -1} # up to 600 N'
printf 'time\tRHIP/x\tRHIP/y\tRLFC/x\tRLFC/y\tRMFC/x\tRMFC/y\n0\t0\t90\t3\t50\t1\t48\n1\t3\t90\t5\t50\t3\t49\n' >medial.txt
expect 0 "$MANYLINK" motion medial.txt
says out 'markers: {thigh: ["RHIP", ["RLFC", "RMFC"]]}'
says out '  base: "RHIP"'
says out '  length: cm # by how far apart the markers are'

# --residuals: cutoffs of columns without gaps, those of SciPy's filter; and files that it cannot analyse.
"$PYTHON" - "$SOURCE/tests/reference/residuals.json" <<'PY'
import json
import sys

case = json.load(open(sys.argv[1]))["residuals"][1]
with open("noisy.csv", "w") as to:
    to.write("time,angle/thigh,angle/shank,force\n")
    to.writelines(f"{k / case['rate']:.17g},{y!r},0.25,{k}\n" for k, y in enumerate(case["y"]))
PY
expect 0 "$MANYLINK" motion noisy.csv --residuals
says out "noisy.csv: 150 samples at 100 Hz"
grep -qE '`angle/thigh` +0[.]00282 +9[.]37 +1?[0-9][.][0-9]' out || fail "no cutoff of SciPy: $(cat out)"
! grep -q shank out || fail "a joint at rest was analysed: $(cat out)"
says out 'residual analysis: 1 of 1 columns, median 9.37 Hz'
says out 'inverse: {filter: {type: butterworth, order: 2, cutoff: 9.4}}'
! grep -q force out || fail "a force was analysed"
refuses()
{
    expect 2 "$MANYLINK" motion "$1" --residuals
    says err "$1: cannot analyse residuals$2"
}
awk -F , 'NR == 1 || NR % 2' noisy.csv >half.csv
refuses half.csv ': at 50 Hz noise cannot be told from motion; the analysis takes 60 Hz or more'
sed 10d noisy.csv >uneven.csv
refuses uneven.csv ': the table has no even times'
head -8 noisy.csv >short.csv
refuses short.csv ' of 7 samples: the filter takes 10'
cut -d, -f1,4 noisy.csv >force.csv
refuses force.csv ': no column has the angle of a joint'
expect 2 "$MANYLINK" motion nowhere.csv --residuals
