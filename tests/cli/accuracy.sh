# label: values
# `run` says what error the step leaves, and the result has the numbers: large ones are a warning;
# threads, processors and shards have no part in it, and the runs are the same with it and without.
. "$SOURCE/tests/check.sh"
need_python

cat >stiff.yaml <<'END'
manylink: 1
system: {type: chain, segments: [{name: a, length: 1, mass: 1}, {name: b, length: 1, mass: 1}]}
forces: [{name: l, type: joint_limit, joint: b, lower: -0.2, upper: 0.2, stiffness: 1e6, damping: 1}]
initial: {angle: {a: 2, b: 2}}
time: {step: 1e-3, end: 10}
END
expect 3 "$MANYLINK" run stiff.yaml --accuracy 1 -o stiff.h5
says err 'warning: large step error: 1 of 1 run ends otherwise with half the step'

# It follows the limit, and ends elsewhere than with a finer step: that is no chaos.
expect 0 "$MANYLINK" run stiff.yaml --accuracy 1 --set time.step=5e-4 -o stiff_small.h5
says err 'warning: large step error: '
grep -q 'end_angle [0-9.]* %' err || fail "no error of end_angle: $(cat err)"
expect 0 "$MANYLINK" run stiff.yaml --accuracy 1 --set time.step=1e-4 --no-native -o stiff_fine.h5
grep 'warning' err && fail "a warning at a step that is small enough"

# At rest a tolerance of the motion alone has long steps, too long for tangent vectors: their exponents are wrong.
cat >rest.yaml <<'END'
manylink: 1
system: {type: equations, state: {x: 1, v: 0}, rates: {x: v, v: -0.4*v - 4*x}}
integrator: {type: dop853, tolerance: 1e-12}
time: {end: 400}
sweep: [{set: initial.x, values: [1, 2]}]
analyse: {lyapunov: {exponents: all}}
END
expect 0 "$MANYLINK" run rest.yaml -o rest.h5
grep 'warning' err && fail "a warning at steps of tangent vectors"
expect 0 "$MANYLINK" run rest.yaml --set integrator.error_of=state -o rest.h5 --restart
says err 'warning: exponents of 2 of 2 runs do not add up to the mean trace'
says err 'leave `error_of` out'
expect 0 "$MANYLINK" run rest.yaml --set time.tick=0.5 -o stepped.h5
! grep 'mean trace' err || fail "a word about exponents that add up"

# The trace is integrated over the steps, not over ticks, at each of which it is the same here.
cat >seldom.yaml <<'END'
manylink: 1
system: {type: equations, state: {x: 0.1}, rates: {x: -x*(0.1 + sin(2*t)^2)}}
integrator: {type: dop853, tolerance: 1e-10, step_max: 0.05}
time: {end: 20*pi, tick: pi/2}
analyse: {lyapunov: {exponents: all}}
END
expect 0 "$MANYLINK" run seldom.yaml -o seldom.h5
! grep 'mean trace' err || fail "the trace at ticks alone"
expect 0 "$MANYLINK" run seldom.yaml --set time.tick=pi/50 -o often.h5
! grep 'mean trace' err || fail "a word about exponents that add up"

# A rate that is 0 at the end of a period is as good as the place.
cat >periods.yaml <<'END'
manylink: 1
define: {omega: 3, T: 2*pi/omega}
system: {type: equations, state: {x: 1, v: 0}, rates: {x: v, v: -omega^2*x}}
integrator: rk4
time: {step: T/200, steps: 400}
sweep: [{set: define.omega, values: [3, 6]}]
END
expect 0 "$MANYLINK" run periods.yaml -o periods.h5
says err 'step error: end_v 4.3e-07 (median of 2 runs); observed order 4.0'
expect 0 "$MANYLINK" info periods.h5
says out 'step error: end_x 2.6e-09, end_v 4.3e-07 (median of 2 runs); observed order 4.0'

cat >lorenz.yaml <<'END'
manylink: 1
system: {type: lorenz}
initial: {y: 1, z: 1}
time: {step: 1e-2, end: 1}
sweep: [{set: initial.x, from: 1, to: 4, count: 3600}]
END
expect 0 "$MANYLINK" run lorenz.yaml -o with.h5 --threads 1
says err '(median of 16 runs); observed order'
sed -n '/step error/p' err >first
expect 0 "$MANYLINK" run lorenz.yaml -o again.h5 --threads 2 --no-native
sed -n '/step error/p' err >second
cmp first second || fail "the verdict depends on threads"
expect 0 "$MANYLINK" run lorenz.yaml -o without.h5 --no-accuracy
grep 'step error' err && fail "a verdict that nobody wanted"
expect 0 "$MANYLINK" verify with.h5
same with.h5 again.h5
expect 0 "$MANYLINK" table with.h5
mv out runs_with
expect 0 "$MANYLINK" table without.h5
cmp runs_with out || fail "the runs are not the same with a verdict and without"

# A result has the errors of all its numbers.
expect 0 "$MANYLINK" info with.h5
grep -E '^step error: end_x .*, end_y .*, end_z .* \(median of 16 runs\); observed order' out || fail "$(cat out)"
expect 0 "$MANYLINK" info without.h5
grep 'step error' out && fail "info says what nobody found out"

# Readers open it, dimensions of the outputs and all.
cat >chain.yaml <<'END'
manylink: 1
system: {type: chain, segments: [{name: a, length: 1, mass: 1}, {name: b, length: 1, mass: 1}]}
time: {step: 1e-2, end: 1}
sweep: [{set: initial.angle.a, from: 0.1, to: 1, count: 10}]
analyse: {sensitivity: {to: [system.segments.a.mass]}}
accuracy: 5
END
expect 0 "$MANYLINK" run chain.yaml
for result in with chain; do
    "$PYTHON" "$SOURCE/tests/results/view_result.py" $result.h5 ||
        fail "$result.h5 does not open"
done

# What chaos does to the numbers of runs is no error of the step, and not in the median; a step that does more is.
cat >chaos.yaml <<'END'
manylink: 1
system: {type: chain, segments: [{name: a, length: 1, mass: 1}, {name: b, length: 1, mass: 1}]}
time: {step: 5e-3, end: 60}
sweep:
  - {set: initial.angle.a, from: 0.2, to: 3, count: 6}
  - {set: initial.angle.b, from: 0.2, to: 3, count: 6}
analyse: {lyapunov: {exponents: 1}}
accuracy: 36
END
expect 0 "$MANYLINK" run chaos.yaml
grep 'step error' err | wc -l | grep -qx ' *2' || fail "other than two lines: $(cat err)"
grep 'warning' err && fail "chaos passes for an error of the step"
says err 'are chaotic: their end state is not determined by this step, and a start displaced by 1e-7 changes lyapunov_max by'
cat >medians.py <<'END'
import re
import sys
import h5py
import numpy as np
text, file = sys.stdin.read(), h5py.File("chaos.h5")["study/accuracy"]
is_chaotic = file["chaotic"][()] == 1
assert f"(median of {np.sum(~is_chaotic)} regular runs)" in text and f"{np.sum(is_chaotic)} of 36 are" in text, text
largest = lambda values: np.abs(values).reshape(36, -1).max(axis=1)
for i, name in enumerate(file["quantity"].asstr()):
    if name not in ("max_rate", "end_angle", "end_rate", "lyapunov_max"):
        continue
    size = np.median(largest(file["finer"][name][()]))
    difference = largest(file["difference"][name][()])
    difference = np.fmax(difference, largest(file["finest"][name][()] - file["finer"][name][()]))
    relative = np.median(difference[~is_chaotic]) / size
    assert np.isclose(file["median_relative_difference"][i], relative, rtol=1e-12), name
moved = largest(file["displaced/lyapunov_max"][()] - file["finer/lyapunov_max"][()])[is_chaotic]
said = float(re.search(r"displaced by 1e-7 changes lyapunov_max by ([0-9.]+) %", text)[1])
assert abs(said - 100 * np.median(moved) / np.median(largest(file["finer/lyapunov_max"][()]))) < 0.06 * said, said
END
"$PYTHON" medians.py <err || fail "other medians than those of the runs: $(cat err)"
# The sum of all exponents is 0 but for rounding, and so is its size: the exponents' own counts.
expect 0 "$MANYLINK" run chaos.yaml -o sum.h5 --set analyse.lyapunov.exponents=4
says err 'are chaotic'
expect 0 "$MANYLINK" info sum.h5
sed -n '/^step error/,/^$/p' out >said
grep -q 'lyapunov_sum.*mean_trace' said || fail "sums are left out: $(cat said)"
! grep -E '(lyapunov_sum|mean_trace)( by)? [0-9.]+ %' said || fail "a sum that vanishes is judged by itself"

# A step that is too large shows in chaotic runs, too.
expect 0 "$MANYLINK" run chaos.yaml --set time.step=0.06 -o coarse.h5
says err 'warning: large step error: '
says err 'large step error: of chaotic runs half the step changes lyapunov_max by '
says err ', by far more than a displaced start does'

# Every shard computes its share, and together they are one run.
for index in 0 1 2; do
    expect 0 "$MANYLINK" run lorenz.yaml -o shard$index.h5 --shard $index/3
    says err 'step error: '
    expect 0 "$MANYLINK" verify shard$index.h5
done
expect 0 "$MANYLINK" merge -o merged.h5 shard2.h5 shard0.h5 shard1.h5
same with.h5 merged.h5
expect 0 "$MANYLINK" verify merged.h5
expect 3 "$MANYLINK" merge --partial -o partial.h5 shard0.h5 shard1.h5
expect 0 "$MANYLINK" merge --partial -o partial.h5 shard2.h5
same with.h5 partial.h5

# The study says how many; the command line comes first.
{ cat lorenz.yaml; echo 'accuracy: off'; } >off.yaml
{ cat lorenz.yaml; echo 'accuracy: 5'; } >five.yaml
expect 0 "$MANYLINK" run off.yaml
grep 'step error' err && fail "a verdict although the study wants none"
expect 0 "$MANYLINK" run off.yaml -o asked.h5 --accuracy 5
says err '(median of 5 runs)'
expect 0 "$MANYLINK" run five.yaml
says err '(median of 5 runs)'
expect 0 "$MANYLINK" verify five.h5
expect 0 "$MANYLINK" run lorenz.yaml -o tolerance.h5 --set 'time={tick: 1e-2, end: 1}' --set 'integrator={type: dopri54, tolerance: 1e-6}'
says err 'observed exponent'
expect 2 "$MANYLINK" run lorenz.yaml --accuracy 3 --no-accuracy
expect 2 "$MANYLINK" run lorenz.yaml --accuracy 0

# A small study tells its error too, behind the numbers, and keeps it; and its energy that nothing takes.
cat >small.yaml <<'END'
manylink: 1
system: {type: chain, segments: [{name: a, length: 1, mass: 1}]}
initial: {angle: 2}
time: {step: 0.5, end: 20}
END
expect 0 "$MANYLINK" run small.yaml
says err 'warning: large step error: max_rate '
says err 'warning: the energy drifts, by 142 %, though nothing takes or adds any: take a smaller step'
"$MANYLINK" run small.yaml --restart >both 2>&1
[ "$(tail -1 both | cut -c1-31)" = "manylink: warning: the energy d" ] || fail "before the numbers: $(cat both)"
expect 0 "$MANYLINK" run small.yaml -o small_without.h5 --no-accuracy
! grep 'step error' err || fail "a verdict that nobody wanted"
says err 'warning: the energy drifts'
expect 0 "$MANYLINK" info small.h5
says out 'large step error: max_rate '
expect 0 "$MANYLINK" info small_without.h5
! grep 'step error' out || fail "an error that nobody wanted"
expect 0 "$MANYLINK" verify small.h5
expect 0 "$MANYLINK" run small.yaml -o small_fine.h5 --set time.step=0.01
says err 'manylink: step error: max_rate '
! grep 'warning' err || fail "a warning at a step that is small enough"
# Duffing's oscillator keeps its energy without damping and drive, in every run.
printf 'manylink: 1\nsystem: {type: duffing, delta: 0, gamma: 0}\ninitial: {x: 2}\nintegrator: {type: heun}\n' >well.yaml
printf 'time: {step: 0.05, end: 40}\n' >>well.yaml
expect 0 "$MANYLINK" run well.yaml
says err 'warning: the energy drifts'
for driven in system.gamma=0.1 system.delta=0.01 'sweep=[{set: system.gamma, from: 0, to: 0.1, count: 2}]'; do
    expect 0 "$MANYLINK" run well.yaml -o driven.h5 --restart --set "$driven"
    ! grep 'the energy' err || fail "with $driven: $(cat err)"
done
# Friction takes energy, and a study of many steps is not computed again.
expect 0 "$MANYLINK" run small.yaml -o damped.h5 --set time.step=0.01 \
    --set 'forces=[{name: d, type: damper, joint: a, coefficient: 1}]'
! grep 'energy drifts' err || fail "what friction takes is told"
expect 0 "$MANYLINK" run small.yaml -o long.h5 --set time.step=2e-5
! grep 'step error' err || fail "a long run is computed again"

# The cause of a warning comes first.
cat >some.yaml <<'END'
manylink: 1
system: {type: chain, segments: [{name: a, length: 1, mass: 1}]}
initial: {angle: 2}
forces: [{name: d, type: damper, joint: a, coefficient: 0.1}]
time: {step: 0.02, end: 1}
sweep: [{set: forces.d.coefficient, values: [0.1, 0.2, 0.3, 70]}]
END
expect 3 "$MANYLINK" run some.yaml
says err 'manylink: warning: large step error: 1 of 4 runs ends otherwise with half the step; end_rate '

# Derivatives of the integral of t |e| by given steps jump at zeros of e: the error is that of looking, not of the steps.
cat >itae.yaml <<'END2'
manylink: 1
system: {type: chain, segments: [{name: rod, length: 0.6, mass: 2}]}
forces: [{name: c, type: pid, joint: rod, target: 1, kp: 40, ki: 30, kd: 2.5}]
integrator: rk4
time: {step: 1e-3, end: 6}
analyse:
  observe: {itae: {integral: "t*abs(control_error.rod)"}}
  sensitivity: {of: observe, to: [forces.c.kp, forces.c.ki, forces.c.kd, system.segments.rod.mass]}
END2
# A count that looking finds, of all 477; the number of runs that choose their steps is small, too.
cat >count.yaml <<'END2'
manylink: 1
system: {type: equations, parameters: {w: 50}, state: {a: 0}, rates: {a: w}}
events: [{name: mark, when: sin(a), crosses: 0, direction: up, max: 8}]
integrator: {type: tp86, tolerance: 1e-8}
time: {end: 60}
END2
expect 0 "$MANYLINK" run count.yaml
! grep -E '(count| 0 s| 0[,;]) ' err || fail "an error of 0: $(cat err)"
expect 0 "$MANYLINK" info count.h5
says out '; unchanged: mark_count'
expect 0 "$MANYLINK" table count.h5 --columns mark_count
says out 477
expect 0 "$MANYLINK" run count.yaml -o levels.h5 --no-accuracy --set events.mark.when=a --set 'events.mark.every=2*pi'
expect 0 "$MANYLINK" table levels.h5 --columns mark_count
says out 477
expect 0 "$MANYLINK" verify count.h5
# A force that a tolerance steps over, with a tenth of it as well; not with half of the mean step.
cat >pulse.yaml <<'END2'
manylink: 1
system: {type: equations, state: {x: 0, v: 0}, rates: {x: v, v: "-x - v + exp(-((t - 5)/0.01)^2)"}}
integrator: {type: tp86, tolerance: 1e-9}
time: {end: 10}
save: {summary: [end_state]}
END2
expect 0 "$MANYLINK" run pulse.yaml
says err 'warning: large step error: end_x 100 %'
expect 0 "$MANYLINK" run pulse.yaml -o seen.h5 --set integrator.step_max=0.005
! grep warning err || fail "a warning where the force is seen"
# Nothing is left at rest, which is no error.
printf 'manylink: 1\nsystem: {type: equations, state: {x: 1}, rates: {x: -x}}\n' >ends.yaml
printf 'integrator: {type: dop853, tolerance: 1e-9}\ntime: {end: 400}\n' >>ends.yaml
expect 0 "$MANYLINK" run ends.yaml
! grep warning err || fail "a warning at rest"
# Runs that take too many steps to be computed again are left out.
expect 0 "$MANYLINK" run ends.yaml -o dear.h5 --set integrator.step_max=1e-3 --set integrator.max_steps=1000000
! grep 'step error' err || fail "a long run is computed again"

expect 0 "$MANYLINK" run itae.yaml
expect 0 "$MANYLINK" run itae.yaml -o right.h5 --no-accuracy --set 'integrator={type: dop853, tolerance: 1e-12}' --set 'time={end: 6}'
cat >told.py <<'END2'
import h5py
import numpy as np
own, right = (h5py.File(name)["study"] for name in ("itae.h5", "right.h5"))
for name in ("itae", "sensitivity", "max_rate", "end_angle"):
    told = max(np.abs(own["accuracy/difference"][name][()]).max(),
               np.abs(own["accuracy/finest"][name][()] - own["accuracy/finer"][name][()]).max())
    error = np.abs(own["summary"][name][()] - right["summary"][name][()]).max()
    assert error / 10 < told < 10 * error, (name, told, error)
END2
"$PYTHON" told.py || fail "told errors are not those of looking"
