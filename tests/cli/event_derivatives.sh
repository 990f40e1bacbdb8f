# label: values
# Derivatives of event times, of what events keep, and of the end state of runs that an event ends, are those of whole runs with
# other parameters: differences of order 4.
. "$SOURCE/tests/check.sh"

cat >tolerance.yaml <<'END'
manylink: 1
system: {type: chain, gravity: 9.8, segments: [{name: upper, length: 1, mass: 1}, {name: lower, length: 1, mass: 1}]}
initial: {angle: [2, 1], rate: [0, -0.5]}
forces:
  - {name: brake, type: damper, joint: upper, coefficient: 0.1}
  - {name: pull, type: spring, segment: lower, at: 1, anchor: [1, 1], stiffness: 3, rest_length: 0.4}
time: {tick: 1e-2, end: 2}
integrator: {type: tp86, tolerance: 1e-12}
events:
  - {name: cross, when: angle.upper, crosses: 0, max: 1, keep: [state, energy]}
  - {name: low, when: end_position.lower.y, crosses: -1.2, max: 3, keep: [angle]}
  - {name: peak, of: angle.lower, kind: maximum, max: 1, keep: [rate.upper]}
  - {name: fast, when: kinetic_energy, crosses: 10, from: 0.1, max: 2, keep: [end_position.lower.x]}
  - {name: beat, period: 0.5, from: 0.9, max: 2, keep: [state, energy]}
analyse:
  sensitivity:
    of: end_state
    to: [initial.angle.upper, initial.rate.lower, system.gravity, system.segments.lower.mass,
         system.segments.upper.length, forces.brake.coefficient, forces.pull.stiffness, forces.pull.rest_length]
END
sed 's/^time: .*/time: {step: 1e-3, end: 2}/; /^integrator/d' tolerance.yaml >step.yaml
for name in tolerance step; do
    sed '/{name: cross/s/}/, stop: true}/' $name.yaml >$name-stop.yaml
    expect 0 "$MANYLINK" run $name-stop.yaml --no-accuracy -o verified.h5
    expect 0 "$MANYLINK" verify verified.h5
    rm verified.h5
done
cat >beat.yaml <<'END'
manylink: 1
system: {type: duffing, delta: 0.15, alpha: -1, beta: 1, gamma: 0.3, omega: 1}
initial: {x: 0.5, v: -0.2}
time: {end: 7, tick: 1}
integrator: {type: tp86, tolerance: 1e-12}
events: [{name: beat, period: 2*pi, from: 1, max: 1, keep: [x, v]}]
analyse: {sensitivity: {of: end_state, to: [initial.x, initial.v]}}
END
expect 0 "$MANYLINK" run beat.yaml --no-accuracy

"$PYTHON" - "$MANYLINK" <<'END' || exit $?
import os
import subprocess
import sys

try:
    import h5py
    import numpy
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)

NUMBERS = {"initial.angle.upper": 2, "initial.rate.lower": -0.5, "system.gravity": 9.8,
           "system.segments.lower.mass": 1, "system.segments.upper.length": 1,
           "forces.brake.coefficient": 0.1, "forces.pull.stiffness": 3, "forces.pull.rest_length": 0.4}
STEP = 1e-4
KEPT = ("cross_angle", "cross_rate", "cross_energy", "low_angle", "peak_rate.upper",
        "fast_end_position.lower.x", "beat_angle", "beat_rate", "beat_energy")
# what differences of runs leave, and those that find an extreme
BOUND = {"cross": 5e-11, "low": 5e-11, "fast": 5e-10, "peak": 5e-8, "end": 4e-10,
         "cross kept": 2e-9, "low kept": 2e-10, "fast kept": 1e-9, "peak kept": 2e-7, "beat kept": 2e-9}


def run(study, override=None):
    command = [sys.argv[1], "run", study, "-o", "run.h5", "--no-accuracy"]
    subprocess.run(command + (["--set", override] if override else []), check=True, capture_output=True)
    with h5py.File("run.h5") as result:
        summary = result["study/summary"]
        numbers = {name: summary[name][()] for name in summary if name.endswith(("_time", "sensitivity"))}
        for name in KEPT:
            numbers[name] = summary[name][0]
        numbers["end"] = numpy.concatenate([summary["end_angle"][()], summary["end_rate"][()]])
    os.remove("run.h5")
    return numbers


def check(what, derivative, runs, of, bound):
    a, b, c, d = (numbers[of] for numbers in runs)
    error = numpy.max(numpy.abs(derivative - (a - 8 * b + 8 * c - d) / (12 * STEP)))
    print(f"{what}: {error:.1e}")
    assert error <= bound, (what, derivative, bound)


for name in ("tolerance", "step"):
    whole, stopped = run(f"{name}.yaml"), run(f"{name}-stop.yaml")
    assert "beat_time_sensitivity" not in whole
    for kept in ("time", "angle", "rate", "energy"):
        assert (stopped[f"cross_{kept}_sensitivity"] == whole[f"cross_{kept}_sensitivity"]).all(), kept
    for p, key in enumerate(NUMBERS):
        sides = [f"{key}={NUMBERS[key] + i * STEP!r}" for i in (-2, -1, 1, 2)]
        runs = [run(f"{name}.yaml", side) for side in sides]
        for event in ("cross", "low", "fast", "peak"):
            check(f"{name} {event} {key}", whole[f"{event}_time_sensitivity"][p], runs, f"{event}_time",
                  BOUND[event])
        for kept in KEPT:
            check(f"{name} {kept} {key}", whole[f"{kept}_sensitivity"][..., p], runs, kept,
                  BOUND[f"{kept.split('_')[0]} kept"])
        check(f"{name} end {key}", stopped["sensitivity"][:, p],
              [run(f"{name}-stop.yaml", side) for side in sides], "end", BOUND["end"])

# The map from beat to beat shrinks areas by exp(-delta T) (Liouville).
summary = h5py.File("beat.h5")["study/summary"]
det = numpy.linalg.det([summary["beat_x_sensitivity"][...], summary["beat_v_sensitivity"][...]])
print(f"area: {det / numpy.exp(-0.15 * 2 * numpy.pi) - 1:.1e}")
assert abs(det / numpy.exp(-0.15 * 2 * numpy.pi) - 1) < 1e-11
END
