"""Thousands to millions of independent integrations of mechanical systems, as xarray datasets.

    import manylink
    summary = manylink.run("study.yaml", set={"time.end": 20})

docs/python.md has more. `study` is everywhere the path of a study file or the same as a dict, and
`set` has values for keys of it: {"system.segments.lower.mass": 1.2}.
"""
from __future__ import annotations

import ctypes
import math
import os
import tempfile
import warnings
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, Optional, Union

import numpy as np

from . import _failure, _result, _sample
from ._job import Job
from ._library import OK, STOPPED, STRUCTS, ManylinkError, call, filename, infos, lib, terminated, texts
from ._prepared import Prepared, Runs
from ._result import Result, result_call
from ._study import ManylinkWarning, assignments, opened, parse, real, source_of, tell, whole
from ._version import VERSION as __version__

if TYPE_CHECKING:
    from xarray import Dataset

    PathLike = Union[str, "os.PathLike[str]"]
    Study = Union[PathLike, Mapping[str, Any]]
    Values = Optional[Mapping[str, Any]]
    Progress = Union[bool, Callable[[int, int, float], Any], None]

ManylinkError.__module__ = ManylinkWarning.__module__ = __name__  # as users know them
__all__ = ["run", "study", "extend", "load", "plan", "evaluate", "inverse", "fit", "tune", "probability", "trajectory", "views", "plot", "statistics", "indices", "table", "best",
           "problem",
           "points", "ManylinkError", "ManylinkWarning"]


def __dir__() -> list[str]:
    return [*__all__, "__doc__", "__version__"]


def run(study: Study, set: Values = None, output: Union[PathLike, bool, None] = True, threads: int = 0,
        restart: bool = False, progress: Progress = None, quiet: bool = False,
        device: Optional[str] = None) -> Dataset:
    """Integrates every run of a study; the xarray.Dataset of load().

    output    path of the result file. True: of a study file that is run as it is, STUDY.h5 in the
              current folder, as the command `manylink run` has it; else as False: in memory only.
              A finished file of the same study is read, an interrupted one is continued
    threads   0: as OpenMP decides
    restart   discard the file that is there
    progress  a bar; None: in a terminal or notebook; or a function that is called as progress(done, runs, seconds)
    quiet     no bar, and no notes on stderr; warnings stay warnings of Python
    device    "gpu", "gpu:K": compute on that GPU too, "gpu:K,L" on both; "auto": if the study can use it; the result is the same

    Ctrl-C finishes what is begun and raises KeyboardInterrupt; the same call then goes on from the
    file. Several threads may run studies at once."""
    if output is True:
        output = None if set or isinstance(study, Mapping) else Path(study).stem + ".h5"
    n_thread = _threads(threads)
    with opened(study, set, quiet=quiet) as handle:
        result, report, counts = _run(handle, output or None, Job(progress, quiet), n_thread=n_thread, restart=restart,
                                      device=device and terminated(device.encode()))
        result.name = lib.ml_study_name(handle).decode()
    _warn_of_failed(report, counts)
    return _result.summary(result)


def study(study: Study, set: Values = None, threads: int = 0, kernel: str = "auto", quiet: bool = False) -> Prepared:
    """A study that is kept, to be run again and again with other numbers, into arrays in memory:

        kept = manylink.study("study.yaml")
        kept.run({"system.segments.lower.mass": 1.2})["end_angle"]

    kernel  "auto": one that is built in, else the general one; "made": one is compiled for the study, in the first call;
            "general". Results are the same
    quiet   no notes on stderr

    Prepared.run() has the rest. Several threads take a study each."""
    kernels = {"auto": 0, "general": 1, "made": 2}
    if kernel not in kernels:
        raise ManylinkError(f"kernel is {kernel!r} but must be one of: {', '.join(kernels)}")
    return Prepared(study, set, _threads(threads), kernels[kernel], quiet)


def extend(path: PathLike, set: Values, output: Optional[PathLike] = None, threads: int = 0, restart: bool = False,
           progress: Progress = None, plugin: Optional[PathLike] = None, quiet: bool = False) -> Dataset:
    """A finished result file with more samples, another grid, a later end, further indicators or events, bit for bit as
    if its study had been asked for all of it at once; the xarray.Dataset of load(). Runs that the file has are taken from
    it where it has all their numbers; else a note has the reason why all runs are computed again.

    set       values for keys of the study in the file: {"sample.count": 4096}
    output    path of the new file; None: the same, which is replaced when all runs are there
    restart   discard blocks of an interrupted extension
    plugin    path of the plugin of the study, whose code runs as you: a result alone cannot name the code

    threads, progress, quiet and Ctrl-C as in run()."""
    n_thread, path = _threads(threads), os.fspath(path)
    code = filename(plugin) if plugin else None
    with opened(None, set, result=path, plugin=code, quiet=quiet) as handle:
        result, report, counts = _run(handle, output or path, Job(progress, quiet), n_thread=n_thread, restart=restart,
                                      donor=filename(path), donor_plugin=code)
    _warn_of_failed(report, counts)
    return _result.summary(result)


def _threads(threads):
    return whole("threads", threads, 0, 2**31 - 1)


def _run(study, output, job, **options):
    """Into a file or, None, into memory: a Result, the report and its outcomes."""
    counts, memory = (STRUCTS["ml_outcome_count"] * len(_result.OUTCOMES))(), ctypes.c_void_p()
    report = STRUCTS["ml_run_report"](n_outcome=len(counts), outcomes=ctypes.addressof(counts))
    path = filename(output) if output else None
    how = job.options(output=path, **options)
    if output:
        status, text = job.run(lib.ml_run, study, ctypes.byref(how), ctypes.byref(report))
    else:
        status, text = job.run(lib.ml_run_memory, study, ctypes.byref(how), ctypes.byref(memory),
                               ctypes.byref(report))
    result = Result(output, memory if memory else None)
    _raise_interrupt(job, status, text, output, options.get("restart"))
    return result, report, counts


def _raise_interrupt(job, status, text, output, restart):
    if job.interrupts > 0:
        raise KeyboardInterrupt(_way_on(text if status == STOPPED else "stopped when all runs were done",
                                        output, restart))


def _way_on(text, output, restart):
    if not output:
        return f"{text}; nothing is kept: with output='NAME.h5' the same call would go on from there"
    return f"{text}; the same call{' without restart' if restart else ''} continues from there: {output}"


def _warn_of_failed(report, counts):
    for i, (name, count) in enumerate(zip(_result.OUTCOMES, counts)):
        if count.runs > 0 and not lib.ml_outcome_is_sound(i):
            when = "" if report.was_finished else (
                f", the first is run {count.first_run} at t = {count.first_time:g} s")
            warnings.warn(f"{count.runs} of {report.runs} runs did not finish: {name}{when}",
                          ManylinkWarning, stacklevel=3)


def load(path: PathLike) -> Dataset:
    """A result file as an xarray.Dataset: all that was measured, over the axes of the study, with
    labels, swept values, `run`, `outcome` (0: finished), `steps` and `end_time` as coordinates, units
    (SI) and descriptions as attributes. Of a result of `manylink inverse` its torques and forces over
    time beside their peaks, of one of `manylink compare` its table. Trajectories are read one by one, by
    trajectory()."""
    return _result.summary(Result(os.fspath(path)))


@result_call
def statistics(result: Union[Dataset, PathLike]) -> dict[str, Dataset]:
    """The distribution of each number over the runs of a study with a `sample`, as datasets by table:
    `moments`, `quantiles`, `runs`, `histogram`, `edges`, `correlations` with the names of the summary,
    `outcomes` with the numbers and parts of runs that ended so, and of saved quantities at each time
    `over_time/quantiles`, `over_time/moments`, `over_time/runs`.
    `result` is a summary of run() or load(), or the path of a file."""
    return _result.statistics(_source(result))


@result_call
def indices(result: Union[Dataset, PathLike]) -> Dataset:
    """The sensitivity indices of each number over the runs of a study with a `sample`, as a dataset along `output` and
    `input`: by the design of the sample `first_order`, `total`, `second_order`, `pawn`, `regression`, `rank_correlation`,
    `mu_star`, `mu`, `sigma`, `swing` and others (docs/result.md), each with half of its 95 % interval in `.._half`, and
    `complete` points; coordinate `unit` of effects, attributes `design`, `estimator`, `taken`.
    `result` is a summary of run() or load(), or the path of a file."""
    return _result.indices(_source(result))


@result_call
def table(result: Union[Dataset, PathLike], columns: Optional[Sequence[str]] = None) -> Dataset:
    """All runs as rows, along `run`: swept and drawn values, outcome and all numbers of the summary, `end_angle.upper`,
    as of `manylink table`.

    result   a summary of run() or load(), or the path of a file
    columns  names of datasets, or of one of their components; None: all datasets with at most 100 numbers of a run"""
    return _result.table(_source(result), columns)


@result_call
def best(result: Union[Dataset, PathLike], output: str, count: int = 10, where: Sequence[str] = (), worst: bool = False,
         largest: bool = False, over: Optional[str] = None, columns: Optional[Sequence[str]] = None) -> Dataset:
    """The runs with the best number of the summary, the best first, as rows along `run`, as of `manylink best`. Runs
    count that ended as the study asks. Settling times, margins and other numbers that a run may lack are the worst there.

    result   a summary of run() or load(), or the path of a file
    output   a single number, `end_angle.upper`; smaller is better, but for margins
    count    rows, at most
    where    conditions on columns, `abs(end_angle.upper) < 3 deg`, which runs meet
    worst    the worst first
    largest  larger numbers are better
    over     an axis: one run at each point of the other axes, beside `counted` runs there and those `without` the number
    columns  as of table(), in place of the swept and drawn values"""
    return _result.best(_source(result), output, columns, list(where), count=whole("count", count), is_worst=bool(worst),
                        is_largest=bool(largest), over=None if over is None else terminated(over.encode()))


@result_call
def views(result: Union[Dataset, PathLike]) -> list[SimpleNamespace]:
    """How viewers, `manylink plot` and pages draw a result, the first view first, by the rules of docs/views.md:
    `dataset`, `style` (curves, map, scatter, events), `x`, `y`, `colour`, `section`, `scales` of these three, and
    `dims`: of each dimension of the dataset "x", "y", "each" or the entry that is drawn.

    result  what run() or load() returned, or the path of a result file; a result in memory has no view"""
    return _result.views(_source(result))


@result_call
def plot(result: Union[Dataset, PathLike], name: Optional[str] = None, **keys: Any) -> Any:
    """Draws a dataset as its view has it (views()), by xarray's own plots, which need matplotlib; what these return.

    result  what run() or load() returned, of a file, or its path
    name    of a dataset, `max_rate`; None: that of the first view which is one
    keys    of xarray's plots: ax, cmap, levels, add_legend, .."""
    return _result.plot(_source(result), load(result) if isinstance(result, (str, os.PathLike)) else result, name, keys)


def _source(result):
    source = Result(os.fspath(result)) if isinstance(result, (str, os.PathLike)) else result.encoding.get("manylink")
    if source is None:
        raise ManylinkError("this is not what run() or load() returned: take that, and the number of the "
                            "run, summary.run.sel(...)")
    return source


def inverse(study: Study, motion: Optional[PathLike] = None, run: Optional[int] = None, set: Values = None,
            output: Optional[PathLike] = None, threads: int = 0, restart: bool = False,
            progress: Progress = None, quiet: bool = False) -> Dataset:
    """The joint torques, in parts, and the forces of a motion: the xarray.Dataset of load().

    motion    path of a table (CSV) or of a result file; None: the study's own motion
    run       of a result file: that run; None: every run that it keeps the motion of
    output    path of the result file; None: in memory only
    threads, restart, progress, quiet  as of run()"""
    job, report = Job(progress, quiet), STRUCTS["ml_inverse_report"]()
    taken = None if motion is None else filename(motion)
    with opened(study, set, quiet=quiet, for_inverse=True, motion=taken) as handle, tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "inverse.h5") if output is None else os.fspath(output)
        options = job.options(
            "ml_inverse_options", output=filename(path), n_thread=_threads(threads), restart=restart,
            motion=taken, run=-1 if run is None else whole("run", run))
        status, text = job.run(lib.ml_inverse, handle, ctypes.byref(options), ctypes.byref(report))
        _raise_interrupt(job, status, text, output, restart)
        dataset = load(path)
    if output is None:
        dataset.encoding.clear()
    for note in report.notes.decode().splitlines():
        tell(f"note: {note}", stacklevel=2, quiet=quiet)
    if report.not_finite > 0:
        warnings.warn(f"{report.not_finite} of {report.results} results have a torque or force that is not finite",
                      ManylinkWarning, stacklevel=2)
    return dataset


def fit(study: Study, set: Values = None, output: Optional[PathLike] = None, threads: int = 0,
        profile: bool = False, quiet: bool = False) -> Dataset:
    """Numbers of a study from measured data (docs/fit.md): an xarray.Dataset with `estimate`, `standard_error`, `low`,
    `high`, `covariance`, `correlation`, ends and minima of the starts, measured numbers, model and residuals.

        found = manylink.fit("study.yaml")
        found.estimate.sel(parameter="system.segments.lower.mass")

    output   path of the result file; None: in memory only
    threads, quiet  as of run()
    profile  profile likelihoods, and intervals by these, too

    Attributes have `squares`, `variance`, `degrees_of_freedom`, `best_start`, and `page`, the text that the command
    prints. Doubts about the best minimum, and chains of a `posterior` that are too short, are a ManylinkWarning. Ctrl-C ends the fit."""
    job = Job(False, quiet)
    with opened(study, set, quiet=quiet, for_fit=True) as handle, tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "fit.h5") if output is None else os.fspath(output)
        options = job.options("ml_fit_options", output=filename(path), n_thread=_threads(threads), profile=profile)
        status, text = job.run(lib.ml_fit, handle, ctypes.byref(options), None)
        if status == STOPPED:
            raise KeyboardInterrupt(f"{text}; nothing of a fit is kept")
        dataset = load(path)
    if output is None:
        dataset.encoding.clear()
    for line in dataset.page.splitlines():
        if line.startswith(("  the best start had not", "  no other start met it", "  a point of the profiles is below",
                            "  the chains are shorter", "  the chains have not mixed")):
            warnings.warn(line.strip(), ManylinkWarning, stacklevel=2)
    return dataset


def tune(study: Study, set: Values = None, threads: int = 0) -> SimpleNamespace:
    """Numbers of a study so that a cost is least, by its key `tune` (docs/tune.md).

        found = manylink.tune("study.yaml")
        summary = manylink.run("study.yaml", set=found.numbers)

    Beside `numbers` there are `cost`, `cost_before` (of the study's own numbers), `is_met` (all requirements),
    `is_converged`, `points`, `runs` and `end`, the words about the end of the search. Ctrl-C ends the search."""
    job, found = Job(False), STRUCTS["ml_tuning"]()
    options = job.options("ml_tune_options", n_thread=_threads(threads))
    with opened(study, set):  # for its notices
        parse(*source_of(study), assignments(set),
              read=lambda source, *_: job.run(lib.ml_tune, source, ctypes.byref(options), ctypes.byref(found))[0])
    out = SimpleNamespace(**{name: getattr(found, name) for name in ("cost", "cost_before", "points", "runs")},
                          is_met=bool(found.is_met), is_converged=bool(found.is_converged), end=found.end.decode(),
                          numbers={key: float(value) for key, value in
                                   (item.split("=") for item in found.set.decode().replace("--set ", "").split())})
    lib.ml_tuning_free(ctypes.byref(found))
    if job.interrupts:
        raise KeyboardInterrupt(f"the search ended after {out.points} points")
    return out


def probability(study: Study, method: str = "subset", set: Values = None, threads: int = 0, quiet: bool = False) -> Dataset:
    """The probability that a run fails a requirement (`require`) of a study with a `sample`, also where failures are rare
    (docs/probability.md): an xarray.Dataset along `requirement`, and the axes of the grid, with `probability`, its 95 % interval
    `low` and `high`, `variation`, reliability `index`, `curved` (SORM), `levels`, `runs`, runs `without` the number, and `doubt`,
    the reason why numbers are missing; by the design point `point`, `scores` and `alpha` along `input`, with the `unit` of each.

        manylink.probability("study.yaml", "form").probability.item()

    method   "subset", "form" or "importance"
    threads, quiet  as of run()

    Numbers are those of `manylink probability --json`; NaN: the method has no such number. A doubt is a ManylinkWarning too. Ctrl-C ends the
    search."""
    methods = ("subset", "form", "importance")
    if method not in methods:
        raise ManylinkError(f"method is {method!r} but must be one of: {', '.join(methods)}")
    job, found = Job(False, quiet), STRUCTS["ml_failures"]()
    with opened(study, set, quiet=quiet) as handle:
        options = job.options("ml_failure_options", method=methods.index(method), n_thread=_threads(threads))
        try:
            status, text = job.run(lib.ml_failures_find, handle, ctypes.byref(options), ctypes.byref(found))
            if status == STOPPED:
                raise KeyboardInterrupt(f"{text}; nothing of a search is kept")
            dataset = _failure.failures(handle, found)
        finally:
            lib.ml_failures_free(ctypes.byref(found))
    for requirement, doubt in zip(dataset.requirement.values, np.moveaxis(dataset.doubt.values, -1, 0)):
        for words in sorted({str(each) for each in np.ravel(doubt) if each}):
            warnings.warn(f"{requirement}: {words}", ManylinkWarning, stacklevel=2)
    return dataset


def plan(study: Study, set: Values = None, threads: int = 0, measure: bool = True,
         device: Optional[str] = None) -> SimpleNamespace:
    """What a run would do, as the struct ml_plan of plan.h has it: `runs`, `time.steps`, `room.memory` and
    `room.disk` in bytes, `speed.seconds`, `kernel.name`, ...; `measure` takes about 0.4 s, without it
    `speed` is not known (0). `device` as of `run`: `device.reason` why it cannot be used, or its `device.seconds`."""
    out = STRUCTS["ml_plan"]()
    options = STRUCTS["ml_plan_options"](n_thread=_threads(threads), measures=measure,
                                         device=device and terminated(device.encode()))
    with opened(study, set) as handle:
        call(lib.ml_study_plan, handle, ctypes.byref(options), ctypes.byref(out))
        return _plain(out)


def _plain(value):
    if isinstance(value, ctypes.Structure):
        return SimpleNamespace(**{name: _plain(getattr(value, name)) for name, _ in value._fields_ if name != "size"})
    return value.decode() if isinstance(value, bytes) else value


def evaluate(study: Study, run: int = 0, state: Any = None, time: Optional[float] = None,
             params: Sequence[str] = (), set: Values = None) -> SimpleNamespace:
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
        given = None if state is None else real("state", state, (n_state,))
        at = 0.0 if time is None else float(real("time", time, ()))
        options = STRUCTS["ml_evaluate_options"](
            run=whole("run", run), state=None if given is None else given.ctypes.data, has_time=time is not None,
            time=at, params=ctypes.addressof(keys), n_param=len(params))
        call(lib.ml_evaluate, handle, ctypes.byref(options), ctypes.byref(out))
    named = {name.upper() if len(name) == 1 else name: array for name, array in arrays.items()}
    return SimpleNamespace(**named, **{name: _plain(getattr(out, name)) for name in
                                       ("kinetic", "potential", "mass_unit", "force_unit")})


@result_call
def trajectory(result: Union[Dataset, PathLike], run: int, every: Optional[int] = None,
               quantities: Optional[Sequence[str]] = None, study: Optional[Study] = None,
               set: Values = None) -> Dataset:
    """The motion of one run, an xarray.Dataset over time.

    result      what run() or load() returned, or the path of a result file
    run         its number: summary.run.sel(...)
    every       steps between samples
    quantities  such as ["angle", "end_position"]; the message about an unknown one lists them

    What the study saves is read. Any other run, or with `every` or `quantities` one at all, is computed
    again, with the same bits: of what run() returned, else of `study`, `set`, which must be those of
    the result (it may come from anybody, and name code)."""
    source = _source(result)
    run, saved = whole("run", run), _result.saved_runs(source)
    how = {"every": None if every is None else whole("every", every, 1), "quantities": quantities}
    if run in saved and every is None and quantities is None:
        return _result.trajectory(source, saved.index(run), run)
    if not saved and every is None:
        how["every"] = 1
    name = source.name or _checked_name(source, f"run {run} is not saved, but {saved or 'none'}", study, set)
    handle = parse(name, source.resolved, assignments(
        {f"save.trajectory.{key}": value for key, value in how.items() if value is not None}))
    try:
        call(lib.ml_study_keep_run, handle, run)
        return _result.trajectory(_run(handle, None, Job(False), accuracy=-1)[0], 0, run)
    finally:
        lib.ml_study_free(handle)


def problem(problem: Mapping[str, Any], count: int, design: str = "saltelli", **keys: Any) -> dict[str, Any]:
    """The `sample` of a study for a problem of SALib: names, which are keys of the study, bounds, dists, and groups, of
    `saltelli` only.

        study["sample"] = manylink.problem(problem, 1024)

    count   points, trajectories or runs of a curve, as `design` takes them
    design  saltelli, morris, fast, oat or points
    keys    others of a sample: seed, method, second_order, levels, candidates"""
    return _sample.problem(problem, count, design, **keys)


def points(table: Any, path: PathLike, names: Optional[Sequence[str]] = None) -> dict[str, Any]:
    """Writes the points of a sample to a CSV, every bit of them; the `sample` of a study with this file.

        study["sample"] = manylink.points(frame, "points.csv")

    table  columns by keys of the study: a DataFrame, a dict or Dataset of columns, a structured array; or with `names`
           an array [rows, columns]"""
    return _sample.points(table, path, names)


def _checked_name(source, why, study, values):
    """Of the study that the user says a result is of."""
    if study is None:
        raise ManylinkError(f"{why}; with study='...' of the result it is computed again")
    with opened(study, values) as handle:
        if lib.ml_study_resolved(handle).decode() != source.resolved:
            raise ManylinkError(f"{study} is not the study of the result; was it run with other `set`?")
        return lib.ml_study_name(handle).decode()
