# label: source
# The benchmarks compile: those in C, without what they compare with.
. "$SOURCE/tests/check.sh"
for file in bench bench_forces bench_limits bench_rk4 bench_solve bench_study bench_tangents disk flops fma gpu hand \
    kernel_only runs speed; do
    "$CC" -std=gnu17 -Wall -Wextra -Wno-missing-field-initializers -Wno-psabi -Werror -fopenmp -fsyntax-only -I"$SOURCE/src" \
        -I"$SOURCE/include" -I"$BUILD/generated" "$SOURCE/bench/$file.c"
done
