# On a terminal a line tells how far a run is, in runs and steps, how far its step error is, and how far torques are, in
# results and samples.
. "$SOURCE/tests/check.sh"
need_python
"$PYTHON" -c 'import os, pty; os.waitstatus_to_exitcode' 2>/dev/null ||
    skip "no Python of at least 3.9 with pty"

cat >arm.yaml <<'END'
manylink: 1
system: {type: chain, segments: [{name: a, length: 1, mass: 1}, {name: b, length: 1, mass: 1}]}
initial: {angle: 1}
time: {step: 1e-3, end: 1}
motion: {type: minimum_jerk, start: {angle: [0, 0]}, end: {angle: [1, 2]}, duration: 1}
sweep: [{set: system.segments.a.mass, from: 1, to: 3, count: 1000}]
END

# shows COMMAND ITEMS STEPS: runs COMMAND with 1000 ITEMS, then twice as many, until it takes long enough to
# print a line.
shows()
{
    count=1000
    : >screen
    until grep -q " left" screen; do
        [ $count -lt 10000000 ] || fail "$1 shows no line"
        "$PYTHON" -c 'import os, pty, sys; sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:])))' \
            "$MANYLINK" "$1" arm.yaml -o "$1.h5" --restart --threads 1 --set sweep.0.count=$count \
            >screen </dev/null || fail "$(cat screen)"
        count=$((2 * count))
    done
    rm "$1.h5"
    grep -q "% *[0-9]* of $((count / 2)) $2 .* $3/s .* left" screen || fail "$(cat screen)"
}
shows run runs steps
grep -q "step error  [0-9]* of [0-9]* runs again" screen || fail "no phase of the step error: $(cat screen)"
grep -q "statistics" screen || fail "no phase of statistics: $(cat screen)"
shows inverse results samples
