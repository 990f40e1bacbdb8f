# label: slow
# Killed with SIGKILL again and again, `run` goes on from the finished blocks and ends with the file
# of an undisturbed run, to the bit.
. "$SOURCE/tests/check.sh"

cat >study.yaml <<'END'
manylink: 1
system: {type: chain, segments: [{length: 1, mass: 1}, {length: 0.5, mass: 2}]}
initial: {angle: {1: 2, 2: 1}}
time: {step: 1e-3, end: 1}
sweep: [{set: initial.angle.1, from: -3, to: 3, count: 80000}]
END

blocks()
{
    find study.h5.parts -name 'block-????????' 2>/dev/null | wc -l
}

# Each time it is killed a while after there is one more block than before, whatever it does then.
killed=0
for attempt in 1 2 3 4 5 6; do
    before=$(blocks)
    "$MANYLINK" run study.yaml --threads 2 >out 2>err &
    process=$!
    while kill -0 $process 2>/dev/null && [ "$(blocks)" -le "$before" ]; do
        sleep 0.01
    done
    sleep 0.1$attempt
    kill -KILL $process 2>/dev/null || true
    code=0
    wait $process || code=$?
    [ $code != 0 ] || break
    [ $code = 137 ] || fail "exit code $code: $(cat err)"
    killed=$((killed + 1))
done
[ $killed -gt 1 ] || fail "it was done before it could be killed twice"
[ "$code" = 0 ] || expect 0 "$MANYLINK" run study.yaml
expect 0 "$MANYLINK" run study.yaml -o undisturbed.h5
same study.h5 undisturbed.h5
[ ! -e study.h5.parts ] || fail "parts are left"
echo "killed $killed times"
