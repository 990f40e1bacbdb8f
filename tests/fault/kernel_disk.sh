# label: fault
# Kernels are made on a disk that is full, for reading only, or not for programs: one line says so,
# nothing is left, and with room the next process makes it.
. "$SOURCE/tests/check.sh"

made=$BUILD/test_engine_kernel_made
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
unset MANYLINK_CC
export MANYLINK_CACHE="$PWD/disk/cache"

# disk OPTIONS: an empty one
disk()
{
    umount disk 2>/dev/null || true
    mount -t tmpfs -o "$1" fault disk
}

# is_not_made WORDS: one line has these words; no file is left but what was there
is_not_made()
{
    find disk >before
    expect 0 "$made" make
    says out "no kernel is made for this study: "
    says out "$1"
    says out "; the general kernel runs"
    [ "$(wc -l <out)" = 1 ] || fail "more than one line: $(cat out)"
    find disk >after
    grep -vx "$(cat before; echo disk/cache)" after >left || true
    [ ! -s left ] || fail "files are left: $(cat left)"
}

# is_made WORD
is_made()
{
    expect 0 "$made" make
    says out "$1"
    [ "$(find disk/cache -mindepth 1 ! -name '*.so')" = "" ] || fail "files are left: $(ls disk/cache)"
}

# From the first name to the last page.
disk size=16m
is_made made
for options in nr_inodes=1 nr_inodes=2 nr_inodes=3 nr_inodes=4 nr_inodes=5 nr_inodes=9 size=4k \
    size=20k size=60k size=100k size=140k; do
    disk "$options"
    is_not_made "No space left on device"
    mount -t tmpfs -o remount,size=64m,nr_inodes=1000 fault disk
    is_made made
    is_made cached
done

# For reading only: what is there is used.
mount -o remount,ro disk
is_made cached
disk ro
is_not_made "$MANYLINK_CACHE: cannot be made: Read-only file system"
disk size=16m
mkdir -m 700 disk/cache
mount -o remount,ro disk
is_not_made "$MANYLINK_CACHE: cannot be written: Read-only file system"

# Not for programs: the compiler does not even begin.
disk noexec
cat >compiler <<'END'
#!/bin/sh
[ "$1" = --version ] || : >called
echo version
END
chmod +x compiler
MANYLINK_CC=$PWD/compiler
export MANYLINK_CC
is_not_made "$MANYLINK_CACHE: its file system is mounted noexec"
[ ! -e called ] || fail "it is compiled all the same"
unset MANYLINK_CC
disk size=16m
is_made made
mount -o remount,noexec disk
is_not_made "is mounted noexec"
mount -o remount,exec disk
is_made cached
