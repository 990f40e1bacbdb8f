"""What runs record of contacts and joints: against inverse dynamics of the same motions, and where events are.

usage: contact_records.py RUNS.h5 TOLERANCE.h5 INVERSE.h5
"""

import sys

import h5py
import numpy as np


def numbers(path, group):
    with h5py.File(path) as file:
        return {name: data[()] for name, data in file[f"study/{group}"].items() if isinstance(data, h5py.Dataset)}


# Kept numbers are those that the event looks at; runs by steps and by tolerance meet them at the same times.
steps, tolerant = numbers(sys.argv[1], "summary"), numbers(sys.argv[2], "summary")
for event, looked, level in (("press", "contact_force.floor.y", 3.0), ("let_go", "slip.shank", 1.0),
                             ("hard", "joint_force.thigh.y", 40.0)):
    found = steps[f"{event}_{looked}"]
    off = np.nanmax(np.abs(found - level)) / level
    apart = np.nanmax(np.abs(steps[f"{event}_times"] - tolerant[f"{event}_times"]))
    print(f"{event}: {np.isfinite(found).sum()} events, off by {off}, s from those by tolerance: {apart}")
    assert np.isfinite(found).sum() >= 21 and off < 1e-10, event
    assert (steps[f"{event}_count"] == tolerant[f"{event}_count"]).all() and apart < 1e-4, event

runs, inverse = numbers(sys.argv[1], "trajectories"), numbers(sys.argv[3], "inverse")
n_run, n_time = runs["angle"].shape[0], runs["angle"].shape[-1]
for name, other in (("joint_force", inverse["joint_force"]),
                    ("joint_moment", inverse["torque"] - inverse["torque_damping"] - inverse["torque_passive"])):
    own = runs[name]
    apart = np.abs(own - other.reshape(own.shape)).max() / np.abs(own).max()
    print(f"{name} of {n_run} runs at {n_time} times against inverse dynamics:", apart)
    assert apart < 1e-13, apart
