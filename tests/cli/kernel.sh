# label: slow
# Kernels made for a study: the result is the same bytes with and without, whatever the compiler and
# the cache do; and a message says what happened.
. "$SOURCE/tests/check.sh"
need_python

[ "$(instruction_sets)" != baseline ] || skip "none is made for this machine"
export MANYLINK_CACHE="$work/cache"

cat >study.yaml <<'EOF'
manylink: 1
system: {type: chain, segments: {repeat: 2, length: 1, mass: 1}}
initial: {angle: {1: 2}}
forces: [{type: pid, joint: 2, target: 0.3, kp: 10, kd: 1, limit: 5}]
time: {step: 1e-3, end: 0.2}
sweep: [{set: initial.angle.1, from: -3, to: 3, count: 200}]
save: {trajectory: {every: 100, runs: {every: 50}}}
EOF
entries() { ls cache 2>/dev/null | grep -c '\.so$' || true; }

expect 0 "$MANYLINK" run study.yaml --kernel general -o general.h5
says out "200 finished"
expect 0 "$MANYLINK" run study.yaml -o auto.h5
[ "$(entries)" = 0 ] || fail "a kernel for a study of milliseconds"
same general.h5 auto.h5
expect 2 "$MANYLINK" run study.yaml --kernel fast -o x.h5
says err "--kernel fast: one of auto, general, made"

# made, then from the cache; and ahead
expect 0 "$MANYLINK" run study.yaml --kernel made -o made.h5
says out "kernel made for it"
[ "$(entries)" = 1 ] || fail "$(entries) entries"
same general.h5 made.h5
expect 0 "$MANYLINK" info made.h5
says out "kernel      made ("
expect 0 "$MANYLINK" info general.h5
says out "kernel      general"
expect 0 "$MANYLINK" compile study.yaml
says out "(was there)"
expect 0 "$MANYLINK" compile study.yaml --set 'forces.1.kp=20' # a number is not part of a kernel
says out "(was there)"
expect 0 "$MANYLINK" compile study.yaml --set 'solver=lapacke'
says out "none is needed"
cat >plain.yaml <<'EOF'
manylink: 1
system: {type: chain, segments: {repeat: 2, length: 1, mass: 1}}
time: {step: 1e-3, end: 1}
EOF
expect 0 "$MANYLINK" compile plain.yaml
says out "none is needed: the kernel of this study is built in"
expect 0 "$MANYLINK" plan plain.yaml
says out "kernel    built in"
expect 0 "$MANYLINK" plan study.yaml
says out "kernel    general: one made for this study would save less time"
expect 0 "$MANYLINK" plan study.yaml --set time.end=1000
says out "kernel    made for this study (in the cache), saves about"

# What cannot be: bad input, before anything is written.
expect 2 "$MANYLINK" run study.yaml --kernel made --set solver=lapacke -o x.h5
says err "none is made for the solver lapacke"
expect 2 env MANYLINK_ISA=baseline "$MANYLINK" run study.yaml --kernel made -o x.h5
says err "none is made for the instruction set baseline"
expect 2 "$MANYLINK" run study.yaml --kernel made --no-native -o x.h5
says err "native code is refused"
expect 2 "$MANYLINK" compile study.yaml --no-native
[ ! -e x.h5 ] || fail "a result of what was refused"

# An interrupted run may go on with another kernel, and shards may have different ones.
for i in 0 1 2; do
    kernel=made
    [ $i != 1 ] || kernel=general
    expect 0 "$MANYLINK" run study.yaml --shard $i/3 --kernel $kernel -o shard$i.h5
done
expect 0 "$MANYLINK" merge shard0.h5 shard1.h5 shard2.h5 -o merged.h5
same general.h5 merged.h5
expect 0 "$MANYLINK" verify made.h5


# Compilers as they should not be: an error of `made`, and nothing is left in the cache.
rm -rf cache
compiler() # NAME: from standard input; it tells its version
{
    { printf '#!/bin/sh\n[ "$1" != --version ] || exec "%s" --version\n' "$CC" && cat; } >"$1"
    chmod +x "$1"
}
compiler broken <<'EOF'
echo 'internal compiler error' >&2
exit 1
EOF
compiler hanging <<EOF
: >"$work/hangs"
sleep 600
EOF
compiler hanging_plain <<EOF # without flags that are for speed only
for word; do
    case \$word in -mllvm | --param*) exit 1 ;; esac
done
: >"$work/hangs"
sleep 600
EOF
compiler counting <<EOF
echo called >>"$work/calls"
exec "$CC" "\$@"
EOF
compiler wrong <<EOF
for word; do
    case \$word in -I*) folder=\${word#-I} ;; esac
done
sed 's/rate = ml_dual_neg(ml_law_rate(at, i))/rate = ml_law_rate(at, i)/' \
    "\$folder/model/forces/pid.kern.h" >changed.h || exit 1
! cmp -s changed.h "\$folder/model/forces/pid.kern.h" || exit 1
cp changed.h "\$folder/model/forces/pid.kern.h"
exec "$CC" "\$@"
EOF
sed 's/= ml_law_rate(at, i)/= (__builtin_trap(), ml_law_rate(at, i))/' wrong >crashing
chmod +x crashing
failing()
{
    text=$1
    shift
    expect 1 "$@" "$MANYLINK" run study.yaml --kernel made -o failing.h5
    says err "$text"
    [ "$(entries)" = 0 ] || fail "left in the cache: $(ls cache)"
}
failing "internal compiler error" env MANYLINK_CC=./broken
failing "/nonexistent" env MANYLINK_CC=/nonexistent
failing "neither MANYLINK_CACHE nor HOME is set" env -u MANYLINK_CACHE -u XDG_CACHE_HOME -u HOME
failing "differs from the general one in run" env MANYLINK_CC=./wrong
failing "crashes, or never ends: discarded" env MANYLINK_CC=./crashing
expect 1 env MANYLINK_CC=./broken "$MANYLINK" compile study.yaml
says err "internal compiler error"

# One of another version, which does not know a flag that is for speed only.
compiler other <<EOF
for word; do
    case \$word in -mllvm | --param*) echo "error: unknown argument \$word" >&2 && exit 1 ;; esac
done
echo plain >>"$work/others"
exec "$CC" "\$@"
EOF
expect 0 env MANYLINK_CC=./other "$MANYLINK" run study.yaml --kernel made -o other.h5
says out "kernel made for it"
[ "$(wc -l <others)" = 1 ] || fail "not compiled without the flags"
same general.h5 other.h5
rm -r cache

# `auto`, on a study that it thinks worth a kernel: 256 runs of 10^9 steps, which an event ends later
# than is looked at, when a torque sets in.
sed -e 's/, limit: 5}/}, {type: torque, joint: 1, value: {type: ramp, from: 0, to: 30, onset: 18, duration: 2}}/' \
    -e 's/end: 0.2/end: 1e6/' -e 's/count: 200/count: 256/' -e '/^save/d' study.yaml >endless.yaml
echo 'events: [{name: late, when: rate.1, crosses: 40, stop: true}]' | cat endless.yaml - >long.yaml
expect 0 "$MANYLINK" run long.yaml --kernel general -o long.h5
expect 0 "$MANYLINK" plan endless.yaml
says out "kernel    made for this study (compiled while the general one runs"
expect 0 "$MANYLINK" run long.yaml -o told.h5 --restart --no-native
says err "native code is refused"
expect 0 env MANYLINK_CC=./broken "$MANYLINK" run long.yaml -o told.h5 --restart --quiet
[ ! -s err ] || fail "told in spite of --quiet: $(cat err)"

# A run does not wait for its compiler, which ends with the run.
cat >sleeping <<'EOF'
#!/bin/sh
exec sleep 600
EOF
chmod +x sleeping
for compiler in hanging sleeping; do
    expect 0 env MANYLINK_CC=./$compiler "$MANYLINK" run long.yaml -o told.h5 --restart
    ! grep -q 'kernel' err || fail "told of a compiler that was not waited for: $(cat err)"
    expect 0 "$MANYLINK" info told.h5
    says out "kernel      general"
    same long.h5 told.h5
    [ ! -e cache ] || [ -z "$(ls cache)" ] || fail "left in the cache: $(ls cache)"
done

# A kernel that cannot be made is told of once: the run is stopped after the kernel has been given up.
sed 's/end: 0.2/end: 1e6/' study.yaml >forever.yaml
told()
{
    text=$1
    compiler=$2
    sed "2a touch '$work/compiled'" "$compiler" >telling
    chmod +x telling
    rm -f compiled
    MANYLINK_CC=./telling "$MANYLINK" run forever.yaml -o told.h5 --restart >out 2>err &
    process=$!
    while [ ! -e compiled ] || [ -n "$(ls cache)" ]; do
        kill -0 $process || fail "it has ended: $(cat err)"
        sleep 0.05
    done
    kill -TERM $process
    while ! grep -q 'finishing the blocks' err; do sleep 0.05; done
    kill -TERM $process
    code=0
    wait $process || code=$?
    [ $code = 130 ] || fail "exit code $code: $(cat err)"
    says err "$text"
    [ "$(grep -c '; the general kernel runs' err)" = 1 ] || fail "not told once: $(cat err)"
    [ "$(entries)" = 0 ] || fail "left in the cache: $(ls cache)"
}
told "internal compiler error" broken
told "differs from the general one in run" wrong
told "crashes, or never ends" crashing

# A time limit holds for a compiler that is waited for, and so does a signal.
expect 1 env MANYLINK_CC=./hanging "$MANYLINK" run long.yaml -o late.h5 --kernel made --time-limit 1s
says err "was not done after"
for case in "hanging run forever.yaml -o late.h5" "hanging compile study.yaml" "hanging_plain compile study.yaml"; do
    rm -f hangs
    # shellcheck disable=SC2086
    MANYLINK_CC=./${case%% *} "$MANYLINK" ${case#* } >out 2>err &
    process=$!
    while [ ! -e hangs ]; do
        kill -0 $process || fail "it has ended: $(cat err)"
        sleep 0.05
    done
    kill -TERM $process # INT is ignored in the background of a shell
    [ "$case" = "${case#* run}" ] || {
        while ! grep -q 'finishing the blocks' err; do sleep 0.05; done
        kill -TERM $process
    }
    code=0
    wait $process || code=$?
    [ $code = 130 ] || fail "exit code $code of $case: $(cat err)"
    [ -z "$(ls cache)" ] || fail "left in the cache: $(ls cache)"
done

# Sixteen shards at once with an empty cache: one compiles.
for i in 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15; do
    MANYLINK_CC=./counting "$MANYLINK" run long.yaml --shard $i/16 --threads 1 -o part$i.h5 \
        --kernel made --quiet &
done
wait
[ "$(wc -l <calls)" = 1 ] || fail "$(wc -l <calls) compilers"
expect 0 "$MANYLINK" merge part*.h5 -o all.h5
same long.h5 all.h5
expect 0 env MANYLINK_CC=./counting "$MANYLINK" run long.yaml -o again.h5
says out "kernel made for it"
[ "$(wc -l <calls)" = 1 ] || fail "compiled once more"
same long.h5 again.h5

# The job script makes it before it submits itself.
expect 0 "$MANYLINK" slurm endless.yaml --tasks 1 --time 1h
sed 's/exec sbatch .*/echo submits; exit/' out >job.sh
expect 0 env -u SLURM_JOB_ID sh job.sh
says out "kernel: $work/cache/"
