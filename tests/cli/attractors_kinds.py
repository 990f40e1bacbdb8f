"""What results of tests/cli/attractors.sh say of attractors that are known otherwise.

usage: attractors_kinds.py TURNING.h5 CHAOS.h5 CYCLE.h5 BANDS.h5
"""

import sys

try:
    import h5py
    import numpy as np
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)

turning, chaos, cycle, bands = map(h5py.File, sys.argv[1:])

# Rates at the beat as SciPy's DOP853 at 1e-12 has them.
table = turning["study/attractors/beat"]
assert np.array_equal(table["period"], [1, 1]), table["period"][()]
assert np.abs(np.sort(table["rate"]) - [-0.885299, 1.758278]).max() < 1e-4, table["rate"][()]
assert table["fraction"][()].sum() > 0.99
exponent, error = table["uncertainty_exponent"][()], table["uncertainty_exponent_error"][()]
print(f"uncertainty exponent of the turning pendulum {exponent:.3f} +- {error:.3f}")
assert abs(exponent - 0.06) < error < 0.06, (exponent, error)
uncertain, slopes = table["uncertain_fractions"][()], table["uncertainty_slopes"][()]
assert uncertain[0] == table["uncertain_fraction"][()] and slopes[0] == exponent and len(slopes) == len(uncertain)

# Labels of chaos are those of exponents above two errors, of runs without an attractor.
summary, table = chaos["study/summary"], chaos["study/attractors/beat"]
labels, n = summary["beat_attractor"][()], table["attractor"].shape[0] if "attractor" in table else 0
grows = summary["lyapunov_max"][()] > 2 * summary["lyapunov_error"][..., 0]
assert grows[labels == n + 2].all() and not grows[labels == n + 1].any()
assert abs(np.mean(labels == n + 2) - table["chaotic_fraction"][()]) < 1e-12 and np.mean(labels == n + 2) > 0.5
meanings = summary["beat_attractor"].attrs["flag_meanings"].split()
assert meanings[0] == "unsettled" and meanings[n + 2] == f"{n + 2}:_chaotic", meanings

labels = cycle["study/summary/beat_attractor"]
assert labels.attrs["flag_meanings"] == "unsettled 1:_no_period", labels.attrs["flag_meanings"]
assert np.mean(labels[()] == 1) > 0.8 and np.all(cycle["study/summary/section_attractor"][()] == 1)

# The swings in the wells are at all drives, those between them at some: each point moves on by less than to another.
summary, table = bands["study/summary"], bands["study/attractors/beat"]
labels, shares = summary["beat_attractor"][()], table["fractions"][()]
assert shares.shape == (11, 4) and table["fractions"].dims[0].keys()[0] == "system.gamma"
assert np.allclose(shares, [[np.mean(part == i + 1) for i in range(4)] for part in labels])
assert (shares[:, :2] > 0.3).all() and (shares[[0, 1, 2, 3, 4, 10], 2:] == 0).all() and (shares[6, 2:] > 0).all()
assert "uncertainty_exponent" not in table and "basin_entropy" not in table
x = np.where(labels[..., None] == [1, 2], summary["beat_x"][..., :1][..., 0][..., None], np.nan)
assert np.all(np.nanmax(x, axis=(1, 2))[:, 0] < 0) and np.all(np.nanmin(x, axis=(1, 2))[:, 1] > 0)
