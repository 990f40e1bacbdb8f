# label: slow
# Killed with SIGKILL while it saves trajectories, and again and again while it puts the result
# together, `run` goes on and ends with the file of an undisturbed run, to the bit.
. "$SOURCE/tests/check.sh"

# Some runs fail, and only some are saved.
cat >study.yaml <<'END'
manylink: 1
system: {type: chain, segments: [{length: 1, mass: 1}, {length: 0.5, mass: 2}]}
initial: {angle: {1: 2, 2: 1}}
time: {step: 1e-3, end: 1}
sweep:
  - {set: initial.angle.1, from: -3, to: 3, count: 6000}
  - {set: initial.rate.1, values: [0, 1, 2, 1e9]}
save: {trajectory: {every: 5, quantities: [angle, rate, energy], runs: {every: 3}}}
END
expect 3 "$MANYLINK" run study.yaml -o undisturbed.h5
says out "diverged"

blocks()
{
    find study.h5.parts -name 'block-????????' 2>/dev/null | wc -l
}

# run_until CONDITION: runs until a shell command succeeds, then kills it; sets `code`.
run_until()
{
    "$MANYLINK" run study.yaml --threads 2 >out 2>err &
    process=$!
    while kill -0 $process 2>/dev/null && ! eval "$1"; do
        :
    done
    kill -KILL $process 2>/dev/null || true
    code=0
    wait $process || code=$?
    [ $code = 137 ] || [ $code = 3 ] || fail "exit code $code: $(cat err)"
}

killed=0
for attempt in 1 2 3 4 5; do
    before=$(blocks)
    run_until '[ "$(blocks)" -gt "$before" ]'
    [ $code = 137 ] || break
    killed=$((killed + 1))
done
[ $killed -gt 1 ] || fail "it was done before it could be killed twice"

# While it finishes: there is a result.*.tmp with everything but the trajectories.
finishing=0
for attempt in 1 2 3 4 5 6 7 8; do
    [ $code = 137 ] || break
    size=$((attempt * 100000))
    run_until '[ -n "$(find study.h5.parts -name "result.*" -size +${size}c 2>/dev/null)" ]'
    [ $code = 3 ] || finishing=$((finishing + 1))
done
[ "$code" = 3 ] || expect 3 "$MANYLINK" run study.yaml
same study.h5 undisturbed.h5
[ ! -e study.h5.parts ] || fail "parts are left"
"$PYTHON" "$SOURCE/tests/results/view_result.py" study.h5 || [ $? = 77 ] || fail "does not open"
echo "killed $killed times while saving, $finishing times while finishing"

# A bit of a trajectory that flips while nobody looks is found when the study goes on.
"$MANYLINK" run study.yaml -o flipped.h5 --threads 1 >out 2>err &
process=$!
while kill -0 $process 2>/dev/null && [ -z "$(ls flipped.h5.parts/block-???????? 2>/dev/null)" ]; do
    :
done
kill -KILL $process
wait $process || true
# Run 3 is the second that is saved.
printf 'x' | dd of=flipped.h5.parts/trajectories bs=1 seek=8000 conv=notrunc 2>dd.out
expect 1 "$MANYLINK" run study.yaml -o flipped.h5
says err "flipped.h5.parts/trajectories: angle of run 3: the checksum does not match"
says err "delete it"
[ ! -e flipped.h5 ] || fail "there is a result with a damaged trajectory"
rm flipped.h5.parts/block-00000000
expect 3 "$MANYLINK" run study.yaml -o flipped.h5
same flipped.h5 undisturbed.h5
