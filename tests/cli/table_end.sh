# Runs by tolerance that reach the end of a table steeply, nearly along it, and not quite: where and when
# they end, against energy and quadrature, in a bounded number of steps; and motions that are not at an
# end although their steps are very short beside the longest.
. "$SOURCE/tests/check.sh"
need_python
isas=$(instruction_sets)
"$PYTHON" "$SOURCE/tests/cli/table_end.py" table

# A pendulum that has a speed of up to 0.04 at the end of the table, or turns back before.
cat >turn.yaml <<'END'
manylink: 1
tables: {pull: {file: sine.csv, x: angle, y: s}}
system: {type: equations, state: {x: 0, v: 1}, rates: {x: v, v: -pull(x)}}
time: {end: 3}
integrator: {type: dopri54, tolerance: 1e-10, max_steps: 20000}
sweep: [{set: initial.v, from: 1.3632, to: 1.3640, count: 320}]
END
expect 3 "$MANYLINK" run turn.yaml --kernel general
says out 'beyond table `pull`?'
"$PYTHON" "$SOURCE/tests/cli/table_end.py" ends turn.h5
for isa in $isas; do
    for kernel in general made; do
        [ "$kernel-$isa" != made-baseline ] || continue
        expect 3 env MANYLINK_ISA="$isa" "$MANYLINK" run turn.yaml --kernel $kernel --threads 2 -o other.h5
        same turn.h5 other.h5
        rm other.h5
    done
done

# A linearly implicit method; ticks, events and tangent vectors.
expect 3 "$MANYLINK" run turn.yaml --set "integrator={type: rodas4, tolerance: 1e-9, max_steps: 20000}" -o rodas4.h5
"$PYTHON" "$SOURCE/tests/cli/table_end.py" ends rodas4.h5
expect 3 "$MANYLINK" run turn.yaml --set time.tick=0.01 --set 'analyse.lyapunov={exponents: all}' \
    --set 'events=[{name: back, when: v, crosses: 0, direction: down}]' -o seen.h5
"$PYTHON" "$SOURCE/tests/cli/table_end.py" ends seen.h5

# From the end of the table on, at a speed that leaves the state as it is.
expect 3 "$MANYLINK" run turn.yaml --set "system.state={x: 1.5, v: 1e-4}" --set "sweep=[]" -o start.h5
says out "1 diverged"

# y' = -rate e^(-1e6 t) y: after tries of 1 s, which meet no numbers, the motion begins with steps below 1e-7 s.
cat >fast.yaml <<'END'
manylink: 1
tables: {pull: {file: sine.csv, x: angle, y: s}}
system:
  type: equations
  parameters: {rate: 1e7}
  state: {y: 1, z: 0}
  rates: {y: -rate*exp(-1e6*t)*y + 0*pull(y) + 0*sqrt(y), z: 1e-4*(1 - z)}
time: {end: 1e6}
integrator: {type: dopri54, relative: 1e-12, absolute: 1e-14, first_step: 1}
sweep: [{set: system.rate, from: 1e5, to: 1e7, count: 32}]
END
expect 0 "$MANYLINK" run fast.yaml
"$PYTHON" "$SOURCE/tests/cli/table_end.py" decay fast.h5

# A thousand turns that end 1e-5 and more before the end of the table.
expect 0 "$MANYLINK" run turn.yaml --set time.end=7000 --set "integrator={type: dop853, tolerance: 1e-13}" \
    --set "sweep=[{set: initial.v, from: 1.3632, to: 1.36327, count: 16}]" -o below.h5
