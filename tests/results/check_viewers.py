"""What h5web 16 and silx 1.1 make of a result's attributes, and xarray of its labels.

Imported by view_result.py. As command: check_viewers.py [--first] OUT.h5 SIGNAL [AXIS]...: what the
default picture must be; with --first that alone, where view_result.py looks at the others.

The two viewers, from their sources: a map is drawn in cells of equal width between the first and
the last number of an axis; equal `units` on both axes of a map, or none on both, make one scale of
both; all auxiliary signals of a one-dimensional signal are drawn over one axis, labelled by the
signal; a one-dimensional signal with two axes of its length is a scatter plot, whose axes h5web lets
run backwards where their last number is less than the first; error bars are those of
SIGNAL_errors."""
import json
import sys

import h5py
import numpy as np

NEVER_FIRST = {"sensitivity", "relative_sensitivity", "sensitivity_horizon", "energy_drift",
               "predictability_time", "power_balance_error"}
COMPARABLE = 4  # ranges that are drawn to one scale


def text(thing, name):
    value = thing.attrs.get(name)
    return value if isinstance(value, str) else None


def is_even(values):
    steps = np.diff(values)
    return len(values) < 2 or (steps[0] != 0 and np.ptp(steps) <= 1e-5 * abs(steps[0]))


def is_in_order(values):
    return bool(np.all(np.diff(values) > 0) or np.all(np.diff(values) < 0))


def check_aspect(name, y, x):
    unit = text(y, "units")
    if unit != text(x, "units"):
        return
    height, width = np.ptp(y[()]), np.ptp(x[()])
    if not unit or not (height <= COMPARABLE * width and width <= COMPARABLE * height):
        yield f"{name}: {y.name} and {x.name} are drawn to one scale, a strip"


def is_scatter(group):
    return len(group.attrs.get("axes", [])) == 2 and group[text(group, "signal")].ndim == 1


def is_index(axis):
    return ": " in (text(axis, "long_name") or "") and np.array_equal(axis[()], range(len(axis)))


def check_axes(group, signal, names):
    """Along the runs and what else there is."""
    axes = [group[name] for name in names]
    if is_scatter(group):  # it takes any numbers
        for axis in axes:
            if axis[-1] - axis[0] < 0:
                yield f"{group.name}: {axis.name} runs backwards"
            if not np.isnan(axis[-1]) or "run" not in group and signal.dims[0][0][-1] != -1:
                yield f"{group.name}: {axis.name} does not end in a point that is none"
        return
    by_time = text(signal, "interpretation") == "spectrum"
    for name, axis in zip(names, axes):
        if name in ("axis.run", "axis.time") or is_index(axis):
            continue
        if signal.ndim > 1 and not by_time and not is_even(axis[()]):
            yield f"{group.name}: {name} is not even, and drawn as if it were"
        if signal.ndim == 1 and not is_in_order(axis[()]):
            yield f"{group.name}: {name}: a curve goes back and forth"
        own, label = text(axis, "units"), text(axis, "long_name") or ""
        if len(label) > 45 and "." in max(label.split(" "), key=len).removeprefix(".."):
            yield f"{group.name}: {label!r} is cut by h5web"
        if name.startswith("axis.") and own and own != "1" and text(axis, "long_name") \
                and own not in text(axis, "long_name"):
            yield f"{group.name}: {name} does not tell its unit"
    if len(axes) > 1 and not by_time:
        yield from check_aspect(group.name, *axes[-2:])


def check_signals(group, signal):
    names = [text(group, "signal"), *group.attrs.get("auxiliary_signals", [])]
    for name in names:
        if text(group[name], "units") != text(signal, "units"):
            yield f"{group.name}: curves of several units over one axis"
        if group[name].shape != signal.shape:
            yield f"{group.name}: {name} has another shape"


def check_errors(group, signal, data):
    """Curves have error bars of what the data holds."""
    shows = text(group, "shows")
    stem = shows.rsplit("_", 1)[0]
    if signal.ndim != 1 or len(group.attrs.get("axes", [])) != 1 or data.name == "/study/inverse":
        return
    for error in {f"{shows}_error", f"{stem}_error"} & set(data):
        if not shows.endswith(("_max", "_spectrum")) and error != f"{shows}_error":
            continue
        names = [text(group, "signal"), *group.attrs.get("auxiliary_signals", [])]
        order = sorted(names)
        scales = [dim[0].name.rsplit("/", 1)[-1] for dim in data[error].dims]
        along = scales.index(group.attrs["axes"][0].removeprefix("axis."))
        every = np.moveaxis(data[error][()], along, 0).reshape(len(signal), -1)
        for name in names:
            known = every[:, order.index(name) * (every.shape[1] // len(names))]
            if f"{name}_errors" not in group:
                yield f"{group.name}: no error bars of {name}, though {error} is there"
            elif not np.array_equal(group[f"{name}_errors"][()], known, True):
                yield f"{group.name}: other errors of {name}"


def labels_of(dataset, k):
    """Names of the signals that entries of a dimension are; none of what is swept and of time."""
    scale = dataset.dims[k][0]
    if scale.dtype.kind == "O":
        return [label.replace("/", "|") for label in scale.asstr()[()]]
    name = scale.name.rsplit("/", 1)[-1]
    if len(scale) == 2 and name not in ("exponent", "crossing", "time"):  # of two values beside more
        return [f"{name}={value:g}" for value in scale[()]]
    return [f"{name}_{i + 1}" for i in range(len(scale))] \
        if name in ("exponent", "crossing") else []


def kept_numbers(data, name):
    """[run][event] of what events keep, of the whole file by the name that `plot` takes; or of what
    is swept [run][1]."""
    runs = data.parent["runs"]
    if name in runs:
        return runs[name][()][:, None]
    stem = name if name in data else name.rsplit(".", 1)[0]
    own = data[stem]
    scales = [dim[0].name.rsplit("/", 1)[-1] for dim in own.dims]
    values = own[()].reshape(len(runs["run"]), *own.shape[scales.index("crossing"):])
    if values.ndim == 2:
        return values
    return values[:, :, 0 if name == stem else labels_of(own, own.ndim - 1).index(name[len(stem) + 1:])]


def check_points(group, data):
    """Points are those of the first events of the runs, in their order, as numbers of 24 bits; angles
    may have lost whole turns."""
    names = list(group.attrs["axes"])
    found = np.array([group["run"][:-1], *(group[name][:-1] for name in names)])
    values = [kept_numbers(data, name.removeprefix("axis.")) for name in names]
    runs = data.parent["runs/run"][()]
    columns = np.broadcast_arrays(*(x.reshape(len(runs), -1) for x in (runs, *values)))
    wanted = np.array([column.ravel() for column in columns])
    wanted = wanted[:, np.all(np.isfinite(wanted), axis=0)]
    if found.shape[1] < min(wanted.shape[1], 16000):
        yield f"{group.name}: has {found.shape[1]} of {wanted.shape[1]} points"
    elif found.shape[1] == wanted.shape[1]:
        for k, name in enumerate(names, 1):
            apart = found[k] - wanted[k]
            if "modulo 2 pi" in text(group[name], "long_name"):
                apart -= 2 * np.pi * np.rint(apart / (2 * np.pi))
            if np.any(np.abs(apart) > 1e-6 * (1 + np.abs(wanted[k]))):
                yield f"{group.name}: other points than those of the runs"
        if not np.array_equal(found[0], wanted[0]):
            yield f"{group.name}: points of other runs"


def check_values(group, data):
    """Each signal is what its name says of the data."""
    shows = text(group, "shows")
    if "run" in group and is_scatter(group):
        yield from check_points(group, data)
        return
    own = data[shows]
    for name in [text(group, "signal"), *group.attrs.get("auxiliary_signals", [])]:
        found, wanted = group[name][()], own[()].squeeze()
        found = found[:-1].squeeze() if is_scatter(group) else found.squeeze()
        if found.shape != wanted.shape:
            at, rest = [slice(None)] * own.ndim, name.removeprefix("by.")
            if "_of_" in group.name:
                rest = f"{group.name.rsplit('_of_', 1)[1]}.{rest}"
            rest = rest.removeprefix(f"{shows}.")
            for k in range(own.ndim):
                labels = labels_of(own, k)
                for i, label in enumerate(labels) if rest else []:
                    if rest == label or rest.startswith(f"{label}."):
                        at[k], rest = i, rest[len(label) + 1:]
                        break
            wanted = own[tuple(at)].squeeze()
        if found.shape != wanted.shape or not np.array_equal(found, wanted, True):
            yield f"{group.name}: {name} is not that of {shows}"


def check_wrapped(summary):
    """Angles for maps are those of the last segment, turned into -pi .. pi."""
    for name in set(summary.attrs.get("copies_for_viewers", [])) - {"outcome"}:
        angle = summary[name.split("_wrapped")[0]][..., -1]
        turned = np.angle(np.exp(1j * angle)) - summary[name][()]
        if np.nanmax(np.abs(np.angle(np.exp(1j * turned))), initial=0) > 2e-4:
            yield f"{summary[name].name}: is not the angle of its run"
        if np.nanmax(np.abs(summary[name][()]), initial=0) > 3.1417:
            yield f"{summary[name].name}: is not in -pi .. pi"


def check_title(group, signal, study):
    title = group["title"][()].decode() if "title" in group else ""
    unit = text(signal, "units")
    first = title.split(",")[0].split(" (")[0]
    known = {text(group, "shows"), text(group, "signal"), group.name.rsplit("/", 1)[-1]}
    if text(group, "colour") == "run" and text(group, "shows").startswith(f"{first}_"):
        known.add(first)  # a section, by its event
    if first.removesuffix(" ..") not in known and not title.endswith(".."):
        yield f"{group.name}: titled {title!r}"
    cut = title[:-3] if title.endswith(" ..") else None
    wanted = f"{first}{f' ({unit})' if unit else ''}, {study}"
    if title != wanted and not (cut and wanted.startswith(cut) and len(wanted) > 60):
        yield f"{group.name}: titled {title!r}, not {wanted!r}"
    if len(title) > 60 and len(first) < 40:
        yield f"{group.name}: its title covers the picture"


def check_style(group, data):
    """Drifts have log scales, unless all are 0, for which h5web has no range."""
    style = text(group, "SILX_style")
    scale = json.loads(style).get("signal_scale_type") if style else None
    shows = text(group, "shows")
    is_drift = shows in ("energy_drift", "power_balance_error")
    wanted = "log" if is_drift and np.any(data[shows][()] > 0) else \
        "symlog" if shows in ("sensitivity", "relative_sensitivity") else None
    names, rank = group.attrs.get("axes", []), group[text(group, "signal")].ndim
    is_scatter = rank == 1 and len(names) == 2 and names[1] == text(group, "signal")
    if scale != wanted and (is_scatter or len(names) == rank):
        yield f"{group.name}: drawn on a scale {scale}, not {wanted}"
    if is_scatter and ("log" in (json.loads(style).get("axes_scale_types", []) if style else [])[1:]) != (wanted == "log"):
        yield f"{group.name}: the axis of {shows} is not as the signal is"


def check_slice(group, signal):
    """Sliders of the study's axes begin in the middle, those of samples and other dimensions at the first entry."""
    n_drawn = 1 if text(signal, "interpretation") == "spectrum" else 2
    of_runs = set(group.parent.parent.attrs.get("run_dims", [])) - {"run"}
    ordered = of_runs - {"sample"}
    names = [name.removeprefix("axis.") for name in group.attrs.get("axes", [])]
    inner = [k for k, name in enumerate(names) if name in ordered and "time" not in names]
    drawn = (inner if len(inner) >= n_drawn else list(range(len(names))))[-n_drawn:]
    wanted = ["." if k in drawn else str((n - 1) // 2 if names[k] in ordered else 0)
              for k, n in enumerate(signal.shape)] if signal.ndim > n_drawn else []
    if list(group.attrs.get("default_slice", [])) != wanted:
        yield f"{group.name}: shows first {list(group.attrs.get('default_slice', []))}, not {wanted}"


def check_colours(group, data):
    """Points that are coloured by the value of a key that is swept have that of their run."""
    name = text(group, "signal")
    if "run" not in group or name == "run" or name in group.attrs["axes"]:
        return
    runs = data.parent["runs"]
    values = dict(zip(runs["run"][()], runs[name][()]))
    if not np.array_equal(group[name][:-1], [values[run] for run in group["run"][:-1]]):
        yield f"{group.name}: has other colours than the {name} of its runs"


def check_views(data, study):
    """All views of a group of data, of which `views` is the index."""
    groups = {name for name, group in data["plots"].items() if isinstance(group, h5py.Group)}
    named = list(data["plots"].attrs["views"])
    if len(named) != len(groups) or set(named) != groups:
        yield f"{data.name}: views are {sorted(groups)}, not {sorted(named)}"
    for group in data["plots"].values():
        if not isinstance(group, h5py.Group):
            continue
        signal = group[text(group, "signal")]
        yield from check_title(group, signal, study)
        yield from check_signals(group, signal)
        names = list(group.attrs.get("axes", []))
        if "." in names:
            yield f"{group.name}: an axis without numbers"
        elif names:
            yield from check_axes(group, signal, names)
        yield from check_errors(group, signal, data)
        yield from check_values(group, data)
        yield from check_style(group, data)
        yield from check_slice(group, signal)
        yield from check_colours(group, data)


def check_first_picture(file):
    entry = file["study"]
    study = entry["title"][()].decode()
    for name in ("summary", "trajectories", "inverse"):
        if name in entry:
            yield from check_views(entry[name], study)
            yield from check_wrapped(entry[name])
            first = entry[f"{name}/{text(entry[name], 'default')}"]
            shows = text(first, "shows")
            if shows in NEVER_FIRST and "show:" not in entry["resolved"][()].decode():
                yield f"{first.name}: {shows} is shown first"


def check_labels(variable, path):
    """No unit twice in what xarray writes along an axis; `variable` is one of its own."""
    import xarray
    label = xarray.plot.utils.label_from_attrs(xarray.DataArray(variable))
    unit = variable.attrs.get("units", "")
    if unit and f"({unit})".replace(" ", "") in "".join(label.split()):
        yield f"{path}: labelled {label!r}"


def main(*words):
    is_first = words[0] == "--first"
    path, signal, *axes = words[is_first:]
    with h5py.File(path) as file:
        group = file["study"][file["study"].attrs["default"]]
        found = [text(group, "signal"), *group.attrs.get("axes", [])]
        for problem in () if is_first else check_first_picture(file):
            sys.exit(problem)
        if found != [signal, *axes]:
            sys.exit(f"{path}: shows first {' '.join(found)}")


if __name__ == "__main__":
    main(*sys.argv[1:])
