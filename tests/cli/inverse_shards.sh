# Torques in shards: merged they are the result of one process, to the bit; `status` tells how far
# they are, `verify` computes some again, and a motion that is not what it was is refused.
. "$SOURCE/tests/check.sh"
need_python

cat >arm.yaml <<'END'
manylink: 1
system:
  type: chain
  angles: joint
  zero: right
  segments: [{name: upper, length: 0.31, mass: 1.93}, {name: fore, length: 0.34, mass: 1.52}]
forces: [{name: friction, type: damper, joint: fore, coefficient: 0.3}]
initial: {angle: {upper: -1, fore: 0.5}, rate: {fore: 1}}
time: {step: 2e-3, end: 0.2}
save: {trajectory: {every: 1, quantities: [angle, rate]}}
END
cat >path.yaml <<'END'
manylink: 1
system:
  type: chain
  angles: joint
  zero: right
  segments: [{name: upper, length: 0.31, mass: 1.93}, {name: fore, length: 0.34, mass: 1.52}]
time: {step: 0.01, end: 0.6}
motion: {type: hand_path, start: [-0.1, 0.3], end: [-0.1, 0.5], duration: 0.6}
END
sweep='sweep=[{set: system.segments.fore.mass, from: 1, to: 2, count: 20},
    {set: initial.rate.fore, from: 0, to: 3, count: 30}]'
{
    echo time,angle/upper,angle/fore
    for k in 0 1 2 3 4 5 6 7 8 9; do echo "0.${k}0,0.1,0.$k 0.${k}5,0.2,0.$k" | tr ' ' '\n'; done
} >table.csv
expect 0 "$MANYLINK" run arm.yaml --quiet -o runs.h5 --set "$sweep"

# shards NAME N ARGUMENT...: one result, and N shards of it that are merged
shards()
{
    name=$1 count=$2
    shift 2
    expect 0 "$MANYLINK" inverse "$@" -o "$name.h5"
    for i in $(seq 0 $((count - 1))); do
        expect 0 "$MANYLINK" inverse "$@" -o "$name-$i.h5" --shard "$i/$count" --threads $((i % 3 + 1))
        says err "shard $i of $count: $name-$i.h5"
    done
    expect 0 "$MANYLINK" merge "$name"-?.h5 -o "$name-merged.h5"
    says out "runs of $count shards"
    same "$name.h5" "$name-merged.h5"
    expect 0 "$MANYLINK" verify "$name-merged.h5" --runs 40
    says out "have the same bits"
    expect 0 "$MANYLINK" verify "$name-1.h5" --runs 40
    says out "have the same bits"
}

# One motion for a grid and for one in which an axis does not count, a motion for each run of a
# sample, several motions with the parameters of their runs, or with one set for all.
shards grid 3 arm.yaml --motion table.csv --set inverse.spline.smoothing=gcv \
    --set 'sweep=[{set: system.segments.fore.mass, from: 1, to: 2, count: 60},
        {set: system.segments.upper.mass, from: 1, to: 2, count: 50}]'
shards chosen 2 arm.yaml --motion runs.h5 --run 7 \
    --set 'sweep=[{set: system.segments.fore.mass, from: 1, to: 2, count: 400},
        {set: initial.rate.fore, values: [0, 1]}]'
shards sample 2 path.yaml --set sample.method=sobol --set sample.count=512 \
    --set 'sample.over=[{set: system.segments.fore.length, from: 0.33, to: 0.35}]'
shards paired 4 arm.yaml --motion runs.h5 --set "$sweep"
shards alike 2 arm.yaml --motion runs.h5 \
    --set 'inverse={filter: {type: butterworth, order: 2, cutoff: 20}}'

"$PYTHON" "$SOURCE/tests/results/view_result.py" grid-0.h5 paired-1.h5 sample-1.h5 || fail "the file of a shard does not open everywhere"

# What is missing is named; of torques there is no partial result.
expect 1 "$MANYLINK" merge paired-0.h5 paired-2.h5 -o no.h5 --partial
says err "shards missing of 4: 1, 3"
says err "merged once all of them are there"
expect 2 "$MANYLINK" merge paired-0.h5 alike-1.h5 -o no.h5
says err "Only shards of one study can be merged"
expect 2 "$MANYLINK" merge paired-0.h5 runs.h5 -o no.h5
says err "results of runs and those of inverse dynamics have nothing in common"
[ ! -e no.h5 ] || fail "there is a result without all shards"

# A shard is not written over another, nor runs over torques.
expect 2 "$MANYLINK" inverse arm.yaml --motion runs.h5 --set "$sweep" -o paired-0.h5 --shard 1/4
says err "paired-0.h5: is shard 0 of 4 of this study, not 1 of 4"
expect 2 "$MANYLINK" run arm.yaml -o paired.h5 --set "$sweep"
says err "is no result of \`run\`"

# --restart discards neither the motion, by whatever name, nor a result of another kind.
# kept FILE COMMAND...: it is refused, and the file stays as it was
kept()
{
    kept=$1
    shift
    cp "$kept" before.h5
    expect 2 "$@"
    cmp "$kept" before.h5 || fail "$kept was changed"
    [ ! -e "$kept.parts" ] || fail "there are parts of $kept"
}
ln -s runs.h5 link.h5
for name in runs.h5 ./runs.h5 link.h5; do
    kept runs.h5 "$MANYLINK" inverse arm.yaml --motion $name -o runs.h5 --restart
    says err "cannot write torques to runs.h5: the file is the motion; choose another name"
done
kept table.csv "$MANYLINK" inverse arm.yaml --motion table.csv -o table.csv --restart
says err "cannot write torques to table.csv: the file is the motion"
kept runs.h5 "$MANYLINK" inverse arm.yaml --motion table.csv -o runs.h5 --restart
says err "runs.h5: is there already, and is no result of inverse dynamics"
kept paired.h5 "$MANYLINK" run arm.yaml -o paired.h5 --restart
says err "paired.h5: is there already, and is no result of \`run\`"
kept runs.h5 "$MANYLINK" merge alike-?.h5 -o runs.h5 --restart
says err "runs.h5: is there already, and is no result of inverse dynamics"
cp paired.h5 damaged.h5
byte=$(od -An -tu1 -j 100000 -N 1 damaged.h5)
printf "\\$(printf %o $((byte ^ 1)))" | dd of=damaged.h5 bs=1 seek=100000 conv=notrunc 2>dd.err
expect 1 "$MANYLINK" inverse arm.yaml --motion runs.h5 --set "$sweep" -o damaged.h5
says err "damaged.h5: "
says err "checksum"
expect 0 "$MANYLINK" inverse arm.yaml --motion runs.h5 --set "$sweep" -o damaged.h5 --restart
same damaged.h5 paired.h5

# Rows of a shard are not run numbers: its motions are taken from the whole.
expect 0 "$MANYLINK" run arm.yaml --quiet -o runs-1.h5 --set "$sweep" --shard 1/2
expect 2 "$MANYLINK" inverse arm.yaml --motion runs-1.h5 --set "$sweep" -o no.h5
says err "runs-1.h5: is shard 1 of 2; merge the shards first"
[ ! -e no.h5 ] || fail "there are torques of a shard"

# --motion is for torques of a file's motion.
expect 2 "$MANYLINK" verify runs.h5 --motion table.csv
says err "runs.h5: cannot take --motion: the result has no torques"
expect 2 "$MANYLINK" verify sample.h5 --motion table.csv
says err "sample.h5: cannot take --motion: the motion is the study's"
expect 2 "$MANYLINK" merge sample-?.h5 -o no.h5 --motion table.csv
says err "sample-0.h5: cannot take --motion: the motion is the study's"
expect 0 "$MANYLINK" status paired-1.h5 paired.h5
says out "paired-1.h5: finished (shard 1 of 4)"
says out "paired.h5: finished"

# The motion must be where it was, unless it is said where it is, and what it was.
mv table.csv elsewhere.csv
expect 2 "$MANYLINK" merge grid-?.h5 -o again.h5
says err "grid-0.h5: cannot read its motion again; give its place with --motion"
expect 0 "$MANYLINK" merge grid-?.h5 -o again.h5 --motion elsewhere.csv
same again.h5 grid.h5
expect 0 "$MANYLINK" verify grid.h5 --motion elsewhere.csv
sed '3s/0.2/0.3/' elsewhere.csv >table.csv
expect 2 "$MANYLINK" verify grid.h5
says err "The motion has changed since the result was made"

# More shards than blocks: those without one have a result as well, which counts.
for i in 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19; do
    expect 0 "$MANYLINK" inverse arm.yaml --motion elsewhere.csv --shard $i/20 -o many-$i.h5
done
says out "nothing to do"
expect 0 "$MANYLINK" verify many-19.h5 --motion elsewhere.csv
says out "0 of 0 runs"
expect 0 "$MANYLINK" merge many-*.h5 -o many.h5
expect 0 "$MANYLINK" inverse arm.yaml --motion elsewhere.csv -o one.h5
same many.h5 one.h5
