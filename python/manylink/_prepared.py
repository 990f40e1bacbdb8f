"""A study that is run again and again with other numbers, into arrays."""
import copy
import ctypes
import itertools
import threading
import weakref
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from ._job import Job
from ._library import STOPPED, STRUCTS, ManylinkError, call, infos, lib, texts
from ._result import OUTCOMES, _outcome_attrs, _xarray
from ._study import assignments, parse, real, source_of, tell_notices


@dataclass
class Layout:
    """Names, shapes and units of the numbers of a run, as a study has them."""
    outputs: list   # (name, dims, shape, attrs)
    records: list   # the same, the last dimension is time
    axes: list      # (name, count, values, attrs); values is None where the axis only counts
    segments: list  # names
    scales: dict    # numbers along dimensions of outputs, by their names

    @classmethod
    def of(cls, study):
        def array(info):
            attrs = {"units": info.unit, "description": info.description}
            name = info.name.decode()
            dims = tuple(info.dim[k].decode() or f"{name}_{k}" for k in range(info.rank))
            return name, dims, tuple(info.shape[:info.rank]), {key: text.decode() for key, text in attrs.items() if text}

        def axis(i, info):
            values = np.empty(info.count)
            lib.ml_study_axis_values(study, i, values.ctypes.data)
            return info.name.decode(), info.count, values if info.has_values else None, {"units": info.unit.decode()}

        def scale(i, k, n):
            values = np.empty(n)
            return values if lib.ml_study_output_values(study, i, k, values.ctypes.data) else None
        outputs = [array(info) for info in infos(lib.ml_study_output, study)]
        scales = {dim: scale(i, k, shape[k]) for i, (_, dims, shape, _) in enumerate(outputs) for k, dim in enumerate(dims)}
        segments = iter(map(lambda i: lib.ml_study_segment(study, i), itertools.count()).__next__, None)
        return cls(outputs,
                   [array(info) for info in infos(lib.ml_study_record, study)],
                   [axis(i, info) for i, info in enumerate(infos(lib.ml_study_axis, study, "ml_study_axis"))],
                   [name.decode() for name in segments],
                   {dim: values for dim, values in scales.items() if values is not None})


class Runs(dict):
    """Numbers of all runs of a call: arrays by the names of the summary, [points, if an array was set][axes of the
    study][shape of the number]. Beside them `outcome` (0: finished), `steps`, `end_time` [s] of every run, and where
    the study saves trajectories `trajectory`, a dict [points][saved runs, of a study with axes][..][time], with
    `time`."""

    def to_dataset(self):
        """The same as an xarray.Dataset, with the values that were set along `point`."""
        points = ("point",) if self._points is not None else ()
        axes = tuple(name for name, *_ in self._layout.axes)
        variables = {name: (points + axes + dims, self[name], attrs) for name, dims, _, attrs in self._layout.outputs}
        coordinates = {name: (name, values, attrs) for name, _, values, attrs in self._layout.axes if values is not None}
        coordinates.update({path: ("point", values) for path, values in (self._points or {}).items()})
        coordinates.update(outcome=(points + axes, self.outcome, _outcome_attrs()), steps=(points + axes, self.steps),
                           end_time=(points + axes, self.end_time, {"units": "s"}))
        coordinates.update({dim: (dim, values) for dim, values in self._layout.scales.items()})
        for dim in ("segment", "joint"):
            if self._layout.segments and any(dim in dims for _, dims, *_ in self._layout.outputs + self._layout.records):
                coordinates[dim] = self._layout.segments
        if self.trajectory:
            saved = points + (("saved",) if axes else ())
            variables.update({f"trajectory_{name}": (saved + dims, self.trajectory[name], attrs)
                              for name, dims, _, attrs in self._layout.records})
            coordinates["time"] = ("time", self.trajectory["time"], {"units": "s"})
        return _xarray().Dataset(variables, coordinates)


class Prepared:
    """What study() returns."""

    def __init__(self, study, values, threads, kernel, quiet):
        self._source, self._values, self._quiet = source_of(study), copy.deepcopy(dict(values or {})), quiet
        self._how = {"n_thread": threads, "kernel": kernel}
        self._layout_of, self._layout, self._end = None, None, None
        self._is_running = threading.Lock()
        self._prepare({})

    def _prepare(self, words):
        """Reads the study, with values that are no numbers of runs."""
        handle = parse(*self._source, assignments({**self._values, **words}), read=lib.ml_prepare)
        if self._end:
            self._end()
        self._handle, self._words, self._layout_of = handle, assignments(words), None
        self._end = weakref.finalize(self, lib.ml_prepared_free, handle)
        tell_notices(lib.ml_prepared_study(self._handle), stacklevel=4, quiet=self._quiet)

    @property
    def readings(self):
        """How often the study was read for the values so far (ml_prepared_readings)."""
        return lib.ml_prepared_readings(self._handle)

    def run(self, set=None, progress=None):
        """Runs the study with values of some keys in place of its own, as of --set: Runs.

            runs = kept.run({"system.segments.lower.mass": np.linspace(1, 2, 16)})
            runs["end_angle"]

        set       a number, or an array or list of a number for each point, of the same length for all keys that have
                  one; a text, truth or dict is a value for all points, with which the study is read again
        progress  as of manylink.run; without it Ctrl-C is heard when the call is over

        A run that does not finish has its outcome, and NaN; values that --set refuses are a ManylinkError."""
        if not self._is_running.acquire(blocking=False):
            raise ManylinkError("a kept study runs one call at a time: make a study for each thread")
        try:
            return self._run({} if set is None else set, progress)
        finally:
            self._is_running.release()

    def _run(self, set, progress):
        if not isinstance(set, Mapping) or not all(isinstance(path, str) for path in set):
            raise TypeError(f"set must be a dict whose keys are paths, such as {{'time.end': 2}}, not {set!r}")
        words = {path: value for path, value in set.items() if isinstance(value, (str, bool, Mapping))}
        numbers = {path: real(path, value) for path, value in set.items() if path not in words}
        if assignments(words) != self._words:
            self._prepare(words)
        points = {path: array for path, array in numbers.items() if np.ndim(set[path]) > 0}
        lengths = {array.shape for array in points.values()}
        if len(lengths) > 1 or any(len(shape) > 1 or shape == (0,) for shape in lengths):
            raise ManylinkError("set: arrays of points must have one dimension, and all the same length, not " +
                                ", ".join(f"{path} {array.shape}" for path, array in points.items()))
        n_point = lengths.pop()[0] if lengths else 1
        values = np.empty((n_point, len(numbers)))
        for k, array in enumerate(numbers.values()):
            values[:, k] = array
        return self._runs(self._call(list(numbers), values, progress), points or None)

    def _call(self, paths, values, progress):
        words, out = texts(paths), STRUCTS["ml_prepared_runs"]()
        points = STRUCTS["ml_prepared_points"](paths=ctypes.addressof(words), n_path=len(paths),
                                               values=values.ctypes.data, n_point=len(values))
        if progress is None or progress is False:
            options = STRUCTS["ml_run_options"](**self._how)
            call(lib.ml_prepared_run, self._handle, ctypes.byref(points), ctypes.byref(options), ctypes.byref(out))
            return out
        job = Job(progress, self._quiet)
        options = job.options(**self._how)
        status, text = job.run(lib.ml_prepared_run, self._handle, ctypes.byref(points), ctypes.byref(options),
                               ctypes.byref(out))
        if status == STOPPED or job.interrupts:
            raise KeyboardInterrupt(f"{text}; nothing of the call is kept")
        return out

    def _runs(self, out, points):
        key = (self._handle.value, self.readings, out.study)
        if key != self._layout_of:
            self._layout_of, self._layout = key, Layout.of(out.study)
        layout, leading = self._layout, (out.n_point,) if points is not None else ()
        runs = leading + tuple(count for _, count, *_ in layout.axes)
        saved = leading + ((out.n_saved,) if layout.axes else ())

        def copied(address, shape, kind=ctypes.c_double):
            size = int(np.prod(shape))
            return np.array((kind * size).from_address(address)).reshape(shape) if size else np.empty(shape, kind)

        def addresses(array, n):
            return (ctypes.c_void_p * n).from_address(array) if n else ()
        found = Runs((name, copied(address, runs + shape)) for (name, _, shape, _), address in
                     zip(layout.outputs, addresses(out.outputs, out.n_output)))
        found.outcome = copied(out.outcome, runs, ctypes.c_int8)
        found.steps = copied(out.steps, runs, ctypes.c_int64)
        found.end_time = copied(out.end_time, runs)
        found.trajectory = {name: copied(address, saved + shape) for (name, _, shape, _), address in
                            zip(layout.records, addresses(out.records, out.n_record))} if out.n_saved else {}
        if found.trajectory:
            found.trajectory["time"] = copied(out.times, layout.records[0][2][-1:])
        found._layout, found._points = layout, points
        return found
