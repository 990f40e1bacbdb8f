# label: slow
# gcc and clang give the same bits: what gcc built is compared with the preset clang-release, which .ci/run
# has built already; what is not up to date there is built.
. "$SOURCE/tests/check.sh"
need gcc clang
need_python
[ -z "$SANITIZE" ] || skip "the build without sanitizers compares"
! "$CC" --version | grep -q clang || skip "the build by gcc compares"
echo 'int main(void) { return 0; }' | clang -fopenmp -x c - -o /dev/null || skip "clang has no OpenMP"

build_preset clang-release manylink_command
for name in double_pendulum_map three_link_arm chain8 lorenz_rho; do
    whole= # nothing is left out of so short a time
    ! grep -q transient "$SOURCE/studies/$name.yaml" || whole='--set analyse.lyapunov.transient=0'
    for command in "$MANYLINK" "$SOURCE/build/clang-release/manylink"; do
        rm -f "$name.h5"
        # shellcheck disable=SC2086
        expect 0 "$command" run "$SOURCE/studies/$name.yaml" --set time.end=0.1 $whole
        mv "$name.h5" "$name.$(basename "$(dirname "$command")").h5"
    done
    set -- "$name".*.h5
    [ $# = 2 ] || fail "the build is compared with itself"
    same "$1" "$2"
done
REFERENCE=$SOURCE/build/clang-release/manylink
. "$SOURCE/tests/cli/same_bits.sh"
