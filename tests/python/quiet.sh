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

# The fit of a study whose step is long, which a note says.
printf 'time,x\n0,1\n0.5,0.6\n1,0.4\n' >few.csv
cat >few.yaml <<'END'
manylink: 1
system: {type: equations, parameters: {k: 1}, state: {x: 1, y: 0}, rates: {x: -k*x, y: -40*y}}
time: {step: 0.1, end: 1}
sample: {method: sobol, count: 4, over: [{set: system.k, from: 0.1, to: 3}]}
fit: {to: few.csv, columns: {x: x}}
END
expect 0 "$PYTHON" -W ignore -c 'import manylink
manylink.fit("few.yaml")'
[ -s err ] || fail "no note of the step"
expect 0 "$PYTHON" -W ignore -c 'import manylink
manylink.fit("few.yaml", quiet=True)'
[ ! -s err ] && [ ! -s out ] || fail "not quiet: $(cat out err)"
