# label: fault
# `plot` to a disk that is full: an error, and the old picture stays.
. "$SOURCE/tests/check.sh"
need gnuplot

mkdir disk
mount -t tmpfs -o size=32k fault disk 2>/dev/null || {
    # As a user: root of a name space of one's own may mount.
    if [ -z "${UNSHARED-}" ] && unshare -rm true 2>/dev/null; then
        UNSHARED=yes exec unshare -rm sh "$0"
    fi
    skip "no right to mount a small disk"
}
trap 'umount disk 2>/dev/null || true' EXIT
umount disk

cat >study.yaml <<'END2'
manylink: 1
system: {type: chain, segments: [{length: 1, mass: 1}, {length: 0.5, mass: 1}]}
initial: {angle: 1}
time: {step: 1e-2, end: 2}
sweep:
  - {set: initial.angle.1, from: -2, to: 2, count: 60}
  - {set: initial.angle.2, from: -2, to: 2, count: 60}
END2
expect 0 "$MANYLINK" run --quiet study.yaml -o r.h5
for kind in png svg pdf; do
    expect 0 "$MANYLINK" plot r.h5 -o whole.$kind
    for part in 4 2; do # of the picture there is room for 1 / 4, 1 / 2
        room=$(($(wc -c <whole.$kind) / part / 4096 * 4096 + 4096))
        mount -t tmpfs -o size=$room fault disk
        printf old >disk/p.$kind
        expect 1 "$MANYLINK" plot r.h5 -o disk/p.$kind
        [ "$(cat disk/p.$kind)" = old ] || fail "the old picture is lost: $kind, $room bytes"
        [ "$(ls disk)" = p.$kind ] || fail "files are left: $(ls disk)"
        mount -t tmpfs -o remount,size=16m fault disk
        expect 0 "$MANYLINK" plot r.h5 -o disk/p.$kind
        cmp -s disk/p.$kind whole.$kind || [ "$(wc -c <disk/p.$kind)" -gt $room ] ||
            fail "no whole picture with room"
        umount disk
    done
done
