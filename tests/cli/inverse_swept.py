"""Results of inverse_swept.sh: closed forms, SciPy, and the same bits as studies without a sweep."""

import csv

import h5py
import numpy as np
from scipy.signal import butter, filtfilt


def torque_of(file, *at):
    return file["study/inverse/torque"][at]


def reach(t, onset, duration, way):
    """Acceleration of a minimum-jerk motion."""
    s = np.clip((t - onset) / duration, 0, 1)
    return way * 60 * s * (1 - s) * (1 - 2 * s) / duration**2


# A rod that no gravity pulls: torque = inertia x acceleration, the largest 10/sqrt(3) way/duration^2.
inertia = 2.5 * 0.6**2 / 3
grid = h5py.File("grid.h5")
time = grid["study/inverse/time"][()]
durations, onsets, ends = (grid[f"study/inverse/motion.{key}"][()] for key in ("duration", "onset", "end.angle.arm"))
assert grid["study/inverse/motion.duration"].attrs["units"] == "s"
for i, duration in enumerate(durations):
    for j, onset in enumerate(onsets):
        for k, end in enumerate(ends):
            wanted = inertia * reach(time, onset, duration, end - 0.1)
            error = np.abs(torque_of(grid, i, j, k, 0) - wanted).max()
            assert error < 1e-13 * np.abs(wanted).max(), (duration, onset, end, error)
            peak = 10 / np.sqrt(3) * inertia * (end - 0.1) / duration**2
            assert abs(grid["study/summary/peak_torque"][i, j, k, 0] / peak - 1) < 1e-5
drawn = h5py.File("drawn.h5")
for run, (duration, onset) in enumerate(
    zip(drawn["study/inverse/motion.duration"][()], drawn["study/inverse/motion.onset"][()])
):
    wanted = inertia * reach(time, onset, duration, 1.3)
    assert np.abs(torque_of(drawn, run, 0) - wanted).max() < 1e-13 * np.abs(wanted).max(), run

# Hand paths.
path, alone = h5py.File("reach.h5"), h5py.File("alone.h5")
for name in "torque", "angle", "acceleration":
    assert np.array_equal(path[f"study/inverse/{name}"][1, 1, 1], alone[f"study/inverse/{name}"][()]), name

# Filters.
arm = h5py.File("arm.h5")
cutoffs = arm["study/inverse/inverse.filter.cutoff"][()]
assert "filter_cutoff" not in arm["study/inverse"].attrs and arm["study/inverse/torque"].attrs["units"] == "N m/kg"
with open("arm.csv") as file:
    raw = np.array([[float(row[name]) for row in csv.DictReader(file)] for name in ["upper_arm"]])
for k, cutoff in enumerate(cutoffs):
    wanted = filtfilt(*butter(2, cutoff, fs=100), raw[0])
    assert np.abs(arm["study/inverse/angle"][:, k, 0] - wanted).max() < 1e-13, cutoff
residual = arm["study/summary/angle_residual_rms"][0, :, 0]
assert (np.diff(residual) < 0).all(), residual
for file, at in (h5py.File("mass.h5"), (1, 4)), (h5py.File("cutoff.h5"), (2, 12)):
    for name in "torque", "angle", "acceleration":
        own = file[f"study/inverse/{name}"][()]
        assert np.array_equal(arm[f"study/inverse/{name}"][at].reshape(own.shape), own), (name, at)
# muscles per kg do not depend on the body's mass, up to rounding; divided by 70 kg they are in proportion to it
torque, body = arm["study/inverse/torque"][()], h5py.File("body.h5")["study/inverse/torque"][()]
size = np.abs(torque).max()
assert np.abs(torque - torque[:1]).max() < 3e-15 * size
assert np.abs(body - torque * (np.array([50, 75, 100]) / 70)[:, None, None, None]).max() < 3e-15 * size

# Runs.
runs, plain, two = (h5py.File(name) for name in ("runs.h5", "plain.h5", "two.h5"))
angle = runs["study/trajectories/angle"][()]
assert np.array_equal(angle[::2], angle[1::2]) and not np.array_equal(angle[0], angle[2])
assert np.array_equal(angle[::2], plain["study/trajectories/angle"][()])
assert np.array_equal(runs["study/runs/motion.duration"][()], [0.3, 0.3, 0.8, 0.8])
resolved = two["study/resolved"][()].decode()
assert "  duration: 0.8\n" in resolved and "cutoff: 5\n" in resolved, resolved
pairs, second = h5py.File("pairs.h5"), h5py.File("second.h5")
assert np.array_equal(torque_of(pairs, 2), torque_of(second).reshape(torque_of(pairs, 2).shape))
assert np.array_equal(pairs["study/inverse/inverse.filter.cutoff"][()], [5, 20, 5, 20])
assert not np.array_equal(torque_of(pairs, 2), torque_of(pairs, 3))

# Plates: what holds a foot that is still balances the samples of at least the threshold, about the joint in the origin.
plate, sixty = h5py.File("plate.h5"), h5py.File("sixty.h5")
with open("plate.csv") as file:
    _, fx, fy, mz, px = np.array([[float(number) for number in row] for row in list(csv.reader(file))[1:]]).T
moment = px * fy + 0.4 * fx + mz
for k, threshold in enumerate(plate["study/inverse/forces.plate.threshold"][()]):
    wanted = -np.where(np.hypot(fx, fy) >= threshold, moment, 0)
    for mass in 0, 1:
        error = np.abs(torque_of(plate, k, mass, 0) - wanted).max() / np.abs(moment).max()
        assert error < 1e-14, (threshold, error)
assert np.array_equal(torque_of(plate, 3), torque_of(sixty))
