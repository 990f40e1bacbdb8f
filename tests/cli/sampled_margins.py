"""Margins of sampled loops against the reference; sampled_margins.sh has written the studies."""
import json
import math
import subprocess
import sys

import h5py
import numpy

NAMES = ["gain_margin", "gain_margin_frequency", "gain_reduction_margin", "gain_reduction_margin_frequency", "phase_margin",
         "phase_margin_frequency", "delay_margin"]
NONE = {"gain_margin": math.inf, "gain_reduction_margin": 0.0, "phase_margin": math.inf, "delay_margin": math.inf}
worst = {}


def run(name, columns, *options):
    with open(f"{name}.csv", "w") as file:
        print(",".join(columns), file=file)
        for row in zip(*columns.values()):
            print(",".join(repr(value) for value in row), file=file)
    done = subprocess.run([sys.argv[1], "run", f"{name}.yaml", "--quiet", "--restart", *options], check=False)
    assert done.returncode in (0, 3), done.returncode          # 3: some runs diverge
    with h5py.File(f"{name}.h5") as file:
        return {key: value[()] for key, value in file["study/summary"].items() if isinstance(value, h5py.Dataset)}


def rod_columns(cases, factors):
    numbers = [case["numbers"] for case in cases]
    column = lambda key: [p[key] for p in numbers]
    weight = [1.5 * 9.81 / 2 * math.sin(p["target"]) for p in numbers]
    return {**{f"forces.hold.{key}": column(key) for key in ("target", "delay", "sample_time")},
            **{f"forces.hold.{key}": [p[key] * f for p, f in zip(numbers, factors)] for key in ("kp", "ki", "kd")},
            "forces.load.value": weight, "initial.angle.rod": [p["target"] + 1e-6 for p in numbers]}


def arm_columns(cases):
    paths = {"forces.muscles.stiffness.arm.arm": "stiffness", "forces.muscles.delay": "muscles", "forces.wrist.delay": "wrist",
             "forces.wrist.kp": "kp", "forces.muscles.sample_time": "sample_time", "forces.wrist.sample_time": "sample_time"}
    return {path: [case["numbers"][key] for case in cases] for path, key in paths.items()}


def compare(values, cases):
    for i, case in enumerate(cases):
        assert values["unstable_roots"][i] == case["unstable_roots"], (i, values["unstable_roots"][i], case["unstable_roots"])
        if case["unstable_roots"]:
            assert all(numpy.isnan(values[name][i]).all() for name in NAMES)
        for j, joint in enumerate(case["joints"]):
            for name in NAMES:
                own, known = values[name][i, j], joint[name]
                if known is None:
                    assert own == NONE[name] if name in NONE else numpy.isnan(own), (i, j, name, own)
                    continue
                error = abs(own - known) / max(abs(known), 1e-3)
                worst[name] = max(worst.get(name, 0), error)
                assert error < TOLERANCE.get(name, 1e-12), (i, j, name, own, known)


# Where a body falls, an eigenvalue is near that of its controller's integral.
TOLERANCE = {"gain_reduction_margin": 3e-11, "gain_reduction_margin_frequency": 3e-11}

reference = json.load(open(sys.argv[2]))
rods, arms = reference["rods"], reference["arms"]
compare(run("rods", rod_columns(rods, [1] * len(rods))), rods)
compare(run("arms", arm_columns(arms)), arms)
print(worst)

limits = [(case, case["joints"][0]["gain_margin"]) for case in rods if case["joints"] and case["joints"][0]["gain_margin"]]
assert len(limits) > 10
for share, comes_to_rest in ((0.98, True), (1.02, False)):
    values = run("rods", rod_columns([case for case, _ in limits], [share * limit for _, limit in limits]), "--set", "time.end=60")
    for i, (case, limit) in enumerate(limits):
        error = abs(values["end_angle"][i, 0] - case["numbers"]["target"])
        assert (error < 1e-6) if comes_to_rest else (error > 1e-5 or numpy.isnan(error)), (share, i, limit, error, case["numbers"])
