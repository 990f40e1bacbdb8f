"""What `manylink plot --script FOLDER` has gnuplot draw: tables of data.bin, as plot.gp names them."""
import re

import numpy as np


def script(folder):
    return open(f"{folder}/plot.gp", encoding="utf-8").read()


def table(folder, skip, shape):
    return np.fromfile(f"{folder}/data.bin", count=int(np.prod(shape)), offset=skip).reshape(shape)


def tables(folder):
    """[rows, columns] each, in the order of the file; without rows that stand for none."""
    found = re.findall(r"data binary skip=(\d+) record=(\d+) format='%(\d+)double'", script(folder))
    parts = [table(folder, skip, (n, columns)) for skip, n, columns in sorted({tuple(map(int, f)) for f in found})]
    return [part[:0] if len(part) == 1 and np.isnan(part).all() else part for part in parts]


def images(folder):
    """[y, x] each."""
    found = re.findall(r"data binary skip=(\d+) array=\((\d+),(\d+)\) format='%double'", script(folder))
    return [table(folder, int(skip), (int(y), int(x))) for skip, x, y in found]


def sticks(folder):
    """[snapshot, point, (x, y, time)]"""
    skip, size, n = map(int, re.search(r"skip=\((\d+) \+ \(frame - 1\) \* (\d+)\) record=(\d+)", script(folder)).groups())
    rest = np.fromfile(f"{folder}/data.bin", offset=skip)
    path = min((int(s) for s in re.findall(r"skip=(\d+) ", script(folder)) if int(s) > skip))
    return rest[:(path - skip) // 8].reshape(-1, n, 3)
