# Random formulas of all functions: the interpreter, kernels made of them and all instruction sets have the same bits;
# derivatives are those of differences where nothing bends.
. "$SOURCE/tests/check.sh"
need_python

for seed in 1 2; do
    "$PYTHON" "$SOURCE/tests/cli/random_formulas.py" $seed any >any.yaml
    for isa in $(instruction_sets); do
        MANYLINK_ISA=$isa expect 0 "$MANYLINK" run any.yaml -q --kernel general --failed-runs-ok -o "any-$isa.h5"
    done
    if makes_kernels; then
        expect 0 "$MANYLINK" run any.yaml -q --kernel made --failed-runs-ok -o any-made.h5
    fi
    same any-*.h5
    expect 0 "$MANYLINK" table "any-$isa.h5" --columns outcome
    [ "$(grep -c finished out)" -gt 20 ] || fail "seed $seed: most runs have not finished"
    rm any-*.h5
done
for seed in 1 2 3 4; do
    "$PYTHON" "$SOURCE/tests/cli/random_formulas.py" $seed smooth >smooth.yaml
    expect 0 "$MANYLINK" evaluate smooth.yaml --check-derivatives
    awk -v seed=$seed '/worst/ { found = 1; for (i = 1; i < NF; i++) if ($i == "worst") worst = $(i + 1) + 0 }
        END { print "seed " seed ": derivatives within " worst; exit !found || !(worst < 1e-7) }' out ||
        fail "$(cat out)"
done
