"""The step of studies/step.yaml by forward simulation, so that its joint moments are known: a leg whose hip two booms
carry over the ground, which pushes as it does people who walk. Stiff joints (`impedance`) follow the angles that the way
of the hip and a rolling foot make necessary, and give way a little. Of that run
the angles and the way of the hip are written 100 times a second, as a laboratory measures them; the ground's force is a
`load` of the run as it is one of the study. Beside it, where no study reads them, are the moments of the joints.

usage: step.py MANYLINK FOLDER, which gets step_motion.csv and step_plate.csv
"""

import subprocess
import sys

import h5py
import numpy as np

MASS, HEIGHT = 70.0, 1.70  # kg, m
# length of the height, mass of the body's, centre of mass and radius of gyration of the length (Dempster, Winter)
LEG = {"thigh": (0.245, 0.1, 0.433, 0.323), "shank": (0.246, 0.0465, 0.433, 0.302), "foot": (0.118, 0.0145, 0.5, 0.475)}
BOOM, TOP = 0.9, 1.75  # m: length of each boom, height of their base
HEEL, TOES = -0.05, 0.2  # m, from the ankle along the foot, which is a line
TIME = np.arange(75) * 0.01  # s
STANCE = 0.06, 0.68


def segments():
    """(length, mass, com, inertia) by name; the carrier has what is above the hip."""
    rows = {"boom": (BOOM, 1e-2, BOOM / 2, 1e-3), "carrier": (BOOM, 40.0, BOOM, 1.0)}
    for name, (length, mass, com, radius) in LEG.items():
        l, m = length * HEIGHT, mass * MASS
        rows[name] = l, m, com * l, m * (radius * l) ** 2
    return rows


def smooth(s):
    s = np.clip(s, 0, 1)
    return s**3 * (10 - 15 * s + 6 * s**2)


def two_links(way, first, second, bend):
    """Angles of two links whose tip goes along `way` from the origin."""
    inner = bend * np.arccos(((way**2).sum(-1) - first**2 - second**2) / (2 * first * second))
    angle = np.arctan2(way[:, 1], way[:, 0]) - np.arctan2(second * np.sin(inner), first + second * np.cos(inner))
    return angle, angle + inner


def targets(t):
    """Angles of all segments, from +x."""
    l = {name: row[0] for name, row in segments().items()}
    foot = np.radians(18 * (1 - smooth((t - 0.04) / 0.16)) - 52 * smooth((t - 0.38) / 0.36))
    ankle = np.array([0.05, 0.0]) + np.zeros((len(t), 2))
    for at, phi in (HEEL, np.maximum(foot, 0)), (TOES, np.minimum(foot, 0)):  # fixed point, and the turn about it
        ankle -= at * (np.stack([np.cos(phi), np.sin(phi)], -1) - [1, 0])
    ankle[:, 1] += 0.02 * (1 - smooth((t + 0.03) / 0.11)) + 0.05 * smooth((t - 0.64) / 0.2)
    hip = np.stack([-0.22 + 0.8 * t, 0.785 + 0.012 * np.cos(2 * np.pi * (t - 0.37) / 0.6)], -1)
    return np.stack([*two_links(hip - [0, TOP], BOOM, BOOM, 1), *two_links(ankle - hip, l["thigh"], l["shank"], -1), foot])


def plate():
    """Force of the ground and where it acts: under the heel, then the toes."""
    s = np.clip((TIME - STANCE[0]) / (STANCE[1] - STANCE[0]), 0, 1)
    is_on = (s > 0) & (s < 1)
    along = 0.01 + 0.23 * smooth(0.9 * s + 0.05)
    return {"fx": -130 * np.sin(2 * np.pi * s) * np.sin(np.pi * s),
            "fy": 850 * (np.sin(np.pi * s) + 0.3 * np.sin(3 * np.pi * s)) * is_on,
            "px": along * is_on, "py": 0 * s}


def write(path, columns):
    with open(path, "w") as file:
        file.write(",".join(columns) + "\n")
        for row in zip(*columns.values()):
            file.write(",".join(f"{v:.9g}" for v in row) + "\n")


def write_study(folder):
    t, names = np.arange(0, TIME[-1] + 1e-9, 2e-3), list(segments())
    angle, (after, before) = targets(t), targets(np.array([1e-5, -1e-5])).T
    write(f"{folder}/targets.csv", {"time": t, **dict(zip(names, angle))})
    write(f"{folder}/ground.csv", {"time": TIME, **plate()})
    rows = "\n".join(f"    - {{name: {name}, length: {l:.17g}, mass: {m:.17g}, com: {d:.17g}, inertia: {i:.17g}}}"
                     for name, (l, m, d, i) in segments().items())
    target = ", ".join(f"{name}: {{type: table, file: targets.csv, column: {name}}}" for name in names)
    with open(f"{folder}/step_run.yaml", "w") as file:
        file.write(f"""manylink: 1
system:
  type: chain
  zero: right
  segments:
{rows}
forces:
  - {{type: impedance, stiffness: [2e5, 1e5, 3e4, 2e4, 5e3], damping: [4e3, 2e3, 400, 200, 15], equilibrium: {{{target}}}}}
  - {{name: ground, type: load, segment: foot, file: ground.csv, force: [fx, fy], point: [px, {-TOP}]}}
initial: {{angle: {[float(v) for v in angle[:, 0]]}, rate: {[float(v) for v in (after - before) / 2e-5]}}}
time: {{step: 1e-4, end: {TIME[-1]}}}
save: {{trajectory: {{every: 100, quantities: [angle, joint_moment]}}}}
""")


def measure(folder):
    with h5py.File(f"{folder}/step_run.h5") as file:
        angle, moment = (file[f"study/trajectories/{name}"][0] for name in ("angle", "joint_moment"))
    hip = sum(BOOM * np.stack([np.cos(phi), np.sin(phi)]) for phi in angle[:2]) + [[0], [TOP]]
    columns = {"time": TIME, "base/x": hip[0], "base/y": hip[1]}
    columns.update((f"angle/{name}", angle[2 + i]) for i, name in enumerate(LEG))
    write(f"{folder}/step_motion.csv", columns)
    columns = {"time": TIME, **plate()}
    columns.update((f"moment_{joint}", moment[2 + i]) for i, joint in enumerate(("hip", "knee", "ankle")))
    write(f"{folder}/step_plate.csv", columns)


if __name__ == "__main__":
    manylink, folder = sys.argv[1:]
    write_study(folder)
    subprocess.run([manylink, "run", f"{folder}/step_run.yaml", "-o", f"{folder}/step_run.h5", "--restart"], check=True)
    measure(folder)
