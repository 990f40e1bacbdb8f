"""Friction in joints and contacts of chains against what is known without the engine.

usage: friction_contact.py MANYLINK REFERENCE-FOLDER
"""

import subprocess
import sys

import h5py
import numpy as np
import yaml
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

sys.path.insert(0, sys.argv[2])
import newton_euler

HUNT_CROSSLEY = "stiffness", "exponent", "damping", "friction", "slip_speed"


def plain(value):
    """Of numpy's numbers those that YAML knows."""
    if isinstance(value, dict):
        return {key: plain(v) for key, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(v) for v in value]
    return value.tolist() if isinstance(value, (np.ndarray, np.generic)) else value


def run(study, *options):
    """Groups of the result: summary and trajectories."""
    with open("study.yaml", "w") as file:
        yaml.safe_dump(plain({"manylink": 1} | study), file)
    subprocess.run([sys.argv[1], "run", "study.yaml", "-o", "result.h5", "--restart", "--no-accuracy", *options],
                   check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    with h5py.File("result.h5") as file:
        return [{name: data[()] for name, data in file[f"study/{group}"].items() if isinstance(data, h5py.Dataset)}
                for group in ("summary", "trajectories") if group in file["study"]]


# Random chains: accelerations, forces of contacts and joints


def draw_contact(rng, chain, n):
    """A contact as a study has it, around a point that most are in touch with."""
    segment = int(rng.integers(n))
    at = rng.uniform(-0.2, 0.8)
    where = chain.point(segment, at)[0][0]
    own = dict(zip(HUNT_CROSSLEY, rng.uniform([50, 1, 0, 0, 0.01], [500, 3, 0.3, 0.9, 0.5])))
    direction = rng.normal(size=2)
    depth = rng.uniform(-0.03, 0.2)
    kind = rng.choice(["line", "outside", "inside"])
    if kind == "line":
        own |= {"normal": 3.0 * direction, "point": where + depth * direction / np.linalg.norm(direction)}
        own["point"] = own["point"] + rng.normal() * direction[::-1] * [1, -1]
    else:
        own["radius"] = radius = rng.uniform(0.3, 1.0) * (1 if kind == "outside" else -1)
        own["point"] = where + direction / np.linalg.norm(direction) * (abs(radius) - np.sign(radius) * depth)
    return segment, at, own


def compare(rng):
    n = int(rng.integers(1, 8))
    segments = [rng.uniform([0.2, 0.3, 0.0, 0.01], [0.6, 5.0, 0.4, 0.3]) for _ in range(n)]
    names = [f"s{i}" for i in range(n)]
    phi, rate = rng.uniform(-3, 3, n), rng.uniform(-4, 4, n)
    gravity = rng.uniform(-10, 10, 2)
    is_down, is_joint = rng.integers(2, size=2)
    chain = newton_euler.Chain(segments, phi[:, None], rate[:, None], np.zeros((n, 1)))
    contacts = [draw_contact(rng, chain, n) for _ in range(3)]
    torque, forces = np.zeros(n), []
    for i, relative in enumerate(np.diff(rate, prepend=0.0)):
        own = dict(zip(("coulomb", "static", "stribeck_speed", "viscous", "velocity_scale"),
                       rng.uniform([0.1, 0.5, 0.2, 0.0, 0.01], [2.0, 3.0, 5.0, 0.5, 5.0])))
        if rng.random() < 0.5:
            torque[i] += newton_euler.joint_friction(relative, **own)
            forces.append({"type": "friction", "joint": names[i], **own})
    for k, (segment, at, own) in enumerate(contacts):
        forces.append({"name": f"c{k}", "type": "contact", "segment": names[segment], "at": at, **own})
    turned = phi + np.pi / 2 if is_down else phi

    def study_of(values):
        return np.diff(values, prepend=0.0) if is_joint else values

    (_, found) = run({
        "system": {"type": "chain", "zero": "down" if is_down else "right", "angles": "joint" if is_joint else "segment",
                   "gravity": gravity,
                   "segments": [dict(zip(("length", "mass", "com", "inertia"), s), name=name)
                                for s, name in zip(segments, names)]},
        "forces": forces, "initial": {"angle": study_of(turned), "rate": study_of(rate)},
        "time": {"step": 1e-6, "end": 1e-6},
        "save": {"trajectory": {"every": 1, "quantities": ["acceleration", "contact_force", "joint_force",
                                                          "joint_moment"]}}})

    def loads(moving):
        return [newton_euler.contact(moving, segment, at, **own) for segment, at, own in contacts]

    acceleration, force = newton_euler.forward(segments, phi, rate, torque, gravity, loads)
    should = {"acceleration": study_of(acceleration), "joint_force": force, "joint_moment": torque,
              "contact_force": np.array([load[2][0] for load in loads(chain)])}
    touching = sum(np.abs(f).max() > 0 for f in should["contact_force"])
    return [np.abs(found[name][0, ..., 0] - value).max() / max(np.abs(value).max(), 1.0)
            for name, value in should.items()] + [touching]


rng = np.random.default_rng(34)
worst = [compare(rng) for _ in range(40)]
touching = np.sum(worst, 0)[-1]
worst = np.max(worst, 0)[:-1]
print(f"largest differences in 40 random chains, {touching:.0f} contacts of 120 in touch:", *worst)
assert touching > 80 and (worst < [6e-13, 2e-12, 3e-15, 4e-14]).all(), worst


# A bounce: a body that arrives at v leaves at v', d v - ln(1 + d v) = -d v' - ln(1 - d v').

ROD = {"type": "chain", "zero": "right", "gravity": 0, "segments": [{"name": "rod", "length": 1.2, "mass": 2}]}
for exponent, damping, speed in ((1.5, 0.3, 1.0), (1.0, 0.5, 2.0), (2.2, 0.05, 1.0)):
    at = 0.9
    wall = {"type": "contact", "segment": "rod", "at": at, "point": [0.3, 0], "normal": [0, 2], "stiffness": 1e12,
            "exponent": exponent, "damping": damping}
    summary, _ = run({
        "system": ROD, "forces": [wall], "initial": {"angle": 1e-4, "rate": -speed / at},
        "time": {"tick": 1e-5, "end": 3e-3}, "integrator": {"type": "dop853", "tolerance": 1e-12},
        "save": {"trajectory": {"every": 100}}})
    leaves = brentq(lambda v: damping * speed - np.log1p(damping * speed) + damping * v + np.log1p(-damping * v),
                    0.0, speed * (1 - 1e-9), xtol=1e-15)
    found = summary["end_rate"][0] * at
    print(f"exponent {exponent}: leaves at {found}, should {leaves}")
    assert abs(found - leaves) < 5e-9, found - leaves


# Stick-slip: a joint of inertia J that a spring pulls at the speed V. It holds until the spring's torque is F_s, then
# k (V t - x) - F_c accelerates it, so that the extension y = V t - x is F_c/k + A cos(w t) + (V/w) sin(w t), with
# A = (F_s - F_c)/k, w^2 = k/J; it stops where y' = V, at w t = 2 (pi - atan(A w/V)), and holds for 2 A/V. That is the
# limit of a velocity scale far below the Stribeck speed, and that far below the speeds of slip.

INERTIA, SPRING, HOLDING, SLIDING, SPEED, END = 2 * 1.2**2 / 3, 20.0, 3.0, 2.0, 0.2, 10.0


def stop_times(stribeck_speed, velocity_scale):
    summary, _ = run({
        "system": ROD,
        "forces": [{"type": "friction", "joint": "rod", "coulomb": SLIDING, "static": HOLDING,
                    "stribeck_speed": stribeck_speed, "velocity_scale": velocity_scale},
                   {"type": "pid", "joint": "rod", "kp": SPRING, "kd": 0, "ki": 0,
                    "target": {"type": "ramp", "from": 0, "to": SPEED * END, "onset": 0, "duration": END}}],
        "time": {"tick": 0.01, "end": END}, "integrator": {"type": "rodas4", "tolerance": 1e-10},
        "events": [{"name": "stops", "when": "rate.rod", "crosses": SPEED / 2, "direction": "down", "max": 20}],
        "save": {"trajectory": {"every": 1}}})
    times = summary["stops_times"]
    return times[~np.isnan(times)]


def crosses_down(t, y, *_):
    return y[1] - SPEED / 2


crosses_down.direction = -1
scales = 0.05, 0.01
peer = solve_ivp(
    lambda t, y: [y[1], (SPRING * (SPEED * t - y[0]) + newton_euler.joint_friction(
        y[1], SLIDING, HOLDING, scales[0], 0.0, scales[1])) / INERTIA],
    (0.0, END), [0.0, 0.0], method="Radau", rtol=1e-11, atol=1e-12, events=crosses_down)
apart = np.abs(stop_times(*scales) - peer.t_events[0]).max()
print("stops of a joint that sticks and slips: from those of SciPy's Radau", apart)
assert len(peer.t_events[0]) > 4 and apart < 1e-7

swing, share = np.sqrt(SPRING / INERTIA), (HOLDING - SLIDING) / SPRING
period = 2 * share / SPEED + 2 * (np.pi - np.arctan(share * swing / SPEED)) / swing
errors = [np.abs(np.diff(stop_times(scale, scale**2)) / period - 1).max() for scale in (1e-2, 1e-3, 1e-4)]
print(f"period {period}, relative errors with ever smaller scales", errors)
assert errors[0] < 0.04 and errors[1] < errors[0] / 3 and errors[2] < errors[1] / 3

# A spring and Coulomb's friction alone: each half swing is 2 F_c/k shorter, to the place where it is held.
start = 0.97
summary, _ = run({
    "system": ROD,
    "forces": [{"type": "friction", "joint": "rod", "coulomb": SLIDING, "velocity_scale": 1e-6},
               {"type": "pid", "joint": "rod", "target": 0, "kp": SPRING, "kd": 0, "ki": 0}],
    "initial": {"angle": start}, "time": {"tick": 0.01, "end": 6},
    "integrator": {"type": "rodas4", "tolerance": 1e-10}, "save": {"trajectory": {"every": 1}}})
turns = int(np.ceil((start * SPRING / SLIDING - 1) / 2))
held = (-1) ** turns * (start - turns * 2 * SLIDING / SPRING)
pull = SPRING * held
creep = 1e-6 * pull / np.sqrt(SLIDING**2 - pull**2) * (6 - turns * np.pi / swing)
off = summary["end_angle"][0] - (held - creep)
print(f"held after {turns} half swings at {held} and creeping by {creep}: off by", off)
assert abs(off) < 1e-8 and abs(summary["stick_share"][0] - (1 - turns * np.pi / swing / 6)) < 0.01
