# label: fault
# Killed with SIGKILL fifty times, at moments of chance, `run` goes on from what is finished,
# computes none of it again, and ends with the file of an undisturbed run, to the bit.
. "$SOURCE/tests/check.sh"
need_python
kills=50
seed=${SEED:-$(date +%s)}
trap '[ $? = 0 ] || echo "SEED=$seed" >&2' EXIT

# Some runs fail, and only some are saved. 16 blocks of one size.
cat >study.yaml <<'END'
manylink: 1
system: {type: chain, segments: [{length: 1, mass: 1}, {length: 0.5, mass: 2}]}
initial: {angle: {1: 2, 2: 1}}
time: {step: 1e-3, end: 0.15}
sweep:
  - {set: initial.angle.1, from: -3, to: 3, count: 960}
  - {set: initial.rate.1, values: [0, 1, 2, 1e9]}
save: {trajectory: {every: 5, quantities: [angle, rate, energy], runs: {every: 3}}}
END
all=16
runs=240 # of a block

# A sanitizer wants to be the first library: then the moments are those of a clock alone.
library=
if [ -z "${SANITIZE-}" ]; then
    build_kill_at
    library=$PWD/kill_at.so
fi

began=$(date +%s%N)
expect 3 env KILL_LOG="$PWD/calls" LD_PRELOAD="$library" "$MANYLINK" run study.yaml \
    -o undisturbed.h5
took=$((($(date +%s%N) - began) / 1000000)) # ms
calls=$(sed -n 's/^calls //p' calls 2>/dev/null || true)
says out "960 diverged"

# Size of a block's part: of a longer run that was asked to stop.
hold stopped.h5 "$MANYLINK" run study.yaml -o stopped.h5 --threads 1 --set time.end=30 \
    --set save.trajectory.every=1000
kill -TERM $process
let_go 130 "the same command continues from there"
n=$(blocks stopped.h5)
part=$(($(journal_bytes stopped.h5) / n))
[ $((part * n)) = "$(journal_bytes stopped.h5)" ] || fail "parts of several sizes"

awk -v seed="$seed" 'BEGIN { srand(seed); for (i = 0; i < 2000; i++) print int(1e6 * rand()) }' \
    >random
exec 3<random

# below N: a number of chance from 0 to N - 1, in `drawn`
below()
{
    read -r drawn <&3
    drawn=$((drawn * $1 / 1000000))
}

# kill_in CALLS WORD: kills it in one of the calls with that word; about so many are left.
kill_in()
{
    below "$1"
    KILL_AT=$((drawn + 1)) KILL_IN=$2 KILL_LOG=$PWD/killed_in LD_PRELOAD=$library \
        "$MANYLINK" run study.yaml >out 2>err &
    process=$!
}

# Kills it by the clock, from the beginning to a little after the end.
kill_after()
{
    below $((took * left / (all + 4)))
    "$MANYLINK" run study.yaml >out 2>err &
    process=$!
    sleep "$((drawn / 1000)).$(printf %03d $((drawn % 1000)))"
    kill -KILL $process 2>/dev/null || true
}

# Runs it until a moment of chance, or to the end; sets `code`. What is left to do takes about as
# much as so many blocks.
run_and_kill()
{
    left=$((all - done + 4))
    rm -f killed_in
    below 10
    case ${library:+$drawn} in
    0 | 1 | 2) kill_in $((calls * left / (all + 4))) '' ;;
    3 | 4 | 5) kill_in $((left / 2)) blocks- ;;
    6) kill_in 3 rename ;;
    7) kill_in 8 unlink ;;
    *) kill_after ;;
    esac
    code=0
    wait $process 2>/dev/null || code=$?
    [ $code = 137 ] || [ $code = 3 ] || fail "exit code $code: $(cat err)"
    ! grep checksum err || fail "a part is taken for damaged"
}

# What it was doing when it was killed.
phase()
{
    if [ -e killed_in ]; then
        sed -e "s,$PWD/,," -e 's,study.h5.parts,parts,' -e 's,blocks-.*,blocks-*,' \
            -e 's,\.[^.]*\.tmp,.*.tmp,' killed_in
    elif [ "$done" = $all ]; then
        echo "by the clock, all blocks done"
    else
        echo "by the clock"
    fi
}

# Every block is in the journals once, and every kill has cut off one more at most.
check_journals()
{
    whole=0
    for journal in study.h5.parts/blocks-*; do
        [ ! -e "$journal" ] || whole=$((whole + $(wc -c <"$journal") / part))
    done
    [ "$whole" = "$done" ] || fail "$whole parts for $done blocks: some were computed again"
    [ "$(journal_bytes study.h5)" -lt $((done * part + killed_here * part)) ] ||
        fail "$(journal_bytes study.h5) bytes for $done blocks and $killed_here kills"
}

check_finished()
{
    same study.h5 undisturbed.h5
    if [ "$done" -gt 0 ] && ! grep -q "finished already" out; then
        says out "continued from $((done * runs)) finished runs"
    fi
    [ ! -e study.h5.parts ] || fail "parts are left"
}

killed=0
studies=0
done=0
killed_here=0
: >phases
while [ $killed -lt $kills ]; do
    run_and_kill
    if [ $code = 3 ]; then
        check_finished
        rm study.h5
        studies=$((studies + 1)) done=0 killed_here=0
        continue
    fi
    killed=$((killed + 1)) killed_here=$((killed_here + 1))
    if [ -e study.h5 ]; then
        same study.h5 undisturbed.h5
    else
        before=$done
        done=$(blocks study.h5)
        [ "$done" -ge "$before" ] || fail "$done blocks are done, and $before were before"
        check_journals
    fi
    phase >>phases
done
expect 3 "$MANYLINK" run study.yaml
check_finished
"$PYTHON" "$SOURCE/tests/results/view_result.py" study.h5 || fail "does not open"
echo "killed $killed times in $((studies + 1)) studies:"
sort phases | uniq -c | sort -rn
