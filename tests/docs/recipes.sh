# The job scripts of docs/recipes.md, as their schedulers would run them: each task is a shard of the whole,
# one that is given by hand too, and all of them merge to it.
. "$SOURCE/tests/check.sh"
unset SLURM_ARRAY_TASK_ID PBS_O_WORKDIR NCPUS LSB_DJOB_NUMPROC NSLOTS SHARD
commands docs/recipes.md
print_chain 100 256 >study.yaml
expect 0 "$MANYLINK" run study.yaml -o whole.h5

# recipe LANGUAGE FIRST VARIABLES...: runs the tasks FIRST to FIRST + 7, whose ids %s stand for.
recipe()
{
    kind=$1 first=$2
    shift 2
    [ "$(echo blocks/*."$kind")" != "blocks/*.$kind" ] || fail "no script of $kind"
    for id in 7 6 5 4 3 2 1 0; do
        # shellcheck disable=SC2059,SC2046 # variables are words, and have the place of the id
        expect 0 env $(printf "$* " $((first + id))) sh blocks/*."$kind"
        ! grep "nothing says" err || fail "a task of $kind does not know its shard"
        [ -f study.shard-$id-of-8.h5 ] || fail "task $id of $kind made $(ls)"
    done
    [ "$(ls study.shard-* | wc -l)" = 8 ] || fail "$kind made $(ls)"
    expect 0 manylink merge study.shard-*-of-8.h5 -o study.h5
    same study.h5 whole.h5
    rm study.shard-* study.h5
}
recipe pbs 0 PBS_ARRAY_INDEX=%d
recipe pbs 0 SHARD=%d
recipe lsf 1 LSB_JOBINDEX=%d
recipe sge 1 SGE_TASK_ID=%d

# A task whose time is up is requeued: by Grid Engine for exit code 99, by LSF for the 130 that it names.
print_chain 100000000 4000 >study.yaml # hours
for kind in sge lsf; do
    sed 's/--time-limit [^ ]* --grace [^ ]*/--threads 1 --time-limit 0.1s/' blocks/*.$kind >late.$kind
done
expect 99 env SGE_TASK_ID=4 sh late.sge
expect 130 env LSB_JOBINDEX=4 sh late.lsf
grep -q "^#BSUB -Q 130" blocks/*.lsf || fail "LSF requeues another exit code"
