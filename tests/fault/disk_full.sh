# label: fault
# On a full disk `run` says so, keeps what is finished, and ends with the same file once there is
# room: at twenty levels, from the first file to the last page.
. "$SOURCE/tests/check.sh"
need_python

mkdir disk
mount -t tmpfs -o size=1m fault disk 2>/dev/null || {
    # As a user: root of a name space of one's own may mount.
    if [ -z "${UNSHARED-}" ] && unshare -rm true 2>/dev/null; then
        UNSHARED=yes exec unshare -rm sh "$0"
    fi
    skip "no right to mount a small disk"
}
trap 'umount disk 2>/dev/null || true' EXIT
umount disk

# disk OPTIONS: an empty one of that size
disk()
{
    umount disk 2>/dev/null || true
    mount -t tmpfs -o "$1" fault disk
}

cat >plain.yaml <<'END'
manylink: 1
system: {type: chain, segments: [{length: 1, mass: 1}, {length: 0.5, mass: 2}]}
initial: {angle: {1: 2, 2: 1}}
time: {step: 1e-3, end: 0.05}
sweep:
  - {set: initial.angle.1, from: -3, to: 3, count: 960}
  - {set: initial.rate.1, values: [0, 1, 2, 1e9]}
END
cp plain.yaml saved.yaml
echo 'save: {trajectory: {every: 2, quantities: [angle, rate, energy], runs: {every: 3}}}' >>saved.yaml
runs=240 # of a block

# Bytes that are there at once, at most: the result and the journals, each of whose parts begins
# with a head that has the part's size in its third word.
room_for()
{
    expect 3 "$MANYLINK" run "$1.yaml" -o "$1.h5"
    room=$(wc -c <"$1.h5")
    disk size="$room"
    expect 1 "$MANYLINK" run "$1.yaml" -o disk/result.h5
    part=$(cat disk/result.h5.parts/blocks-* | od -A n -t u8 -j 16 -N 8)
    room=$((room + 16 * part))
}

# finishes STUDY: with room again, from the blocks that are there
finishes()
{
    n=$(blocks disk/result.h5)
    mount -t tmpfs -o remount,size=64m fault disk
    expect 3 "$MANYLINK" run "$1.yaml" -o disk/result.h5
    [ "$n" = 0 ] || says out "continued from $((n * runs)) finished runs"
    same disk/result.h5 "$1.h5"
    [ ! -e disk/result.h5.parts ] || fail "parts are left"
}

# is_full STUDY: there is too little room
is_full()
{
    expect 1 "$MANYLINK" run "$1.yaml" -o disk/result.h5
    says err "No space left on device"
    grep -q "^disk/result.h5[^:]*: .*No space left" err || fail "no file is named: $(cat err)"
    says err "up to "
    [ ! -e disk/result.h5 ] || fail "there is a result on a full disk"
}

for study in plain saved; do
    room_for $study
    most=0
    for level in 0 1 2 3 4 5 6 7 8 9; do
        size=$((40000 + level * (room - 48000) / 9))
        disk size=$size
        is_full $study
        finishes $study
        most=$n
        echo "$study: $n blocks with $size bytes of $room"
    done
    [ "$most" = 16 ] || fail "only $most blocks fit with almost enough room"
done

# Room that comes page by page.
disk size=40000
before=0
for level in 1 2 3 4 5 6 7 8; do
    is_full saved
    n=$(blocks disk/result.h5)
    [ "$n" -ge "$before" ] || fail "$n blocks are done, and $before were before"
    before=$n
    mount -t tmpfs -o remount,size=$((40000 + level * (room - 48000) / 9)) fault disk
done
finishes saved

# Not even a folder, a name or the first page.
for options in nr_inodes=1 nr_inodes=2 nr_inodes=3 nr_inodes=4 size=4k size=8k; do
    disk "$options"
    expect 1 "$MANYLINK" run saved.yaml -o disk/result.h5
    says err "No space left on device"
    says err disk/result.h5
    mount -t tmpfs -o remount,size=64m,nr_inodes=1000 fault disk
    finishes saved
done

# Foreseen.
disk size=100k
expect 1 "$MANYLINK" run saved.yaml -o disk/result.h5 --strict-space
says err "disk/result.h5: up to "
says err " MB will be written, and 0 MB are free"
[ ! -e disk/result.h5 ] || fail "there is a result on a full disk"
finishes saved
