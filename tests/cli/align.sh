# label: values
# Steps that end at events keep their order where a force sets in or ends: rk4 is of order 4 against the closed
# form of a rod that bounces between two springs, its derivatives too, and against the reference of a landing
# runner, whose force sets in like a power 0.73 of the depth.
. "$SOURCE/tests/check.sh"
need_python

cat >bounce.yaml <<'END'
manylink: 1
system: {type: chain, gravity: 0, segments: [{name: rod, length: 1, mass: 3}]}
initial: {angle: 0.1, rate: 2}
forces: [{name: stop, type: joint_limit, joint: rod, lower: -0.4, upper: 0.5, stiffness: 200}]
time: {step: 0.01, end: 2}
events:
  - {name: upper, when: angle.rod, crosses: 0.5, max: 8, align: true}
  - {name: lower, when: angle.rod, crosses: -0.4, max: 8, align: true}
sweep: [{set: initial.rate.rod, from: 1.3, to: 2.9, count: 19}]
analyse: {sensitivity: {of: end_state, to: [initial.rate.rod]}}
END
sed 's/, align: true//' bounce.yaml >plain.yaml
sed '/^analyse/d; s/events:/&\n  - {name: last, when: angle.rod, crosses: 0.1, every: 1, from: 1.2, stop: true}/' bounce.yaml >ended.yaml
sed '/^analyse/d; s/^time: .*/time: {step: 0.01, steps: 150}/; s/^sweep: .*/sweep: [{set: time.step, values: [0.01, 0.013, 5e-3]}]/' \
    bounce.yaml >clocks.yaml

# Neighbours, kernels, threads and shards change no bit.
expect 0 "$MANYLINK" run ended.yaml --no-accuracy
for name in bounce ended; do
    expect 0 "$MANYLINK" run $name.yaml --no-accuracy --restart
    expect 0 "$MANYLINK" verify $name.h5
    expect 0 "$MANYLINK" run $name.yaml --no-accuracy --kernel general --threads 1 -o other.h5
    same $name.h5 other.h5
    rm other.h5
    for shard in 0 1; do
        expect 0 "$MANYLINK" run $name.yaml --no-accuracy --shard $shard/2
    done
    expect 0 "$MANYLINK" merge $name.shard-* -o merged.h5
    same $name.h5 merged.h5
    rm merged.h5 $name.shard-*
    expect 0 "$MANYLINK" run $name.yaml --run 13 --no-accuracy -o $name-alone.h5
done

"$PYTHON" - "$MANYLINK" "$SOURCE/tests/reference/running_four_mass.json" <<'END' || exit $?
import json
import subprocess
import sys

import h5py
import numpy


def run(study, *sets):
    words = [word for text in sets for word in ("--set", text)]
    subprocess.run([sys.argv[1], "run", study, "-o", "run.h5", "--no-accuracy", "--restart"] + words, check=True,
                   capture_output=True)
    return h5py.File("run.h5")["study"]


def orders(errors):
    return [numpy.log2(a / b) for a, b in zip(errors, errors[1:])]


for name in ("bounce", "ended"):
    alone, whole = (h5py.File(f"{file}.h5")["study/summary"] for file in (f"{name}-alone", name))
    for output in ("end_angle", "end_rate", "upper_times", "lower_times"):
        assert alone[output][...].tobytes() == whole[output][13].tobytes(), (name, output)
subprocess.run([sys.argv[1], "run", "clocks.yaml", "-o", "clocks.h5", "--no-accuracy"], check=True, capture_output=True)
with h5py.File("clocks.h5") as clocks:
    for i, step in enumerate((0.01, 0.013, 5e-3)):
        alone = run("clocks.yaml", f"time.step={step}")["summary"]
        for output in ("end_angle", "end_rate", "upper_times", "lower_times"):
            assert alone[output][...].tobytes() == clocks["study/summary"][output][i].tobytes(), (step, output)

# Free flight between the limits, half a period of a spring beyond.
rates, beyond = numpy.linspace(1.3, 2.9, 19), numpy.pi / numpy.sqrt(200 / (3 / 3))


def bounced(rate):
    """Angle and rate at the end, and when it passes the limits."""
    time, angle, times = 0.0, 0.1, []
    while True:
        limit = 0.5 if rate > 0 else -0.4
        touch = time + (limit - angle) / rate
        if touch + beyond > 2:
            assert touch > 2, "a rod that has just left"
            return angle + rate * (2 - time), rate, times
        times += [touch, touch + beyond]
        time, angle, rate = touch + beyond, limit, -rate


free = []
for i, rate in enumerate(rates):
    try:
        free.append((i, *bounced(rate)))
    except AssertionError:
        pass
assert len(free) > 9
index = [run_[0] for run_ in free]
for study, least, most in (("bounce", 3.9, 4.5), ("plain", 0.5, 3.0)):
    errors = []
    for step in (0.005, 0.0025, 0.00125):
        result = run(f"{study}.yaml", f"time.step={step}")
        angle, rate = result["summary/end_angle"][:, 0], result["summary/end_rate"][:, 0]
        errors.append(max(abs(angle[i] - a) + abs(rate[i] - v) for i, a, v, _ in free))
        if study == "bounce" and step == 0.00125:
            derivative = result["summary/sensitivity"][:, 0, 0]
            slope = [(bounced(rates[i] + 1e-6)[0] - bounced(rates[i] - 1e-6)[0]) / 2e-6 for i in index]
            print(f"derivatives: {numpy.abs(derivative[index] - slope).max():.1e}")
            assert numpy.abs(derivative[index] - slope).max() < 1e-6
            both = numpy.concatenate([result["summary/upper_times"][...], result["summary/lower_times"][...]], -1)
            worst = 0.0
            for i, _, _, times in free:
                found = numpy.sort(both[i][numpy.isfinite(both[i])])
                assert len(found) == len(times), (i, found, times)
                worst = max(worst, numpy.abs(found - times).max())
            print(f"times: {worst:.1e}")
    print(study, [f"{error:.1e}" for error in errors], [f"{order:.2f}" for order in orders(errors)])
    assert least < min(orders(errors)) and max(orders(errors)) < most, (study, errors)

with open(sys.argv[2], encoding="utf-8") as file:
    cases = json.load(file)["cases"]
for case in cases:
    p = case["params"]
    numbers = {f"m{i + 1}": m for i, m in enumerate(p["m"])} | {"contact": {
        "area": p["Ac"], "stiffness": p["a"], "exponent": p["b"], "damping": p["cg"], "damping_exponent": p["d"]}}
    start = dict(zip(("x1", "x2", "x3", "x4", "v1", "v2", "v3", "v4"), case["x0"]))
    errors = []
    for step in (2e-4, 1e-4, 5e-5):
        study = {"manylink": 1, "system": {"type": "four_mass_runner"} | numbers, "initial": start,
                 "time": {"step": step, "end": case["t"][-1]},
                 "events": [{"name": "touch", "when": "x1", "crosses": 0, "align": True, "graded": 5e-3}],
                 "save": {"trajectory": {"every": round(2e-3 / step), "quantities": ["ground_force"]}}}
        with open("runner.yaml", "w", encoding="utf-8") as file:
            json.dump(study, file)
        force = run("runner.yaml")["trajectories/ground_force"][...].ravel()
        errors.append(numpy.abs(force - case["GRF"]).max())
    print(case["name"], [f"{error:.1e}" for error in errors], [f"{order:.2f}" for order in orders(errors)])
    assert all(abs(order - 4) < 0.15 for order in orders(errors)) and errors[-1] < 2e-7, case["name"]
END
