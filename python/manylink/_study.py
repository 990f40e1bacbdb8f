"""Studies: read from a file or a dict, with values set."""
import ctypes
import json
import os
import warnings
from collections.abc import Mapping
from contextlib import contextmanager

from ._library import STRUCTS, call, lib, texts


class ManylinkWarning(UserWarning):
    """What is no error but may not be meant, and runs that did not finish."""


def _plain(value):
    """What JSON lacks: arrays and numbers of numpy."""
    if hasattr(value, "tolist"):
        return value.tolist()
    raise TypeError(f"{type(value).__name__} cannot be part of a study: {value!r}")


def _json(value, indent=None):
    """JSON, which is YAML too; numbers keep every bit."""
    return json.dumps(value, indent=indent, default=_plain, ensure_ascii=False, allow_nan=False)


def assignments(values):
    """What the command's --set takes; a text is passed as it is."""
    return [f"{path}={value if isinstance(value, str) else _json(value)}"
            for path, value in (values or {}).items()]


def isa():
    return os.environb.get(b"MANYLINK_ISA") or None  # as the command


def parse(name, text, overrides):
    """A study from text; `name` stands for its file. Freed with ml_study_free."""
    handle = ctypes.c_void_p()
    data = text.encode()
    call(lib.ml_study_parse, name.encode(), data, len(data), texts(overrides), len(overrides),
         isa(), ctypes.byref(handle))
    return handle


def _read(study, overrides):
    if isinstance(study, Mapping):
        return parse("study", _json(study, indent=1) + "\n", overrides)
    handle, words = ctypes.c_void_p(), texts(overrides)
    options = STRUCTS["ml_study_options"](overrides=ctypes.addressof(words),
                                          n_override=len(overrides), isa=isa())
    call(lib.ml_study_load, os.fsencode(study), ctypes.byref(options), ctypes.byref(handle))
    return handle


@contextmanager
def opened(study, values=None):
    """The library's handle of a study, while it is in use; notices about it become warnings."""
    handle = _read(study, assignments(values))
    try:
        i = 0
        while (notice := lib.ml_study_notice(handle, i)) is not None:
            warnings.warn(notice.decode(), ManylinkWarning, stacklevel=4)
            i += 1
        yield handle
    finally:
        lib.ml_study_free(handle)
