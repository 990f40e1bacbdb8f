# label: fault
# A file system that gives no locks (NFS without its daemon): `run` is refused with a remedy, which helps.
. "$SOURCE/tests/check.sh"
[ -z "$SANITIZE" ] || skip "a library with another flock goes before the sanitizer's"

cat >flock.c <<'END'
#include <errno.h>
int flock(int file, int how) { return (void)file, (void)how, errno = ENOLCK, -1; }
END
"$CC" -shared -fPIC flock.c -o flock.so
print_chain 100 4 >study.yaml
expect 0 "$MANYLINK" run study.yaml -o there.h5
expect 1 env -u HDF5_USE_FILE_LOCKING LD_PRELOAD="$PWD/flock.so" "$MANYLINK" run study.yaml -o new.h5
says err "new.h5.parts/lock: cannot be locked: No locks available; with HDF5_USE_FILE_LOCKING=FALSE it is"
for command in "run study.yaml -o new.h5" "info new.h5" "verify new.h5"; do
    # shellcheck disable=SC2086
    expect 0 env HDF5_USE_FILE_LOCKING=FALSE LD_PRELOAD="$PWD/flock.so" "$MANYLINK" $command
done
[ ! -e new.h5.parts ] || fail "parts are left: $(ls new.h5.parts)"
same there.h5 new.h5
