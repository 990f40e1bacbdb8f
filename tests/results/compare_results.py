#!/usr/bin/python3
"""compare_results.py A.h5 B.h5...: are the others the same result as A?

Every dataset and attribute outside /study/provenance must be identical to the bit, NaN payloads
included. Prints what differs; exit code 0 same, 1 different.
"""
import sys

import h5py
import numpy as np

APART = "/study/provenance"
ROWS = 1 << 16  # elements of a dataset that are compared at a time


def same_bits(a, b):
    return np.array_equal(a.reshape(-1).view(np.uint8), b.reshape(-1).view(np.uint8))


def is_of_own_file(virtual):
    return all(source.file_name == "." for source in virtual.virtual_sources())


def sources(virtual):
    """Which part of it comes from where: datasets that are compared themselves."""
    return [(source.dset_name, source.vspace.encode(), source.src_space.encode())
            for source in virtual.virtual_sources()]


class Contents:
    """Groups and datasets of a file by path, and what attributes say, read once."""

    def __init__(self, file):
        self.file = file
        self.things = {"/": file["/"]}
        file.visititems(lambda name, thing: self.things.update({"/" + name: thing}))
        # a name by its address: HDF5 would look for it in the whole file, for each reference
        self.names = {h5py.h5o.get_info(x.id).addr: name for name, x in self.things.items()}
        self.known = {}

    def plain(self, value):
        """References as the names they stand for: their bits are addresses in the file."""
        if isinstance(value, h5py.Reference):
            return self.names[h5py.h5o.get_info(h5py.h5r.dereference(value, self.file.id)).addr]
        if isinstance(value, np.void):  # an entry of REFERENCE_LIST
            return tuple(self.plain(part) for part in value)
        if isinstance(value, (np.ndarray, list, tuple)) and getattr(value, "dtype", object) == object:
            return [self.plain(part) for part in value]
        if isinstance(value, np.ndarray) and value.dtype.names:
            return [self.plain(part) for part in value]
        if isinstance(value, (np.ndarray, np.generic)):
            return (str(value.dtype), value.shape, value.tobytes())
        return value

    def attributes(self, path):
        if path not in self.known:
            self.known[path] = [(name, self.plain(value))
                                for name, value in self.things[path].attrs.items()]
        return self.known[path]

    def paths(self):
        return [name for name in self.things if name != APART and not name.startswith(APART + "/")]

    def same_data(self, other, path):
        a, b = self.things[path], other.things[path]
        if a.dtype.kind == "O" or a.shape == ():
            return self.plain(a[()]) == other.plain(b[()])
        if a.is_virtual and b.is_virtual and is_of_own_file(a) and is_of_own_file(b):
            return sources(a) == sources(b)
        step = max(1, ROWS * a.shape[0] // max(1, a.size))
        if a.chunks:  # each chunk is decompressed once
            step += -step % a.chunks[0]
        return all(
            same_bits(a[i : i + step], b[i : i + step]) for i in range(0, a.shape[0], step)
        )


def storage(dataset):
    filters = (dataset.compression, dataset.compression_opts, dataset.shuffle, dataset.fletcher32)
    return dataset.dtype, dataset.shape, dataset.chunks, filters


def differences(a, b):
    paths_a, paths_b = a.paths(), set(b.paths())
    for path in sorted(set(paths_a) ^ paths_b):
        yield f"{path}: only in {(b if path in paths_b else a).file.filename}"
    for path in paths_a:
        if path not in paths_b:
            continue
        x, y = a.things[path], b.things[path]
        if a.attributes(path) != b.attributes(path):
            yield f"{path}: attributes"
        if type(x) is not type(y):
            yield f"{path}: one is a group, one a dataset"
        elif isinstance(x, h5py.Dataset):
            if storage(x) != storage(y):
                yield f"{path}: {storage(x)} and {storage(y)}"
            elif not a.same_data(b, path):
                yield f"{path}: values"


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    found = []
    with h5py.File(sys.argv[1], "r") as first:
        a = Contents(first)
        for other in sys.argv[2:]:
            with h5py.File(other, "r") as file:
                found += [f"{other}: {difference}" for difference in differences(a, Contents(file))]
    print("\n".join(found) if found else "same")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
