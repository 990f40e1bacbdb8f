# label: values
# Derivatives of the times of events, of what is kept of each, and of the end state of runs that an event ends,
# are those of whole runs with other parameters: differences of order 4.
. "$SOURCE/tests/check.sh"
need_python

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
  - {name: cross, when: angle.upper, crosses: 0, max: 4, keep: [state, energy]}
  - {name: low, when: end_position.lower.y, crosses: -1.2, max: 3, keep: [angle]}
  - {name: peak, of: angle.lower, kind: either, max: 4, keep: [rate.upper]}
  - {name: fast, when: kinetic_energy, crosses: 10, from: 0.1, max: 4, keep: [end_position.lower.x]}
  - {name: beat, period: 0.5, from: 0.9, max: 2, keep: [state, energy]}
analyse:
  sensitivity:
    of: end_state
    to: [initial.angle.upper, initial.rate.lower, system.gravity, system.segments.lower.mass,
         system.segments.upper.length, forces.brake.coefficient, forces.pull.stiffness, forces.pull.rest_length]
END
sed 's/^time: .*/time: {step: 5e-4, end: 2}/; /^integrator/d' tolerance.yaml >step.yaml
for name in tolerance step; do
    sed '/{name: cross/s/max: 4/max: 1/; /{name: cross/s/}/, stop: true}/' $name.yaml >$name-stop.yaml
    expect 0 "$MANYLINK" run $name-stop.yaml --no-accuracy -o verified.h5
    expect 0 "$MANYLINK" verify verified.h5
    rm verified.h5
done
cat >beat.yaml <<'END'
manylink: 1
system: {type: duffing, delta: 0.15, alpha: -1, beta: 1, gamma: 0.3, omega: 1}
initial: {x: 0.5, v: -0.2}
time: {end: 26, tick: 1}
integrator: {type: tp86, tolerance: 1e-12}
events: [{name: beat, period: 2*pi, from: 1, max: 5, keep: [x, v]}]
analyse: {sensitivity: {of: end_state, to: [initial.x, initial.v]}}
END
expect 0 "$MANYLINK" run beat.yaml --no-accuracy

"$PYTHON" - "$MANYLINK" <<'END' || exit $?
import os
import subprocess
import sys

import h5py
import numpy

NUMBERS = {"initial.angle.upper": 2, "initial.rate.lower": -0.5, "system.gravity": 9.8,
           "system.segments.lower.mass": 1, "system.segments.upper.length": 1,
           "forces.brake.coefficient": 0.1, "forces.pull.stiffness": 3, "forces.pull.rest_length": 0.4}
STEP = 1e-4
KEPT = ("cross_times", "low_times", "fast_times", "peak_times", "cross_angle", "cross_rate", "cross_energy",
        "low_angle", "peak_rate.upper", "fast_end_position.lower.x", "beat_angle", "beat_rate", "beat_energy")
# what differences of runs leave, and those that find an extreme
BOUND = {"cross": 5e-11, "low": 5e-11, "fast": 5e-10, "peak": 5e-8, "end": 4e-10,
         "cross times": 3e-10, "low times": 3e-10, "fast times": 2e-9, "peak times": 2e-7,
         "cross kept": 1e-8, "low kept": 1e-9, "fast kept": 1e-9, "peak kept": 1e-6, "beat kept": 2e-9}


def run(study, sweep=None):
    """The numbers of a study; of a sweep along its axis."""
    command = [sys.argv[1], "run", study, "-o", "run.h5", "--no-accuracy"]
    subprocess.run(command + (["--set", f"sweep=[{sweep}]"] if sweep else []), check=True, capture_output=True)
    with h5py.File("run.h5") as result:
        summary = result["study/summary"]
        numbers = {name: summary[name][()] for name in summary if name.endswith(("_time", "sensitivity")) or name in KEPT}
        numbers["end"] = numpy.concatenate([summary["end_angle"][()], summary["end_rate"][()]], axis=-1)
    os.remove("run.h5")
    return numbers


def check(what, derivative, runs, of, bound):
    a, b, c, d = runs[of]
    difference = (a - 8 * b + 8 * c - d) / (12 * STEP)
    assert (numpy.isnan(derivative) == numpy.isnan(difference)).all(), (what, derivative, difference)
    error = numpy.nanmax(numpy.abs(derivative - difference))
    print(f"{what}: {error:.1e}")
    assert error <= bound, (what, derivative, bound)


for name in ("tolerance", "step"):
    whole, stopped = run(f"{name}.yaml"), run(f"{name}-stop.yaml")
    assert "beat_time_sensitivity" not in whole and "beat_times_sensitivity" not in whole
    counts = {kept: int(numpy.isfinite(whole[kept]).sum()) for kept in KEPT if kept.endswith("times")}
    print(counts)
    assert min(counts.values()) >= 2, counts
    for kept in ("time", "angle", "rate", "energy"):
        first = slice(None) if kept == "time" else 0
        assert (stopped[f"cross_{kept}_sensitivity"][first] == whole[f"cross_{kept}_sensitivity"][first]).all(), kept
    for p, key in enumerate(NUMBERS):
        sides = f"{{set: {key}, values: {[NUMBERS[key] + i * STEP for i in (-2, -1, 1, 2)]}}}"
        runs = run(f"{name}.yaml", sides)
        for event in ("cross", "low", "fast", "peak"):
            check(f"{name} {event} {key}", whole[f"{event}_time_sensitivity"][p], runs, f"{event}_time",
                  BOUND[event])
        for kept in KEPT:
            event, what = kept.split("_", 1)
            check(f"{name} {kept} {key}", whole[f"{kept}_sensitivity"][..., p], runs, kept,
                  BOUND[f"{event} {'times' if what == 'times' else 'kept'}"])
        check(f"{name} end {key}", stopped["sensitivity"][:, p],
              run(f"{name}-stop.yaml", sides), "end", BOUND["end"])

# The map from the start to a beat shrinks areas by exp(-delta t) (Liouville), within the error of its largest
# numbers.
summary = h5py.File("beat.h5")["study/summary"]
maps = numpy.stack([summary["beat_x_sensitivity"][...], summary["beat_v_sensitivity"][...]], axis=1)
area = (numpy.linalg.det(maps[:4]) - numpy.exp(-0.15 * summary["beat_times"][:4])) / (maps[:4] ** 2).sum((1, 2))
print(f"area: {area}")
assert summary["beat_count"][()] == 4 and numpy.isnan(maps[4]).all()
assert numpy.abs(area).max() < 3e-13
END
