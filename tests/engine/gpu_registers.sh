# label: slow
# Kernels for a GPU: the state, its tangent vectors and their derivatives at all stages are in registers.
# Counted in the text of each: loads from memory of a thread, stores to it, and sums and products that the
# driver could contract to operations with another rounding. A call of a function that GPUs do not have,
# no compiler, and a compiler without the target are refused in a line each.
. "$SOURCE/tests/check.sh"
clang=$(command -v clang || true)
for version in 20 19 18 17 16 15 14; do
    clang=${clang:-$(command -v clang-$version || true)}
done
[ -n "$clang" ] && echo 'void f(void) {}' |
    "$clang" --target=nvptx64-nvidia-cuda -S -o /dev/null -x c - 2>/dev/null ||
    skip "no clang with the target nvptx64"
export MANYLINK_GPU_CC="$clang" MANYLINK_CACHE="$PWD/cache"

# ring N: formulas of N states, each with a product and a sine
ring()
{
    printf 'manylink: 1\nsystem:\n  type: equations\n  state: {'
    seq "$1" | sed 's/.*/x&: 0.&/' | paste -sd, | tr -d '\n'
    printf '}\n  rates:\n'
    seq "$1" | awk -v n="$1" '{printf "    x%d: x%d*x%d - x%d + sin(x%d)\n", $1, $1 % n + 1, ($1 + 1) % n + 1, $1, $1}'
    printf 'time: {step: 1e-3, end: 1}\n'
}
# chain N: of N segments
chain()
{
    echo "manylink: 1
system: {type: chain, segments: {repeat: $1, length: 1, mass: 1}}
time: {step: 1e-3, end: 1}"
}
exponents="analyse: {lyapunov: {exponents: all}}"
chain 5 >chain_5.yaml
{ chain 3; echo "$exponents"; } >chain_3_tangents.yaml
{ chain 2; echo "forces: [{type: spring, segment: 2, at: 0.5, anchor: [1, -1], stiffness: 20}]
analyse: {sensitivity: {of: end_state, to: [initial.angle.1, system.segments.2.mass]}}"; } >chain_2_forces.yaml
printf 'manylink: 1\nsystem: {type: lorenz}\ninitial: {x: 1}\ntime: {step: 1e-3, end: 1}\n%s\n' "$exponents" >lorenz.yaml
ring 12 >formulas_12.yaml
{ chain 2; echo "integrator: {type: tsit54, tolerance: 1e-9}"; } | sed 's/step: 1e-3, //' >chosen_2.yaml
for study in chosen_2 chain_5 chain_3_tangents chain_2_forces lorenz formulas_12; do
    expect 0 "$MANYLINK" compile --device gpu $study.yaml
    says out '.ptx (compiled in'
    text=$(sed -n 's/^kernel: \(.*\.ptx\) .*/\1/p' out)
    [ "$(grep -ac '^\.visible \.entry ml_gpu_window($' "$text")" = 1 ] || fail "$study: not one entry"
    [ "$(grep -acE '(ld|st)\.local' "$text")" = 0 ] || fail "$study: numbers are in memory, not in registers"
    ! grep -aqE '(add|sub|mul|fma|div|sqrt)\.f64' "$text" || fail "$study: rounding is left to the driver"
    [ "$(grep -ac 'fma\.rn\.f64' "$text")" -gt 20 ] || fail "$study: no multiply-adds"
done
expect 0 "$MANYLINK" compile --device gpu lorenz.yaml
says out '.ptx (was there)'

sed 's/sin(x1)$/mod(x2, x1)/' formulas_12.yaml >remainder.yaml
expect 1 "$MANYLINK" compile --device gpu remainder.yaml
says err 'no kernel is made for this study: it calls `fmod`, which GPUs do not have'
expect 1 env MANYLINK_GPU_CC=/nowhere/clang "$MANYLINK" compile --device gpu chain_5.yaml
says err '`/nowhere/clang` is not there (MANYLINK_GPU_CC or a clang of PATH); MANYLINK_GPU_CC can name a clang'
cat >without <<'EOF'
#!/bin/sh
[ "$1" = --version ] && echo "clang version 1" || { echo "error: unable to create target: nvptx64" >&2; exit 1; }
EOF
chmod +x without
expect 1 env MANYLINK_GPU_CC=./without "$MANYLINK" compile --device gpu chain_5.yaml
says err '`./without` failed (exit code 1): error: unable to create target: nvptx64; MANYLINK_GPU_CC can name a clang that'
expect 2 "$MANYLINK" --no-native compile --device gpu chain_5.yaml
says err "native code is refused"
sed 's/^time.*/time: {end: 1}\nintegrator: {type: rodas4, tolerance: 1e-6}/' chain_5.yaml >implicit.yaml
expect 2 "$MANYLINK" compile --device gpu implicit.yaml
says err "cannot make a kernel for a GPU: none is made for a GPU but for explicit Runge-Kutta methods"
