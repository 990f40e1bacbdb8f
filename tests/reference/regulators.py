#!/usr/bin/env python3
"""Linear quadratic regulators of chains of uniform rods, by scipy.linalg's solvers of Riccati equations and the linearised
equations of motion, written for absolute angles from the downward vertical,

    M theta'' = -G theta + (u_i - u_i+1),  M_ij = cos(theta_i - theta_j) m_ij,  G_i = g w_i cos theta_i

with m_ij = w_max l_min for i != j. Of chosen poles by scipy.signal.place_poles. The gains are by joint angles: u = -K alpha - D alpha'.
Run: regulators.py > regulators.json"""
import json

import numpy as np
from scipy.linalg import expm, solve_continuous_are, solve_discrete_are
from scipy.signal import place_poles

GRAVITY = 9.81


def chain(rods, angles):
    """M, G of rods [(length, mass), ...] at rest."""
    n = len(rods)
    length, mass = (np.array(column, float) for column in zip(*rods))
    behind = np.array([mass[i + 1:].sum() for i in range(n)])
    lever = length * (mass / 2 + behind)
    inertia = np.diag(length**2 * (mass / 3 + behind))
    for i in range(n):
        for j in range(i):
            inertia[i, j] = inertia[j, i] = lever[i] * length[j] * np.cos(angles[i] - angles[j])
    return inertia, np.diag(GRAVITY * lever * np.cos(angles))


def sampled(a, b, interval):
    n, m = b.shape
    whole = expm(interval * np.block([[a, b], [np.zeros((m, n + m))]]))
    return whole[:n, :n], whole[:n, n:]


def regulator(rods, angles, q_angle, q_rate, r, actuated=None, joint=False, interval=None, poles=None):
    """By the costs, or of chosen poles [[re, im], ..]."""
    n = len(rods)
    inertia, stiffness = chain(rods, np.array(angles))
    to_joints = np.eye(n) - np.eye(n, k=-1)                # joint angles of absolute ones
    torque = to_joints.T[:, actuated if actuated is not None else range(n)]
    a = np.block([[np.zeros((n, n)), np.eye(n)], [-np.linalg.solve(inertia, stiffness), np.zeros((n, n))]])
    b = np.vstack([np.zeros_like(torque), np.linalg.solve(inertia, torque)])
    counted = to_joints if joint else np.eye(n)            # angles as the study counts them, each with its weight
    weigh = [counted.T @ np.diag(np.broadcast_to(weight, n)) @ counted for weight in (q_angle, q_rate)]
    q = np.block([[weigh[0], np.zeros((n, n))], [np.zeros((n, n)), weigh[1]]])
    cost = np.diag(np.broadcast_to(r, torque.shape[1]).astype(float))
    if poles is not None:
        a, b = sampled(a, b, interval) if interval else (a, b)
        asked = np.array(poles) @ [1, 1j]
        gain = place_poles(a, b, asked).gain_matrix
        poles, slowest = np.linalg.eigvals(a - b @ gain), None
        assert max(abs(poles - p).min() for p in asked) < 1e-9
    elif interval is None:
        gain = np.linalg.solve(cost, b.T @ solve_continuous_are(a, b, q, cost))
        poles = np.linalg.eigvals(a - b @ gain)
        slowest = poles.real.max()
    else:
        a, b = sampled(a, b, interval)
        x = solve_discrete_are(a, b, q, cost)
        gain = np.linalg.solve(cost + b.T @ x @ b, b.T @ x @ a)
        poles = np.linalg.eigvals(a - b @ gain)
        slowest = abs(poles).max()
    absolute = np.linalg.inv(to_joints)                    # of joint angles
    full = np.zeros((n, 2 * n))
    full[actuated if actuated is not None else slice(None)] = gain
    return {"stiffness": (full[:, :n] @ absolute).tolist(), "damping": (full[:, n:] @ absolute).tolist(), "slowest": slowest,
            "poles": sorted([p.real, p.imag] for p in poles)}


up, down = np.pi, 0.0
arm = [(1.0, 1.0), (0.5, 1.0)]
json.dump({
    "rod": regulator([(1.0, 1.5)], [up], 100, 1, 0.1),
    "arm": regulator(arm, [up, up], 50, 2, 0.5),
    "acrobot": regulator(arm, [up, up], 10, 5, 1, actuated=[1]),
    "sampled": regulator(arm, [up, up], 50, 2, 0.5, joint=True, interval=0.02),
    "mixed": regulator([(1.0, 1.0), (0.5, 1.0), (0.4, 0.7)], [down, up, up], 20, 0.5, 0.2),
    "uneven": regulator(arm, [up, up], [50, 5], [2, 0.1], [0.5, 0.02]),
    "uneven_sampled": regulator(arm, [up, up], [1, 300], 2, [4, 0.1], joint=True, interval=0.02),
    "rod_placed": regulator([(1.0, 1.5)], [up], 1, 1, 1, poles=[[-4, 3], [-4, -3]]),
    "acrobot_placed": regulator(arm, [up, up], 1, 1, 1, actuated=[1], poles=[[-2, 3], [-2, -3], [-4, 0], [-5, 0]]),
    "pendubot_placed": regulator(arm, [up, up], 1, 1, 1, actuated=[0], poles=[[-3, 1], [-3, -1], [-6, 2], [-6, -2]], joint=True),
    "sampled_placed": regulator(arm, [up, up], 1, 1, 1, actuated=[1], poles=[[0.9, 0.05], [0.9, -0.05], [0.8, 0], [0.7, 0]], interval=0.02),
}, __import__("sys").stdout, indent=1)
print()
