# What a system or a user limits - time, file sizes, threads, stacks - ends a command in order, with a
# word, and never in a loop.
. "$SOURCE/tests/check.sh"
need timeout
need_python

# One block that takes hours.
print_chain 1000000000 1 >long.yaml
# A block that takes no time, and many of them.
print_chain 100 4000 >short.yaml

# The time is up in the middle of a block.
expect 130 timeout -s KILL 100 "$MANYLINK" run long.yaml --time-limit 0.2s
says err "a block of 1 runs takes about"
says err "stopped with 1 of 1 runs to do"
expect 0 "$MANYLINK" run short.yaml --time-limit 1h --quiet
! grep -q "a block of" err || fail "blocks of a moment are too long: $(cat err)"

# A job of a cluster that gets nowhere is not requeued for ever; one that does is requeued.
mkdir bin
printf '#!/bin/sh\necho requeued >>requeued\n' >bin/scontrol
printf '#!/bin/sh\n:\n' >bin/sbatch
printf '#!/bin/sh\n:\n' >bin/sleep
chmod +x bin/*
job() # LIMIT CODE: with that limit of time the script ends with the code
{
    sed "s/--time-limit [^ ]* --grace [^ ]*/--time-limit $1/" out >job.sh
    rm -f requeued
    expect "$2" env PATH="$PWD/bin:$PATH" SLURM_ARRAY_JOB_ID=1 SLURM_ARRAY_TASK_ID=0 \
        SLURM_ARRAY_TASK_COUNT=1 SLURM_ARRAY_TASK_MIN=0 SLURM_ARRAY_TASK_MAX=0 \
        SLURM_ARRAY_TASK_STEP=1 timeout -s KILL 100 sh job.sh
}
expect 0 "$MANYLINK" slurm long.yaml --tasks 1 --time 1m -o stuck.h5
says err "a block takes about"
says err "no task may finish one"
job 0.2s 1
says err "no block was done in this time"
[ ! -e requeued ] || fail "it is requeued although nothing was done"
# More than any machine does in the time, in blocks that a slow and busy one does.
print_chain 200 4000000 >some.yaml
limit=2s
[ -z "$SANITIZE" ] || limit=20s
expect 0 "$MANYLINK" slurm some.yaml --tasks 1 --time 1h -o some.h5
! grep -q "no task may finish" err || fail "too short a time: $(cat err)"
job $limit 130
[ -e requeued ] || fail "it is not requeued: $(cat err)"

# What batch systems send before they end a process.
for signal in USR1 USR2 XCPU TERM; do
    rm -rf held.h5*
    hold held.h5 "$MANYLINK" run some.yaml -o held.h5 --threads 1
    kill -$signal $process
    let_go 130 "the same command continues from there"
done

# A step that never ends, long after the study was read: what is looked at then is a few thousand
# evaluations.
cat >endless.c <<'END'
#include <fcntl.h>
#include <manylink/plugin.h>
#include <unistd.h>
static const struct ml_plugin_quantity state[] = {{"x", "1", "a number"}};
static void rates(int n_lane, const double *t, const double *p, const double *x, double *dx)
{
    static _Atomic long n_call;
    (void)t, (void)p, (void)x;
    for (int i = 0; i < n_lane; i++)
        dx[i] = 0.0;
    if (n_call == 50000)
        (void)close(open("endless", O_CREAT | O_WRONLY, 0600));
    while (n_call >= 50000)
        (void)pause();
    n_call++;
}
const struct ml_plugin manylink_plugin = {
    .version = ML_PLUGIN_VERSION, .size = sizeof(struct ml_plugin), .name = "endless",
    .doc = "never ends", .state = state, .n_state = 1, .rates = rates};
END
"$CC" -std=gnu17 -shared -fPIC -I"$SOURCE/include" -o endless.so endless.c
printf 'manylink: 1\nsystem: {type: plugin, file: endless.so}\ntime: {step: 2e-7, end: 1}\n' >endless.yaml
expect 0 timeout -s KILL 100 "$MANYLINK" plan endless.yaml
says out "estimate  more than"
rm -f endless
timeout -s KILL 100 "$MANYLINK" run endless.yaml >out 2>err &
process=$!
while [ ! -e endless ]; do
    sleep 0.1
done
manylink=$(cat /proc/$process/task/$process/children)
kill -TERM $manylink
sleep 0.2
kill -TERM $manylink
code=0
wait $process || code=$?
[ $code = 130 ] || fail "exit code $code of a second signal: $(cat err)"
says err "ended before its work was finished"

# Files that get too large; the thread sanitizer keeps its memory in one itself.
if [ "$SANITIZE" != thread ]; then
    code=0
    (ulimit -f 8 && "$MANYLINK" run short.yaml -o large.h5 >out 2>err) || code=$?
    [ $code = 1 ] || fail "exit code $code: $(cat err)"
    says err "File too large"
    expect 0 "$MANYLINK" run short.yaml -o large.h5
fi

# Threads that there are. LLVM's OpenMP ends every program that is given more than it can count.
absurd=99999999999
ldd "$MANYLINK" | grep -q libomp && absurd=1000000
expect 0 env OMP_NUM_THREADS=$absurd "$MANYLINK" run short.yaml -o threads.h5
! grep -E "on [0-9]{4,} thread" out || fail "threads that there are not"
expect 0 env OMP_THREAD_LIMIT=1 "$MANYLINK" run short.yaml -o thread.h5 --threads 3
says out "on 1 thread"
same threads.h5 thread.h5

# Options after the study, whatever the environment asks of getopt.
expect 0 env POSIXLY_CORRECT=1 "$MANYLINK" run short.yaml -o options.h5
[ -e options.h5 ] || fail "no options.h5"

# Small stacks.
[ -z "$SANITIZE" ] || exit 0
for size in 64 128 160; do
    code=0
    (ulimit -s $size && "$MANYLINK" run short.yaml -o small.h5 >out 2>err) || code=$?
    [ $code = 1 ] || fail "exit code $code with $size kB of stack: $(cat err)"
    says err "the stack is limited to $size kB"
done
expect 1 env OMP_STACKSIZE=64K "$MANYLINK" run short.yaml -o small.h5 --threads 2
says err "threads have stacks of"
says err "raise OMP_STACKSIZE"

# More than the whole disk has is refused before anything is computed, with what would make it less.
cat >vast.yaml <<'YAML'
manylink: 1
system: {type: duffing}
time: {step: 1e-2, end: 10}
events: [{name: section, when: x, crosses: 0, max: 1000000, keep: [state]}]
sample: {method: random, count: 1000000000, seed: 1, over: [{set: initial.x, from: 0, to: 1}]}
YAML
expect 1 "$MANYLINK" run vast.yaml
says err "vast.h5: up to "
says err "keep less (\`max\` and \`keep\` of events"
[ ! -e vast.h5 ] && [ ! -e vast.h5.parts/blocks* ] || fail "something was computed"
cat >vast_inverse.yaml <<'YAML'
manylink: 1
system: {type: chain, segments: [{length: 1, mass: 1}]}
time: {step: 1e-4, end: 1}
motion: {type: minimum_jerk, start: {angle: [0]}, end: {angle: [1]}, duration: 1}
sample: {method: random, count: 10000000, seed: 1, over: [{set: system.segments.1.mass, from: 1, to: 2}]}
YAML
expect 1 "$MANYLINK" inverse vast_inverse.yaml -o vast.h5
says err "vast.h5: up to "
says err "use fewer sets of parameters or motions"
[ ! -e vast.h5 ] && [ ! -e vast.h5.parts/blocks* ] || fail "something was computed"

# Formulas with too many operations are refused in as little memory as those that are allowed.
if [ -z "$SANITIZE" ]; then
    cat >late.yaml <<'END'
manylink: 1
system: {type: equations, state: {x: {count: 4096, value: 1}}, rates: {"x[i]": "-x[i](t - 0.3)"}}
time: {step: 0.1, end: 1}
END
    (ulimit -v 1500000 && expect 2 "$MANYLINK" plan late.yaml)
    says err "the formulas have more than 262144 operations"
fi
