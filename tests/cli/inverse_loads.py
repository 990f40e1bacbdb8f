"""40 random chains with a moving base, forces from outside and friction: torques of `manylink inverse` against
tests/reference/newton_euler.py, and their parts, which add up.

usage: inverse_loads.py MANYLINK REFERENCE-FOLDER
"""

import subprocess
import sys

import h5py
import numpy as np
import yaml

sys.path.insert(0, sys.argv[2])
import newton_euler

PARTS = "inertia", "velocity", "gravity", "base", "external", "damping", "passive"
N_TIME = 20


def numbers(values):
    return [float(v) for v in values]


def draw_chain(rng):
    """A system as a study has it, and (length, mass, com, inertia) of its segments."""
    n = rng.integers(1, 6)
    segments = [rng.uniform([0.2, 0.3, 0.0, 0.01], [0.6, 5.0, 0.4, 0.3]) for _ in range(n)]
    keys = "length", "mass", "com", "inertia"
    system = {
        "type": "chain",
        "zero": str(rng.choice(["down", "right"])),
        "angles": str(rng.choice(["segment", "joint"])),
        "gravity": numbers(rng.uniform(-10, 10, 2)),
        "segments": [dict(zip(keys, numbers(s)), name=f"s{i}") for i, s in enumerate(segments)],
    }
    return system, segments


def draw_motion(rng, system, n, has_base):
    """Columns of a table where every derivative is given, and the chain's way: samples have nothing to do with
    each other."""
    time = np.cumsum(rng.uniform(0.01, 0.02, N_TIME))
    given = [rng.uniform(-s, s, (n, N_TIME)) for s in (3.0, 4.0, 20.0)]
    columns = {"time": time}
    for row, values in zip(("angle", "rate", "acceleration"), given):
        columns.update((f"{row}/s{i}", values[i]) for i in range(n))
    base = None
    if has_base:
        base = np.stack([rng.uniform(-s, s, (N_TIME, 2)) for s in (1.0, 2.0, 10.0)])
        for row, values in zip(("base", "base_rate", "base_acceleration"), base):
            columns.update((f"{row}/{c}", values[:, d]) for d, c in enumerate("xy"))
    phi, rate, acceleration = [np.cumsum(v, 0) if system["angles"] == "joint" else v for v in given]
    if system["zero"] == "down":
        phi = phi - np.pi / 2
    return columns, (phi, rate, acceleration, base)


def draw_forces(rng, chain, n):
    """Forces as a study has them, and what each is to the reference."""
    forces, loads = [], []
    last = int(rng.integers(n))
    at, force = rng.uniform(-0.1, 0.5), rng.uniform(-20, 20, 2)
    forces.append({"type": "point_force", "segment": f"s{last}", "at": float(at), "force": numbers(force)})
    loads.append((last, chain.point(last, at)[0], np.tile(force, (N_TIME, 1)), 0.0))
    own = {"at": float(rng.uniform(0, 0.5)), "stiffness": 40.0, "rest_length": 0.25, "anchor": numbers(rng.normal(size=2))}
    forces.append({"type": "spring", "segment": f"s{n - 1}", **own})
    loads.append(newton_euler.spring(chain, n - 1, own["at"], 40.0, 0.25, np.array(own["anchor"])))
    own = {"level": 0.3, "stiffness": 300.0, "damping": 0.2, "friction": 0.6, "slip_speed": 0.2}
    forces.append({"type": "ground", "segment": f"s{n - 1}", **own})
    loads.append(newton_euler.ground(chain, n - 1, **own))
    surface = {"stiffness": 200.0, "exponent": 1.5, "damping": 0.3, "friction": 0.5, "slip_speed": 0.1}
    wall = {"at": float(rng.uniform(0, 0.5)), "point": numbers(rng.normal(size=2)), "normal": numbers(rng.normal(size=2))}
    stone = {"at": 0.1, "point": numbers(rng.normal(size=2)), "radius": 1.2}
    for own in wall, stone:
        forces.append({"type": "contact", "segment": f"s{last}", **own, **surface})
        loads.append(newton_euler.contact(chain, last, **own, **surface))
    return forces, loads


def rub(rng, chain, n):
    """Dry friction in a joint, and the torque [joint, time] that overcomes it."""
    own = {"coulomb": 2.0, "static": 3.0, "stribeck_speed": 1.5, "viscous": 0.2, "velocity_scale": 0.3}
    joint, torque = int(rng.integers(n)), np.zeros((n, N_TIME))
    rate = np.diff(chain.rate, axis=0, prepend=0)[joint]
    torque[joint] = -newton_euler.joint_friction(rate, **own)
    return {"type": "friction", "joint": f"s{joint}", **own}, torque


def draw_load(rng, chain, n, i, time):
    """A force from a table, at a point of the room or of the segment, in one of the ways to write it; below the
    threshold the table has a point that means nothing."""
    segment = int(rng.integers(n))
    force, moment = rng.uniform(-30, 30, (N_TIME, 2)), rng.uniform(-5, 5, N_TIME)
    scale, threshold = float(rng.uniform(0.5, 2)), 12.0
    is_pressed = scale * np.hypot(*force.T) >= threshold
    point = chain.joint(segment) + rng.uniform(-0.1, 0.1, (N_TIME, 2))
    columns = {"mz": moment, "fx": force[:, 0], "time": time, "fy": force[:, 1]}
    load = {"type": "load", "segment": f"s{segment}", "file": f"plate{i}.csv", "force": ["fx", "fy"], "moment": "mz",
            "scale": scale}
    if i % 2:
        point = chain.point(segment, 0.2)[0]
        load.update(at=0.2, moment={"type": "table", "file": f"plate{i}.csv", "column": "mz", "scale": -1})
        moment = -moment
    else:
        load.update(point={"x": "px", "y": "py"}, threshold=threshold)
        columns.update(px=np.where(is_pressed, point[:, 0], 77), py=np.where(is_pressed, point[:, 1], -99))
        force, moment = force * is_pressed[:, None], moment * is_pressed
    write_table(f"plate{i}.csv", columns)
    return load, (segment, point, scale * force, scale * moment)


def write_table(path, columns):
    with open(path, "w") as file:
        file.write(",".join(columns) + "\n")
        for row in zip(*columns.values()):
            file.write(",".join(f"{v:.17g}" for v in row) + "\n")


def compare(case, rng):
    """Largest differences of torques and forces, relative to the largest."""
    system, segments = draw_chain(rng)
    n = len(segments)
    columns, way = draw_motion(rng, system, n, case % 4 != 0)
    write_table("motion.csv", columns)
    chain = newton_euler.Chain(segments, *way)
    forces, loads = draw_forces(rng, chain, n)
    for i in range(case % 4):
        study_has, is_really = draw_load(rng, chain, n, i, columns["time"])
        forces.append(study_has)
        loads.append(is_really)
    friction, overcomes = rub(rng, chain, n)
    forces.append(friction)
    with open("study.yaml", "w") as file:
        yaml.safe_dump({"manylink": 1, "system": system, "forces": forces}, file)
    subprocess.run([sys.argv[1], "inverse", "study.yaml", "--motion", "motion.csv", "-o", "torque.h5"], check=True,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    torque, force = chain.inverse(np.array(system["gravity"]), loads)
    torque += overcomes
    with h5py.File("torque.h5") as file:
        group = file["study/inverse"]
        assert ("torque_base" in group) == (case % 4 != 0) == ("base" in group)
        is_torque = group["torque"][()]
        is_force = group["joint_force"][()].transpose(0, 2, 1)
        parts = sum(group[f"torque_{part}"][()] for part in PARTS if f"torque_{part}" in group)
    size = np.abs(torque).max()
    assert np.abs(parts - is_torque).max() < 1e-13 * max(size, 1.0)
    return np.abs(is_torque - torque).max() / size, np.abs(is_force - force).max() / np.abs(force).max()


rng = np.random.default_rng(34)
worst = np.max([compare(case, rng) for case in range(40)], 0)
print("largest differences of torques and forces, of the largest:", *worst)
assert (worst < 1e-14).all(), worst
