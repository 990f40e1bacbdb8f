# label: values
# With a tolerance indicators look into every step: results are those of the motion, whatever the ticks, the method and
# what is saved or observed beside are.
. "$SOURCE/tests/check.sh"
need_python

cat >control.yaml <<'END'
manylink: 1
system:
  type: chain
  segments: [{name: upper, length: 1, mass: 1}, {name: lower, length: 0.5, mass: 1}]
forces:
  - {name: brace, type: pid, joint: lower, target: pi/3, kp: 30, ki: 3, kd: 1}
initial: {angle: {upper: pi/10, lower: 0}}
time: {end: 20}
integrator: {type: dop853, tolerance: 1e-10}
analyse: {tracking: {band: 0.1}, effort: {}}
END
cat >itae.yaml <<'END'
manylink: 1
system: {type: chain, segments: [{name: rod, length: 0.6, mass: 2}]}
forces: [{name: c, type: pid, joint: rod, target: 1, kp: 40, ki: 30, kd: 2.5}]
time: {end: 6}
integrator: {type: dop853, tolerance: 1e-11}
analyse:
  observe:
    itae: {integral: "t*abs(control_error.rod)"}
    top: {max: angle.rod}
    least: {min: rate.rod, from: 0.3}
    mean: {mean: "abs(rate.rod)", from: 1.2345}
    rms: {rms: joint_torque.rod}
    last: {at_end: angle.rod}
    clipped: {max: "min(angle.rod, 1.1)"}
  effort: {}
  sensitivity: {of: [observe, effort, max_rate], to: [forces.c.kp, forces.c.kd, system.segments.rod.mass]}
END
sed '/sensitivity/d' itae.yaml >values.yaml
# integrals of a rate and of a pulse are known whatever the motion is
cat >known.yaml <<'END'
manylink: 1
system: {type: chain, segments: [{name: rod, length: 0.6, mass: 2}]}
forces: [{name: push, type: torque, joint: rod, value: {type: pulse, amplitude: 3, onset: 0.7, duration: 0.41}}]
initial: {angle: 1}
time: {end: 6}
integrator: {type: dop853, tolerance: 1e-10}
analyse: {effort: {}, observe: {turn: {integral: rate.rod}, push: {integral: joint_torque.rod}, low: {min: angle.rod}}}
END
sed 's/^integrator/events: [{name: low, when: angle.rod, crosses: -0.4, stop: true}]\n&/' known.yaml >stop.yaml
sed 's/^integrator/events: [{name: wall, when: angle.rod, crosses: -0.4, set: {rate.rod: -0.9*rate.rod}}]\n&/' \
    known.yaml >wall.yaml

"$PYTHON" - "$MANYLINK" <<'END' || exit $?
import os
import subprocess
import sys

import h5py
import numpy


def run(study, *sets):
    """The summary of a study whose keys are set."""
    options = [part for key in sets for part in ("--set", key)]
    subprocess.run([sys.argv[1], "run", study, "-o", "run.h5", "--no-accuracy", *options], check=True,
                   capture_output=True)
    with h5py.File("run.h5") as result:
        summary = {name: numpy.squeeze(data[()]) for name, data in result["study/summary"].items()
                   if isinstance(data, h5py.Dataset)}
    os.remove("run.h5")
    return summary


# SciPy's DOP853 at 2.5e-13, in pieces between the zeros of error and power, and Brent's method: 9 digits and more
WANTED = {"overshoot": 0.181472853390, "rise_time": 0.0576623650348, "settling_time": 0.333425187682, "iae": 0.63930207751,
          "ise": 0.0603881162975, "rms_torque": 2.28746861930, "positive_work": 16.82026281075,
          "negative_work": -16.14546883591, "max_rate": 17.264857118460, "power_balance_error": 0}
MORE = "analyse.observe={e: {mean: energy}}", "save={trajectory: {every: 7}}"
for sets, bound in ((["integrator.type=dop853"], 2e-9), (["time.tick=20/7"], 2e-9), (["time.tick=0.05"], 2e-9),
                    (["time.tick=0.05", *MORE], 2e-9), (["integrator.type=tp86"], 2e-9), (["integrator.type=tsit54"], 2e-9),
                    (["integrator.type=verner98"], 2e-9), (["integrator.type=verner65"], 2e-9),
                    (["integrator.type=rodas4", "integrator.tolerance=1e-8"], 5e-8),
                    (["integrator.type=bs32", "integrator.tolerance=1e-7"], 2e-4)):
    summary = run("control.yaml", *sets)
    for name, wanted in WANTED.items():
        value = summary[name] if summary[name].ndim == 0 else summary[name][-1]
        assert abs(value - wanted) < bound, (sets, name, value, wanted)
# thrown: to the digits of DOP853 on 400,001 points
THROWN = "initial={angle: {upper: pi/10, lower: pi/3}, rate: {upper: 2*pi, lower: -6*pi}}", "forces.brace.kd=2"
for sets in ([], ["time.tick=20/7"], ["integrator.type=tp86", "time.tick=0.05"]):
    summary = run("control.yaml", *THROWN, *sets)
    for name, wanted, bound in (("iae", 0.9674, 5e-5), ("rms_torque", 2.838, 5e-4), ("negative_work", -68.96, 5e-3)):
        assert abs(summary[name][-1] - wanted) < bound, (sets, name, summary[name])
    assert abs(summary["power_balance_error"]) < 2e-9, (sets, summary["power_balance_error"])
plain = run("control.yaml")
for sets in (["time.tick=20/7"], ["time.tick=0.05"]):
    assert abs(run("control.yaml", *sets)["energy_drift"] - plain["energy_drift"]) < 1e-9

KEYS = {"forces.c.kp": 40, "forces.c.kd": 2.5, "system.segments.rod.mass": 2}
NAMES = "itae", "top", "least", "mean", "rms", "last", "max_rate", "peak_torque", "rms_torque", "positive_work", "negative_work"
SENSES = "itae", "top", "least", "mean", "rms", "last", "clipped", "peak_torque", "rms_torque", "positive_work", \
    "negative_work", "power_balance_error", "max_rate"
summary = run("itae.yaml")
assert abs(summary["clipped"] - 1.1) < 1e-14, summary["clipped"]
# central differences of SciPy's DOP853 at 1e-12
assert abs(summary["sensitivity"][SENSES.index("itae"), list(KEYS).index("forces.c.kd")] + 0.040881) < 1e-6
assert (summary["sensitivity"][SENSES.index("clipped")] == 0).all()  # on its flat top
for sets in (["time.tick=6/7"], ["integrator.type=tsit54"]):
    other = run("itae.yaml", *sets)
    for name in NAMES:
        assert abs(other[name] - summary[name]) < 1e-10, (sets, name)
for p, (key, value) in enumerate(KEYS.items()):
    step = 1e-3 * value
    a, b, c, d = (run("values.yaml", f"{key}={value + k * step!r}") for k in (-2, -1, 1, 2))
    for name in NAMES:
        row = SENSES.index(name)
        difference = (a[name] - 8 * b[name] + 8 * c[name] - d[name]) / (12 * step)
        error = abs(summary["sensitivity"][row, p] - difference)
        assert error < 2e-9 * max(1, abs(difference)), (key, name, error, difference)

for name in "known.yaml", "stop.yaml", "wall.yaml":
    for sets in ([], ["time.tick=0.01"], ["integrator.type=rodas4"]):
        summary = run(name, *sets)
        assert abs(summary["turn"] - (summary["end_angle"] - 1)) < 1e-9, (name, sets)
        if name != "stop.yaml":
            assert abs(summary["push"] - 1.23) < 1e-12, (name, summary["push"])
        else:
            assert abs(summary["low"] + 0.4) < 1e-12 and summary["push"] == 0, name
        if name == "known.yaml":
            assert abs(summary["power_balance_error"]) < 5e-9
END

# the same bits whatever the kernel, the threads and the shards are
sed 's/^analyse.*/sweep: [{set: forces.brace.kp, from: 20, to: 40, count: 40}]\n&/; s/^time.*/time: {end: 2}/' control.yaml >sweep.yaml
expect 0 "$MANYLINK" run sweep.yaml --no-accuracy -o one.h5
for kernel in general made; do
    expect 0 "$MANYLINK" run sweep.yaml --no-accuracy --kernel $kernel --threads 1 -o other.h5
    same one.h5 other.h5
    rm other.h5
done
for shard in 0 1; do
    expect 0 "$MANYLINK" run sweep.yaml --no-accuracy --shard $shard/2
done
expect 0 "$MANYLINK" merge sweep.shard-* -o merged.h5
same merged.h5 one.h5
