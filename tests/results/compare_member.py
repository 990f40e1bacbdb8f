#!/usr/bin/python3
"""compare_member.py WHOLE.h5 ALONE.h5 RUN: is the run alone what it is in the whole study?

Every dataset of the summary, of the runs and of the trajectories that both have must hold the same
bits for that run; of trajectories the samples at the times that both have. Prints what differs; exit
code 0 same, 1 different.
"""
import sys

import h5py
import numpy as np

whole, alone, run = h5py.File(sys.argv[1]), h5py.File(sys.argv[2]), int(sys.argv[3])
n_run = whole["study/runs/outcome"].shape[0]
compared, different = 0, []


def compare(name, a, b):
    global compared
    compared += 1
    if a.shape != b.shape or a.tobytes() != b.tobytes():
        different.append(f"{name}: {a.ravel()[:4]} in the study, {b.ravel()[:4]} alone")


def is_scale(dataset):
    return dataset.attrs.get("CLASS") == b"DIMENSION_SCALE"


for name in ("outcome", "end_time", "steps"):
    compare(name, whole[f"study/runs/{name}"][run : run + 1], alone[f"study/runs/{name}"][...])

for name, dataset in alone["study/summary"].items():
    if not isinstance(dataset, h5py.Dataset) or is_scale(dataset) or name not in whole["study/summary"]:
        continue
    if dataset.dtype.kind == "O":
        continue  # the title
    rows = whole["study/summary"][name][...].reshape(n_run, -1)
    compare(name, rows[run], dataset[...].ravel())

if "trajectories" in whole["study"]:
    kept = list(whole["study/trajectories/run"][...])
    times, all_times = whole["study/trajectories/time"][...], alone["study/trajectories/time"][...]
    at = np.searchsorted(all_times, times)
    if not np.array_equal(all_times[at], times):
        different.append("the run alone lacks times of the study")
    for name, dataset in whole["study/trajectories"].items():
        if run in kept and isinstance(dataset, h5py.Dataset) and not is_scale(dataset):
            if dataset.dtype.kind == "f" and dataset.shape[-1] == len(times):
                compare(name, dataset[kept.index(run)], alone["study/trajectories"][name][0][..., at])

print(f"{compared} datasets compared")
print("\n".join(different))
sys.exit(1 if different or compared < 5 else 0)
