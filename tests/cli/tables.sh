# Numbers of forces that follow a table beside the study: found from its folder, part of what the
# study is, the same as what they were made from; what is wrong with one is said.
. "$SOURCE/tests/check.sh"
need_python

mkdir study
cat >study/arm.yaml <<'END'
manylink: 1
system: {type: chain, gravity: 0, angles: joint, segments: [{name: upper, length: 0.3, mass: 2}, {name: fore, length: 0.3, mass: 1}]}
forces:
  - {name: shoulder, type: torque, joint: upper, value: {type: table, file: torque.csv}}
  - {name: elbow, type: pid, joint: fore, target: {type: table, file: both.csv, column: angle (fore), scale: 0.5}, kp: 5}
time: {step: 0.01, end: 1}
sweep: [{set: forces.shoulder.value.scale, from: 0.5, to: 2, count: 4}]
analyse: {sensitivity: {to: [forces.shoulder.value.scale, forces.elbow.target.scale]}}
END

# torque TEXT..., both TEXT...: tables of these lines
torque()
{
    printf '%s\n' "$@" >study/torque.csv
}

both()
{
    printf '%s\n' "$@" >study/both.csv
}

torque time,torque 0,0 0.25,0.1 1,-0.1
both 'angle (fore),time,label,torque' '0,-1,a,0' '1,0.5,b,0' '0.5, 2 ,c,0'
expect 0 "$MANYLINK" run study/arm.yaml
expect 0 "$MANYLINK" evaluate study/arm.yaml --check-derivatives
isas=$(instruction_sets)
for isa in $isas; do
    expect 0 env MANYLINK_ISA="$isa" "$MANYLINK" run study/arm.yaml -o again.h5
    same arm.h5 again.h5
    rm again.h5
done
expect 0 "$MANYLINK" run study/arm.yaml -o absolute.h5 --set forces.shoulder.value.file="$PWD/study/torque.csv"

# The resolved text is the same study; another table makes another one, and the result says which.
expect 0 "$MANYLINK" run study/arm.yaml
says out "finished already"
"$PYTHON" -c 'import h5py; print(h5py.File("arm.h5")["study/resolved"].asstr()[()])' >study/resolved.yaml
expect 0 "$MANYLINK" run study/resolved.yaml -o arm.h5
says out "finished already"
torque time,torque 0,0 0.25,0.1 1,-0.1001
expect 2 "$MANYLINK" run study/arm.yaml
says err "another study"
says err "# value: XXH3 (64 bits) of the file"

# A table of a straight line is the ramp.
torque time,torque 0,1 0.12,1.24 1,3
sed 's/type: table, file: torque.csv/type: ramp, from: 1, to: 3, duration: 1/; s/scale, from: 0.5, to: 2, count: 4/from, values: [1]/; /^analyse/d' \
    study/arm.yaml >study/ramp.yaml
sed 's/from: 0.5, to: 2, count: 4/values: [1]/; /^analyse/d' study/arm.yaml >study/line.yaml
expect 0 "$MANYLINK" run study/ramp.yaml
expect 0 "$MANYLINK" run study/line.yaml
"$PYTHON" - <<'END'
import h5py

a, b = (h5py.File(name)["study/summary/end_angle"][()] for name in ("ramp.h5", "line.h5"))
error = abs(a - b).max()
assert error < 1e-14, error
END

# refuses TEXT [OPTIONS]: exit code 2, these words, nothing written.
refuses()
{
    text=$1
    shift
    expect 2 "$MANYLINK" run study/arm.yaml -o no.h5 "$@"
    says err "$text"
    [ ! -e no.h5 ] && [ ! -e no.h5.parts ] || fail "bad input left a file"
}

place=forces.shoulder.value
refuses "study/arm.yaml:4:77: the times of study/torque.csv are 0 to 1 s but must cover those of the study, 0 to 1.5 s" \
    --set time.end=1.5
refuses "those of the study, -0.5 to 1 s" --set time.start=-0.5
refuses "file is \`none.csv\`: No such file" --set $place.file=none.csv
refuses "file is \`.\`: Is a directory" --set $place.file=.
refuses "column is \`torqe\`, but study/both.csv has no such values; the nearest is \`torque\`" \
    --set $place.file=both.csv --set $place.column=torqe
refuses "column is \`time\`, but study/both.csv has no such values" \
    --set $place.file=both.csv --set $place.column=time
refuses "study/arm.yaml:4:57: key \`column\` is missing: study/torque.csv has 2 columns besides \`time\`, such as \`b\`" \
    --set "$(torque b,time,c 1,0,1 1,1,1)time.end=1"
refuses "scale is 10000000000000 but must be >= -1e+12" --set $place.scale=1e13
expect 2 "$MANYLINK" run study/arm.yaml --set "sweep=[{set: $place.file, values: [1]}]"
says err "is not a number of this study"

torque time,torque 0,1
refuses "study/torque.csv:2:1: a curve needs two samples at least; the table has one"
torque time,torque
refuses "study/torque.csv:1:1: the table has no samples"
torque time 0 1
refuses "study/torque.csv:1:1: the only column is \`time\`"
torque 0,1 1,2
refuses "study/torque.csv:1:1: the first line has numbers and no names; put a line above it that names the columns, such as time,value"
torque t,torque 0,1 1,2
refuses "study/torque.csv:1:1: column \`time\` is missing"
torque time,torque,torque 0,1,1 1,2,1
refuses "study/torque.csv:1:13: column \`torque\` appears twice" --set $place.column=torque
torque time,torque 0,1 0.5,2 0.5,3 0.4,1 1,2
refuses "study/torque.csv:4:1: time is 0.5 but must be greater than in the line before, 0.5"
says err "study/torque.csv:5:1: time is 0.4 but must be greater"
torque time,torque 0,nan 0.5, 0.7,x 0.8 1,1e13
refuses "study/torque.csv:2:3: torque is \`nan\`: a number must be finite"
says err "study/torque.csv:3:5: torque is missing"
says err "study/torque.csv:4:5: torque is \`x\`"
says err "study/torque.csv:5:1: the line has 1 column but the first line names 2"
says err "study/torque.csv:6:3: torque is 10000000000000 but must be >= -1e+12 and <= 1e+12 N m"
torque time,torque 0,1 1e-300,2 1,3
refuses "study/torque.csv:3:1: time is 1e-300, too close to the time of the line before for a smooth curve"
: >study/torque.csv
refuses "study/torque.csv:1:1: the file is empty; a line names the columns: time,value"
printf 'time,torque\n0,\377\n' >study/torque.csv
refuses "study/torque.csv:2:3: byte 0xFF is not valid UTF-8"

# Mistakes of a table that several joints share are told once.
torque time,torque 0,1 0,1
expect 2 "$MANYLINK" run study/arm.yaml --set forces.elbow.target='{type: table, file: torque.csv}'
[ "$(grep -c '^study/torque.csv:' err)" = 1 ] || fail "a mistake is told twice"
