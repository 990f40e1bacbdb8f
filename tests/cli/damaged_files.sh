# Damaged files of a laboratory: each is read with the numbers of the sound file, or has a notice or a refusal that names
# its cause.
. "$SOURCE/tests/check.sh"
need_python

cp "$SOURCE"/tests/reference/laboratory/ok.trc "$SOURCE"/tests/reference/laboratory/load_s.csv \
    "$SOURCE"/tests/reference/laboratory/v3d.txt .
cat >rod.yaml <<'YAML'
manylink: 1
system: {type: chain, segments: [{name: thigh, mass: 3}]}
motion: {file: ok.trc, markers: {thigh: [hip, knee]}, base: hip}
inverse: {filter: {type: butterworth, order: 2, cutoff: 6}}
YAML
load='[{name: plate, type: load, segment: thigh, file: load_s.csv, force: [fx, fy], point: [px, 0.5], threshold: 20, filter: 20}]'
# pose NAME TEXT OPTION...: a study with the file NAME has this text on stderr, or no text
pose()
{
    expect 0 "$MANYLINK" inverse rod.yaml -o "$1.h5" --set "motion.file=${3:-ok.trc}" \
        --set "forces=${load%%load_s.csv*}${4:-load_s.csv}${load#*load_s.csv}"
    if [ -n "$2" ]; then says err "$2"; else [ ! -s err ] || fail "a word about $1: $(cat err)"; fi
}
refuse()
{
    expect 2 "$MANYLINK" inverse rod.yaml -o no.h5 --set "motion.file=${2:-ok.trc}" \
        --set "forces=${load%%load_s.csv*}${3:-load_s.csv}${load#*load_s.csv}"
    says err "$1"
}
pose sound ""

# Line ends of CR alone.
tr '\n' '\r' <ok.trc >cr.trc
tr '\n' '\r' <load_s.csv >cr.csv
pose cr "" cr.trc cr.csv
"$PYTHON" -c '
import h5py
a, b = (h5py.File(f"{name}.h5")["study/inverse/torque"][()] for name in ("sound", "cr"))
assert (a == b).all()'
"$MANYLINK" motion cr.trc >out
says out "60 lines of numbers"

# Headers and names.
awk -F '\t' -v OFS='\t' 'NR == 3 { $4 = 5 } 1' ok.trc >five.trc
pose five "five.trc: the header says 5 markers (NumMarkers), but names 2: are columns missing?" five.trc
awk -F '\t' -v OFS='\t' 'NR == 3 { $4 = 1 } 1' ok.trc >one.trc
pose one "" one.trc
sed '4s/knee/S01:knee/; 4s/hip/S01:hip/' ok.trc >prefix.trc
pose prefix "prefix.trc: markers are taken by their names behind a prefix, as column \`S01:hip/x\`" prefix.trc
"$PYTHON" -c '
import h5py
a, b = (h5py.File(f"{name}.h5")["study/inverse/torque"][()] for name in ("sound", "prefix"))
assert (a == b).all()'
sed '4s/S01:knee/S02:hip/' prefix.trc >subjects.trc
refuse "a marker is of several subjects, as \`S01:hip/x\` and \`S02:hip/x\`: name it with its prefix" subjects.trc
[ "$(grep -c 'subjects.trc:' err)" = 2 ] || fail "not one line for each marker: $(cat err)"
sed '4s/S01:hip/S01:hop/' prefix.trc >other.trc
refuse "other.trc:4:1: column \`hip/x\` is missing: of a marker; the columns are \`Frame#\`, \`time\`, \`S01:hop/x\`" other.trc
[ "$(grep -c 'other.trc:' err)" = 1 ] || fail "a missing marker is told more than once: $(cat err)"
expect 2 "$MANYLINK" inverse rod.yaml -o no.h5 --set motion.file=v3d.txt --set motion.length=mm
says err "column \`time\` is missing, and the header has no rate; \`columns: {time: NAME}\` or \`rate: HZ\` of the motion gives"

# Samples of markers: held at one place, and not a number as older libraries write it.
awk -F '\t' -v OFS='\t' 'NR == 26 { x = $6; y = $7 } NR > 26 && NR < 36 { $6 = x; $7 = y } 1' ok.trc >held.trc
pose held "held.trc: a marker of \`thigh\` stays at exactly one place in 10 samples, the first at 0.19 s, and jumps" held.trc
awk -F '\t' -v OFS='\t' 'NR == 26 { $6 = "-1.#IND" } 1' ok.trc >ind.trc
refuse "ind.trc:26:1: angle/thigh is missing here, 0.02 s from number to number" ind.trc

# Frames that were lost, whose times go on or are left out too.
awk -F '\t' -v OFS='\t' 'NR == 3 { $3 = 54 } NR < 20 { print } NR > 25 { $2 = $2 - 0.06; print }' ok.trc >lost.trc
pose lost "lost.trc: numbers of frames leave 6 out, first before 0.13 s, but the times go on evenly: lost frames?" lost.trc
awk -F '\t' -v OFS='\t' 'NR == 3 { $3 = 57 } NR < 20 || NR > 22' ok.trc >short.trc
refuse "but the samples at 0.12 and 0.16 s differ from the mean interval of 0.0105357 s: lost frames?" short.trc

# Loads: a filter hides neither dropped nor wrong samples.
awk -F, -v OFS=, 'NR > 34 && NR < 38 { $3 = 0 } 1' load_s.csv >torn.csv
pose torn "force \`plate\`: falls from 285 N to 0 and back between 0.32 and 0.36 s: dropped samples?" ok.trc torn.csv
awk -F, -v OFS=, 'NR == 37 { $3 = 600 } 1' load_s.csv >spike.csv
pose spike "force \`plate\`: is 600 N at 0.35 s, but at most 298 N in the samples before and after: a wrong sample?" ok.trc spike.csv
# A plate with an offset or a slow drift under a segment that moves at 0.5 m/s; none where the threshold is above them.
awk -F, -v OFS=, 'NR > 1 { $3 += 12 } 1' load_s.csv >offset.csv
awk -F, -v OFS=, 'NR > 1 { $3 += 12*$1/0.6 } 1' load_s.csv >drift.csv
pose offset "" ok.trc offset.csv
for kind in offset drift; do
    expect 0 "$MANYLINK" inverse rod.yaml -o "$kind.h5" --set "forces=${load%%load_s.csv*}$kind.csv${load#*load_s.csv}" \
        --set forces.plate.threshold=1
    says err "while \`thigh\` moves at up to 0.51 m/s: an offset or drift of the empty plate?"
done
# A force that falls as the motion begins was not 0 before.
awk -F, -v OFS=, 'NR > 1 && NR < 5 { $3 = (5 - NR)*300 } 1' load_s.csv >push.csv
expect 0 "$MANYLINK" inverse rod.yaml -o push.h5 --set motion.from=0.01 --set "forces=${load%%load_s.csv*}push.csv${load#*load_s.csv}"
! grep "a wrong sample?" err || fail "the first sample of the motion is called wrong"
awk -F, -v OFS=, 'NR > 1 { $1 *= 1000 } 1' load_s.csv >ms.csv
refuse "half of the sampling rate of ms.csv; are its times in ms? they are in s" ok.trc ms.csv
awk -F, -v OFS=, 'NR > 1 { $3 = 0 } 1' load_s.csv >empty.csv
refuse "the force is 0 in all samples of empty.csv: another column?" ok.trc empty.csv
awk -F, -v OFS=, 'NR > 1 { $3 /= 1000 } 1' load_s.csv >kilo.csv
refuse "more than the largest force in the table: is the table in kN, or body weights?" ok.trc kilo.csv
