# Points of a file: the numbers of CSV and HDF5 in the units of their keys, by paths and by names, below a grid, in the order of
# Saltelli's design, from shards; another number is another study; what a file cannot have.
. "$SOURCE/tests/check.sh"
need_python

cat >paths.yaml <<'END'
manylink: 1
system: {type: chain, segments: [{name: upper, length: 1, mass: 2}, {name: lower, length: 0.5, mass: 1}]}
time: {step: 1e-3, end: 0.2}
sample: {file: points.csv}
END
sed '$d' paths.yaml >names.yaml
cat >>names.yaml <<'END'
sweep: [{set: initial.rate.upper, values: [0, 1, 2]}]
sample:
  file: points.h5
  over:
    - {set: initial.angle.upper, column: /start/angle}
    - {set: [system.segments.upper.mass, system.segments.lower.mass], scale_by: {column: factor}}
END
"$PYTHON" - <<'END'
import h5py
import numpy as np
rng = np.random.default_rng(1)
angle, mass = rng.uniform(-90, 90, 100), rng.uniform(1, 2, 100)
np.save("numbers.npy", (angle, mass))
with open("points.csv", "w", newline="") as file:
    file.write("initial.angle.upper (deg);system.segments.lower.mass (g)\r\n")
    file.writelines(f"{a!r};{1000*m!r}\r\n".replace(".", ",") for a, m in zip(angle.tolist(), mass.tolist()))
with h5py.File("points.h5", "w") as file:
    file["start/angle"], file["factor"], file["name"] = angle, mass, "points"
    file["start/angle"].attrs["units"] = "deg"
END
expect 0 "$MANYLINK" run paths.yaml --no-accuracy
expect 0 "$MANYLINK" run names.yaml --no-accuracy
"$PYTHON" - <<'END'
import h5py
import numpy as np
angle, mass = np.load("numbers.npy")
paths, names = h5py.File("paths.h5")["study/runs"], h5py.File("names.h5")["study/runs"]
assert np.array_equal(paths["initial.angle.upper"], angle*(np.pi/180))
assert np.allclose(paths["system.segments.lower.mass"], mass, rtol=3e-16, atol=0)
assert np.array_equal(names["initial.angle.upper"], np.tile(angle*(np.pi/180), 3))
assert np.array_equal(names["system.segments.upper.mass"], np.tile(2*mass, 3))
assert h5py.File("names.h5")["study/summary/max_rate"].shape == (3, 100, 2)
END
for k in 0 1; do
    expect 0 "$MANYLINK" run names.yaml --no-accuracy --shard $k/2 -o part$k.h5
done
expect 0 "$MANYLINK" merge part0.h5 part1.h5 -o merged.h5
same merged.h5 names.h5
for name in paths names; do
    "$PYTHON" -c 'import h5py, sys; print(h5py.File(sys.argv[1])["study/resolved"].asstr()[()])' $name.h5 >resolved.yaml
    expect 0 "$MANYLINK" run resolved.yaml --no-accuracy -o $name.h5
    says out "finished already"
done
expect 0 "$MANYLINK" plan names.yaml
says out "300 (points of a file at each point of a grid)"
says out "with the points of the sample"

# Line ends make no other study, a number does.
tr -d '\r' <points.csv >lf && mv lf points.csv
expect 0 "$MANYLINK" run paths.yaml --no-accuracy
says out "finished already"
sed -i '$s/;1/;2/' points.csv
expect 2 "$MANYLINK" run paths.yaml --no-accuracy
says err "belongs to another study"

# Rows in the order of Saltelli's design have the indices of the sample itself.
cat >drawn.yaml <<'END'
manylink: 1
system: {type: equations, kind: map, parameters: {x: 0, y: 0}, state: {f: 0}, next: {f: sin(x) + 7*sin(y)^2 + x*y}}
time: {steps: 1}
sample: {method: sobol, count: 64, design: saltelli, over: [{set: system.x, from: 0, to: 1}, {set: system.y, from: -1, to: 1}]}
END
expect 0 "$MANYLINK" run drawn.yaml
sed '$d' drawn.yaml >listed.yaml
echo 'sample: {file: drawn.h5, design: saltelli, over: [{set: system.x, column: /study/runs/system.x}, {set: system.y, column: /study/runs/system.y}]}' >>listed.yaml
expect 0 "$MANYLINK" run listed.yaml
expect 0 "$MANYLINK" sensitivity drawn.h5 end_f
cp out drawn
expect 0 "$MANYLINK" sensitivity listed.h5 end_f
cmp out drawn
expect 2 "$MANYLINK" plan listed.yaml --set sample.design=saltelli --set sample.second_order=true
says err "cannot make design \`saltelli\` of the file: 2 inputs and 256 rows do not fit"

# Rows in another order have none: of runs drawn at random, of the second order, and of trajectories that do not move one by one.
for design in saltelli morris; do
    echo "sample: {file: rows.csv, design: $design}" | cat drawn.yaml - | sed 4d >rows.yaml
    printf 'system.x,system.y\n1,2\n%s\n%s\n3,4\n' 3,2 1,4 >rows.csv
    test $design = saltelli || sed -i 4d rows.csv
    expect 0 "$MANYLINK" plan rows.yaml
    sed -i 's/^3,2/3,1/' rows.csv
    expect 2 "$MANYLINK" plan rows.yaml
    says err "rows.yaml:4:34: row 2 of the file is not in the order of design \`$design\`"
done
printf '%s\n' system.x,system.y 1,2 3,2 1,4 1,4 3,2 3,4 5,6 7,6 5,8 5,8 7,6 7,8 >rows.csv
expect 2 "$MANYLINK" plan rows.yaml --set sample.design=saltelli
says err "row 2 of the file is not in the order of design \`saltelli\`, which docs/sampling.md describes; correct the order, \`second_order\` or \`group\`"
expect 0 "$MANYLINK" plan rows.yaml --set sample.design=saltelli --set sample.second_order=true

# One column with its unit in the header, and times of runs as columns.
printf 'initial.angle.upper (deg)\n90\n-90\n' >points.csv
expect 0 "$MANYLINK" plan paths.yaml
says out "from -1.5708 to 1.5708 rad"
printf 'time.end,initial.angle.upper\n0.1,1\n0.2,2\n' >points.csv
sed 's/step: 1e-3/steps: 100/' paths.yaml >times.yaml
expect 0 "$MANYLINK" plan times.yaml

# refused TEXT of the file, message
refused() {
    printf "$1" >points.csv
    expect 2 "$MANYLINK" plan paths.yaml
    says err "$2"
}
refused 'initial.angle.upper,system.segments.lower.mass\n1,2\n3\n' "points.csv:3:1: the line has 1 column but the first line names 2"
refused 'initial.angle.upper\n1\nnan\n' "points.csv:3:1: initial.angle.upper is \`nan\`: a number must be finite"
refused 'system.segments.lower.mass\n1\n-1\n' "points.csv:3:1: column \`system.segments.lower.mass\` has -1 in row 2"
refused 'initial.angle.uper\n1\n' "paths.yaml:4:16: column \`initial.angle.uper\` of the file is no key of this study"
refused 'initial.angle.upper (N),initial.rate.upper\n1,2\n' "is in N, but the key is in rad"
refused 'initial.angle.upper\n' "points.csv:1:1: the table has no samples"
rm points.csv
expect 2 "$MANYLINK" plan paths.yaml
says err "paths.yaml:4:16: cannot read the points: No such file or directory"
expect 2 "$MANYLINK" plan names.yaml --set sample.over.1.scale_by.column=factors
says err "points.h5 has no dataset \`factors\`"
expect 2 "$MANYLINK" plan paths.yaml --set sample.file=points.h5
says err "column \`factor\` of the file is no key of this study"
expect 2 "$MANYLINK" plan paths.yaml --set sample.file=paths.h5
says err "the file has no datasets of numbers in one dimension outside of groups"
"$PYTHON" -c 'import h5py; h5py.File("points.h5", "a")["factor"].attrs["units"] = "furlong"'
expect 2 "$MANYLINK" plan names.yaml
says err "points.h5 is in furlong, but the key is in no unit"
"$PYTHON" -c 'import h5py; h5py.File("points.h5", "a")["factor"].attrs["units"] = "1"'
expect 0 "$MANYLINK" plan names.yaml
expect 2 "$MANYLINK" plan names.yaml --set sample.over.0.column=name
says err "points.h5 has no dataset \`name\` of numbers in one dimension"
expect 2 "$MANYLINK" plan names.yaml --set sample.method=random
says err "key \`method\` excludes \`file\`"
"$PYTHON" - <<'END'
import h5py
with h5py.File("points.h5", "a") as file:
    file["factor"][7] = float("nan")
END
expect 2 "$MANYLINK" plan names.yaml
says err "has nan in row 8"
says err "leave rows without a number out"
"$PYTHON" - <<'END'
import h5py
with h5py.File("points.h5", "a") as file:
    del file["factor"]
    file["factor"] = [1.0]
END
expect 2 "$MANYLINK" plan names.yaml
says err "has 1 numbers, but the column before 100"

# A unit that tables do not know is that of the key.
for name in 'system.segments.lower.inertia (kg m^2)' 'system.segments.lower.inertia [kg m^2]' system.segments.lower.inertia; do
    printf '%s\n0.1\n0.2\n' "$name" >points.csv
    expect 0 "$MANYLINK" run paths.yaml --no-accuracy --restart -o "inertia.h5"
done
printf 'I (kg m^2)\n0.1\n0.2\n' >points.csv
sed '$s/}/, over: [{set: system.segments.lower.inertia, column: I}]}/' paths.yaml >over.yaml
expect 0 "$MANYLINK" run over.yaml --no-accuracy
printf 'system.segments.lower.inertia (g cm^2)\n0.1\n' >points.csv
expect 2 "$MANYLINK" plan paths.yaml
says err 'column `system.segments.lower.inertia` of ./points.csv is in g cm^2, but the key is in kg m^2'

# Curves of a file are as long as those of the design; a single value is no design of one at a time.
echo 'sample: {file: rows.csv, design: fast}' | cat drawn.yaml - | sed 4d >rows.yaml
"$PYTHON" -c 'print("system.x,system.y\n" + "1,2\n"*128, end="")' >rows.csv
expect 2 "$MANYLINK" plan rows.yaml
says err "rows.yaml:4:34: the rows for each input of design \`fast\` must be from 65"
"$PYTHON" -c 'print("system.x,system.y\n" + "1,2\n"*130, end="")' >rows.csv
expect 0 "$MANYLINK" plan rows.yaml
sed 's/method: sobol, count: 64, design: saltelli/count: 1, design: oat/' drawn.yaml >rows.yaml
expect 2 "$MANYLINK" plan rows.yaml
says err 'count of design `oat` must be 2 at least'

# A file of several pieces of 16 MiB: its numbers, blank lines at its end, and mistakes in a later piece.
cat >long.yaml <<'END'
manylink: 1
system: {type: equations, kind: map, parameters: {x: 0, y: 0}, state: {f: 0}, next: {f: x + y}}
time: {steps: 1}
accuracy: off
sample: {file: long.csv, over: [{set: system.x, column: x}, {set: system.y, column: y}]}
END
"$PYTHON" - <<'END'
import numpy as np
x, y = np.random.default_rng(2).normal(size=(2, 20000))
np.save("long.npy", (x, y))
def write(name, rows, end=""):
    with open(name, "w", newline="") as file:
        file.write("x,label,y\r\n" + "".join(rows) + end)
label = "l\u00e4nger" * 200
rows = [f"{a!r},{label},{b!r}\r\n" for a, b in zip(x.tolist(), y.tolist())]
write("long.csv", rows, " \r\n" * 3)
write("wrong.csv", rows[:18000] + ["1,,nan\r\n"] + rows[18000:])
write("short.csv", rows + ["1,"])
write("line.csv", rows + ["1," + "a" * (1 << 25) + ",2\r\n"])
write("byte.csv", rows[:18000] + ["1,\x07,2\r\n"] + rows[18000:])
END
expect 0 "$MANYLINK" run long.yaml
"$PYTHON" - <<'END'
import h5py
import numpy as np
x, y = np.load("long.npy")
f = h5py.File("long.h5")
assert np.array_equal(f["study/runs/system.x"], x) and np.array_equal(f["study/runs/system.y"], y)
END
for wrong in 'wrong/18002:4: y is `nan`' 'short/20002:1: the line has 2 columns' 'line/20002:1: cannot read a line of more than 16 MiB' \
    'byte/18002:3: a control character (U+0007)'; do
    expect 2 "$MANYLINK" plan long.yaml --set sample.file=${wrong%%/*}.csv
    says err "${wrong%%/*}.csv:${wrong#*/}"
done
