"""A motion of cycles of different lengths by formulas, and its cycles in a result against the same formulas.

usage: gait_cycles.py write            writes swing.csv (angle, rate, acceleration), plate_KIND.csv, legs.csv and joints.csv
       gait_cycles.py check A.h5 B.h5  cycles, their mean and deviation, peaks and work; in B per 70 kg
       gait_cycles.py same A.h5 B.h5.. results have the same cycles
       gait_cycles.py foot A.h5        the cycles of legs.csv
       gait_cycles.py velocity A.h5    those of steps.csv, by the vertical velocity of the foot
"""

import sys

import numpy as np

RATE = 1000  # Hz
DURATION = np.array([1.0, 1.13, 0.94, 1.07])  # s
STRIKE = 0.2095 + np.concatenate([[0], np.cumsum(DURATION)])  # s, at a threshold of 475 N
STANCE = np.array([0.62, 0.58, 0.61, 0.6, 0.6])
SIZE = np.array([0.1, 0.25, 0.05, 0.2, 0.15, 0.15])  # rad, of the part that differs
LENGTH, MASS, COM, INERTIA = 0.4, 3.0, 0.2, 0.05
AROUND = INERTIA + MASS * COM**2  # kg m^2, about the joint


def toe_off(cycle):
    """s, on the samples of the plate, at which the force falls through 475 N."""
    start = STRIKE[cycle] - 0.0095
    return start + np.round(STANCE[cycle] * 1.0, 3) - 0.0095


def differentiate(terms):
    """d/d(phase) of sums of factor x sin^p cos^q of pi x phase, by p and q."""
    out = {}
    for (p, q), factor in terms.items():
        for power, value in (((p - 1, q + 1), p * factor), ((p + 1, q - 1), -q * factor)):
            out[power] = out.get(power, 0) + np.pi * value
    return out


def curve(phase, size):
    """Angle, and its derivatives by the phase; cycles of any length go smoothly into each other."""
    s, c = np.sin(np.pi * phase), np.cos(np.pi * phase)
    terms = {(6, 0): 0.5, (6, 6): 4, (7, 1): -1, (6, 2): size}
    for _ in range(3):
        yield sum(factor * s**p * c**q for (p, q), factor in terms.items() if q >= 0)
        terms = differentiate(terms)


def write():
    t = np.arange(0, STRIKE[-1] + 0.3, 1 / RATE)
    edges = np.concatenate([[STRIKE[0] - 1], STRIKE, [STRIKE[-1] + 1]])
    cycle = np.searchsorted(edges, t, side="right") - 1
    length = np.diff(edges)[cycle]
    size = np.concatenate([[0.1], SIZE])[cycle]
    angle, rate, bend = curve((t - edges[cycle]) / length, size)
    np.savetxt("swing.csv", np.stack([t, angle, rate / length, bend / length**2], -1), fmt="%.17g", delimiter=",",
               header="time,angle/shank,rate/shank,acceleration/shank", comments="")
    fy = np.zeros(len(t))  # ramps of 1000 N in 20 ms that begin at samples
    for c in range(len(STRIKE)):
        start, end = STRIKE[c] - 0.0095, toe_off(c) + 0.0095
        fy = np.maximum(fy, 1000 * np.clip(np.minimum((t - start) / 0.02, (end - t) / 0.02 + 1e-12), 0, 1))
    noisy = fy.copy()
    for c in range(len(STRIKE) - 1):
        middle = int(RATE * (STRIKE[c] + 0.3))
        noisy[middle:middle + 40] = 0  # dropped samples of a stance
        late = int(RATE * (toe_off(c) + 0.1))
        noisy[late:late + 45] = 600  # shaken in swing
    edge = fy.copy()
    edge[:100] = 800  # a stance that has begun before
    edge[-30:] = 800  # and a strike that the table's end hides
    for name, force in (("good", fy), ("noisy", noisy), ("edge", edge), ("part", 0.4 * fy)):
        np.savetxt(f"plate_{name}.csv", np.stack([t, 0 * t, force], -1), fmt="%.17g", delimiter=",",
                   header="time,fx,fy", comments="")
    t = np.arange(0, 5, 0.01)
    thigh = 0.5 * np.cos(2 * np.pi * (t - 0.321) / 1.234)
    for name, foot in (("legs", 0 * t + 1.2), ("joints", 1.2 - thigh)):
        np.savetxt(f"{name}.csv", np.stack([t, thigh, foot], -1), fmt="%.17g", delimiter=",",
                   header="time,angle/leg,angle/foot", comments="")
    t = np.arange(0.1, 5, 0.005)
    ankle, middle = heights(HEIGHTS["ankle"], t), heights(HEIGHTS["middle"], t)
    angle = np.arcsin(2 * (middle - ankle) / FOOT)
    np.savetxt("steps.csv", np.stack([t, angle, 1.1 * t - FOOT / 2 * np.cos(angle), ankle], -1), fmt="%.17g", delimiter=",",
               header="time,angle/foot,base/x,base/y", comments="")


# Ankle and middle of a foot over the ground, m: mean, then cosine and sine of each harmonic, about as in a walk at 1.2 m/s.
FOOT, STRIDE = 0.16, 1.02  # m, s
HEIGHTS = {"ankle": (0.1155, [(-0.0434, -0.0576), (-0.0165, 0.0317), (0.0166, 0.0020), (-0.0002, -0.0057)]),
           "middle": (0.0846, [(-0.0198, -0.0436), (-0.0112, 0.0183), (0.0154, -0.0003), (0.0001, -0.0082)])}


def heights(series, t, order=0):
    """The height, or its derivative of that order."""
    mean, harmonics = series
    total = mean * (order == 0) + 0 * t
    for k, (c, s) in enumerate(harmonics, 1):
        w = 2 * np.pi * k / STRIDE
        total = total + w**order * (c * np.cos(w * t + order * np.pi / 2) + s * np.sin(w * t + order * np.pi / 2))
    return total


def velocity(path):
    """Strikes are minima of the velocity with the ankle below 35 % of its range, toe-offs the maxima: roots of the acceleration."""
    from scipy.optimize import brentq

    t = np.linspace(0.1, 5, 4901)
    a, v, ankle = (heights(HEIGHTS[name], t, order) for name, order in (("middle", 2), ("middle", 1), ("ankle", 0)))
    roots = [brentq(lambda x: heights(HEIGHTS["middle"], x, 2), t[k], t[k + 1]) for k in np.flatnonzero(a[:-1] * a[1:] < 0)]
    low = ankle.min() + 0.35 * np.ptp(ankle)
    at = {k: heights(HEIGHTS["middle"], k, 1) for k in roots}
    strikes = np.array([k for k in roots if at[k] < -0.1 * np.ptp(v) and heights(HEIGHTS["ankle"], k) < low])
    offs = np.array([k for k in roots if at[k] > 0.99 * v.max()])
    group = study(path)
    assert len(strikes) == 4 and group["cycle"].shape == (3,), strikes
    error = np.abs(group["cycle_start"][()] - strikes[:-1]).max()
    found = group["cycle_start"][()] + group["cycle_duration"][()] * group["toe_off"][()] / 100
    error_off = max(np.abs(offs - one).min() for one in found)
    print("strikes, toe-offs by the velocity (s):", error, error_off)
    assert error < 1e-4 and error_off < 3e-4, (error, error_off)


def study(path):
    import h5py
    return h5py.File(path)["study/inverse"]


def near(name, found, true, tolerance):
    error = np.abs(found - true).max() / np.abs(true).max()
    print(f"{name}: {error:.2g}")
    assert found.shape == true.shape and error < tolerance, name


def check(path, per_mass):
    check_numbers(path)
    check_numbers(per_mass, 70)
    group = study(path)
    n = len(DURATION)
    near("strikes", group["cycle_start"][()], STRIKE[:-1], 1e-14)
    near("durations", group["cycle_duration"][()], DURATION, 1e-14)
    near("toe-offs", group["toe_off"][()], 100 * (toe_off(np.arange(n)) - STRIKE[:-1]) / DURATION, 1e-13)
    before = group["toe_off_before"][()]
    assert np.isnan(before[0])
    near("toe-offs before", before[1:], toe_off(np.arange(n - 1)), 1e-13)
    assert (group["percent"][()] == np.arange(101)).all() and (group["cycle"][()] == np.arange(1, n + 1)).all()
    phase = np.arange(101) / 100
    angle, rate, bend = curve(phase, SIZE[:n, None])
    torque = AROUND * bend / DURATION[:, None] ** 2  # without gravity
    power = torque * rate / DURATION[:, None]
    for name, true in (("angle", angle), ("torque", torque), ("power", power)):
        near(name, group[f"cycle_{name}"][0], true, 3e-7)
        near(f"mean of the {name}", group[f"cycle_{name}_mean"][0], true.mean(0), 3e-7)
        near(f"sd of the {name}", group[f"cycle_{name}_sd"][0], true.std(0, ddof=1), 3e-7)


def check_numbers(path, per=1.0):
    """Peaks and work of each cycle, of the formulas at 20,000 points."""
    group, n = study(path), len(DURATION)
    phase = np.arange(20001) / 20000
    _, rate, bend = curve(phase, SIZE[:n, None])
    torque = AROUND * bend / DURATION[:, None] ** 2
    power = torque * rate / DURATION[:, None]
    for name, k in (("max", torque.argmax(1)), ("min", torque.argmin(1))):
        near(f"{name}. torque", group[f"cycle_{name}_torque"][0], torque[np.arange(n), k] / per, 2e-4)
        assert np.abs(group[f"cycle_{name}_torque_at"][0] - 100 * phase[k]).max() < 0.06  # % that half a sample is
        assert np.abs(group[f"cycle_{name}_torque_time"][0] - STRIKE[:n] - phase[k] * DURATION).max() < 6e-4
    stance = (toe_off(np.arange(n)) - STRIKE[:n]) / DURATION
    sums = {"positive": np.zeros(n), "negative": np.zeros(n)}
    # Of a knee: sign, and from which part of stance (0 to 1) and swing (1 to 2) on up to which its largest power is.
    bursts = {"K1": (-1, 0, 0.4), "K2": (1, 0.1, 0.7), "K3": (-1, 0.7, 1.4), "K4": (-1, 1.4, 2)}
    sums.update({name: np.zeros(n) for name in bursts})
    tops = {name: np.zeros((2, n)) for name in bursts}  # W, %
    for c in range(n):
        p = power[c]
        for part in np.split(np.arange(len(p)), np.flatnonzero(np.diff(np.sign(p))) + 1):
            if len(part) < 2:
                continue
            work = (p[part][1:] + p[part][:-1]).sum() / 2 * (phase[1] - phase[0]) * DURATION[c]
            top = phase[part[np.abs(p[part]).argmax()]]
            at = top / stance[c] if top < stance[c] else 1 + (top - stance[c]) / (1 - stance[c])
            sums["positive" if work > 0 else "negative"][c] += work
            for name, (sign, start, end) in bursts.items():
                if sign * work > 0 and start <= at < end:
                    sums[name][c] += work
                    if np.abs(p[part]).max() > abs(tops[name][0, c]):
                        tops[name][:, c] = sign * np.abs(p[part]).max(), 100 * top
    for name in ("positive", "negative"):
        near(f"{name} work", group[f"cycle_{name}_work"][0], sums[name] / per, 3e-4)
    assert [name.decode() for name in group["burst"]] == list(bursts)
    for k, name in enumerate(bursts):
        assert np.abs(sums[name]).max() > 0, name
        near(f"work of {name}", group["burst_work"][k], sums[name] / per, 3e-4)
        there = tops[name][0] != 0
        near(f"power of {name}", group["burst_power"][k], tops[name][0] / per, 4e-4)
        assert (np.isnan(group["burst_power_at"][k]) == ~there).all(), name
        assert np.abs(group["burst_power_at"][k] - tops[name][1])[there].max() < 0.06  # % that half a sample is
    assert group["burst_power"].attrs["units"] == ("W" if per == 1 else "W/kg")
    summary = group.parent["summary"]
    for name in ("max_torque", "max_torque_at", "min_torque", "min_torque_at", "positive_work", "negative_work"):
        near(f"mean of {name}", summary["mean_cycle_" + name][()], group["cycle_" + name][()].mean(-1), 1e-14)


def same(a, *others):
    for b in others:
        for name, true in study(a).items():
            if name.startswith("cycle") or name == "toe_off":
                near(name, study(b)[name][()], true[()], 1e-12)


def foot(path):
    group = study(path)
    near("strikes by the foot", group["cycle_start"][()], 0.321 + 1.234 * np.arange(3), 1e-5)
    near("toe-offs by the foot", group["toe_off"][()], np.full(3, 50.0), 1e-3)


mode, *files = sys.argv[1:]
{"write": write, "check": check, "same": same, "foot": foot, "velocity": velocity}[mode](*files)
