# label: values
# examples/cart_pole, built as its page says and run: the equations are right, and so is what is
# measured on them.
. "$SOURCE/tests/check.sh"
need_python

cp "$SOURCE"/examples/cart_pole/cart_pole.* .
mkdir build
"$CC" -std=c17 -O2 -ffp-contract=off -Wall -Wextra -Wpedantic -Werror -shared -fPIC \
    -I"$SOURCE/include" -o build/cart_pole.so cart_pole.c -lm

expect 0 "$MANYLINK" list ./build/cart_pole.so
says out "system.pole_length"

# The study itself, for a short time: the same bits from two threads.
short="--set time.end=1 --set analyse.lyapunov.transient=0.1 --set sweep.0.count=8"
for threads in 1 2; do
    # shellcheck disable=SC2086 # options are words
    expect 0 "$MANYLINK" run cart_pole.yaml --threads $threads -o threads$threads.h5 $short
    says out "256 finished"
done
same threads1.h5 threads2.h5

run()
{
    name=$1
    shift
    expect 0 "$MANYLINK" run "$name.yaml" "$@"
}

cat >free.yaml <<'END'
manylink: 1
system: {type: plugin, file: build/cart_pole.so}
initial: {angle: 2.5, x_rate: 0.3}
time: {step: 1e-3, end: 10}
sweep: [{set: system.pole_mass, from: 0.1, to: 5, count: 9, scale: log}]
END
run free

for k in 0 1 2 3; do
    steps=$((50 << k))
    sed "s/^time: .*/time: {step: 0.6\/$steps, end: 0.6}/; /^sweep/d" free.yaml >step$k.yaml
    run step$k --set system.friction=1 --set system.damping=0.1 --set system.force=3 --set system.omega=2
done

cat >small.yaml <<'END'
manylink: 1
system: {type: plugin, file: build/cart_pole.so}
initial: {angle: 1e-5}
time: {step: 1e-3, end: 7}
END
run small

cat >derivatives.yaml <<'END'
manylink: 1
system: {type: plugin, file: build/cart_pole.so, friction: 0.2, force: 3, omega: 2}
initial: {angle: 2}
time: {step: 1e-3, end: 2}
analyse: {sensitivity: {of: end_state, to: [system.pole_length, system.omega, initial.angle]}}
END
run derivatives
k=0
for pair in system.pole_length=1 system.omega=2 initial.angle=2; do
    value=${pair#*=}
    sed '/^analyse/d' derivatives.yaml >shifted$k.yaml
    run shifted$k --set "sweep=[{set: ${pair%=*}, values: [$value + 1e-4, $value - 1e-4]}]"
    k=$((k + 1))
done

for pair in hanging=0 upright=pi; do
    cat >"${pair%=*}.yaml" <<END
manylink: 1
system: {type: plugin, file: build/cart_pole.so, friction: 0.3, damping: 0.1}
initial: {angle: ${pair#*=}}
time: {step: 1e-3, end: 3}
analyse: {ftle: {}}
END
    run "${pair%=*}"
done

cat >chaos.yaml <<'END'
manylink: 1
system: {type: plugin, file: build/cart_pole.so, friction: 0.2, damping: 0.02, omega: 3}
initial: {angle: 0.5}
time: {step: 2e-3, end: 60}
sweep: [{set: system.force, from: 2, to: 12, count: 8}]
analyse: {lyapunov: {exponents: all, transient: 10}}
END
run chaos

"$PYTHON" "$SOURCE/tests/results/check_cart_pole.py"
