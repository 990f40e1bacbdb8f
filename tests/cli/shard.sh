# Which shard a process takes: from a flag, from the environment of Slurm and Grid Engine arrays, srun
# and MPI launchers, or none.
. "$SOURCE/tests/check.sh"
unset SLURM_ARRAY_TASK_ID SLURM_PROCID SLURM_STEP_NUM_TASKS OMPI_COMM_WORLD_RANK PMI_RANK PMIX_RANK \
    SGE_TASK_ID PBS_ARRAY_INDEX LSB_JOBINDEX FLUX_TASK_RANK

cat >study.yaml <<'END_OF_STUDY'
manylink: 1
system: {type: chain, segments: [{length: 1, mass: 1}, {length: 0.5, mass: 2}]}
time: {step: 0.01, end: 0.1}
sweep: [{set: initial.angle.1, from: -3, to: 3, count: 256}]
END_OF_STUDY

# takes FILE WORDS VARIABLE=VALUE...: the result has this name, and the words are said.
takes()
{
    file=$1 words=$2
    shift 2
    rm -f ./*.h5
    expect 0 env "$@" "$MANYLINK" run study.yaml -o out.h5
    [ -z "$words" ] || says err "$words"
    [ -n "$words" ] || ! grep shard err || fail "it takes a shard"
    [ "$(ls ./*.h5)" = "./$file" ] || fail "$(ls ./*.h5) is there, not $file"
}
# refuses WORDS VARIABLE=VALUE...
refuses()
{
    words=$1
    shift
    expect 2 env "$@" "$MANYLINK" run study.yaml -o out.h5
    says err "$words"
    says err "--shard none"
}
array() # ID COUNT MIN MAX STEP
{
    echo "SLURM_ARRAY_TASK_ID=$1 SLURM_ARRAY_TASK_COUNT=$2 SLURM_ARRAY_TASK_MIN=$3 \
SLURM_ARRAY_TASK_MAX=$4 SLURM_ARRAY_TASK_STEP=$5"
}

takes out.h5 "" A=1
# shellcheck disable=SC2046 # words are variables
{
    takes out.shard-3-of-8.h5 "shard 3 of 8 (from SLURM_ARRAY_TASK_ID)" $(array 3 8 0 7 1)
    takes out.shard-02-of-12.h5 "shard 2 of 12" $(array 7 12 5 16 1)
    takes out.shard-1-of-3.h5 "shard 1 of 3" $(array 5 3 3 7 2)
    takes out.shard-0-of-1.h5 "shard 0 of 1" $(array 4 1 4 4 1)
    refuses "not evenly spaced" $(array 9 3 1 9 1)
    refuses "not evenly spaced" SLURM_ARRAY_TASK_ID=1
    takes out.shard-3-of-4.h5 "SLURM_ARRAY_TASK_ID and SLURM_PROCID" $(array 1 2 0 1 1) \
        SLURM_PROCID=1 SLURM_NTASKS=2 SLURM_STEP_NUM_TASKS=2
    takes out.shard-1-of-2.h5 "(from SLURM_ARRAY_TASK_ID)" $(array 1 2 0 1 1) \
        SLURM_PROCID=0 SLURM_NTASKS=1 SLURM_STEP_NUM_TASKS=1
}
takes out.shard-2-of-4.h5 "(from SLURM_PROCID)" SLURM_PROCID=2 SLURM_NTASKS=4 SLURM_STEP_NUM_TASKS=4
takes out.h5 "" SLURM_PROCID=0 SLURM_NTASKS=4 # a batch script: no step
takes out.h5 "" SLURM_PROCID=0 SLURM_NTASKS=1 SLURM_STEP_NUM_TASKS=1
takes out.h5 "" SLURM_PROCID=0 SLURM_NTASKS=4 SLURM_STEP_NUM_TASKS=2 # submitted from a step
takes out.shard-1-of-3.h5 "(from OMPI_COMM_WORLD_RANK)" OMPI_COMM_WORLD_RANK=1 \
    OMPI_COMM_WORLD_SIZE=3 PMIX_RANK=1 SLURM_PROCID=0 SLURM_NTASKS=2 SLURM_STEP_NUM_TASKS=2
takes out.shard-1-of-3.h5 "(from PMI_RANK)" PMI_RANK=1 PMI_SIZE=3
takes out.shard-1-of-3.h5 "(from MV2_COMM_WORLD_RANK)" MV2_COMM_WORLD_RANK=1 MV2_COMM_WORLD_SIZE=3
takes out.shard-1-of-3.h5 "(from JSM_NAMESPACE_RANK)" JSM_NAMESPACE_RANK=1 JSM_NAMESPACE_SIZE=3
takes out.shard-1-of-3.h5 "(from FLUX_TASK_RANK)" FLUX_TASK_RANK=1 FLUX_JOB_SIZE=3
takes out.shard-2-of-4.h5 "(from SGE_TASK_ID)" SGE_TASK_ID=5 SGE_TASK_FIRST=1 SGE_TASK_LAST=8 \
    SGE_TASK_STEPSIZE=2
takes out.h5 "" SGE_TASK_ID=undefined SGE_TASK_FIRST=undefined SGE_TASK_LAST=undefined
takes out.h5 "" LSB_JOBINDEX=0 FLUX_TASK_RANK=0 FLUX_JOB_SIZE=1

# An id is no shard where no variable has their number, which is told; not with --shard, nor of a rank with its size.
for id in PBS_ARRAY_INDEX PBS_ARRAYID LSB_JOBINDEX FLUX_JOB_CC AWS_BATCH_JOB_ARRAY_INDEX PALS_RANKID \
    ALPS_APP_PE; do
    takes out.h5 "manylink: cannot take $id=5 for a shard: no variable has the number of tasks" $id=5
    says err "--shard I/N"
    for shard in none 0/1; do
        expect 0 env $id=5 "$MANYLINK" run study.yaml -o out.h5 --shard $shard
        ! grep "$id" err || fail "$id is told with --shard $shard"
    done
done
takes out.shard-1-of-3.h5 "(from PMI_RANK)" PALS_RANKID=1 PMI_RANK=1 PMI_SIZE=3
! grep PALS err || fail "the rank is known: $(cat err)"
takes out.h5 "" PALS_RANKID=0 PMI_RANK=0 PMI_SIZE=1
! grep PALS err || fail "the only rank is known: $(cat err)"
takes out.shard-1-of-3.h5 "cannot take PBS_ARRAY_INDEX=5" PBS_ARRAY_INDEX=5 PMI_RANK=1 PMI_SIZE=3
expect 0 env PBS_ARRAY_INDEX=5 "$MANYLINK" run study.yaml -q -o out.h5
[ ! -s err ] || fail "not quiet: $(cat err)"
# shellcheck disable=SC2046
takes out.shard-0-of-1.h5 "If it was submitted to compute lost tasks" $(array 4 1 4 4 1)

refuses "PMIX_RANK: its rank is set, but no variable has a valid number of ranks" PMIX_RANK=1
# shellcheck disable=SC2046
refuses "SLURM_ARRAY_TASK_ID and PMI_RANK: these are more shards" $(array 1 2048 0 2047 1) \
    PMI_RANK=0 PMI_SIZE=513
refuses "OMPI_COMM_WORLD_RANK" OMPI_COMM_WORLD_RANK=3 OMPI_COMM_WORLD_SIZE=3

# A shard some of whose runs diverge is done all the same: launchers end all ranks for another exit
# code. The merged result tells by its own.
diverging='--set initial.rate.1=1e14'
# shellcheck disable=SC2086
{
    expect 0 env PMI_RANK=1 PMI_SIZE=3 "$MANYLINK" run study.yaml $diverging -o diverging.h5
    says out diverged
    expect 3 "$MANYLINK" run study.yaml $diverging -o diverging.h5 --shard 1/3
    expect 0 "$MANYLINK" run study.yaml $diverging -o diverging.h5 --shard 1/3 --failed-runs-ok
}

rm ./*.h5
expect 0 env PMI_RANK=1 PMI_SIZE=3 "$MANYLINK" run study.yaml --shard none
expect 0 env PMI_RANK=1 PMI_SIZE=3 "$MANYLINK" run study.yaml --shard 2/4 -o mine.h5
says err "shard 2 of 4: mine.h5"
expect 0 "$MANYLINK" run study.yaml --shard 3/4
[ "$(echo ./*.h5)" = "./mine.h5 ./study.h5 ./study.shard-3-of-4.h5" ] || fail "$(echo ./*.h5)"
expect 2 "$MANYLINK" run study.yaml --shard 3/4 -o mine.h5
says err "is shard 2 of 4 of this study, not 3 of 4"
for bad in 4/4 -1/4 1 /4 1/ 1/0 a/b 1/2/3 "" 1/1048577 1/99999999999999999999; do
    expect 2 "$MANYLINK" run study.yaml --shard "$bad" -o bad.h5
    says err "there is no such shard"
done

# Times.
for bad in 0 -1 1x h 3h4 1:2:3:4 1-2 1-2:3 2: "" inf; do
    expect 2 "$MANYLINK" run study.yaml --time-limit "$bad" -o bad.h5
    says err "a time"
done
for good in 90 90s 20m 3h50m 1d2h 2.5h 4:00:00 90:00 1-12:00:00; do
    expect 0 "$MANYLINK" run study.yaml --time-limit "$good" -o good.h5
done
[ ! -e bad.h5 ] || fail "there is a result of bad options"

# More shards than blocks: those without one have a result as well, which counts.
rm ./*.h5
for i in 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19; do
    expect 0 "$MANYLINK" run study.yaml --shard $i/20 --set save.trajectory.every=5
    [ -f "$(printf study.shard-%02d-of-20.h5 $i)" ] || fail "shard $i has no result"
done
says out "the study has fewer blocks than there are shards"
expect 0 "$MANYLINK" run study.yaml --shard 19/20 --set save.trajectory.every=5
says out "nothing to do"
expect 2 "$MANYLINK" run study.yaml --shard 18/20 --set save.trajectory.every=5 -o study.shard-19-of-20.h5
says err "is shard 19 of 20 of this study, not 18 of 20"
expect 0 "$MANYLINK" info study.shard-19-of-20.h5
says out "runs: 0"
expect 0 "$MANYLINK" verify study.shard-19-of-20.h5
expect 0 "$MANYLINK" status study.h5
says out "20 of 20 shards are finished, 16 of 16 blocks are done"
expect 0 "$MANYLINK" merge study.shard-*-of-20.h5 -o study.h5
expect 0 "$MANYLINK" merge study.shard-19-of-20.h5 study.shard-0* study.shard-1[0-8]* -o turned.h5
expect 0 "$MANYLINK" run study.yaml --set save.trajectory.every=5 -o whole.h5
same study.h5 turned.h5 whole.h5
