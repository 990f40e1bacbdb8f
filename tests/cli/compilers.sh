# label: slow
# gcc and clang, and lanes one wide, give the same bits: what gcc built is compared with the preset clang-release,
# which .ci/run has built already; what is not up to date there is built.
. "$SOURCE/tests/check.sh"
need gcc clang
need_python
[ -z "$SANITIZE" ] || skip "the build without sanitizers compares"
! "$CC" --version | grep -q clang || skip "the build by gcc compares"
echo 'int main(void) { return 0; }' | clang -fopenmp -x c - -o /dev/null || skip "clang has no OpenMP"

build_preset clang-release manylink_command
! cmp -s "$MANYLINK" "$SOURCE/build/clang-release/manylink" || fail "the build is compared with itself"
REFERENCE=$SOURCE/build/clang-release/manylink
. "$SOURCE/tests/cli/same_bits.sh"

# Kernels made for studies and lanes one wide: of a chain, of formulas with tangent vectors and derivatives.
for study in study kind; do
    expect 0 "$MANYLINK" run $study.yaml --no-accuracy -o $study.h5
    expect 0 env MANYLINK_ISA=one "$REFERENCE" run $study.yaml --no-accuracy --kernel made -o $study-one.h5
    says out "kernel made for it"
    same $study.h5 $study-one.h5
done
