# label: values
# Collocation methods: the energy of a conservative run does not drift however long it is, derivatives
# are those of the discrete map, and the bits do not depend on kernel, instruction set or threads.
. "$SOURCE/tests/check.sh"
need awk

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
