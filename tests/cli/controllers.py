"""Results of tests/cli/controllers.sh."""

import h5py
import numpy as np
from scipy.linalg import expm
from scipy.optimize import brentq

J, C, K, WISH, END = 0.5, 0.3, 2.0, 1.0, 2.51
KI, KD, TF, B, W, LAG, TT = 12.0, 1.5, 0.05, 0.6, 0.3, 0.04, 0.3


def near(found, right, tolerance, what):
    worst = np.max(np.abs(np.asarray(found) - right))
    assert worst <= tolerance, (what, worst, found, right)


def results(name):
    for kind in "rates", "mechanism":
        study = h5py.File(f"{name}.{kind}.h5")["study"]
        rate = study["summary/end_w" if kind == "rates" else "summary/end_q_rate"][()]
        for run, kp in enumerate((9.0, 20.0)):
            ends = {key[6:]: study["summary"][key][run] for key in study["summary"] if key.startswith("end_u_")}
            yield kp, study["summary/end_q"][run], rate[run], ends, study["trajectories/u"][run], f"{name}.{kind} {kp}"


def affine(rows):
    """Matrix of x' = rows of (coefficients.., constant), with a last number 1."""
    return np.vstack([rows, np.zeros(len(rows) + 1)])


def advance(rows, x, h):
    return (expm(affine(rows) * h) @ np.append(x, 1))[:-1]


def modal(rows_of, mode_of, x, end):
    """Piecewise affine motion: exact within a mode, whose ends are found by bisection."""
    t, mode, whole = 0.0, mode_of(x, None), {}
    while t < end - 1e-13:
        h = min(2e-3, end - t)
        if mode not in whole:
            whole[mode] = expm(affine(rows_of(mode)) * 2e-3)
        y = (whole[mode] @ np.append(x, 1))[:-1] if h == 2e-3 else advance(rows_of(mode), x, h)
        if mode_of(y, mode) != mode:
            low, high = 0.0, h
            for _ in range(50):
                mid = (low + high) / 2
                low, high = (mid, high) if mode_of(advance(rows_of(mode), x, mid), mode) == mode else (low, mid)
            h, y = high, advance(rows_of(mode), x, high)
            mode = mode_of(y, mode)
        x, t = y, t + h
    return x


# Without limits: q, w, and the states of the controller.
for kp, q, w, ends, u, what in results("linear"):
    x = advance([[0, 1, 0, 0], [-(K + kp) / J, -(C + KD) / J, 1 / J, kp * WISH / J], [-KI, 0, 0, KI * WISH]], [0, 0, 0], END)
    near([q, w, ends["integral"]], x, 2e-14, what)
for kp, q, w, ends, u, what in results("filtered"):
    moved = np.array([1, 0, 0, -1, 0, -W * WISH])  # m - f of q, w, I, f, actuator, 1
    demand = np.array([-kp, 0, 1, 0, 0, kp * B * WISH]) - KD / TF * moved
    x = advance([[0, 1, 0, 0, 0, 0], [-K / J, -C / J, 0, 0, 1 / J, 0], [-KI, 0, 0, 0, 0, KI * WISH], moved / TF,
                 (demand - [0, 0, 0, 0, 1, 0]) / LAG], np.zeros(5), END)
    near([q, w, ends["integral"], ends["filtered"], ends["actuator"]], x, 5e-13, what)
for kp, q, w, ends, u, what in results("smoothed"):
    x = advance([[0, 1, 0, 0], [-(K + kp) / J, -C / J, -KD / J, kp * WISH / J], [0, 1 / TF, -1 / TF, 0]], [0, 0, 0], END)
    near([q, w, ends["filtered"]], x, 3e-14, what)

# With limits: a mode is the side of the limit and whether the integral stands still.
for name, low, high in ("clamped", -3.5, 3.5), ("freed", -3.5, 3.5), ("calculated", -1.0, 4.0):
    for kp, q, w, ends, u, what in results(name):
        demand = np.array([-kp, -KD, 1, kp * WISH])

        def mode_of(x, _):
            v, e = demand @ np.append(x, 1), WISH - x[0]
            side = int(v > high) - int(v < low)
            return side, name == "clamped" and side * e > 0

        def rows_of(mode):
            side, stands = mode
            out = demand if side == 0 else np.array([0, 0, 0, high if side > 0 else low])
            grows = np.array([-KI, 0, 0, KI * WISH]) * (not stands)
            if name == "calculated":
                grows = grows + (out - demand) / TT
            return [[0, 1, 0, 0], [-K / J, -C / J, 0, 0] + out / J, grows]

        near([q, w, ends["integral"]], modal(rows_of, mode_of, np.zeros(3), END), 3e-12, what)
        assert np.max(u) == high, what

# Sampled: the law, and the exact plant and actuator between samples.
for name, start, h, has in ("held", 0, 0.02, ""), ("late", 0.03, 0.02, "limit"), ("built", 0, 0.03, "limit built"), (
        "measured", 0, 0.03, "measured"):
    for kp, q, w, ends, u, what in results(name):
        built, measured = "built" in has, "measured" in has
        tf = TF if built or measured else 0.0
        b, weight = (B, W) if built else (1.0, 0.0)
        low, high = (-1.0, 4.0) if built else (-3.5, 3.5) if has else (-np.inf, np.inf)
        low, high = (-np.inf, np.inf) if measured else (low, high)
        most = 60.0 if built or measured else np.inf
        plant = affine([[0, 1, 0, 0, 0], [-K / J, -C / J, 1 / J, 0, 0], [0, 0, -1 / LAG, 1 / LAG, 0], [0, 0, 0, 0, 0]]) if built else (
            affine([[0, 1, 0, 0, 0], [-K / J, -C / J, 0, 1 / J, 0], [0, 0, 0, 0, 0], [0, 0, 0, 0, 0]]))
        x = np.zeros(5)  # q, w, actuator, command, 1
        integral = command = slope = seen = 0.0
        n = int((END - start) / h + 1e-9)
        for k in range(n + 1):
            y = 0.002 * np.floor(x[0] / 0.002 + 0.5) if built else x[0]
            m = y - weight * WISH
            rate = x[1] if measured else (m - seen) / h if k > 0 else 0.0
            slope = (tf * slope + h * rate) / (tf + h)
            demand = kp * (b * WISH - y) + integral - KD * slope
            out = command + np.clip(np.clip(demand, low, high) - command, -most * h, most * h)
            grows = KI * (WISH - y)
            if built:
                grows += (out - demand) / TT
            elif (demand - out) * grows > 0:
                grows = 0.0
            integral, command, seen = integral + h * grows, out, m
            x[3] = command
            x = expm(plant * (h if k < n else END - start - n * h)) @ x
        near([q, w, ends["integral"], ends["command"]], [x[0], x[1], integral, command], 5e-13, what)
        if built:
            near(ends["actuator"], x[2], 5e-13, what)

# The loop that is cut at the output.
for kp, *_, what in results("loop"):
    s = h5py.File(what.split()[0] + ".h5")["study/summary"]
    run = 0 if kp == 9 else 1

    def response(omega):
        p = 1j * omega
        return (kp + KI / p + KD * p / (TF * p + 1)) / (LAG * p + 1) / (J * p * p + C * p + K)

    turn = brentq(lambda o: response(o).imag, 5, 100)
    one = brentq(lambda o: abs(response(o)) - 1, 1, 100)
    lag = np.pi + np.angle(response(one))
    near(s["gain_margin"][run], 1 / abs(response(turn)), 4e-14, what)
    near(s["gain_margin_frequency"][run], turn, 4e-14, what)
    near(s["phase_margin"][run], lag, 4e-14, what)
    near(s["delay_margin"][run], lag / one, 4e-14, what)
    near(s["equilibrium_input"][run], K * WISH, 4e-14, what)
    near(s["steady_state_error"][run], WISH - s["end_q"][run], 1e-14, what)
