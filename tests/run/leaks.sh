# Paths on which the library fails leak nothing, and read nothing that was not written.
. "$SOURCE/tests/check.sh"
need valgrind
[ -z "$SANITIZE" ] || skip "sanitizers look for leaks themselves"

for program in config_draft store_opened run_evaluate run_catalogue; do
    expect 0 valgrind --quiet --leak-check=full --errors-for-leak-kinds=definite \
        --error-exitcode=9 "$BUILD/test_$program"
done
