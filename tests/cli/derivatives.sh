# `evaluate --check-derivatives`: nothing is wrong, also late in a run with a drive. Where a shoe
# touches the ground there is no derivative: it is compared when it has.
. "$SOURCE/tests/check.sh"

for study in "$SOURCE"/studies/*.yaml; do
    case $study in
    */runner.yaml) expect 0 "$MANYLINK" evaluate "$study" --check-derivatives --set initial.x1=5e-3 ;;
    */delay_stability.yaml | */pid_robustness.yaml) # past states have no derivatives at one time
        expect 2 "$MANYLINK" evaluate "$study" --check-derivatives
        says err "acts on past states"
        ;;
    *) expect 0 "$MANYLINK" evaluate "$study" --check-derivatives ;;
    esac
done
cat >late.yaml <<'END'
manylink: 1
system: {type: duffing}
initial: {x: 1, v: 1}
time: {start: 100000, step: 0.01, end: 100001}
END
expect 0 "$MANYLINK" evaluate late.yaml --check-derivatives
says out "system.omega"
