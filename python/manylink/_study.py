"""Studies: read from a file or a dict, with values set; arguments that are numbers."""
import ctypes
import functools
import itertools
import json
import os
import sys
import warnings
from collections.abc import Mapping
from contextlib import contextmanager

import numpy as np

from ._library import STRUCTS, ManylinkError, call, filename, lib, terminated, texts


class ManylinkWarning(UserWarning):
    """A number of a result that is doubtful, and runs that did not finish."""


def tell(notice, stacklevel, quiet=False):
    """A warning of the library becomes one of Python; a note is printed, as the command prints it, unless quiet."""
    if notice.startswith("warning: ") or ": warning: " in notice:
        warnings.warn(notice, ManylinkWarning, stacklevel=stacklevel + 1)
    elif not quiet:
        print(notice, file=sys.stderr, flush=True)


def whole(name, value, least=0, most=2**63 - 1):
    """A whole number of Python or numpy within these bounds."""
    array = np.asarray(value)  # one number of xarray or pandas, too
    is_whole = array.dtype.kind in "iu" or isinstance(value, int) and not isinstance(value, bool)
    if array.ndim > 0 or not is_whole:
        raise ManylinkError(f"{name} is {value!r} but must be a whole number")
    number = int(array[()])
    if not least <= number <= most:
        raise ManylinkError(f"{name} is {number} but must be from {least} to {most}")
    return number


def real(name, value, shape=None):
    """Numbers as float64, of this shape if it is given; complex ones and texts are refused."""
    array = np.asarray(value)
    if array.dtype.kind not in "iuf" or np.ma.is_masked(value):
        raise ManylinkError(f"{name} must be real numbers, not {'masked' if np.ma.is_masked(value) else array.dtype}")
    if shape is not None and array.shape != shape:
        raise ManylinkError(f"{name} has the shape {array.shape} but must have {shape}")
    array = np.ascontiguousarray(array, np.float64)
    if not np.isfinite(array).all():
        raise ManylinkError(f"{name} has numbers that are not finite")
    return array


def _plain(value):
    """Arrays and numbers of numpy, xarray and pandas, paths and other maps, as JSON has them."""
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, range):
        return list(value)
    if hasattr(value, "__array__") and not np.ma.is_masked(value):
        array = np.asarray(value)
        if array.dtype.kind == "f":
            array = array.astype(np.float64)  # the longer ones of numpy are no numbers of Python
        if array.dtype.kind in "biufU" or (array.dtype == object and array.ndim > 0):
            return array.tolist()
    raise TypeError(f"{type(value).__name__} cannot be part of a study: {value!r}")


def _json(value, indent=None):
    """JSON, which is YAML too; numbers keep every bit."""
    return json.dumps(value, indent=indent, default=_plain, ensure_ascii=False, allow_nan=False)


def assignments(values):
    """What the command's --set takes; a text is passed as it is."""
    return [f"{path}={value if isinstance(value, str) else _json(value)}"
            for path, value in (values or {}).items()]


def parse(path, text, overrides, read=lib.ml_study_load, **purpose):
    """A study from its file or, not None, from text; `path` then stands for the file. Freed with ml_study_free.

    read     ml_study_load; or ml_prepare, whose handle is freed with ml_prepared_free; or a call like these
    purpose  for_inverse, for_fit, motion of struct ml_study_source"""
    handle, words = ctypes.c_void_p(), texts(overrides)
    source = STRUCTS["ml_study_source"](
        path=filename(path), text=None if text is None else terminated(text.encode()),
        overrides=ctypes.addressof(words), n_override=len(overrides), **purpose)
    call(read, ctypes.byref(source), ctypes.byref(handle))
    return handle


def extended(result, values, plugin=None):
    """The study of a finished result with other values of some keys; `plugin` is the path of its plugin, as filename()
    has it. Freed with ml_study_free."""
    overrides, handle = assignments(values), ctypes.c_void_p()
    words = texts(overrides)
    source = STRUCTS["ml_study_source"](overrides=ctypes.addressof(words), n_override=len(overrides), plugin=plugin)
    call(lib.ml_extend_study, ctypes.byref(source), filename(result), ctypes.byref(handle))
    return handle


def source_of(study):
    """Path and text of a study; the text of a path is None."""
    return ("study", _json(study, indent=1) + "\n") if isinstance(study, Mapping) else (study, None)


def tell_notices(handle, stacklevel, quiet):
    """Tells the notices about a study."""
    for notice in iter(map(functools.partial(lib.ml_study_notice, handle), itertools.count()).__next__, None):
        tell(notice.decode(), stacklevel=stacklevel + 1, quiet=quiet)


@contextmanager
def opened(study, values=None, result=None, plugin=None, quiet=False, **purpose):
    """The library's handle of a study, or of the study of a finished result, while it is in use; notices about it are
    told."""
    handle = extended(result, values, plugin) if result else parse(*source_of(study), assignments(values), **purpose)
    try:
        tell_notices(handle, 4, quiet)
        yield handle
    finally:
        lib.ml_study_free(handle)
