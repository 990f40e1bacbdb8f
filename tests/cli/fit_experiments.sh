# label: values
# One fit of three experiments, with common numbers, numbers that an experiment sets and a number of each, against scipy's least
# squares of the closed form; of one experiment the bits of the fit without `experiments`; any number of threads; bad input.
. "$SOURCE/tests/check.sh"
need_python

cat >joint.yaml <<'END'
manylink: 1
system: {type: equations, parameters: {k: 22, c: 1, f: 25}, state: {x: 0, v: 0}, rates: {x: v, v: f - k*x - c*v}}
time: {step: 0.00125, end: 4}
sample:
  method: sobol
  count: 4
  over:
    - {set: system.k, from: 5, to: 60, scale: log}
    - {set: initial.x, from: -1, to: 2}
    - {set: system.c, from: 0.05, to: 4}
fit:
  experiments:
    - {name: rest, to: rest.csv}
    - {name: push, to: push.csv, set: {system.f: 40, initial.x: 0.4}, leave_out: [v]}
    - {name: free, to: free.csv, set: {system.f: 0, initial.v: -2}}
  own: [initial.x]
  columns: {x: x, v: v}
  sd: {x: 0.01, v: 0.05}
END
"$PYTHON" "$SOURCE/tests/cli/fit_experiments.py" "$MANYLINK"

expect 2 "$MANYLINK" fit joint.yaml --set 'fit.experiments[1].leave_out=[]'
says err "push.csv:1:"
says err 'an experiment without the number names it in `leave_out`'
expect 2 "$MANYLINK" fit joint.yaml --set fit.own=[]
says err "\`initial.x\` is a common number of the fit, in line 9, column 13, and set by an experiment"
expect 2 "$MANYLINK" fit joint.yaml --set 'fit.experiments[2].name=push'
says err 'name `push` is used twice'
expect 2 "$MANYLINK" fit joint.yaml --set 'fit.experiments[2].set={system.g: 1}'
says err '`system.g` is not a number of this study'
expect 2 "$MANYLINK" fit joint.yaml -o push.csv
says err "the file is the table of the study's"
# A number that an experiment sets for its first start is in the range; names of columns are named once, and those that a table
# lacks by the experiment.
expect 2 "$MANYLINK" fit joint.yaml --set 'fit.experiments[1].set={initial.x: 44}'
says err 'initial.x is 44, but the first start has it and its range is from -1 to 2, in line 9, column 13'
expect 2 "$MANYLINK" fit joint.yaml --set 'fit.experiments[1].leave_out=[v, v]'
says err 'name `v` is used twice'
expect 2 "$MANYLINK" fit joint.yaml --set fit.experiments=3
[ "$(grep -c 'own names' err)" = 0 ] || fail "a list that is a number is told twice: $(cat err)"
awk -F , -v OFS=, 'NR > 1 { $2 = "nan" } { print }' free.csv >empty.csv
expect 2 "$MANYLINK" fit joint.yaml --set 'fit.experiments[2].to=empty.csv'
says err 'has no number; give its name to `leave_out` of the experiment'
