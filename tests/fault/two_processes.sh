# label: fault
# Two processes that are started at once on the same study: one works, the other waits and finds it
# finished. One that is killed leaves no lock behind.
. "$SOURCE/tests/check.sh"
need_python

print_chain 300 3840 >plain.yaml
cp plain.yaml long.yaml
cp plain.yaml saved.yaml
echo 'save: {trajectory: {every: 20, quantities: [angle, energy], runs: {every: 15}}}' >>saved.yaml

# together STUDY NUMBER: both end well, and one of them has done it all
together()
{
    "$MANYLINK" run "$1.yaml" -o "$1-$2.h5" >out.1 2>err.1 &
    first=$!
    "$MANYLINK" run "$1.yaml" -o "$1-$2.h5" >out.2 2>err.2 &
    second=$!
    wait $first || fail "the first: exit code $?: $(cat err.1)"
    wait $second || fail "the second: exit code $?: $(cat err.2)"
    [ "$(cat out.1 out.2 | grep -c 'is finished already')" = 1 ] ||
        fail "it was done twice, or by nobody: $(cat out.1 out.2)"
    grep -q "continued from" out.1 out.2 && fail "they shared the work"
    [ ! -e "$1-$2.h5.parts" ] || fail "parts are left"
}

for study in plain saved; do
    expect 0 "$MANYLINK" run $study.yaml -o $study.h5
done
for try in 1 2 3 4; do
    together plain $try
done
for try in 1 2 3; do
    together saved $try
done
same plain.h5 plain-*.h5
same saved.h5 saved-*.h5

# begins RESULT: a second one, which waits for one that is held after a block
begins()
{
    "$MANYLINK" run long.yaml -o "$1" >out.2 2>err.2 &
    waiting=$!
    while ! grep -q "process $process on .* is at work here: waiting" err.2; do
        kill -0 $waiting || fail "it did not wait: $(cat out.2 err.2)"
    done
}
hold waited.h5 "$MANYLINK" run long.yaml -o waited.h5 --threads 1
begins waited.h5
kill -CONT "$held"
wait "$held" || fail "the first: exit code $?: $(cat held.err)"
held=
wait $waiting || fail "the second: exit code $?: $(cat err.2)"
grep -q "is finished already" out.2 || fail "$(cat out.2)"

hold busy.h5 "$MANYLINK" run long.yaml -o busy.h5 --threads 1
expect 1 "$MANYLINK" run long.yaml -o busy.h5 --wait 0
says err "busy.h5.parts: process $process on $(uname -n) since "
says err " is at work here"

# Killed, it leaves no lock: the next one does not wait.
kill_held
"$MANYLINK" status busy.h5 >out
says out "nobody is at work"
expect 0 "$MANYLINK" run long.yaml -o busy.h5 --wait 0
says out "continued from"

# One that waits goes on when the other is killed.
hold freed.h5 "$MANYLINK" run long.yaml -o freed.h5 --threads 1
begins freed.h5
kill_held
wait $waiting || fail "exit code $?: $(cat err.2)"
grep -q "continued from" out.2 || fail "$(cat out.2)"
same busy.h5 freed.h5
