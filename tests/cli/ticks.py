"""Runs small studies by tolerance with several ticks and saved numbers, and compares all other numbers.

usage: ticks.py MANYLINK [FIRST [COUNT]]

Ticks say when something is saved: numbers of the summary are within 1e-5 of their size, or a few of their told step
errors, of those without ticks. Made-up studies are drawn by their number, the shipped ones are cut short.
"""

import copy
import os
import random
import subprocess
import sys

try:
    import h5py
    import numpy as np
    import yaml
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)

N_MADE_UP = 21
NEAR = 1e-5  # of the size of a number
TOLD = 3.0  # step errors
RUNS = 4
# Work, and a number that counts exponents as 0 by an error that is estimated from parts of the run.
APART = {"rejected_steps", "kaplan_yorke_dimension"}

FORMULAS = {
    "jump": {"p": 0.5, "k": 1.3, "v": "where(x > p, -k*x, -2*k*x) - 0.1*v"},
    "pendulum": {"p": 0.5, "k": 1.3, "v": "-k*sin(x) - p*v"},
    "relay": {"p": 0.1, "k": 1.3, "v": "-k*x + p*sign(x) - 0.05*v + abs(v)*0.01"},
    "square": {"p": 0.7, "k": 1.3, "v": "-k*x - 0.2*v + where(mod(t, p) < p/2, 1, -1)"},
    "driven": {"p": 0.8, "k": 1.3, "v": "-k*x^3 - 0.2*v + p*cos(1.1*t)"},
}
METHODS = ["dop853", "tp86", "tsit54", "dopri54", "verner65", "rodas4"]
SHIPPED = {
    "arm_sensitivity": 1.5,
    "double_pendulum_map": 2,
    "flip_map": 5,
    "pid_gains": 12,
    "quarter_car": 4,
    "spring_wall": 1,
    "arm_spring": 1,
    "three_link_arm": 3,
    "stick_slip": 4,
}


def made_up(number):
    """A study drawn by its number: a system, what is measured and what happens on the way."""
    rng = random.Random(number)
    draws = lambda share: rng.random() < share
    kind = rng.choice([*FORMULAS, "chain"])
    study = {"manylink": 1, "time": {"end": rng.choice([3, 7])}}
    study["integrator"] = {"type": rng.choice(METHODS), "tolerance": rng.choice([1e-9, 1e-10])}
    analyse = {}
    if kind == "chain":
        segments = [{"name": "a", "length": 1, "mass": 1}, {"name": "b", "length": 0.5, "mass": 1}]
        study["system"] = {"type": "chain", "segments": segments}
        study["forces"] = [{"name": "c", "type": "pid", "joint": "b", "target": 1, "kp": 20, "kd": 2, "ki": 3}]
        study["sweep"] = [{"set": "initial.angle.a", "from": -1, "to": 1, "count": RUNS}]
        analyse.update({name: {} for name in ("tracking", "effort") if draws(0.6)})
    else:
        parameters = dict(FORMULAS[kind])
        rates = {"x": "v", "v": parameters.pop("v")}
        study["system"] = {"type": "equations", "parameters": parameters, "state": {"x": 1, "v": 0.2}, "rates": rates}
        study["sweep"] = [{"set": "initial.x", "from": 0.55, "to": 1.5, "count": RUNS}]
        if draws(0.6):
            analyse["observe"] = {"big": {"max": "x"}, "sum": {"integral": "abs(x)"}, "low": {"min": "v"}}
        if draws(0.4):
            study["events"] = [{"name": "e", "when": "x", "crosses": 0.2, "max": 5}]
        elif draws(0.4):
            study["events"] = [
                {"name": "e", "when": "x - 0.3", "crosses": 0, "direction": "down", "set": {"v": "-0.9*v"}}
            ]
        if draws(0.4):
            of = ["end_state", "observe"] if "observe" in analyse else ["end_state"]
            analyse["sensitivity"] = {"of": of, "to": ["system.p", "system.k"]}
    if draws(0.4):
        analyse["lyapunov"] = {"exponents": rng.choice([1, 2])}
    if draws(0.3):
        analyse["megno"] = {}
    if analyse:
        study["analyse"] = analyse
    return study


def shipped(folder, name, end):
    """A shipped study with few runs, cut short, by a tolerance."""
    with open(os.path.join(folder, name + ".yaml"), encoding="utf-8") as file:
        study = yaml.safe_load(file)
    study["time"] = {"end": end}
    study["integrator"] = {"type": "dop853", "tolerance": 1e-10}
    for key in ("save", "show", "accuracy", "continue"):
        study.pop(key, None)
    analyse = study.get("analyse", {})
    analyse.pop("every", None)
    analyse.get("lyapunov", {}).pop("transient", None)
    for axis in study.get("sweep", []):
        for part in (axis, axis.get("scale_by", {})):
            if "count" in part:
                part["count"] = 3
    return study


def variants(end, is_shipped):
    """Ticks and trajectories that are saved beside the summary."""
    every = lambda n: {"trajectory": {"every": n}}
    return [(end / 7, None), (end / 1000, every(3)), (0.05, every(1))] + [(None, every(10))] * is_shipped


class Runner:
    def __init__(self, program):
        self.program, self.n = program, 0

    def __call__(self, study, tick, save):
        study = copy.deepcopy(study)
        if tick:
            study["time"]["tick"] = tick
        if save:
            study["save"] = save
        self.n += 1
        with open("study.yaml", "w", encoding="utf-8") as file:
            yaml.safe_dump(study, file, sort_keys=False)
        options = ["--no-accuracy"] if tick or save else ["--accuracy", str(RUNS)]
        line = [self.program, "run", "study.yaml", "-q", "--restart", "--no-native", "-o", "study.h5", *options]
        ran = subprocess.run(line, capture_output=True, text=True, timeout=60)
        if ran.returncode not in (0, 3):
            sys.exit(f"{ran.returncode}: {ran.stderr}\n{study}")
        with h5py.File("study.h5") as file:
            return numbers(file)


def numbers(file):
    """Numbers of the summary, each with the error that is told of it."""
    summary, told = file["study/summary"], file.get("study/accuracy/difference")
    found = {}
    for name, data in summary.items():
        if isinstance(data, h5py.Dataset) and data.dtype.kind == "f" and data.ndim > 0:
            error = np.abs(told[name][()]).max(initial=0.0) if told and name in told else 0.0
            found[name] = (data[()], 0.0 if np.isnan(error) else error)
    return found


def differences(base, other):
    """What differs by more than it may."""
    for name, (right, told) in base.items():
        if name in APART or "error" in name or name not in other:
            continue
        own = other[name][0]
        if own.shape != right.shape or (np.isnan(own) != np.isnan(right)).any():
            yield f"{name}: other shape, or other numbers are NaN: {np.isnan(right).sum()}, {np.isnan(own).sum()}"
            continue
        allowed = max(NEAR * (np.nanmax(np.abs(right), initial=0.0) + 1e-3), TOLD * told)
        apart = np.abs(own - right)
        if "wrapped" in name:  # where events end runs at half a turn
            apart = np.minimum(apart, 2 * np.pi - apart)
        largest = np.nanmax(apart, initial=0.0)
        if largest > allowed:
            yield f"{name}: differs by {largest:.2g}, allowed {allowed:.2g}"


def main(program, first=0, count=N_MADE_UP):
    run, n_wrong = Runner(program), 0
    studies = {f"made up {i}": made_up(i) for i in range(first, first + count)}
    folder = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../studies")
    if first == 0:
        studies.update({name: shipped(folder, name, end) for name, end in SHIPPED.items()})
    for name, study in studies.items():
        base = run(study, None, None)
        for tick, save in variants(study["time"]["end"], name in SHIPPED):
            for text in differences(base, run(study, tick, save)):
                n_wrong += 1
                print(f"{name}, tick {tick}, {save}: {text}")
    print(f"{len(studies)} studies, {run.n} runs, {n_wrong} differences")
    return n_wrong > 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], *map(int, sys.argv[2:])))
