# Interrupted by a signal or by its time limit, `inverse` leaves with 130 and what was there before
# as it was; the same command continues from there, and ends with the result of an undisturbed one, to
# the bit. A result that is there already is known, and other torques in its place are replaced.
. "$SOURCE/tests/check.sh"
need_python

step=2e-3 samples=501
[ -z "$SANITIZE" ] || step=4e-3 samples=251 # slow enough to be interrupted
cat >study.yaml <<END
manylink: 1
system: {type: chain, segments: [{length: 1, mass: 1}, {length: 0.5, mass: 2}]}
time: {step: $step, end: 1}
motion: {type: minimum_jerk, start: {angle: [0, 0]}, end: {angle: [1, 2]}, duration: 1}
sweep: [{set: system.segments.1.mass, from: 1, to: 3, count: 1000}]
END
expect 0 "$MANYLINK" inverse study.yaml -o undisturbed.h5
says out "one motion, 1000 sets of parameters, $samples samples"

# interrupt RESULT: once it has put a block
interrupt()
{
    stops "$1" "$MANYLINK" inverse study.yaml -o "$1" --threads 1
    says err "the same command continues from there: manylink inverse"
    says err "of 1000 results to do"
}

interrupt study.h5
[ ! -e study.h5 ] || fail "there is a result after an interruption"
[ "$(blocks study.h5)" -gt 0 ] || fail "nothing was kept"

# Parts of other torques are not mixed with these.
expect 2 "$MANYLINK" inverse study.yaml -o study.h5 --set system.segments.2.mass=1
says err "study.h5.parts: belongs to another study"

expect 0 "$MANYLINK" inverse study.yaml -o study.h5 --threads 2
says out "continued from"
same study.h5 undisturbed.h5
[ ! -e study.h5.parts ] || fail "parts are left"
expect 0 "$MANYLINK" inverse study.yaml -o study.h5
says out "study.h5 is finished already; nothing to do"

# The time is over twice. What is too long for this machine is halved.
limit=0.1 n=0
while [ $n -lt 2 ]; do
    code=0
    "$MANYLINK" inverse study.yaml -o timed.h5 --threads 1 --time-limit ${limit}s >out 2>err || code=$?
    if [ $code = 130 ]; then
        n=$((n + 1))
        says err "the same command continues from there"
    elif [ $code = 0 ]; then
        rm timed.h5
        limit=$(echo $limit | awk '{ printf "%.6f", $1 / 2 }') n=0
    else
        fail "exit code $code: $(cat err)"
    fi
done
expect 0 "$MANYLINK" inverse study.yaml -o timed.h5
same timed.h5 undisturbed.h5

# Other torques stay there until the new ones are finished.
expect 0 "$MANYLINK" inverse study.yaml -o there.h5 --set sweep.0.count=2
cp there.h5 before.h5
expect 130 "$MANYLINK" inverse study.yaml -o there.h5 --threads 1 --time-limit ${limit}s
cmp before.h5 there.h5 || fail "a result was changed"
expect 0 "$MANYLINK" inverse study.yaml -o there.h5 # a slow machine may have finished no block before
same there.h5 undisturbed.h5

# With --restart it begins from nothing.
interrupt again.h5
expect 0 "$MANYLINK" inverse study.yaml -o again.h5 --set sweep.0.count=2 --restart
! grep "continued from" out || fail "--restart went on"
same again.h5 before.h5

# Two at once: the second says that the first is at work.
hold two.h5 "$MANYLINK" inverse study.yaml -o two.h5 --threads 1
expect 1 "$MANYLINK" inverse study.yaml -o two.h5 --wait 0
says err "two.h5"
kill_held
expect 0 "$MANYLINK" inverse study.yaml -o two.h5
same two.h5 undisturbed.h5

# What is to be known of a result is in it, and told again of one that is finished.
printf '%s\n' time,angle/1,angle/2 0,0.1,0.2 1e-200,0.1,0.3 2e-200,0.1,0.2 3e-200,0.1,0.1 \
    4e-200,0,0.2 5e-200,0,0 >table.csv
for _ in first second; do
    expect 3 "$MANYLINK" inverse study.yaml --motion table.csv -o large.h5 --set sweep.0.count=3
    says err "run 0: the torque or force of joint \`1\` is not finite at 0 s"
    says err "3 of 3 results are not finite"
done
says out "large.h5 is finished already"

# A motion that has changed is another.
printf '%s\n' time,angle/1,angle/2 0,0.1,0.2 1,0.1,0.3 2,0.1,0.2 3,0.1,0.1 4,0,0.2 5,0,0 >table.csv
expect 0 "$MANYLINK" inverse study.yaml --motion table.csv -o large.h5 --set sweep.0.count=3
! grep finished out || fail "a motion that has changed was taken for the same"
