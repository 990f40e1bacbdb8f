# label: source
# A script that clang-asan runs and skips has its line in tests/skips.txt: .ci/run takes any other skip for a failure.
. "$SOURCE/tests/check.sh"
cd "$SOURCE/tests"
for script in $(grep -lE '^(use_package( |$)|\[ -z "\$SANITIZE" \] \|\| skip)' -- *.sh */*.sh); do
    ! grep -qE '^# label: (slow|fault|source|values)|\|\| exit 0' "$script" || continue
    test=$(printf %s "${script%.sh}" | tr / .)
    grep -q "^clang-asan $test " skips.txt || fail "tests/skips.txt lacks clang-asan $test"
done
