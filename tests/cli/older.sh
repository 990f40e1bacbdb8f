# A result of format 3, which had no views, is still a result for every command. It is what
#     manylink run format3.yaml -o format3.h5
# made of the study below with the last program of that format (commit 7427af9).
. "$SOURCE/tests/check.sh"
need gzip gnuplot
need_python

cat >format3.yaml <<END
manylink: 1
title: A result of format 3
system:
  type: chain
  segments: [{name: upper, length: 1, mass: 1}, {name: lower, length: 0.5, mass: 1}]
time: {step: 1e-2, end: 2}
sweep:
  - {set: initial.angle.upper, values: [0.5, 1, 3]}
  - {set: initial.angle.lower, from: -1, to: 1, count: 4}
save: {trajectory: {every: 20, quantities: [angle]}}
END
gzip -dc "$SOURCE/tests/results/format3.h5.gz" >format3.h5
cp format3.h5 kept.h5

expect 0 "$MANYLINK" info format3.h5
says out "as it was made: its checksum matches"
says out "runs: 12, 12 finished"
says out "  angle                         12 x 2 x 11       rad"
expect 0 "$MANYLINK" status format3.h5
says out finished
expect 0 "$MANYLINK" verify format3.h5 --runs 0
says out "every checksum matches"
expect 0 "$MANYLINK" table format3.h5
mv out table.csv
[ "$(wc -l <table.csv)" = 13 ] || fail "a table of 12 runs"
grep -q '^11,3,1,finished,2,200,.*,-2.2655740166693747,-10.0114973949006' table.csv || fail "numbers of run 11"
expect 0 "$MANYLINK" export format3.h5 --run 3 -o motion.csv
[ "$(sed -n 2p motion.csv)" = 0,0.5,1 ] || fail "the motion's start"
expect 0 "$MANYLINK" report format3.h5 -o page.html
expect 0 "$MANYLINK" plot format3.h5 -o map.png
expect 0 "$MANYLINK" plot format3.h5 max_rate --at segment=upper -o map.png
expect 0 "$MANYLINK" plot format3.h5 angle --run 3 -o motion.png

# It is the study's, so there is nothing to do; of another study it is refused.
expect 0 "$MANYLINK" run format3.yaml -o format3.h5
says out "finished already"
expect 2 "$MANYLINK" run format3.yaml --set time.end=3 -o format3.h5
says err "belongs to another study"
cmp format3.h5 kept.h5 || fail "the result was changed"

# Merging writes it in the format of today, with the same numbers.
expect 0 "$MANYLINK" merge format3.h5 -o merged.h5
expect 0 "$MANYLINK" table merged.h5
cmp out table.csv || fail "other numbers once merged"
expect 0 "$MANYLINK" run --quiet format3.yaml --set initial.angle.upper=0.6 --set 'sweep=[{set: initial.angle.lower, from: -1, to: 1, count: 4}]' -o other.h5
expect 2 "$MANYLINK" merge format3.h5 other.h5 -o both.h5
says err "other.h5: belongs to another study"

# What was changed since it was made is read with --changed only.
# (A letter of the title: of damaged headers HDF5 itself loses memory.)
at=$(grep -abo 'result of format 3' format3.h5 | head -n 1 | cut -d : -f 1)
printf R | dd of=format3.h5 bs=1 seek="$at" conv=notrunc 2>dd.err
expect 1 "$MANYLINK" info format3.h5
expect 0 "$MANYLINK" info format3.h5 --changed

# Results of format 4, whose seal had room for 32 trajectories and which did not say which dimensions
# are the runs: the study above with every: 10 and end: 1, as it is and of a list, and the torques of
# run 3, made by commit 29cff5b.
gzip -dc "$SOURCE/tests/results/format4.tar.gz" | tar -x
for name in grid list torque; do
    expect 0 "$MANYLINK" info $name.h5
    says out "as it was made: its checksum matches"
    mv out $name.info
    expect 0 "$MANYLINK" status $name.h5
    expect 0 "$MANYLINK" table $name.h5
    mv out $name.csv
    expect 0 "$MANYLINK" plot $name.h5 -o map.png
    expect 0 "$MANYLINK" report $name.h5 -o page.html
    cp $name.h5 damaged.h5
    printf R | dd of=damaged.h5 bs=1 seek="$(grep -abo ' of format 4' damaged.h5 | head -n 1 | cut -d : -f 1)" conv=notrunc 2>dd.err
    expect 1 "$MANYLINK" info damaged.h5
    expect 0 "$MANYLINK" info damaged.h5 --changed
done
says grid.info "  angle                         12 x 2 x 11       rad"
[ "$(wc -l <grid.csv)" = 13 ] && [ "$(wc -l <list.csv)" = 9 ] && [ "$(wc -l <torque.csv)" = 2 ] || fail "tables"
grep -q '^11,3,1,finished,1,100,' grid.csv || fail "numbers of run 11"
expect 0 "$MANYLINK" plot grid.h5 end_angle --at segment=upper --x initial.angle.upper -o map.png
expect 0 "$MANYLINK" plot torque.h5 torque_gravity -o curves.png
rm merged.h5
for name in grid list; do
    expect 0 "$MANYLINK" verify $name.h5
    says out "have the same bits"
    expect 0 "$MANYLINK" export $name.h5 --run 3 -o motion.csv
    [ "$(wc -l <motion.csv)" = 12 ] || fail "the motion of run 3"
    expect 0 "$MANYLINK" merge $name.h5 -o merged.h5
    expect 0 "$MANYLINK" table merged.h5
    cmp out $name.csv || fail "other numbers once merged"
    rm merged.h5
done
# Largest rates were those of a parabola; of runs computed with smaller steps too (the study of the
# name, made by the same commit).
gzip -dc "$SOURCE/tests/results/accuracy4.h5.gz" >accuracy4.h5
expect 0 "$MANYLINK" verify accuracy4.h5 --runs 20
says out "12 of 12 runs computed again"
says out "not compared: 1 of the summary's datasets"
sed 's/format 3/format 4/; s/every: 20/every: 10/; s/end: 2/end: 1/' format3.yaml >format4.yaml
expect 0 "$MANYLINK" run format4.yaml -o grid.h5
says out "finished already"
expect 0 "$MANYLINK" inverse --quiet format4.yaml --motion grid.h5 --run 3 -o again.h5
expect 0 "$MANYLINK" table again.h5
cut -d , -f 1,3- out >now.csv # without the outcome, which older results of torques lack
cmp now.csv torque.csv || fail "other torques of the same motion"
if [ -z "$SANITIZE" ] && "$PYTHON" -c 'import xarray' 2>lacks; then
    MANYLINK_LIBRARY="$BUILD/libmanylink.so" PYTHONPATH="$SOURCE/python" PYTHONDONTWRITEBYTECODE=1 \
        "$PYTHON" - <<END
import manylink

grid, sample, torque = (manylink.load(f"{name}.h5") for name in ("grid", "list", "torque"))
assert dict(grid.end_angle.sizes) == {"initial.angle.upper": 3, "initial.angle.lower": 4, "segment": 2}
assert sample.outcome.dims == ("run",) and sample.sizes["run"] == 8
assert dict(torque.torque.sizes) == {"joint": 2, "time": 11}
assert manylink.trajectory(grid, run=3).angle.shape == (2, 11)
END
fi

# Results and parts whose study did not tell apart the interval between orthonormalisations that was
# derived from one that is given: commit 7831cc3 made a shard and, stopped, the parts of the whole.
cat >derived.yaml <<END
manylink: 1
title: A result that does not tell apart what was derived
system:
  type: chain
  segments: [{name: upper, length: 1, mass: 1}, {name: lower, length: 0.5, mass: 1}]
time: {step: 1e-2, end: 30}
sweep:
  - {set: initial.angle.upper, values: [0.5, 1, 3]}
  - {set: initial.angle.lower, from: -1, to: 1, count: 16}
analyse: {lyapunov: {exponents: 2, transient: 5}, fli: {}}
END
gzip -dc "$SOURCE/tests/results/derived_format4.tar.gz" | tar -x
expect 0 "$MANYLINK" run derived.yaml --shard 0/2 -o shard0.h5
says out "finished already"
expect 0 "$MANYLINK" verify shard0.h5
expect 2 "$MANYLINK" run derived.yaml --set analyse.fli.renormalise=0.2 --shard 0/2 -o shard0.h5
says err "        renormalise: 0.2"
expect 2 "$MANYLINK" run derived.yaml --set save.summary=none --shard 0/2 -o shard0.h5
says err "    save: {}" # and not the first line that is written in another way
expect 2 "$MANYLINK" run derived.yaml -o part.h5
says err "was begun by another version of the program"
# Parts of another format are refused; without trajectories these would be the same.
identity=part.h5.parts/identity.yaml
sed -i "1s/format 4/format 5/" $identity
expect 0 "$MANYLINK" status part.h5
says out "2 of 3 blocks are done"
expect 0 "$MANYLINK" run derived.yaml -o part.h5
says out "continued from 32 finished runs"
expect 0 "$MANYLINK" run --quiet derived.yaml --shard 1/2 -o shard1.h5
# without TABLE.csv: leaves out the largest rates, which versions before format 5 defined otherwise.
without()
{
    "$PYTHON" -c "
import csv, sys
rows = list(csv.reader(open(sys.argv[1])))
kept = [i for i, name in enumerate(rows[0]) if not name.startswith('max_rate')]
assert len(kept) == len(rows[0]) - 2, rows[0]
for row in rows:
    print(*(row[i] for i in kept), sep=',')
" "$1"
}
expect 0 "$MANYLINK" table part.h5
without out >table.csv
for order in "shard0.h5 shard1.h5" "shard1.h5 shard0.h5"; do
    # shellcheck disable=SC2086 # two words
    expect 0 "$MANYLINK" merge $order -o joined.h5
    says err "shard0.h5: max_rate follows the definition of an older version"
    expect 0 "$MANYLINK" table joined.h5
    without out | cmp - table.csv || fail "other numbers, merged from $order"
    expect 0 "$MANYLINK" verify joined.h5
    rm joined.h5
done

# What is derived is no part of what tells studies apart; but runs of two intervals are not mixed.
expect 0 "$MANYLINK" run derived.yaml --set derived.renormalise=0.05 -o part.h5
says out "finished already"
expect 0 "$MANYLINK" run --quiet derived.yaml --set derived.renormalise=0.05 --shard 0/2 -o other0.h5
expect 2 "$MANYLINK" merge other0.h5 shard1.h5 -o both.h5
says err "its derived values are"
rm part.h5
gzip -dc "$SOURCE/tests/results/derived_format4.tar.gz" | tar -x
sed -i "1s/format 4/format 5/" $identity
expect 2 "$MANYLINK" run derived.yaml --set derived.renormalise=0.05 -o part.h5
says err "belongs to another study"

# Parts that tell it apart; how something was derived may be said in other words.
sed '/renormalise/d; s/^  fli:$/  fli: {}/' part.h5.parts/identity.yaml >identity
printf 'derived:\n  renormalise: 0.1 # as before\n' >>identity
cp identity part.h5.parts/identity.yaml
expect 2 "$MANYLINK" run derived.yaml --set derived.renormalise=0.05 -o part.h5
says err "its derived values are"
expect 0 "$MANYLINK" run --quiet derived.yaml -o part.h5
expect 0 "$MANYLINK" table part.h5
without out | cmp - table.csv || fail "other numbers from parts of before"

# Without its seal, as h5repack leaves it, nobody knows whether it is as it was made.
"$PYTHON" -c "
import h5py
h5py.get_config().track_order = True
with h5py.File('format3.h5') as old, h5py.File('repacked.h5', 'w') as new:
    def copy(name, item):
        if isinstance(item, h5py.Group):
            new.require_group(name).attrs.update(item.attrs)
        elif not name.endswith('/seal'):
            old.copy(item, new, name)
    new.attrs.update(old.attrs)
    old.visititems(copy)" || fail "no copy"
expect 1 "$MANYLINK" info repacked.h5
says err "it has no seal"
expect 0 "$MANYLINK" info repacked.h5 --changed
says out "not known whether it is as it was made: it has no seal"
! grep -q "checksum matches" out || fail "a seal that is not there matches"
