# What `status` tells of shards: of every number of them that there is, how long the processes at work will
# take, and all that as JSON.
. "$SOURCE/tests/check.sh"

print_chain 300 4000 >study.yaml
expect 0 "$MANYLINK" status study.h5
[ "$(cat out)" = "study.h5: not begun" ] || fail "$(cat out)"

# Two shards of five, one finished, one at work and stopped; of another cut, one of three.
expect 0 "$MANYLINK" run study.yaml --shard 4/5
hold study.shard-1-of-3.h5 "$MANYLINK" run study.yaml --shard 1/3 --threads 1
kill_held
hold study.shard-2-of-5.h5 "$MANYLINK" run study.yaml --shard 2/5 --threads 1
parts=study.shard-2-of-5.h5.parts

# With a block every 1000 s since the process began, by what the file system says of it.
done=$(blocks study.shard-2-of-5.h5)
touch -d 2020-01-01T00:00:00Z "$parts/lock"
touch -d "2020-01-01T00:00:00Z + $((done * 1000)) seconds" "$parts"/blocks-*
expect 0 "$MANYLINK" status study.h5
mv out page
expect 0 "$MANYLINK" status --json study.h5
mv out page.json
kill_held
! grep -q "not begun study" page || fail "$(cat page)"
[ "$(grep -c "shards are finished" page)" = 2 ] || fail "not two sets: $(cat page)"
says page "0 of 3 shards are finished"
says page "1 of 5 shards are finished"
says page " left for 1 at work"
says page "finished   4"
expect 0 "$PYTHON" - "$done" <<'END'
import json, math, sys
done = int(sys.argv[1])
page = json.load(open("page.json"))
assert page["result"] == "study.h5" and page["state"] == "not begun" and page["blocks"] is None, page
three, five = page["sets"]
assert three["count"] == 3 and three["finished"] == 0 and three["seconds_left"] is None, three
assert [s["state"] for s in three["shards"]] == ["not begun", "underway", "not begun"], three
assert three["blocks_done"] == three["shards"][1]["blocks_done"] > 0, three
assert five["count"] == 5 and five["finished"] == 1 and five["at_work"] == 1, five
shard = five["shards"][2]
assert shard["blocks_done"] == done and "process" in shard["at_work"], shard
assert math.isclose(shard["seconds_left"], 1000 * (shard["blocks"] - done), rel_tol=1e-5), shard
# the one process that is at work would have to do the other shards too
left = five["blocks"] - five["blocks_done"]
assert math.isclose(five["seconds_left"], 1000 * left, rel_tol=1e-5), (five["seconds_left"], left)
END
[ $code = 0 ] || fail "$(cat err)"

# Nobody is at work: nothing is known of the rate. A finished result has no sets.
expect 0 "$MANYLINK" status study.shard-2-of-5.h5
! grep " left" out || fail "nobody is at work"
expect 0 "$MANYLINK" status --json study.shard-4-of-5.h5 study.shard-2-of-5.h5
says out '"state": "finished"'
says out '"state": "underway"'

# Of inputs that overlap one line tells.
print_chain 10 640 >short.yaml
for n in 2 20; do
    i=0
    while [ $i -lt $n ]; do
        expect 0 "$MANYLINK" run short.yaml --shard $i/$n -q
        i=$((i + 1))
    done
done
expect 0 "$MANYLINK" merge short.shard-* -o short.h5
[ "$(grep -c overlap err)" = 1 ] || fail "$(cat err)"
says err "overlap, and so do 1"
