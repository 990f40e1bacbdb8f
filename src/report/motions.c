/* Integrates chosen runs of a result's study once more and keeps their motions. */
#include "report/parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/numeric_env.h"
#include "engine/team/team.h"
#include "manylink/fail.h"
#include "plan/labels.h"
#include "run/restore.h"
#include "store/opened.h"

enum { MOST_MOTION_NUMBERS = 1 << 25 }; /* of all: what a browser holds with ease */

int64_t ml_report_motions_times(int64_t rows)
{
    const int64_t numbers = 1 << 19, least = 1000, most = 20000;
    const int64_t times = rows > 0 ? numbers / rows : most;
    return times < least ? least : times > most ? most : times;
}

struct motions_job {
    const struct ml_ensemble *original; /* of the study */
    struct ml_ensemble chosen;          /* the runs that are computed again */
    int64_t *runs;                      /* [n] their numbers in the study */
    double **values;                    /* [records of the chosen] -> [n][rows][n_time] */
    int64_t n_time;
};

/* Sizes of the axes over which runs are spread, and of the runs that the file has. A file with some
 * of the study's runs, or with a single one of them, is a list. */
static int motions_axes(const struct ml_study *study, int64_t n_row, int64_t *sizes)
{
    const bool is_grid = !ml_study_spec_is_sample(&study->spec) && study->spec.runs.n_axis > 0;
    sizes[0] = n_row;
    if (!is_grid || study->ensemble.n_run != n_row)
        return 1;
    for (int k = 0; k < study->spec.runs.n_axis; k++)
        sizes[k] = study->spec.runs.axes[k].count;
    return study->spec.runs.n_axis;
}

/* Numbers [n_row] that the file gives its runs. */
static enum ml_status motions_ids(struct ml_result *result, struct ml_pool *pool, int64_t **ids,
                                  int64_t *n_row, struct ml_error *err)
{
    struct ml_array_info info = {.size = sizeof info};
    if (!ml_result_find(result, "runs/run", &info) || info.rank != 1)
        return ml_fail(err, ML_E_FILE, "%s: has no list of its runs", result->path);
    *n_row = info.shape[0];
    *ids = ml_pool_take(pool, (size_t)*n_row + 1, sizeof **ids);
    if (!*ids)
        return ML_E_MEMORY;
    return ml_result_read_int64(result, "runs/run", NULL, NULL, *ids, (size_t)*n_row, err);
}

/* Chooses the runs, and keeps what the page calls them. */
static enum ml_status motions_choose(struct ml_result *result, struct motions_job *job,
                                     struct ml_report_motions *m, double **numbers,
                                     struct ml_error *err)
{
    int64_t sizes[ML_REPORT_MOST_AXES], *ids = NULL, n_row = 0;
    enum ml_status status = motions_ids(result, &m->pool, &ids, &n_row, err);
    if (status != ML_OK || !ids)
        return status;
    m->n_run = m->n_run < n_row ? m->n_run : n_row;
    job->runs = ml_pool_take(&m->pool, (size_t)m->n_run + 1, sizeof *job->runs);
    *numbers = ml_pool_take(&m->pool, (size_t)m->n_run + 1, sizeof **numbers);
    if (!job->runs || !*numbers)
        return ML_E_MEMORY;
    ml_report_spread(sizes, motions_axes(m->study, n_row, sizes), m->n_run, job->runs);
    const bool is_whole = m->study->ensemble.n_run == n_row;
    for (int64_t i = 0; i < m->n_run; i++) {
        (*numbers)[i] = (double)ids[job->runs[i]];
        job->runs[i] = is_whole ? job->runs[i] : ids[job->runs[i]];
    }
    return ML_OK;
}

/* Lists the records of a page: the state, the ends of segments and the records that the study
 * keeps. Returns their number.
 *   records  [ml_ensemble_records] out */
static int motions_records(const struct ml_ensemble *e, int *records)
{
    const struct ml_system *system = e->model.system;
    int n = 0;
    for (int i = 0; i < ml_ensemble_records(e); i++) {
        const char *name = ml_ensemble_record(e, i)->name;
        bool is_kept = ml_saving_has(&e->saving, i) || strcmp(name, "end_position") == 0;
        for (int k = 0; k < system->tables.n_state; k++)
            is_kept |= strcmp(name, system->tables.state[k].name) == 0;
        if (is_kept)
            records[n++] = i;
    }
    return n;
}

/* Values of the i-th run that is computed again. */
static void motions_values(const void *context, int64_t i, double *values)
{
    const struct motions_job *job = context;
    job->original->numbers.values(job->original->numbers.context, job->runs[i], values);
}

/* The ensemble of the chosen runs, and room for their motions. */
static enum ml_status motions_prepare(struct motions_job *job, struct ml_report_motions *m,
                                      struct ml_error *err)
{
    struct ml_ensemble *e = &job->chosen;
    *e = *job->original;
    int *records = ml_pool_take(&m->pool, (size_t)ml_ensemble_records(e), sizeof *records);
    if (!records)
        return ML_E_MEMORY;
    e->saving = (struct ml_saving){.every = 1,
                                   .run_every = 1,
                                   .run_first = m->n_run,
                                   .records = records,
                                   .n_record = motions_records(e, records)};
    const int64_t most = ml_report_motions_times(ml_trajectory_rows(e) * m->n_run);
    e->saving.every += e->time.n_step / most; /* the start is one too */
    e->n_run = m->n_run;
    e->block_runs = ML_LANES;
    e->numbers.values = motions_values;
    e->numbers.context = job;
    job->n_time = m->n_time = e->time.n_step / e->saving.every + 1;
    const int64_t of_run = ml_trajectory_rows(e) * m->n_time;
    if (m->n_run > MOST_MOTION_NUMBERS / of_run)
        return ml_fail(err, ML_E_INPUT,
                       "%lld motions are too many for a page; it has room for %lld",
                       (long long)m->n_run, (long long)(MOST_MOTION_NUMBERS / of_run));
    job->values = ml_pool_take(&m->pool, (size_t)e->saving.n_record, sizeof *job->values);
    for (int k = 0; job->values && k < e->saving.n_record; k++)
        job->values[k] =
            ml_pool_take(&m->pool, (size_t)(m->n_run * ml_record_rows(e, records[k]) * m->n_time),
                         sizeof(double));
    return m->pool.is_short ? ML_E_MEMORY : ML_OK;
}

/* The put of an ml_sink. */
static enum ml_status motions_write(void *context, const struct ml_block *block,
                                    struct ml_error *err)
{
    struct motions_job *job = context;
    (void)err;
    const struct ml_saving *saving = &job->chosen.saving;
    for (int k = 0; k < saving->n_record; k++) {
        const size_t n = (size_t)(ml_record_rows(&job->chosen, saving->records[k]) * job->n_time);
        memcpy(job->values[k] + (size_t)block->first * n, block->records[k],
               (size_t)block->n_saved * n * sizeof(double));
    }
    return ML_OK;
}

/* Adds a scale: numbers, or texts of a dimension of a record. */
static void motions_add_scale(struct ml_report_motions *m, const char *name, const char *unit,
                              int64_t n, const double *numbers, const char *const *texts)
{
    m->arrays[m->n++] =
        (struct ml_report_array){.info = {.name = ml_pool_format(&m->pool, "trajectories/%s", name),
                                          .unit = unit,
                                          .description = name,
                                          .type = texts ? ML_ARRAY_TEXT : ML_ARRAY_DOUBLE,
                                          .rank = 1,
                                          .shape = {n},
                                          .dim = {name}},
                                 .numbers = numbers,
                                 .texts = texts};
}

/* Adds the i-th record that is kept, and the labels of its dimensions that are not there yet. */
static void motions_add_record(struct ml_report_motions *m, const struct motions_job *job, int i,
                               uint32_t *labelled)
{
    const struct ml_ensemble *e = &job->chosen;
    const struct ml_quantity *record = ml_ensemble_record(e, e->saving.records[i]);
    struct ml_array_info info = {.name = ml_pool_format(&m->pool, "trajectories/%s", record->name),
                                 .unit = record->unit,
                                 .description = record->doc,
                                 .rank = 1,
                                 .shape = {m->n_run},
                                 .dim = {"run"}};
    for (int k = 0; k < ML_MAX_DIM; k++) {
        const enum ml_dim dim = record->dim[k];
        const int size = ml_record_size(e, dim);
        if (dim == ML_DIM_NONE)
            continue;
        const char *const *texts = ml_dim_labels(m->study, dim, false, size, &m->pool);
        if (texts && !(*labelled >> dim & 1))
            motions_add_scale(m, ml_layout_dim_name(dim), "1", size, NULL, texts);
        *labelled |= UINT32_C(1) << dim;
        info.dim[info.rank] = ml_layout_dim_name(dim);
        info.shape[info.rank++] = size;
    }
    info.dim[info.rank] = "time";
    info.shape[info.rank++] = m->n_time;
    m->arrays[m->n++] = (struct ml_report_array){.info = info, .numbers = job->values[i]};
}

/* What was computed as datasets. */
static enum ml_status motions_list(struct ml_report_motions *m, const struct motions_job *job,
                                   const double *numbers)
{
    const struct ml_ensemble *e = &job->chosen;
    uint32_t labelled = 0;
    double *times = ml_pool_take(&m->pool, (size_t)m->n_time, sizeof *times);
    m->arrays =
        ml_pool_take(&m->pool, (size_t)e->saving.n_record + 2 + ML_N_DIM, sizeof *m->arrays);
    if (!times || !m->arrays)
        return ML_E_MEMORY;
    for (int64_t i = 0; i < m->n_time; i++)
        times[i] = ml_ensemble_sample_time(e, i);
    motions_add_scale(m, "run", "1", m->n_run, numbers, NULL);
    motions_add_scale(m, "time", "s", m->n_time, times, NULL);
    for (int k = 0; k < e->saving.n_record; k++)
        motions_add_record(m, job, k, &labelled);
    return m->pool.is_short ? ML_E_MEMORY : ML_OK;
}

static enum ml_status motions_integrate(struct ml_result *result, struct ml_report_motions *m,
                                        const struct ml_report_options *options,
                                        struct ml_error *err)
{
    struct motions_job job = {.original = &m->study->ensemble};
    const struct ml_ensemble_options how = {.n_thread = options->n_thread,
                                            .stop = {options->stop, options->context}};
    const struct ml_sink sink = {.context = &job, .put = motions_write};
    double *numbers = NULL;
    enum ml_status status = motions_choose(result, &job, m, &numbers, err);
    if (status == ML_OK)
        status = motions_prepare(&job, m, err);
    if (status == ML_OK)
        status = ml_ensemble_run(&job.chosen, &how, &sink, err);
    return status == ML_OK ? motions_list(m, &job, numbers) : status;
}

enum ml_status ml_report_motions_compute(struct ml_result *result, int64_t n,
                                         const struct ml_report_options *options,
                                         struct ml_report_motions *out, struct ml_error *err)
{
    struct ml_origin origin;
    const struct ml_restoring how = {options->study, options->plugin, options->no_native};
    out->n_run = n;
    const struct ml_numeric_env before = ml_numeric_env_set();
    enum ml_status status = ml_origin_read(&origin, result->path, err);
    if (status == ML_OK && origin.is_inverse)
        status = ml_fail(err, ML_E_INPUT, "%s: has no runs: motions are those of results of `run`",
                         result->path);
    if (status == ML_OK)
        status = ml_restore(result->path, &origin, &how, &out->study, err);
    if (status == ML_OK && out->study->ensemble.continuation.n_run > 0)
        status = ml_fail(err, ML_E_INPUT,
                         "%s: cannot recompute motions of single runs: " ML_CONTINUED_RUNS
                         "; keep the motions with `save: trajectory`",
                         result->path);
    if (status == ML_OK && out->study->ensemble.time.clock != ML_CLOCK_COMMON)
        status =
            ml_fail(err, ML_E_INPUT,
                    "%s: its runs have steps of their own, so motions share no times; show one "
                    "run of them with `manylink run --run`",
                    result->path);
    if (status == ML_OK)
        status = motions_integrate(result, out, options, err);
    ml_origin_free(&origin);
    ml_numeric_env_restore(&before);
    return status;
}

void ml_report_motions_free(struct ml_report_motions *motions)
{
    ml_pool_free(&motions->pool);
    ml_study_free(motions->study);
    *motions = (struct ml_report_motions){0};
}
