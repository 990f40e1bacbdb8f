"""Mechanisms with constraints against the same in angles, closed forms, and scipy.

usage: constraints.py MANYLINK
"""

import json
import subprocess
import sys

import h5py
import numpy as np
import yaml
from scipy.integrate import solve_ivp

COMMAND = sys.argv[1]
FINE = {"integrator": {"type": "dop853", "tolerance": 1e-12}}


def write(name, study):
    with open(f"{name}.yaml", "w") as to:
        yaml.safe_dump({"manylink": 1, **study}, to, sort_keys=False, width=500)


def run(name, study, code=0):
    """The datasets of the summary of a study, by name, and what it said."""
    write(name, study)
    done = subprocess.run([COMMAND, "run", f"{name}.yaml", "--restart"], capture_output=True, text=True)
    assert done.returncode == code, (name, done.returncode, done.stderr)
    with h5py.File(f"{name}.h5") as f:
        return {key: value[...] for key, value in f["study/summary"].items() if isinstance(value, h5py.Dataset)}


def saved(name):
    with h5py.File(f"{name}.h5") as f:
        kept = f["study/trajectories"]
        return {key: kept[key][...].squeeze() for key in kept if isinstance(kept[key], h5py.Dataset)}


def close(what, a, b, tolerance):
    error = np.max(np.abs(np.asarray(a) - np.asarray(b)) / (1 + np.abs(b)))
    print(f"{what}: {error:.1e}")
    assert error <= tolerance, (what, error, tolerance)


# A double pendulum of two points: in angles, and by the points' places with two rods.
POINTS = {"m1": 1.2, "m2": 0.8, "l1": 1, "l2": 0.7, "g": 9.81}
in_angles = {
    "type": "equations", "parameters": POINTS, "coordinates": {"a": "a0", "b": "b0"},
    "define": {"x1": "l1*sin(a)", "y1": "-l1*cos(a)", "x2": "x1 + l2*sin(b)", "y2": "y1 - l2*cos(b)"},
    "kinetic": "m1/2*(x1'^2 + y1'^2) + m2/2*(x2'^2 + y2'^2)", "potential": "g*(m1*y1 + m2*y2)"}  # fmt: skip
PLACES = {"x1": "l1*sin(a0)", "y1": "-l1*cos(a0)", "x2": "l1*sin(a0) + l2*sin(b0)", "y2": "-l1*cos(a0) - l2*cos(b0)"}
NAMED = {key: value.replace("l1", "1").replace("l2", "0.7") for key, value in PLACES.items()}
RODS = ["x1^2 + y1^2 = l1^2", "(x2 - x1)^2 + (y2 - y1)^2 - l2^2"]
by_places = {
    "type": "equations", "parameters": POINTS, "coordinates": NAMED,
    "kinetic": "m1/2*(x1'^2 + y1'^2) + m2/2*(x2'^2 + y2'^2)", "potential": "g*(m1*y1 + m2*y2)", "constraints": RODS}  # fmt: skip
as_matrix = {
    "type": "equations", "parameters": POINTS, "coordinates": NAMED, "mass": [["m1"], [0, "m1"], [0, 0, "m2"], [0, 0, 0, "m2"]],
    "G": [0, "-m1*g", 0, "-m2*g"], "constraints": RODS}  # fmt: skip
over = {"define": {"a0": 1, "b0": 0.5}, "sample": {"method": "latin_hypercube", "count": 20, "seed": 5, "over": [
    {"set": "define.a0", "from": -1, "to": 2}, {"set": "define.b0", "from": -1, "to": 2}]}}  # fmt: skip
common = {**FINE, **over, "time": {"end": 2}}
expected = run("angles", {"system": in_angles, **common})
x1, y1 = np.sin(expected["end_a"]), -np.cos(expected["end_a"])
for name, system in [("places", by_places), ("matrix", as_matrix)]:
    found = run(name, {"system": system, **common})
    close(name + " x1", found["end_x1"], x1, 5e-12)
    close(name + " x2", found["end_x2"], x1 + 0.7 * np.sin(expected["end_b"]), 2e-11)
    close(name + " rate", found["end_x1_rate"], np.cos(expected["end_a"]) * expected["end_a_rate"], 3e-11)
    close(name + " drift", found["constraint_drift"], 0, 1e-13)
    assert (found["constraint_drift"] > 0).all()
    if name == "places":
        close(name + " energy", found["energy_drift"], 0, 5e-12)

# The tension of a pendulum's rod: of x^2 + y^2 = l^2 the force is 2 lambda (x, y).
pendulum = {
    "type": "equations", "parameters": {"m": 0.6, "l": 1.3, "g": 9.81}, "coordinates": {"x": "1.3*sin(a0)", "y": "-1.3*cos(a0)"},
    "kinetic": "m/2*(x'^2 + y'^2)", "potential": "m*g*y", "constraints": ["x^2 + y^2 = l^2"]}  # fmt: skip
study = {"system": pendulum, "define": {"a0": 1}, **FINE, "time": {"end": 3},
         "save": {"trajectory": {"every": 20, "quantities": ["x", "y", "x_rate", "y_rate", "multiplier_1", "constraint_1", "energy"]}}}  # fmt: skip
run("tension", study)
rows = saved("tension")
speed = rows["x_rate"] ** 2 + rows["y_rate"] ** 2
close("tension", -2 * 1.3 * rows["multiplier_1"], 0.6 * (speed / 1.3 - 9.81 * rows["y"] / 1.3), 2e-13)
close("value", rows["constraint_1"], rows["x"] ** 2 + rows["y"] ** 2 - 1.69, 1e-15)

# Without stabilisation errors stay, with it they decay; a coarse step is told.
coarse = {**study, "integrator": {"type": "rk4"}, "time": {"step": 0.01, "end": 40}}
left = run("left", {**coarse, "system": {**pendulum, "stabilisation": 0}})["constraint_drift"]
held = run("held", coarse)["constraint_drift"]
print("drift without and with stabilisation", left, held)
assert held < left / 50, (left, held)

# The same rod, of which the angle is given over time: the multiplier is the torque.
driven = {
    "type": "equations", "parameters": {"I": 0.7, "w": 2, "k": 3}, "coordinates": {"a": 0.5}, "kinetic": "I/2*a'^2", "potential": "-k*cos(a)",
    "constraints": ["a = 0.5 + sin(w*t)"]}  # fmt: skip
run("driven", {"system": driven, "initial": {"a_rate": 2}, **FINE, "time": {"end": 3},
               "save": {"trajectory": {"every": 50, "quantities": ["a", "multiplier_1"]}}})  # fmt: skip
rows = saved("driven")
t = np.linspace(0, 3, len(rows["a"]))
close("driven angle", rows["a"], 0.5 + np.sin(2 * t), 3e-15)
close("torque", rows["multiplier_1"], -0.7 * 4 * np.sin(2 * t) + 3 * np.sin(rows["a"]), 1e-13)

# Four bars: crank 0.4, coupler 1, rocker 0.8, ground 1. The places of coupler and rocker follow from the crank in closed form, and
# the crank's equation from the kinetic energy of that one coordinate, T = J(a) a'^2/2, by scipy.
CRANK, COUPLER, ROCKER, GROUND = 0.4, 1.0, 0.8, 1.0
ROD = {"m1": 0.5, "m2": 1.1, "m3": 0.9, "l1": CRANK, "l2": COUPLER, "l3": ROCKER, "l0": GROUND, "g": 9.81}


def geometry(a):
    """Angles of coupler and rocker, from the ground."""
    dx, dy = GROUND - CRANK * np.cos(a), -CRANK * np.sin(a)
    d = np.hypot(dx, dy)
    at_joint = np.arctan2(dy, dx) + np.arccos((COUPLER**2 + d**2 - ROCKER**2) / (2 * COUPLER * d))
    px, py = CRANK * np.cos(a) + COUPLER * np.cos(at_joint), CRANK * np.sin(a) + COUPLER * np.sin(at_joint)
    return at_joint, np.arctan2(py, px - GROUND)


def ratios(a):
    b, c = geometry(a)
    lhs = np.array([[-COUPLER * np.sin(b), ROCKER * np.sin(c)], [COUPLER * np.cos(b), -ROCKER * np.cos(c)]])
    return np.linalg.solve(lhs, [CRANK * np.sin(a), -CRANK * np.cos(a)])


def inertia(a):
    b, _ = geometry(a)
    rb, rc = ratios(a)
    own = 0.5 * CRANK**2 / 3 + 0.9 * ROCKER**2 / 3 * rc**2 + 1.1 * COUPLER**2 / 12 * rb**2
    return own + 1.1 * (CRANK**2 + COUPLER**2 / 4 * rb**2 + CRANK * COUPLER * rb * np.cos(a - b))


def height(a):
    b, c = geometry(a)
    return 9.81 * (0.5 * CRANK / 2 * np.sin(a) + 1.1 * (CRANK * np.sin(a) + COUPLER / 2 * np.sin(b)) + 0.9 * ROCKER / 2 * np.sin(c))


def slope(f, a, h=1e-3):
    return (8 * (f(a + h) - f(a - h)) - f(a + 2 * h) + f(a - 2 * h)) / (12 * h)


def crank(_, y):
    return [y[1], (-slope(inertia, y[0]) * y[1] ** 2 / 2 - slope(height, y[0])) / inertia(y[0])]


b0, c0 = geometry(1.0)
rb0, rc0 = ratios(1.0)
bars = {
    "type": "equations", "parameters": ROD,
    "coordinates": {"a": {"value": 1, "unit": "rad"}, "b": {"value": float(b0), "unit": "rad"}, "c": {"value": float(c0), "unit": "rad"}},
    "define": {"x": "l1*cos(a) + l2/2*cos(b)", "y": "l1*sin(a) + l2/2*sin(b)"},
    "kinetic": "m1*l1^2/6*a'^2 + m2/2*(x'^2 + y'^2) + m2*l2^2/24*b'^2 + m3*l3^2/6*c'^2",
    "potential": "g*(m1*l1/2*sin(a) + m2*y + m3*l3/2*sin(c))",
    "constraints": ["l1*cos(a) + l2*cos(b) = l0 + l3*cos(c)", "l1*sin(a) + l2*sin(b) = l3*sin(c)"]}  # fmt: skip
rates = {"a_rate": 6.0, "b_rate": float(6 * rb0), "c_rate": float(6 * rc0)}
found = run("bars", {"system": bars, "initial": rates, **FINE, "time": {"end": 3},
                     "save": {"trajectory": {"every": 100, "quantities": ["a", "b", "c"]}}})  # fmt: skip
rows = saved("bars")
b, c = np.vectorize(geometry)(rows["a"])
turn = lambda angle: np.exp(1j * angle)  # noqa: E731
close("coupler", turn(rows["b"]), turn(b), 1e-14)
close("rocker", turn(rows["c"]), turn(c), 1e-14)
reference = solve_ivp(crank, [0, 3], [1.0, 6.0], method="DOP853", rtol=1e-11, atol=1e-11).y[:, -1]
close("crank", found["end_a"], reference[0], 2e-10)
close("energy of four bars", found["energy_drift"], 0, 4e-13)

# A knife edge on an incline (Bloch 2003, 1.6): from rest, turning at w, x down the slope is g sin(alpha)/(2 w^2) sin(w t)^2.
SLOPE = 9.81 * np.sin(0.4)
skate = {
    "type": "equations", "parameters": {"m": 2, "I": 0.3, "alpha": 0.4, "g": 9.81}, "coordinates": {"x": 0, "y": 0, "a": {"value": 0, "unit": "rad"}},
    "kinetic": "m/2*(x'^2 + y'^2) + I/2*a'^2", "potential": "-m*g*sin(alpha)*x", "constraints": ["x'*sin(a) = y'*cos(a)"]}  # fmt: skip
found = run("skate", {"system": skate, "initial": {"a_rate": 1.5}, **FINE, "time": {"end": 7}})
close("skate x", found["end_x"], SLOPE / (2 * 1.5**2) * np.sin(1.5 * 7) ** 2, 2e-13)
close("skate y", found["end_y"], SLOPE / (2 * 1.5**2) * (1.5 * 7 - np.sin(2 * 1.5 * 7) / 2), 9e-15)
close("skate energy", found["energy_drift"], 0, 2e-12)

# Chaplygin's sleigh: v = V tanh(k t), a' = W sech(k t) with m V^2 = (I + m c^2) W^2, k = c W^2/V, the edge behind the centre by c.
M, I, C, W, T0, T1 = 1.4, 0.25, 0.3, 2.0, -1.0, 3.0
V = W * np.sqrt((I + M * C**2) / M)
K = C * W**2 / V
sleigh = {
    "type": "equations", "parameters": {"m": M, "I": I, "c": C}, "coordinates": {"x": 0, "y": 0, "a": 0.3},
    "define": {"X": "x + c*cos(a)", "Y": "y + c*sin(a)"}, "kinetic": "m/2*(X'^2 + Y'^2) + I/2*a'^2",
    "constraints": ["-x'*sin(a) + y'*cos(a)"]}  # fmt: skip
v0, w0 = V * np.tanh(K * T0), W / np.cosh(K * T0)
start = {"a_rate": float(w0), "x_rate": float(v0 * np.cos(0.3)), "y_rate": float(v0 * np.sin(0.3))}
found = run("sleigh", {"system": sleigh, "initial": start, **FINE, "time": {"end": T1 - T0}})
angle = 0.3 + W / K * (2 * np.arctan(np.tanh(K * T1 / 2)) - 2 * np.arctan(np.tanh(K * T0 / 2)))
close("sleigh rate", found["end_a_rate"], W / np.cosh(K * T1), 1e-14)
close("sleigh angle", found["end_a"], angle, 1e-14)
close("sleigh speed", found["end_x_rate"] * np.cos(angle) + found["end_y_rate"] * np.sin(angle), V * np.tanh(K * T1), 1e-14)
close("sleigh energy", found["energy_drift"], 0, 1e-14)

# A disk that rolls upright goes round a circle of radius R s'/h'.
disk = {
    "type": "equations", "parameters": {"m": 1, "R": 0.5}, "coordinates": {"x": 0, "y": 0, "spin": 0, "h": 0},
    "kinetic": "m/2*(x'^2 + y'^2) + m*R^2/4*spin'^2 + m*R^2/8*h'^2", "constraints": ["x' = R*cos(h)*spin'", "y' = R*sin(h)*spin'"]}  # fmt: skip
found = run("disk", {"system": disk, "initial": {"spin_rate": 3, "h_rate": 0.8, "x_rate": 1.5}, **FINE, "time": {"end": 5}})
close("disk x", found["end_x"], 1.5 / 0.8 * np.sin(4), 2e-15)
close("disk y", found["end_y"], 1.5 / 0.8 * (1 - np.cos(4)), 2e-14)

# Derivatives against differences, where the start follows its constraints.
SENSED = ["system.m2", "define.a0", "system.g"]
given = {"system": by_places, "define": {"a0": 1, "b0": 0.5}, **FINE, "time": {"end": 1}}
own = run("derived", {**given, "analyse": {"sensitivity": {"to": SENSED}}})["sensitivity"]
own = own.reshape(own.shape[-2:])
step = 1e-4
for p, path in enumerate(SENSED):
    pair = []
    for sign in [-2, -1, 1, 2]:
        section, key = path.split(".")
        moved = json.loads(json.dumps(given))
        place = moved["system"]["parameters"] if section == "system" else moved["define"]
        place[key] += sign * step
        ends = run("moved", moved)
        pair.append(np.array([ends["end_" + q].ravel()[0] for q in [*PLACES, *[q + "_rate" for q in PLACES]]]))
    difference = (8 * (pair[2] - pair[1]) - pair[3] + pair[0]) / (12 * step)
    close("derivative by " + path, own[p] if own.shape[1] == 8 else own[:, p], difference, 1e-10)

# Exponents: those of the angles, and two of -stabilisation for each rod. Over 300 s of a chaotic run the sum tells of the formulas'
# derivatives: it is the mean trace, -2 s for each rod, as there is no friction.
chaotic = {"define": {"a0": 2, "b0": 2.5}, "integrator": {"type": "dop853", "tolerance": 1e-10}, "time": {"end": 300},
           "analyse": {"lyapunov": {"exponents": "all", "transient": 10}}}  # fmt: skip
expected = np.sort(run("chaotic_angles", {"system": in_angles, **chaotic})["lyapunov_spectrum"].ravel())[::-1]
found = np.sort(run("chaotic_places", {"system": {**by_places, "stabilisation": 5}, **chaotic})["lyapunov_spectrum"].ravel())[::-1]
print("exponents", expected, found)
close("sum of exponents", found.sum() / 20, -1.0, 1e-5)
close("exponents of the stabilisation", found[4:], -5.0, 0.01)
close("largest exponent", found[0], expected[0], 0.15)

# Starts off the constraints do not start; others in the same sweep do.
part = {"system": {**pendulum, "coordinates": {"x": 1.3, "y": 0}}, "sweep": [{"set": "initial.x", "values": [1.3, 1, -1.3]}]}
for name, times in [("part", {"time": {"step": 1e-3, "end": 1}}), ("part_fine", {**FINE, "time": {"end": 1}})]:
    run(name, {**part, **times}, code=3)
    with h5py.File(f"{name}.h5") as f:
        outcome = f["study/summary/outcome"][...].ravel()
    assert outcome.tolist() == [0, 4, 0], outcome

# All of it, for kernels.
write("all", {"system": {**by_places, "parameters": {**POINTS, "s": 7}, "stabilisation": "s"}, "define": {"a0": 1, "b0": 0.5},
              "time": {"step": 1e-3, "end": 0.5}, "sweep": [{"set": "define.a0", "from": -1, "to": 2, "count": 40}],
              "analyse": {"sensitivity": {"to": ["system.m2", "system.s"]}, "lyapunov": {"exponents": "all"}},
              "save": {"trajectory": {"every": 50, "quantities": ["x1", "energy", "multiplier_2", "constraint_1"]}},
              "events": [{"name": "low", "when": "x2", "crosses": 0.2, "max": 8, "keep": ["multiplier_1"]}]})  # fmt: skip
