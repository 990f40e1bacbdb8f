# label: values
# What `compare` says of integrators: errors are those of runs computed in 113-bit arithmetic and of a
# closed form, they fall with the order, what it names is the cheapest of its rows, and all but times has
# the same bits.
. "$SOURCE/tests/check.sh"
need python3
need_python

# read_rows: ./out as lines "NAME STEP TIME ERROR... EVALUATIONS STEPS REJECTED DRIFT"; an error below
# what the reference knows as that number.
cat >rows.py <<'END'
def rows(path):
    """[(name, step or tolerance, us, [error, median, largest of each of 2 quantities], evaluations, steps, rejected)]"""
    out, begun = [], False
    for line in open(path):
        words = line.replace("<", " ").split()
        if begun and not words:
            break
        if begun:
            numbers = [float("nan" if w == "-" else w) for w in words[1:]]
            out.append((words[0], *numbers[:2], numbers[2:6], *numbers[6:9]))
        begun |= words[:1] == ["integrator"]
    assert out, open(path).read()
    return out
END

cat >oscillator.yaml <<'END'
manylink: 1
system: {type: mass_spring_damper, mass: [[1]], stiffness: [[4]]}
initial: {position: [1]}
time: {step: 0.01, end: 10}
sweep: [{set: initial.position.1, from: -0.5, to: 1, count: 9}]
END
expect 0 "$MANYLINK" compare oscillator.yaml --integrators rk4,euler,midpoint,heun,rk4_38,dopri54,dop853,tp86
mv out oscillator
python3 - <<'END'
# The linear oscillator of 2 rad/s: a fixed step multiplies x + i v/2 by the method's polynomial of -2 i h.
import cmath
import math
from rows import rows

orders = {"euler": 1, "midpoint": 2, "heun": 2, "rk4": 4, "rk4_38": 4}
found = rows("oscillator")
exact = cmath.exp(-20j)
for name, step, _, errors, evaluations, steps, rejected in found:
    if name not in orders:
        continue
    order = orders[name]
    n = round(steps)
    assert abs(n * step / 10 - 1) < 1e-3, name
    end = sum((-20j / n) ** k / math.factorial(k) for k in range(order + 1)) ** n
    position, velocity = abs((end - exact).real), 2 * abs((end - exact).imag)
    assert evaluations == {"heun": 2, "midpoint": 2}.get(name, order) * steps, name
    for error, wanted in ((errors[2], position), (errors[3], velocity)): # the largest amplitude is 1
        assert abs(error - wanted) < 0.06 * wanted + 1e-12, (name, step, error, wanted)
    distance = max(position / (1 + abs(exact.real)), velocity / (1 + abs(2 * exact.imag)))
    assert abs(errors[0] - distance) < 0.06 * distance + 1e-12, (name, step, errors[0], distance)
for name in dict.fromkeys(row[0] for row in found):
    ladder = [row for row in found if row[0] == name]
    assert len(ladder) == 8, name
    for before, after in zip(ladder, ladder[1:]):
        assert after[1] < before[1] and after[4] > before[4], name
        if name in orders:
            assert abs(after[1] / before[1] - 0.5) < 1e-3, name
    # Errors fall with the tolerance, from some step to step by chance more or less.
    assert name in orders or max(ladder[7][3]) < 1e-5 * max(ladder[0][3]), name
END

# convergence.json: the exact end, and that of rk4 and euler with given steps in 113-bit arithmetic.
python3 - "$SOURCE/tests/reference/convergence.json" >pendulum.yaml <<'END'
import json
import sys

case = next(c for c in json.load(open(sys.argv[1]))["cases"] if c["name"] == "dp_regular_T2")
p, x = case["params"], case["x0"]
segments = ", ".join(f"{{length: {p['l'][i]!r}, mass: {p['m'][i]!r}, com: {p['d'][i]!r}, inertia: {p['I'][i]!r}}}"
                     for i in range(2))
print(f"""manylink: 1
system: {{type: chain, angles: segment, zero: down, gravity: {-p['g'][1]!r}, segments: [{segments}]}}
initial: {{angle: [{x[0]!r}, {x[1]!r}], rate: [{x[2]!r}, {x[3]!r}]}}
time: {{step: {case['T'] / 2000!r}, end: {case['T']!r}}}""")
END
expect 0 "$MANYLINK" compare pendulum.yaml --integrators rk4,euler,tp86,verner98 --levels 9
mv out pendulum
python3 - "$SOURCE/tests/reference/convergence.json" <<'END'
import json
import math
import sys
from rows import rows

case = next(c for c in json.load(open(sys.argv[1]))["cases"] if c["name"] == "dp_regular_T2")
found, compared = rows("pendulum"), {"rk4": 0, "euler": 0}
for name in compared:
    points = sorted((row["n_steps"], [abs(a - b) for a, b in zip(row["x"], case["exact"])])
                    for row in case["rows"] if row["method"] == name and row["n_steps"] >= (640 if name == "rk4" else 2560)) # where one term rules
    for method, _, _, errors, _, steps, _ in found:
        for (n, off), (twice, finer) in zip(points, points[1:]):
            if method != name or not n <= steps < twice:
                continue
            way = math.log(steps / n) / math.log(twice / n) # between the two on a line of the logarithms
            compared[name] += 1
            for error, k in ((errors[2], 0), (errors[3], 2)):
                wanted = max(off[k : k + 2]) ** (1 - way) * max(finer[k : k + 2]) ** way
                assert abs(error - wanted) < 0.1 * wanted + 1e-12, (name, steps, error, wanted)
assert all(n >= 2 for n in compared.values()), compared

# What is named is right to that number, and no row that is so takes less time.
text = open("pendulum").read()
known = float(text.split(" from either's mean")[0].split()[-1])
assert 0 < known < 1e-14, known
named = 0
lines = text.split("\ncheapest\n")[1].splitlines()
while lines:
    words = lines.pop(0).split()
    accuracy = float(words[1])
    right = [row for row in found if row[3][0] + known <= accuracy]
    if words[2] == "none":
        assert all(row[3][0] + known > 0.9 * accuracy for row in found), words
        continue
    time, keys = float(words[2]), " ".join(words[4:])
    assert time <= 1.01 * min(row[2] for row in right), keys
    open(f"named.{words[1]}", "w").write(keys + "\n" + lines.pop(0).strip() + "\n")
    assert any(row[0] in keys and abs(row[2] - time) <= 0.01 * time for row in right), keys
    named += 1
assert named == 4, text
END

# What is named goes into the study as it is, and its end is then within that of the exact one.
for named in named.*; do
    { sed '/^time:/d' pendulum.yaml && cat "$named"; } >"study.$named.yaml"
    expect 0 "$MANYLINK" run "study.$named.yaml" -o "$named.h5"
    expect 0 "$MANYLINK" table "$named.h5"
    mv out "$named.csv"
done
python3 - "$SOURCE/tests/reference/convergence.json" <<'END'
import csv
import glob
import json
import sys

case = next(c for c in json.load(open(sys.argv[1]))["cases"] if c["name"] == "dp_regular_T2")
for name in glob.glob("named.*.csv"):
    accuracy = float(name[6:-4])
    row = next(csv.DictReader(open(name)))
    end = [float(value) for key, value in row.items() if key.startswith(("end_angle", "end_rate"))][:4]
    error = max(abs(x - y) / (1 + abs(y)) for x, y in zip(end, case["exact"]))
    assert error <= accuracy, (name, error)
END

# A stiff study has an implicit reference, which is right: decay at rates of 1e5 and 1 per second.
cat >stiff.yaml <<'END'
manylink: 1
system: {type: mass_spring_damper, mass: [[1]], stiffness: [[1e5]], damping: [[1e5]]}
initial: {position: [1]}
time: {step: 1e-5, end: 0.5}
END
expect 0 "$MANYLINK" compare stiff.yaml --integrators rodas4,dopri54 --levels 3
mv out stiff
grep -q 'reference  rodas4 at tolerance 1e-13; rodas4 at 1e-12' stiff || fail "no implicit reference: $(cat stiff)"
grep -q 'within 1e-06 .*rodas4' stiff || fail "rodas4 is not the cheapest"

# What is not timed is told, and runs that an event ends are compared at their ends.
cat >event.yaml <<'END'
manylink: 1
system: {type: chain, segments: [{length: 1, mass: 1}]}
initial: {angle: [1]}
time: {step: 0.01, end: 5}
sweep: [{set: initial.angle.1, from: 0.5, to: 1, count: 5}]
events: [{name: below, when: angle.1, crosses: 0, stop: true}]
analyse: {lyapunov: {exponents: 1, transient: 0}}
END
expect 0 "$MANYLINK" compare event.yaml --integrators rodas4,tsit54 --levels 4
says out 'without the 1 tangent vector of the study'
! grep -q 'rodas4 is not for this study' out || fail "carries tangent vectors of chains: $(cat out)"
python3 - <<'END'
from rows import rows

for name, tolerance, _, errors, *_ in rows("out"):
    assert errors[2] < 1e-11, (name, tolerance, errors) # the angle is 0 there
END

# All but times: the same for every number of threads, kernel and instruction set.
cat >chaos.yaml <<'END'
manylink: 1
system: {type: chain, segments: [{length: 1, mass: 1}, {length: 0.5, mass: 2}]}
initial: {angle: [0, 0]}
time: {step: 1e-3, end: 10}
sweep: [{set: initial.angle.1, from: 2, to: 3, count: 200}]
END
steady() # without times, and without what names or follows them
{
    expect 0 env "$@" --integrators rk4,tsit54 --levels 2
    sed -e '/^cheapest/,$d; /^kernel/d' -e 's/^\([a-z0-9_]* *[0-9.e+-]* *\)[0-9.e+-]* */\1/' out
}
steady "$MANYLINK" compare chaos.yaml >first
mv out chaos
grep -q 'within 1e-12  unknown: the reference is exact to [0-9.]*e-[01][0-9] only, and not to a hundredth' chaos ||
    fail "names a method for what the reference does not know: $(cat chaos)"
grep -q 'runs       64 of 200, [1-9]' first || fail "no run is compared: $(cat first)"
grep -q '[0-9] left out: their end state is not determined to 1e-0[5-8], as in chaos' first || fail "chaos is not told: $(cat first)"
short="compare chaos.yaml --set time.end=2"
# shellcheck disable=SC2086 # words of no user
{
    steady OMP_NUM_THREADS=1 "$MANYLINK" $short --kernel auto >first
    for isa in $(instruction_sets); do
        steady OMP_NUM_THREADS=2 MANYLINK_ISA="$isa" "$MANYLINK" $short >other
        diff first other || fail "other numbers with $isa"
    done
    steady OMP_NUM_THREADS=2 "$MANYLINK" $short --kernel general >other
}
diff first other || fail "other numbers with the general kernel"

# Splitting methods are taken where the study has their form, in which verlet has order 2, and with the
# summation of the study.
cat >heiles.yaml <<'END'
manylink: 1
system: {type: henon_heiles}
initial: {x: 0.1, px: 0.3}
integrator: {type: rk4, summation: compensated}
time: {step: 0.1, end: 20}
sweep: [{set: initial.y, from: -0.1, to: 0.2, count: 4}]
END
expect 0 "$MANYLINK" compare heiles.yaml --integrators verlet,yoshida4 --levels 8
says out 'summation: compensated}'
python3 - <<'END'
import math

orders = {"verlet": 2, "yoshida4": 4}
errors = {name: [] for name in orders}
for line in open("out"):
    words = line.split()
    if words and words[0] in orders:
        errors[words[0]].append(float(words[3].lstrip("<")))
for name, order in orders.items():
    seen = math.log2(errors[name][-2] / errors[name][-1])
    assert len(errors[name]) == 8 and abs(seen - order) < 0.1, (name, seen)
END

# Steps at which the sweeps of a method do not converge are told, and not named.
expect 0 "$MANYLINK" compare heiles.yaml --integrators gauss6 --levels 6
python3 - <<'END'
text = open("out").read()
rows = [line for line in text.splitlines() if line.startswith("gauss6 ")]
unconverged = [line for line in rows if "sweeps not converged: " in line]
assert 1 <= len(unconverged) < len(rows) == 6, text
assert rows[:len(unconverged)] == unconverged, text # the longest steps
steps = {str(round(float(line.split()[8]))) for line in unconverged}
named = {words.split("steps: ")[1].rstrip("}") for words in text.split("cheapest")[1].splitlines() if "steps: " in words}
assert named and not steps & named, (steps, named)
END

# The file has the table, opens everywhere, and is drawn.
expect 0 "$MANYLINK" compare oscillator.yaml --integrators rk4,tp86 --levels 4 -o written.h5
mv out written
expect 2 "$MANYLINK" compare oscillator.yaml --integrators verlet
says err "verlet is for systems of the form x'' = F(x, t), without friction, and mass_spring_damper here is no such system"
[ -n "$SANITIZE" ] || {
    "$PYTHON" - <<'END' || fail "the file is not the table"
import sys

import h5py
from rows import rows

with h5py.File("written.h5") as file:
    group = file["study/precision"]
    names = list(group["integrator"].asstr()[()])
    seen = {name: 0 for name in names}
    for name, step, time, errors, evaluations, steps, rejected in rows("written"):
        at = names.index(name), seen[name]
        seen[name] += 1
        key = "tolerance" if name == "tp86" else "step"
        known = group["reference_difference"][()]
        for dataset, value in ((key, step), ("error", errors[0]), ("error_position", errors[2]), ("evaluations", evaluations),
                               ("cpu_time", 1e-6 * time), ("rejected_steps", rejected)):
            assert abs(group[dataset][at] - value) <= 0.06 * abs(value) + known, (name, dataset, value)
    assert set(seen.values()) == {4}, seen
    view = file[f"study/{file['study'].attrs['default']}"]
    for name in names: # each curve goes through its own points
        curve = dict(zip(view["cpu_time"][()], view[name][()]))
        for time, error in zip(group["cpu_time"][names.index(name)], group["error"][names.index(name)]):
            assert abs(curve[time] - max(error, known)) <= 1e-12 * error, (name, time, curve[time], error)
END
    for check in "view_result.py written.h5" "check_viewers.py written.h5 rk4 cpu_time"; do
        # shellcheck disable=SC2086 # words of no user
        "$PYTHON" "$SOURCE"/tests/results/$check || fail "$check: viewers do not open it"
    done
}
expect 0 "$MANYLINK" info written.h5
grep -q 'error  *2 x 4' out || fail "info: $(cat out)"
expect 0 "$MANYLINK" plot written.h5 --script drawn
grep -q 'set logscale xy' drawn/plot.gp || fail "not on logarithmic axes"
grep -q "^set xlabel .CPU time per run (s)" drawn/plot.gp || fail "x axis: $(grep xlabel drawn/plot.gp)"
[ "$(wc -c <drawn/data.bin)" = $((8 * 2 * 8)) ] || fail "not a point for every row"
expect 2 "$MANYLINK" plot written.h5 eror
says err 'did you mean `error`'
expect 2 "$MANYLINK" plot written.h5 --by integrator
says err 'is a comparison of integrators'
expect 2 "$MANYLINK" table written.h5
says err 'written.h5: is a comparison of integrators, and has no runs: tables are of'
expect 2 "$MANYLINK" export written.h5 -o written.csv
says err 'written.h5: is a comparison of integrators, and has no runs: exported are'
expect 0 "$MANYLINK" run event.yaml -o run.h5
expect 2 "$MANYLINK" compare oscillator.yaml --integrators rk4 --levels 2 -o run.h5
says err 'run.h5: is there already, and is no result of compare'

# Bad input, and nothing to compare.
expect 2 "$MANYLINK" compare pendulum.yaml --integrators rk4,rk5
says err "\`rk5\` is no integrator; there are: rk4, euler"
expect 2 "$MANYLINK" compare pendulum.yaml --integrators rk4,
says err "\`\` is no integrator"
expect 2 "$MANYLINK" compare pendulum.yaml --levels 1
says err "--levels 1: a whole number from 2 to 16"
expect 2 "$MANYLINK" compare chaos.yaml --set initial.angle.1=3 --set time.end=30
says err "of 1 runs 0 do not reach the end, and 1 have an end state that not even a tolerance of 3e-16 determines"
expect 2 "$MANYLINK" compare none.yaml
expect 2 "$MANYLINK" compare pendulum.yaml --set time.end=0
