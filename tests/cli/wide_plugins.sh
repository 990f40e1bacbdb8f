# label: values
# Systems of up to 256 numbers, with all their Lyapunov exponents: divergences, published and closed values.
. "$SOURCE/tests/check.sh"
need_python

# build NAME.so SOURCE.c N
build()
{
    "$CC" -std=c17 -O2 -ffp-contract=off -Wall -Wextra -Wpedantic -Werror -shared -fPIC \
        -I"$SOURCE/include" -DN="$3" -o "$1" "$SOURCE/tests/cli/plugins/$2" -lm
}
build lorenz96.so lorenz96.c 40
build wide.so lorenz96.c 256
build kuramoto.so kuramoto.c 128

cat >lorenz96.yaml <<'END'
manylink: 1
system: {type: plugin, file: lorenz96.so}
time: {step: 0.02, end: 130}
sweep: [{set: initial.x00, from: 0.1, to: 3, count: 16}]
analyse: {lyapunov: {exponents: all, transient: 30, renormalise: 0.2}}
END
cat >wide.yaml <<'END'
manylink: 1
system: {type: plugin, file: wide.so}
time: {step: 0.02, end: 2.4}
sweep: [{set: initial.x00, from: 0.1, to: 3, count: 2}]
analyse: {lyapunov: {exponents: all, transient: 0.4, renormalise: 0.2}}
END
# From phases of 0: every oscillator of a coupling above the threshold is locked in the end.
cat >kuramoto.yaml <<'END'
manylink: 1
system: {type: plugin, file: kuramoto.so, K: 4}
time: {step: 0.05, end: 40}
sweep: [{set: system.K, values: [2, 3, 4]}]
analyse: {lyapunov: {exponents: all, transient: 20, renormalise: 1}}
save: {trajectory: {every: 20, quantities: [potential_energy]}}
END
for study in lorenz96 wide kuramoto; do
    expect 0 "$MANYLINK" run $study.yaml -o $study.h5
done
"$PYTHON" "$SOURCE/tests/cli/wide_plugins.py" || fail "other values than known ones"

# A lane at a time or all at once, the bits are the same; so are those of other instruction sets.
for isa in $(instruction_sets); do
    rm -f again.h5
    expect 0 env MANYLINK_ISA="$isa" "$MANYLINK" run wide.yaml --set time.end=1 -o again.h5
    [ -e first.h5 ] || cp again.h5 first.h5
    same first.h5 again.h5
done

# One more than there may be is refused.
build too_wide.so lorenz96.c 257
expect 2 "$MANYLINK" run lorenz96.yaml --set system.file=too_wide.so -o no.h5
says err "it has 257 state quantities but must have 1 to 256"
