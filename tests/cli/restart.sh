# `run --restart`, interrupted, comes to an end: the command that is told continues from there, and so
# does the same command; a study that could not start is in no corrected one's way.
. "$SOURCE/tests/check.sh"
need_python

print_chain 300 1600 >study.yaml
expect 0 "$MANYLINK" run study.yaml -o reference.h5

# interrupted RESULT OPTION...: once a block is done; ./out and ./err are its own
interrupted()
{
    stops "$1" "$MANYLINK" run study.yaml --threads 1 -o "$@"
    says err "continues from there: manylink run --threads 1 -o "
}

# What is told leaves --restart out, however it was written, and a shell reads its words as they are.
odd='a b~#.h5'
cp reference.h5 "$odd"
interrupted "$odd" --restart
says err "the same command without --restart continues from there: manylink"
says err "-o '$odd'"
if grep -q 'manylink run .*--rest' err; then
    fail "--restart is told: $(cat err)"
fi
told=$(sed -n 's/.*continues from there: manylink//p' err)
expect 0 sh -c "'$MANYLINK' $told"
says out "continued from"
same "$odd" reference.h5

# So does the same command, each time.
cp reference.h5 again.h5
interrupted again.h5 --rest
n=$(blocks again.h5)
[ "$n" -gt 0 ] || fail "no block is done"
interrupted again.h5 --restart
says err "continues the result that --restart began"
[ "$(blocks again.h5)" -gt "$n" ] || fail "blocks of the first --restart are gone"
expect 0 "$MANYLINK" run study.yaml -o again.h5 --restart
says out "continued from"
same again.h5 reference.h5

# What was begun without it, by another study, or is finished, is discarded all the same.
interrupted begun.h5
expect 0 "$MANYLINK" run study.yaml -o begun.h5 --restart
! grep "continued from" out || fail "--restart discards nothing"
expect 0 "$MANYLINK" run study.yaml -o begun.h5 --restart
! grep "continued from\|is finished already" out || fail "--restart discards nothing"
interrupted begun.h5 --restart
expect 0 "$MANYLINK" run study.yaml -o begun.h5 --restart --set system.segments.1.mass=2
! grep "continued from" out || fail "parts of another study are taken"

# Without a block, by time, by a signal or killed: the corrected study has its name.
print_chain 100000000 1600 >heavy.yaml
expect 130 "$MANYLINK" run heavy.yaml -o heavy.h5 --time-limit 0.00001s
[ ! -e heavy.h5.parts ] || fail "parts without a block are left"
"$MANYLINK" run heavy.yaml -o heavy.h5 --threads 1 >out 2>err &
while [ ! -e heavy.h5.parts/identity.yaml ]; do
    kill -0 $! || fail "it does not begin: $(cat out err)"
done
kill -KILL $!
wait $! || true
[ "$(blocks heavy.h5)" = 0 ] || fail "a block of hours is done at once"
expect 0 "$MANYLINK" run study.yaml -o heavy.h5
same heavy.h5 reference.h5

# A result that replaces another one has its permissions.
chmod 600 heavy.h5
expect 0 "$MANYLINK" run study.yaml -o heavy.h5 --restart
expect 0 env stat -c %a heavy.h5
says out 600
