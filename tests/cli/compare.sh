# label: values
# What `compare` says of integrators: errors are those of runs computed in 113-bit arithmetic and of a
# closed form, they fall with the order, what it names is the cheapest of its rows, and all but times has
# the same bits.
. "$SOURCE/tests/check.sh"
need python3

# read_rows: ./out as lines "NAME STEP TIME ERROR... EVALUATIONS STEPS REJECTED DRIFT"; an error below
# what the reference knows as that number.
cat >rows.py <<'END'
def rows(path):
    """[(name, step or tolerance, us, [largest, median of each quantity], evaluations, steps, rejected)]"""
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
    for error, wanted in ((errors[0], position), (errors[2], velocity)): # the largest amplitude is 1
        assert abs(error - wanted) < 0.06 * wanted + 2e-12, (name, step, error, wanted)
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
            for k in (0, 2):
                wanted = max(off[k : k + 2]) ** (1 - way) * max(finer[k : k + 2]) ** way
                assert abs(errors[k] - wanted) < 0.1 * wanted + 1e-12, (name, steps, errors[k], wanted)
assert all(n >= 2 for n in compared.values()), compared

# What is named is right to that number, and no row that is so takes less time.
text = open("pendulum").read()
known = float(text.split("differs from it by up to ")[1].split()[0])
named = 0
for line in text.split("\ncheapest\n")[1].splitlines():
    words = line.split()
    accuracy = float(words[1])
    right = [row for row in found if max(row[3]) + known <= accuracy]
    if words[2] == "none":
        assert all(max(row[3]) + known > 0.9 * accuracy for row in found), line
        continue
    time = float(words[2])
    assert time <= 1.01 * min(row[2] for row in right), line
    best = [row for row in right if f" {row[0]}" in line and abs(row[2] - time) <= 0.01 * time]
    assert best, line
    number = float(line.rstrip("}").split(":")[-1])
    assert any(abs(row[1] / number - 1) < 1e-3 for row in best), line
    named += 1
assert named >= 3, text
END

# The line that is named goes into the study as it is.
line=$(sed -n 's/^  within 1e-06 .* us  integrator: //p' pendulum)
[ -n "$line" ] || fail "nothing is named for 1e-6"
case $line in
*" and time: "*)
    sed "s/^time: {step: [^,]*/time: {step: ${line##*step: }/; s/}, end/, end/" pendulum.yaml >named.yaml
    echo "integrator: ${line%% and*}" >>named.yaml
    ;;
*) { sed 's/^time: {step: [^,]*, /time: {/' pendulum.yaml && echo "integrator: $line"; } >named.yaml ;;
esac
expect 0 "$MANYLINK" plan named.yaml

# All but times: the same for every number of threads, kernel and instruction set.
cat >chaos.yaml <<'END'
manylink: 1
system: {type: chain, segments: [{length: 1, mass: 1}, {length: 0.5, mass: 2}]}
initial: {angle: [0, 0]}
time: {step: 1e-3, end: 20}
sweep: [{set: initial.angle.1, from: 0.1, to: 3, count: 200}]
END
steady() # without times, and without what names or follows them
{
    expect 0 env "$@" compare chaos.yaml --integrators rk4,dop853 --levels 2 --kernel "$kernel"
    sed -e '/^cheapest/,$d; /^kernel/d' -e 's/^\([a-z0-9_]* *[0-9.e+-]* *\)[0-9.e+-]* */\1/' out
}
kernel=auto
steady OMP_NUM_THREADS=1 "$MANYLINK" >first
mv out chaos
grep -q 'runs       64 of 200, [1-9]' first || fail "no run is compared: $(cat first)"
grep -q '[0-9] left out: their end state is not determined, as in chaos' first || fail "chaos is not told: $(cat first)"
for kernel in auto general; do
    for isa in $(instruction_sets); do
        steady OMP_NUM_THREADS=2 MANYLINK_ISA="$isa" "$MANYLINK" >other
        diff first other || fail "other numbers with $isa, kernel $kernel"
    done
done

# Bad input, and nothing to compare.
expect 2 "$MANYLINK" compare pendulum.yaml --integrators rk4,rk5
says err "\`rk5\` is no integrator; there are: rk4, euler"
expect 2 "$MANYLINK" compare pendulum.yaml --integrators rk4,
says err "\`\` is no integrator"
expect 2 "$MANYLINK" compare pendulum.yaml --levels 1
says err "--levels 1: a whole number from 2 to 16"
expect 2 "$MANYLINK" compare chaos.yaml --set initial.angle.1=3 --set time.end=100
says err "of 1 runs 0 do not reach the end, and 1 have an end state that not even a tolerance of 1e-14 determines"
expect 1 "$MANYLINK" compare none.yaml
expect 2 "$MANYLINK" compare pendulum.yaml --set time.end=0
