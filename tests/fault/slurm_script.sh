# label: fault
# The script that `manylink slurm` writes, submitted as it is but for a time limit so short that
# tasks are requeued: each goes on without disturbing the others, and a job after them merges.
. "$SOURCE/tests/check.sh"
. "$SOURCE/tests/fault/cluster"
. "$SOURCE/tests/fault/study"
start_cluster
write_study 12

expect 0 "$MANYLINK" slurm study.yaml --tasks 8 --time 0:10:00 -o out.h5
sed 's/--time-limit [^ ]* --grace [^ ]*/--time-limit 1s/' out >job.sh
! cmp -s out job.sh || fail "the script gives no time limit: $(cat out)"
sbatch --quiet job.sh
within 300 no_jobs
cat ./*.log >told
[ "$(grep -lF "continued from" ./*.log | wc -l)" -gt 1 ] || fail "not even two tasks were requeued"
# The job id of the last task is that of the array: its requeue must not hit the others.
! grep -E "finishing the blocks|pending execution|finished already" told ||
    fail "a task disturbs others"
[ -f out.h5 ] || fail "not merged: $(cat told)"
is_whole out.h5
