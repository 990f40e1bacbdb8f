"""A leg that walks, in files of laboratories, and its torques by an independent way; the first argument is the command.

The motion is a known one. Angles and base are filtered by scipy's filtfilt and differentiated by its splines of degree
5, the force is scipy's Pchip; the torques follow from the ends inwards: T_i = T_{i+1} + I alpha + d u x m (a - g) +
l u x R_{i+1} - (p - p_i) x F, u x f = u_x f_y - u_y f_x."""

import subprocess
import sys

import h5py
import numpy as np
from scipy.interpolate import PchipInterpolator, make_interp_spline
from scipy.signal import butter, filtfilt

rate, n, g = 69.953, 106, 9.81
t = np.arange(n) / rate
rounded = t.round(3)
# as they are taken: as many even intervals from the first to the last that is printed
even = np.linspace(rounded[0], rounded[-1], n)
phi = [-1.57 + 0.4 * np.sin(5.5 * t), -1.9 + 0.5 * np.sin(5.5 * t - 1), -0.2 + 0.5 * np.sin(5.5 * t - 1.5)]  # from +x
hip = np.array([45 + 130 * t + 3 * np.sin(11 * t + 1), 80 + 2 * np.sin(11 * t)])  # cm
names, lengths, masses = ["thigh", "shank", "foot"], [0.40, 0.41, 0.14], [6.0, 2.8, 0.9]
coms, inertias = [0.17, 0.18, 0.07], [0.1, 0.045, 0.004]
points = [hip]
for angle, length in zip(phi, lengths):
    points.append(points[-1] + 100 * length * np.array([np.cos(angle), np.sin(angle)]))
points = [p.round(2) for p in points]
force = np.array([60 * np.sin(8 * t), 500 + 150 * np.sin(13 * t)]).round(1)
place = (points[2] / 100 + np.array([0.03 * np.sin(7 * t), -0.05 + 0 * t])).round(4)


def cross(a, b):
    return a[0] * b[1] - a[1] * b[0]


def torques(angles, base, cutoff, force=None, place=None):
    """[3][n] of angles [3][n] from +x and of the base's path [2][n]."""

    def smooth(x):
        return filtfilt(*butter(2, cutoff, fs=1 / (even[1] - even[0])), x) if cutoff else np.asarray(x)

    def derivative(x, order):
        return make_interp_spline(even, x, 5).derivative(order)(even)

    q, p = [smooth(x) for x in angles], np.array([smooth(x) for x in base])
    a, joints, parts = np.array([derivative(x, 2) for x in p]), [], []
    for angle, length, mass, com in zip(q, lengths, masses, coms):
        w, dw = derivative(angle, 1), derivative(angle, 2)
        u = np.array([np.cos(angle), np.sin(angle)])
        turned = dw * np.array([-u[1], u[0]]) - w**2 * u
        joints.append(p)
        parts.append((u, dw, mass * (a + com * turned - np.array([[0], [-g]]))))
        a, p = a + length * turned, p + length * u
    moment, reaction, result = np.zeros(n), np.zeros((2, n)), []
    for i in (2, 1, 0):
        u, dw, inert = parts[i]
        moment = moment + inertias[i] * dw + cross(coms[i] * u, inert) + cross(lengths[i] * u, reaction)
        reaction = reaction + inert
        if i == 2 and force is not None:
            moment = moment - cross(place - joints[2], force)
            reaction = reaction - force
        result.insert(0, moment)
    return np.array(result)


def angles_of(points):
    return [np.unwrap(np.arctan2(b[1] - a[1], b[0] - a[0])) for a, b in zip(points, points[1:])]


def study(motion, extra=""):
    segments = ", ".join(
        f"{{name: {a}, length: {b}, mass: {c}, com: {d}, inertia: {e}}}"
        for a, b, c, d, e in zip(names, lengths, masses, coms, inertias)
    )
    with open("study.yaml", "w") as file:
        file.write(f"manylink: 1\nsystem: {{type: chain, zero: right, segments: [{segments}]}}\nmotion: {{{motion}}}\n{extra}\n")


def inverse(*options):
    command = [sys.argv[1], "inverse", "study.yaml", "-o", "out.h5", "--restart", *options]
    return subprocess.run(command, capture_output=True, text=True)


def check(what, wanted, tolerance):
    done = inverse("-q")
    assert done.returncode == 0 and not done.stderr, (what, done.stderr)
    with h5py.File("out.h5") as out:
        error = abs(out["study/inverse/torque"][()] - wanted).max()
        own = out["study/inverse/time"][()]
        assert len(own) == wanted.shape[1], (what, len(own))
    assert error <= tolerance, (what, error)


# Two lines of names in quotes, blanks, cm, frames; the intervals of 14 and 15 ms are within 5 % of their mean.
with open("walk.txt", "w") as file:
    file.write("'FRAME' 'TIME' 'RIGHT HIP' 'RIGHT KNEE' 'RIGHT ANKLE' 'RIGHT MT5'\n 'N' 'S' 'X' 'Y' 'X' 'Y' 'X' 'Y' 'X' 'Y'\n")
    for k in range(n):
        cells = [f"{x:.2f}" for p in points for x in p[:, k]]
        file.write(f"{k + 1} {rounded[k]:g} " + " ".join(cells) + "\n")
leg = 'markers: {thigh: ["RIGHT HIP", "RIGHT KNEE"], shank: ["RIGHT KNEE", "RIGHT ANKLE"], foot: ["RIGHT ANKLE", "RIGHT MT5"]}'
filtered = "inverse: {filter: {type: butterworth, order: 2, cutoff: 6}}"
study(f"file: walk.txt, {leg}, base: RIGHT HIP, length: cm", filtered)
check("rounded times", torques(angles_of(points), points[0] / 100, 6), 1e-9)

# Markers and force plate in one file, mm and ms: the force is at the times of the motion.
with open("plate.txt", "w") as file:
    file.write("Time\tHPx\tHPy\tKNx\tKNy\tANx\tANy\tTOx\tTOy\tFx\tFy\tCOPx\tCOPy\n")
    for k in range(n):
        cells = [f"{10 * x:.1f}" for p in points for x in p[:, k]]
        cells += [f"{x:.1f}" for x in force[:, k]] + [f"{1000 * x:.1f}" for x in place[:, k]]
        file.write(f"{rounded[k]:g}\t" + "\t".join(cells) + "\n")
leg = "markers: {thigh: [HP, KN], shank: [KN, AN], foot: [AN, TO]}, base: HP, length: mm"
plate = "{type: load, segment: foot, file: plate.txt, force: [Fx, Fy], point: [COPx, COPy], length: mm}"
study(f"file: plate.txt, {leg}", f"{filtered}\nforces: [{plate}]")
check("plate", torques(angles_of(points), points[0] / 100, 6, force, place), 1e-9)

# Times that a clock shakes, to six digits: a filter and the splines behind it take them as even.
shaken = t + np.random.default_rng(1).uniform(-0.01, 0.01, n) / rate
with open("shaken.txt", "w") as file:
    file.write("time angle/thigh angle/shank angle/foot\n")
    for k in range(n):
        file.write(" ".join(f"{x:.7f}" for x in (shaken[k], *(a[k] for a in phi))) + "\n")
study("file: shaken.txt", filtered)
even = np.linspace(shaken[0].round(7), shaken[-1].round(7), n)
check("shaken times", torques(np.round(phi, 7), np.zeros((2, n)), 6), 1e-9)


def told(what, message, code=0):
    done = inverse()
    assert done.returncode == code and message in done.stderr, (what, message, done.stderr)


# Joints in the middle of markers on either side, and a window of time, without a filter: splines of degree 5
# through all samples.
even = t
n = len(even)
clean = [points[0]]
for angle, length in zip(phi, lengths):
    clean.append(clean[-1] + 100 * length * np.array([np.cos(angle), np.sin(angle)]))
side = np.array([3 * np.cos(4 * t), 2 * np.sin(5 * t)])
with open("middle.csv", "w") as file:
    file.write("time,A/x,A/y,B/x,B/y,LK/x,LK/y,MK/x,MK/y,LA/x,LA/y,MA/x,MA/y,TOE/x,TOE/y\n")
    for k in range(len(t)):
        places = [p for joint in clean[:3] for p in (joint + side, joint - side)] + [clean[3]]
        file.write(",".join(repr(float(x)) for x in (t[k], *(p[i, k] for p in places for i in range(2)))) + "\n")
middle = "file: middle.csv, markers: {thigh: [[A, B], [LK, MK]], shank: [[LK, MK], [LA, MA]], foot: [[LA, MA], TOE]}"
window = f"from: {t[20]:.9f}, to: {t[80]:.9f}"
study(f"{middle}, base: [A, B], length: cm, {window}")
own = clean
noise = "of the power of the acceleration of `base/"
done = inverse("-q")
assert done.returncode == 0 and all(noise in line for line in done.stderr.splitlines()), done.stderr
with h5py.File("out.h5") as out:
    error = abs(out["study/inverse/torque"][()] - torques(angles_of(own), own[0] / 100, None)[..., 20:81]).max()
    text = out["study/resolved"].asstr()[()]
assert error <= 1e-9, error
assert 'base: ["A", "B"]' in text and "from: 0.285" in text and 'thigh: [["A", "B"], ["LK", "MK"]]' in text, text

# What is seldom meant is told, what cannot be meant refused.
study(f"{middle}, base: [A, B], length: mm")
told("mm", "the markers of `thigh` are 0.04 m apart (median, in the plane), but the segment is 0.4 m long: are they in cm?")
study(f"{middle}, base: TOE, length: cm")
told("base", "study.yaml:3:124: note: the base is not the marker that `thigh` points from: is it the same joint?")
study("file: middle.csv, markers: {thigh: [A, LK], shank: [LK, LA], foot: [TOE, LA]}, base: A, length: m")
told("m", "40 m apart (median, in the plane), but the segment is 0.4 m long: are they in cm?")
study(f"{middle}, from: 3, to: 4")
told("no times", "middle.csv:2:1: no time is within `from` and `to` of the motion: the times are 0 to 1.5", 2)
with open("same.csv", "w") as file:
    file.write("time,A/x,A/y,B/x,B/y,C/x,C/y\n0,0,0,0,1,1,1\n0.1,0,0,0,0,1,2\n0.2,0,0,1,1,1,2\n")
study("file: same.csv, markers: {thigh: [A, B], shank: [B, C], foot: [A, C]}")
told("one place", "same.csv:3:1: the markers of `thigh` are at the same place here: which way does it point?", 2)
