"""The derivatives of a base that moves, as SciPy has them: usage: inverse_base.py SPLINED.h5 FILTERED.h5 MOTION.csv"""

import sys

import h5py
import numpy as np
from scipy.interpolate import make_interp_spline
from scipy.signal import butter, sosfiltfilt

table = np.genfromtxt(sys.argv[3], delimiter=",", names=True, deletechars="")
time, way = table["time"], np.array([table["base/x"], table["base/y"]])


def check(path, way, tolerance):
    spline = make_interp_spline(time, way, 5, axis=1)
    with h5py.File(path) as file:
        group = file["study/inverse"]
        assert list(group.attrs["splined"]) == ["rate", "acceleration", "base_rate", "base_acceleration"]
        for order, name in enumerate(("base", "base_rate", "base_acceleration")):
            wanted = spline.derivative(order)(time) if order else way
            assert np.abs(group[name][()] - wanted).max() < tolerance * np.abs(wanted).max(), (path, name)


check(sys.argv[1], way, 1e-10)
check(sys.argv[2], sosfiltfilt(butter(2, 6, fs=100, output="sos"), way, axis=1, padlen=9), 1e-9)
