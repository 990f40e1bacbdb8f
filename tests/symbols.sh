# Every name that the library shows to a linker begins with ml_.
. "$SOURCE/tests/check.sh"
need nm
case $LIBRARY in
*.a) ;;
*) skip "the static library is checked" ;;
esac
[ -z "$SANITIZE" ] || skip "sanitizers add names of their own"

# Locks of `omp critical` sections are the compiler's.
nm --extern-only --defined-only --format=posix "$LIBRARY" >names
grep -q '^ml_run ' names || fail "nm finds nothing in $LIBRARY"
if grep -vE '^(ml_|\.gomp_critical_user_)|:$|^$' names; then
    fail "names without the prefix ml_"
fi
