"""Files of known motions, and what `inverse` reads of them; the first argument is the command."""

import math
import subprocess
import sys

import h5py
import numpy as np

rate, n = 150, 120
t = np.arange(n) / rate
phi = np.array([0.5 * np.sin(5 * t), 0.4 * np.cos(6 * t) - 0.9, 0.3 * np.sin(4 * t + 1) + 1.2])  # from -y
hip = np.array([0.9 * t, 0.9 + 0.02 * np.sin(9 * t)])
names = ["thigh", "shank", "foot"]
lengths = [0.42, 0.4, 0.15]
points = [hip]
for k, length in enumerate(lengths):
    points.append(points[-1] + length * np.array([np.sin(phi[k]), -np.cos(phi[k])]))
markers = ["R.HIP", "R.KNEE", "R ANKLE", "TOE"]
segments = ", ".join(f"{{name: {a}, length: {b}, mass: 1}}" for a, b in zip(names, lengths))


def study(motion, angles="segment", zero="down", extra=""):
    with open("study.yaml", "w") as file:
        file.write(
            f"manylink: 1\nsystem: {{type: chain, angles: {angles}, zero: {zero}, segments: [{segments}]}}\n"
            f"motion: {{{motion}}}\n{extra}\n"
        )


def inverse(file=None):
    command = [sys.argv[1], "inverse", "study.yaml", "-o", "out.h5", "-q", "--restart"]
    done = subprocess.run(command + (["--motion", file] if file else []), capture_output=True, text=True)
    return done


def check(what, wanted, tolerance, base=None, time=None, file=None, note=None):
    done = inverse(file)
    assert done.returncode == 0, (what, done.stderr)
    assert (note in done.stderr) if note else not done.stderr, (what, done.stderr)
    with h5py.File("out.h5") as out:
        group = out["study/inverse"]
        errors = [abs(group["angle"][()] - wanted).max()]
        if base is not None:
            errors.append(abs(group["base"][()] - base).max())
        errors.append(abs(group["time"][()] - (t if time is None else time)).max())
    assert max(errors) <= tolerance, (what, errors)


def refused(what, message, file=None):
    done = inverse(file)
    assert done.returncode == 2 and message in done.stderr, (what, message, done.stderr)


def trc(name, turn=1, unit="mm", missing=(), frames=n, rows=n, places=points):
    scale = {"mm": 1000, "m": 1}[unit]
    with open(name, "w", newline="") as file:
        file.write(f"PathFileType\t4\t(X/Y/Z)\t{name}\r\nDataRate\tCameraRate\tNumFrames\tNumMarkers\tUnits\r\n")
        file.write(f"{rate}.00\t{rate}.00\t{frames}\t{len(markers)}\t{unit}\r\nFrame#\tTime\t")
        file.write("\t\t\t".join(markers) + "\t\t\t\r\n\t\t")
        file.write("\t".join(f"{c}{i + 1}" for i in range(len(markers)) for c in "XYZ") + "\t\r\n\r\n")
        for k in range(rows):
            cells = []
            for i, p in enumerate(places):
                gone = (i, k) in missing
                xyz = (turn * p[0][k] * scale, p[1][k] * scale, 5.0 * scale)
                cells += ["" if gone else repr(float(c)) for c in xyz]
            file.write(f"{k + 1}\t{k / rate:.5f}\t" + "\t".join(cells) + "\r\n")


both = 'markers: {thigh: [R.HIP, R.KNEE], shank: [R.KNEE, "R ANKLE"], foot: ["R ANKLE", TOE]}'
joint = np.array([phi[0], phi[1] - phi[0], phi[2] - phi[1]])
for unit in ("mm", "m"):
    trc("leg.trc", unit=unit)
    study(f"file: leg.trc, {both}, rate: 150, base: R.HIP")
    check("markers", phi, 5e-15, base=hip)
    study(f"file: leg.trc, {both}, rate: 150", zero="right")
    check("from the right", phi - math.pi / 2, 5e-15)
    study(f"file: leg.trc, {both}, rate: 150", angles="joint")
    check("joints", joint, 5e-15)
trc("leg.trc", turn=-1)
study(f"file: leg.trc, {both}, plane: [-x, y], base: R.HIP, rate: 150")
check("walks to the left", phi, 5e-15, base=hip)
study(f"file: leg.trc, {both}, plane: [-x, y], sign: {{foot: -1}}, offset: {{foot: pi, shank: 10deg}}, rate: 150")
check("sign and offset", np.array([phi[0], phi[1] + math.radians(10), math.pi - phi[2]]), 5e-15)
study("columns: {thigh: a, shank: b, foot: c, time: seconds}", angles="joint")

# Angles that turn on and on, of markers, and of columns that an arc tangent has wrapped.
spin = np.array([2 + 9 * t, phi[1], phi[2]])
turning = [hip]
for k, length in enumerate(lengths):
    turning.append(turning[-1] + length * np.array([np.sin(spin[k]), -np.cos(spin[k])]))
trc("spin.trc", places=turning)
study(f"file: spin.trc, {both}, rate: 150")
check("turns", spin, 1e-14)


tumble = np.array([phi[0], phi[1], 12 * (1 - np.cos(4 * t))])
trc("tumble.trc", places=[hip, hip + 0.3, hip + 0.6, hip + 0.6 + 0.15 * np.array([np.sin(tumble[2]), -np.cos(tumble[2])])])
study('file: tumble.trc, markers: {thigh: [R.HIP, R.KNEE], shank: [R.KNEE, "R ANKLE"], foot: ["R ANKLE", TOE]}, rate: 150')
check("tumbles, and no word of degrees", np.array([3 * np.pi / 4 + 0 * t, 3 * np.pi / 4 + 0 * t, tumble[2]]), 1e-14)


def table(name, angles, columns=names, head="", time="time", times=t, digits=".9f"):
    with open(name, "w") as file:
        file.write(head + "\t".join([time, *columns]) + "\n")
        for k, x in enumerate(times):
            cells = ["" if np.isnan(a) else f"{a:{digits}}" for a in angles[:, k]]
            file.write("\t".join([f"{x:.6f}"] + cells) + "\n")


exact = t.round(6)
table("wrapped.csv", np.arctan2(np.sin(spin), np.cos(spin)))
study("file: wrapped.csv, unwrap: true, rate: 150")
check("unwrapped", spin, 5e-9)
study("file: wrapped.csv")
check("not unwrapped", np.arctan2(np.sin(spin), np.cos(spin)), 1e-6, note="`motion: {unwrap: true}`")

# OpenSim's header says the unit; the study may.
storage = f"walk\nversion=1\nnRows={n}\nnColumns=4\ninDegrees=yes\n\nUnits are S.I. units\n\nendheader\n"
columns = ["hip_flexion_r", "knee_angle_r", "ankle_angle_r"]
mapping = "columns: {thigh: hip_flexion_r, shank: knee_angle_r, foot: ankle_angle_r}"
table("walk.mot", np.degrees(joint), columns, storage)
study(f"file: walk.mot, {mapping}, rate: 150", angles="joint")
check("OpenSim", joint, 1e-10)
study(f"{mapping}, rate: 150, sign: -1, offset: {{thigh: 10deg}}", angles="joint")
check("the other way", np.array([math.radians(10) - joint[0], -joint[1], -joint[2]]), 1e-10, file="walk.mot")
table("walk.csv", np.degrees(joint) / 10, columns, time="t")
study(f"columns: {{time: t, {mapping[10:-1]}}}, unit: deg, rate: 150", angles="joint")
check("degrees by the study", joint / 10, 1e-10, file="walk.csv")
table("walk.csv", np.degrees(joint))
study("file: walk.csv, rate: 150", angles="joint")
check("degrees by their range", np.degrees(joint), 5e-9, note="`motion: {unit: deg}`")

table("pelvis.mot", np.vstack([np.degrees(joint), 100 * hip]), columns + ["tx", "ty"], storage.replace("4", "6"))
study(f"file: pelvis.mot, {mapping[:-1]}, base/x: tx, base/y: ty}}, length: cm, rate: 150", angles="joint")
check("base of columns", joint, 1e-10, base=hip)
study(f"file: pelvis.mot, {mapping[:-1]}, base/x: tx}}, rate: 150", angles="joint")
refused("one of two", "column `base/y` is missing: a moving base needs x and y")

# No times at all, and times to the millisecond.
table("frames.csv", phi, time="frame", times=np.arange(n))
study("file: frames.csv, rate: 150")
check("frames", phi, 5e-9)
table("ms.csv", phi, times=t.round(3))
study("file: ms.csv")
check("milliseconds", phi, 1e-5, time=np.linspace(0, t[-1].round(3), n))
study("file: ms.csv, rate: 150")
check("milliseconds and a rate", phi, 5e-9)

# Gaps: the spline of noise-free samples, and of a marker.
holes = phi.copy()
holes[0, 40:54] = np.nan
holes[2, 70] = np.nan
table("holes.csv", holes, digits=".15g")
study("file: holes.csv, gaps: {spline: 0.1}, rate: 150")
check("gaps", phi, 1e-6)
trc("leg.trc", missing={(1, k) for k in range(20, 30)})
study(f"file: leg.trc, {both}, gaps: {{spline: 0.1}}, rate: 150")
check("gap of a marker", phi, 5e-7)
study("file: holes.csv, gaps: {spline: 0.05}")
refused("long gap", "holes.csv:42:1: angle/thigh is missing here and in 13 more, 0.1 s from number")
study("file: holes.csv")
refused("no gaps", "`motion: {gaps: {spline: 0.1}}` fills gaps up to 0.1 s")
holes[1, :3] = np.nan
table("holes.csv", holes)
study("file: holes.csv, gaps: {spline: 0.1}")
refused("gap at the start", "holes.csv:2:1: angle/shank is missing here and in 2 more: a gap at the start cannot be filled")

# What is wrong is told, with its place.
study("file: ms.csv, rate: 100")
refused("rate", "ms.csv:4:1: time is 0.013, but by 100 Hz from 0 s on the time here is 0.02: another rate, or missing lines")
study("file: walk.mot, columns: {thigh: hip, shank: knee_angle_r, foot: ankle_angle_r}")
refused("column", "walk.mot:10:1: column `hip` is missing; the columns are `time`, `hip_flexion_r`")
study("file: leg.trc, markers: {thigh: [R.HIP, L.KNEE], shank: [R.KNEE, TOE], foot: [R.KNEE, TOE]}")
refused("marker", "leg.trc:4:1: column `L.KNEE/x` is missing: of a marker; the columns are")
trc("leg.trc", rows=n - 3)
study(f"file: leg.trc, {both}")
refused("cut off", "but the header says 120 (NumFrames): is the file cut off?")
study("file: leg.trc, markers: {shank: [R.KNEE, TOE]}, columns: {thigh: R.HIP/z, foot: TOE/z}", angles="joint")
trc("leg.trc")
refused("unit", "is in m by the file, but the motion reads rad")
table("unit.csv", phi, columns=["thigh (deg)", "shank", "foot"])
study("file: unit.csv, unit: rad")
refused("two units", "column `thigh` is in degrees by the file; leave `unit: rad` out of `motion`")
study("file: leg.c3d")
with open("leg.c3d", "wb") as file:
    file.write(b"\x02P\x00")
refused("C3D", "this is a C3D file whose header ends early, at byte 3: is the file damaged or cut off?")
trc("leg.trc", turn=-1, missing={(1, k) for k in range(20, 30)})
trc("left.trc", turn=-1, missing={(1, k) for k in range(20, 30)})
table("slow.csv", np.degrees(joint), columns=["hip", "knee", "ankle"], time="frame", times=np.arange(n))
table("ms.csv", joint, columns=["hip angle", "knee angle", "ankle angle"], times=t.round(3))
table("wrapped.csv", np.arctan2(np.sin(spin), np.cos(spin)), columns=["hip", "knee", "ankle"])

# A marker of the base in a unit that the file does not say.
head = "\t".join(["time", "HIPx", "HIPy", "KNEEx", "KNEEy"])
with open("plain.txt", "w") as file:
    file.write(head + "\n")
    for k in range(n):
        file.write("\t".join(repr(float(x)) for x in (t[k], *(1000 * points[0][:, k]), *(1000 * points[1][:, k]))) + "\n")
segments = "{name: thigh, length: 0.4, mass: 1}"
study("file: plain.txt, markers: {thigh: [HIP, KNEE]}, base: HIP")
refused("base's unit", "plain.txt:1:6: the unit of the base's marker is missing: give `length: mm`")
study("file: plain.txt, markers: {thigh: [HIP, KNEE]}, base: HIP, length: mm")
check("mm", phi[:1], 5e-15, base=hip)
study("file: left.trc, markers: {thigh: [R.HIP, TOE]}, base: R.HIP, length: m")
done = inverse()
assert done.returncode == 0 and "left.trc: markers are in mm by the file, but `length` of the motion takes them as m" in done.stderr
assert "but the segment is 0.4 m long: are they in mm? if so, `motion: {length: mm}`" in done.stderr, done.stderr
