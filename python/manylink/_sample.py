"""Samples of a study from tables of numbers and from problems of SALib."""
import math
import os
from collections.abc import Mapping

import numpy as np

from ._library import ManylinkError

# SALib's words of distributions, its numbers of each in `bounds`, and the same as keys of a range
_DISTRIBUTIONS = {
    "unif": (2, lambda low, high: {"from": low, "to": high}),
    "logunif": (2, lambda low, high: {"from": low, "to": high, "scale": "log"}),
    "triang": (3, lambda low, high, peak: {"distribution": "triangular", "from": low, "to": high,
                                           "mode": low + peak*(high - low)}),
    "norm": (2, lambda mean, sd: {"distribution": "normal", "mean": mean, "sd": sd}),
    "truncnorm": (4, lambda low, high, mean, sd: {"distribution": "normal", "mean": mean, "sd": sd,
                                                  "from": low, "to": high}),
    "lognorm": (2, lambda mean, sd: {"distribution": "lognormal", "mean": math.exp(mean + sd*sd/2),
                                     "cv": math.sqrt(math.expm1(sd*sd))}),
}


def problem(problem, count, design="saltelli", **keys):
    names, bounds = list(problem["names"]), list(problem["bounds"])
    words = problem.get("dists") or ["unif"]*len(names)
    groups = problem.get("groups") or names
    if not len(names) == len(bounds) == len(words) == len(groups) == problem.get("num_vars", len(names)):
        raise ManylinkError(f"the problem has {len(names)} names, {len(bounds)} bounds, {len(words)} dists and {len(groups)} groups")
    if int(count) != count:
        raise ManylinkError(f"count is {count}, but must be a whole number")
    return {"design": design, **_method(design), **keys, "count": int(count),
            "over": [{"set": name, **_range(name, word, own), **({"group": group} if group != name else {})}
                     for name, word, own, group in zip(names, words, bounds, groups)]}


def _method(design):
    return {"method": "scrambled_sobol"} if design in ("points", "saltelli") else {}


def _range(name, word, bounds):
    if word not in _DISTRIBUTIONS:
        raise ManylinkError(f"dists has {word!r} for {name}; known are {', '.join(_DISTRIBUTIONS)}")
    n, keys = _DISTRIBUTIONS[word]
    if len(bounds) != n:
        raise ManylinkError(f"bounds of {name} are {len(bounds)} numbers, but {word!r} takes {n}")
    return keys(*map(float, bounds))


def points(table, path, names=None):
    columns = _columns(table, names)
    arrays = [_column(name, column) for name, column in columns.items()]
    if not arrays or any(a.ndim != 1 or a.shape != arrays[0].shape for a in arrays):
        raise ManylinkError("a table has columns of one dimension, all of the same length")
    bad = [name for name, array in zip(columns, arrays) if not np.isfinite(array).all()]
    if bad:
        raise ManylinkError(f"column {bad[0]} has numbers that are not finite; leave these rows out")
    np.savetxt(path, np.stack(arrays, axis=1), fmt="%.17g", delimiter=",", header=",".join(columns), comments="")
    return {"file": os.fspath(path)}


def _column(name, column):
    """The numbers of a column as doubles, without loss; masked numbers are NaN."""
    given = np.ma.asarray(column)
    if any(c in str(name) for c in ',"\r\n'):
        raise ManylinkError(f"{str(name)!r} cannot name a column: keys have no commas, quotes and line breaks")
    if np.iscomplexobj(given):
        raise ManylinkError(f"column {name} has complex numbers; give real and imaginary parts as columns")
    doubles = given.astype(np.float64)
    if given.dtype.kind in "iu" and (doubles.astype(given.dtype) != given).any():
        raise ManylinkError(f"column {name} has integers beyond 2**53 that a double cannot have")
    return np.ma.filled(doubles, np.nan)


def _columns(table, names):
    """The columns by their names, of a map, DataFrame, structured array, or array with names."""
    if names is not None:
        table = np.ma.asarray(table)
        if table.ndim != 2 or table.shape[1] != len(names):
            raise ManylinkError(f"an array of {len(names)} names has the shape [rows, {len(names)}], "
                                f"not {list(table.shape)}")
        if len(set(names)) < len(names):
            raise ManylinkError("names has the same key twice; a column has a key of its own")
        return dict(zip(names, table.T))
    if isinstance(table, Mapping):
        return dict(table)
    fields = getattr(getattr(table, "dtype", None), "names", None) or getattr(table, "columns", None)
    if fields is None:
        raise ManylinkError("the columns have no names; give names=[...] with the keys of the study")
    return {str(name): table[name] for name in fields}
