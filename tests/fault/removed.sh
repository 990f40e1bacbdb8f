# label: fault
# The folder of parts is removed below a process and another begins: the first ends, and takes
# nothing from the second.
. "$SOURCE/tests/check.sh"

print_chain 300 1600 >study.yaml
echo "save: {trajectory: {every: 300, runs: {every: 3}}}" >>study.yaml

hold out.h5 "$MANYLINK" run study.yaml -o out.h5 --threads 1
first=$process
mv held.out first.out
mv held.err first.err
rm -r out.h5.parts
hold out.h5 "$MANYLINK" run study.yaml -o out.h5 --threads 1
before=$(ls -i out.h5.parts)
kill -CONT "$first"
code=0
wait "$first" || code=$?
cat first.err
[ $code = 1 ] || fail "the first: exit code $code"
grep -q "out.h5.parts.* was removed" first.err || fail "the first does not say what is wrong"
[ "$(ls -i out.h5.parts)" = "$before" ] || fail "the first removed a file of the second"
"$MANYLINK" status out.h5 >out
says out "process $process on "
says out " is at work"
kill -CONT "$held"
held=
wait "$process" || fail "the second: exit code $?: $(cat held.err)"
[ ! -e out.h5.parts ] || fail "parts are left"
expect 0 "$MANYLINK" verify out.h5
