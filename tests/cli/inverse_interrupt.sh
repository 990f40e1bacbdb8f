# Interrupted, `inverse` leaves with 130, and what was there before as it was.
. "$SOURCE/tests/check.sh"

cat >study.yaml <<'END'
manylink: 1
system: {type: chain, segments: [{length: 1, mass: 1}, {length: 0.5, mass: 2}]}
time: {step: 1e-3, end: 1}
motion: {type: minimum_jerk, start: {angle: [0, 0]}, end: {angle: [1, 2]}, duration: 1}
sweep: [{set: system.segments.1.mass, from: 1, to: 3, count: 10000}]
END
expect 0 "$MANYLINK" inverse study.yaml -o before.h5 --set sweep.0.count=2
cp before.h5 there.h5

# interrupt OUTPUT: once it is being written
interrupt()
{
    "$MANYLINK" inverse study.yaml -o "$1" >out 2>err &
    process=$!
    while kill -0 $process 2>/dev/null && [ -z "$(find . -name '*.tmp')" ]; do
        sleep 0.01
    done
    kill -TERM $process # not INT: a shell makes its background processes ignore it
    code=0
    wait $process || code=$?
    [ $code = 130 ] || fail "exit code $code, not 130: $(cat err)"
    says err stopping
    says err "stopped before the end; nothing is written"
    [ -z "$(find . -name '*.tmp')" ] || fail "a temporary file is left"
}

interrupt new.h5
[ ! -e new.h5 ] || fail "there is a result after an interruption"
interrupt there.h5
cmp before.h5 there.h5 || fail "a result was changed"
