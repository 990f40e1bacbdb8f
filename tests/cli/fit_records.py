"""Fits of positions, a force at the base and a formula against scipy.optimize.least_squares with an independent model."""
import importlib.util
import os
import subprocess
import sys

import h5py
import numpy as np
from scipy.integrate import solve_ivp
from scipy.optimize import least_squares

reference, manylink = sys.argv[1:3]
spec = importlib.util.spec_from_file_location("fit_pendulum", os.path.join(reference, "fit_pendulum.py"))
pendulum = importlib.util.module_from_spec(spec)
spec.loader.exec_module(pendulum)

LENGTH = 0.4  # of the lower segment
SD = np.array([0.002, 0.002, 0.1, 0.003])  # m, m, N, m
COLUMNS = ["hand_x", "hand_y", "base_force", "reach"]


def observed(time, p):
    """[time, 4]: tip of the lower segment, vertical force of the base, distance of the tip from the base."""
    x = solve_ivp(lambda t, x: pendulum.rates(x, p), (0, time[-1]), [p[5], pendulum.B0, 0, 0], "DOP853", time, rtol=1e-12, atol=1e-12).y
    turn = np.array([pendulum.rates(x[:, k], p) for k in range(len(time))]).T
    a, b, u, v = x
    m1, c1, m2, c2, length, g = pendulum.M1, pendulum.C1, p[0], p[1], pendulum.L, pendulum.G
    hand = np.array([length * np.sin(a) + LENGTH * np.sin(b), -length * np.cos(a) - LENGTH * np.cos(b)])
    up = lambda angle, rate, acceleration: np.sin(angle) * acceleration + np.cos(angle) * rate**2  # of a unit length
    first, second = up(a, u, turn[2]), up(b, v, turn[3])
    force = m1 * (c1 * first + g) + m2 * (length * first + c2 * second + g)
    return np.array([*hand, force, np.hypot(*hand)]).T


time = 0.02 * np.arange(100)
measured = observed(time, pendulum.TRUE) + SD * np.random.default_rng(7).normal(size=(100, 4))
np.savetxt("records.csv", np.column_stack([time, measured]), delimiter=",", header="time,hand_x (m),hand_y,base_force (N),reach (m)", comments="", fmt="%.9g")
measured = np.loadtxt("records.csv", delimiter=",", skiprows=1)[:, 1:]
subprocess.run([manylink, "fit", "records.yaml", "-q", "--threads", "1", "--kernel", "general"], check=True)
subprocess.run([manylink, "fit", "records.yaml", "-q", "--threads", "3", "-o", "again.h5"], check=True)
with h5py.File("records_fit.h5") as f, h5py.File("again.h5") as again:
    g = f["study/fit"]
    found = {k: g[k][...] for k in g if isinstance(g[k], h5py.Dataset)}
    for key in ("estimate", "covariance", "residual"):
        assert found[key].tobytes() == again["study/fit"][key][...].tobytes(), key
scipy = least_squares(
    lambda p: ((observed(time, p) - measured) / SD).ravel(),
    found["estimate"] * (1 + 1e-3), jac="3-point", x_scale=found["standard_error"], xtol=1e-14, ftol=1e-14, gtol=1e-14)
covariance = np.linalg.inv(scipy.jac.T @ scipy.jac)
error = np.sqrt(np.diag(covariance))
off = np.max(abs(found["estimate"] - scipy.x) / error)
off_covariance = np.max(abs(found["covariance"] - covariance) / np.outer(error, error))
off_residual = np.max(abs(found["residual"].T - (measured - observed(time, found["estimate"]))) / SD)
print(f"estimates differ by {off:.1e} standard errors, covariances by {off_covariance:.1e}, residuals by {off_residual:.1e}")
assert off < 5e-4 and off_covariance < 1e-4 and off_residual < 6e-5
assert np.all(abs(found["estimate"] - pendulum.TRUE) < 4 * error)
