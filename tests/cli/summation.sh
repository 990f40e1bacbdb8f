# label: values
# Compensated summation: millions of steps leave the rounding of one, whatever the method, kernel and
# instruction set; plain sums are off by far more.
. "$SOURCE/tests/check.sh"
need awk

# x = cos t of rk4, whose weights by this step have no rounding and whose own error is 1e-17; and
# of verlet, whose steps turn x = cos(n theta) by theta = 2 asin(h / 2) = h (1 + h^2 / 24 + 3 h^4 / 640).
cat >swing.yaml <<'YAML'
manylink: 1
system: {type: duffing, delta: 0, alpha: 1, beta: 0, gamma: 0}
initial: {x: 1}
time: {end: 48, step: 0.0000457763671875}
integrator: {type: rk4, summation: plain}
YAML

# error METHOD SUMMATION: of x at the end
error()
{
    expect 0 "$MANYLINK" run swing.yaml -o swing.h5 --restart --set integrator.type="$1" \
        --set integrator.summation="$2"
    expect 0 "$MANYLINK" table swing.h5 --columns end_x
    awk -v method="$1" 'NR == 2 {
        h = 0.0000457763671875
        later = method == "verlet" ? 48 * h * h * (1 / 24 + 3 * h * h / 640) : 0
        error = $1 - (cos(48) * cos(later) - sin(48) * sin(later))
        print error < 0 ? -error : error
    }' out
}

for method in rk4 verlet; do
    plain=$(error $method plain)
    compensated=$(error $method compensated)
    echo "$method: $plain plain, $compensated compensated"
    awk "BEGIN { exit !($compensated < 1e-15 && $plain > 10 * $compensated) }" </dev/null ||
        fail "$method: $plain plain, $compensated compensated"
done
expect 0 "$MANYLINK" plan swing.yaml --set integrator.summation=compensated
says out general

# Steps by tolerance carry it on too, over ticks, and so does what a resumed run begins with.
cat >ticks.yaml <<'YAML'
manylink: 1
system: {type: chain, gravity: [0, -9.81], segments: [{length: 1, mass: 1}, {length: 1, mass: 1}]}
initial: {angle: [1, 1]}
time: {end: 2, tick: 0.01}
integrator: {type: tp86, tolerance: 1e-13, summation: compensated}
sweep: [{set: initial.angle.1, from: 0.2, to: 2, count: 16}]
analyse: {sensitivity: {of: end_state, to: [initial.angle.1]}}
YAML
expect 0 "$MANYLINK" run ticks.yaml -o ticks.h5
expect 0 "$MANYLINK" table ticks.h5
mv out ticks.csv
for isa in $(instruction_sets); do
    export MANYLINK_ISA="$isa"
    expect 0 "$MANYLINK" run ticks.yaml -o isa.h5 --restart --threads 1
    expect 0 "$MANYLINK" table isa.h5
    cmp ticks.csv out
done
unset MANYLINK_ISA
expect 0 "$MANYLINK" run ticks.yaml -o plain.h5 --set integrator.summation=plain
expect 0 "$MANYLINK" table plain.h5
if cmp -s ticks.csv out; then
    fail "summation changes nothing"
fi
expect 2 "$MANYLINK" run ticks.yaml --set integrator.summation=exact
says err "plain, compensated"
