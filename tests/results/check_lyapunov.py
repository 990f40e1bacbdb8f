"""Runs the cases of lyapunov.json and published ones, and compares exponents.

check_lyapunov.py MANYLINK lyapunov.json

Means over the orbits of a case must lie within 3 standard errors: those of the reference and those
of the runs' own spread together. Sums and pairs hold far better than the exponents themselves.
"""

import json
import os
import subprocess
import sys

import h5py
import numpy

MANYLINK, REFERENCE = sys.argv[1:]

# step, end, transient in s; sizes that keep the whole test below a minute on two cores
TIMES = {
    "lorenz": (0.005, 2000, 50),
    "rossler": (0.02, 8000, 200),
    "henon_heiles": (0.02, 20000, 0),
    "chain": (0.002, 2000, 50),
}
PUBLISHED = {  # J. C. Sprott, Chaos and Time-Series Analysis (2003), appendix A
    "lorenz": ([0.9056, 0.0, -14.5723], 0.002),
    "rossler": ([0.0714, 0.0, -5.3943], 0.002),
}


def study_of(case, orbits, times):
    step, end, transient = times
    name = {"rossler": "roessler"}.get(case["system"], case["system"])
    system, params = {"type": name}, case["params"]
    if name == "chain":
        n = params["n"]
        system["gravity"] = params["g"]
        system["segments"] = [
            {"length": l, "mass": m, "com": d, "inertia": i}
            for l, m, d, i in zip(params["l"], params["m"], params["d"], params["I"])
        ]
        paths = [f"initial.{q}.{i + 1}" for q in ("angle", "rate") for i in range(n)]
    else:
        system.update(params)
        names = {"henon_heiles": "x y px py"}.get(name, "x y z").split()
        paths = [f"initial.{q}" for q in names]
    forces = [
        {"type": "damper", "joint": str(i + 1), "coefficient": b}
        for i, b in enumerate(params["b"] if name == "chain" else [])
        if b
    ]
    study = {
        "manylink": 1,
        "system": system,
        "time": {"step": step, "end": end},
        "sweep": [{"name": "orbit", "set": paths, "values": orbits}],
        "analyse": {"lyapunov": {"transient": transient}},
    }
    if forces:
        study["forces"] = forces
    return study


def measure(name, study):
    for ending in (".yaml", ".h5"):
        if os.path.exists(name + ending):
            os.remove(name + ending)
    with open(name + ".yaml", "w") as file:
        json.dump(study, file)
    subprocess.run([MANYLINK, "run", name + ".yaml", "-o", name + ".h5", "--quiet"], check=True)
    with h5py.File(name + ".h5") as file:
        summary = file["study/summary"]
        return {key: summary[key][...] for key in summary if isinstance(summary[key], h5py.Dataset)}


def demand(name, what, value, bound):
    print(f"{name}: {what} {value:.2e}, bound {bound:.2e}")
    if not value <= bound:
        sys.exit(f"{name}: {what} is {value}, more than {bound}")


def check_case(case):
    name = case["name"]
    orbits = [orbit["x0"] for orbit in case["orbits"] if orbit["used"]]
    got = measure(name, study_of(case, orbits, TIMES[case["system"]]))
    spectrum, n = got["lyapunov_spectrum"], len(orbits)
    error = numpy.maximum(
        spectrum.std(axis=0, ddof=1) / numpy.sqrt(n),
        numpy.sqrt((got["lyapunov_error"] ** 2).mean(axis=0) / n),
    )
    off = numpy.abs(spectrum.mean(axis=0) - case["exponents"])
    both = numpy.hypot(error, case["standard_error"])
    demand(name, "exponents, in standard errors", (off / both).max(), 3.0)
    demand(name, "sum less trace", abs(got["lyapunov_sum"] - got["mean_trace"]).max(), 1e-3)
    if case["system"] in ("chain", "henon_heiles"):
        pairs = abs(spectrum + spectrum[:, ::-1]).max()
        demand(name, "pairs", pairs, 5e-3)
    if case["system"] in PUBLISHED:
        values, bound = PUBLISHED[case["system"]]
        # beside our own errors
        demand(name, "published", (abs(spectrum.mean(axis=0) - values) - 3 * error).max(), bound)


def check_exact(name, case, orbits, times, exponents, bound):
    spectrum = measure(name, study_of(case, orbits, times))["lyapunov_spectrum"]
    demand(name, "largest error", abs(spectrum - exponents).max(), bound)


with open(REFERENCE) as file:
    cases = json.load(file)["cases"]
for case in cases:
    if "orbits" in case:
        check_case(case)

# Regular motion at a fixed point: the real parts of its eigenvalues, but for whole turns, 1/T.
lorenz = {"system": "lorenz", "params": {"rho": 20.0, "sigma": 10.0, "beta": 8.0 / 3.0}}
fixed = [numpy.sqrt(8.0 / 3.0 * 19.0)] * 2 + [19.0]
jacobian = numpy.array(
    [[-10.0, 10.0, 0.0], [20.0 - fixed[2], -1.0, -fixed[0]], [fixed[1], fixed[0], -8.0 / 3.0]]
)
exact = numpy.sort(numpy.linalg.eigvals(jacobian).real)[::-1]
demand("rho = 20", "eigenvalue less published", abs(exact[0] + 0.154792), 1e-6)
check_exact("rho20", lorenz, [[8.0, 8.0, 20.0]], (0.005, 4000, 200), exact, 1e-4)
rest = next(case for case in cases if case.get("exact"))
check_exact("arm", rest, [[0.0] * 6], (0.005, 8000, 0), rest["exponents"], 2e-3)
