"""Thousands to millions of independent integrations of mechanical systems, as xarray datasets.

    import manylink
    summary = manylink.run("study.yaml", set={"time.end": 20})

docs/python.md has more. `study` is everywhere the path of a study file or the same as a dict, and
`set` has values for keys of it: {"system.segments.lower.mass": 1.2}.
"""
import ctypes
import math
import os
import warnings
from collections.abc import Mapping
from pathlib import Path
from types import SimpleNamespace

import numpy as np

from . import _result
from ._job import Job
from ._library import OK, STOPPED, STRUCTS, ManylinkError, call, infos, lib, texts
from ._result import Result
from ._study import ManylinkWarning, assignments, opened, parse
from ._version import VERSION as __version__

ManylinkError.__module__ = ManylinkWarning.__module__ = __name__  # as users know them
__all__ = ["run", "load", "plan", "evaluate", "trajectory", "ManylinkError", "ManylinkWarning"]


def run(study, set=None, output=True, threads=0, restart=False, progress=None):
    """Integrates every run of a study; the xarray.Dataset of load().

    output    path of the result file. True: of a study file that is run as it is, STUDY.h5 in the
              current folder, as the command `manylink run` has it; else as False: in memory only.
              A finished file of the same study is read, an interrupted one is continued
    threads   0: as OpenMP decides
    restart   discard the file that is there
    progress  a bar; None: in a terminal or notebook

    Ctrl-C finishes what is begun and raises KeyboardInterrupt; the same call then goes on from the
    file. Several threads may run studies at once."""
    if output is True:
        output = None if set or isinstance(study, Mapping) else Path(study).stem + ".h5"
    with opened(study, set) as handle:
        result, report = _run(handle, output or None, Job(progress), n_thread=threads, restart=restart)
        result.name = lib.ml_study_name(handle).decode()
    _warn_of_failed(report)
    return _result.summary(result)


def _run(study, output, job, **options):
    """Into a file or, None, into memory: a Result and the report."""
    report, memory = STRUCTS["ml_run_report"](), ctypes.c_void_p()
    path = os.fsencode(output) if output else None
    how = job.options(output=path, **options)
    if output:
        status, text = job.run(lib.ml_run, study, ctypes.byref(how), ctypes.byref(report))
    else:
        status, text = job.run(lib.ml_run_memory, study, ctypes.byref(how), ctypes.byref(memory),
                               ctypes.byref(report))
    result = Result(output, memory if memory else None)
    if job.interrupts > 0:
        raise KeyboardInterrupt(_way_on(text if status == STOPPED else "stopped when all runs were done",
                                        output, options.get("restart")))
    return result, report


def _way_on(text, output, restart):
    if not output:
        return f"{text}; nothing is kept: with output='NAME.h5' the same call would go on from there"
    return f"{text}; the same call{' without restart' if restart else ''} goes on from there: {output}"


def _warn_of_failed(report):
    for i in range(1, len(report.outcomes)):
        if report.outcomes[i] > 0 and not lib.ml_run_outcome_is_sound(i):
            when = "" if report.was_finished else (
                f", the first is run {report.first_run[i]} at t = {report.first_time[i]:g} s")
            warnings.warn(f"{report.outcomes[i]} of {report.runs} runs did not finish: "
                          f"{lib.ml_run_outcome(i).decode()}{when}", ManylinkWarning, stacklevel=3)


def load(path):
    """A result file as an xarray.Dataset: all that was measured, over the axes of the study, with
    labels, swept values, `run`, `outcome` (0: finished), `steps` and `end_time` as coordinates, units
    (SI) and long names as attributes. Of a result of `manylink inverse` its torques and forces.
    Trajectories are read one by one, by trajectory()."""
    return _result.summary(Result(os.fspath(path)))


def plan(study, set=None, threads=0, measure=True):
    """What a run would do, as the struct ml_plan of plan.h has it: `runs`, `steps`, `memory` and
    `disk` in bytes, `seconds`, `kernel`, ...; `measure` takes about 0.2 s, without it time is not
    known (0)."""
    out = STRUCTS["ml_plan"]()
    options = STRUCTS["ml_plan_options"](n_thread=threads, measures=measure)
    with opened(study, set) as handle:
        call(lib.ml_study_plan, handle, ctypes.byref(options), ctypes.byref(out))
        return SimpleNamespace(**{name: _plain(getattr(out, name)) for name, _ in out._fields_[1:]})


def _plain(value):
    return value.decode() if isinstance(value, bytes) else value


def evaluate(study, run=0, state=None, time=None, params=(), set=None):
    """A study's equations at one state of one run: numpy arrays `state` [n_state], `rates`,
    `rates_by_state`, `rates_by_param` (of `params`: keys such as "system.gravity"), of a system
    M q'' = C + G + Q + D + E also `M` [n][n], `C`, `G`, `Q`, `D`, `E`, `qdd` [n]; numbers `kinetic`
    and `potential`; `mass_unit`, `force_unit`. SI; names are those of evaluate.h. None is the run's
    start."""
    with opened(study, set) as handle:
        n, keys = lib.ml_study_freedom(handle), texts(params)
        n_state = sum(math.prod(info.shape[:info.rank]) for info in infos(lib.ml_study_state, handle))
        shapes = {"state": (n_state,), "rates": (n_state,), "rates_by_state": (n_state, n_state)}
        if params:
            shapes["rates_by_param"] = (n_state, len(params))
        if n > 0:
            shapes.update(m=(n, n), **dict.fromkeys(("c", "g", "q", "d", "e", "qdd"), (n,)))
        arrays = {name: np.empty(shape) for name, shape in shapes.items()}
        out = STRUCTS["ml_evaluation"](**{name: a.ctypes.data for name, a in arrays.items()})
        given = None if state is None else np.ascontiguousarray(state, float).reshape(-1)
        if given is not None and given.size != n_state:
            raise ManylinkError(f"state has {given.size} numbers, the study's has {n_state}")
        options = STRUCTS["ml_evaluate_options"](
            run=run, state=None if given is None else given.ctypes.data, has_time=time is not None,
            time=time or 0.0, params=ctypes.addressof(keys), n_param=len(params))
        call(lib.ml_evaluate, handle, ctypes.byref(options), ctypes.byref(out))
    named = {name.upper() if len(name) == 1 else name: array for name, array in arrays.items()}
    return SimpleNamespace(**named, **{name: _plain(getattr(out, name)) for name in
                                       ("kinetic", "potential", "mass_unit", "force_unit")})


def trajectory(result, run, every=None, quantities=None, study=None, set=None):
    """The motion of one run, an xarray.Dataset over time.

    result      what run() or load() returned, or the path of a result file
    run         its number: summary.run.sel(...)
    every       steps between samples
    quantities  such as ["angle", "end_position"]; the message about an unknown one lists them

    What the study saves is read. Any other run, or with `every` or `quantities` one at all, is computed
    again, with the same bits: of what run() returned, else of `study`, `set`, which must be those of
    the result (it may come from anybody, and name code)."""
    source = Result(os.fspath(result)) if isinstance(result, (str, os.PathLike)) \
        else result.encoding.get("manylink")
    if source is None:
        raise ManylinkError("this is not what run() or load() returned: take that, and the number of the "
                            "run, summary.run.sel(...)")
    saved, run, how = _result.saved_runs(source), int(run), {"every": every, "quantities": quantities}
    if run in saved and every is None and quantities is None:
        return _result.trajectory(source, saved.index(run), run)
    if not saved and every is None:
        how["every"] = 1
    name = source.name or _checked_name(source, f"run {run} is not saved, but {saved or 'none'}", study, set)
    handle = parse(name, source.resolved, assignments(
        {f"save.trajectory.{key}": value for key, value in how.items() if value is not None}))
    try:
        call(lib.ml_study_keep_run, handle, run)
        return _result.trajectory(_run(handle, None, Job(False))[0], 0, run)
    finally:
        lib.ml_study_free(handle)


def _checked_name(source, why, study, values):
    """Of the study that the user says a result is of."""
    if study is None:
        raise ManylinkError(f"{why}; with study='...' of the result it is computed again")
    with opened(study, values) as handle:
        if lib.ml_study_resolved(handle).decode() != source.resolved:
            raise ManylinkError(f"{study} is not the study of the result; was it run with other `set`?")
        return lib.ml_study_name(handle).decode()
