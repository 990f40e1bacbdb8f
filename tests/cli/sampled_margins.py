"""Margins of sampled loops against the reference; sampled_margins.sh has written the studies."""
import json
import math
import subprocess
import sys

import h5py
import numpy
from scipy.linalg import expm

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


def note(name, error, bound):
    worst[name] = max(worst.get(name, 0), error)
    assert error < bound, (name, error)


def compare_poles(values, cases, n):
    """Those nearest the unit circle; multiple ones inside, of delays, are ill-conditioned."""
    for i, case in enumerate(cases):
        known = numpy.array([complex(*pole) for pole in case["poles"]])
        poles = values["pole_real"][i] + 1j * values["pole_imaginary"][i]
        n_own = n - numpy.isnan(poles).sum()
        assert n_own == n or (n_own == n - 1 and case["numbers"]["ki"] == 0 and case["numbers"]["delay"] == 0)
        for k in range(n_own):
            if abs(poles[k]) < 0.3:
                continue
            note("poles", max(abs(known - poles[k]).min(), abs(abs(poles[k]) - abs(known[k]))), 1e-12)
            rate = numpy.log(poles[k]) / case["numbers"]["sample_time"]
            note("natural_frequency", abs(values["natural_frequency"][i, k] / abs(rate) - 1), 1e-13)
            note("damping_ratio", abs(values["damping_ratio"][i, k] + rate.real / abs(rate)), 1e-13)
        assert (numpy.diff(abs(poles[:n_own])) < 1e-12).all()


def hold(a, b, time):
    whole = expm(numpy.block([[a, b], [numpy.zeros((1, 3))]]) * time)
    return whole[:2, :2], whole[:2, 2]


def compare_responses(values, cases):
    """L(z) of the rod: states by a held torque, ahead of a sample, and the controller by hand."""
    for i, case in enumerate(cases):
        p = case["numbers"]
        interval, lag = p["sample_time"], math.ceil(p["delay"] / p["sample_time"] - 1e-12)
        a = numpy.array([[0, 1], [-1.5 * 9.81 / 2 * math.cos(p["target"]) / 0.5, -0.6]])
        (step, held), (ahead, held_ahead) = (hold(a, numpy.array([[0], [2.0]]), t) for t in (interval, max(lag * interval - p["delay"], 0)))
        for k, w in enumerate(values["loop_frequency"]):
            z = numpy.exp(1j * w * interval)
            angle, rate = z ** -lag * (ahead @ numpy.linalg.solve(z * numpy.eye(2) - step, held) + held_ahead)
            loop = p["kp"] * angle + p["kd"] * rate + p["ki"] * interval * angle / (z - 1)
            own = values["loop_magnitude"][i, 0, k] * numpy.exp(1j * values["loop_phase"][i, 0, k])
            note("response", abs(own - loop) / abs(loop), 1e-11)


# Where a body falls, an eigenvalue is near that of its controller's integral.
TOLERANCE = {"gain_reduction_margin": 3e-11, "gain_reduction_margin_frequency": 3e-11}

reference = json.load(open(sys.argv[2]))
rods, arms = reference["rods"], reference["arms"]
of_rods, of_arms = run("rods", rod_columns(rods, [1] * len(rods))), run("arms", arm_columns(arms))
compare(of_rods, rods)
compare(of_arms, arms)
compare_poles(of_rods, rods, 3)
compare_poles(of_arms, arms, 5)
compare_responses(of_rods, rods)
print(worst)

limits = [(case, case["joints"][0]["gain_margin"]) for case in rods if case["joints"] and case["joints"][0]["gain_margin"]]
assert len(limits) > 10
for share, comes_to_rest in ((0.98, True), (1.02, False)):
    values = run("rods", rod_columns([case for case, _ in limits], [share * limit for _, limit in limits]), "--set", "time.end=60")
    for i, (case, limit) in enumerate(limits):
        error = abs(values["end_angle"][i, 0] - case["numbers"]["target"])
        assert (error < 1e-6) if comes_to_rest else (error > 1e-5 or numpy.isnan(error)), (share, i, limit, error, case["numbers"])
