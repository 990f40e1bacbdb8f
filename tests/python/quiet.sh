# A call that is quiet prints nothing, and a function may take the progress.
. "$SOURCE/tests/check.sh"
use_package
cat >study.yaml <<'END'
manylink: 1
system: {type: chain, segments: [{length: 1, mass: 1}]}
initial: {angle: 1}
time: {step: 1e-2, end: 1}
sweep: [{set: initial.rate.1, from: 0, to: 1, count: 12}]
END
expect 0 "$PYTHON" -c 'import manylink
manylink.run("study.yaml", output=None)'
says err "step error"
expect 0 "$PYTHON" -c 'import manylink
seen = []
manylink.run("study.yaml", output=None, quiet=True, progress=lambda *now: seen.append(now))
assert seen[-1][:2] == (12, 12) and seen[-1][2] > 0, seen
manylink.run("study.yaml", output=None, quiet=True)'
[ ! -s err ] && [ ! -s out ] || fail "not quiet: $(cat out err)"
