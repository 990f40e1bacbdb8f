# label: slow
# gcc and clang give the same bits: builds the command with the other one and compares results.
. "$SOURCE/tests/check.sh"
need gcc clang
[ -z "$SANITIZE" ] || skip "the build without sanitizers compares"

other=gcc
"$CC" --version | grep -q clang || other=clang
echo 'int main(void) { return 0; }' | $other -fopenmp -x c - -o /dev/null || skip "$other has no OpenMP"
expect 0 cmake -S "$SOURCE" -B other -DCMAKE_C_COMPILER=$other -DCMAKE_BUILD_TYPE=Release
expect 0 cmake --build other --target manylink_command --parallel 2
for name in double_pendulum_map three_link_arm chain8 lorenz_rho; do
    whole= # nothing is left out of so short a time
    ! grep -q transient "$SOURCE/studies/$name.yaml" || whole='--set analyse.lyapunov.transient=0'
    for command in "$MANYLINK" other/manylink; do
        rm -f "$name.h5"
        # shellcheck disable=SC2086
        expect 0 "$command" run "$SOURCE/studies/$name.yaml" --set time.end=0.1 $whole
        mv "$name.h5" "$name.$(basename "$(dirname "$command")").h5"
    done
    set -- "$name".*.h5
    same "$1" "$2"
done
