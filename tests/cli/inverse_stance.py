"""Runs with loads, and back by inverse dynamics.

usage: inverse_stance.py check PUSHED.h5 REFERENCE-FOLDER   accelerations of a run against tests/reference
       inverse_stance.py plate STANCE.h5 REFERENCE-FOLDER   writes plate.csv, the ground's force and where it acts
       inverse_stance.py back TORQUES.h5                    torques of the joints against those of the run
"""

import sys

import h5py
import numpy as np
from scipy.interpolate import PchipInterpolator

LEG = [(0.43, 7.0, 0.19, 0.11), (0.42, 3.3, 0.18, 0.05), (0.14, 1.0, 0.07, 0.004)]  # as the studies of the test
GROUND = {"level": -0.86, "stiffness": 9e4, "damping": 0.3, "friction": 0.7, "slip_speed": 0.05}


def torque_of(time):
    """Torques of the actuators of the study, N m."""
    return np.array([9 + 12 * np.sin(2 * np.pi * 1.1 * time), -6 * np.cos(2 * np.pi * 0.9 * time),
                     2 * np.sin(2 * np.pi * 2 * time + 0.5)])


def way_of(path):
    import newton_euler

    with h5py.File(path) as file:
        group = file["study/trajectories"]
        angle, rate, acceleration = (group[name][0] for name in ("angle", "rate", "acceleration"))
        return group["time"][()], newton_euler.Chain(LEG, angle - np.pi / 2, rate, acceleration)


def check(path):
    time, chain = way_of(path)
    samples = np.genfromtxt("push.csv", delimiter=",", names=True)
    at = {name: PchipInterpolator(samples["time"], samples[name])(time) for name in samples.dtype.names}
    foot = 2, np.stack([at["px"], at["py"]], -1), 1.5 * np.stack([at["fx"], at["fy"]], -1), 1.5 * at["mz"]
    shank = 1, chain.point(1, 0.1)[0], np.stack([20 * np.sin(2 * np.pi * 3 * time), 0 * time], -1), 0.0
    torque, _ = chain.inverse(np.array([0, -9.81]), [foot, shank])
    damping = np.array([[0], [2], [0.5]]) * np.diff(chain.rate, axis=0, prepend=0)
    error = np.abs(torque + damping - torque_of(time)).max() / np.abs(torque).max()
    print("largest difference of torques of a pushed run:", error)
    assert error < 2e-12


def plate(path):
    import newton_euler

    time, chain = way_of(path)
    _, where, force, _ = newton_euler.ground(chain, 2, **GROUND)
    pressed = force[:, 1] > 0
    assert 0.2 < pressed.mean() < 0.9
    where[~pressed] = 0
    with open("plate.csv", "w") as file:
        file.write("time,fx,fy,px,py\n")
        for row in zip(time, *force.T, *where.T):
            file.write(",".join(f"{v:.17g}" for v in row) + "\n")


def back(path):
    with h5py.File(path) as file:
        group = file["study/inverse"]
        error = np.abs(group["torque"][()] - torque_of(group["time"][()])).max()
    print("largest difference of torques by inverse dynamics, N m:", error)
    assert error < 1e-11


mode, path, *folder = sys.argv[1:]
sys.path[:0] = folder
{"check": check, "plate": plate, "back": back}[mode](path)
