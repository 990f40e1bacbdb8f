# label: values
# Runs that go on from each other: hysteresis of a driven Duffing oscillator is that of a plain loop by
# another method, jumps where the amplitude equation has its folds, and no number of threads, shard,
# instruction set, interruption or neighbour changes a bit; what computes runs one by one walks there or
# says that it cannot.
. "$SOURCE/tests/check.sh"
need_python

cat >study.yaml <<'END'
manylink: 1
system: {type: duffing, alpha: 1, beta: 0.1, omega: 1.5}
time: {end: 40*2*pi/1.5, tick: 40*2*pi/1.5}
integrator: {type: tp86, tolerance: 1e-12}
sweep:
  - {set: system.delta, values: [0.1, 0.2]}
  - {set: system.gamma, from: 0.1, to: 2.5, count: 13, continue: both}
save: {summary: [end_state]}
END
expect 0 "$MANYLINK" plan study.yaml
says out "lines     2 of 26 runs that start from each other's ends"
expect 0 "$MANYLINK" run study.yaml -o study.h5
expect 0 "$MANYLINK" verify study.h5 --runs 20 # a line is the least
says out "26 of 52 runs computed again"
sed 's/time: .*/time: {end: 40*2*pi\/1.5, steps: 12800}/; s/^integrator.*//' study.yaml >steps.yaml
expect 0 "$MANYLINK" run steps.yaml -o steps.h5

# One way alone: there it is the same, and back from an end of its own.
sed 's/both/forward/' study.yaml >forward.yaml
sed 's/both/backward/' study.yaml >backward.yaml
sed 's/from: 0.1, to: 2.5/from: 2.5, to: 0.1/; s/both/forward/' study.yaml >descending.yaml
for way in forward backward descending; do
    expect 0 "$MANYLINK" run $way.yaml -o $way.h5
done
expect 0 "$MANYLINK" run forward.yaml --set sweep.1.continue=none -o apart.h5
expect 0 "$MANYLINK" run study.yaml --set system.gamma=1 -o fixed.h5 # no axis is left to walk

# Runs by themselves, on both ways; and one that begins by its own numbers where the one before ended.
expect 0 "$MANYLINK" run study.yaml --run 7 -o there.h5
expect 0 "$MANYLINK" run study.yaml --pick system.delta=0.2,direction=-1,system.gamma=1.5 -o back.h5
expect 0 "$MANYLINK" verify back.h5
"$PYTHON" - >start <<'END'
import h5py
s = h5py.File("study.h5")["study/summary"]
print(f"--set initial.x={float(s['end_x'][0, 0, 6])!r} --set initial.v={float(s['end_v'][0, 0, 6])!r}")
END
# shellcheck disable=SC2046 # words
expect 0 "$MANYLINK" run study.yaml --set system.delta=0.1 --set system.gamma=1.5 $(cat start) -o given.h5

# Many lines, with what else runs have: trajectories, events that end them, tangent vectors, failures.
cat >lines.yaml <<'END'
manylink: 1
system: {type: duffing, alpha: 1, beta: 0.1, omega: 0.8}
time: {steps: 1000, end: 25*pi}
sweep:
  - {set: system.delta, from: 0.05, to: 0.3, count: 45}
  - {set: initial.x, values: [0, 1]}
  - {set: system.gamma, from: 0.05, to: 1.2, count: 11, continue: both}
events:
  - {name: out, when: x, crosses: 1.5, direction: up, from: 40, stop: true}
  - {name: peak, of: x, kind: maximum, max: 3, keep: [x]}
save: {trajectory: {every: 100, runs: {every: 7}}}
END
sed '/name: out/d; s/beta: 0.1/beta: -0.15/; s/to: 1.2/to: 0.4/; s/^save.*/analyse: {lyapunov: {exponents: all}}/' lines.yaml >fails.yaml
sed 's/beta: 0.1/beta: -0.15/; s/to: 1.2/to: 0.4/; s/^time.*/time: {tick: pi, end: 25*pi}\nintegrator: {type: dopri54, tolerance: 1e-8}/; /name: out/d; /peak/d; s/events.*//' \
    lines.yaml >chosen.yaml
for name in lines fails chosen; do
    ends=3
    [ $name != lines ] || ends=0
    expect $ends "$MANYLINK" run $name.yaml --threads 2 -o $name.h5
    [ $name = lines ] || says out "impossible_start"
    [ $name = lines ] || says out "diverged"
    expect 0 "$MANYLINK" verify $name.h5 --runs 1980
    says out "1980 of 1980 runs computed again"
    expect $ends "$MANYLINK" run $name.yaml --threads 1 --kernel general -o other.h5
    same $name.h5 other.h5
    for isa in $(instruction_sets); do
        expect $ends env MANYLINK_ISA="$isa" "$MANYLINK" run $name.yaml --restart -o other.h5
        same $name.h5 other.h5
    done
    for shard in 0 1 2; do
        "$MANYLINK" run $name.yaml --shard $shard/3 >out 2>&1 || [ $? = 3 ] || fail "$(cat out)"
    done
    expect $ends "$MANYLINK" merge $name.shard-* -o merged.h5
    same $name.h5 merged.h5
    rm merged.h5 other.h5
done

# Other systems: a run by itself begins where the one before it ended, and goes on as in the study.
cat >chain.yaml <<'END'
manylink: 1
system: {type: chain, angles: joint, zero: right, segments: [{name: a, length: 1, mass: 1}, {name: b, length: 0.7, mass: 2}]}
forces:
  - {name: brake, type: damper, joint: b, coefficient: 0.5}
  - {name: hold, type: pid, joint: a, kp: 200, ki: 30, kd: 20, target: 0.5}
integrator: {type: rk4, summation: compensated}
time: {step: 2e-3, end: 1}
sweep:
  - {set: forces.hold.target, from: 0, to: 1, count: 5, continue: both}
analyse: {lyapunov: {exponents: 1, transient: 0}}
END
cat >roessler.yaml <<'END'
manylink: 1
system: {type: roessler, a: 0.1, b: 0.1}
time: {end: 20, tick: 5}
integrator: {type: tp86, tolerance: 1e-9}
sweep:
  - {set: system.c, from: 18, to: 4, count: 5, continue: both}
events: [{name: peak, of: x, max: 4, keep: [state]}]
save: {trajectory: {every: 1}} # as --run: steps by tolerance meet what is kept
END
cat >energy.yaml <<'END'
manylink: 1
system: {type: duffing, gamma: 0, delta: 0}
initial: {x: 0.1, energy: 0.1}
time: {step: 1e-2, end: 10}
sweep:
  - {set: system.beta, from: 0.5, to: 1, count: 5, continue: both}
END
for name in chain roessler energy; do
    expect 0 "$MANYLINK" run $name.yaml -o $name.h5
    expect 0 "$MANYLINK" verify $name.h5
    says out "10 of 10 runs computed again"
    for run in 4 9; do
        expect 0 "$MANYLINK" run $name.yaml --run $run -o $name-$run.h5
    done
done

expect 0 "$MANYLINK" evaluate chain.yaml --run 4
mv out evaluated

# Along the frequency of a drive, in time of its phase; where the phase jumps that is told.
"$PYTHON" - >frequency.yaml <<'END'
values = ", ".join(f"[{0.1 / w}, {1 / w**2}, {0.1 / w**2}, {0.6 / w**2}]" for w in (0.8 + 0.02 * k for k in range(61)))
print(f"""manylink: 1
system: {{type: duffing, omega: 1}}
time: {{step: 2*pi/64, end: 100*2*pi}}
sweep:
  - set: [system.delta, system.alpha, system.beta, system.gamma]
    name: frequency
    values: [{values}]
    continue: both
events: [{{name: peak, of: x, kind: maximum, from: 98.5*2*pi, max: 1, keep: [x]}}]""")
END
expect 0 "$MANYLINK" run frequency.yaml -o frequency.h5
! grep -q "phase" err || fail "a notice where the phase goes on"
cat >jumps.yaml <<'END'
manylink: 1
system: {type: duffing, alpha: 1, beta: 0.1, delta: 0.1, gamma: 0.6}
time: {step: 0.05, end: 400}
sweep: [{set: system.omega, from: 0.8, to: 2, count: 61, continue: both}]
END
expect 0 "$MANYLINK" plan jumps.yaml
says err "the phase of the drive jumps from run to run"

# Interrupted and killed.
sed 's/steps: 1000/steps: 200/' lines.yaml >long.yaml
stops long.h5 "$MANYLINK" run long.yaml --threads 1
hold long.h5 "$MANYLINK" run long.yaml --threads 1
kill_held
expect 0 "$MANYLINK" run long.yaml --threads 2
says out "continued from"
expect 0 "$MANYLINK" run long.yaml -o undisturbed.h5
same long.h5 undisturbed.h5

# What computes runs one by one.
expect 2 "$MANYLINK" compare study.yaml
says err "runs of a \`continue\` axis start from each other's ends; give the last axis"
expect 2 "$MANYLINK" run study.yaml --accuracy 4 -o never.h5
says err "cannot recompute single runs: runs of a \`continue\` axis"
[ ! -e never.h5 ] || fail "a result after a refusal"
expect 2 "$MANYLINK" report study.h5 --motions 4
says err "cannot recompute motions of single runs: runs of a \`continue\` axis"
expect 2 "$MANYLINK" run fails.yaml --run 7 -o never.h5
says err "which did not finish"

"$PYTHON" - <<'END'
import math

import h5py
import numpy
from scipy.integrate import ode


def summary(name):
    return h5py.File(f"{name}.h5")["study/summary"]


def states(name):
    return numpy.stack([summary(name)["end_x"][...], summary(name)["end_v"][...]], axis=-1)


def loop(delta, gammas, state):
    """A plain walk over the drive, by Hairer's DOP853."""
    out = []
    for gamma in gammas:
        walk = ode(lambda t, x: [x[1], gamma * math.cos(1.5 * t) - delta * x[1] - x[0] - 0.1 * x[0] ** 3])
        walk.set_integrator("dop853", rtol=1e-12, atol=1e-12, nsteps=100000)
        state = walk.set_initial_value(state).integrate(40 * 2 * numpy.pi / 1.5)
        assert walk.successful()
        out.append(state)
    return numpy.array(out)


def folds(delta):
    """Drives at which the response A of the amplitude equation jumps up and down (Nayfeh and Mook, Nonlinear
    Oscillations, section 4.1): gamma^2 = ((1 - omega^2 + 3 beta A^2 / 4)^2 + (delta omega)^2) A^2."""
    square = numpy.linspace(0, 40, 400001)
    drive = numpy.sqrt(((1 - 2.25 + 0.075 * square) ** 2 + (1.5 * delta) ** 2) * square)
    turns = numpy.nonzero(numpy.diff(numpy.sign(numpy.diff(drive))))[0] + 1
    return drive[turns]


gammas = numpy.linspace(0.1, 2.5, 13)
found = states("study")
assert found.shape == (2, 2, 13, 2), found.shape
assert (summary("study")["direction"][...] == [1, -1]).all()
worst = worst_steps = 0.0
for line, delta in enumerate((0.1, 0.2)):
    walked = loop(delta, numpy.concatenate([gammas, gammas[::-1]]), [0.0, 0.0])
    expected = numpy.stack([walked[:13], walked[13:][::-1]])
    worst = max(worst, abs(found[line] - expected).max())
    worst_steps = max(worst_steps, abs(states("steps")[line] - expected).max())
    up, down = folds(delta)
    radius = numpy.hypot(found[line, :, :, 0], found[line, :, :, 1] / 1.5)
    for way, fold in ((0, up), (1, down)):
        jump = numpy.nonzero(numpy.diff(radius[way]) > 1)[0]
        assert len(jump) == 1, (delta, way, radius[way])
        assert gammas[jump[0]] - 0.02 < fold < gammas[jump[0] + 1] + 0.02, (delta, way, fold, gammas[jump[0]])
print(f"largest difference from a loop by DOP853: {worst:.2g}, with given steps {worst_steps:.2g}")
assert worst < 1e-9 and worst_steps < 1e-6


def same(a, b):
    assert a.tobytes() == b.tobytes(), (a, b)


same(states("forward"), found[:, 0])
same(states("descending")[:, ::-1].copy(), states("backward"))
assert states("backward")[0, 2].tobytes() != states("forward")[0, 2].tobytes()
same(states("apart")[:, 0], found[:, 0, 0])
assert abs(states("apart")[:, 1:] - found[:, 0, 1:]).min(axis=(0, 1)).max() > 0
same(states("there"), found[0, 0, 7])
same(states("given"), found[0, 0, 7])
same(states("back"), found[1, 1, 7])
assert summary("fixed")["end_x"].shape == (2,)

for name in ("chain", "roessler", "energy"):
    whole = summary(name)
    ends = [key for key in whole if key.startswith("end_") and "wrapped" not in key and whole[key].shape[:2] == (2, 5)]
    assert len(ends) >= 2
    for run, before in ((4, 3), (9, 4)):
        alone = h5py.File(f"{name}-{run}.h5")["study"]
        for key in ends:
            flat = whole[key][...].reshape(10, -1)
            same(flat[run], alone["summary"][key][...].ravel())
            start = alone["trajectories"][key[4:]][...].reshape(flat.shape[1], -1)[:, 0]
            assert abs(start - flat[before]).max() < 1e-15 * (1 + abs(start).max()), (name, run, key)

rows = [line.split() for line in open("evaluated", encoding="utf-8") if line[:2] in ("a ", "b ")]
for row, angle, rate in zip(rows, summary("chain")["end_angle"][0, 3], summary("chain")["end_rate"][0, 3], strict=True):
    assert abs(float(row[1]) - angle) < 1e-6 and abs(float(row[2]) - rate) < 1e-6, (row, angle, rate)

# The swing falls where it is largest and its frequency so, and rises where the other fold has its least.
swing = numpy.linspace(0.2, 8, 800001)
middle = 1 + 0.075 * swing**2 - 0.005
spread = middle**2 - (1 + 0.075 * swing**2) ** 2 + (0.6 / swing) ** 2
fast = numpy.sqrt(middle[spread >= 0] + numpy.sqrt(spread[spread >= 0]))
peak = summary("frequency")["peak_x"][..., 0]
for way, fold in ((0, fast[-1]), (1, fast.min())):
    jump = numpy.nonzero(abs(numpy.diff(peak[way])) > 0.4)[0]
    print(f"frequency of the fold {fold:.4f}, jump from {0.8 + 0.02 * jump[0]:.2f}")
    assert len(jump) == 1 and 0.79 + 0.02 * jump[0] < fold < 0.83 + 0.02 * jump[0], (way, fold, jump)

# A run that fails ends its line and changes no other; one that an event ends is gone on from.
outcome = h5py.File("fails.h5")["study/runs/outcome"][...].reshape(90, 22)
walked = numpy.concatenate([outcome[:, :11], outcome[:, 11:][:, ::-1]], axis=1)
failed = 0
for line in walked:
    at = numpy.nonzero(line)[0]
    if len(at):
        assert line[at[0]] == 1 and (line[at[0] + 1:] == 4).all(), line
        failed += 1
assert 10 < failed < 90, failed
end = summary("fails")["end_x"][...].reshape(90, 22)
assert (numpy.isnan(end) == (outcome != 0)).all()
ended = h5py.File("lines.h5")["study/runs/outcome"][...] == 7
assert ended.any() and numpy.isfinite(summary("lines")["end_x"][...]).all()
end, start = summary("lines")["end_x"][...].ravel(), h5py.File("lines.h5")["study/trajectories/x"][...][:, 0]
checked = 0
for run in range(0, 1980, 7):
    at = run % 22
    before = -1 if at in (0,) else run - 1 if at < 11 else run - 11 if at == 21 else run + 1
    if before >= 0:
        assert start[run // 7] == end[before], run
        checked += 1
assert checked > 200
END
