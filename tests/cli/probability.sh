# label: values
# Probabilities of failure of whole runs: four branches as formulas, an oscillator that passes a level, correlated and lognormal inputs, a
# sweep, against closed forms and quadratures; runs that end count as failed; the same bits for any number of threads.
. "$SOURCE/tests/check.sh"
need_python

cat >branch.yaml <<'END'
manylink: 1
system: {type: equations, kind: map, parameters: {x: 0, y: 0}, state: {a: 0, b: 0}, next: {a: 3 + (x - y)^2/10 - abs(x + y)/sqrt(2), b: 7/sqrt(2) - abs(x - y)}}
time: {steps: 1}
sample: {method: random, count: 1000, over: [{set: system.x, distribution: normal, mean: 0, sd: 1}, {set: system.y, distribution: normal, mean: 0, sd: 1}]}
require: {end_a: {above: 0}, end_b: {above: 0}}
END
cat >oscillator.yaml <<'END'
manylink: 1
system: {type: equations, parameters: {k: 25, c: 0.6}, state: {x: 0, v: 0}, rates: {x: v, v: 10 - k*x - c*v}}
time: {step: 0.001, end: 1.2}
sample: {method: random, count: 500, over: [{set: system.k, distribution: lognormal, mean: 25, cv: 0.1}, {set: system.c, distribution: normal, mean: 0.6, sd: 0.1, from: 0.01}]}
analyse: {observe: {peak: {max: x}}}
require: {peak: {below: 1}}
END
cat >ratio.yaml <<'END'
manylink: 1
system: {type: equations, kind: map, parameters: {r: 0, s: 0, m: 1}, state: {g: 0}, next: {g: log(m*r) - log(s)}}
time: {steps: 1}
sweep: [{name: margin, set: system.m, values: [1, 1.2]}]
sample:
  method: random
  count: 2000
  over:
    - {set: system.r, distribution: lognormal, mean: 20, cv: 0.15}
    - {set: system.s, scale_by: {distribution: lognormal, mean: 10, cv: 0.2}}
  correlation: [{between: [system.r, system.s], r: 0.4}]
require: {end_g: {above: 0}}
END
sed -i 's/r: 0, s: 0,/r: 20, s: 1,/' ratio.yaml
# Runs that end themselves have no number: half of the failures here.
cat >ends.yaml <<'END'
manylink: 1
system: {type: equations, parameters: {p: 1}, state: {x: 0}, rates: {x: 'sqrt(3.2 - p)'}}
time: {step: 0.25, end: 1}
sample: {method: random, count: 1000, over: [{set: system.p, distribution: normal, mean: 0, sd: 1}]}
require: {end_x: {above: 0.44721359549995793}}
END
# The first level has the points, and the noise, of `method: random`.
cat >noise.yaml <<'END'
manylink: 1
accuracy: off
system: {type: chain, segments: [{name: rod, length: 0.6, mass: 2}]}
forces: [{name: c, type: pid, joint: rod, target: 0.5, kp: 20, kd: 4, sample_time: 0.02, angle_noise: 0.02}]
time: {step: 1e-2, end: 1}
sample: {method: random, count: 200, over: [{set: system.segments.rod.mass, distribution: lognormal, mean: 2, cv: 0.2}]}
analyse: {tracking: {}}
require: {iae: {below: 0.178}, end_angle.rod: {above: 0.375, below: 0.41}}
END
expect 0 "$MANYLINK" run noise.yaml -q
"$PYTHON" "$SOURCE/tests/cli/probability.py" "$MANYLINK"

# Bad input.
cp branch.yaml bad.yaml
sed -i '/^require/d' bad.yaml
expect 2 "$MANYLINK" probability bad.yaml
says err 'bad.yaml: cannot find a probability of failure: the study has no requirement; add require:'
expect 2 "$MANYLINK" probability oscillator.yaml --set sample.count=90
says err '`sample.count`, the runs of a level or the draws, must be 100 or more'
expect 0 "$MANYLINK" probability oscillator.yaml --set sample.count=1 --method form
expect 2 "$MANYLINK" probability oscillator.yaml --method sorm
says err '--method sorm: one of subset, form, importance'
printf 'system.x,system.y\n0,1\n1,2\n' >points.csv
expect 2 "$MANYLINK" probability branch.yaml --set 'sample={file: points.csv}'
says err 'points of a `file` have no distributions'
sed '/^sample/d; /^require/d' branch.yaml >bad.yaml
expect 2 "$MANYLINK" probability bad.yaml
says err 'the study has no `sample` of distributions'
sed 's/{set: system.y, .*/{set: system.y, distribution: discrete, values: [0, 1]}]}/' branch.yaml >bad.yaml
expect 2 "$MANYLINK" probability bad.yaml --method importance
says err 'a discrete distribution has no gradient; use subset'
expect 0 "$MANYLINK" probability bad.yaml
expect 1 "$MANYLINK" probability branch.yaml --method form
says out 'probability of failure of end_a > 0: none found; 5 runs'
says out 'no gradient: differences are 0 around a point of the search'
expect 0 "$MANYLINK" probability branch.yaml --set 'require={end_a: {above: -1e9}}'
says out 'probability of failure of end_a > -1000000000: 0, 95 % interval 0 .. '
says out 'no run failed'
expect 0 "$MANYLINK" probability branch.yaml --set 'require={end_a: {above: 1e9}}'
says out 'all runs failed'

# A delay that follows from `define` may be longer than those of the points that the plan knows, from an eighth to twice of these.
cat >delay.yaml <<'END'
manylink: 1
define: {late: {value: 0.02, unit: s}}
system: {type: chain, segments: [{name: rod, length: 0.6, mass: 2}]}
forces: [{name: c, type: pid, joint: rod, target: 0.5, kp: 20, kd: 4, delay: late}]
time: {step: 5e-3, end: 1}
sample: {method: random, count: 100, over: [{set: define.late, distribution: triangular, from: 0.002, mode: 0.01, to: 0.08}]}
analyse: {tracking: {}}
require: {iae: {below: 0.4}}
END
expect 0 "$MANYLINK" probability delay.yaml
sed 's/distribution: triangular.*/distribution: lognormal, mean: 0.01, cv: 0.5, to: 0.5}]}/' delay.yaml >far.yaml
expect 2 "$MANYLINK" probability far.yaml --set require.iae.below=0.5
says err '`forces.c.delay` follows from `define` and is'
says err 'draw `forces.c.delay` itself in `over`'
