"""C3D files in all their forms, written and read here by numpy and struct alone, and the same data as text.

usage: c3d.py write                   writes FORM.c3d with points and plates, points.csv and plates.csv
       c3d.py read FILE.c3d           an independent reader: writes read_points.csv and read_plates.csv of the file
"""

import struct
import sys

import numpy as np

RATE, PER_FRAME, N = 100, 4, 60


def vax(x):
    """Bytes of numbers as a DEC has them: halves exchanged, four times as large."""
    words = np.asarray(4 * np.asarray(x, np.float64), "<f4").view("<u2").reshape(-1, 2)
    return words[:, ::-1].tobytes()


class Form:
    """Byte order and floating-point form of a processor."""

    def __init__(self, name):
        self.code = {"intel": 84, "dec": 85, "mips": 86}[name]
        self.order = ">" if name == "mips" else "<"

    def ints(self, x):
        return np.asarray(x).astype(self.order + "i2").tobytes()

    def floats(self, x):
        return vax(np.ravel(x)) if self.code == 85 else np.asarray(x).astype(self.order + "f4").tobytes()


def parameter(form, group, name, kind, dims, data):
    body = struct.pack("bB", kind, len(dims)) + bytes(dims) + data
    link = struct.pack(form.order + "H", len(body) + 2 + 1) # and an empty description
    return struct.pack("bb", len(name), group) + name.encode() + link + body + b"\0"


def write(path, form, points, analog, units, plates, is_float):
    """points [n][point][3] mm, analog [n * PER_FRAME][channel]."""
    labels, names = [b"HIP ", b"KNEE"], [f"C{i + 1}".ljust(4).encode() for i in range(analog.shape[1])]
    scale = -0.1 if is_float else 0.05
    gain = np.ones(analog.shape[1]) if is_float else np.abs(analog).max(0) / 30000 + 1e-9
    p = b""
    groups = {"POINT": 1, "ANALOG": 2, "FORCE_PLATFORM": 3}
    for name, i in groups.items():
        p += struct.pack("bb", len(name), -i) + name.encode() + struct.pack(form.order + "H", 3) + b"\0"

    def text(items, length):
        return b"".join(item.ljust(length)[:length] for item in items)
    p += parameter(form, 1, "SCALE", 4, [], form.floats(scale))
    p += parameter(form, 1, "RATE", 4, [], form.floats(RATE))
    p += parameter(form, 1, "UNITS", -1, [2], b"mm")
    p += parameter(form, 1, "LABELS", -1, [4, len(labels)], text(labels, 4))
    p += parameter(form, 2, "LABELS", -1, [4, len(names)], text(names, 4))
    p += parameter(form, 2, "UNITS", -1, [4, len(units)], text(units, 4))
    p += parameter(form, 2, "GEN_SCALE", 4, [], form.floats(0.5))
    p += parameter(form, 2, "SCALE", 4, [len(names)], form.floats(2 * gain))
    p += parameter(form, 2, "OFFSET", 2, [len(names)], form.ints(np.full(len(names), 7)))
    channels = np.zeros((len(plates), 8), int)
    for k, plate in enumerate(plates):
        channels[k, :len(plate["channels"])] = plate["channels"]
    p += parameter(form, 3, "USED", 2, [], form.ints(len(plates)))
    p += parameter(form, 3, "TYPE", 2, [len(plates)], form.ints([plate["type"] for plate in plates]))
    p += parameter(form, 3, "CHANNEL", 2, [8, len(plates)], form.ints(channels))
    p += parameter(form, 3, "ORIGIN", 4, [3, len(plates)], form.floats([plate["origin"] for plate in plates]))
    p += parameter(form, 3, "CORNERS", 4, [3, 4, len(plates)], form.floats([plate["corners"] for plate in plates]))
    p += parameter(form, 3, "CAL_MATRIX", 4, [6, 6, len(plates)], form.floats([plate["matrix"].T for plate in plates]))
    blocks = (len(p) + 4 + 1) // 512 + 1
    p = bytes([1, 80, blocks, form.code]) + p
    start = 2 + blocks
    head = bytes([2, 80]) + form.ints([2, analog.shape[1] * PER_FRAME, 1, N, 0]) + form.floats(scale)
    head += form.ints([start, PER_FRAME]) + form.floats(RATE)
    data = b""
    for k in range(N):
        for x in points[k]:
            seen = not np.isnan(x).any()
            row = np.append(np.nan_to_num(x), 0 if seen else -1)
            data += form.floats(row) if is_float else form.ints(np.rint([*(row[:3] / scale), row[3]]))
        raw = analog[k * PER_FRAME:(k + 1) * PER_FRAME] / gain + 7
        data += form.floats(raw.ravel()) if is_float else form.ints(np.rint(raw).ravel())
    with open(path, "wb") as file:
        file.write(head.ljust(512, b"\0") + p.ljust(512 * blocks, b"\0") + data)


def main_write():
    t = np.arange(N) / RATE
    angle = 0.4 * np.sin(2 * np.pi * 0.9 * t)
    hip = np.stack([500 + 50 * t, 0 * t + 30, 900 + 10 * np.sin(3 * t)], -1)
    knee = hip + 430 * np.stack([np.sin(angle), 0 * t, -np.cos(angle)], -1)
    points = np.stack([hip, knee], 1)
    fine = np.arange(N * PER_FRAME) / RATE / PER_FRAME
    push = np.clip(np.sin(np.pi * (fine - 0.1) / 0.4), 0, None) * (fine > 0.1) * (fine < 0.5)
    # on the room: force (60 s, 5 s, 700 s), at (0.55 + 0.1 t, 0.02, 0)
    force = np.stack([60 * push * np.cos(9 * fine), 5 * push, 700 * push], -1)
    place = np.stack([0.55 + 0.1 * fine, 0.02 + 0 * fine, 0 * fine], -1)
    turn = 3 * push # N m, about the vertical
    # the plate's frame: x as in the room, z into the floor; corners 1 (+ +), 2 (- +), 3 (- -), 4 (+ -) of it
    ex, ey, ez = np.eye(3)[0], -np.eye(3)[1], -np.eye(3)[2]
    centre, half, wide = np.array([0.5, 0.1, 0.0]), 0.3, 0.2
    corners = [1e3 * (centre + a * half * ex + b * wide * ey) for a, b in ((1, 1), (-1, 1), (-1, -1), (1, -1))]
    axes = np.stack([ex, ey, ez])
    f, r = force @ axes.T, (place - centre) @ axes.T # in the plate's frame
    sensor = np.array([0.002, -0.003, 0.04]) # m, of the sensors below the surface's centre, in that frame
    moment = np.cross(r - sensor, f) + np.outer(-turn, [0, 0, 1])
    a, b, az = 0.25, 0.15, -0.05
    m3 = np.cross(r - [0, 0, -az], f) + np.outer(-turn, [0, 0, 1]) # about the sensors of type 3
    z = np.stack([-m3[:, 0] / b * 0 + f[:, 2] / 4 + s[0] * m3[:, 0] / (4 * b) + s[1] * m3[:, 1] / (4 * a)
                  for s in ((1, -1), (1, 1), (-1, 1), (-1, -1))], -1)
    x34 = f[:, 0] / 2 + m3[:, 2] / (4 * b)
    y14 = f[:, 1] / 2 + m3[:, 2] / (4 * a)
    matrix = np.eye(6) + 0.1 * np.arange(36).reshape(6, 6) / 36
    raw = np.linalg.solve(matrix, np.concatenate([f, 1e3 * moment], 1).T).T
    one = np.concatenate([f, 1e3 * r[:, :2], 1e3 * -turn[:, None]], 1)
    two = np.concatenate([f, 1e3 * moment], 1)
    three = np.concatenate([(f[:, 0] - x34)[:, None], x34[:, None], y14[:, None], (f[:, 1] - y14)[:, None], z], 1)
    analog = np.concatenate([one, two, three, raw], 1)
    units = [*[b"N"] * 3, b"mm", b"mm", b"Nmm", *[b"N"] * 3, *[b"Nmm"] * 3, *[b"N"] * 8, *[b"N"] * 3, *[b"Nmm"] * 3]
    plates = [{"type": kind, "channels": np.arange(first, first + (8 if kind == 3 else 6)) + 1, "corners": corners,
               "origin": origin, "matrix": matrix}
              for kind, first, origin in ((1, 0, [0, 0, 0]), (2, 6, -1e3 * sensor), (3, 12, [1e3 * a, 1e3 * b, 1e3 * az]),
                                          (4, 20, -1e3 * sensor))]
    for name in ("intel", "dec", "mips"):
        write(f"{name}_float.c3d", Form(name), points, analog, units, plates, True)
        write(f"{name}_int.c3d", Form(name), points, analog, units, plates, False)
    with open("points.csv", "w") as file:
        print("time,HIP/x [mm],HIP/y [mm],HIP/z [mm],KNEE/x [mm],KNEE/y [mm],KNEE/z [mm]", file=file)
        for k in range(N):
            print(k / RATE, *points[k].ravel(), sep=",", file=file)
    with open("plates.csv", "w") as file:
        print("time,fx,fz,px,pz", file=file)
        for k in range(N * PER_FRAME):
            print(fine[k], force[k, 0], force[k, 2], place[k, 0], 0, sep=",", file=file)


def main_read(path):
    """Points and plates of type 4 of a file of a DEC, with numbers in integers: the excerpt of a walk."""
    data = open(path, "rb").read()

    def real(at, n=1):
        words = np.frombuffer(data[at:at + 4 * n], "<u2").reshape(-1, 2)[:, ::-1].copy()
        return words.view("<f4").ravel().astype(float) / 4
    head = np.frombuffer(data[:20], "<u2")
    n_point, n_analog, first, last = (int(x) for x in head[1:5])
    start, per_frame = int(head[8]), int(head[9])
    scale, rate = real(12)[0], real(20)[0]
    found, groups, at = {}, {}, 512 * (data[0] - 1) + 4
    while data[at]:
        length, group = abs(struct.unpack("b", data[at:at + 1])[0]), struct.unpack("b", data[at + 1:at + 2])[0]
        name, link = data[at + 2:at + 2 + length].decode(), at + 2 + length
        step = struct.unpack("<H", data[link:link + 2])[0]
        if group < 0:
            groups[-group] = name
        else:
            kind, n_dim = struct.unpack("bB", data[link + 2:link + 4])
            dims = list(data[link + 4:link + 4 + n_dim])
            found[group, name] = kind, dims, link + 4 + n_dim
        if step == 0:
            break
        at = link + step
    number = {name: i for i, name in groups.items()}

    def get(group, name):
        kind, dims, at = found[number[group], name]
        n = int(np.prod(dims, dtype=int))
        if kind == -1:
            return [data[at + k * dims[0]:at + (k + 1) * dims[0]].decode().strip() for k in range(n // dims[0])]
        return real(at, n) if kind == 4 else np.frombuffer(data[at:at + 2 * n], "<i2")
    n, channels = last - first + 1, n_analog // per_frame
    assert scale > 0
    raw = np.frombuffer(data[512 * (start - 1):][:2 * n * (4 * n_point + n_analog)], "<i2").reshape(n, -1)
    points = scale * raw[:, :4 * n_point].reshape(n, n_point, 4)[:, :, :3].astype(float)
    seen = raw[:, :4 * n_point].reshape(n, n_point, 4)[:, :, 3] >= 0
    points[~seen] = np.nan
    analog = raw[:, 4 * n_point:].reshape(-1, channels).astype(float)
    analog = (analog - get("ANALOG", "OFFSET")) * get("ANALOG", "SCALE") * get("ANALOG", "GEN_SCALE")[0]
    labels = get("POINT", "LABELS")
    with open("read_points.csv", "w") as file:
        # of labels that come twice the second is NAME_2
        names = [label + (f"_{labels[:i + 1].count(label)}" if label in labels[:i] else "") for i, label in enumerate(labels)]
        print("time," + ",".join(f"{name}/{part} [mm]" for name in names for part in "xyz"), file=file)
        for k in range(n):
            print(k / rate, *points[k].ravel(), sep=",", file=file)
    matrix = get("FORCE_PLATFORM", "CAL_MATRIX").reshape(-1, 6, 6)
    corners = get("FORCE_PLATFORM", "CORNERS").reshape(-1, 4, 3) / 1e3
    origins = get("FORCE_PLATFORM", "ORIGIN").reshape(-1, 3) / 1e3
    channel = get("FORCE_PLATFORM", "CHANNEL").reshape(-1, 6) - 1
    columns, names = [np.arange(len(analog)) / rate / per_frame], ["time"]
    for k in range(len(matrix)):
        assert get("FORCE_PLATFORM", "TYPE")[k] == 4
        wrench = np.einsum("ji,nj->ni", matrix[k], analog[:, channel[k]]) # element (i, j) at 6 j + i
        f, m = wrench[:, :3], wrench[:, 3:] / 1e3
        arm = origins[k] if origins[k][2] <= 0 else -origins[k]
        m = m + np.cross(f, arm)
        ex = corners[k, 0] - corners[k, 1]
        ez = np.cross(ex, corners[k, 0] - corners[k, 3])
        ex, ez = ex / np.linalg.norm(ex), ez / np.linalg.norm(ez)
        axes = np.stack([ex, np.cross(ez, ex), ez])
        with np.errstate(divide="ignore", invalid="ignore"):
            place = np.stack([-m[:, 1] / f[:, 2], m[:, 0] / f[:, 2], 0 * f[:, 2]], -1) @ axes + corners[k].mean(0)
        place[np.abs(f[:, 2]) < 1] = np.nan
        force = f @ axes
        columns += [*force.T, *place.T]
        names += [f"plate{k + 1}_{name}" for name in ("fx", "fy", "fz", "px", "py", "pz")]
    np.savetxt("read_plates.csv", np.stack(columns, -1), delimiter=",", header=",".join(names), comments="", fmt="%.12g")


if sys.argv[1] == "write":
    main_write()
else:
    main_read(sys.argv[2])
