# Motions of files as the key `motion` of a study says where they are: columns, markers, units, signs,
# gaps; the angles are those that the files were made of, and a result knows its motion again.
. "$SOURCE/tests/check.sh"
need_python

cp "$SOURCE/tests/cli/motion_files.py" .
"$PYTHON" motion_files.py "$MANYLINK"

# Merged, verified and resumed by the resolved text and the path.
cat >leg.yaml <<'END2'
manylink: 1
system: {type: chain, segments: [{name: thigh, length: 0.4, mass: 7}, {name: shank, length: 0.4, mass: 3}]}
sweep: [{set: system.segments.shank.mass, values: [3, 4]}]
motion: {file: leg.trc, markers: {thigh: [R.HIP, R.KNEE], shank: [R.KNEE, "R ANKLE"]}, plane: [-x, y], gaps: {spline: 0.2}, base: R.HIP}
END2
expect 0 "$MANYLINK" inverse leg.yaml -o whole.h5
for shard in 0 1; do
    expect 0 "$MANYLINK" inverse leg.yaml -o part-$shard.h5 --shard $shard/2
done
expect 0 "$MANYLINK" merge part-0.h5 part-1.h5 -o merged.h5
same whole.h5 merged.h5
expect 0 "$MANYLINK" verify whole.h5
mkdir elsewhere
mv leg.trc elsewhere
expect 2 "$MANYLINK" verify whole.h5
expect 0 "$MANYLINK" verify whole.h5 --motion elsewhere/leg.trc
expect 0 "$MANYLINK" inverse leg.yaml --motion elsewhere/leg.trc -o whole.h5
says out "finished already"
"$PYTHON" -c 'import h5py; print(h5py.File("whole.h5")["study/resolved"].asstr()[()])' >resolved.yaml
expect 0 "$MANYLINK" inverse resolved.yaml --motion elsewhere/leg.trc -o whole.h5
says out "finished already"
expect 2 "$MANYLINK" inverse resolved.yaml -o no.h5
says err "no motion; name a file"

# What export writes is read: .csv and .sto.
for ending in csv sto; do
    expect 0 "$MANYLINK" export whole.h5 --run 1 -o out.$ending
    sed '/^sweep/d; s/^motion.*//; s/mass: 3/mass: 4/' leg.yaml >again.yaml
    expect 0 "$MANYLINK" inverse again.yaml --motion out.$ending -o again-$ending.h5
    expect 0 "$MANYLINK" export again-$ending.h5 -o again.csv
    "$PYTHON" - <<'END2'
import csv

a, b = (list(csv.DictReader(open(name))) for name in ("out.csv", "again.csv"))
assert len(a) == len(b)
for p, q in zip(a, b):
    for name in ("torque/thigh", "torque/shank", "base/x"):
        assert abs(float(p[name]) - float(q[name])) < 1e-9, (name, p[name], q[name])
END2
done
expect 2 "$MANYLINK" inverse leg.yaml --motion whole.h5 -o no.h5
says err "is a result, with the angles of its study; leave out the keys of \`motion\` besides \`file\`"

# Names longer than any of a marker's: no landmarks, and read once each.
"$PYTHON" - <<'END2'
with open("long.csv", "w") as file:
    file.write("t," + ",".join("rkne" + 20000 * "l" + c for c in "xy") + ",hipx,hipy\n")
    file.writelines(f"{0.01 * i},1,2,3,{4 + i}\n" for i in range(20))
END2
if [ -z "$SANITIZE" ]; then
    (ulimit -v 500000 && expect 0 "$MANYLINK" motion long.csv)
    ! grep -q 'markers:' out || fail "a long name is a landmark: $(cut -c 1-200 out)"
fi
