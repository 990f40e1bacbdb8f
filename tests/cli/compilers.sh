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
    for command in "$MANYLINK" other/manylink; do
        rm -f "$name.h5"
        expect 0 "$command" run "$SOURCE/studies/$name.yaml" --set time.end=0.1
        mv "$name.h5" "$name.$(basename "$(dirname "$command")").h5"
    done
    set -- "$name".*.h5
    same "$1" "$2"
done
