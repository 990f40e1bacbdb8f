# The library has no data that changes: nothing to race for, no order of tests that matters.
. "$SOURCE/tests/check.sh"
need nm
case $LIBRARY in
*.a) ;;
*) skip "the static library is checked" ;;
esac
[ -z "$SANITIZE" ] || skip "sanitizers add data of their own"

# Constant tables of pointers are in .data.rel.ro; where LAPACK's functions are is found
# once, as a linker would, and threads of a limited process take turns there (linalg/lapacke.c).
nm --defined-only --format=sysv "$LIBRARY" >symbols
grep -q '|\.data\.rel\.ro' symbols || fail "nm finds no tables in $LIBRARY"
if grep -E '\| *(\.t?data|\.t?bss|\*COM\*)' symbols | grep -vE '\|\.data\.rel\.ro|^lapack_(once|found|lock) |^h5_(once|lock) '; then
    fail "data that can change"
fi
