"""A motion of cycles of different lengths by formulas, and its cycles in a result against the same formulas.

usage: gait_cycles.py write            writes swing.csv (angle, rate, acceleration), plate_KIND.csv, legs.csv and joints.csv
       gait_cycles.py check RESULT.h5  the curves of cycles, their mean and deviation
       gait_cycles.py same A.h5 B.h5   two results have the same cycles
       gait_cycles.py foot RESULT.h5   the cycles of legs.csv
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
    terms = {(6, 0): 0.5, (7, 1): 0.4, (6, 2): size}
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
               header="time,angle/leg,rate/leg,acceleration/leg", comments="")
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


def study(path):
    import h5py
    return h5py.File(path)["study/inverse"]


def near(name, found, true, tolerance):
    error = np.abs(found - true).max() / np.abs(true).max()
    print(f"{name}: {error:.2g}")
    assert found.shape == true.shape and error < tolerance, name


def check(path):
    group = study(path)
    n = len(DURATION)
    near("strikes", group["cycle_start"][()], STRIKE[:-1], 1e-14)
    near("durations", group["cycle_duration"][()], DURATION, 1e-14)
    near("toe-offs", group["toe_off"][()], 100 * (toe_off(np.arange(n)) - STRIKE[:-1]) / DURATION, 1e-13)
    assert (group["percent"][()] == np.arange(101)).all() and (group["cycle"][()] == np.arange(1, n + 1)).all()
    phase = np.arange(101) / 100
    angle, rate, bend = curve(phase, SIZE[:n, None])
    torque = AROUND * bend / DURATION[:, None] ** 2  # without gravity
    power = torque * rate / DURATION[:, None]
    for name, true in (("angle", angle), ("torque", torque), ("power", power)):
        near(name, group[f"cycle_{name}"][0], true, 3e-8)
        near(f"mean of the {name}", group[f"cycle_{name}_mean"][0], true.mean(0), 3e-8)
        near(f"sd of the {name}", group[f"cycle_{name}_sd"][0], true.std(0, ddof=1), 3e-8)


def same(a, b):
    for name, true in study(a).items():
        if name.startswith("cycle") or name == "toe_off":
            near(name, study(b)[name][()], true[()], 1e-12)


def foot(path):
    group = study(path)
    near("strikes by the foot", group["cycle_start"][()], 0.321 + 1.234 * np.arange(3), 1e-5)
    near("toe-offs by the foot", group["toe_off"][()], np.full(3, 50.0), 1e-3)


mode, *files = sys.argv[1:]
{"write": write, "check": check, "same": same, "foot": foot}[mode](*files)
