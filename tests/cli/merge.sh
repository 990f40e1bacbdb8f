# Shards of a grid, of a sample and of a study with trajectories, merged in any order, make the file
# of one process to the bit; what is missing, overlaps, is damaged or of another study is named.
. "$SOURCE/tests/check.sh"
need_python

# shards N: study.yaml in N shards; the whole in whole.h5.
shards()
{
    rm -f ./*.h5
    expect 3 "$MANYLINK" run study.yaml -o whole.h5
    i=0
    while [ $i -lt "$1" ]; do
        code=0
        "$MANYLINK" run study.yaml --shard $i/"$1" -q || code=$?
        [ $code = 0 ] || [ $code = 3 ] || fail "shard $i: exit code $code"
        i=$((i + 1))
    done
}

cat >study.yaml <<'END_OF_STUDY'
manylink: 1 # as given
system: {type: chain, segments: [{length: 1, mass: 1}, {length: 0.5, mass: 2}]}
initial: {angle: {1: 2, 2: 1}}
time: {step: 1e-2, end: 0.5}
sweep:
  - {set: initial.angle.1, from: -3, to: 3, count: 29}
  - {set: initial.rate.1, values: [0, 1, 2, 3, 4, 5, 6, 7, 8, 1e9]}
save: {trajectory: {every: 5, quantities: [angle, energy], runs: {every: 7}}}
END_OF_STUDY
shards 5
expect 3 "$MANYLINK" merge study.shard-3* study.shard-0* study.shard-4* study.shard-2* \
    study.shard-1* -o merged.h5
same merged.h5 whole.h5
[ ! -e merged.h5.parts ] || fail "parts are left"
expect 3 "$MANYLINK" merge study.shard-* -o merged.h5
says out "finished already"
"$PYTHON" "$SOURCE/tests/results/view_result.py" study.shard-3-of-5.h5 ||
    fail "a shard does not open"

# Missing shards are named; with the rest the partial result is replaced.
rm merged.h5
expect 1 "$MANYLINK" merge study.shard-0* study.shard-3* -o merged.h5
says err "shards missing of 5: 1-2, 4"
[ -z "$(ls -d merged.h5* 2>/dev/null)" ] || fail "something is left"
expect 3 "$MANYLINK" merge study.shard-0* study.shard-3* -o merged.h5 --partial
says err "shards missing of 5: 1-2, 4"
says out " missing"
expect 1 "$MANYLINK" run study.yaml -o merged.h5
says err "runs are missing"
expect 0 "$MANYLINK" status merged.h5
says out "runs are missing"
expect 0 "$MANYLINK" verify merged.h5
says out "runs are missing"
expect 3 "$MANYLINK" merge merged.h5 study.shard-[124]* -o again.h5
same again.h5 whole.h5
expect 3 "$MANYLINK" merge study.shard-* -o merged.h5
same merged.h5 whole.h5

# What a partial result has is kept by the next one, and what is to be merged is not discarded.
expect 3 "$MANYLINK" merge study.shard-[0-2]* -o kept.h5 --partial
expect 3 "$MANYLINK" merge study.shard-3* -o kept.h5 --partial
expect 3 "$MANYLINK" merge kept.h5 study.shard-4* -o kept.h5
same kept.h5 whole.h5
cp study.shard-2-of-5.h5 precious.h5
expect 2 "$MANYLINK" merge study.shard-[0134]* precious.h5 -o precious.h5 --restart
says err "cannot merge into precious.h5: --restart would discard this input"
cmp precious.h5 study.shard-2-of-5.h5 || fail "a shard is gone"

# Shards of another number overlap.
expect 3 "$MANYLINK" run study.yaml --shard 1/3 -o third.h5
expect 3 "$MANYLINK" merge study.shard-[0-3]* third.h5 -o overlapping.h5 --partial
says err "and third.h5 overlap"
says err "blocks missing of"
expect 3 "$MANYLINK" merge study.shard-* third.h5 -o overlapping.h5 --restart
same overlapping.h5 whole.h5

# Only the same study, and nothing damaged.
expect 3 "$MANYLINK" run study.yaml --set time.end=0.6 --shard 1/5 -o other.h5
expect 2 "$MANYLINK" merge study.shard-[0-3]* other.h5 -o mixed.h5
says err "other.h5: belongs to another study"
cp study.shard-2-of-5.h5 damaged.h5
printf x | dd of=damaged.h5 bs=1 seek=9000 conv=notrunc 2>dd.out
expect 1 "$MANYLINK" merge study.shard-[0134]* damaged.h5 -o mixed.h5
says err "damaged.h5"
expect 2 "$MANYLINK" merge study.yaml -o mixed.h5
says err "study.yaml: is not a manylink result"
expect 2 "$MANYLINK" merge nothing.h5 -o mixed.h5
says err "nothing.h5: cannot be read: No such file"
[ -z "$(ls -d mixed.h5* 2>/dev/null)" ] || fail "something is left"

# More shards than blocks: some have nothing to do, and are not missed.
expect 0 "$MANYLINK" run study.yaml --shard 99/100
says out "nothing to do"
shards 40
expect 3 "$MANYLINK" merge study.shard-* -o merged.h5
same merged.h5 whole.h5

# A sample, and a title; a table beside the study is read again.
printf 'time,value\n0,0\n0.2,1\n0.5,0.5\n' >torque.csv
cat >study.yaml <<'END_OF_STUDY'
manylink: 1
title: "A sample: \"quoted\""
system: {type: chain, segments: [{length: 1, mass: 1}, {length: 0.5, mass: 2}]}
forces: [{name: push, type: torque, joint: 1, value: {type: table, file: torque.csv}}]
initial: {angle: {1: 2, 2: 1}}
time: {step: 1e-2, end: 0.5}
sample:
  {method: sobol, count: 300, seed: 3, over: [{set: initial.rate.1, from: 1, to: 1e9, scale: log}]}
END_OF_STUDY
shards 3
mkdir elsewhere
mv study.shard-* elsewhere
expect 3 "$MANYLINK" merge elsewhere/study.shard-* -o merged.h5
same merged.h5 whole.h5
mv torque.csv study.yaml elsewhere
expect 2 "$MANYLINK" merge elsewhere/study.shard-* -o moved.h5
says err "torque.csv"
expect 3 "$MANYLINK" merge elsewhere/study.shard-* -o moved.h5 --study elsewhere/study.yaml
same moved.h5 whole.h5
expect 0 "$MANYLINK" verify moved.h5 --study elsewhere/study.yaml --runs 1000
says out "300 of 300 runs computed again"
printf 'time,value\n0,0\n0.2,2\n0.5,0.5\n' >elsewhere/torque.csv
expect 2 "$MANYLINK" verify moved.h5 --study elsewhere/study.yaml
says err "A table or plugin that it reads has changed"

# How far a family of shards is: one that is damaged, or of another study, hides none of the others.
mkdir far
cd far
sed '/^forces/d; /^title/d' ../elsewhere/study.yaml >study.yaml
for i in 0 2 3; do
    "$MANYLINK" run study.yaml --shard $i/4 -q || [ $? = 3 ]
done
"$MANYLINK" run study.yaml --set sample.count=900 --shard 1/4 -q || [ $? = 3 ]
printf x | dd of=study.shard-2-of-4.h5 bs=1 seek=9000 conv=notrunc 2>dd.out
expect 0 "$MANYLINK" status study.h5
says out "2 of 4 shards are finished"
says out "finished   0, 3"
says out "shard 1    is of a study of 900 runs"
says out "shard 2    ./study.shard-2-of-4.h5: its checksum does not match"
says out "missing blocks:"
