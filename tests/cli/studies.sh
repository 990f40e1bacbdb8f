# Every shipped study runs: all its runs, for a short time; the torques of those that describe a motion
# are found. The results open in every reader there is.
. "$SOURCE/tests/check.sh"

for study in "$SOURCE"/studies/*.yaml; do
    name=$(basename "$study" .yaml)
    echo "$name"
    expect 0 "$MANYLINK" plan "$study"
    case $name in
    lorenz_rho | runner) # have no M, and `evaluate` says so
        expect 2 "$MANYLINK" evaluate "$study"
        says err "is not of the form M q'' = f"
        ;;
    *) expect 0 "$MANYLINK" evaluate "$study" ;;
    esac
    whole= # nothing is left out of so short a time
    ! grep -q transient "$study" || whole='--set analyse.lyapunov.transient=0'
    # shellcheck disable=SC2086
    expect 0 "$MANYLINK" run "$study" --set time.step=1e-3 --set time.end=0.01 --set save.trajectory.every=5 $whole
    expect 0 "$MANYLINK" info "$name.h5"
    code=0
    "$PYTHON" "$SOURCE/tests/results/view_result.py" "$name.h5" || code=$?
    [ $code = 0 ] || [ $code = 77 ] || fail "$name.h5 does not open everywhere"
    grep -q '^motion:' "$study" || continue
    expect 0 "$MANYLINK" inverse "$study"
    code=0
    "$PYTHON" "$SOURCE/tests/results/view_result.py" "${name}_inverse.h5" || code=$?
    [ $code = 0 ] || [ $code = 77 ] || fail "${name}_inverse.h5 does not open everywhere"
done
