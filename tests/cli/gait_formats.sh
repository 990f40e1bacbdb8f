# Files as programs of laboratories write them are read, with the numbers of the same data in a plain table.
. "$SOURCE/tests/check.sh"
need_python

cp "$SOURCE"/tests/reference/laboratory/* .
cat >rod.yaml <<'YAML'
manylink: 1
system: {type: chain, segments: [{name: thigh, length: 0.43, mass: 3}]}
motion: {file: ok.trc, markers: {thigh: [hip, knee]}, base: hip}
inverse: {filter: {type: butterworth, order: 2, cutoff: 6}}
YAML
# solve NAME OPTION...: NAME.h5
solve()
{
    name=$1
    shift
    expect 0 "$MANYLINK" inverse rod.yaml -o "$name.h5" "$@"
}
solve ok
solve double_tabs --set motion.file=double_tabs.trc
solve more_names --set motion.file=more_names.trc
solve commas_filled --set motion.file=commas_filled.trc
solve v3d --set motion.file=v3d.txt --set motion.rate=100 --set motion.length=mm
solve qtm --set motion.file=qtm.tsv
# virtual markers, with names and components, whose cells are empty
awk 'NR == 4 { $0 = $0 "V_A\t\t\t" } NR == 5 { $0 = $0 "\tX3\tY3\tZ3\t" } NR > 6 { $0 = $0 "\t\t\t\t" } 1' ok.trc >virtual.trc
solve virtual --set motion.file=virtual.trc --set 'motion.columns={time: Time}'
awk -F '\t' -v OFS='\t' 'NR == 4 { $2 = "t" } 1' ok.trc >named.trc
solve named --set motion.file=named.trc --set 'motion.columns={time: t}'
solve twice --set 'motion={file: end_twice.sto, columns: {thigh: q}}'
solve once --set 'motion={file: q.sto, columns: {thigh: q}}'
load='[{name: plate, type: load, segment: thigh, file: load_s.csv, force: [fx, fy], point: [px, 0.5], threshold: 20}]'
solve load --set "forces=$load"
solve gaps --set "forces=$load" --set forces.plate.file=load_nan.csv
awk -F, -v OFS=, 'NR > 1 { $2 = $3 / 8 } 1' load_s.csv >along.csv
awk -F, -v OFS=, 'NR > 1 { $2 = -$3 / 8 } 1' load_s.csv >turned.csv
solve along --set "forces=$load" --set forces.plate.file=along.csv
solve turned --set "forces=$load" --set forces.plate.file=turned.csv --set 'forces.plate.force=[-fx, fy]'
awk -F, -v OFS=, -v CONVFMT=%.12g -v OFMT=%.12g 'NR > 1 { $1 += 2e-7 } 1' load_s.csv >late.csv
solve late --set "forces=$load" --set forces.plate.file=late.csv
"$PYTHON" - <<'PY'
import h5py
import numpy as np

def torque(name):
    return h5py.File(f"{name}.h5")["study/inverse/torque"][()]

for name, peak in (("ok", 0.833), ("load", 29.90)):
    found = h5py.File(f"{name}.h5")["study/summary/peak_torque"][0]
    assert abs(found - peak) < 5e-3, (name, found)
for names, most in ((("double_tabs", "more_names", "commas_filled", "v3d", "qtm", "named", "virtual"), 1e-12), (("once", "twice"), 1e-8),
                    (("gaps", "turned", "late"), 1e-4)):
    for name in names:
        right = torque({"turned": "along", "gaps": "load", "late": "load", "twice": "once"}.get(name, "ok" if name != "once" else name))
        error = np.abs(torque(name) - right).max() / np.abs(right).max()
        print(name, error)
        assert error < most, name
PY
awk -F, -v OFS=, 'NR == 35 { $4 = "nan" } 1' load_s.csv >missing.csv
expect 2 "$MANYLINK" inverse rod.yaml --set "forces=$load" --set forces.plate.file=missing.csv -o no.h5
says err "is missing in column "

# A fit whose table is a little early by its program's rounding.
cat >fit.yaml <<'YAML'
manylink: 1
system: {type: chain, segments: [{name: thigh, length: 0.43, mass: 2}]}
motion: {file: q.sto, columns: {thigh: q}}
sample: {method: sobol, count: 4, over: [{set: system.segments.thigh.mass, from: 1, to: 6}]}
fit: {of: inverse, to: id_early.sto, time: time, columns: {torque.thigh: q_moment}}
YAML
expect 0 "$MANYLINK" fit fit.yaml
says out "thigh.mass"

# What `motion` finds in them.
expect 0 "$MANYLINK" motion ruled.txt
says out '60 lines of numbers, 3 columns'
expect 0 "$MANYLINK" motion nexus.csv
says out '40 lines of numbers, 5 columns'
says out 'times: 0 to 0.0195 s, 2000 Hz (the header says 2000)'
expect 0 "$MANYLINK" motion end_twice.sto
says out 'times: 0 to 0.59 s, 100 Hz'
expect 0 "$MANYLINK" motion ok.trc
says out '# plane: [x, y] # which axes are forwards and up is unknown, as no marker travels: choose'
printf 't\tRASI/x\tRASI/y\tRKNE/x\tRKNE/y\tRANK/x\tRANK/y\tRTOE/x\tRTOE/y\n' >plugin.txt
for k in 0 1 2 3 4 5 6 7; do
    printf '0.%s\t%s00\t900\t%s00\t500\t%s10\t100\t%s90\t50\n' $k $k $k $k $k >>plugin.txt
done
expect 0 "$MANYLINK" motion plugin.txt
says out 'markers: {thigh: ["RASI", "RKNE"], shank: ["RKNE", "RANK"], foot: ["RANK", "RTOE"]}'
says out '  columns: {time: "t"}'
says out '  plane: [x, y] # forwards and up'
printf 'time\thip_flexion_r_moment\tknee_angle_r_moment\n0\t1\t2\n0.1\t2\t3\n0.2\t4\t5\n' >id.sto
expect 0 "$MANYLINK" motion id.sto
! grep -q 'motion:' out || fail "torques are taken for a motion: $(cat out)"
printf 'Time[s] GRF[N]\n0 1\n0.1 2\n0.2 4\n' >jump.txt
expect 0 "$MANYLINK" motion jump.txt
! grep -q 'motion:' out || fail "forces are taken for a motion: $(cat out)"
printf 'time,ground_force_vx,ground_force_vy,ground_force_px,ground_force_py\n' >far.mot
for k in 0 1 2 3; do printf '0.%s,0,0,346,0\n' $k; done >>far.mot
for k in 4 5 6 7; do printf '0.%s,10,700,0.7,0\n' $k; done >>far.mot
expect 0 "$MANYLINK" motion far.mot
says out 'threshold: 20}'
