# Interrupted by SIGINT, `run` leaves with 130; the same command goes on from there, and the result
# is that of an undisturbed run, to the bit.
. "$SOURCE/tests/check.sh"

# The study goes on after an interruption in the second of its blocks.
goes_on()
{
    rm -rf study.h5 undisturbed.h5
    expect 0 "$MANYLINK" plan study.yaml
    blocks=$(sed -n 's/^blocks  *\([0-9]*\) of .*/\1/p' out)
    [ "$blocks" -ge 4 ] || fail "$blocks blocks are too few to interrupt between them"

    "$MANYLINK" run study.yaml --threads 1 >out 2>err &
    process=$!
    while kill -0 $process 2>/dev/null && [ "$(blocks study.h5)" = 0 ]; do
        sleep 0.01
    done
    kill -TERM $process # not INT: a shell makes its background processes ignore it
    code=0
    wait $process || code=$?
    [ $code = 130 ] || fail "exit code $code, not 130: $(cat err)"
    says err "the same command goes on from there"
    [ ! -e study.h5 ] || fail "there is a result after an interruption"

    expect 0 "$MANYLINK" run study.yaml --threads 2
    says out "continued from"
    expect 0 "$MANYLINK" run study.yaml -o undisturbed.h5
    same study.h5 undisturbed.h5
    [ ! -e study.h5.parts ] || fail "parts are left"
}

cat >study.yaml <<'END'
manylink: 1
system: {type: chain, segments: [{length: 1, mass: 1}, {length: 0.5, mass: 2}]}
initial: {angle: {1: 2, 2: 1}}
time: {step: 1e-3, end: 1}
sweep: [{set: initial.angle.1, from: -3, to: 3, count: 40000}]
save: {trajectory: {every: 100, runs: {every: 500}}}
END
goes_on

# Derivatives are kept like everything else.
cat >study.yaml <<'END'
manylink: 1
system: {type: chain, segments: [{length: 1, mass: 1}, {length: 0.5, mass: 2}]}
initial: {angle: {1: 2, 2: 1}}
time: {step: 1e-3, end: 0.2}
sweep: [{set: initial.angle.1, from: -3, to: 3, count: 20000}]
analyse:
  sensitivity:
    of: [end_state, trajectory, max_rate]
    to: [system.segments.2.mass, initial.angle.2]
save: {trajectory: {every: 20, runs: {every: 500}}}
END
goes_on
