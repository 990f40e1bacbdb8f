"""check_plot.py add OUT.h5: adds made-up exponents, errors and a history to a summary.
check_plot.py map OUT.h5 FOLDER NAME X Y [DIM=INDEX]...: script and data of a map of /study/summary
check_plot.py curves OUT.h5 FOLDER GROUP/NAME X ERRORS|- [DIM=INDEX]...: of curves over X
check_plot.py points OUT.h5 FOLDER NAME X Y [DIM=INDEX]...: of coloured points of a sample
check_plot.py stick OUT.h5 FOLDER INDEX: of a stick figure of a saved run
check_plot.py irregular OUT.h5 FOLDER NAME X Y [DIM=INDEX]...: of a map with cells of several widths

What `manylink plot --script FOLDER` wrote, against what h5py reads."""
import re
import sys

import h5py
import numpy as np
from plot_tables import images, script, sticks, tables


def number_range(text, letter):
    low, high = re.search(rf"^set {letter}range \[(.*):(.*)\]$", text, re.M).groups()
    return float(low), float(high)


def label(dataset):
    """Its own, or the name and the unit."""
    name, unit = dataset.name.split("/")[-1], dataset.attrs.get("units", "1")
    return dataset.attrs.get("long_name", name if unit == "1" else f"{name} ({unit})")


def dims(dataset):
    return [dim[0].name.split("/")[-1] for dim in dataset.dims]


def pick(file, dataset, fixed, masked):
    """The dataset without unfinished runs, at fixed indices; what is left of its dimensions."""
    names, values = dims(dataset), dataset[()].copy()
    if masked:
        outcome = file["/study/runs/outcome"][()]
        rank = 0 if len(outcome) == 1 else next(
            k for k in range(len(names) + 1) if np.prod(dataset.shape[:k]) == len(outcome))
        values[outcome.reshape(dataset.shape[:rank]) != 0] = np.nan
    index = tuple(int(fixed[n]) if n in fixed else slice(None) for n in names)
    return values[index], [n for n in names if n not in fixed]


def edges(values):
    """Cell edges, and whether they are of the logarithm: where ratios are all the same."""
    if len(values) == 1:
        return values[0] + np.array([-0.5, 0.5]), False
    is_log = len(values) > 2 and values.min() > 0 and np.ptp(np.diff(np.log10(values))) < 1e-9
    u = np.log10(values) if is_log else values
    inner = (u[1:] + u[:-1]) / 2
    return np.concatenate([[u[0] - (inner[0] - u[0])], inner, [u[-1] + (u[-1] - inner[-1])]]), is_log


def check_frame(text, letter, cells, is_log):
    low, high = number_range(text, letter + "2")
    close = 1e-12 * np.ptp(cells)
    assert np.allclose([low, high], cells[[0, -1]], rtol=0, atol=close), letter
    first = float(re.search(r"origin=\(([^,]*),([^)]*)\)", text).group("xy".index(letter) + 1))
    step = float(re.search(rf"d{letter}=(\S+)", text).group(1))
    assert np.isclose(first - step / 2, cells[0], rtol=0, atol=close), "origin"
    shown = np.array(number_range(text, letter))
    wanted = 10 ** cells[[0, -1]] if is_log else cells[[0, -1]]
    assert np.allclose(shown, wanted, rtol=1e-12), (letter, shown, wanted)
    assert (f"\nset logscale {letter}\n" in text) == is_log, letter


def check_colours(text, dataset, values):
    assert f'\nset cblabel "{label(dataset)}"\n' in text
    good = values[np.isfinite(values)]
    low, high = number_range(text, "cb")
    smaller, larger = sorted([max(-good.min(), 0), max(good.max(), 0)])
    if good.min() < 0 < good.max() and smaller > 0.1 * larger:  # two hues about 0
        assert (low, high) == (-larger, larger)
    else:
        assert high == good.max() and low in (good.min(), good[good > 0].min())
    bare = values.size - good.size
    note = f"grey: {bare} of {values.size} without a value"
    assert (note in text) == (bare > 0), bare
    assert "color rgb '#c0c0c0'" in text


def read_map(file, folder, name, x, y, fixed):
    dataset = file["/study/summary"][name]
    values, left = pick(file, dataset, fixed, masked=True)
    values = values if left == [y, x] else values.T
    assert sorted(left) == sorted([x, y]), left
    text = script(folder)
    check_colours(text, dataset, values)
    (image,) = images(folder)
    assert min(image.shape) >= 2  # gnuplot draws nothing else
    return text, values, image


def check_map(file, folder, name, x, y, *fixed):
    text, values, drawn = read_map(file, folder, name, x, y, dict(f.split("=") for f in fixed))
    for letter, axis, n in (("x", x, drawn.shape[1]), ("y", y, drawn.shape[0])):
        positions = file["/study/summary"][axis]
        numbers = positions[()]
        if numbers.dtype.kind == "O":
            numbers = np.arange(len(numbers), dtype=float)
        elif numbers[0] > numbers[-1]:
            numbers, values = numbers[::-1], np.flip(values, "yx".index(letter))
        cells, is_log = edges(numbers.astype(float))
        check_frame(text, letter, cells, is_log)
        step = float(re.search(rf"d{letter}=(\S+)", text).group(1))
        assert np.isclose(step, np.ptp(cells) / n, rtol=1e-12)
        assert f'set {letter}label "{label(positions)}"' in text
    assert np.array_equal(values, drawn, equal_nan=True)


def check_irregular(file, folder, name, x, y, *fixed):
    text, wanted, drawn = read_map(file, folder, name, x, y, dict(f.split("=") for f in fixed))
    for k, (letter, axis) in enumerate((("y", y), ("x", x))):
        numbers = file["/study/summary"][axis][()].astype(float)
        if numbers[0] > numbers[-1]:
            numbers, wanted = numbers[::-1], np.flip(wanted, k)
        cells, is_log = edges(numbers)
        check_frame(text, letter, cells, is_log)
        n = drawn.shape[k]
        middles = cells[0] + (np.arange(n) + 0.5) * np.ptp(cells) / n
        wanted = np.take(wanted, np.searchsorted(cells[1:-1], middles), axis=k)
    assert np.array_equal(wanted, drawn, equal_nan=True)


def rows(values, left, x):
    """[curves, places of x]"""
    return np.moveaxis(values, left.index(x), -1).reshape(-1, values.shape[left.index(x)])


def check_curves(file, folder, path, x, errors, *fixed):
    fixed = dict(f.split("=") for f in fixed)
    group, name = path.split("/")
    dataset = file["/study"][group][name]
    text, table = script(folder), tables(folder)[0].T
    column = x if x in dims(dataset) else dims(file["/study"][group][x])[0]
    values, left = pick(file, dataset, fixed, group == "summary" and len(fixed) < 2)
    numbers = file["/study"][group][x][()]
    if numbers.dtype.kind == "O":
        numbers = np.arange(len(numbers))
    order = np.argsort(numbers, kind="stable")
    assert np.array_equal(table[0], numbers[order]), "x"
    wanted = rows(values, left, column)[:, order]
    step = 1 if errors == "-" else 3
    assert np.array_equal(table[1::step], wanted, equal_nan=True), "values"
    if errors != "-":
        other = file["/study"][group][errors]
        there = {**{d: 0 for d in dims(other) if d not in dims(dataset)}, **fixed}
        bars, left = pick(file, other, there, group == "summary")
        error = rows(bars, left, column)[:, order]
        assert np.array_equal(table[2::3], wanted - error, equal_nan=True) and np.array_equal(table[3::3], wanted + error, equal_nan=True), "errors"
        assert text.count("with yerror") == len(wanted)
        if "with yerrorbars" in text:  # points on top of all of them
            assert text.count("with points") == len(wanted)
            assert text.rindex("with yerrorbars") < text.index("with points")
    if "with boxxyerror" in text:  # bars beside labels
        assert f'\nset xlabel "{label(dataset)}"\n' in text
        return
    assert f'\nset ylabel "{label(dataset)}"\n' in text
    # An axis that moves several quantities has its own name before that of the first.
    assert re.search(f'\nset xlabel "(\\w+: )?{re.escape(label(file["/study"][group][x]))}"\n', text)


def check_points(file, folder, name, x, y, *fixed):
    group, text = file["/study/summary"], script(folder)
    table = tables(folder)[0].T
    values, left = pick(file, group[name], dict(f.split("=") for f in fixed), masked=True)
    assert left == ["run"]
    assert np.array_equal(table, [group[x][()], group[y][()], values], equal_nan=True)
    check_colours(text, group[name], values)
    for letter, axis in (("x", x), ("y", y)):
        assert f'set {letter}label "{label(group[axis])}"' in text
        low, high = number_range(text, letter)
        assert low < group[axis][()].min() and high > group[axis][()].max()


def check_stick(file, folder, index):
    ends = file["/study/trajectories/end_position"][int(index)]
    times = file["/study/trajectories/time"][()]
    (path,) = tables(folder)
    assert np.array_equal(path, np.vstack([ends[-1], times]).T), "path"
    blocks = sticks(folder)
    assert 20 <= len(blocks) <= 60, len(blocks)
    assert blocks[0][0, 2] == times[0] and blocks[-1][0, 2] == times[-1]
    for block in blocks:
        at = np.flatnonzero(times == block[0, 2])[0]
        assert np.all(block[:, 2] == times[at]) and np.all(block[0, :2] == 0)
        assert np.array_equal(block[1:, :2], ends[:, :, at])
    text = script(folder)
    assert "set size ratio -1" in text
    for letter, positions in (("x", ends[:, 0]), ("y", ends[:, 1])):
        low, high = number_range(text, letter)
        assert low < min(0, positions.min()) and high > max(0, positions.max())


def add(file):
    group = file["/study/summary"]
    axes, shape = dims(group["energy_drift"]), group["energy_drift"].shape

    def scale(name, values, unit):
        group[name] = values
        group[name].attrs["units"] = unit
        group[name].make_scale(name)

    def output(name, extra):
        size = shape + tuple(len(group[e]) for e in extra)
        group[name] = 1 + np.sin(np.arange(np.prod(size))).reshape(size)
        for k, scale_name in enumerate(axes + extra):
            group[name].dims[k].attach_scale(group[scale_name])
        group[name].attrs["units"], group[name].attrs["long_name"] = "1/s", f"{name} (1/s)"

    scale("exponent", [1, 2, 3, 4], "1")
    scale("time", np.logspace(-1, 2, 7), "s")
    output("lyapunov_max", [])
    output("lyapunov_sum", [])
    output("lyapunov_spectrum", ["exponent"])
    output("lyapunov_error", ["exponent"])
    output("lyapunov_history", ["exponent", "time"])
    output("end_rate_errors", ["segment"])
    if len(file["/study/runs/outcome"]) > 1:
        file["/study/runs/outcome"][4] = 1  # diverged, and yet its numbers are there
    group["max_rate"].attrs["uncertainties"] = "end_rate_errors"


def main(what, path, *rest):
    with h5py.File(path, "r+" if what == "add" else "r") as file:
        {"add": add, "map": check_map, "irregular": check_irregular, "curves": check_curves,
         "points": check_points, "stick": check_stick}[what](file, *rest)


main(*sys.argv[1:])
