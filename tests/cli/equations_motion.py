"""Equations of motion that studies give as formulas against systems that are built in, in C, or derived by sympy.

usage: equations_motion.py MANYLINK
"""

import json
import subprocess
import sys

import h5py
import numpy as np
import sympy
import yaml

COMMAND = sys.argv[1]
RUNS = 24


def write(name, study):
    with open(f"{name}.yaml", "w") as to:
        yaml.safe_dump({"manylink": 1, **study}, to, sort_keys=False, width=500)


def run(name, study):
    """The datasets of the summary of a study, by name."""
    write(name, study)
    done = subprocess.run([COMMAND, "run", f"{name}.yaml", "--restart"], capture_output=True, text=True)
    assert done.returncode == 0, (name, done.stderr)
    with h5py.File(f"{name}.h5") as f:
        return {key: value[...] for key, value in f["study/summary"].items() if isinstance(value, h5py.Dataset)}


def evaluate(name, run=0):
    done = subprocess.run([COMMAND, "evaluate", f"{name}.yaml", "--json", "--run", str(run)], capture_output=True, text=True)
    assert done.returncode == 0, (name, done.stderr)
    return json.loads(done.stdout)


def close(what, a, b, tolerance):
    error = np.max(np.abs(np.asarray(a) - np.asarray(b)) / (1 + np.abs(b)))
    print(f"{what}: {error:.1e}")
    assert error <= tolerance, (what, error, tolerance)


def sample(keys):
    return {"method": "latin_hypercube", "count": RUNS, "seed": 5, "over": [{"set": key, "from": -2, "to": 2} for key in keys]}


def compare(what, other, study, pairs, tolerance, exponents=1e-10):
    """End states and exponents of two studies of the same sample, and their accelerations at the start."""
    names = [what + "_other", what]
    found = [run(name, s) for name, s in zip(names, [other, study])]
    for theirs, ours in pairs:
        place = theirs.split(".")
        expected = found[0]["end_" + place[0]]
        close(f"{what} {ours}", found[1]["end_" + ours], expected[..., int(place[1])] if len(place) > 1 else expected, tolerance)
    close(what + " exponents", found[1]["lyapunov_spectrum"], found[0]["lyapunov_spectrum"], exponents)


# The double pendulum of two rods, typed in, as a matrix and from energies; and with a PID between the rods.
LENGTHS, MASSES = [1.0, 0.7], [1.2, 0.8]
SEGMENTS = [{"name": n, "length": l, "mass": m} for n, l, m in zip(["upper", "lower"], LENGTHS, MASSES)]
PARAMETERS = {"m1": 1.2, "m2": 0.8, "l1": 1, "l2": 0.7, "g": 9.81}
COORDINATES = {"upper": {"value": 2, "unit": "rad"}, "lower": {"value": 1, "unit": "rad"}}
INERTIA = {"a": "(m1/3 + m2)*l1^2", "b": "m2*l2^2/3", "c": "m2*l1*l2/2", "u": "(m1/2 + m2)*l1*g", "v": "m2*l2/2*g"}
TIMES = {"time": {"step": 1e-3, "end": 1}, "analyse": {"lyapunov": {"exponents": "all"}}}
OVER = ["initial.upper", "initial.lower", "initial.upper_rate", "initial.lower_rate"]
OTHER = ["initial.angle.upper", "initial.angle.lower", "initial.rate.upper", "initial.rate.lower"]
chain = {"system": {"type": "chain", "gravity": 9.81, "segments": SEGMENTS}, **TIMES, "sample": sample(OTHER)}
matrix = {
    "type": "equations",
    "parameters": PARAMETERS,
    "coordinates": COORDINATES,
    "define": INERTIA,
    "mass": [["a", "c*cos(upper - lower)"], ["c*cos(upper - lower)", "b"]],
    "C": ["-c*sin(upper - lower)*lower'^2", "c*sin(upper - lower)*upper'^2"],
    "G": ["-u*sin(upper)", "-v*sin(lower)"],
}
energies = {
    "type": "equations",
    "parameters": PARAMETERS,
    "coordinates": COORDINATES,
    "define": INERTIA,
    "kinetic": "a/2*upper'^2 + b/2*lower'^2 + c*cos(upper - lower)*upper'*lower'",
    "potential": "-u*cos(upper) - v*cos(lower)",
}
# The same by the places of the rods' middles, whose rates are found.
places = {
    **energies,
    "define": {"x1": "l1*sin(upper)", "y1": "-l1*cos(upper)", "x": "x1 + l2/2*sin(lower)", "y": "y1 - l2/2*cos(lower)"},
    "kinetic": "m1/6*(x1'^2 + y1'^2) + m2/2*(x'^2 + y'^2) + m2*l2^2/24*lower_rate^2",
    "potential": "g*(m1*y1/2 + m2*y)",
}
PAIRS = [("angle.0", "upper"), ("angle.1", "lower"), ("rate.0", "upper_rate"), ("rate.1", "lower_rate")]
for name, system in [("pendulum_matrix", matrix), ("pendulum_energies", energies), ("pendulum_places", places)]:
    compare(name, chain, {"system": system, **TIMES, "sample": sample(OVER)}, PAIRS, 9e-14, 1.4e-13)
    for i in range(0, RUNS, 4):
        ours, theirs = evaluate(name, i), evaluate(name + "_other", i)
        for key in ["M", "G", "qdd", "C"]:
            close(f"{name} {i} {key}", ours[key], theirs[key], 2e-14)
        if "kinetic" in system:
            for key in ["kinetic_energy", "potential_energy"]:
                close(f"{name} {i} {key}", ours[key], theirs[key], 2e-14)

pid = {"type": "pid", "joint": "lower", "target": 1, "kp": 30, "ki": 3, "kd": 2}
controlled = {
    **matrix,
    "parameters": {**PARAMETERS, "kp": 30, "ki": 3, "kd": 2, "target": 1},
    "state": {"sum": 0},
    "define": {**INERTIA, "torque": "kp*(target - lower) + ki*sum - kd*lower'"},
    "Q": ["-torque", "torque"],
    "rates": {"sum": "target - lower"},
}
compare("pid", {**chain, "forces": [pid]}, {"system": controlled, **TIMES, "sample": sample(OVER)}, PAIRS, 9e-14, 9e-14)

# A cart with a pole: in C, as a matrix, and from energies, with friction and a force that follows time.
POLE = {"cart_mass": 1, "pole_mass": 0.5, "pole_length": 1, "gravity": 9.81, "friction": 0.2, "damping": 0.02, "push": 3, "omega": 2}
DEFINE = {"l": "pole_length/2", "J": "pole_mass*pole_length^2/3", "drive": "push*cos(omega*t)"}
head = {"type": "equations", "parameters": POLE, "coordinates": {"angle": 0.5, "x": 0}, "define": DEFINE}
cart = {
    "matrix": {
        **head,
        "mass": [["J"], ["pole_mass*l*cos(angle)", "cart_mass + pole_mass"]],
        "force": ["-pole_mass*gravity*l*sin(angle) - damping*angle'", "pole_mass*l*sin(angle)*angle'^2 - friction*x' + drive"],
    },
    "energies": {
        **head,
        "kinetic": "(cart_mass + pole_mass)/2*x'^2 + pole_mass*l*cos(angle)*x'*angle' + J/2*angle'^2",
        "potential": "-pole_mass*gravity*l*cos(angle)",
        "dissipation": "(friction*x'^2 + damping*angle'^2)/2",
        "forces": {"x": "drive"},
    },
    "points": {
        **head,
        "define": {**DEFINE, "px": "x + l*sin(angle)", "py": "-l*cos(angle)"},
        "kinetic": "cart_mass/2*x'^2 + pole_mass/2*(px'^2 + py'^2) + pole_mass*pole_length^2/24*angle'^2",
        "dissipation": "(friction*x'^2 + damping*angle'^2)/2",
        "points": [{"at": ["x", 0], "force": ["drive", 0]}, {"at": ["px", "py"], "force": [0, "-pole_mass*gravity"]}],
    },
}
STATE = ["angle", "x", "angle_rate", "x_rate"]
start = {"sample": sample(["initial." + name for name in STATE]), **TIMES}
plugin = {"system": {**{k: v for k, v in POLE.items() if k != "push"}, "force": 3, "type": "plugin", "file": "build/cart_pole.so"}, **start}
for name, system in cart.items():
    compare("cart_" + name, plugin, {"system": system, **start}, [(s, s) for s in STATE], 7e-15, 5e-9)

# Lagrange's equations by sympy: accelerations, energy, momenta.
MECHANISMS = {
    "spring_pendulum": (["r", "a"], {"m": 1.3, "k": 40, "L": 0.8, "g": 9.81}, "m/2*(r'^2 + r^2*a'^2)", "k/2*(r - L)^2 - m*g*r*cos(a)"),
    "pendulum_on_cart": (["s", "a"], {"M": 2, "m": 0.7, "l": 0.9, "k": 5, "g": 9.81},
                         "M/2*s'^2 + m/2*((s' + l*cos(a)*a')^2 + (l*sin(a)*a')^2)", "k/2*s^2 - m*g*l*cos(a)"),
    "bead_on_hoop": (["a"], {"m": 0.4, "R": 0.5, "w": 6, "g": 9.81}, "m*R^2/2*(a'^2 + w^2*sin(a)^2)", "-m*g*R*cos(a)"),
    "three_masses": (["x", "y", "z"], {"m": 1.1, "k": 3}, "m/2*(x'^2 + y'^2*exp(x) + z'^2*(2 + sin(x*y))) + x'*z'/10",
                     "k/2*(x^2 + (y - x)^2 + (z - y)^2) + x^4/4"),
}  # fmt: skip


def by_sympy(names, parameters, kinetic, potential):
    """Functions of q, q': q'', momenta, T2 - T0, V."""
    q, v = [[sympy.Symbol(name + end) for name in names] for end in ["", "_rate"]]
    known = {str(s): s for s in q + v}
    T, V = [sympy.sympify(text.replace("'", "_rate").replace("^", "**"), locals={**known, **{p: sympy.Symbol(p) for p in parameters}})
            for text in [kinetic, potential]]  # fmt: skip
    momenta = [sympy.diff(T, s) for s in v]
    M = sympy.Matrix([[sympy.diff(p, s) for s in v] for p in momenta])
    rest = [sympy.diff(T - V, q[i]) - sum(sympy.diff(momenta[i], q[j]) * v[j] for j in range(len(q))) for i in range(len(q))]
    out = [list(M.LUsolve(sympy.Matrix(rest))), momenta, [sum(s * p for s, p in zip(v, momenta)) - T, V]]
    return sympy.lambdify(q + v, [[sympy.sympify(e).subs(parameters) for e in part] for part in out])


for name, (coordinates, parameters, kinetic, potential) in MECHANISMS.items():
    system = {
        "type": "equations",
        "parameters": parameters,
        "coordinates": {c: {"value": 1, "unit": "rad" if c == "a" else "m"} for c in coordinates},
        "kinetic": kinetic,
        "potential": potential,
    }
    study = {
        "system": system,
        "integrator": {"type": "dop853", "tolerance": 1e-12},
        "time": {"end": 2},
        "sample": {"method": "latin_hypercube", "count": 6, "seed": 3, "over": [
            {"set": f"initial.{c}{end}", "from": 0.5, "to": 1.5} for c in coordinates for end in ["", "_rate"]]},
        "save": {"trajectory": {"every": 1, "quantities": [*coordinates, *[c + "_rate" for c in coordinates],
                                                           "energy", "kinetic_energy", "potential_energy", *["p_" + c for c in coordinates]]}},
    }  # fmt: skip
    found = run(name, study)
    close(name + " drift", found["energy_drift"], 0, 3e-13)
    function = by_sympy(coordinates, parameters, kinetic, potential)
    for i in range(6):
        at = evaluate(name, i)
        expected = function(*at["q"], *at["qd"])
        close(f"{name} {i}", at["qdd"], expected[0], 3e-14)
        close(f"{name} {i} energies", [at["kinetic_energy"], at["potential_energy"]], expected[2], 1e-14)
    with h5py.File(f"{name}.h5") as f:
        kept = f["study/trajectories"]
        rows = {key: kept[key][...].ravel() for key in kept if isinstance(kept[key], h5py.Dataset)}
    for k in range(0, len(rows["energy"]), 7):
        expected = function(*[rows[c][k] for c in coordinates], *[rows[c + "_rate"][k] for c in coordinates])
        close(f"{name} momenta {k}", [rows["p_" + c][k] for c in coordinates], expected[1], 1e-14)
        close(f"{name} energy {k}", rows["energy"][k], sum(expected[2]), 2e-14)

# Momenta at the start, all of them or beside rates: those rates have them; derivatives through them against differences.
SLED = ["pendulum_on_cart", *MECHANISMS["pendulum_on_cart"]]
for name, (coordinates, parameters, kinetic, potential) in MECHANISMS.items():
    system = {"type": "equations", "parameters": parameters, "coordinates": {c: 0.8 for c in coordinates}, "kinetic": kinetic, "potential": potential}
    given = {"p_" + c: 0.3 - i for i, c in enumerate(coordinates)}
    write("momenta_" + name, {"system": system, "initial": given, "time": {"step": 1e-3, "end": 1}})
    at = evaluate("momenta_" + name)
    momenta = by_sympy(coordinates, parameters, kinetic, potential)(*at["q"], *at["qd"])[1]
    close(f"{name} momenta given", momenta, list(given.values()), 3e-15)
    if len(coordinates) > 1:
        del given["p_" + coordinates[0]]
        write("mixed_" + name, {"system": system, "initial": {**given, coordinates[0] + "_rate": 1.7}, "time": {"step": 1e-3, "end": 1}})
        at = evaluate("mixed_" + name)
        momenta = by_sympy(coordinates, parameters, kinetic, potential)(*at["q"], *at["qd"])[1]
        close(f"{name} momenta beside a rate", [at["qd"][0], *momenta[1:]], [1.7, *given.values()], 1e-14)
_, coordinates, parameters, kinetic, potential = SLED
system = {"type": "equations", "parameters": parameters, "coordinates": {"s": 0.2, "a": 1}, "kinetic": kinetic, "potential": potential}
pushed = {"system": system, "initial": {"p_s": 2, "p_a": -0.5}, "time": {"step": 1e-3, "end": 0.5}}
PUSHED = {"initial.p_s": 2, "initial.a": 1, "system.m": 0.7}
found = np.asarray(run("pushed", {**pushed, "analyse": {"sensitivity": {"to": list(PUSHED)}}})["sensitivity"])
found = found.reshape(found.shape[-2:])
found = found.T if found.shape[0] == 3 else found
for p, (path, value) in enumerate(PUSHED.items()):
    section, key = path.split(".")
    pair = []
    for sign in [-1, 1]:
        moved = json.loads(json.dumps(pushed))
        (moved["system"]["parameters"] if section == "system" else moved["initial"])[key] = value + sign * 1e-5
        ends = run("moved", moved)
        pair.append(np.array([ends["end_" + q].ravel()[0] for q in ["s", "a", "s_rate", "a_rate"]]))
    close("derivative through momenta by " + path, found[:, p],
          (pair[1] - pair[0]) / 2e-5, 2e-9)  # fmt: skip
write("swept_momenta", {**pushed, "sweep": [{"set": "initial.p_s", "from": -2, "to": 2, "count": 40}]})

# Hamilton's equations: Henon and Heiles' system, and a pendulum on a cart by its momenta.
PLANE = "(x^2 + y^2)/2 + x^2*y - y^3/3"
hamiltonian = {"type": "equations", "coordinates": {"x": 0, "y": 0}, "hamiltonian": f"(p_x^2 + p_y^2)/2 + {PLANE}"}
starts = ["initial." + name for name in ["x", "y", "p_x", "p_y"]]
over = {"method": "latin_hypercube", "count": RUNS, "seed": 5, "over": [{"set": key, "from": -0.2, "to": 0.2} for key in starts]}
plane = json.loads(json.dumps(over).replace("p_", "p"))
for method, tolerance in [("rk4", 2e-14), ("yoshida8", 5e-14), ("gauss6", 2e-14)]:
    times = {"integrator": {"type": method}, "time": {"step": 0.05, "end": 50}, "analyse": {"lyapunov": {"exponents": "all"}}}
    pairs = [("x", "x"), ("y", "y"), ("px", "p_x"), ("py", "p_y")]
    compare("henon_heiles_" + method, {"system": {"type": "henon_heiles"}, **times, "sample": plane}, {"system": hamiltonian, **times, "sample": over}, pairs, tolerance, 1e-13)
found = run("drift", {"system": hamiltonian, "integrator": {"type": "yoshida8"}, "time": {"step": 0.05, "end": 2000}, "sample": over})
close("drift of Henon-Heiles", found["energy_drift"], 0, 5e-13)

# Of H = p M^-1 p/2 + V the motion is that of T = q' M q'/2: with masses, angles and products of momenta.
cart_pole = {"parameters": {"M": 2, "m": 0.7, "l": 0.9, "g": 9.81}, "coordinates": {"s": 0.3, "a": {"value": 1, "unit": "rad"}}}
det = "(m*l^2*(M + m*sin(a)^2))"
by_rates = {"type": "equations", **cart_pole, "kinetic": "(M + m)/2*s'^2 + m*l*cos(a)*s'*a' + m*l^2/2*a'^2", "potential": "-m*g*l*cos(a)"}
by_momenta = {"type": "equations", **cart_pole, "define": {"det": det},
              "hamiltonian": "(m*l^2*p_s^2 - 2*m*l*cos(a)*p_s*p_a + (M + m)*p_a^2)/(2*det) - m*g*l*cos(a)"}  # fmt: skip
# s' = 0.4, a' = -0.7 at the start
first = {"p_s": 2.7 * 0.4 + 0.63 * np.cos(1) * -0.7, "p_a": 0.63 * np.cos(1) * 0.4 + 0.567 * -0.7}
common = {"integrator": {"type": "dop853", "tolerance": 1e-12}, "time": {"end": 3}, "save": {"trajectory": {"every": 1000, "quantities": ["energy"]}}}
found = run("by_momenta", {"system": by_momenta, "initial": {k: float(v) for k, v in first.items()}, **common})
expected = run("by_rates", {"system": by_rates, "initial": {"s_rate": 0.4, "a_rate": -0.7}, **common})
for key in ["end_s", "end_a"]:
    close("by momenta " + key, found[key], expected[key], 5e-13)
with h5py.File("by_momenta.h5") as f, h5py.File("by_rates.h5") as g:
    close("energy by momenta", f["study/trajectories/energy"][...].ravel()[0], g["study/trajectories/energy"][...].ravel()[0], 1e-13)
close("drift by momenta", found["energy_drift"], 0, 3e-12)



# What show-equations prints is read again, as a matrix or rates, and moves in the same way.
def printed(name, *options):
    done = subprocess.run([COMMAND, "show-equations", f"{name}.yaml", *options], capture_output=True, text=True)
    assert done.returncode == 0, (name, done.stderr)
    return done.stdout


def again(name, system, study, names, tolerance):
    found = run(name, {"system": system, **study})
    shown = yaml.safe_load(printed(name))
    own = {key: system[key] for key in ["type", "kind", "parameters", "state"] if key in system}
    if "mass" in shown:
        own["coordinates"] = system["coordinates"]
    elif "coordinates" in system:
        own["state"] = {**system["coordinates"], **{"p_" + key: 0 for key in system["coordinates"]}}
    expected = run(name + "_again", {"system": {**own, **shown}, **study})
    for key in ["end_" + state for state in names] + ["lyapunov_spectrum"] * ("analyse" in study):
        close(f"{name} again {key}", expected[key], found[key], tolerance)
    tex = printed(name, "--latex")
    assert tex.startswith("\\begin{align*}\n") and tex.endswith("\\end{align*}\n") and tex.count("{") == tex.count("}"), tex
    return shown, tex


PENDULUM = ["upper", "lower", "upper_rate", "lower_rate"]
shown, tex = again("shown_energies", energies, {**TIMES, "sample": sample(OVER)}, PENDULUM, 1e-13)
assert shown["mass"][0][1] == shown["mass"][1][0] == "c*cos(upper - lower)" and shown["G"] == ["-u*sin(upper)", "-v*sin(lower)"], shown
assert r"c \, \cos\left(\mathit{upper} - \mathit{lower}\right)" in tex and r"\dot{\mathit{lower}}" in tex, tex
again("shown_places", places, {**TIMES, "sample": sample(OVER)}, PENDULUM, 1e-13)
again("shown_pid", controlled, {**TIMES, "sample": sample(OVER)}, [*PENDULUM, "sum"], 1e-13)
again("shown_hamiltonian", by_momenta, {"time": {"step": 1e-3, "end": 1}, "sample": sample(["initial.p_s", "initial.p_a"])}, ["s", "a", "p_s", "p_a"], 1e-13)
odd = {"type": "equations", "parameters": {"s1": 2, "w": {"count": 3, "value": [1, 1.5, 2]}}, "state": {"theta": {"count": 3, "value": [1, 2, 3]}, "u": 0.5},
       "define": {"v": "min(u, -0.5 + t)^3 - (u - (t - 1e-3))"},
       "rates": {"theta[i]": "w[i] - s1*sin(theta[i] - theta[i + 1])/3", "u": "-v/(1 + u^2)/(2/s1) - where(u < 1 and not (v > 3 or v == t), 2, abs(v)^-1.5)^2^t"}}  # fmt: skip
again("shown_odd", odd, {"time": {"step": 1e-3, "end": 1}}, ["theta", "u"], 1e-13)
henon = {"type": "equations", "kind": "map", "parameters": {"a": 1.4, "b": 0.3}, "state": {"x": 0.1, "y": 0}, "next": {"x": "1 - a*x^2 + y", "y": "b*x"}}
again("shown_map", henon, {"time": {"end": 20}}, ["x", "y"], 1e-13)
write("shown_chain", chain)
assert printed("shown_chain").startswith("# the study has no formulas"), printed("shown_chain")

# An energy at the start scales the rates; derivatives by parameters through all of it, against differences.
system = {**energies, "parameters": {**PARAMETERS}}
given = {"system": system, "initial": {"energy": 30, "upper_rate": 1, "lower_rate": -2}, "time": {"step": 1e-3, "end": 0.5},
         "analyse": {"sensitivity": {"to": ["system.m2", "initial.upper", "initial.energy"]}}}  # fmt: skip
write("all", {**given, "sweep": [{"set": "system.m2", "from": 0.3, "to": 2, "count": 40}],
              "save": {"trajectory": {"every": 50, "quantities": ["upper", "energy", "p_lower"]}},
              "events": [{"name": "low", "when": "lower", "crosses": 0.5}]})  # fmt: skip
found = run("derived", given)
at = evaluate("derived")
close("energy given", at["kinetic_energy"] + at["potential_energy"], 30, 3e-15)
step = 1e-5
for p, (path, value) in enumerate([("system.m2", 0.8), ("initial.upper", 2), ("initial.energy", 30)]):
    pair = []
    for sign in [-1, 1]:
        section, key = path.split(".")
        moved = json.loads(json.dumps(given))
        del moved["analyse"]
        if section == "system":
            moved["system"]["parameters"][key] = value + sign * step
        else:
            moved["initial"][key] = value + sign * step
        ends = run("moved", moved)
        pair.append(np.array([ends["end_" + s].ravel()[0] for s in ["upper", "lower", "upper_rate", "lower_rate"]]))
    own = np.asarray(found["sensitivity"])
    own = own.reshape(own.shape[-2:])
    close("derivative by " + path, own[p] if own.shape[1] == 4 else own[:, p], (pair[1] - pair[0]) / (2 * step), 1e-8)
