# Columns by their numbers, of files without names or with a line of names that does not fit; the times of a load by a
# column or a rate; headers that say another rate or number of lines than there is.
. "$SOURCE/tests/check.sh"
need_python

cp "$SOURCE"/tests/reference/laboratory/ok.trc "$SOURCE"/tests/reference/laboratory/load_s.csv "$SOURCE"/tests/reference/laboratory/q.sto .
sed 1d load_s.csv >bare.csv
cut -d, -f2- bare.csv >timeless.csv
sed '/endheader/q' q.sto | wc -l >header
sed "1,$(($(cat header) + 1))d" q.sto >bare.txt
{ echo 'Trial 7 of subject A'; cat bare.txt; } >titled.txt
cat >rod.yaml <<'YAML'
manylink: 1
system: {type: chain, segments: [{name: q, length: 0.9, mass: 3}]}
motion: {file: q.sto}
forces: [{name: plate, type: load, segment: q, file: load_s.csv, force: [-fx, fy], point: [px, 0.1], threshold: 20}]
YAML
YAML_LOAD="name: plate, type: load, segment: q, point: [column 4, 0.1], threshold: 20"
expect 0 "$MANYLINK" inverse rod.yaml -o named.h5
by_number()
{
    name=$1
    shift
    expect 0 "$MANYLINK" inverse rod.yaml -o "$name.h5" "$@"
    expect 0 "$MANYLINK" verify "$name.h5"
    "$PYTHON" - "$name.h5" <<'PY'
import sys

import h5py

found = [h5py.File(name)["study/inverse/torque"][()] for name in ("named.h5", sys.argv[1])]
assert abs(found[0]).max() > 1 and abs(found[0] - found[1]).max() < 1e-12, found
PY
}
by_number loads --set "forces=[{$YAML_LOAD, file: bare.csv, time: column 1, force: [-column 2, column 3]}]"
by_number rate --set "forces=[{name: plate, type: load, segment: q, file: timeless.csv, rate: 100, force: [-column 1, column 2], point: [column 3, 0.1], threshold: 20}]"
by_number within --set "forces=[{$YAML_LOAD, file: load_s.csv, force: [-column 2, fy]}]"
for file in bare titled; do
    by_number $file --set "motion={file: $file.txt, columns: {time: column 1, q: 2}, unit: deg}"
    expect 0 "$MANYLINK" motion $file.txt
    says out 'columns: {time: column 1, SEGMENT: COLUMN}'
done

# A table of a signal.
cat >push.yaml <<'YAML'
manylink: 1
system: {type: chain, segments: [{name: q, length: 0.9, mass: 3}]}
forces: [{type: torque, joint: q, value: {type: table, file: bare.csv, time: column 1, column: column 4}}]
time: {step: 0.01, end: 0.5}
YAML
expect 0 "$MANYLINK" run push.yaml -o numbered.h5 --no-accuracy
expect 0 "$MANYLINK" run push.yaml -o called.h5 --no-accuracy --set forces[0].value='{type: table, file: load_s.csv, column: px}'
"$PYTHON" - <<'PY'
import h5py

found = [h5py.File(name) for name in ("numbered.h5", "called.h5")]
paths = [path for path in ("study/trajectories/angle", "study/summary/end_angle") if path in found[0]]
assert not paths or (found[0][paths[0]][()] == found[1][paths[0]][()]).all()
text = found[0]["study/resolved"].asstr()[()]
assert 'column: "column 4", time: "column 1"' in text, text
PY

# Refusals have a remedy.
refuses()
{
    message=$1
    shift
    expect 2 "$MANYLINK" inverse rod.yaml -o no.h5 "$@"
    says err "$message"
}
refuses "the first line has numbers and no names; put a line above it that names the columns, such as time,angle/q,..., or name columns by their numbers, \`column 1\`; \`columns: {time: column 1}\` or \`rate: HZ\` of the motion gives the times" \
    --set 'motion={file: bare.txt, columns: {q: 2}}'
refuses "or name columns by their numbers, \`column 1\`; \`time: NAME\` or \`rate: HZ\` beside \`file\` gives the times" \
    --set "forces=[{$YAML_LOAD, file: bare.csv, force: [column 2, column 3]}]"
refuses "titled.txt:2:1: the lines have other numbers of columns than line 1 has names (" --set 'motion={file: titled.txt}'
refuses "the table has times, by a column or the rate in its header; leave \`rate\` out" --set forces.plate.rate=100
refuses "column is \`column 9\`, but ./load_s.csv has no such values" --set 'forces.plate.force=[fx, column 9]'
refuses "column \`3\` is missing" --set 'motion.columns={q: 3}'

# Headers.
sed '3s/^100.00/120.00/' ok.trc >fast.trc
expect 0 "$MANYLINK" inverse rod.yaml -o fast.h5 --set 'motion={file: fast.trc, markers: {q: [hip, knee]}}' --set forces=[] \
    --set 'inverse={filter: {type: butterworth, order: 2, cutoff: 6}}'
says err "fast.trc: the header says 120 Hz, but the times have 100: times are taken as they are"
{ echo 'SampleRate=250'; cat load_s.csv; } >fast.csv
expect 0 "$MANYLINK" inverse rod.yaml -o fast_load.h5 --set forces.plate.file=fast.csv
says err "note: the header of fast.csv says 250 Hz, but the times have 100"
[ "$(grep -c 'note: ' err)" = 1 ] || fail "not one notice: $(cat err)"
sed 's/^nRows=.*/nRows=70/' q.sto >many.sto
refuses "but the header says 70 (nRows): is the file cut off? if not, correct that number in the header" --set motion.file=many.sto
sed 's/^nRows=.*/nRows=50/' q.sto >few.sto
refuses "but the header says 50 (nRows): correct that number in the header, or leave out lines" --set motion.file=few.sto
sed '3s/	60	/	50	/' ok.trc >frames.trc
refuses "but the header says 50 (NumFrames): correct that number in the header" --set 'motion={file: frames.trc, markers: {q: [hip, knee]}}'
