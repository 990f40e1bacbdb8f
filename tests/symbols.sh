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

# What a public header declares, a shared library shows: ML_API is not forgotten, nor the function.
need readelf
cat "$SOURCE"/include/manylink/*.h | grep -oE '\bml_[a-z0-9_]+\(' | tr -d '(' | grep -v '_fn$' |
    sort -u >declared
readelf --syms --wide "$LIBRARY" | awk '$4 == "FUNC" && $5 == "GLOBAL" && $6 == "DEFAULT" {print $8}' |
    grep '^ml_' | sort -u >shown
[ -s declared ] || fail "no function is declared"
diff declared shown || fail "declared are not the functions that are shown"

# So does the shared one that is built beside it.
shared=$BUILD/libmanylink.so
[ -e "$shared" ] || fail "no $shared"
nm --dynamic --extern-only --defined-only --format=posix "$shared" | sed 's/ .*//' | sort -u >shown
grep -v '^\.gomp_critical_user_' shown | diff declared - || fail "declared are not the names that $shared shows"
