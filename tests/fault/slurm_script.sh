# label: fault
# The script that `manylink slurm` writes, submitted as it is but for a time limit so short that
# tasks are requeued: each goes on without disturbing the others, and a job after them merges.
. "$SOURCE/tests/check.sh"
. "$SOURCE/tests/fault/cluster"
. "$SOURCE/tests/fault/study"
start_cluster
write_study
build_kill_at

# held SCRIPT: its tasks stop after their first block, unless they were requeued
held()
{
    sed "s,^before=,[ \"\${SLURM_RESTART_COUNT:-0}\" != 0 ] || export STOP_IN=.parts/blocks- LD_PRELOAD=$PWD/kill_at.so\n&," "$1"
}

# all_continue SECONDS: no job is left; those that stopped continue when they are so old
all_continue()
{
    for id in $(processes); do
        [ "$(ps -o etimes= -p "$id" || echo 0)" -lt "$1" ] || kill -CONT "$id" || true
    done
    no_jobs
}

# has_signal: a process that has stopped has been sent a signal
has_signal()
{
    for id in $(processes); do
        ! awk '/^State:/ { stopped = $2 == "T" } /^ShdPnd:/ { sent = $2 !~ /^0*$/ } END { exit !(stopped && sent) }' \
            "/proc/$id/status" 2>/dev/null || return 0
    done
    return 1
}

expect 0 "$MANYLINK" slurm study.yaml --tasks 8 --time 0:10:00 -o out.h5
sed 's/--time-limit [^ ]* --grace [^ ]*/--time-limit 4s/' out >limited.sh
! cmp -s out limited.sh || fail "the script gives no time limit: $(cat out)"
held limited.sh >job.sh
sh job.sh --quiet
within 300 all_continue 5
cat ./*.log >told
[ "$(grep -lF "continued from" ./*.log | wc -l)" -gt 1 ] || fail "not even two tasks were requeued"
# The job id of the last task is that of the array: its requeue must not hit the others.
! grep -E "finishing the blocks|pending execution|finished already" told ||
    fail "a task disturbs others"
[ -f out.h5 ] || fail "not merged: $(cat told)"
is_whole out.h5
[ -z "$(ls -d out.h5?* 2>/dev/null)" ] || fail "is left: $(echo out.*)"

# One task of it again is the same shard, and a job after it merges.
rm out.h5 out.shard-3-of-8.h5
cp out.shard-2-of-8.h5 kept.h5
sbatch --quiet --array=3 limited.sh
within 300 no_jobs
[ -f out.h5 ] || fail "not merged: $(cat ./*.log)"
cmp out.shard-2-of-8.h5 kept.h5 || fail "another shard was made again"
same out.h5 alone.h5

# A warning to the shell of a task alone, whose run has stopped after a block: it ends in order, is requeued and
# goes on.
expect 0 "$MANYLINK" slurm study.yaml --tasks 8 --time 0:30:00 -o more.h5
held out >job.sh
job=$(sbatch --parsable --array=3 job.sh)
within 60 sh -c 'cat more.shard-3-of-8.h5.parts/blocks-* | grep -q .' 2>/dev/null
scancel --batch --signal=USR1 "${job}_3" || fail "it was done before the signal"
within 60 has_signal
within 300 all_continue 0
grep -q "continued from" "study-${job}_3.log" || fail "it did not go on: $(cat ./*.log)"
[ -f more.shard-3-of-8.h5 ] || fail "it was not finished: $(cat ./*.log)"
