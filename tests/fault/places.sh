# label: fault
# Wherever a result is to be put: what is in the way is named at once, nothing of others is removed,
# and once it is mended the same command succeeds.
. "$SOURCE/tests/check.sh"
need_python

# print_saved STEPS RUNS EVERY: a third of the runs keep one step in EVERY
print_saved()
{
    print_chain "$1" "$2"
    echo "save: {trajectory: {every: $3, runs: {every: 3}}}"
}
print_saved 20 640 5 >study.yaml
expect 0 "$MANYLINK" run study.yaml -o reference.h5

# try_run RESULT OPTION...: it neither hangs nor crashes; sets `code`
try_run()
{
    code=0
    result=$1
    shift
    timeout 60 "$MANYLINK" run study.yaml -o "$result" "$@" >out 2>err || code=$?
}

# refused WORDS RESULT OPTION...: with a message that names the place
refused()
{
    words=$1
    shift
    try_run "$@"
    [ $code = 1 ] || [ $code = 2 ] || fail "exit code $code: run -o $*: $(cat err)"
    says err "$words"
}

succeeds()
{
    try_run "$@"
    [ $code = 0 ] || fail "exit code $code: run -o $*: $(cat err)"
    same "$1" reference.h5
    [ ! -e "$1.parts" ] || fail "parts are left"
}

# is_text FILE: what was there before is there still
is_text()
{
    [ "$(cat "$1")" = mine ] || fail "$1 is lost"
}

# A folder that is not there.
refused "missing/a.h5.parts: cannot be made: No such file or directory" missing/a.h5
mkdir missing
succeeds missing/a.h5

# What is no folder in place of the parts, what is no file in place of the result.
echo mine >file.h5.parts
for option in --quiet --restart; do
    refused "file.h5.parts: cannot be made: Not a directory" file.h5 $option
    is_text file.h5.parts
done
rm file.h5.parts
succeeds file.h5
mkdir folder.h5
echo mine >folder.h5/text
mkfifo fifo.h5
echo mine >text.h5
for option in --quiet --restart; do
    refused "folder.h5: is a folder" folder.h5 $option
    refused "fifo.h5: is not an ordinary file" fifo.h5 $option
    refused "/dev/null: is not an ordinary file" /dev/null $option
    refused "/dev/full: is not an ordinary file" /dev/full $option
    refused "text.h5: is not a manylink result" text.h5 $option
    is_text folder.h5/text
    is_text text.h5
done
[ -p fifo.h5 ] || fail "a FIFO was removed"
[ -c /dev/null ] && [ -c /dev/full ] || fail "a device was removed"
rm -r folder.h5 fifo.h5 text.h5
for name in folder fifo text; do
    succeeds $name.h5
done

# Links: to nothing, into another folder, from the parts.
mkdir elsewhere
ln -s elsewhere/a.h5 link.h5
refused "link.h5: is a symbolic link to a missing file" link.h5
refused "link.h5: is a symbolic link to a missing file" link.h5 --restart
[ -L link.h5 ] || fail "a link was removed"
succeeds elsewhere/a.h5
cp elsewhere/a.h5 before.h5
try_run link.h5
says out "link.h5 is finished already"
refused "link.h5: is a symbolic link" link.h5 --restart
[ -L link.h5 ] || fail "a link was removed"
cmp elsewhere/a.h5 before.h5 || fail "what a link stands for was changed"
succeeds elsewhere/a.h5 --restart
ln -s nowhere linked.h5.parts
refused "linked.h5.parts: cannot be made: No such file or directory" linked.h5
[ -L linked.h5.parts ] || fail "a link was removed"
rm linked.h5.parts
succeeds linked.h5
ln -s link-to-self.h5 link-to-self.h5
refused "link-to-self.h5: " link-to-self.h5
rm link-to-self.h5

cat >motion.yaml <<'END'
manylink: 1
system: {type: chain, segments: [{length: 1, mass: 1}]}
time: {step: 1e-2, end: 1}
motion: {type: minimum_jerk, start: {angle: [0]}, end: {angle: [1]}, duration: 1}
END
ln -s nowhere.h5 torque.h5
expect 1 "$MANYLINK" inverse motion.yaml -o torque.h5
says err "torque.h5: is a symbolic link"
[ -L torque.h5 ] || fail "a link was removed"

# Names that are too long, and one whose parts are.
repeat()
{
    printf "%$2s" '' | sed "s,.,$1,g"
}
for name in "$(repeat ./ 2500)a.h5" "$(repeat n 297).h5" "$(repeat n 248).h5"; do
    refused "File name too long" "$name"
    says err "$name"
done
succeeds "$(repeat n 240).h5"

# What others keep among the parts stays.
mkdir shared.h5.parts
echo mine >shared.h5.parts/text
try_run shared.h5
[ $code = 0 ] || fail "exit code $code: $(cat err)"
is_text shared.h5.parts/text

# read_only COMMAND: of a disk if one may be mounted, else by the permissions of a user
writable()
{
    if [ "$(id -u)" = 0 ]; then
        mount -o remount,rw disk
    else
        chmod u+w disk
    fi
}
read_only()
{
    if [ "$(id -u)" = 0 ]; then
        mount -o remount,ro disk
    else
        chmod a-w disk
    fi
}
holder=
clean_up()
{
    umount disk 2>/dev/null || true
    [ -z "$holder" ] || kill $holder 2>/dev/null || true
}
trap clean_up EXIT
mkdir disk
if [ "$(id -u)" != 0 ] || mount -t tmpfs fault disk 2>/dev/null; then
    cp reference.h5 disk/done.h5
    read_only
    refused "disk/a.h5.parts: cannot be made: " disk/a.h5
    try_run disk/done.h5
    says out "disk/done.h5 is finished already"
    refused "disk/done.h5" disk/done.h5 --restart
    cmp reference.h5 disk/done.h5 || fail "a file on a disk for reading was changed"
    writable
    succeeds disk/a.h5
else
    echo "without a folder for reading only: no right to mount one"
fi

# open_in_h5py FILE MODE: by the process `holder`
open_in_h5py()
{
    rm -f opened
    "$PYTHON" - "$1" "$2" <<'END' &
import pathlib, sys, time
import h5py

with h5py.File(*sys.argv[1:]):
    pathlib.Path("opened").touch()
    while pathlib.Path("opened").exists():
        time.sleep(0.01)
END
    holder=$!
    while [ ! -e opened ]; do
        kill -0 $holder || fail "h5py does not open it"
    done
}
close_in_h5py()
{
    rm opened
    wait $holder || fail "h5py: exit code $?"
}
for mode in r r+; do
    cp reference.h5 held-$mode.h5
    open_in_h5py held-$mode.h5 $mode
    try_run held-$mode.h5 # the flag of a file opened for writing is not sealed
    says out "held-$mode.h5 is finished already"
    close_in_h5py
    succeeds held-$mode.h5
    open_in_h5py held-$mode.h5 $mode
    succeeds held-$mode.h5 --restart
    close_in_h5py
    succeeds held-$mode.h5
done

# A study to be held in the middle of its blocks.
print_saved 300 1600 300 >long.yaml
expect 0 "$MANYLINK" run long.yaml

goes_on()
{
    expect 0 "$MANYLINK" run long.yaml -o "$1"
    same "$1" long.h5
    [ ! -e "$1.parts" ] || fail "parts are left"
}

# Changed while it computes: parts removed, their folder renamed, a file under the result's name.
hold removed.h5 "$MANYLINK" run long.yaml -o removed.h5
rm -rf removed.h5.parts
let_go 1 "removed.h5.parts"
[ ! -e removed.h5 ] || fail "there is a result without parts"
goes_on removed.h5

mkdir old
hold old/a.h5 "$MANYLINK" run long.yaml -o old/a.h5
mv old new
let_go 1 "old/a.h5.parts: was removed or renamed"
[ ! -e old ] || fail "a folder came back"
mv new old
goes_on old/a.h5
says out "continued from"

hold taken.h5 "$MANYLINK" run long.yaml -o taken.h5
echo mine >taken.h5
let_go 1 "taken.h5: cannot finish: another process made a file of this name meanwhile"
is_text taken.h5
mv taken.h5 mine
goes_on taken.h5
says out "continued from 1600 finished runs"
