# Units behind numbers: values against exact fractions; what they clash with; sums of unlike ones.
. "$SOURCE/tests/check.sh"
need_python

"$PYTHON" "$SOURCE/tests/cli/units.py" make >units.yaml
expect 0 "$MANYLINK" run units.yaml --no-accuracy
"$PYTHON" "$SOURCE/tests/cli/units.py" check

# The same study with and without units has the same bits.
cat >plain.yaml <<'END'
manylink: 1
define: {L: 0.3}
system: {type: chain, gravity: 9.81, segments: [{name: upper, length: L, mass: 0.25}, {name: lower, length: 0.5, mass: 1}]}
forces:
  - {name: pull, type: formula, joint: lower, torque: "-0.02*rate.lower + 0.5*where(t < 0.25, 1, 0)"}
quantities: {reach: end_position.lower.x + 0.1}
time: {step: 2e-3, end: 60}
save: {trajectory: {every: 100, quantities: [angle, reach]}}
END
sed -e 's/L: 0.3/L: 30 cm/; s/gravity: 9.81/gravity: 9.81 m\/s^2/; s/mass: 0.25/mass: 250 g/; s/length: 0.5/length: 500 mm/' \
    -e 's/0.02\*/20 mN m s\/rad*/; s/t < 0.25/t < 250 ms/; s/[.]x + 0.1/.x + 10 cm/; s/2e-3/2 ms/; s/60}/1 min}/' plain.yaml >with.yaml
for name in plain with; do
    expect 0 "$MANYLINK" run $name.yaml --no-accuracy --kernel general
    [ ! -s err ] || fail "$(cat err)"
    "$PYTHON" -c "import h5py, sys; sys.stdout.buffer.write(h5py.File('$name.h5')['study/trajectories/reach'][...].tobytes())" >$name.bin
done
cmp plain.bin with.bin || fail "units change a number"

# Unlike units are told once, where both are known.
cat >unlike.yaml <<'END'
manylink: 1
define: {w: {value: 3, unit: rad/s}}
system:
  type: equations
  parameters: {k: {value: 3, unit: N/m}, m0: 2 kg, l: {value: 5, unit: mm}, theta: {count: 3, value: 0.1 m}}
  state: {x: {value: 1, unit: m}, v: 3.6 km/h}
  functions: {late(a): a + t}
  rates:
    x: v + x/t
    v: -k*(x - 0.1 m)/m0 - 9.81 m/s^2 + k*x + sum(i, 1, 3, theta[i] + v)
quantities:
  fine: x^2 + 3*t + 2 m*x - (x - v*t)*(2 m)^2/(1 m) + 0.5 J/k/x*late2
  late2: {formula: x + 5 cm, unit: m}
  clock: t + late2
  kinds: "where(x < v or t > 2 min, 30 deg + 1 m, hypot(x, t) + v)"
time: {start: 0.5, step: 1e-3, end: 1}
END
sed -i 's/late(a): a + t/late(a): a + t + l/; s/: v + x\/t/: v + x\/t + late(0)*0 + (l + x)*w/' unlike.yaml
expect 0 "$MANYLINK" plan unlike.yaml
cp err told
"$PYTHON" - <<'END'
told = [line.split(": note: ") for line in open("told").read().splitlines()]
told = [(place.split(":", 1)[1], what.rsplit("`: ", 1)[1]) for place, what in told]
known = []
text = open("unlike.yaml").read().splitlines()


def at(line, part, sign, what):
    known.append((f"{line}:{text[line - 1].index(part) + part.index(sign) + 1}", what))


at(7, "t + l", "+", "a sum of unlike units: s and 10^-3 m")
at(9, "l + x", "+", "a sum of unlike units: 10^-3 m and m")
at(10, "+ k*x", "+", "a sum of unlike units: m/s^2 and kg m/s^2")
at(10, "] + v", "+", "a sum of unlike units: m and m/s")
at(14, "t + l", "+", "a sum of unlike units: s and m")
at(15, "< v", "<", "a comparison of unlike units: m and m/s")
at(15, "deg + 1", "+", "a sum of unlike units: 1 and m")
assert sorted(told) == sorted(known), (set(told) ^ set(known), told)
END
expect 2 "$MANYLINK" plan unlike.yaml --set "quantities.clock=3 x m"
says err '`x` is neither an operator nor a unit'
expect 2 "$MANYLINK" plan unlike.yaml --set "system.rates.x=9.81 m/v^2*(2 w)"
says err '`w` is neither an operator nor a unit'
expect 0 "$MANYLINK" plan plain.yaml --set "time.end=0.5 h"
says out "1800 s"
# is_of_unit UNIT SETTING: the setting is refused, as its key has this unit.
is_of_unit()
{
    expect 2 "$MANYLINK" plan plain.yaml --set "$2"
    says err "must be of unit $1"
}
for value in "5 cm" "2 1/s" "3 Hz"; do
    is_of_unit kg "system.segments.upper.mass=$value"
done
# Ends of ranges have the unit of the key, and integers have none.
for values in "from: 20 cm, to: 1 m, count: 3" "values: [20 cm, 0.6, 1 m]"; do
    expect 0 "$MANYLINK" plan plain.yaml --set "sweep=[{set: system.segments.lower.length, $values}]"
done
for values in "from: 20 kg, to: 1, count: 3" "from: 20, to: 1 s, count: 3" "values: [20 cm, 2 kg]"; do
    is_of_unit m "sweep=[{set: system.segments.lower.length, $values}]"
done
for over in "{set: define.L, from: 1, to: 2}, {set: initial.rate.upper, from: 1 m, to: 2}" \
    "{set: initial.rate.upper, distribution: normal, mean: 1, sd: 1 m}"; do
    is_of_unit rad/s "sample={method: sobol, count: 4, over: [$over]}"
done
expect 2 "$MANYLINK" plan plain.yaml --set "save.trajectory.every=2 s"
says err "takes an integer without a unit"
printf 'x,y\n0,1 m\n1,2\n' >cell.csv
sed 's/^system/tables: {f: {file: cell.csv, x: "x", y: "y"}}\n&/' plain.yaml >cell.yaml
expect 2 "$MANYLINK" plan cell.yaml
says err 'cell.csv:2:3: y is `1 m`: a unit stands behind the name of a column, as in `height (cm)`'
