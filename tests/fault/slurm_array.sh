# label: fault
# An array of five tasks on three nodes: one is requeued and a node dies while they compute. Their
# shards merge to the file of a run in one piece, to the bit.
. "$SOURCE/tests/check.sh"
. "$SOURCE/tests/fault/cluster"
. "$SOURCE/tests/fault/study"
start_cluster
write_study
build_kill_at

cat >job.sh <<END
#!/bin/sh
#SBATCH --array=0-4 --requeue --open-mode=append --output=task-%a.log
case \$SLURMD_NODENAME.\${SLURM_RESTART_COUNT:-0} in
n[12].0) export STOP_IN=.parts/blocks- LD_PRELOAD="$PWD/kill_at.so" ;; # after its first block
esac
exec "$MANYLINK" run study.yaml -o out.h5 --threads 1
END

# computes_on NODE DONE LEFT: sets `task` to one that is at work there with so many blocks done and
# so many left, or more.
computes_on()
{
    for task in $(squeue -h -r -t R -w "$1" -o %K); do
        blocks=$("$MANYLINK" status "out.shard-$task-of-5.h5" 2>/dev/null |
            sed -n 's/.*: \([0-9]*\) of \([0-9]*\) blocks are done, process .*/\1 \2/p')
        [ -n "$blocks" ] || continue
        done=${blocks% *}
        left=$((${blocks#* } - done))
        [ "$done" -lt "$2" ] || [ $left -lt "$3" ] || return 0
    done
    return 1
}

# all_continue: no job is left; those that stopped after a block continue
all_continue()
{
    # shellcheck disable=SC2046 # ids are words
    kill -CONT $(processes) 2>/dev/null || true
    no_jobs
}

# A requeued task finishes the block being computed; a lost node does not. Both have a finished block
# before: a signal that comes ahead of the first block leaves nothing to continue from.
job=$(sbatch --parsable job.sh)
within 60 computes_on n1 1 2
scontrol requeue "${job}_$task"
disturbed=$task
within 60 computes_on n2 1 1
lose_node n2
disturbed="$disturbed $task"
within 300 all_continue

for task in 0 1 2 3 4; do
    grep -q "shard $task of 5 (from SLURM_ARRAY_TASK_ID)" task-$task.log ||
        fail "task $task: which shard?"
done
# Slurm continues a stopped task before it ends the task: the blocks that are left may be done in between.
for task in $disturbed; do
    grep -qE "continued from|is finished already" "task-$task.log" || fail "task $task began again"
done
merges_to_whole 5
