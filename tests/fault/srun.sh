# label: fault
# The four tasks of `srun` each take their shard; in the same job, a run without it is the whole.
. "$SOURCE/tests/check.sh"
need_python
. "$SOURCE/tests/fault/cluster"
. "$SOURCE/tests/fault/study"
start_cluster
write_study

cat >job.sh <<END
#!/bin/sh
#SBATCH --ntasks=4 --output=job.log
"$MANYLINK" run study.yaml -o whole.h5
srun --label "$MANYLINK" run study.yaml -o out.h5 --threads 1
END
sbatch --quiet job.sh
within 300 no_jobs
for task in 0 1 2 3; do
    grep -q "^$task: shard $task of 4 (from SLURM_PROCID)" job.log ||
        fail "task $task: which shard?"
done
merges_to_whole 4
same whole.h5 alone.h5
