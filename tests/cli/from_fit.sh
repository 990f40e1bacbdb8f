# label: values
# Samples of a fit's estimates: mean and covariance of the drawn numbers against those of the file, of numbers, logarithms, factors and
# ranges of several keys; a linear output against the closed form; resolved texts; files that are no fit; numbers that cannot be drawn.
. "$SOURCE/tests/check.sh"
need_python

cat >fit.yaml <<'END'
manylink: 1
system: {type: equations, parameters: {a: 1, b: 2, c: -0.5, d: 1, e: 1}, state: {x: 0, y: 0}, rates: {x: 1, y: a - 1 + b*x + (c + 0.5)*d*e}}
quantities: {level: a + b*x + c*x^2 + 0.1*x^3*(d + e)}
time: {step: 0.125, end: 4}
sample:
  method: sobol
  count: 1
  over:
    - {set: system.a, from: -9, to: 9}
    - {set: system.b, from: 0.1, to: 9, scale: log}
    - {set: system.c, scale_by: {from: -2, to: 4}}
    - {set: [system.d, system.e], from: -9, to: 9}
    - {set: initial.y, from: -9, to: 9}
fit: {experiments: [{name: one, to: data.csv}], own: [initial.y], columns: {level: z, y: y}, sd: 0.05}
END
cat >later.yaml <<'END'
manylink: 1
system: {type: equations, parameters: {a: 1, b: 2, c: -0.5, d: 0, e: 0, w: 1}, state: {x: 0}, rates: {x: 0}}
quantities: {line: w + a + 3*d - e}
time: {step: 0.5, end: 1}
analyse: {observe: {line: {at_end: line}}}
sample: {from_fit: fit.h5, method: sobol, count: 2048, over: [{set: system.w, from: -1, to: 1}]}
END
"$PYTHON" "$SOURCE/tests/cli/from_fit.py" "$MANYLINK" # which makes fit.h5, small.h5, held.h5, lacking.h5

# refused TEXT OPTION...: what cannot be drawn
refused()
{
    text=$1
    shift
    expect 2 "$MANYLINK" run later.yaml -o wrong.h5 "$@"
    says err "$text"
    [ ! -e wrong.h5 ] || fail "a result of what was refused"
}
refused 'cannot read the fit: ' --set sample.from_fit=none.h5
refused '`later.yaml` is no result of a fit; give a file that `manylink fit` has written' --set sample.from_fit=later.yaml
refused '`later.h5` is no result of a fit' --set sample.from_fit=later.h5
refused 'the fit `lacking.h5` lacks the covariance of its estimates' --set sample.from_fit=lacking.h5
refused '`system.a` has no error in the fit `held.h5`, as a number at its bound has none' --set sample.from_fit=held.h5
refused 'leave_out has a name that the fit `fit.h5` lacks; it has `system.a`, ...' --set sample.leave_out=[system.v]
refused 'no number of the fit `small.h5` is left' --set sample.from_fit=small.h5 --set sample.leave_out=[system.a]
refused 'key `file` excludes `from_fit`' --set sample.file=data.csv
refused '`system.a` is already swept, in' --set 'sample.over[0]={set: system.a, from: 0, to: 1}'
refused 'a matrix of correlations has no rows for the numbers of the fit' --set sample.correlation=[[1]]
sed 's/from_fit: fit.h5/leave_out: [system.b]/' later.yaml >other.yaml
expect 2 "$MANYLINK" run other.yaml -o wrong.h5
says err 'other.yaml:6:10: leave_out names numbers of a fit; add `from_fit`, or leave `leave_out` out'
sed 's/c: -0.5, d: 0, e: 0, w: 1/c: -0.5, d: 0, w: 1/; s/ - e}/}/' later.yaml >other.yaml
expect 2 "$MANYLINK" run other.yaml -o wrong.h5
says err 'other.yaml:6:20: `system.e` of the fit `fit.h5` is no number of this study; name it in `leave_out`, or give the study'

# A number whose errors reach beyond what its key takes is refused as any distribution.
cat >mass.yaml <<'END'
manylink: 1
system: {type: chain, segments: [{name: a, length: 1, mass: 1}]}
initial: {angle.a: 1}
time: {step: 1e-2, end: 1}
sample: {from_fit: mass.h5, method: sobol, count: 64}
END
expect 2 "$MANYLINK" run mass.yaml -o wrong.h5
says err 'mass.yaml:5:20: 0.0'
says err 'of the drawn numbers of `system.segments.a.mass` are not allowed: it must be > 0 and <= 1e+09; fit the number with `scale: log`, or name it in `leave_out` and give a range of its own in `over`'
