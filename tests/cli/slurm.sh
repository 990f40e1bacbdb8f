# The script of `manylink slurm`, run as Slurm would run it, with an sbatch that notes what it is asked:
# it is submitted wherever it is no task of an array, and a task is the same shard whichever tasks run.
. "$SOURCE/tests/check.sh"
unset SLURM_JOB_ID SLURM_ARRAY_TASK_ID SLURM_ARRAY_JOB_ID SLURM_RESTART_COUNT SLURM_CPUS_PER_TASK \
    SLURM_JOB_ACCOUNT SLURM_JOB_PARTITION SLURM_JOB_QOS

mkdir bin
printf '#!/bin/sh\necho "$@" >>submitted\ncase $* in *--dependency*) cat >merge.job ;; esac\n' >bin/sbatch
printf '#!/bin/sh\necho "$@" >>requeued\n' >bin/scontrol
printf '#!/bin/sh\n:\n' >bin/sleep
chmod +x bin/*
PATH=$PWD/bin:$PATH

# task CODE ID MIN MAX [VARIABLE=VALUE...]: runs the script as a task of an array of these ids.
task()
{
    wanted=$1 id=$2 min=$3 max=$4
    shift 4
    expect "$wanted" env SLURM_JOB_ID=7 SLURM_ARRAY_JOB_ID=7 SLURM_ARRAY_TASK_ID="$id" \
        SLURM_ARRAY_TASK_MIN="$min" SLURM_ARRAY_TASK_MAX="$max" SLURM_ARRAY_TASK_STEP=1 \
        SLURM_ARRAY_TASK_COUNT=$((max - min + 1)) "$@" sh job.sh
}

# Not even a study without a kernel to make is computed on the login node, nor in an allocation.
print_chain 100 256 >study.yaml
expect 0 "$MANYLINK" slurm study.yaml --tasks 12 --time 1h -o out.h5
mv out job.sh
! grep -q "compile" job.sh || fail "this study's kernel is built in"
expect 0 sh job.sh
expect 0 env SLURM_JOB_ID=9 sh job.sh --hold
[ "$(cat submitted)" = "job.sh
--hold job.sh" ] || fail "submitted: $(cat submitted)"
[ -z "$(ls ./*.h5* 2>/dev/null)" ] || fail "it is computed: $(ls)"

# One task of an array, and two of it, are the shards that they are of the whole array.
rm submitted
task 0 3 3 3
says err "shard 3 of 12: $PWD/out.shard-03-of-12.h5, on "
task 0 9 8 9
[ "$(echo out.*)" = "out.shard-03-of-12.h5 out.shard-09-of-12.h5" ] || fail "there are: $(echo out.*)"
[ "$(grep -c dependency submitted)" = 1 ] || fail "who submits what merges? $(cat submitted)"

# The first one submits the job that merges, once, to where the array went. No file tells of that.
rm submitted
for id in 0 1 2 4 5 6 7 8 10 11; do
    task 0 $id 0 11 SLURM_JOB_ACCOUNT=mine SLURM_JOB_PARTITION=long
done
[ "$(wc -l <submitted)" = 1 ] || fail "submitted: $(cat submitted)"
says submitted "--dependency=afterok:7"
says submitted "--account=mine --partition=long"
task 0 0 0 11 SLURM_RESTART_COUNT=1
[ "$(wc -l <submitted)" = 1 ] || fail "a requeued task submits again: $(cat submitted)"
[ "$(ls -d out.*)" = "$(ls out.shard-*-of-12.h5)" ] || fail "there are: $(echo out.*)"
expect 0 sh merge.job
expect 0 "$MANYLINK" run study.yaml -o whole.h5
same out.h5 whole.h5

# Options of the array, and those of the job that merges.
expect 0 "$MANYLINK" slurm study.yaml --tasks 12 --time 1h --at-most 3 --sbatch --exclusive \
    --sbatch-merge --mem=2G -o out.h5
says out "#SBATCH --array=0-11%3"
says out "#SBATCH --exclusive"
says out "'--mem=2G' <<"
[ "$(grep -c "exclusive" out)" = 1 ] || fail "what merges is exclusive"
[ "$(grep -c "mem=2G" out)" = 1 ] || fail "the array has --mem"
expect 2 "$MANYLINK" slurm study.yaml --tasks 12 --time 1h --at-most 0
! grep -q "gpu" out || fail "no GPU was asked for"
expect 0 "$MANYLINK" slurm study.yaml --tasks 12 --time 1h --device auto -o out.h5
for line in "#SBATCH --gpus=1" "compile --device gpu " " --device auto &"; do
    says out "$line"
done
expect 2 "$MANYLINK" slurm study.yaml --tasks 12 --time 1h --device gpu:1
for word in long '' 'long --exclusive'; do # lines that sbatch would refuse
    expect 2 "$MANYLINK" slurm study.yaml --tasks 12 --time 1h --sbatch "$word"
done

# A task stops 5 % of its time before the end, one to ten minutes (but not more than half of it), and
# two blocks; blocks that are not done then have some time, and the script the rest.
for limit in 1:30 2:60 20:60 120:360 240:600 1440:600 4320:600; do
    minutes=${limit%:*} margin=${limit#*:}
    expect 0 "$MANYLINK" slurm study.yaml --tasks 12 --time "${minutes}m" -o out.h5
    sed -n 's/.*--time-limit \([0-9]*\)s --grace \([0-9]*\)s.*/\1 \2/p' out >limits
    awk -v time=$((minutes * 60)) -v margin="$margin" '
        { early = time - $1; rest = time - $1 - $2 }
        END { exit !(NR == 1 && early >= margin && early <= margin + 2 && rest >= margin / 2 &&
              rest <= margin / 2 + 2) }' limits || fail "$limit: $(cat limits)"
done

# Runs that diverge fail no task: the job that merges waits for all to succeed.
print_chain 100 256 >diverging.yaml
expect 0 "$MANYLINK" slurm diverging.yaml --tasks 1 --time 1h --set initial.rate.1=1e14 -o diverging.h5
mv out job.sh
task 0 0 0 0
says out diverged
expect 0 sh merge.job
says out diverged
expect 3 "$MANYLINK" merge diverging.shard-0-of-1.h5 -o again.h5

# A warning that Slurm sends to the script's shell alone (--signal=B:USR1@60) reaches the run, which
# ends in order, and the task is requeued; the run stops by itself after a block, until the signal is there.
print_chain 300 4000 >long.yaml
build_kill_at
expect 0 "$MANYLINK" slurm long.yaml --tasks 1 --time 1h -o long.h5
mv out job.sh
for signal in USR1 USR2; do
    rm -f requeued
    STOP_IN=.parts/blocks- LD_PRELOAD=$PWD/kill_at.so SLURM_JOB_ID=7 SLURM_ARRAY_JOB_ID=7 SLURM_ARRAY_TASK_ID=0 \
        sh job.sh >out 2>err &
    shell=$!
    while ! held=$(grep -lsE "^State:[[:space:]]*T" $(cat /proc/$shell/task/$shell/children | sed 's,[0-9][0-9]*,/proc/&/status,g') /dev/null); do
        kill -0 $shell || fail "it ended: $(cat out err)"
        /bin/sleep 0.01
    done
    kill -$signal $shell
    while grep -q "^ShdPnd:[[:space:]]*0*$" "$held"; do
        /bin/sleep 0.01
    done
    held=${held#/proc/}
    kill -CONT "${held%/status}"
    held=
    code=0
    wait $shell || code=$?
    [ $code = 130 ] || fail "exit code $code: $(cat out err)"
    says err "finishing the blocks being computed"
    says err "the same command continues from there"
    [ "$(cat requeued)" = "requeue 7_0" ] || fail "it is not requeued"
done

# The words of a process whose environment names its shard go on with it in any shell.
rm -rf long.shard*
print_chain 100000000 4000 >long.yaml # hours
expect 130 env PMI_RANK=1 PMI_SIZE=3 "$MANYLINK" run --time-limit 0.2s -o long.h5 --threads 1 -- long.yaml
says err "manylink run --time-limit 0.2s -o long.h5 --threads 1 --shard 1/3 -o long.shard-1-of-3.h5 -- long.yaml"
expect 130 env PMI_RANK=1 PMI_SIZE=3 "$MANYLINK" run long.yaml --time-limit 0.2s --threads 1
says err "manylink run --time-limit 0.2s --threads 1 long.yaml --shard 1/3 -o long.shard-1-of-3.h5"
expect 130 "$MANYLINK" run long.yaml --time-limit 0.2s --threads 1 --shard 2/3
says err "manylink run --time-limit 0.2s --threads 1 --shard 2/3 long.yaml"
