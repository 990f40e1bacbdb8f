# label: fault
# There is no memory from the first allocations on: an exit code that tells of a failure has words.
. "$SOURCE/tests/check.sh"
[ -z "$SANITIZE" ] || skip "the sanitizer has an allocator of its own"

cat >failing.c <<'END'
/* Fails the allocation of this number, $FAILS, of those that the command itself makes; 0: prints their number. */
#define _GNU_SOURCE
#include <errno.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>

extern void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t);

static int find(struct dl_phdr_info *about, size_t size, void *context)
{
    unsigned long *range = context;
    (void)size; /* the command comes first */
    for (int i = 0; i < about->dlpi_phnum; i++)
        if (about->dlpi_phdr[i].p_type == PT_LOAD)
            range[1] = about->dlpi_addr + about->dlpi_phdr[i].p_vaddr + about->dlpi_phdr[i].p_memsz;
    range[0] = about->dlpi_addr;
    return 1;
}

static long n;

__attribute__((destructor)) static void print(void)
{
    if (atol(getenv("FAILS")) == 0)
        dprintf(2, "%ld allocations\n", n);
}

static int fails(const void *caller)
{
    static unsigned long range[2];
    if (!range[1])
        (void)dl_iterate_phdr(find, range);
    if ((unsigned long)caller < range[0] || (unsigned long)caller >= range[1])
        return 0;
    errno = ENOMEM;
    return ++n == atol(getenv("FAILS"));
}

#define HERE __builtin_return_address(0)
void *malloc(size_t size) { return fails(HERE) ? NULL : __libc_malloc(size); }
void *calloc(size_t n, size_t size) { return fails(HERE) ? NULL : __libc_calloc(n, size); }
void *realloc(void *p, size_t size) { return fails(HERE) ? NULL : __libc_realloc(p, size); }
END
"$CC" -O1 -shared -fPIC failing.c -o failing.so
print_chain 20 4 >study.yaml
expect 0 "$MANYLINK" run study.yaml -o there.h5
failed=0
for at in 1 2 3 4 5 6; do
    for command in "run study.yaml -o new.h5 --restart -q" "run study.yaml -o new.h5 --pick initial.angle.1=1 --restart" \
        "plan study.yaml" "evaluate study.yaml" "schema" "list systems" "table there.h5" "info there.h5" \
        "report there.h5" "plot there.h5" "verify there.h5"; do
        code=0
        # shellcheck disable=SC2086
        env FAILS=$at LD_PRELOAD="$PWD/failing.so" "$MANYLINK" $command >out 2>err || code=$?
        [ $code -le 3 ] || fail "exit code $code: $command, allocation $at: $(cat err)"
        [ $code = 0 ] || failed=$((failed + 1))
        [ $code = 0 ] || [ -s err ] || fail "not a word: $command, allocation $at"
    done
done
[ $failed -gt 20 ] || fail "no allocation of the command fails: $failed"

# A number that memory was missing for is not left out without a word: all that is printed with exit code 0 is
# the same, of every estimator of indices.
cat >sample.yaml <<'YAML'
manylink: 1
system: {type: lorenz}
time: {step: 1e-3, steps: 20}
sample: {method: random, count: 64, over: [{set: initial.x, from: -9, to: 9}, {set: system.rho, from: 20, to: 30}]}
analyse: {sensitivity: {to: [initial.x, system.rho]}}
save: {summary: [end_state]}
accuracy: off
YAML
expect 0 "$MANYLINK" run sample.yaml -o drawn.h5 -q
for design in saltelli morris fast; do
    method="method: random, "
    [ $design = saltelli ] || method=
    sed "s/method: random, count: 64/${method}design: $design, count: 66/" sample.yaml >$design.yaml
    expect 0 "$MANYLINK" run $design.yaml -o $design.h5 -q
done
for command in "evaluate study.yaml" "info drawn.h5" "sensitivity drawn.h5" "sensitivity drawn.h5 --estimator rank" \
    "sensitivity drawn.h5 --estimator rbd_fast" "sensitivity drawn.h5 --estimator chaos" \
    "sensitivity drawn.h5 --estimator shapley" "sensitivity drawn.h5 --estimator derivatives" \
    "sensitivity saltelli.h5" "sensitivity morris.h5" "sensitivity fast.h5"; do
    # shellcheck disable=SC2086
    expect 0 env FAILS=0 LD_PRELOAD="$PWD/failing.so" "$MANYLINK" $command
    mv out whole
    failed=0 n=$(sed -n 's/ allocations$//p' err)
    for at in $(seq 4 $((n / 24)) "$n"); do
        code=0
        # shellcheck disable=SC2086
        env FAILS="$at" LD_PRELOAD="$PWD/failing.so" "$MANYLINK" $command >out 2>err || code=$?
        [ $code != 0 ] || cmp -s out whole || fail "other numbers: $command, allocation $at: $(cat out)"
        [ $code = 0 ] || failed=$((failed + 1))
    done
    [ $failed -gt 8 ] || fail "no allocation of $command fails: $failed"
done
