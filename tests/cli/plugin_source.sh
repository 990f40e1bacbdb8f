# Kernels made with a plugin's C text: the same bytes as with its shared object, which has the last word.
. "$SOURCE/tests/check.sh"
need_python

[ "$(instruction_sets)" != baseline ] || skip "none is made for this machine"
export MANYLINK_CACHE="$work/cache"

# build NAME SOURCE.c [FLAGS]: NAME.so of NAME.c
build()
{
    name=$1
    cp "$2" "$name.c"
    shift 2
    "$CC" -std=c17 -O2 -ffp-contract=off -Wall -Wextra -Wpedantic -Werror -shared -fPIC \
        -I"$SOURCE/include" "$@" -o "$name.so" "$name.c" -lm
}
build lorenz "$SOURCE/tests/cli/plugins/lorenz.c"
build cart_pole "$SOURCE/examples/cart_pole/cart_pole.c"
build robertson "$SOURCE/tests/cli/plugins/robertson.c"
cp "$SOURCE/tests/cli/plugins/hex_names.h" .
build lorenz96 "$SOURCE/tests/cli/plugins/lorenz96.c"
sed '/include "hex_names.h"/{
r hex_names.h
d
}' lorenz96.c >whole.c

# study NAME SOURCE.c: NAME.yaml of NAME.so, with the rest from standard input
study()
{
    printf 'manylink: 1\nsystem: {type: plugin, file: %s.so, source: %s}\n' "$1" "$2" >"$1.yaml"
    cat >>"$1.yaml"
}
study lorenz lorenz.c <<'END'
initial: {y: 1, z: 20}
time: {step: 2e-3, end: 1}
sweep: [{set: system.rho, from: 0.5, to: 60, count: 40}]
analyse: {lyapunov: {exponents: all, renormalise: 0.02}, sensitivity: {of: end_state, to: [initial.x, system.beta]}}
END
study cart_pole cart_pole.c <<'END'
integrator: {type: dop853, tolerance: 1e-9}
initial: {angle: 1}
time: {end: 2}
sweep: [{set: system.force, from: 0.5, to: 12, count: 40}]
analyse: {lyapunov: {exponents: all}}
END
study robertson robertson.c <<'END'
integrator: {type: rodas4, tolerance: 1e-6}
initial: {a: 1}
time: {end: 10}
sweep: [{set: initial.b, from: 0, to: 1e-4, count: 40}]
END
study lorenz96 whole.c <<'END'
time: {step: 0.02, end: 2}
sweep: [{set: initial.x00, from: 0.1, to: 3, count: 40}]
analyse: {lyapunov: {exponents: 8}}
END
for study in lorenz cart_pole robertson lorenz96; do
    expect 0 "$MANYLINK" run $study.yaml --kernel general -o general.h5
    expect 0 "$MANYLINK" run $study.yaml --kernel made -o made.h5
    says out "kernel made for it"
    same general.h5 made.h5
    rm general.h5 made.h5
done

# The text is no part of the study; without it no kernel is made.
expect 0 "$MANYLINK" run lorenz.yaml -o lorenz.h5
expect 0 "$MANYLINK" run lorenz.yaml --set system.source=cart_pole.c -o lorenz.h5
says out "finished already"
sed 's/, source: lorenz.c//' lorenz.yaml >without.yaml
expect 2 "$MANYLINK" run without.yaml --kernel made -o no.h5
says err "none is made for a plugin without its \`source\`"
expect 0 "$MANYLINK" verify lorenz.h5 --study lorenz.yaml
expect 2 "$MANYLINK" run lorenz.yaml --no-native --kernel made -o no.h5

# Text of something else, or of nothing: the shared object goes on alone.
sed 's/AT(p, SIGMA) \* (AT(x, Y)/AT(p, SIGMA) * (0.999 * AT(x, Y)/' lorenz.c >other.c
expect 1 "$MANYLINK" run lorenz.yaml --kernel made --set system.source=other.c -o no.h5
says err "differs from the general one"
echo "int nothing" >bad.c
expect 1 "$MANYLINK" run lorenz.yaml --kernel made --set system.source=bad.c -o no.h5
says err "no kernel is made for this study"
expect 2 "$MANYLINK" run lorenz.yaml --set system.source=nowhere.c -o no.h5
says err "source is \`nowhere.c\`: No such file"
