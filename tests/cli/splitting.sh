# Splitting methods: the map is the composition of steps of verlet that the literature prints, the order
# is the declared one, time runs backwards, energy does not drift, derivatives are those of the map, and
# the bits depend on nothing else. They are refused where they are not what they promise.
. "$SOURCE/tests/check.sh"
need awk
need_python

cat >stars.yaml <<'YAML'
manylink: 1
system: {type: henon_heiles}
initial: {x: 0, px: 0.3, py: 0.1}
time: {end: 20, step: 0.1}
sweep: [{set: initial.y, from: -0.1, to: 0.3, count: 17}]
YAML
cat >driven.yaml <<'YAML'
manylink: 1
system: {type: duffing, delta: 0}
initial: {x: 0.1}
time: {end: 10, step: 0.25}
sweep: [{set: system.gamma, values: [0.299999, 0.3, 0.300001]}]
analyse: {sensitivity: {of: end_state, to: [system.gamma]}}
YAML

# ends NAME METHOD [options of run]: NAME-METHOD.csv
ends()
{
    name=$1 method=$2
    shift 2
    expect 0 "$MANYLINK" run "$name.yaml" --set integrator="$method" -o ends.h5 --restart "$@"
    expect 0 "$MANYLINK" table ends.h5 ${columns:+--columns "$columns"}
    mv out "$name-$method.csv"
}

for method in verlet yoshida4 yoshida8; do
    ends stars $method
    ends driven $method
    for step in 0.125 0.0625; do
        ends driven $method --set time.step=$step --set system.gamma=0.3
        mv driven-$method.csv order-$method-$step.csv
    done
    columns=end_x,end_v,sensitivity.x.system.gamma,sensitivity.v.system.gamma ends driven $method
done
expect 0 "$MANYLINK" run driven.yaml -o exact.h5 --set "time={end: 10}" --set system.gamma=0.3 \
    --set "integrator={type: verner98, tolerance: 1e-15}"
expect 0 "$MANYLINK" table exact.h5
mv out exact.csv
"$PYTHON" "$SOURCE/tests/cli/splitting.py"

# The way back: rates turned round lead to the start.
for method in verlet yoshida4 yoshida8; do
    for row in 2 9 18; do
        awk -F, -v row=$row 'NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i }
            NR == row { printf "manylink: 1\nsystem: {type: henon_heiles}\ntime: {end: 20, step: 0.1}\n"
                        printf "initial: {x: %s, y: %s, px: %.17g, py: %.17g}\n", $column["end_x"],
                               $column["end_y"], -$column["end_px"], -$column["end_py"] }' \
            stars-$method.csv >back.yaml
        columns=end_x,end_y,end_px,end_py ends back $method
        awk -F, -v row=$row 'function off(a, b) { return a < b - 2e-13 || a > b + 2e-13 }
            NR == 2 { y = -0.1 + 0.025 * (row - 2)
                      exit off($1, 0) || off($2, y) || off($3, -0.3) || off($4, -0.1) }' \
            back-$method.csv || fail "not the start: $(cat back-$method.csv)"
    done
done

# The same bits for any kernel, instruction set and number of threads.
for method in verlet yoshida8; do
    ends stars $method --threads 1
    cp stars-$method.csv one.csv
    ends stars $method --threads 2 --no-native
    cmp stars-$method.csv one.csv
    for isa in $(instruction_sets); do
        export MANYLINK_ISA="$isa"
        ends stars $method
        cmp stars-$method.csv one.csv
    done
    unset MANYLINK_ISA
done

# A step that no swing is stable with is told, with the largest that is: 2 over the frequency.
cat >swing.yaml <<'YAML'
manylink: 1
system: {type: duffing, delta: 0, alpha: 1e4, beta: 0, gamma: 0}
initial: {x: 1}
time: {end: 6, step: 0.03}
integrator: verlet
YAML
expect 0 "$MANYLINK" plan swing.yaml
says err "step x |eigenvalue| is 3, and verlet is stable up to 2"
expect 0 "$MANYLINK" plan swing.yaml --set time.step=0.015
[ ! -s err ] || fail "a stable step is told: $(cat err)"

# Beside a saddle a pair of motions grows and decays: the map of the pair is judged by the one that grows, as
# it should.
cat >saddle.yaml <<'YAML'
manylink: 1
system: {type: duffing, delta: 0, alpha: -1, beta: 1, gamma: 0}
initial: {x: 0.3}
time: {end: 10, step: 0.1}
YAML
for method in verlet yoshida4 yoshida8; do
    expect 0 "$MANYLINK" plan saddle.yaml --set integrator=$method
    [ ! -s err ] || fail "$method beside a saddle: $(cat err)"
    expect 0 "$MANYLINK" plan stars.yaml --set integrator=$method --set sweep.0.to=0.51 --set initial.px=0.1
    [ ! -s err ] || fail "$method in a potential's throat: $(cat err)"
done

for wrong in system.delta=0.1 "sweep=[{set: system.delta, from: 0, to: 1, count: 2}]"; do
    expect 2 "$MANYLINK" run swing.yaml --set "$wrong"
    says err "verlet is for systems of the form x'' = F(x, t), and this system needs \`system.delta: 0\` for that"
done
expect 2 "$MANYLINK" run swing.yaml --set "system={type: lorenz}" --set "initial={}"
says err "swing.yaml:5:13: verlet is for systems of the form x'' = F(x, t), such as henon_heiles and duffing, and lorenz is not"
expect 2 "$MANYLINK" run swing.yaml --set "integrator={type: verlet, tolerance: 1e-6}"
says err "verlet has no error estimate for a tolerance"
