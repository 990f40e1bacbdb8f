# The same motion in the kinds of text that laboratories have: the same numbers of all of them, and
# text that can be read in two ways is refused.
. "$SOURCE/tests/check.sh"
need_python

cat >arm.yaml <<'END2'
manylink: 1
system:
  type: chain
  angles: joint
  segments: [{name: upper, length: 0.31, mass: 1.93}, {name: fore, length: 0.34, mass: 1.52}]
END2
cat >variants.py <<'END2'
import math, subprocess, sys
import h5py

n = 30
time = [f"{k / 100:.3f}" for k in range(n)]
upper = [f"{0.3 * math.sin(k / 10):.6f}" for k in range(n)]
fore = [f"{1 + 12 * math.cos(k / 7):.7f}" for k in range(n)]
names = ["time", "angle/upper", "angle/fore"]
rows = list(zip(time, upper, fore))


def lines(separator=",", names=names, rows=rows, head=(), end="\n", cell=str, name=str):
    body = [separator.join(name(x) for x in names)] + [separator.join(cell(x) for x in r) for r in rows]
    return end.join(list(head) + body) + end


def quoted(x):
    return f'"{x}"'


def comma(x):
    return x.replace(".", ",")


def degrees(x):
    return repr(math.degrees(float(x)))


storage = ["arm", "version=1", f"nRows={n}", "nColumns=3", "inDegrees=no", "endheader"]
exact = {
    "commas": lines(),
    "quoted names": lines(name=quoted),
    "all quoted": lines(name=quoted, cell=quoted),
    "single quotes": lines(name=lambda x: f"'{x}'"),
    "semicolons": lines(";"),
    "tabs": lines("\t"),
    "blanks": lines(" "),
    "aligned": lines("", name=lambda x: f"{x:>15}", cell=lambda x: f"{x:>15}"),
    "comma and blank": lines(", "),
    "semicolons, decimal commas": lines(";", cell=comma),
    "tabs, decimal commas": lines("\t", cell=comma),
    "blanks, decimal commas": lines(" ", cell=comma),
    "quoted decimal commas": lines(cell=lambda x: quoted(comma(x))),
    "CRLF": lines(end="\r\n"),
    "byte order mark": "\ufeff" + lines(),
    "title": lines(head=["Subject 3, trial 2"]),
    "header of several lines": lines(
        ";", head=["Laboratory;Gait", "Date: 2024-05-01", "", "Rate: 100 Hz", "150", '"quoted; title"', ""]
    ),
    "numbers of columns in a header": lines("\t", head=["3 columns\tof 30 lines", "made by 1.2"]),
    "comment before the names": lines(head=["# made by numpy"], names=["# time"] + names[1:]),
    "comment and blanks": lines(" ", names=["#"] + names),
    "write.csv of R": lines(
        names=['""'] + [quoted(x) for x in names], rows=[(quoted(k + 1),) + r for k, r in enumerate(rows)]
    ),
    "write.table of R": lines(
        " ", names=[quoted(x) for x in names], rows=[(quoted(k + 1),) + r for k, r in enumerate(rows)]
    ),
    "separators at the end": lines(names=names + [""], rows=[r + ("",) for r in rows]),
    "no name for the last separator": lines(rows=[r + ("",) for r in rows]),
    "exponents": lines(cell=lambda x: f"{x.replace('.', '')}E-{len(x.split('.')[1])}"),
    "signs and zeros": lines(cell=lambda x: x if x[0] == "-" else "+0" + x),
    "further columns": lines(
        names=["trial", "emg 1"] + names + ["emg 1", ""], rows=[("7", "NaN") + r + ("a", "b") for r in rows]
    ),
    "another order": lines(names=names[::-1], rows=[r[::-1] for r in rows]),
    "capitals": lines(names=["TIME"] + names[1:]),
    "units below the names": lines(head=[",".join(names)], names=["s", "rad", "rad"]),
    "no line end": lines().rstrip("\n"),
    "empty lines at the end": lines() + "\n \n\r\n",
    "OpenSim": lines("\t", head=storage),
    "OpenSim, older": lines("\t", head=["name arm", "datacolumns 3", f"datarows {n}", "endheader", ""]),
}
rounded = {
    "ms": lines(names=["time [ms]"] + names[1:], rows=[(f"{k * 10}",) + r[1:] for k, r in enumerate(rows)]),
    "degrees by name": lines(
        names=["time (s)", "angle/upper (deg)", "angle/fore [deg]"],
        rows=[(t, degrees(a), degrees(b)) for t, a, b in rows],
    ),
    "degrees below the names": lines(
        head=[",".join(names)], names=["s", "deg", "°"], rows=[(t, degrees(a), degrees(b)) for t, a, b in rows]
    ),
}
wanted = [[float(x) for x in row] for row in (time, upper, fore)]
assert len(exact) + len(rounded) >= 25
for tolerance, variants in ((0.0, exact), (1e-15, rounded)):
    for what, text in variants.items():
        with open("motion.csv", "w", newline="", encoding="utf-8") as file:
            file.write(text)
        command = [sys.argv[1], "inverse", "arm.yaml", "--motion", "motion.csv", "-o", "out.h5", "-q", "--restart"]
        done = subprocess.run(command, capture_output=True, text=True)
        assert done.returncode == 0, (what, done.stderr)
        with h5py.File("out.h5") as out:
            group = out["study/inverse"]
            read = [group["time"][()], *group["angle"][()]]
        for got, numbers in zip(read, wanted):
            error = max(abs(a - b) / max(1, abs(b)) for a, b in zip(got, numbers))
            assert error <= tolerance, (what, error)
refused = {
    "has a decimal comma, but the number in line 2 a point": lines(";", rows=rows[:1] + [tuple(map(comma, rows[1]))] + rows[2:]),
    "may be a decimal comma or separate thousands": "time;angle/upper;angle/fore\n"
    + "".join(f"{k};1,{100 + k};2,345\n" for k in range(8)),
    "decimal commas? then separate columns by semicolons or tabs": lines(cell=comma),
    f"the table has 30 lines of numbers, but the header says 31 (nRows): is the file cut off?": lines(
        "\t", head=[x.replace("30", "31") for x in storage]
    ),
    "motion.csv:7:1: the table has no lines of numbers, but the header says 30 (nRows): is the file cut off?": lines(
        "\t", head=storage, rows=[]
    ),
    "motion.csv:3:1: nRows of the header is `-1` but must be the number of lines": "x\nversion=1\nnRows=-1\nendheader\n" + lines("\t"),
    "motion.csv:2:1: nRows of the header is `1e300` but": "x\nnRows=1e300\nendheader\n" + lines("\t"),
    "motion.csv:2:1: inDegrees of the header is `maybe` but must be yes or no": "x\ninDegrees=maybe\nendheader\n" + lines("\t"),
    "motion.csv:31:1: the line has 2 columns but the first line names 3: is the file cut off?": lines()[:-14],
    "motion.csv:3:7: angle/upper is `abc`": lines(rows=[rows[0], ("0.010", "abc", "1")] + rows[2:]),
    "motion.csv:2:1: time is `abc`": lines(rows=[("abc", "0", "1")] + rows[1:]),
    "this is a spreadsheet": "PK\3\4",
    "this is a C3D file whose header ends early, at byte 4": "\2P\1\0",
    "this is a MATLAB file": "MATLAB 5.0 MAT-file",
    "this is JSON; save the table as CSV": '[{"time": 0}]',
    "this is XML; save the table as CSV": '<?xml version="1.0"?>\n<mvnx version="4">\n',
    "this is a compressed file; `gunzip`": "\x1f\udc8b\b",
    "the file is empty": "\n \n",
}
for message, text in refused.items():
    with open("motion.csv", "w", newline="", errors="surrogateescape") as file:
        file.write(text)
    command = [sys.argv[1], "inverse", "arm.yaml", "--motion", "motion.csv", "-o", "no.h5"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 2 and message in done.stderr, (message, done.stderr)
END2
"$PYTHON" variants.py "$MANYLINK"
[ ! -e no.h5 ] || fail "bad input left a file"

# Below a title columns keep the names x and y; below names of markers they are the markers' coordinates.
for title in walk "two words" "a,b"; do
    printf '%s\ntime,x,y\n0,1,2\n1,2,3\n' "$title" >t.csv
    expect 0 "$MANYLINK" motion t.csv
    says out "\`x\`"
done
printf 'walk trial\ntime x y\n0 1 2\n1 2 3\n' >t.csv
expect 0 "$MANYLINK" motion t.csv
says out "\`x\`"
printf 'Trajectories\n100\n,,HIP,,,KNEE,,\nFrame,Sub Frame,X,Y,Z,X,Y,Z\n,,mm,mm,mm,mm,mm,mm\n1,0,10,20,30,40,50,60\n2,0,10,20,30,40,50,\n' >t.csv
expect 0 "$MANYLINK" motion t.csv
says out "\`HIP/z\`                        0.03 to 0.03       m"
says out "\`KNEE/z\`                       0.06 to 0.06       m  1 missing"
printf "'F' 'TIME' 'RIGHT HIP' 'KNEE'\n 'N' 'S' 'X' 'Y' 'X' 'Y'\n1 0 1 2 3 4\n2 1 5 6 7 8\n" >t.csv
expect 0 "$MANYLINK" motion t.csv
says out "\`RIGHT HIP/y\`"
says out "times: 0 to 1 s"

# A signal of an angle in degrees, by the header, comes in rad.
cat >pid.yaml <<'END2'
manylink: 1
system: {type: chain, gravity: 0, segments: [{name: upper, length: 0.3, mass: 2}]}
forces: [{name: c, type: pid, joint: upper, kp: 5, target: {type: table, file: target.sto, column: upper}}]
time: {step: 0.01, end: 1}
END2
printf 'a\nnRows=3\ninDegrees=yes\nendheader\ntime\tupper\n0\t0\n0.5\t45\n1\t90\n' >target.sto
expect 0 "$MANYLINK" run pid.yaml -o degrees.h5
printf 'time,upper\n0,0\n0.5,45*pi/180\n1,90*pi/180\n' >target.sto
expect 0 "$MANYLINK" run pid.yaml -o radians.h5
"$PYTHON" - <<'END2'
import h5py

a, b = (h5py.File(name)["study/summary/end_angle"][()] for name in ("degrees.h5", "radians.h5"))
assert abs(a - b).max() <= 1e-15 and abs(a).max() > 0.1, (a, b)
END2
