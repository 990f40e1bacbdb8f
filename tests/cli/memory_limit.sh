# Every command ends, and well, where a process may take little address space or start few threads,
# as batch systems limit them: libraries that are not used are not loaded.
. "$SOURCE/tests/check.sh"
need timeout
[ -z "$SANITIZE" ] || skip "sanitizers take more address space than there is"

print_chain 10 4 >study.yaml

# limited KB COMMAND...: in so much address space, and for 20 s at most
limited()
{
    # shellcheck disable=SC2016 # expanded by the inner shell
    timeout -s KILL 20 sh -c 'ulimit -v "$1" && shift && exec "$@"' sh "$@"
}
expect 0 limited 150000 "$MANYLINK" --version
expect 0 limited 150000 env OMP_NUM_THREADS=1 "$MANYLINK" run study.yaml -o study.h5
says out "4 finished"
expect 0 limited 150000 env OMP_NUM_THREADS=1 "$MANYLINK" inverse "$SOURCE/studies/reach_inverse.yaml" -o reach.h5
# LAPACK's buffer of each thread is of another size on every processor: with room for it the study runs,
# without it nothing hangs.
study_lapacke()
{
    limited "$1" env OMP_NUM_THREADS=1 "$MANYLINK" run study.yaml -o "lapacke_$1.h5" --set solver=lapacke
}
expect 0 study_lapacke 1000000
says out "4 finished"
expect 2 study_lapacke 150000
says err "\`lapacke\`"
# Threads take turns with one buffer.
print_chain 10 2000 >many.yaml
expect 0 limited 1000000 "$MANYLINK" run many.yaml -o many.h5 --threads 16 --set solver=lapacke
says out "2000 finished"
