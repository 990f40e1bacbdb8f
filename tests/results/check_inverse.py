#!/usr/bin/python3
"""check_inverse.py: are the results of `inverse` here what tests/cli/inverse.sh made them to be?

Exit code 0 good, 1 not.
"""
import json
import sys

import h5py
import numpy as np

PARTS = ["inertia", "velocity", "gravity", "external", "damping", "passive"]


def load(name):
    with h5py.File(name, "r") as file:
        group = file["study/inverse"]
        return {key: group[key][()] for key in group if key != "plots"}, dict(group.attrs)


def error(is_now, should):
    return np.abs(is_now - should).max() / max(np.abs(should).max(), 1e-300)


def sums(name, data):
    """The parts are the whole."""
    torque = sum(data[f"torque_{part}"] for part in PARTS)
    yield f"{name}: sum of the parts", error(torque, data["torque"]), 1e-14
    velocity = data["torque_centripetal"] + data["torque_coriolis"]
    yield f"{name}: velocity", np.abs(velocity - data["torque_velocity"]).max(), 3e-15
    inertia = data["torque_inertia_own"] + data["torque_inertia_coupling"].sum(axis=-2)
    yield f"{name}: inertia", np.abs(inertia - data["torque_inertia"]).max(), 2e-14


def shapes():
    wanted = {
        "table": (2, 6),
        "arm_inverse": (2, 201),
        "paired": (6, 2, 201),
        "alike": (6, 2, 201),
        "grid": (2, 2, 201),
        "path": (8, 2, 61),
    }
    for name, shape in wanted.items():
        data, _ = load(f"{name}.h5")
        yield f"{name}: shape", float(data["torque"].shape != shape), 0.0
        numbers = [x for x in data.values() if isinstance(x, np.ndarray) and x.dtype.kind == "f"]
        yield f"{name}: finite", float(not all(np.isfinite(x).all() for x in numbers)), 0.0
        yield from sums(name, data)


def scales():
    """Every dimension has a scale of its own."""
    with h5py.File("grid.h5", "r") as file:
        coupling = file["study/inverse/torque_inertia_coupling"]
        names = [dim[0].name.rsplit("/", 1)[-1] for dim in coupling.dims]
    wanted = ["system.segments.fore.mass", "joint", "by_joint", "time"]
    yield "grid: scales of the coupling", float(names != wanted), 0.0


def origins():
    for name, given, splined in [
        ("table", ["angle"], ["rate", "acceleration"]),
        ("arm_inverse", ["angle", "rate"], ["acceleration"]),
        ("one", ["angle", "rate", "acceleration"], []),
    ]:
        _, attributes = load(f"{name}.h5")
        yield f"{name}: given", float(list(attributes["given"]) != given), 0.0
        yield f"{name}: splined", float(list(attributes.get("splined", [])) != splined), 0.0
    for name, not_counted in [("arm_inverse", ["drive"]), ("pid", ["brain"]), ("hand", [])]:
        _, attributes = load(f"{name}.h5")
        wrong = list(attributes.get("not_counted", [])) != not_counted
        yield f"{name}: not counted", float(wrong), 0.0


def torques_come_back():
    """Of runs with a damper at one joint and a torque of 2 N m at the other."""
    for name in ["arm_inverse", "paired"]:
        data, _ = load(f"{name}.h5")
        should = np.zeros_like(data["torque"])
        should[..., 0, :] = 2.0
        yield f"{name}: torque of the run", np.abs(data["torque"] - should).max(), 5e-8
    one, _ = load("one.h5")
    motion = np.array([one[name][:, 0] for name in ("angle", "rate", "acceleration")])
    yield "one: motion", error(motion, np.array([[0.1, 0.2], [1, 2], [3, 4]])), 0.0
    ours, _ = load("arm_inverse.h5")
    swapped, _ = load("swapped.h5")
    yield "swapped: angles by name", error(swapped["angle"], ours["angle"][::-1]), 0.0
    alike, _ = load("alike.h5")
    paired, _ = load("paired.h5")
    mass = np.array([1, 1, 1, 2, 2, 2])
    yield "paired: swept", error(paired["system.segments.fore.mass"], mass), 0.0
    yield "alike: motion", error(alike["angle"], paired["angle"]), 0.0
    grid, _ = load("grid.h5")
    yield "grid: run", error(grid["torque"][1], paired["torque"][4]), 0.0
    difference = np.abs(grid["torque"][0] - grid["torque"][1]).max()
    yield "grid: mass matters", float(difference < 0.1), 0.0


def forces_count():
    """Of those on the segments; what drives the joints is left out, whatever it is."""
    drive, _ = load("arm_inverse.h5")
    pid, _ = load("pid.h5")
    hand, _ = load("hand.h5")
    yield "pid: torque", error(pid["torque"], drive["torque"]), 0.0
    upper = hand["angle"][0]
    fore = upper + hand["angle"][1]
    elbow = 0.31 * np.array([np.cos(upper), np.sin(upper)])
    at = elbow + 0.3 * np.array([np.cos(fore), np.sin(fore)])
    should = np.array([7 * (at[0] - x) + 5 * (at[1] - y) for x, y in [(0, 0), elbow]])
    yield "hand: torque_external", error(hand["torque_external"], should), 3e-15
    shift = hand["joint_force"] - drive["joint_force"]
    yield "hand: joint_force", np.abs(shift - [[[-5.0], [7.0]]]).max(), 3e-14


def main():
    if len(sys.argv) != 1:
        sys.exit(__doc__)
    bad = 0
    for check in (shapes, scales, origins, torques_come_back, forces_count):
        for what, measured, bound in check():
            print(f"{what}: {measured:.2e} <= {bound:.0e}")
            if not measured <= bound:
                print(f"wrong: {what}")
                bad = 1
    return bad


if __name__ == "__main__":
    sys.exit(main())
