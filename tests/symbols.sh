# Every name that the library shows to a linker begins with ml_.
. "$SOURCE/tests/check.sh"
need nm readelf
[ -z "$SANITIZE" ] || skip "sanitizers add names of their own"
[ "$TOOLS" = 1 ] || skip "headers declare the tools that this library is built without"

# What a public header declares, a shared library shows, and nothing else: ML_API is not forgotten, nor
# the function.
cat "$SOURCE"/include/manylink/*.h | grep -oE '\bml_[a-z0-9_]+\(' | tr -d '(' | grep -v '_fn$' |
    sort -u >declared
[ -s declared ] || fail "no function is declared"
nm --dynamic --extern-only --defined-only --format=posix "$BUILD/libmanylink.so" | sed 's/ .*//' |
    sort -u >shown
diff declared shown || fail "declared are not the names that the shared library shows"

case $LIBRARY in
*.a) ;;
*) exit 0 ;;
esac
nm --extern-only --defined-only --format=posix "$LIBRARY" >names
grep -q '^ml_run ' names || fail "nm finds nothing in $LIBRARY"
if grep -vE '^ml_|:$|^$' names; then
    fail "names without the prefix ml_"
fi
readelf --syms --wide "$LIBRARY" | awk '$4 == "FUNC" && $5 == "GLOBAL" && $6 == "DEFAULT" {print $8}' |
    grep '^ml_' | sort -u >shown
diff declared shown || fail "declared are not the functions that are shown"

# Poles and responses of loops have the same bits with any C library.
nm --undefined-only --print-file-name "$LIBRARY" | grep -E '(eigenvalues|exponential|lu|poles|loop_response|sampled_loop)\.c\.o:' >loops
grep -q ' sqrt$\| ml_lu_solve$' loops || fail "nm finds nothing of loops in $LIBRARY"
if grep -E ' (hypot|cabs|csqrt|carg|cexp|clog|cpow|exp|log|sin|cos)$' loops; then
    fail "loops take functions whose last bits the C library chooses"
fi
