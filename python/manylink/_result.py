"""Results as datasets: the summary of all runs, the trajectory of one."""
import ctypes
import functools
import itertools
import math
import os
import weakref
from contextlib import contextmanager
from dataclasses import dataclass
from types import SimpleNamespace

import numpy as np

from ._library import DOUBLE, STRUCTS, TEXT, ManylinkError, call, filename, infos, lib, terminated, texts

OUTCOMES = [name.decode() for name in iter(map(lib.ml_outcome_name, itertools.count()).__next__, None)]


class Result:
    """A result file, which is open only while it is read, or the result of a run in memory.
    `name` is that of the study where it was run here, else None; `resolved` the text of the study, once
    it has been read."""

    def __init__(self, path=None, handle=None, name=None, resolved=None):
        self.path, self.handle = None if path is None else os.path.abspath(path), handle
        self.name, self.resolved = name, resolved
        if handle is not None:
            weakref.finalize(self, lib.ml_result_free, handle)

    def __reduce__(self):  # what goes to another process has no handle
        return Result, (self.path, None, self.name, self.resolved)

    def __deepcopy__(self, memo):
        return self

    @contextmanager
    def opened(self):
        handle = self.handle if self.handle is not None else self._open()
        try:
            resolved = _text(handle, b"resolved", 0)
            if resolved != (self.resolved or resolved):
                raise ManylinkError(f"{self.path}: has the result of another study by now")
            self.resolved = resolved
            yield handle
        finally:
            if handle is not self.handle:
                lib.ml_result_free(handle)

    def _open(self):
        if self.path is None:
            raise ManylinkError("the result is in the memory of another process")
        handle = ctypes.c_void_p()
        call(lib.ml_result_open, filename(self.path), ctypes.byref(handle))
        return handle


def _text(handle, path, i):
    text = ctypes.c_char_p()
    call(lib.ml_result_text, handle, path, i, ctypes.byref(text))
    return text.value.decode()


@dataclass
class Array:
    """A dataset of a result, not read yet."""
    path: str
    kind: int
    dims: tuple
    shape: tuple
    n_run_dim: int
    attrs: dict

    def read(self, handle, start=None):
        """All of it, or with `start` the one element there along the first dimension."""
        shape = self.shape if start is None else self.shape[1:]
        path = self.path.encode()
        if self.kind == TEXT:
            return np.array([_text(handle, path, i) for i in range(math.prod(shape))]).reshape(shape)
        function, ctype = ((lib.ml_result_read, float) if self.kind == DOUBLE
                           else (lib.ml_result_read_int64, np.int64))
        values = np.empty(shape, ctype)
        rank = len(self.shape)
        first = None if start is None else (ctypes.c_int64 * rank)(start)
        count = None if start is None else (ctypes.c_int64 * rank)(1, *shape)
        call(function, handle, path, first, count, values.ctypes.data, values.size)
        return values


def _array(info):
    path, rank = info.name.decode(), info.rank
    name = path.rpartition("/")[2]
    dims = tuple(info.dim[k].decode() or (name if rank == 1 else f"{name}_{k}") for k in range(rank))
    # no long_name: xarray would label axes by it, and several have the same description
    told = {"units": info.unit, "description": info.description}
    attrs = {key: text.decode() for key, text in told.items() if text and (key, text) != ("units", b"1")}
    return Array(path, info.type, dims, tuple(info.shape[:rank]), info.n_run_dim, attrs)


def _arrays(handle):
    """{group: {name: Array}}; texts of the study are in the group ""."""
    groups = {}
    for array in map(_array, infos(lib.ml_result_dataset, handle)):
        group, _, name = array.path.rpartition("/")
        groups.setdefault(group, {})[name] = array
    return groups


class _Calls:
    """Calls of a result as methods of its dataset: dataset.manylink.trajectory(3)."""

    def __init__(self, dataset):
        self._dataset = dataset


def result_call(function):
    """Makes a function, whose first argument is a result, a method of `dataset.manylink`, too."""
    @functools.wraps(function)
    def method(self, *arguments, **keys):
        return function(self._dataset, *arguments, **keys)
    setattr(_Calls, function.__name__, method)
    return function


@functools.lru_cache(maxsize=None)
def _xarray():
    try:
        import xarray
    except ImportError:
        raise ImportError("datasets need xarray: pip install xarray, or Debian's python3-xarray") from None
    xarray.register_dataset_accessor("manylink")(_Calls)
    return xarray


def _axes(summary, runs):
    """Dimensions over the runs: {name: size}."""
    n_run = runs["run"].shape[0]
    for array in summary.values():
        if array.n_run_dim > 0:
            return dict(zip(array.dims[:array.n_run_dim], array.shape))
    return {} if n_run == 1 else {"run": n_run}


def _run_coordinates(handle, summary, runs):
    """What is known of every run beside the summary, on its grid: number, outcome, steps, end time;
    values that are swept along several axes."""
    axes = _axes(summary, runs)
    for name in [name for name in runs if name not in summary]:
        values = runs[name].read(handle).reshape(tuple(axes.values()))
        yield name, (tuple(axes), values, runs[name].attrs)


def _outcome_attrs():
    """As conventions for flags (CF) have it, and the file."""
    return {"flag_values": np.arange(len(OUTCOMES)), "flag_meanings": " ".join(OUTCOMES)}


def summary(result):
    """The xarray.Dataset of load()."""
    xarray = _xarray()
    with result.opened() as handle:
        groups = _arrays(handle)
        found = {name: array for group in ("precision", "inverse", "fit", "summary")
                 for name, array in groups.get(group, {}).items() if (group, name) != ("fit", "page")}
        runs = groups.get("runs", {})
        dims = {dim for array in found.values() for dim in array.dims}
        variables = {name: (array.dims, array.read(handle), array.attrs)
                     for name, array in found.items()}
        coordinates = {name: variables.pop(name) for name in found if name in dims or name in runs}
        if runs:
            coordinates.update(_run_coordinates(handle, found, runs))
            if "outcome" not in found:  # an axis may be called that
                coordinates["outcome"][2].update(_outcome_attrs())
        attrs = {name: str(array.read(handle)) for name, array in groups[""].items()}
        if "fit" in groups:
            attrs.update(_fit_attrs(handle), page=_text(handle, b"fit/page", 0))
    dataset = xarray.Dataset(variables, coordinates, attrs)
    dataset.encoding["manylink"] = result
    if result.path is not None:
        dataset.encoding["source"] = result.path
    return dataset


def _attribute(handle, group, name, i=0):
    """Text i of an attribute of a group, or number i as text; "": there is none."""
    text = ctypes.c_char_p()
    call(lib.ml_result_attribute, handle, group.encode(), name.encode(), i, ctypes.byref(text))
    return "" if text.value is None else text.value.decode()


def _fit_attrs(handle):
    """Numbers of a fit that have no dimension."""
    def attribute(name):
        return _attribute(handle, "fit", name)
    counts = ("numbers", "missing", "degrees_of_freedom", "best_start")
    return {**{name: int(attribute(name)) for name in counts}, "squares": float(attribute("squares")),
            "variance": float(attribute("variance")), "least_determined": attribute("least_determined"),
            **({"acceptance": float(attribute("acceptance"))} if attribute("acceptance") else {})}


def _table(handle, arrays):
    """The xarray.Dataset of a group, with its scales as coordinates."""
    dims = {dim for array in arrays.values() for dim in array.dims}
    variables = {name: (array.dims, array.read(handle), array.attrs) for name, array in arrays.items()}
    coordinates = {name: variables.pop(name) for name in arrays if name in dims}
    return _xarray().Dataset(variables, coordinates)


def indices(result):
    """The xarray.Dataset of indices()."""
    group = "sensitivity/global"
    with result.opened() as handle:
        arrays = _arrays(handle).get(group)
        if arrays is None:
            raise ManylinkError("the result has no sensitivity indices: they are of all runs of a study with a `sample`, unless "
                                "they would take long; `manylink sensitivity` prints them")
        found = _table(handle, arrays)
        for name in ("design", "estimator", "taken"):
            found.attrs[name] = _attribute(handle, group, name)
        units = [_attribute(handle, group, "output_units", i) for i in range(found.sizes["output"])]
    return found.assign_coords(unit=("output", units)) if units[0] else found


@contextmanager
def _run_table(result):
    """The handle of the table of a result's runs."""
    with result.opened() as handle:
        table = ctypes.c_void_p()
        call(lib.ml_run_table_open, handle, ctypes.byref(table))
        try:
            yield table
        finally:
            lib.ml_run_table_free(table)


def _rows(table, runs, n_column=None):
    """The xarray.Dataset of the first columns of a table, along `run`."""
    runs = np.ascontiguousarray(runs, np.int64)
    columns = [(column.name.decode(), column.unit.decode(), column.dataset == b"runs/outcome")
               for column in infos(lib.ml_run_table_column, table, "ml_run_column")]
    values = np.empty((len(runs), len(columns)))
    call(lib.ml_run_table_read, table, runs.ctypes.data, len(runs), values.ctypes.data)
    variables = {name: ("run", values[:, i], _outcome_attrs() if is_outcome else {"units": unit} if unit not in ("", "1") else {})
                 for i, (name, unit, is_outcome) in enumerate(columns[:n_column]) if name != "run"}
    return _xarray().Dataset(variables, {"run": runs})


def table(result, columns):
    """The xarray.Dataset of table()."""
    with _run_table(result) as handle:
        for name in [None] if columns is None else columns:
            call(lib.ml_run_table_add, handle, None if name is None else terminated(name.encode()))
        return _rows(handle, np.arange(lib.ml_run_table_rows(handle)))


def best(result, output, columns, where, **options):
    """The xarray.Dataset of best()."""
    conditions, found = texts(where), STRUCTS["ml_best"]()
    options = STRUCTS["ml_best_options"](output=terminated(output.encode()), where=ctypes.addressof(conditions),
                                         n_where=len(where), **options)

    def numbers(address):
        return np.frombuffer(ctypes.string_at(address, 8 * found.n), np.int64)
    with _run_table(result) as handle:
        if columns is None:
            call(lib.ml_run_table_add_inputs, handle)
        for name in columns or ():
            call(lib.ml_run_table_add, handle, terminated(name.encode()))
        call(lib.ml_run_table_best, handle, ctypes.byref(options), ctypes.byref(found))
        rows = _rows(handle, numbers(found.runs), found.column + 1)
        if found.counted:
            rows = rows.assign(counted=("run", numbers(found.counted)), without=("run", numbers(found.without)))
    return rows


def statistics(result):
    """{table: xarray.Dataset} of statistics()."""
    with result.opened() as handle:
        found = {}
        for group, arrays in _arrays(handle).items():
            if group.split("/")[0] != "statistics":
                continue
            found[group.partition("/")[2] or "outcomes"] = _table(handle, arrays)
    if not found:
        raise ManylinkError("the result has no statistics: they are of all runs of a study with a `sample`")
    return found


def views(result):
    """How each dataset is drawn, the first view first."""
    def word(number):
        return ("each", "y", "x")[number] if number < 0 else number
    with result.opened() as handle:
        return [SimpleNamespace(
            dataset=view.dataset.decode(), style=lib.ml_view_style_name(view.style).decode(),
            x=view.x.decode(), y=view.y.decode(), colour=view.colour.decode(), section=view.section.decode(),
            scales=tuple(lib.ml_view_scale_name(scale).decode()
                         for scale in (view.x_scale, view.y_scale, view.colour_scale)),
            dims=tuple(map(word, view.dims[:view.n_dim])))
            for view in infos(lib.ml_result_view, handle, "ml_view")]


def _drawn(dataset, name):
    """A variable; "end_angle_wrapped.lower" of a file is the angle within -pi and pi."""
    base, _, label = name.partition("_wrapped.")
    if not label:
        return dataset[name]
    angle = dataset[base].sel({dataset[base].dims[-1]: label})
    return (angle - 2 * np.pi * np.round(angle / (2 * np.pi))).assign_attrs(angle.attrs).rename(name)


def plot(result, dataset, name, keys):
    """What xarray's plots return."""
    shown = {}  # the first view of each name
    for view in views(result):
        own = view.dataset.rpartition("/")[2]
        if view.style != "events" and own.partition("_wrapped.")[0] in dataset:
            shown.setdefault(own, view)
    if not shown or name is not None and name not in shown:
        remedy = "" if shown else "; a result in memory has no views: give run() an `output`, or take `.plot` of a variable"
        raise ManylinkError(f"no view {'' if name is None else f'of {name} '}can be drawn; there are: {', '.join(shown) or 'none'}{remedy}")
    own = next(iter(shown)) if name is None else name
    view, array = shown[own], _drawn(dataset, own)
    by = {role: [dim for dim, of in zip(array.dims, view.dims) if of == role] for role in ("x", "y", "each")}
    array = array.isel({dim: i for dim, i in zip(array.dims, view.dims) if isinstance(i, int)})
    x = view.x if view.x in dataset.variables else by["x"][0]
    if x not in array.coords:
        array = array.assign_coords({x: dataset[x]})
    scales = {f"{axis}scale": scale for axis, scale in zip("xy", view.scales) if scale != "linear"}
    if view.style == "map":
        if view.scales[2] == "log":
            from matplotlib.colors import LogNorm
            array, keys = array.where(array > 0), {"norm": LogNorm(), **keys}
        return array.plot(x=by["x"][0], y=by["y"][0], **keys)
    if view.style == "scatter":
        return array.reset_coords(x).plot.scatter(x=x, y=own, **{**scales, **keys})
    if len(by["each"]) > 1:
        array = array.stack(curve=by["each"])
        labels = [".".join(map(str, label)) for label in array.curve.values]
        array, by["each"] = array.drop_vars(["curve", *by["each"]]).assign_coords(curve=labels), ["curve"]
    return array.plot.line(x=x, hue=(by["each"] or [None])[0], **{**scales, **keys})


def saved_runs(result):
    """Runs whose trajectories are in the result."""
    with result.opened() as handle:
        runs = _arrays(handle).get("trajectories", {}).get("run")
        return [] if runs is None else runs.read(handle).tolist()


def trajectory(result, i, run):
    """The xarray.Dataset of saved run i, which is the study's run of number `run`."""
    xarray = _xarray()
    with result.opened() as handle:
        found = _arrays(handle)["trajectories"]
        variables = {name: (array.dims[1:], array.read(handle, start=i), array.attrs)
                     if array.dims[0] == "run" else (array.dims, array.read(handle), array.attrs)
                     for name, array in found.items() if name != "run"}
    labels = [name for name, variable in variables.items() if variable[0] == (name,)]
    return xarray.Dataset(variables, {"run": run}).set_coords(labels)
