#!/usr/bin/python3
"""check_cart_pole.py: results of examples/cart_pole against its mathematics.

Reads what tests/cli/cart_pole.sh ran in the current directory.
CHECK_SLACK=0 in the environment shows every measured error.
"""
import os
import sys

import h5py
import numpy as np

CART, POLE, LENGTH, G = 1.0, 0.5, 1.0, 9.81  # presets
ARM = LENGTH / 2
STATE = ("angle", "x", "angle_rate", "x_rate")
SLACK = float(os.environ.get("CHECK_SLACK", "1"))
bad = 0


def check(what, error, bound):
    global bad
    if not error <= bound * SLACK:
        print(f"{what}: {error:.2e}, bound {bound:.1e}")
        bad = 1


def summary(result, name):
    with h5py.File(f"{result}.h5") as file:
        return file["study/summary"][name][()]


def end_state(result):
    return np.stack([summary(result, f"end_{name}") for name in STATE], axis=-1)


def linearised(angle, friction, damping):
    """d/dt of small (angle, x, angle', x') about rest at angle 0 or pi."""
    sign = np.cos(angle)
    mass = np.array([[POLE * LENGTH**2 / 3, POLE * ARM * sign], [POLE * ARM * sign, CART + POLE]])
    pull = np.linalg.solve(mass, [[-POLE * G * ARM * sign, 0.0], [0.0, 0.0]])
    drag = np.linalg.solve(mass, [[-damping, 0.0], [0.0, -friction]])
    return np.block([[np.zeros((2, 2)), np.eye(2)], [pull, drag]])


def growth(matrix, time):
    """ln of the largest singular value of exp(matrix time), over time."""
    values, vectors = np.linalg.eig(matrix)
    flow = (vectors * np.exp(values * time)) @ np.linalg.inv(vectors)
    return np.log(np.linalg.norm(flow, 2)) / time


def order_is_4():
    ends = [end_state(f"step{k}") for k in range(4)]
    changes = [np.abs(b - a).max() for a, b in zip(ends, ends[1:])]
    for k in range(2):
        check("order of convergence - 4", abs(np.log2(changes[k] / changes[k + 1]) - 4), 0.01)


def small_swings_have_their_frequency():
    """The whole of it stays where it is, so x follows the angle."""
    size, time = 1e-5, 7.0
    omega = np.sqrt(
        (CART + POLE)
        * POLE
        * G
        * ARM
        / ((CART + POLE) * POLE * LENGTH**2 / 3 - (POLE * ARM) ** 2)
    )
    swing = size * np.cos(omega * time)
    exact = [swing, POLE * ARM / (CART + POLE) * (size - swing)]
    check("small swing", np.abs(end_state("small")[:2] - exact).max() / size, 2e-9)


def derivatives_are_those_of_runs():
    """By keys in the order of the study; a run with each a little larger and smaller."""
    found = summary("derivatives", "sensitivity")
    for k, step in enumerate((1e-4, 1e-4, 1e-4)):
        above, below = end_state(f"shifted{k}")
        exact = (above - below) / (2 * step)
        check(f"derivative {k}", np.abs(found[:, k] - exact).max() / np.abs(exact).max(), 2e-7)


def growth_is_that_of_the_linear_system():
    for result, angle in (("hanging", 0.0), ("upright", np.pi)):
        exact = growth(linearised(angle, 0.3, 0.1), 3.0)
        check(f"{result}: growth", abs(summary(result, "ftle") - exact), 1e-9)


def exponents_sum_to_the_trace():
    error = np.abs(summary("chaos", "lyapunov_sum") - summary("chaos", "mean_trace")).max()
    check("sum of the exponents", error, 3e-5)  # of quadrature
    check("chaos", 0.1 - summary("chaos", "lyapunov_max").max(), 0.0)


order_is_4()
check("energy drift", summary("free", "energy_drift").max(), 5e-9)
small_swings_have_their_frequency()
derivatives_are_those_of_runs()
growth_is_that_of_the_linear_system()
exponents_sum_to_the_trace()
sys.exit(bad)
