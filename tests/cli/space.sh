# label: values
# The disk that `plan` says is that of the file.
. "$SOURCE/tests/check.sh"

# Bytes that `plan` says.
planned()
{
    awk '$1 == "disk" && $2 == "about" {
        unit["bytes,"] = 1; unit["kB,"] = 1e3; unit["MB,"] = 1e6; printf "%.0f", $3 * unit[$4]
    }' "$1"
}
size() { wc -c <"$1"; }

# Whether a file has what was planned, but for some per cent.
check()
{
    study=$1
    shift
    expect 0 "$MANYLINK" plan "$study" "$@"
    said=$(planned out)
    expect 0 "$MANYLINK" run "$study" -o space.h5 --restart --quiet --kernel general "$@"
    is=$(size space.h5)
    awk -v said="$said" -v is="$is" 'BEGIN { exit !(said > 0.9 * is && said < 1.1 * is) }' ||
        fail "$study $*: $said bytes planned, and the file has $is"
}
for study in chain8 double_pendulum integrators reach_equilibrium_point runner two_link_reach; do
    check "$SOURCE/studies/$study.yaml"
done

# Rows that are longer than a chunk; events with derivatives; lists of runs; compressed columns.
cat >events.yaml <<'EOF2'
manylink: 1
system: {type: lorenz}
initial: {x: 1, y: 1, z: 20}
time: {step: 0.01, end: 330}
events: [{name: e, period: 0.01, max: 32769, keep: [x]}]
sweep: [{set: system.rho, from: 10, to: 40, count: 4}]
EOF2
check events.yaml
check events.yaml --set events.e.max=1000 --set 'analyse.sensitivity.to=[system.rho, system.beta]'
cat >many.yaml <<'EOF2'
manylink: 1
system: {type: lorenz}
initial: {x: 1, y: 1, z: 20}
time: {step: 0.01, end: 0.1}
sweep: [{set: system.rho, from: 10, to: 40, count: 200}, {set: initial.x, from: 1, to: 2, count: 200}]
EOF2
check many.yaml
check many.yaml --set 'save.summary=none'
