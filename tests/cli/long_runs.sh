# label: values
# Collocation methods: the energy of a conservative run does not drift however long it is, derivatives
# are those of the discrete map, the bits do not depend on kernel, instruction set or threads, and sweeps that
# have not converged are told.
. "$SOURCE/tests/check.sh"
need awk python3

cat >stars.yaml <<'YAML'
manylink: 1
system: {type: henon_heiles}
initial: {x: 0, energy: 0.125, py: 0.1}
time: {end: 20000, step: 0.1}
sweep: [{set: initial.y, from: -0.1, to: 0.3, count: 16}]
YAML
cat >pendulum.yaml <<'YAML'
manylink: 1
system: {type: chain, gravity: [0, -9.81], segments: [{length: 1, mass: 1}, {length: 1, mass: 1}]}
initial: {angle: [1, 1]}
time: {end: 100, step: 0.01}
sweep: [{set: initial.angle.1, from: 0.2, to: 2, count: 16}]
YAML

# drift NAME METHOD END: the largest error of energy, of all runs at any time
drift()
{
    expect 0 "$MANYLINK" run "$1.yaml" --set integrator="$2" --set time.end="$3" -o drift.h5 --restart
    expect 0 "$MANYLINK" table drift.h5 --columns energy_drift
    awk 'NR > 1 && $1 > most { most = $1 } END { if (NR < 17) exit 1; print most }' out
}

# holds EXPRESSION: of numbers
holds()
{
    awk "BEGIN { exit !($1) }" </dev/null || fail "not so: $1"
}

# What is off after a twentieth of the time is all that is ever off; rk4 loses in proportion to time.
for case in stars,gauss4,1000,20000,1e-6 stars,gauss6,1000,20000,1e-9 pendulum,gauss6,200,2000,1e-6; do
    IFS=, read -r name method early late bound <<CASE
$case
CASE
    first=$(drift "$name" "$method" "$early")
    last=$(drift "$name" "$method" "$late")
    echo "$name $method: $first, $last"
    holds "$last > 0 && $last < $bound && $last < 3 * $first"
done
first=$(drift stars rk4 1000)
last=$(drift stars rk4 20000)
holds "$last > 10 * $first && $last > 1e-3"

# Derivatives of the end by a parameter and by the start, against differences of whole runs with the
# same large step: sweeps that have not converged are part of the map.
cat >driven.yaml <<'YAML'
manylink: 1
system: {type: duffing}
initial: {x: 0.1}
time: {end: 10, step: 0.5}
sweep: [{set: system.gamma, values: [0.299999, 0.3, 0.300001]}]
analyse: {sensitivity: {of: end_state, to: [system.gamma]}}
YAML
for method in gauss4 gauss6; do
    expect 0 "$MANYLINK" run driven.yaml --set integrator=$method -o $method.h5
    for row in x v; do
        expect 0 "$MANYLINK" table $method.h5 --columns "sensitivity.$row.system.gamma,end_$row"
        awk -F, 'NR > 1 { slope[NR] = $1; x[NR] = $2 }
                 END { error = (x[4] - x[2]) / 2e-6 - slope[3]
                       exit NR != 4 || slope[3] == 0 || error ^ 2 > 1e-14 * (1 + slope[3] ^ 2) }' out ||
            fail "derivative of $row with $method: $(cat out)"
    done
done

# bits NAME [options of run]: of all runs, as a table that reads back to the same bits
bits()
{
    name=$1
    shift
    expect 0 "$MANYLINK" run pendulum.yaml --set integrator=gauss6 --set time.end=1 -o bits.h5 --restart "$@"
    expect 0 "$MANYLINK" table bits.h5
    mv out "$name.csv"
}
bits general --kernel general --threads 2
bits built-in --no-native
cmp general.csv built-in.csv
for isa in $(instruction_sets); do
    export MANYLINK_ISA="$isa"
    bits isa --threads 1
    cmp general.csv isa.csv
done

# What the last sweeps changed is what a plain loop over the same sweeps says, and is told if it is much.
cat >far.yaml <<'YAML'
manylink: 1
system: {type: henon_heiles}
initial: {y: 0, px: 0.1, py: 0.2}
time: {end: 20, step: 1}
sweep: [{set: initial.x, values: [0.1, 0.2, 0.3, 0.4, 3]}]
save: {summary: none}
YAML
cat >far.py <<'END'
import math, sys

def rates(s):
    x, y, px, py = s
    return [px, py, -x - 2 * x * y, -y - x * x + y * y]

def gauss(stages):
    """(nodes, matrix, weights) of Gauss-Legendre collocation, by integrals of Lagrange polynomials"""
    c = [0.5 - math.sqrt(3) / 6, 0.5 + math.sqrt(3) / 6] if stages == 2 else [
        0.5 - math.sqrt(15) / 10, 0.5, 0.5 + math.sqrt(15) / 10]
    return c, [integrals(c, end) for end in c], integrals(c, 1.0)

def integrals(nodes, end):
    """integral of each node's Lagrange polynomial from 0 to end"""
    out = []
    for i, node in enumerate(nodes):
        polynomial = [1.0]
        for j, other in enumerate(nodes):
            if j != i:
                shifted = [0.0] + polynomial
                polynomial = [(a - other * b) / (node - other) for a, b in zip(shifted, polynomial + [0.0])]
        out.append(sum(a * end ** (k + 1) / (k + 1) for k, a in enumerate(polynomial)))
    return out

def residual(stages, sweeps, start, h, steps):
    c, matrix, weights = gauss(stages)
    x, total = list(start), 0.0
    for _ in range(steps):
        known, nodes = [rates(x)], [0.0]
        for end in c: # begins with polynomials through what is known
            row = integrals(nodes, end)
            known.append(rates([x[i] + h * sum(a * k[i] for a, k in zip(row, known)) for i in range(4)]))
            nodes.append(end)
        k = known[1:]
        for _ in range(sweeps - 1):
            before = list(k)
            for s in range(stages):
                k[s] = rates([x[i] + h * sum(matrix[s][j] * k[j][i] for j in range(stages)) for i in range(4)])
        total += max(h * sum(w * abs(a[i] - b[i]) for w, a, b in zip(weights, k, before)) for i in range(4))
        x = [x[i] + h * sum(w * a[i] for w, a in zip(weights, k)) for i in range(4)]
    return total

name, path = sys.argv[1:]
stages, sweeps = {"gauss4": (2, 12), "gauss6": (3, 10)}[name]
found = [float(line) for line in open(path).read().split()[1:5]]
assert len(found) == 4, found
for start, own in zip((0.1, 0.2, 0.3, 0.4), found):
    wanted = residual(stages, sweeps, [start, 0.0, 0.1, 0.2], 1.0, 20)
    assert 1e-7 < wanted and abs(own - wanted) < 1e-6 * wanted, (name, start, own, wanted)
END
for method in gauss4 gauss6; do
    expect 3 "$MANYLINK" run far.yaml --set integrator=$method -o far.h5 --restart # the last one escapes
    says err "warning: $method: sweeps have not converged in 4 of 5 runs"
    says err 'times as many steps would do'
    expect 0 "$MANYLINK" info far.h5
    says out 'sweeps have not converged in 4 of 5 runs: the last one of each step still changed the state'
    expect 0 "$MANYLINK" table far.h5 --columns sweep_residual
    mv out $method.csv
    python3 far.py $method $method.csv
done

# As many times as many steps as are told do, and then nothing is said.
times=$(expect 3 "$MANYLINK" run far.yaml --set integrator=gauss6 -o far.h5 --restart && sed -n 's/.*about \([0-9.]*\) times.*/\1/p' err)
sed "s/step: 1}/steps: $(awk "BEGIN { print int(20 * $times + 1) }" </dev/null)}/; s/, 3\]/]/" far.yaml >enough.yaml
expect 0 "$MANYLINK" run enough.yaml --set integrator=gauss6 -o far.h5 --restart
! grep -q sweeps err || fail "not enough: $(cat err)"

# The same of a run alone as beside one that diverges, and where events end runs within steps that are
# looked through together.
alone()
{
    for run in 0 3; do
        expect 0 "$MANYLINK" run "$1.yaml" --set integrator=gauss6 --run $run -o alone.h5 --restart -q
        expect 0 "$MANYLINK" table alone.h5 --columns sweep_residual
        same_residual "$(sed -n 2p out)" "$(sed -n "$((run + 2))p" all.csv)"
    done
}
same_residual()
{
    [ -n "$1" ] && [ "$1" = "$2" ] || fail "residual alone $1, beside others $2"
}
cp gauss6.csv all.csv
alone far
{
    cat far.yaml
    echo 'events: [{name: back, when: x, crosses: 0, stop: true}]'
} >back.yaml
expect 0 "$MANYLINK" run back.yaml --set integrator=gauss6 -o far.h5 --restart
expect 0 "$MANYLINK" table far.h5 --columns sweep_residual
mv out all.csv
alone back

# The same bits of any kernel and instruction set.
sweeps()
{
    name=$1
    shift
    expect 0 "$MANYLINK" run pendulum.yaml --set integrator=gauss6 --set time.step=0.1 --set time.end=5 -o bits.h5 \
        --restart "$@"
    says err 'gauss6: sweeps have not converged in'
    expect 0 "$MANYLINK" table bits.h5 --columns sweep_residual
    mv out "$name.csv"
}
sweeps general --kernel general --threads 2
sweeps built-in --no-native
cmp general.csv built-in.csv
for isa in $(instruction_sets); do
    export MANYLINK_ISA="$isa"
    sweeps isa --threads 1
    cmp general.csv isa.csv
done
