"""What h5web 16 and silx 1.1 make of a result's attributes, and xarray of its labels.

Imported by view_result.py. As command: check_viewers.py OUT.h5 SIGNAL [AXIS]...: what the default
picture must be. Exit code 77 without h5py.

The two viewers, from their sources: a map is drawn in cells of equal width between the first and
the last number of an axis; equal `units` on both axes of a map, or none on both, make one scale of
both; all auxiliary signals of a one-dimensional signal are drawn over one axis, labelled by the
signal; a one-dimensional signal with two axes of its length is a scatter plot; error bars are those
of SIGNAL_errors."""
import sys

try:
    import h5py
    import numpy as np
except ImportError:
    print("no h5py")
    sys.exit(77)

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


def check_axes(group, signal, names):
    """Of a summary: along the runs."""
    axes = [group[name] for name in names]
    if signal.ndim == 1 and len(axes) == 2:
        return  # a scatter plot takes any numbers
    for axis in axes:
        if signal.ndim > 1 and not is_even(axis[()]):
            yield f"{axis.name}: is not even, and drawn as if it were"
        if signal.ndim == 1 and not is_in_order(axis[()]):
            yield f"{axis.name}: a curve goes back and forth"
    if len(axes) > 1:
        yield from check_aspect(group.name, *axes[-2:])


def check_signals(group, signal):
    name = text(group, "signal")
    if name in NEVER_FIRST:
        yield f"{group.name}: {name} is shown first"
    more = [group[other] for other in group.attrs.get("auxiliary_signals", [])]
    if signal.ndim == 1 and any(text(other, "units") != text(signal, "units") for other in more):
        yield f"{group.name}: curves of several units over one axis"
    stem = name.rsplit("_", 1)[0]
    is_curve = signal.ndim == 1 and len(group.attrs["axes"]) == 1
    for error in {f"{name}_error", f"{stem}_error"} & set(group):
        known = group[error][()] if group[error].ndim == 1 else group[error][..., 0]
        if is_curve and not (f"{name}_errors" in group
                             and np.array_equal(group[f"{name}_errors"][()], known, True)):
            yield f"{group.name}: no error bars of {name}, though {error} is there"


def check_copies(group):
    """A number of every run that an output has among others: NAME.LABEL."""
    for name in group.attrs.get("copies_for_viewers", []):
        stem, _, label = name.rpartition(".")
        if name in group and stem in group.attrs["outputs"]:
            labels = [v.decode() for v in group[stem].dims[group[stem].ndim - 1][0][()]]
            if not np.array_equal(group[name][()], group[stem][..., labels.index(label)], True):
                yield f"{group[name].name}: is not that of {stem}"


def check_title(group, signal, study):
    title = group["title"][()].decode() if "title" in group else ""
    unit = text(signal, "units")
    wanted = f"{text(group, 'signal')}{f' ({unit})' if unit else ''}, {study}"
    cut = title[:-3] if title.endswith(" ..") else None
    if title != wanted and not (cut and wanted.startswith(cut) and len(wanted) > 60):
        yield f"{group.name}: titled {title!r}"
    if len(title) > 60 and len(text(group, "signal")) < 40:
        yield f"{group.name}: its title covers the picture"


def check_first_picture(file):
    entry = file["study"]
    study = entry["title"][()].decode()
    for name in ("summary", "trajectories", "inverse"):
        if name not in entry:
            continue
        group = entry[name]
        signal = group[text(group, "signal")]
        yield from check_title(group, signal, study)
        if name == "summary" and "runs" in entry and len(entry["runs/run"]) > 1:
            names = list(group.attrs["axes"])
            if "." in names:
                yield f"{group.name}: an axis without numbers"
            else:
                yield from check_axes(group, signal, names)
            yield from check_signals(group, signal)
            yield from check_copies(group)


def check_labels(variable, path):
    """No unit twice in what xarray writes along an axis; `variable` is one of its own."""
    import xarray
    label = xarray.plot.utils.label_from_attrs(xarray.DataArray(variable))
    unit = variable.attrs.get("units", "")
    if unit and f"({unit})".replace(" ", "") in "".join(label.split()):
        yield f"{path}: labelled {label!r}"


def main(path, signal, *axes):
    with h5py.File(path) as file:
        group = file["study"][file["study"].attrs["default"]]
        found = [text(group, "signal"), *group.attrs.get("axes", [])]
        for problem in check_first_picture(file):
            sys.exit(problem)
        if found != [signal, *axes]:
            sys.exit(f"{path}: shows first {' '.join(found)}")


if __name__ == "__main__":
    main(*sys.argv[1:])
