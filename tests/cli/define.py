"""Compares runs of arm.h5, whose numbers are formulas of names, with runs of a study that has each number by itself, as
Python computes it; and derivatives by a name with those by the numbers, by the chain rule."""

import math

import h5py
import manylink
import numpy as np
import yaml

PLAIN = {
    "manylink": 1,
    "system": {"type": "chain", "gravity": [0, -9.81], "segments": [
        {"name": "upper", "length": 1, "mass": 1}, {"name": "lower", "length": 1, "mass": 1, "inertia": 1}]},
    "forces": [{"name": "brake", "type": "damper", "joint": "lower", "coefficient": 1},
               {"name": "push", "type": "torque", "joint": "upper",
                "value": {"type": "sine", "amplitude": 1, "frequency": 1}}],
    "initial": {"angle": {"upper": 1, "lower": 1}, "rate": {"upper": 0, "lower": 0}},
    "time": {"end": 1, "steps": 400},
}  # fmt: skip
L, C = 0.5, 0.02


def numbers(m, omega):
    mass2 = 3 * m / 2 + 0.1
    return {
        "system.segments.upper.length": 2 * L, "system.segments.upper.mass": m, "system.segments.lower.length": L,
        "system.segments.lower.mass": mass2, "system.segments.lower.inertia": mass2 * L**2 / 12,
        "forces.brake.coefficient": C * math.sqrt(m) / L, "forces.push.value.amplitude": m * L,
        "forces.push.value.frequency": omega / (2 * math.pi), "initial.angle.lower": math.sqrt(m) - 0.5,
        "initial.rate.upper": L / m, "initial.rate.lower": L / m, "time.end": 2 * (2 * math.pi / omega),
    }  # fmt: skip


# How the numbers follow from m.
def slopes(m):
    return {
        "system.segments.upper.mass": 1.0, "system.segments.lower.mass": 1.5,
        "system.segments.lower.inertia": 1.5 * L**2 / 12, "forces.brake.coefficient": C / (2 * math.sqrt(m) * L),
        "forces.push.value.amplitude": L, "initial.angle.lower": 0.5 / math.sqrt(m),
        "initial.rate.upper": -L / m**2, "initial.rate.lower": -L / m**2,
    }  # fmt: skip


with h5py.File("arm.h5") as f:
    masses, omegas = f["study/runs/define.m"][...], f["study/runs/define.omega"][...]
    assert f["study/runs/define.m"].attrs["units"] in ("kg", b"kg"), dict(f["study/runs/define.m"].attrs)
    ends = [f["study/summary/end_" + name][...].reshape(-1, 2) for name in ("angle", "rate")]
    times = f["study/runs/end_time"][...]
    resolved = f["study/resolved"][()].decode()
assert masses.tolist() == [1, 1, 2, 2, 3, 3, 4, 4] and omegas.tolist() == [3, 6] * 4
for run, (m, omega) in enumerate(zip(masses.tolist(), omegas.tolist())):
    own = numbers(m, omega)
    assert times[run] == own["time.end"]
    alone = manylink.run(PLAIN, set=own)
    for name, of_all in zip(("angle", "rate"), ends):
        assert np.array_equal(alone["end_" + name].values, of_all[run]), (run, name, alone["end_" + name], of_all[run])

# Derivatives by a name, of every run of its axis.
arm = yaml.safe_load(open("arm.yaml"))
arm["time"] = {"end": 4, "steps": 400}
arm["sweep"] = arm["sweep"][:1]


def derivatives(study, to, **options):
    return manylink.run(study | {"analyse": {"sensitivity": {"to": to}}}, **options).sensitivity.values


by_name = derivatives(arm, "define.m")
for run, m in enumerate((1.0, 2.0, 3.0, 4.0)):
    slope = slopes(m)
    own = derivatives(PLAIN, list(slope), set=numbers(m, 3.0) | {"time.end": 4})
    chain = own @ np.array(list(slope.values()))
    assert np.abs(by_name[run, :, 0] - chain).max() < 1e-13 * np.abs(own).max(), (m, by_name[run, :, 0] - chain)

# The energy of the start by a formula; a sample; the study text of a result, which makes the same study.
arm["define"]["E"] = "4*m - 9"
del arm["initial"]["rate"]
energy = derivatives(arm | {"initial": arm["initial"] | {"energy": "E", "rate": {"upper": 1}}}, "define.m")
for run, m in enumerate((1.0, 2.0, 3.0, 4.0)):
    slope = {key: value for key, value in slopes(m).items() if "rate" not in key} | {"initial.energy": 4.0}
    own = {key: value for key, value in numbers(m, 3.0).items() if "rate" not in key}
    initial = PLAIN["initial"] | {"rate": {"upper": 1}, "energy": 4 * m - 9}
    own = derivatives(PLAIN | {"initial": initial}, list(slope), set=own | {"time.end": 4})
    chain = own @ np.array(list(slope.values()))
    assert np.abs(energy[run, :, 0] - chain).max() < 1e-12 * np.abs(own).max(), (m, energy[run, :, 0] - chain)
del arm["sweep"]
del arm["define"]["E"], arm["define"]["T"], arm["define"]["omega"], arm["forces"][1]
drawn = manylink.run(arm | {"sample": {"method": "sobol", "count": 3, "over": [{"set": "define.m", "from": 1, "to": 4}]}})
again = manylink.run(yaml.safe_load(drawn.attrs["resolved"]))
assert again.attrs["resolved"] == drawn.attrs["resolved"] and again.equals(drawn)
for run in range(3):
    alone = manylink.run(arm, set={"define.m": float(drawn["define.m"][run])})
    assert np.array_equal(alone.end_angle, drawn.end_angle[run])

# Functions, in formulas of a system's parameters and state, within two units in the last place of Python's.
TEXTS = ["sin(a)*exp(-a)", "atan2(a, 2) + hypot(a, 3)", "where(a < 1, 3, log(a))", "min(a, 1.2)^1.5", "mod(-a, 0.7)",
         "floor(3*a) - sign(a)", "tanh(a)/erf(a)", "cbrt(a) + abs(-a)"]  # fmt: skip
WANTED = [math.sin(1.1) * math.exp(-1.1), math.atan2(1.1, 2) + math.hypot(1.1, 3), math.log(1.1), 1.1**1.5,
          -1.1 % 0.7, 2.0, math.tanh(1.1) / math.erf(1.1), 1.1 ** (1 / 3) + 1.1]  # fmt: skip
system = {"type": "equations", "parameters": {f"p{i}": text for i, text in enumerate(TEXTS)},
          "state": {"x": "a/3", "y": {"value": "a - 1", "unit": "m"}},
          "rates": {"x": "y", "y": "-x*(" + " + ".join(f"p{i}" for i in range(len(TEXTS))) + ")"}}  # fmt: skip
study = {"manylink": 1, "define": {"a": 1.1}, "system": system, "time": {"step": 0.01, "end": 1}}
at = manylink.evaluate(study, params=[f"system.p{i}" for i in range(len(TEXTS))])
assert at.state.tolist() == [1.1 / 3, 1.1 - 1]
for i, wanted in enumerate(WANTED):
    found = manylink.run(study, set={"system.parameters": {"p0": TEXTS[i]},
                                     "system.rates": {"x": "p0", "y": "0"}}).end_x - 1.1 / 3  # fmt: skip
    assert abs(float(found) - wanted) < 1e-14 * max(1, abs(wanted)), (TEXTS[i], float(found), wanted)
mixed = {"parameters": {"k": {"value": "2*a"}, "p": {"value": 3}, "q": 4}, "state": {"x": "a/3", "y": 7, "z": {"value": 2}},
         "rates": {"x": "k", "y": "p", "z": "q"}}  # fmt: skip
at = manylink.evaluate(study | {"system": {"type": "equations"} | mixed, "sweep": [{"set": "define.a", "values": [9, 3]}]}, run=1)
assert at.state.tolist() == [1, 7, 2] and at.rates.tolist() == [6, 3, 4], (at.state, at.rates)
slope = manylink.evaluate(study, params=["define.a"]).rates_by_param[:, 0]
h = 1e-5
difference = (manylink.evaluate(study, set={"define.a": 1.1 + h}).rates
              - manylink.evaluate(study, set={"define.a": 1.1 - h}).rates) / (2 * h)  # fmt: skip
assert np.abs(slope - difference).max() < 1e-8, (slope, difference)
