"""make_foreign.py RESULT.h5: for every case below a copy of a result with something in it that this
program never writes, CASE-changed.h5, and the same with a seal that is right, CASE-sealed.h5.
Prints the cases."""
import ctypes
import ctypes.util
import shutil
import struct
import sys

import h5py
import numpy as np

SUMMARY, RUNS, TRAJECTORIES = "study/summary/", "study/runs/", "study/trajectories/"
ACCURACY = "study/accuracy/"


def replace(file, path, **how):
    """Another dataset in the place of one, with its attributes but those of the shape."""
    kept = {k: v for k, v in file[path].attrs.items() if k != "DIMENSION_LIST"}
    del file[path]
    new = file.create_dataset(path, **how)
    new.attrs.update({k: v for k, v in kept.items() if k not in ("CLASS", "REFERENCE_LIST")})
    return new


def texts(path, n):
    return lambda f: replace(f, path, data=["text"] * n, shape=(n,), dtype=h5py.string_dtype())


def reshaped(path, shape, dtype=None):
    return lambda f: replace(f, path, shape=shape, dtype=dtype or f[path].dtype)


def with_old_list(f):
    """A vector that says to have the scales of a matrix."""
    old = f[SUMMARY + "end_angle"]
    references = old.attrs["DIMENSION_LIST"]
    new = replace(f, SUMMARY + "end_angle", shape=(12,), dtype="f8")
    new.attrs.create("DIMENSION_LIST", references, dtype=h5py.vlen_dtype(h5py.ref_dtype))


FIRST = "study/summary/plots/end_angle_wrapped"  # what viewers show first


def attribute(path, name, value):
    def change(f):
        f[path].attrs[name] = value

    return change


def negative_outcome(f):
    f[RUNS + "outcome"][...] = -1


def falling(f):
    """Runs that are not in their order, the last one as large as can be."""
    f[ACCURACY + "run"][...] = [5, 3, 7, 2**63 - 1]


def narrow(f):
    """An output without one of its dimensions, in every group."""
    for group in "difference", "finer", "finest", "displaced":
        replace(f, f"{ACCURACY}{group}/end_angle", shape=(4,), dtype="f8")


def elsewhere(f):
    del f[SUMMARY + "end_angle"]
    f[SUMMARY + "end_angle"] = h5py.ExternalLink("/dev/zero", "/")


def outside(f):
    """Values that are the bytes of another file."""
    del f[SUMMARY + "end_angle"]
    f[SUMMARY].create_dataset("end_angle", (12, 2), "f8", external=[("/dev/zero", 0, 192)])


CASES = {
    "two_resolved": texts("study/resolved", 2),
    "two_definition": texts("study/definition", 2),
    "two_title": texts("study/title", 2),
    "no_resolved": texts("study/resolved", 0),
    "no_definition": texts("study/definition", 0),
    "no_title": texts("study/title", 0),
    "old_list": with_old_list,
    "number_list": attribute(SUMMARY + "end_angle", "DIMENSION_LIST", 1),
    "matrix_name": attribute(SUMMARY + "initial.angle.a", "NAME", np.zeros((2, 2))),
    "empty_axis": reshaped(RUNS + "initial.angle.a", (0,)),
    "empty_outcome": reshaped(RUNS + "outcome", (12, 0)),
    "negative_outcome": negative_outcome,
    "null_trajectory": lambda f: replace(f, TRAJECTORIES + "angle", dtype="f8"),
    # Not of these, but of the same kind.
    "number_title": reshaped("study/title", (), "f8"),
    "text_outcome": texts(RUNS + "outcome", 12),
    "text_angle": texts(SUMMARY + "end_angle", 12),
    "huge_angle": reshaped(SUMMARY + "end_angle", (1 << 30, 1 << 30)),
    "number_units": attribute(SUMMARY + "end_angle", "units", np.zeros(3)),
    "number_signal": attribute(FIRST, "shows", 1),
    "two_signals": attribute(FIRST, "shows", ["a", "b"]),
    "raw_signal": attribute(FIRST, "shows", b"\x1b[31m\xff"),
    "negative_dims": attribute(FIRST, "dims", ["-7", "-9223372036854775808"]),
    "number_outputs": attribute("study/summary", "outputs", np.zeros(2)),
    "two_formats": attribute("/", "manylink_format", [1, 1]),
    "number_class": attribute(SUMMARY + "end_angle", "CLASS", np.zeros((3, 3))),
    "text_accuracy": texts(ACCURACY + "run", 4),
    "falling_accuracy": falling,
    "huge_accuracy": reshaped(ACCURACY + "run", (1 << 40,)),
    "named_accuracy": texts(ACCURACY + "quantity", 70000),
    "narrow_accuracy": narrow,
    "short_accuracy": reshaped(ACCURACY + "finer/end_angle", (2, 2)),
    "elsewhere": elsewhere,
    "outside": outside,
}


class Sum(ctypes.Structure):
    _fields_ = [("low", ctypes.c_uint64), ("high", ctypes.c_uint64)]


def seal(path):
    """Seals a file again; src/store/seal.h says how."""
    library = ctypes.CDLL(ctypes.util.find_library("xxhash"))
    library.XXH3_128bits.restype = Sum
    library.XXH3_128bits.argtypes = [ctypes.c_char_p, ctypes.c_size_t]
    with h5py.File(path, "r") as file:
        words = file["study/provenance/seal"]
        at, size = words.id.get_offset(), words.id.get_storage_size()
    with open(path, "r+b") as file:
        data = bytearray(file.read())
        data[11], data[44:48] = 0, bytes(4)  # what an open file has there
        magic, _, _, _, count, *ranges = struct.unpack_from(f"<{size // 8}Q", data, at)
        hashed, done = bytearray(), 0
        for begin, n in sorted([(at, size)] + [r for r in zip(ranges[::2], ranges[1::2]) if r[1]]):
            hashed += data[done:begin]
            done = begin + n
        words = [magic, len(data), 0, 0, count, *ranges]
        hashed += data[done:] + struct.pack(f"<{size // 8}Q", *words)
        total = library.XXH3_128bits(bytes(hashed), len(hashed))
        words[2:4] = total.low, total.high
        file.seek(at)
        file.write(struct.pack(f"<{size // 8}Q", *words))


for case, change in CASES.items():
    changed, sealed = case + "-changed.h5", case + "-sealed.h5"
    shutil.copy(sys.argv[1], changed)
    with h5py.File(changed, "r+") as result:
        change(result)
    shutil.copy(changed, sealed)
    seal(sealed)
    print(case)
