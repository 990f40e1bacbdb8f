#!/usr/bin/python3
"""view_result.py FILE...: do results open in every reader?

Follows the NeXus default chain as viewers do, wants a scale on every dimension, opens every group
with h5py, xarray (netcdf4 and h5netcdf), ncdump and h5dump, and misses no variable in any.
Exit code 0 good, 1 not.
"""
import ctypes
import ctypes.util
import subprocess
import sys

import h5netcdf  # noqa: F401 (the engine of xarray)
import h5py
import netCDF4  # noqa: F401
import numpy as np
import xarray

sys.dont_write_bytecode = True
from check_viewers import check_first_picture, check_labels  # noqa: E402

PLAIN_FILTERS = {"shuffle", "deflate", "fletcher32"}
SEAL = "/study/provenance/seal"


class Hash128(ctypes.Structure):
    _fields_ = [("low", ctypes.c_uint64), ("high", ctypes.c_uint64)]


def text(thing, name):
    value = thing.attrs.get(name)
    return value if isinstance(value, str) else None


def check_data_group(group):
    """Signal, axes and auxiliary signals of an NXdata."""
    signal = group.get(text(group, "signal") or "")
    if not isinstance(signal, h5py.Dataset):
        yield f"{group.name}: no signal"
        return
    axes = list(group.attrs.get("axes", []))
    is_scatter = signal.ndim == 1 and len(axes) == 2
    if len(axes) != signal.ndim and not is_scatter:
        yield f"{group.name}: {len(axes)} axes for {signal.ndim} dimensions"
    for size, name in zip(2 * signal.shape if is_scatter else signal.shape, axes):
        if name != "." and (name not in group or group[name].shape != (size,)):
            yield f"{group.name}: axis {name} does not fit"
        elif name != "." and group[name].dtype.kind not in "iuf":
            yield f"{group.name}: axis {name} is not numeric, h5web refuses it"
    for name in group.attrs.get("auxiliary_signals", []):
        if name not in group or group[name].shape != signal.shape:
            yield f"{group.name}: auxiliary signal {name} does not fit"


def check_default_chain(file):
    """What a viewer shows first."""
    entry = file.get(text(file, "default") or "")
    if text(file, "NX_class") != "NXroot" or not isinstance(entry, h5py.Group):
        yield "/: no default entry"
        return
    data = entry.get(text(entry, "default") or "")
    if text(entry, "NX_class") != "NXentry" or not isinstance(data, h5py.Group):
        yield f"{entry.name}: no default data"
    elif text(data, "NX_class") != "NXdata":
        yield f"{data.name}: is not NXdata"
    runs = entry.get("runs")
    if runs is not None and text(runs, "signal") != "outcome":
        yield f"{runs.name}: viewers show nothing of it"
    for group, _ in groups(file):
        if text(group, "NX_class") == "NXdata":
            yield from check_data_group(group)
        elif group.name.endswith("/plots") and not isinstance(
                group.get(text(group, "default") or ""), h5py.Group):
            yield f"{group.name}: no default view"
    yield from check_first_picture(file)


def check_checksums(dataset, checksums):
    """XXH3 of each run's bytes as they are in the file."""
    if not isinstance(checksums, h5py.Dataset) or checksums.shape != dataset.shape[:1]:
        yield f"{dataset.name}: no checksum of each run"
        return
    hash_bytes = ctypes.CDLL(ctypes.util.find_library("xxhash")).XXH3_64bits
    hash_bytes.argtypes, hash_bytes.restype = [ctypes.c_char_p, ctypes.c_size_t], ctypes.c_uint64
    for run, expected in zip(dataset[()], checksums[()]):
        data = run.tobytes()
        if hash_bytes(data, len(data)) != expected:
            yield f"{dataset.name}: a checksum does not match"
            return


def check_seal(dataset):
    """XXH3 (128 bits) of the file without trajectories and seal, then of the seal without it."""
    seal, at = dataset[()], dataset.id.get_offset()
    with open(dataset.file.filename, "rb") as file:
        data = bytearray(file.read())
    data[11] = 0  # whether it is open for writing, and the superblock's checksum
    data[44:48] = bytes(4)
    assert len(seal) == 5 + 2 * seal[4]
    left_out = [(at, 8 * len(seal))] + [(int(a), int(n)) for a, n in seal[5:].reshape(-1, 2)]
    kept, start = bytearray(), 0
    for first, size in sorted(left_out):
        kept += data[start:first]
        start = first + size
    kept += data[start:]
    blank = seal.copy()
    blank[2:4] = 0
    kept += blank.tobytes()
    hash_bytes = ctypes.CDLL(ctypes.util.find_library("xxhash")).XXH3_128bits
    hash_bytes.argtypes, hash_bytes.restype = [ctypes.c_char_p, ctypes.c_size_t], Hash128
    found = hash_bytes(bytes(kept), len(kept))
    if seal[1] != len(data) or (found.low, found.high) != (seal[2], seal[3]):
        yield f"{dataset.name}: is not that of the file"


UNITS = {
    "time": "s", "end_time": "s", "end_angle": "rad", "angle": "rad", "max_rate": "rad/s",
    "end_rate": "rad/s", "rate": "rad/s", "lyapunov_max": "1/s", "lyapunov_error": "1/s",
    "end_position": "m", "torque": "N m", "max_ground_force": "N", "ground_force": "N",
}


COUNTS = ("/statistics/runs", "/statistics/over_time/runs", "/statistics/histogram",
          "/statistics/correlations")  # no numbers of the quantity


def check_unit(dataset):
    folder, name = dataset.name.rsplit("/", 1)
    wanted = None if folder.endswith(("/checksums", "/provenance", *COUNTS)) else UNITS.get(name)
    if wanted and dataset.attrs.get("units") not in (wanted, f"{wanted}/kg"):  # inverse.per_mass
        yield f"{dataset.name}: units {dataset.attrs.get('units')}, not {wanted}"


def is_view_of(dataset, scale):
    """Below the group of its scale: netCDF reads no other links."""
    above = scale.parent.name
    plots = above if above.endswith("/plots") else f"{above}/plots"
    return dataset.name.startswith(f"{plots}/")


def check_dataset(dataset):
    yield from check_unit(dataset)
    is_scale = h5py.h5ds.is_scale(dataset.id)
    if not is_scale:
        for k, dim in enumerate(dataset.dims):
            if len(dim) != 1 or dim[0].shape != (dataset.shape[k],):
                yield f"{dataset.name}: dimension {k} has {len(dim)} scales"
            elif dim[0].parent != dataset.parent and not is_view_of(dataset, dim[0]):
                yield f"{dataset.name}: scale of dimension {k} is in another group"
    if dataset.dtype.kind not in "iufO" or dataset.dtype == np.float16:
        yield f"{dataset.name}: type {dataset.dtype}"
    if dataset.dtype.kind == "O" and not h5py.check_string_dtype(dataset.dtype):
        yield f"{dataset.name}: variable-length numbers"
    filters = {f.lower() for f in dataset._filters}
    if not {"32768" if f == "gzip" else f for f in filters} <= PLAIN_FILTERS | {"gzip", "32768"}:
        yield f"{dataset.name}: filters {filters}"
    if dataset.chunks is None and not is_scale and not dataset.is_virtual and not \
            "/plots/" in dataset.name and dataset.dtype.kind == "f" and dataset.ndim > 0:
        name = dataset.name.rsplit("/", 1)[-1]
        yield from check_checksums(dataset, dataset.parent.get("checksums", {}).get(name))
    elif dataset.name == SEAL:
        yield from check_seal(dataset)
    elif dataset.is_virtual:
        if any(source.file_name != "." for source in dataset.virtual_sources()):
            yield f"{dataset.name}: shows what is in another file"
    elif dataset.ndim > 0 and dataset.dtype.kind != "O" and not dataset.fletcher32 and not (
            dataset.chunks is None and "/trajectories/plots/" in dataset.name):
        yield f"{dataset.name}: no checksum"
    for name, value in dataset.attrs.items():
        if isinstance(value, (bytes, np.bytes_)) and name not in ("CLASS", "NAME"):
            yield f"{dataset.name}: attribute {name} is not variable-length UTF-8"
    parent = dataset.parent.name
    if parent != "/study" and parent != "/study/provenance":
        if dataset.ndim > 0 and not text(dataset, "description"):
            yield f"{dataset.name}: no description"


def groups(file):
    """[(group, {name: dataset})]"""
    found = [file]
    file.visititems(lambda _, x: found.append(x) if isinstance(x, h5py.Group) else None)
    return [(group, {name: x for name, x in group.items() if isinstance(x, h5py.Dataset)}) for group in found]


def same(seen, dataset):
    values = dataset.asstr()[()] if dataset.dtype.kind == "O" else dataset[()]
    seen = np.asarray(seen)
    values = np.asarray(values)
    if values.dtype.kind == "f":
        return seen.shape == values.shape and np.array_equal(seen, values, equal_nan=True)
    return seen.shape == values.shape and bool(np.all(seen == values))


def check_xarray(path, group, datasets):
    if "/plots" in group.name:  # views, for viewers; that netCDF reads them ncdump shows
        return
    for engine in ("netcdf4", "h5netcdf"):
        try:
            with xarray.open_dataset(path, group=group.name, engine=engine) as opened:
                for name, dataset in datasets.items():
                    if name not in opened.variables:
                        yield f"{dataset.name}: missing in xarray ({engine})"
                    else:
                        yield from check_labels(opened.variables[name], dataset.name)
                    if name in opened.variables and not same(opened.variables[name].values, dataset):
                        yield f"{dataset.name}: other values in xarray ({engine})"
        except Exception as error:  # whatever a reader throws is the finding
            yield f"{group.name}: xarray ({engine}) fails: {error!r}"


def check_tool(command, found):
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    if run.returncode != 0 or "error" in run.stderr.lower():
        yield f"{' '.join(command)}: {run.stderr.strip()}"
    unescaped = run.stdout.replace("\\=", "=")
    for _, datasets in found:
        for name, dataset in datasets.items():
            if f" {name}" not in unescaped and f'"{name}"' not in run.stdout:
                yield f"{dataset.name}: missing in {command[0]}"


def problems(path):
    with h5py.File(path, "r") as file:
        yield from check_default_chain(file)
        found = groups(file)
        for group, datasets in found:
            for dataset in datasets.values():
                dataset[()]
                yield from check_dataset(dataset)
            yield from check_xarray(path, group, datasets)
        yield from check_tool(["ncdump", "-h", path], found)
        yield from check_tool(["h5dump", "-H", path], found)


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    found = [f"{path}: {problem}" for path in sys.argv[1:] for problem in problems(path)]
    print("\n".join(found) if found else "opens everywhere")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
