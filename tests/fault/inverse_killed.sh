# label: fault
# Killed with SIGKILL twenty times at moments of chance, and with bits flipped in what it left,
# `inverse` goes on from what is whole and ends with the file of an undisturbed one, to the bit. A bit
# flipped in the motion is found.
. "$SOURCE/tests/check.sh"
need_python
kills=20 flips=10
seed=${SEED:-$(date +%s)}
trap '[ $? = 0 ] || echo "SEED=$seed" >&2' EXIT

cat >study.yaml <<'END'
manylink: 1
system: {type: chain, segments: [{length: 1, mass: 1}, {length: 0.5, mass: 2}]}
initial: {angle: {1: 2, 2: 1}}
time: {step: 2e-3, end: 0.4}
sweep: [{set: initial.angle.1, from: -3, to: 3, count: 600}]
save: {trajectory: {every: 1, quantities: [angle, rate]}}
END
expect 0 "$MANYLINK" run study.yaml --quiet -o runs.h5
began=$(date +%s%N)
expect 0 "$MANYLINK" inverse study.yaml --motion runs.h5 -o undisturbed.h5
took=$((($(date +%s%N) - began) / 1000000)) # ms

awk -v seed="$seed" 'BEGIN { srand(seed); for (i = 0; i < 2000; i++) print int(1e6 * rand()) }' \
    >random
exec 3<random

killed=0 finished=0 done=0 went_on=0
while [ $killed -lt $kills ]; do
    read -r drawn <&3 || fail "it was never killed in time"
    "$MANYLINK" inverse study.yaml --motion runs.h5 -o study.h5 >out 2>err &
    process=$!
    sleep "$(awk -v part="$drawn" -v took=$took 'BEGIN { printf "%.3f", 0.7e-9 * part * took }')"
    kill -KILL $process 2>/dev/null || true
    code=0
    wait $process 2>/dev/null || code=$?
    [ $code = 137 ] || [ $code = 0 ] || fail "exit code $code: $(cat err)"
    [ $code = 0 ] || killed=$((killed + 1))
    if [ -e study.h5 ]; then
        same study.h5 undisturbed.h5
        rm -rf study.h5 study.h5.parts
        finished=$((finished + 1)) done=0
    else
        before=$done
        done=$(blocks study.h5)
        [ "$done" -ge "$before" ] || fail "$done blocks are done, and $before were before"
        [ "$before" = 0 ] || went_on=$((went_on + 1))
    fi
done
expect 0 "$MANYLINK" inverse study.yaml --motion runs.h5 -o study.h5
same study.h5 undisturbed.h5
[ ! -e study.h5.parts ] || fail "parts are left"
[ $went_on -gt 0 ] || fail "nothing was there to go on from"
echo "killed $killed times, $went_on of them after it had gone on; finished $finished times"

# A part that is damaged is computed again.
hold kept.h5 "$MANYLINK" inverse study.yaml --motion runs.h5 -o kept.h5 --threads 1
kill_held
# flip SEED FILE...: a bit of chance in one of them
flip()
{
    "$PYTHON" - "$@" <<'END'
import os, random, sys

chance = random.Random(sys.argv[1])
path = chance.choice(sys.argv[2:])
at, bit = chance.randrange(os.path.getsize(path)), chance.randrange(8)
with open(path, "r+b") as file:
    file.seek(at)
    byte = file.read(1)[0]
    file.seek(at)
    file.write(bytes([byte ^ 1 << bit]))
END
}
again=0
for try in $(seq $flips); do
    rm -rf result.h5 result.h5.parts
    cp -R kept.h5.parts result.h5.parts
    flip "$seed.$try" result.h5.parts/blocks-*
    expect 0 "$MANYLINK" inverse study.yaml --motion runs.h5 -o result.h5
    ! grep -q "cut off or damaged" err || again=$((again + 1))
    same result.h5 undisturbed.h5
done
[ $again = $flips ] || fail "$again of $flips flips in parts were seen"

# A motion that is damaged is no motion, in whichever trajectory, of all runs or of the only one.
"$PYTHON" - "$seed" runs.h5 <<'END'
import h5py, random, shutil, sys

chance = random.Random(sys.argv[1])
with h5py.File(sys.argv[2]) as file:
    sets = [file["study/trajectories"][name] for name in ("angle", "rate")]
    places = [(set.id.get_offset(), set.id.get_storage_size(), set.shape[0]) for set in sets]
with open("flips", "w") as flips:
    for i, (offset, size, n_run) in enumerate(2 * places):
        at, bit = chance.randrange(size), chance.randrange(8)
        shutil.copy(sys.argv[2], f"flipped-{i}.h5")
        with open(f"flipped-{i}.h5", "r+b") as file:
            file.seek(offset + at)
            byte = file.read(1)[0]
            file.seek(offset + at)
            file.write(bytes([byte ^ 1 << bit]))
        flips.write(f"flipped-{i}.h5 {at * n_run // size} {('angle', 'rate')[i % 2]}\n")
END
while read -r motion run row; do
    for choice in "" "--run $run"; do
        # shellcheck disable=SC2086
        expect 1 "$MANYLINK" inverse study.yaml --motion "$motion" -o no.h5 $choice
        says err "$motion: $row of run $run: the checksum does not match"
        [ ! -e no.h5 ] || fail "there are torques of a damaged motion"
        rm -rf no.h5.parts # blocks of the runs before the damaged one
    done
    expect 0 "$MANYLINK" inverse study.yaml --motion "$motion" -o another.h5 --run $((run == 0))
    expect 1 "$MANYLINK" verify undisturbed.h5 --motion "$motion" --runs 600
    says err "$row of run $run: the checksum does not match"
done <flips
