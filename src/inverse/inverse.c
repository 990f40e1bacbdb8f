/* Motions, parameters and the result joined. */
#include "manylink/inverse.h"

#include <assert.h>
#include <errno.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/atomic_file.h"
#include "base/fail.h"
#include "base/float_env.h"
#include "base/path.h"
#include "base/sized.h"
#include "config/values.h"
#include "inverse/diagnostics.h"
#include "inverse/effort.h"
#include "inverse/inverse_result.h"
#include "inverse/inverse_solver.h"
#include "inverse/motion_h5.h"
#include "inverse/motion_spec.h"
#include "inverse/open_motion.h"
#include "inverse/relevant_axes.h"
#include "manylink/version.h"
#include "store/provenance.h"

/* One call. Results are made and written in blocks, so that memory does not grow with their
 * number. */
struct job {
    const struct ml_study *study;
    struct ml_inverse_report *report; /* of the caller */
    const char *options;              /* as of ml_provenance */
    struct ml_pool pool;
    struct ml_relevant_axes relevant;
    struct ml_motions motions;
    struct ml_inverse_result file;
    const struct ml_study *shape; /* the study, or its view of the axes that count */
    int n_thread;
    struct ml_stop stop;               /* as of ml_inverse_options */
    int64_t n_item, block;             /* results, and how many at a time */
    struct ml_inverse_solver *workers; /* [n_thread] */
    double *numbers;                   /* [block][numbers of one result] */
    double *shared;                    /* the motion, if all results have the same one */
    double *(*sets)[ML_N_SET];         /* [block] pointers into them */
    enum ml_status *status;            /* [block] */
    struct ml_diagnostics diagnostics;
};

/* The run whose parameters result `item` has. */
static int64_t run_of(const struct job *job, int64_t item)
{
    if (job->motions.n_motion == 1)
        return ml_relevant_axes_run(&job->relevant, item);
    return job->study->n_axis > 0 ? job->motions.run[item] : 0;
}

/* The run that a message about result `item` names: that of the motion, if it has a number. */
static int64_t shown_run(const struct job *job, int64_t item)
{
    const struct ml_motions *m = &job->motions;
    return m->n_motion > 1 ? m->run[item] : run_of(job, item);
}

/* A swept study goes with motions of its own runs only. */
static enum ml_status check_pair(const struct job *job, int64_t i, double *values,
                                 struct ml_error *err)
{
    const struct ml_study *study = job->study;
    const int64_t run = job->motions.run[i];
    assert(values);
    if (run >= study->ensemble.n_run)
        return ml_fail(err, ML_E_INPUT,
                       "%s: has a motion of run %lld, but the study has %lld runs; choose one "
                       "motion with --run",
                       job->motions.source, (long long)run, (long long)study->ensemble.n_run);
    ml_study_swept(study, run, values);
    for (int a = 0, k = 0; a < study->n_axis; a++)
        for (int s = 0; s < study->axes[a].n_swept; s++, k++) {
            const char *path = study->axes[a].swept[s].path;
            double there = 0.0;
            if (!ml_motion_h5_swept(&job->motions, i, path, &there) || there != values[k])
                return ml_fail(err, ML_E_INPUT,
                               "%s: its runs are not those of the study, by `%s` of run %lld; "
                               "choose one motion for all with --run, or leave `sweep` out",
                               job->motions.source, path, (long long)run);
        }
    return ML_OK;
}

static enum ml_status check_pairs(const struct job *job, struct ml_error *err)
{
    struct ml_pool pool = {0};
    enum ml_status status = ML_OK;
    if (job->motions.n_motion == 1 || job->study->n_axis == 0)
        return ML_OK;
    double *values =
        ml_pool_take(&pool, (size_t)ml_layout_swept(&job->file.layout), sizeof *values);
    if (!values)
        status = ml_fail(err, ML_E_MEMORY, "out of memory");
    for (int64_t i = 0; i < job->motions.n_motion && status == ML_OK; i++)
        status = check_pair(job, i, values, err);
    ml_pool_free(&pool);
    return status;
}

/* Every hand gets where it shall. */
static enum ml_status check_reach(const struct job *job, struct ml_error *err)
{
    struct ml_segment_params segments;
    enum ml_status status = ML_OK;
    if (!job->motions.planned)
        return ML_OK;
    if (!ml_segment_params_init(&segments, &job->study->ensemble))
        return ml_fail(err, ML_E_MEMORY, "out of memory");
    for (int64_t item = 0; item < job->n_item && status == ML_OK; item++) {
        const int64_t run = run_of(job, item);
        ml_segment_params_load(&segments, &job->study->ensemble, run);
        status = ml_motion_spec_check(&job->motions, &segments, run, err);
    }
    ml_segment_params_free(&segments);
    return status;
}

/* What is there already is replaced only if it is of the same kind. */
static enum ml_status check_output(const char *path, struct ml_error *err)
{
    struct stat about;
    if (ml_path_is_link(path))
        return ml_fail(err, ML_E_FILE, "%s: is a symbolic link, and would be replaced", path);
    if (stat(path, &about) != 0)
        return errno == ENOENT ? ML_OK : ml_fail(err, ML_E_FILE, "%s: %s", path, strerror(errno));
    if (!S_ISREG(about.st_mode) || !ml_inverse_result_is(path))
        return ml_fail(err, ML_E_INPUT,
                       "%s: is there already, and is no result of inverse dynamics; choose another "
                       "name with -o",
                       path);
    return ML_OK;
}

static int64_t numbers_of_motion(const struct job *job)
{
    int64_t sum = 0;
    for (int set = ML_SET_MOTION; set < ML_N_SET; set++)
        sum += ml_torque_numbers(&job->motions, set);
    return sum;
}

static int64_t numbers_of_item(const struct job *job)
{
    int64_t sum = 0;
    for (int set = 0; set < ML_N_SET; set++)
        sum += ml_torque_numbers(&job->motions, set);
    return sum;
}

/* Points the sets of a result to its numbers. */
static void inverse_place(struct job *job, int64_t i)
{
    double *at = job->numbers + i * numbers_of_item(job), *motion = job->shared;
    for (int set = 0; set < ML_N_SET; set++) {
        int64_t n = ml_torque_numbers(&job->motions, set);
        double **from = set >= ML_SET_MOTION && motion ? &motion : &at;
        job->sets[i][set] = n > 0 ? *from : NULL;
        *from += n;
    }
}

static enum ml_status inverse_reserve(struct job *job, struct ml_error *err)
{
    const int64_t usual = (int64_t)1 << 22; /* numbers at a time, or one result per thread */
    const int64_t n = numbers_of_item(job);
    job->block = usual / n > job->n_thread ? usual / n : job->n_thread;
    job->block = job->block < job->n_item ? job->block : job->n_item;
    job->workers = calloc((size_t)job->n_thread, sizeof *job->workers);
    job->numbers = calloc((size_t)job->block, (size_t)n * sizeof *job->numbers);
    job->sets = calloc((size_t)job->block, sizeof *job->sets);
    job->status = calloc((size_t)job->block, sizeof *job->status);
    bool is_enough = job->workers && job->numbers && job->sets && job->status &&
                     ml_diagnostics_init(&job->diagnostics, job->study, &job->motions, job->report);
    if (ml_inverse_result_shares_motion(&job->motions)) {
        job->shared = calloc((size_t)numbers_of_motion(job), sizeof *job->shared);
        is_enough = is_enough && job->shared;
    }
    for (int t = 0; is_enough && t < job->n_thread; t++)
        is_enough = ml_inverse_solver_init(&job->workers[t], &job->study->ensemble);
    for (int64_t i = 0; is_enough && i < job->block; i++)
        inverse_place(job, i);
    return is_enough ? ML_OK
                     : ml_fail(err, ML_E_MEMORY, "no memory for %lld numbers of one motion",
                               (long long)n);
}

/* The motion of all results, or those of a block as far as they are given. */
static enum ml_status read_motions(const struct job *job, int64_t first, int64_t n,
                                   struct ml_error *err)
{
    enum ml_status status = ML_OK;
    if (job->motions.planned || (job->shared && first > 0))
        return ML_OK;
    for (int64_t i = 0; i < (job->shared ? 1 : n) && status == ML_OK; i++)
        status = ml_motions_read(&job->motions, first + i, &job->sets[i][ML_SET_MOTION], err);
    const struct ml_motion_rows rows = ml_torque_motion(job->sets[0]);
    if (job->shared && status == ML_OK)
        status = ml_motion_complete(&job->motions, &rows, err);
    return status;
}

static bool is_stopped(const struct job *job) { return ml_stop_level(job->stop) > 0; }

static enum ml_status compute(const struct job *job, struct ml_inverse_solver *solver, int64_t i,
                              int64_t item)
{
    double *const *sets = job->sets[i];
    const struct ml_motion_rows rows = ml_torque_motion(sets);
    enum ml_status status = ML_OK;
    if (is_stopped(job))
        return ML_STOPPED;
    ml_segment_params_load(&solver->segments, &job->study->ensemble, run_of(job, item));
    if (job->motions.planned)
        ml_motion_spec_read(&job->motions, &solver->segments, sets + ML_SET_MOTION);
    else if (!job->shared)
        status = ml_motion_complete(&job->motions, &rows, NULL);
    if (status != ML_OK)
        return status;
    const int64_t n_time = job->motions.n_time;
    ml_inverse_solver_solve(solver, &job->study->ensemble, n_time, job->motions.time, sets);
    ml_effort(job->motions.n, solver->segments.is_joint, n_time, job->motions.time, sets);
    return ML_OK;
}

static enum ml_status add_block(struct job *job, int64_t first, int64_t n, struct ml_error *err)
{
    enum ml_status status = read_motions(job, first, n, err);
    if (status != ML_OK)
        return status;
#pragma omp parallel for schedule(dynamic) num_threads(job->n_thread)
    for (int64_t i = 0; i < n; i++) {
        const fenv_t before = ml_float_env_set();
        job->status[i] = compute(job, &job->workers[omp_get_thread_num()], i, first + i);
        ml_float_env_restore(&before);
    }
    if (is_stopped(job))
        return ml_fail(err, ML_STOPPED, "stopped before the end; nothing is written");
    for (int64_t i = 0; i < n; i++) {
        if (job->status[i] != ML_OK)
            return ml_fail(err, job->status[i], "%s: no spline goes through the samples",
                           job->motions.source);
        ml_diagnostics_check_finite(&job->diagnostics, shown_run(job, first + i), job->sets[i]);
        if (!job->shared || first + i == 0) {
            ml_diagnostics_check_noise(&job->diagnostics, job->sets[i]);
            ml_diagnostics_check_rates(&job->diagnostics, job->sets[i]);
        }
        ml_inverse_result_add(&job->file, first + i, job->sets[i]);
    }
    return job->file.result.h5.status;
}

static enum ml_status write_file(void *context, const char *path, struct ml_error *err)
{
    struct job *job = context;
    char began[ML_TIME_LENGTH], ended[ML_TIME_LENGTH], host[ML_HOST_LENGTH];
    ml_provenance_time(began);
    ml_provenance_host(host);
    ml_inverse_result_begin(&job->file, job->shape, &job->motions, path, err);
    enum ml_status status = job->file.result.h5.status;
    for (int64_t first = 0; first < job->n_item && status == ML_OK; first += job->block) {
        int64_t left = job->n_item - first;
        status = add_block(job, first, left < job->block ? left : job->block, err);
    }
    ml_provenance_time(ended);
    const struct ml_provenance provenance = {
        .study = job->study->name,
        .overrides = job->study->overrides,
        .options = job->options,
        .version = ML_VERSION,
        .compiler = ml_provenance_compiler(),
        .isa = job->study->ensemble.kernels->isa,
        .host = host,
        .threads = job->n_thread,
        .start_time = began,
        .end_time = ended,
    };
    enum ml_status end = ml_inverse_result_end(&job->file, &provenance);
    return status == ML_OK ? end : status;
}

/* "motion=FILE", and "run=N" where one was chosen; NULL: the study's own motion. */
static enum ml_status inverse_keep_options(struct job *job,
                                           const struct ml_inverse_options *options,
                                           struct ml_error *err)
{
    if (options->motion && options->run >= 0)
        job->options = ml_pool_format(&job->pool, "motion=%s\nrun=%lld", options->motion,
                                      (long long)options->run);
    else if (options->motion)
        job->options = ml_pool_format(&job->pool, "motion=%s", options->motion);
    return job->pool.is_short ? ml_fail(err, ML_E_MEMORY, "out of memory") : ML_OK;
}

static enum ml_status inverse_solve(struct job *job, const struct ml_inverse_options *options,
                                    struct ml_error *err)
{
    enum ml_status status = ml_inverse_result_check(job->study, err);
    if (status == ML_OK)
        status = inverse_keep_options(job, options, err);
    if (status == ML_OK)
        status = ml_motions_open(job->study, options->motion, options->run, &job->motions, err);
    if (status != ML_OK)
        return status;
    if (!ml_relevant_axes_init(&job->relevant, job->study, &job->pool))
        return ml_fail(err, ML_E_MEMORY, "out of memory");
    const int64_t n_motion = job->motions.n_motion;
    job->n_item = n_motion > 1 ? n_motion : job->relevant.n_item;
    job->shape = n_motion > 1 ? job->study : &job->relevant.view;
    if (n_motion == 1 && job->relevant.left_out)
        ml_inverse_note(
            job->report,
            "torques do not depend on %s, which set initial states or actuators: left out of the "
            "result",
            job->relevant.left_out);
    if (!options->motion && (job->study->smoothing.order > 0 || job->study->smoothing.is_validated))
        ml_inverse_note(
            job->report,
            "the key `inverse` smooths measured motions; the study's own `motion` stays as it "
            "is");
    ml_layout_init(&job->file.layout, job->shape);
    status = check_pairs(job, err);
    if (status == ML_OK)
        status = check_reach(job, err);
    if (status == ML_OK)
        status = check_output(options->output, err);
    if (status == ML_OK)
        status = inverse_reserve(job, err);
    return status == ML_OK ? ml_atomic_file_make(options->output, write_file, job, err) : status;
}

static enum ml_status invert(const struct ml_study *study, const struct ml_inverse_options *options,
                             struct ml_inverse_report *report, struct ml_error *err)
{
    const struct ml_system *system = study->ensemble.system;
    struct job job = {
        .study = study,
        .report = report,
        .stop = {options->stop, options->context},
        .n_thread = options->n_thread > 0 ? options->n_thread : omp_get_max_threads(),
    };
    if (!ml_segment_params_are_of(system))
        return ml_fail(err, ML_E_INPUT,
                       "%s: system `%s` has no joints; inverse dynamics is for system `chain`",
                       study->name, system->name);
    enum ml_status status = inverse_solve(&job, options, err);
    report->motions = job.motions.n_motion;
    report->samples = job.motions.n_time;
    report->results = job.n_item;
    for (int t = 0; job.workers && t < job.n_thread; t++)
        ml_inverse_solver_free(&job.workers[t]);
    free(job.workers);
    free(job.numbers);
    free(job.shared);
    free(job.sets);
    free(job.status);
    free(job.diagnostics.work);
    ml_pool_free(&job.pool);
    ml_motions_close(&job.motions);
    return status;
}

enum ml_status ml_inverse(const struct ml_study *study, const struct ml_inverse_options *options,
                          struct ml_inverse_report *report, struct ml_error *err)
{
    struct ml_inverse_options own_options;
    struct ml_inverse_report own_report = {0};
    enum ml_status status =
        ml_sized_read(&own_options, sizeof own_options, options, "ml_inverse_options", err);
    if (status == ML_OK)
        status = ml_sized_check(report, "ml_inverse_report", err);
    if (status != ML_OK)
        return status;
    const fenv_t before = ml_float_env_set();
    status = invert(study, &own_options, &own_report, err);
    ml_float_env_restore(&before);
    ml_sized_write(report, &own_report, sizeof own_report);
    return status;
}
