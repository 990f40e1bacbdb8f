"""Results that tests/cli/wide_plugins.sh has made, against divergences, published and closed values."""

import math

import h5py
import numpy as np
import scipy.optimize


def summary(name):
    with h5py.File(name + ".h5") as file:
        return {key: np.array(value) for key, value in file["study/summary"].items()
                if isinstance(value, h5py.Dataset)}


def check(what, value, wanted, tolerance):
    error = np.max(np.abs(np.asarray(value) - wanted))
    print(f"{what}: {np.asarray(value).ravel()[:3]}, wanted {wanted}, off by {error:.3g} of {tolerance:.3g}")
    assert error <= tolerance, what


# Lorenz 96: the divergence is -N everywhere. Of N = 40, F = 8: the largest exponent is 1.67 to 1.70 (E. N. Lorenz,
# K. A. Emanuel, J. Atmos. Sci. 55 (1998) 399: doubling in 2.1 days of 5 time units, 0.42; A. Karimi, M. R. Paul,
# Chaos 20 (2010) 043105), and the Kaplan-Yorke dimension 27.1.
narrow = summary("lorenz96")
check("sum of 40", narrow["lyapunov_sum"], -40.0, 40 * 1e-4)
check("trace of 40", narrow["mean_trace"], -40.0, 1e-9)
largest = narrow["lyapunov_max"]
check("largest of 40", largest.mean(), 1.685, 0.015 + 3 * largest.std() / math.sqrt(largest.size))
dimension = narrow["kaplan_yorke_dimension"]
check("dimension of 40", dimension.mean(), 27.1, 0.1 + 3 * dimension.std() / math.sqrt(dimension.size))

wide = summary("wide")
assert wide["lyapunov_spectrum"].shape[-1] == 256
check("sum of 256", wide["lyapunov_sum"], -256.0, 256 * 1e-4)
check("trace of 256", wide["mean_trace"], -256.0, 1e-9)

# Kuramoto: locked phases have sin(x_i - psi) = w_i / (K r), so that r = mean sqrt(1 - (w_i / (K r))^2); the exponents
# add up to the divergence K (1 - N r^2), and one of them, along the common phase, is 0.
with h5py.File("kuramoto.h5") as file:
    potential = np.array(file["study/trajectories/potential_energy"])[..., -1].ravel()
locked = summary("kuramoto")
frequencies = np.linspace(-1.0, 1.0, 128)
for run, coupling in enumerate([2.0, 3.0, 4.0]):
    order = scipy.optimize.brentq(
        lambda r: r - np.mean(np.sqrt(np.maximum(0.0, 1 - (frequencies / (coupling * r)) ** 2))), 0.7, 1.0,
        xtol=1e-14)
    check("order", math.sqrt(-2 * potential[run] / (coupling * 128)), order, 1e-8)
    check("sum of phases", locked["lyapunov_sum"][run], coupling * (1 - 128 * order**2), 1e-4 * 128 * coupling)
    check("common phase", locked["lyapunov_spectrum"][run][0], 0.0, 1e-9)
