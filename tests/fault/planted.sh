# label: fault
# What somebody else may have put in the way: links, FIFOs and folders are refused at once, with
# their names, and no other file is written.
. "$SOURCE/tests/check.sh"
need_python

print_chain 20 640 >study.yaml
echo 'save: {trajectory: {every: 5, runs: {every: 3}}}' >>study.yaml
expect 0 "$MANYLINK" run study.yaml -o reference.h5

# refused CODE WORDS COMMAND...: within a time that a FIFO would exceed, and no file is changed
refused()
{
    wanted=$1
    words=$2
    shift 2
    echo mine >mine
    code=0
    timeout -k 1 20 "$@" >out 2>err || code=$?
    [ $code = "$wanted" ] || fail "exit code $code, not $wanted: $*: $(cat out err)"
    says err "$words"
    [ "$(cat mine)" = mine ] || fail "a file that a link names was written: $*"
}

# Among the parts.
for name in lock trajectories identity.yaml; do
    mkdir $name.h5.parts
    ln -s ../mine $name.h5.parts/$name
    refused 1 "$name.h5.parts/$name: " "$MANYLINK" run study.yaml -o $name.h5
    says err "it is a symbolic link"
    rm -rf $name.h5.parts
    mkdir $name.h5.parts
    mkfifo $name.h5.parts/$name
    refused 1 "$name.h5.parts/$name: " "$MANYLINK" run study.yaml -o $name.h5
    says err "it is not an ordinary file"
    timeout 20 "$MANYLINK" status $name.h5 >out 2>err || [ $? = 2 ] || fail "status waits for a FIFO"
    rm -rf $name.h5.parts
    expect 0 "$MANYLINK" run study.yaml -o $name.h5
    same $name.h5 reference.h5
done

print_chain 300 640 >long.yaml
hold long.h5 "$MANYLINK" run long.yaml -o long.h5 --threads 1
kill_held
ln -s ../mine long.h5.parts/blocks-planted
refused 1 "blocks-planted: cannot be read: it is a symbolic link" "$MANYLINK" run long.yaml -o long.h5
rm long.h5.parts/blocks-planted
mkfifo long.h5.parts/blocks-planted
refused 1 "blocks-planted: cannot be read: it is not an ordinary file" "$MANYLINK" run long.yaml \
    -o long.h5
rm long.h5.parts/blocks-planted
expect 0 "$MANYLINK" run long.yaml -o long.h5
says out "continued from"

# A link to a folder of one's own is followed.
mkdir elsewhere
ln -s elsewhere linked.h5.parts
expect 0 "$MANYLINK" run study.yaml -o linked.h5
same linked.h5 reference.h5

# Another user's folder, or link to one's own.
if [ "$(id -u)" = 0 ]; then
    mkdir foreign.h5.parts
    chown 12345 foreign.h5.parts
    refused 1 "foreign.h5.parts: belongs to another user (number 12345; this one is number 0)" \
        "$MANYLINK" run study.yaml -o foreign.h5
    refused 1 "foreign.h5.parts: belongs to another user" "$MANYLINK" run study.yaml -o foreign.h5 \
        --restart
    chown 0 foreign.h5.parts
    expect 0 "$MANYLINK" run study.yaml -o foreign.h5
    echo mine >elsewhere/own.tmp
    ln -s elsewhere bound.h5.parts
    chown -h 12345 bound.h5.parts
    refused 1 "bound.h5.parts: belongs to another user" "$MANYLINK" run study.yaml -o bound.h5
    [ -e elsewhere/own.tmp ] || fail "a file was removed from where another's link leads"
else
    echo "without folders of others: no right to make them"
fi

# FIFOs in place of what is read.
mkfifo fifo
refused 1 "fifo: it is not an ordinary file" "$MANYLINK" run fifo
cat >forced.yaml <<'END2'
manylink: 1
system: {type: chain, segments: [{name: arm, length: 1, mass: 1}]}
time: {step: 1e-2, end: 1}
forces: [{type: torque, joint: arm, value: {type: table, file: fifo}}]
END2
refused 2 "it is not an ordinary file" "$MANYLINK" run forced.yaml
sed -i '/forces/d' forced.yaml
refused 1 "fifo: it is not an ordinary file" "$MANYLINK" inverse forced.yaml --motion fifo
for command in info verify plot status 'merge -o merged.h5'; do
    refused 1 "fifo: is not a regular file" "$MANYLINK" $command fifo
done
refused 1 "fifo: is not an ordinary file" "$MANYLINK" run study.yaml -o fifo
[ -p fifo ] || fail "a FIFO was removed"
refused 2 ".: is a folder" "$MANYLINK" info .

# A link in place of a temporary file whose name can be foreseen, beside the result.
cat >motion.yaml <<'END2'
manylink: 1
system: {type: chain, segments: [{length: 1, mass: 1}]}
time: {step: 1e-2, end: 1}
motion: {type: minimum_jerk, start: {angle: [0]}, end: {angle: [1]}, duration: 1}
END2
echo mine >mine
expect 0 sh -c 'ln -s mine "torque.h5.$(uname -n | cut -c1-63)-$$.tmp" && exec "$@"' sh \
    "$MANYLINK" inverse motion.yaml -o torque.h5
[ "$(cat mine)" = mine ] || fail "a file that a temporary name links to was written"
[ ! -L torque.h5 ] || fail "the result is a link"
