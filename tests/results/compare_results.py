#!/usr/bin/python3
"""compare_results.py A.h5 B.h5...: are the others the same result as A?

Every dataset and attribute outside /study/provenance must be identical to the bit, NaN payloads
included. Prints what differs; exit code 0 same, 1 different, 77 no h5py.
"""
import sys

try:
    import h5py
    import numpy as np
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)

APART = "/study/provenance"
ROWS = 1 << 16  # elements of a dataset that are compared at a time


def plain(value, file):
    """References as the names they stand for: their bits are addresses in the file."""
    if isinstance(value, h5py.Reference):
        return file[value].name
    if isinstance(value, np.void):  # an entry of REFERENCE_LIST
        return tuple(plain(part, file) for part in value)
    if isinstance(value, (np.ndarray, list, tuple)) and getattr(value, "dtype", object) == object:
        return [plain(part, file) for part in value]
    if isinstance(value, np.ndarray) and value.dtype.names:
        return [plain(part, file) for part in value]
    if isinstance(value, (np.ndarray, np.generic)):
        return (str(value.dtype), value.shape, value.tobytes())
    return value


def attributes(thing, file):
    return [(name, plain(thing.attrs[name], file)) for name in thing.attrs]


def names(file):
    """Path of every group and dataset."""
    found = ["/"]
    file.visit(lambda name: found.append("/" + name))
    return [name for name in found if name != APART and not name.startswith(APART + "/")]


def same_data(a, b):
    if a.dtype.kind == "O" or a.shape == ():
        return plain(a[()], a.file) == plain(b[()], b.file)
    step = max(1, ROWS * a.shape[0] // max(1, a.size))
    return all(
        a[i : i + step].tobytes() == b[i : i + step].tobytes() for i in range(0, a.shape[0], step)
    )


def storage(dataset):
    filters = (dataset.compression, dataset.compression_opts, dataset.shuffle, dataset.fletcher32)
    return dataset.dtype, dataset.shape, dataset.chunks, filters


def differences(a, b):
    names_a, names_b = names(a), names(b)
    for name in sorted(set(names_a) ^ set(names_b)):
        yield f"{name}: only in {(a if name in names_a else b).filename}"
    for name in names_a:
        if name not in names_b:
            continue
        x, y = a[name], b[name]
        if attributes(x, a) != attributes(y, b):
            yield f"{name}: attributes"
        if type(x) is not type(y):
            yield f"{name}: one is a group, one a dataset"
        elif isinstance(x, h5py.Dataset):
            if storage(x) != storage(y):
                yield f"{name}: {storage(x)} and {storage(y)}"
            elif not same_data(x, y):
                yield f"{name}: values"


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    found = []
    with h5py.File(sys.argv[1], "r") as a:
        for other in sys.argv[2:]:
            with h5py.File(other, "r") as b:
                found += [f"{other}: {difference}" for difference in differences(a, b)]
    print("\n".join(found) if found else "same")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
