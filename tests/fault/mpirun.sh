# label: fault
# The four processes of an MPI launcher each take their shard. That some of their runs diverge ends
# none of them.
. "$SOURCE/tests/check.sh"
. "$SOURCE/tests/fault/study"
need mpirun
mpirun --version | grep -q "Open MPI" || skip "mpirun is not that of Open MPI"
write_study

as_root=
[ "$(id -u)" != 0 ] || as_root=--allow-run-as-root
expect 0 mpirun $as_root --oversubscribe -n 4 \
    "$MANYLINK" run study.yaml -o out.h5 --threads 1
for rank in 0 1 2 3; do
    says err "shard $rank of 4 (from OMPI_COMM_WORLD_RANK)"
done
merges_to_whole 4
