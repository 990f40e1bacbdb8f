"""The shared library: found, loaded, its functions and structs declared as in include/manylink."""
import ctypes
import importlib.metadata
import json
import os
import re
import shutil
from pathlib import Path
from types import SimpleNamespace
from urllib.parse import urlparse
from urllib.request import url2pathname

from ._version import VERSION

# C, as in the headers, against which tests/python/layout.sh compiles it: enough of C to be read by
# the three regular expressions below.
DECLARATIONS = """
struct ml_error { enum ml_status status; int count; char *text; };
struct ml_array_info {
    size_t size; const char *name; const char *unit; const char *description;
    enum ml_array_type type; int rank; int n_run_dim; int64_t shape[32]; const char *dim[32];
};
struct ml_view {
    size_t size; const char *dataset; enum ml_view_style style; const char *x; const char *y;
    const char *colour; enum ml_view_scale x_scale; enum ml_view_scale y_scale;
    enum ml_view_scale colour_scale; const char *section; int rank; int n_dim; int64_t dims[32];
    const char *signal;
};
struct ml_run_column { size_t size; const char *name; const char *unit; const char *dataset; };
struct ml_best_options {
    size_t size; const char *output; const char *const *where; int n_where; int is_worst;
    int is_largest; int64_t count; const char *over;
};
struct ml_best {
    size_t size; int column; int64_t n; const int64_t *runs; int has_without; const int64_t *counted;
    const int64_t *without; int64_t n_point; int64_t n_counted; int64_t n_without; int64_t n_lacking;
};
struct ml_study_source {
    size_t size; const char *path; const char *text; size_t length; const char *const *overrides;
    int n_override; int no_native; int for_inverse; const char *plugin; int for_fit;
    const char *motion;
};
struct ml_plan_options {
    size_t size; int n_thread; enum ml_kernel_mode kernel; int no_native; double rate; int measures;
    int64_t shards; double taken; const char *device;
};
struct ml_plan_system {
    const char *name; int n_segment; const char *part; int n_force; int takes_forces;
    const char *integrator; const char *solver; int jacobian_is_differenced;
};
struct ml_plan_time {
    double start; double end; double step; int64_t steps; double relative; double absolute;
    const char *clock;
};
struct ml_plan_room {
    int64_t blocks; int64_t block_runs; int64_t line_runs; int n_thread; int runs_at_once;
    double memory; double memory_limit; double disk; double disk_more; double points; double statistics;
};
struct ml_plan_kernel {
    const char *name; const char *isa; const char *reason; int is_cached; double saves;
};
struct ml_plan_speed { double rate; double taken; double seconds; int is_at_most; };
struct ml_plan_tangents { int n; int renormalise_is_given; double renormalise; double growth; };
struct ml_plan_stability { double step; double rate; const char *force; int64_t run; };
struct ml_plan_device {
    int n; char name[96]; char reason[512]; int n_thread; int64_t group; double memory; int64_t runs;
    int64_t steps; double rate; double seconds;
};
struct ml_plan {
    size_t size; int64_t runs; struct ml_plan_system system; struct ml_plan_time time;
    struct ml_plan_room room; struct ml_plan_kernel kernel; struct ml_plan_speed speed;
    struct ml_plan_tangents tangents; struct ml_plan_stability stability;
    struct ml_plan_device device;
};
struct ml_run_progress {
    size_t size; int64_t runs; int64_t runs_done; int64_t member_steps; double seconds;
    enum ml_run_phase phase;
};
struct ml_outcome_count { int64_t runs; int64_t first_run; double first_time; };
struct ml_run_report {
    size_t size; int n_outcome; struct ml_outcome_count *outcomes; struct ml_run_cause *causes; int64_t runs; int64_t sound;
    int64_t runs_found; int was_finished; int64_t blocks; int64_t blocks_found; int64_t member_steps; double seconds; int threads; const char *isa; const char *kernel;
    int64_t runs_taken;
};
struct ml_run_options {
    size_t size; const char *output; int n_thread; int64_t shard; int64_t shards; int restart;
    double wait; double time_limit; int strict_space; void *stop; void *progress;
    void *notice; void *context; enum ml_kernel_mode kernel; int no_native;
    int accuracy; void *observe; double grace; void *finding; const char *donor; const char *donor_plugin;
    const char *device;
};
struct ml_inverse_options {
    size_t size; const char *output; const char *motion; int64_t run; int n_thread; void *stop;
    void *context; int64_t shard; int64_t shards; int restart; double wait; double time_limit;
    int strict_space; void *progress; void *notice; double grace;
};
struct ml_inverse_report {
    size_t size; int64_t motions; int64_t samples; int64_t results; int64_t not_finite;
    char notes[2048]; int64_t results_found; int was_finished; int64_t blocks; int64_t blocks_found;
    double seconds; int threads;
};
struct ml_fit_options {
    size_t size; const char *output; int n_thread; void *stop; void *notice; void *context;
    enum ml_kernel_mode kernel; int no_native; int profile;
};
struct ml_tune_options {
    size_t size; int n_thread; void *stop; void *context; enum ml_kernel_mode kernel; int no_native;
};
struct ml_tuning {
    size_t size; int n; const struct ml_tuned_number *numbers; const char *cost_text; double cost;
    double cost_before; int n_requirement; const struct ml_tuned_requirement *requirements;
    int is_met; int is_converged; int64_t points; int64_t runs; const char *set; const char *end;
    int threads; double seconds; void *memory;
};
struct ml_failure_options {
    size_t size; enum ml_failure_method method; int n_thread; void *stop; void *notice; void *context;
    enum ml_kernel_mode kernel; int no_native;
};
struct ml_failure_input { const char *key; const char *unit; };
struct ml_failure {
    const char *requirement; int64_t run; double probability; double low; double high; double variation;
    double index; double curved; int levels; int64_t runs; int64_t without; const double *point;
    const double *scores; const double *factors; const char *doubt;
};
struct ml_failures {
    size_t size; int n; const struct ml_failure *failures; int n_input;
    const struct ml_failure_input *inputs; int threads; double seconds; void *memory;
};
struct ml_evaluate_options {
    size_t size; int64_t run; const double *state; int has_time; double time;
    const char *const *params; int n_param;
};
struct ml_evaluation {
    size_t size; double *state; double *rates; double *rates_by_state; double *rates_by_param;
    double *m; double *c; double *g; double *q; double *d; double *e; double *qdd; double kinetic;
    double potential; const char *mass_unit; const char *force_unit;
};
struct ml_study_axis {
    size_t size; const char *name; int64_t count; int n_key; int has_values; const char *unit;
    const char *description; int is_log;
};
struct ml_prepared_points {
    size_t size; const char *const *paths; int n_path; const double *values; int64_t n_point;
};
struct ml_prepared_runs {
    size_t size; const struct ml_study *study; int64_t n_point; int64_t n_run; const int8_t *outcome;
    const int64_t *steps; const double *end_time; int n_output; const double *const *outputs;
    int64_t n_saved; int n_record; const double *const *records; const double *times;
};
const char *ml_version(void);
const char *ml_status_text(enum ml_status);
void ml_error_clear(struct ml_error *);
enum ml_status ml_study_load(const struct ml_study_source *, struct ml_study **, struct ml_error *);
enum ml_status ml_extend_study(const struct ml_study_source *, const char *, struct ml_study **, struct ml_error *);
void ml_study_free(struct ml_study *);
int64_t ml_study_runs(const struct ml_study *);
const char *ml_study_name(const struct ml_study *);
const char *ml_study_resolved(const struct ml_study *);
const char *ml_study_notice(const struct ml_study *, int);
int ml_study_axis(const struct ml_study *, int, struct ml_study_axis *);
void ml_study_axis_values(const struct ml_study *, int, double *);
const char *ml_study_segment(const struct ml_study *, int);
int ml_study_output(const struct ml_study *, int, struct ml_array_info *);
int ml_study_output_values(const struct ml_study *, int, int, double *);
int ml_study_record(const struct ml_study *, int, struct ml_array_info *);
enum ml_status ml_prepare(const struct ml_study_source *, struct ml_prepared **, struct ml_error *);
void ml_prepared_free(struct ml_prepared *);
const struct ml_study *ml_prepared_study(const struct ml_prepared *);
int64_t ml_prepared_readings(const struct ml_prepared *);
enum ml_status ml_prepared_run(struct ml_prepared *, const struct ml_prepared_points *, const struct ml_run_options *, struct ml_prepared_runs *, struct ml_error *);
int ml_study_state(const struct ml_study *, int, struct ml_array_info *);
int ml_study_freedom(const struct ml_study *);
enum ml_status ml_study_keep_run(struct ml_study *, int64_t, struct ml_error *);
enum ml_status ml_study_plan(const struct ml_study *, const struct ml_plan_options *, struct ml_plan *, struct ml_error *);
enum ml_status ml_evaluate(const struct ml_study *, const struct ml_evaluate_options *, struct ml_evaluation *, struct ml_error *);
const char *ml_outcome_name(int);
int ml_outcome_is_sound(int);
enum ml_status ml_run(const struct ml_study *, const struct ml_run_options *, struct ml_run_report *, struct ml_error *);
enum ml_status ml_run_memory(const struct ml_study *, const struct ml_run_options *, struct ml_result **, struct ml_run_report *, struct ml_error *);
enum ml_status ml_inverse(const struct ml_study *, const struct ml_inverse_options *, struct ml_inverse_report *, struct ml_error *);
enum ml_status ml_fit(const struct ml_study *, const struct ml_fit_options *, struct ml_fit_report *, struct ml_error *);
enum ml_status ml_tune(const struct ml_study_source *, const struct ml_tune_options *, struct ml_tuning *, struct ml_error *);
void ml_tuning_free(struct ml_tuning *);
enum ml_status ml_failures_find(const struct ml_study *, const struct ml_failure_options *, struct ml_failures *, struct ml_error *);
void ml_failures_free(struct ml_failures *);
enum ml_status ml_result_attribute(struct ml_result *, const char *, const char *, int64_t, const char **, struct ml_error *);
enum ml_status ml_result_open(const char *, struct ml_result **, struct ml_error *);
void ml_result_free(struct ml_result *);
int ml_result_dataset(const struct ml_result *, int, struct ml_array_info *);
const char *ml_view_style_name(int);
const char *ml_view_scale_name(int);
int ml_result_view(struct ml_result *, int, struct ml_view *);
enum ml_status ml_result_read(struct ml_result *, const char *, const int64_t *, const int64_t *, double *, size_t, struct ml_error *);
enum ml_status ml_result_read_int64(struct ml_result *, const char *, const int64_t *, const int64_t *, int64_t *, size_t, struct ml_error *);
enum ml_status ml_run_table_open(struct ml_result *, struct ml_run_table **, struct ml_error *);
void ml_run_table_free(struct ml_run_table *);
int64_t ml_run_table_rows(const struct ml_run_table *);
enum ml_status ml_run_table_add(struct ml_run_table *, const char *, struct ml_error *);
enum ml_status ml_run_table_add_inputs(struct ml_run_table *, struct ml_error *);
int ml_run_table_column(const struct ml_run_table *, int, struct ml_run_column *);
enum ml_status ml_run_table_read(struct ml_run_table *, const int64_t *, int64_t, double *, struct ml_error *);
enum ml_status ml_run_table_best(struct ml_run_table *, const struct ml_best_options *, struct ml_best *, struct ml_error *);
enum ml_status ml_result_text(struct ml_result *, const char *, int64_t, const char **, struct ml_error *);
"""
_STRUCT = re.compile(r"struct (\w+) \{(.*?)\};", re.DOTALL)
_MEMBER = re.compile(r"\s*([\w ]+?[ *]+)(\w+)(?:\[(\d+)\])?;")
_FUNCTION = re.compile(r"^([\w ]+?[ *]+)(ml_\w+)\((.*)\);", re.MULTILINE)
_TYPES = {"char": ctypes.c_char, "int": ctypes.c_int, "double": ctypes.c_double, "size_t": ctypes.c_size_t,
          "int8_t": ctypes.c_int8, "int64_t": ctypes.c_int64, "uint64_t": ctypes.c_uint64, "void": None}
OK, STOPPED = 0, 5
DOUBLE, INTEGER, TEXT = range(3)


def _ctype(text):
    text = text.strip()
    if text in ("const char *", "char *"):
        return ctypes.c_char_p
    if text.endswith("*"):
        return ctypes.c_void_p
    if text.startswith("struct "):
        return STRUCTS[text.split()[1]]
    return ctypes.c_int if text.startswith("enum ") else _TYPES[text]


class _Struct(ctypes.Structure):
    """Of the structs above; those that begin with their size have it set."""

    def __init__(self, **members):
        if self._fields_[0][0] == "size":
            members["size"] = ctypes.sizeof(self)
        super().__init__(**members)


def _declare_struct(name, body):
    fields = [(member, _ctype(kind) * int(count) if count else _ctype(kind))
              for kind, member, count in _MEMBER.findall(body)]
    return type(name, (_Struct,), {"_fields_": fields})


STRUCTS = {}
for _name, _body in _STRUCT.findall(DECLARATIONS):
    STRUCTS[_name] = _declare_struct(_name, _body)


class ManylinkError(Exception):
    """What the library refuses or fails at: the message that the command prints, the place in the
    study with a caret. `status` is that of include/manylink/status.h: 2 bad input."""

    def __init__(self, text, status=2):
        super().__init__(text.rstrip("\n"))
        self.status = status


def _candidates():
    """Files to try, in order. A name without a folder is looked for by the system's loader."""
    given = os.environ.get("MANYLINK_LIBRARY")
    if given:
        return [given]
    here = Path(__file__).resolve().parent
    name = f"libmanylink.so.{'.'.join(VERSION.split('.')[:2])}"
    found = [here / name]
    for repository in (here.parents[1], _installed_from()):
        if repository:
            builds = repository / "build"
            found += [builds / "release" / name, builds / name, *sorted(builds.glob(f"*/{name}"))]
    command = shutil.which("manylink")  # of a build, or of an installed copy
    if command:
        folder = Path(command).resolve().parent
        found += [folder / name, *sorted(folder.parent.glob(f"lib*/**/{name}"))]
    return [str(path) for path in found if path.exists()] + [name]


def _installed_from():
    """The repository whose folder `python` pip installed this package from, or None: PEP 610."""
    try:
        url = json.loads(importlib.metadata.distribution("manylink").read_text("direct_url.json"))["url"]
        return Path(url2pathname(urlparse(url).path)).parent
    except (importlib.metadata.PackageNotFoundError, TypeError, KeyError, ValueError):
        return None


def _check_version(library, path):
    """As of CMake's packages: up to the last number they are compatible."""
    try:
        library.ml_version.restype = ctypes.c_char_p
        version = library.ml_version().decode()
    except AttributeError:
        raise ImportError(f"{path} is no library of manylink") from None
    if version.split(".")[:2] != VERSION.split(".")[:2]:
        raise ImportError(f"{path} is manylink {version}, this Python package is of {VERSION}: "
                          "install both of one version, or set MANYLINK_LIBRARY to one of it")


def _load():
    """The functions that are declared, and no other: ctypes would guess the types of those."""
    for path in _candidates():
        try:
            library = ctypes.CDLL(path)
            break
        except OSError as error:
            reason = error
    else:
        raise ImportError(
            f"the library of manylink cannot be loaded: {reason}\nBuild it (cmake --preset release; "
            "cmake --build --preset release) or set MANYLINK_LIBRARY to its libmanylink.so")
    _check_version(library, path)
    functions = {}
    for result, name, arguments in _FUNCTION.findall(DECLARATIONS):
        functions[name] = function = getattr(library, name)
        function.restype = _ctype(result)
        function.argtypes = [_ctype(a) for a in arguments.split(",") if a != "void"]
    return SimpleNamespace(**functions)


lib = _load()


def call(function, *arguments, allowed=(OK,)):
    """Calls what takes a struct ml_error last; ManylinkError unless the status is allowed. Returns
    the status and the message."""
    error = STRUCTS["ml_error"]()
    status = function(*arguments, ctypes.byref(error))
    text = (error.text or lib.ml_status_text(status)).decode(errors="replace")
    lib.ml_error_clear(ctypes.byref(error))
    if status not in allowed:
        raise ManylinkError(text, status)
    return status, text.rstrip("\n")


def terminated(data):
    """Bytes of a text or a path for C, which would end it at a NUL."""
    if b"\0" in data:
        raise ManylinkError(f"{data!r} has a NUL character")
    return data


def filename(path):
    return terminated(os.fsencode(path))


def texts(words):
    """char *[] of texts."""
    return (ctypes.c_char_p * max(1, len(words)))(*[terminated(word.encode()) for word in words])


def infos(function, handle, struct="ml_array_info"):
    """The structs that a function fills in, which counts from 0 on, one at a time."""
    info, i = STRUCTS[struct](), 0
    while function(handle, i, ctypes.byref(info)):
        yield info
        i += 1
