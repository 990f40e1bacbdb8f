"""Probabilities of failure as a dataset."""
import ctypes
import itertools
import math

import numpy as np

from ._library import STRUCTS, infos, lib
from ._result import _xarray

_NUMBERS = ("probability", "low", "high", "variation", "index", "curved", "levels", "runs", "without")
_OF_INPUTS = (("point", "point"), ("scores", "scores"), ("alpha", "factors"))  # names of the dataset and of the struct


def _structs(name, address, n):
    return (STRUCTS[name] * n).from_address(address) if n > 0 else []


def _grid(study):
    """{axis: values} of the grid; the axis behind it is the sample."""
    axes = [(axis.name.decode(), axis.count) for axis in infos(lib.ml_study_axis, study, "ml_study_axis")][:-1]
    values = [np.empty(count) for _, count in axes]
    for k, array in enumerate(values):
        lib.ml_study_axis_values(study, k, array.ctypes.data)
    return {name: array for (name, _), array in zip(axes, values)}


def _of_inputs(address, n):
    """[n] numbers; NaN where there is no point."""
    return np.full(n, np.nan) if not address else np.array((ctypes.c_double * n).from_address(address))


def failures(study, found):
    """The xarray.Dataset of probability(), of a struct ml_failures."""
    all_of, inputs = _structs("ml_failure", found.failures, found.n), _structs("ml_failure_input", found.inputs, found.n_input)
    grid = _grid(study)
    names = [each.requirement.decode() for each in itertools.takewhile(lambda each: each.run == all_of[0].run, all_of)]
    dims, shape = (*grid, "requirement"), (*map(len, grid.values()), len(names))
    assert math.prod(shape) == found.n
    variables = {name: (dims, np.array([getattr(each, name) for each in all_of]).reshape(shape)) for name in _NUMBERS}
    variables["doubt"] = dims, np.array([each.doubt.decode() for each in all_of]).reshape(shape)
    for name, member in _OF_INPUTS:
        values = np.array([_of_inputs(getattr(each, member), found.n_input) for each in all_of])
        variables[name] = (*dims, "input"), values.reshape(*shape, found.n_input)
    coordinates = {**grid, "requirement": names, "input": [each.key.decode() for each in inputs],
                   "unit": ("input", [each.unit.decode() for each in inputs])}
    return _xarray().Dataset(variables, coordinates)
