# label: fault
# A bit that flips on disk changes no result: a hundred, one at a time. In what an interrupted run
# left it is computed again, in a finished file it is found.
. "$SOURCE/tests/check.sh"
need_python
seed=${SEED:-$(date +%s)}
trap '[ $? = 0 ] || echo "SEED=$seed TRY=$try" >&2' EXIT
try=0

cat >saved.yaml <<'END'
manylink: 1
system: {type: chain, segments: [{length: 1, mass: 1}, {length: 0.5, mass: 2}]}
initial: {angle: {1: 2, 2: 1}}
time: {step: 1e-3, end: 0.1}
sweep:
  - {set: initial.angle.1, from: -3, to: 3, count: 960}
  - {set: initial.rate.1, values: [0, 1, 2, 1e9]}
save: {trajectory: {every: 20, quantities: [angle, rate, energy], runs: {every: 3}}}
END
grep -v '^save' saved.yaml >plain.yaml

# flip FILE...: a bit of chance in one of them, and says where
flip()
{
    try=$((try + 1))
    "$PYTHON" - "$seed.$try" "$@" <<'END'
import os, random, sys

chance = random.Random(sys.argv[1])
path = chance.choice(sys.argv[2:])
at, bit = chance.randrange(os.path.getsize(path)), chance.randrange(8)
with open(path, "r+b") as file:
    file.seek(at)
    byte = file.read(1)[0]
    file.seek(at)
    file.write(bytes([byte ^ 1 << bit]))
print(f"bit {bit} of byte {at} of {path}")
END
}

# runs COMMAND...: whatever it does, it does not crash; sets `code`
runs()
{
    code=0
    "$@" >out 2>err || code=$?
    [ $code -lt 128 ] || fail "exit code $code: $*"
}

for study in plain saved; do
    expect 3 "$MANYLINK" run $study.yaml -o $study.h5
done

# Stopped again and again, until most is there, in several journals.
for after in 3 4 4; do
    stops kept.h5 "$MANYLINK" run saved.yaml -o kept.h5 --threads 1
done
n=$(blocks kept.h5)
[ "$n" -ge 11 ] && [ "$(ls kept.h5.parts/blocks-* | wc -l)" = 3 ] || fail "$n blocks are done"

restore()
{
    rm -rf result.h5 result.h5.parts
    cp -R kept.h5.parts result.h5.parts
}

again=0
while [ $try -lt 65 ]; do
    restore
    if [ $try -lt 40 ]; then
        flip result.h5.parts/blocks-*
    else
        flip result.h5.parts/trajectories
    fi >flipped
    expect 3 "$MANYLINK" run saved.yaml -o result.h5
    [ ! -e result.h5.parts ] || fail "parts are left"
    grep -v -e ': note: ' -e '^manylink: step error: ' err >told || true # about the study
    if [ -s told ]; then
        grep -qE 'parts/trajectories: .*: the checksum does not match|cut off or damaged: 1;' told ||
            fail "what was found is not told: $(cat err)"
        again=$((again + 1))
    fi
    mv result.h5 result-$try.h5
done
same saved.h5 result-*.h5
rm result-*.h5
echo "$n blocks kept: of $try flips in journals and trajectories $again had blocks computed again"
[ $again -ge 40 ] || fail "flips in parts were not seen"

# The identity says of which study the parts are: another one is refused.
refused=0
while [ $try -lt 75 ]; do
    restore
    flip result.h5.parts/identity.yaml >flipped
    runs "$MANYLINK" run saved.yaml -o result.h5
    if [ $code = 3 ]; then
        same result.h5 saved.h5
    else
        says err result.h5.parts
        [ "$(blocks kept.h5)" = $n ] || fail "parts are lost"
        refused=$((refused + 1))
    fi
done
echo "$refused of 10 flips in the identity refused"

# A finished file. Its trajectories have checksums of their own, which `run` does not look at.
while [ $try -lt 95 ]; do
    study=$([ $((try % 2)) = 0 ] && echo plain || echo saved)
    cp $study.h5 result.h5
    flip result.h5 >flipped
    cp result.h5 flipped.h5
    expect 1 "$MANYLINK" verify result.h5 --runs 1
    says err result.h5
    runs "$MANYLINK" run $study.yaml -o result.h5
    if [ $study = plain ]; then
        [ $code = 1 ] || fail "$(cat flipped) is not found"
        says err "result.h5: "
    fi
    cmp -s result.h5 flipped.h5 || fail "a file that is damaged was changed"
done

# Readers of a trajectory compare it too: of the run that is damaged, and of no other.
cp saved.h5 result.h5
"$PYTHON" - <<'END'
import h5py

with h5py.File("result.h5") as file:
    rate = file["study/trajectories/rate"]
    run = file["study/trajectories/run"][7]
    at = rate.id.get_offset() + 8 * (7 * rate[0].size + rate.shape[2] + 3)  # second segment, fourth time
with open("result.h5", "r+b") as file:
    file.seek(at)
    byte = file.read(1)[0]
    file.seek(at)
    file.write(bytes([byte ^ 4]))
print(run, file=open("damaged", "w"))
END
run=$(cat damaged)
for command in "export result.h5 --run $run -o run.csv" "plot result.h5 rate --run $run -o run.svg" \
    "report result.h5 --motions 3000 -o page.html"; do
    # shellcheck disable=SC2086
    expect 1 "$MANYLINK" $command
    says err "result.h5: rate of run $run: the checksum does not match"
done
expect 0 "$MANYLINK" plot result.h5 rate --run "$run" --changed -o run.svg
expect 0 "$MANYLINK" plot result.h5 angle --run "$run" -o run.svg
expect 0 "$MANYLINK" export result.h5 --run $((run + 3)) -o next.csv
expect 0 "$MANYLINK" export saved.h5 --run $((run + 3)) -o sound.csv
cmp next.csv sound.csv

for shard in 0 1; do
    expect 3 "$MANYLINK" run saved.yaml --shard $shard/2 -o sound-$shard.h5
done
while [ $try -lt 105 ]; do
    cp sound-0.h5 shard-0.h5
    cp sound-1.h5 shard-1.h5
    flip shard-0.h5 shard-1.h5 >flipped
    expect 1 "$MANYLINK" merge shard-0.h5 shard-1.h5 -o merged.h5
    says err "$(sed 's/.* of //' flipped)"
    [ ! -e merged.h5 ] || fail "a damaged shard was merged"
    rm -rf merged.h5.parts
done
cp sound-0.h5 shard-0.h5
cp sound-1.h5 shard-1.h5
expect 3 "$MANYLINK" merge shard-0.h5 shard-1.h5 -o merged.h5
same merged.h5 saved.h5
