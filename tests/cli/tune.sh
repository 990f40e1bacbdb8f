# Tuned numbers against closed forms and SciPy: Rosenbrock's function in a disk and in a box, the damping of a loop of second order with the
# least ITAE, the worst, mean and quantile of three runs; runs without the cost; the bits of `run --set`, for any number of threads.
. "$SOURCE/tests/check.sh"
need_python

cat >rosenbrock.yaml <<'END'
manylink: 1
system: {type: equations, kind: map, parameters: {x: -1, y: 0.5}, state: {f: 0, g: 0}, next: {f: (1 - x)^2 + 100*(y - x^2)^2, g: x^2 + y^2}}
time: {steps: 1}
tune:
  vary: [{set: system.x, from: -2, to: 2}, {set: system.y, from: -2, to: 2}]
  minimise: end_f
  require: {end_g: {below: 1}}
END
cat >second_order.yaml <<'END'
manylink: 1
accuracy: off
system: {type: equations, parameters: {c: 0.6}, state: {x: 0, v: 0}, rates: {x: v, v: 1 - x - c*v}}
integrator: {type: dop853, tolerance: 1e-10}
time: {end: 20}
analyse: {observe: {itae: {integral: t*abs(1 - x)}}}
tune: {vary: [{set: system.c, from: 0.2, to: 4, scale: log}], minimise: itae, starts: 1}
END
cat >three.yaml <<'END'
manylink: 1
system: {type: equations, kind: map, parameters: {x: 4, z: 1, p: 0}, state: {f: 0}, next: {f: (x - p)^2 + (z - x)^2}}
time: {steps: 1}
sweep: [{set: system.p, values: [0, 1, 5]}]
tune: {vary: [{set: [system.x, system.z], from: 0.01, to: 10, scale: log}], minimise: end_f}
END
# x(1) has no number beyond p = 1, and a run ends the earlier the larger p is.
cat >ends.yaml <<'END'
manylink: 1
accuracy: off
system: {type: equations, parameters: {p: 1500}, state: {x: 0, s: 1, c: 0}, rates: {x: 'sqrt(s)', s: -p, c: p}}
time: {step: 1/4096, end: 1}
tune: {vary: [{set: system.p, from: 0.01, to: 2000}], minimise: end_x + end_c, starts: 1, points: 1000}
END
cat >arm.yaml <<'END'
manylink: 1
accuracy: off
define: {strength: {value: 0.2, unit: 1}}
system: {type: chain, segments: [{name: rod, length: 1, mass: 1}]}
forces: [{name: hold, type: pid, joint: rod, target: 1, kp: 30, ki: 3, kd: 2, limit: 1000*strength}]
time: {step: 1e-2, end: 2}
sample: {method: random, count: 8, over: [{set: system.segments.rod.mass, distribution: lognormal, mean: 1, cv: 0.2}]}
analyse: {tracking: {}, effort: {}}
require: {overshoot: {below: 0.1}, peak_torque: {below: 200}}
tune:
  vary: [{set: forces.hold.kp, from: 10, to: 300, scale: log}, {set: forces.hold.kd, from: 1, to: 30, scale: log}]
  minimise: iae + 1e-3*rms_torque
  over: mean
  points: 600
END
"$PYTHON" "$SOURCE/tests/cli/tune.py" "$MANYLINK"

# How the search ends.
expect 0 "$MANYLINK" tune rosenbrock.yaml
says out 'requirement end_g < 1: met, '
says out 'converged: points differ by '
says out 'of 8 starts met this minimum'
expect 0 "$MANYLINK" tune rosenbrock.yaml --set tune.points=300
says out 'stopped at the limit of points: points differ by '
expect 0 "$MANYLINK" tune rosenbrock.yaml --set tune.vary.0.to=0.7
says out '`system.x` is at its bound 0.7: a wider range may have a lower cost'
expect 0 "$MANYLINK" tune rosenbrock.yaml
! grep -q "neither the cost" out || fail "a number that counts is called idle"
sed 's/parameters: {x/parameters: {w: 1, x/; s/vary: \[/vary: [{set: system.w, from: 0, to: 2}, /' rosenbrock.yaml >idle.yaml
expect 0 "$MANYLINK" tune idle.yaml
says out 'neither the cost nor a requirement changes with `system.w`, at both ends of its range and between'
[ "$(grep -c "neither the cost" out)" = 1 ] || fail "more than one idle number"
expect 1 "$MANYLINK" tune rosenbrock.yaml --set tune.require.end_g.below=-1
says out 'requirement end_g < -1: not met, '
says out 'no point meets all requirements: these numbers are nearest'
expect 2 "$MANYLINK" tune ends.yaml --set tune.vary.0.from=2
says err 'ends.yaml: cannot tune: at none of '
says err 'points the runs have the cost and all required numbers'

# The other commands take the study's own numbers, and the resolved text has the key.
expect 0 "$MANYLINK" run rosenbrock.yaml -q
expect 0 "$MANYLINK" info rosenbrock.h5

sed '/^tune/,$d' rosenbrock.yaml >bad.yaml
expect 2 "$MANYLINK" tune bad.yaml
says err 'bad.yaml: cannot tune: the study has no `tune`; add tune:'

# A range of several keys: the study's own numbers are a point of it only where they are equal.
expect 0 "$MANYLINK" tune three.yaml
! grep -q "own numbers" out || fail "own numbers that differ are no point: $(cat out)"
expect 0 "$MANYLINK" tune three.yaml --set system.z=4
says out ", with the study's own numbers 16"
expect 0 "$MANYLINK" tune rosenbrock.yaml --set system.x=1 --set system.y=1
says out "the study's own numbers do not meet the requirements"
