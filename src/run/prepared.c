/* A study that is kept and run again with other numbers. Where a plan or a check depends on a
 * number the study is read again with the number among its overrides; other numbers are written to
 * the values of the runs. */
#include "manylink/prepared.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/cgroup.h"
#include "base/sized.h"
#include "config/schema/values.h"
#include "manylink/fail.h"
#include "plan/free_numbers.h"
#include "run/job.h"
#include "yaml/number.h"

/* Runs of one study whose values of some slots are those of the points. */
struct prepared_plan {
    const struct ml_study *study; /* NULL: there is no plan */
    int n_slot;
    int *slots;   /* [n_slot] */
    int *columns; /* [n_slot] the path of each, in the points of the call */
    struct ml_law *laws;
    enum ml_kernel_mode mode;
    bool no_native;
    struct ml_kernel_choice choice;
    struct ml_kernel_place *made; /* as of ml_ensemble */
    bool takes_general;
    struct ml_pool pool;
};

struct ml_prepared {
    struct ml_study_source source;  /* with its texts in `pool`, and in `study` */
    const char **overrides;         /* [n_override] of the source */
    struct ml_study *study, *other; /* as the source has it; with `set` too, NULL: none is there */
    char *set;                      /* "PATH=VALUE" of `other`, a line each */
    int64_t n_reading;
    int n_thread;              /* of calls that leave the number of threads open */
    struct prepared_plan plan; /* of either */
    struct ml_prepared_runs runs;
    double **outputs, **records; /* of `runs`, with all its arrays in `results` */
    size_t *rows;                /* [n_output + n_record] numbers of a run */
    struct ml_pool pool, results;
};

/* One call, and the points at hand. */
struct prepared_call {
    struct ml_prepared *prepared;
    const struct ml_prepared_points *points;
    const struct ml_run_options *options;
    bool *is_read;                /* [n_path] the study is read with the number */
    const struct ml_study *study; /* of the points at hand */
    int *slots;                   /* [n_path] of its free numbers; unused where is_read */
    int64_t first, n;             /* points at hand */
    struct ml_pool pool;
};

static void plan_end(struct prepared_plan *plan)
{
    ml_kernel_choice_end(&plan->choice);
    ml_pool_free(&plan->pool);
    *plan = (struct prepared_plan){0};
}

/* Text in the prepared study's own memory; NULL of NULL, or without memory. */
static const char *keep_text(struct ml_prepared *p, const char *text)
{
    return text ? ml_pool_text(&p->pool, text, strlen(text)) : NULL;
}

static enum ml_status prepare_source(struct ml_prepared *p, struct ml_error *err)
{
    struct ml_study_source *source = &p->source;
    if (source->for_inverse || source->for_fit || source->motion || source->plugin)
        return ml_fail(err, ML_E_INPUT,
                       "struct ml_study_source: a prepared study takes no `for_inverse`, "
                       "`for_fit`, `motion` and `plugin`");
    enum ml_status status = ml_study_load(source, &p->study, err);
    if (status != ML_OK)
        return status;
    p->n_reading = 1;
    p->n_thread = ml_cgroup_threads();
    p->overrides = ml_pool_take(&p->pool, (size_t)source->n_override + 1, sizeof *p->overrides);
    for (int i = 0; p->overrides && i < source->n_override; i++)
        p->overrides[i] = keep_text(p, source->overrides[i]);
    source->size = sizeof *source;
    source->overrides = p->overrides;
    source->path = ml_study_name(p->study);
    source->text = ml_study_definition(p->study);
    source->length = 0;
    return p->pool.is_short ? ml_fail(err, ML_E_MEMORY, "no memory for a study") : ML_OK;
}

enum ml_status ml_prepare(const struct ml_study_source *source, struct ml_prepared **out,
                          struct ml_error *err)
{
    *out = NULL;
    struct ml_prepared *p = calloc(1, sizeof *p);
    if (!p)
        return ml_fail(err, ML_E_MEMORY, "no memory for a study");
    enum ml_status status =
        ml_sized_read(&p->source, sizeof p->source, source, "ml_study_source", err);
    if (status == ML_OK)
        status = prepare_source(p, err);
    if (status == ML_OK)
        *out = p;
    else
        ml_prepared_free(p);
    return status;
}

void ml_prepared_free(struct ml_prepared *p)
{
    if (!p)
        return;
    plan_end(&p->plan);
    ml_study_free(p->other);
    ml_study_free(p->study);
    free(p->set);
    ml_pool_free(&p->results);
    ml_pool_free(&p->pool);
    free(p);
}

const struct ml_study *ml_prepared_study(const struct ml_prepared *p) { return p->study; }

int64_t ml_prepared_readings(const struct ml_prepared *p) { return p->n_reading; }

static double value_at(const struct prepared_call *call, int64_t point, int k)
{
    return call->points->values[point * call->points->n_path + k];
}

/* The assignments that the study is read with at the first point at hand, [n]; NULL without memory.
 *   all  the same, a line each */
static const char **find_assignments(struct prepared_call *call, int *n, char **all)
{
    const struct ml_prepared_points *points = call->points;
    const int n_own = call->prepared->source.n_override;
    char number[ML_NUMBER_TEXT];
    const char **texts =
        ml_pool_take(&call->pool, (size_t)n_own + (size_t)points->n_path + 1, sizeof *texts);
    *all = ml_pool_text(&call->pool, "", 0);
    *n = n_own;
    for (int i = 0; texts && i < n_own; i++)
        texts[i] = call->prepared->overrides[i];
    for (int k = 0; texts && *all && k < points->n_path; k++) {
        if (!call->is_read[k])
            continue;
        texts[*n] = ml_pool_format(&call->pool, "%s=%s", points->paths[k],
                                   ml_number_text(value_at(call, call->first, k), number));
        *all = texts[*n] ? ml_pool_format(&call->pool, "%s%s\n", *all, texts[*n]) : NULL;
        *n += 1;
    }
    return call->pool.is_short ? NULL : texts;
}

/* Reads the study with assignments, in place of the one that was read before. */
static enum ml_status read_other(struct ml_prepared *p, const char *const *overrides, int n,
                                 const char *set, struct ml_error *err)
{
    struct ml_study_source source = p->source;
    source.overrides = overrides;
    source.n_override = n;
    if (p->plan.study == p->other)
        plan_end(&p->plan);
    ml_study_free(p->other);
    free(p->set);
    p->other = NULL;
    p->set = strdup(set);
    p->n_reading++;
    return p->set ? ml_study_load(&source, &p->other, err)
                  : ml_fail(err, ML_E_MEMORY, "no memory for a study");
}

/* Takes the study of the first point at hand. */
static enum ml_status take_study(struct prepared_call *call, struct ml_error *err)
{
    struct ml_prepared *p = call->prepared;
    char *set;
    int n;
    const char **overrides = find_assignments(call, &n, &set);
    if (!overrides || !set)
        return ml_fail(err, ML_E_MEMORY, "no memory for a study");
    enum ml_status status = ML_OK;
    const bool is_own = n == p->source.n_override;
    if (!is_own && !(p->other && strcmp(p->set, set) == 0))
        status = read_other(p, overrides, n, set, err);
    call->study = is_own ? p->study : p->other;
    return status == ML_OK && !call->study ? ML_E_MEMORY : status;
}

/* Adds the paths that are no free number of the study to those that the study is read with; false
 * if there is none to add. */
static bool add_read(struct prepared_call *call, const struct ml_study *study)
{
    bool is_any = false;
    for (int k = 0; k < call->points->n_path; k++)
        if (!call->is_read[k] && ml_free_number(study, call->points->paths[k]) < 0)
            is_any = call->is_read[k] = true;
    return is_any;
}

/* Whether the free numbers of a point are in their ranges. */
static bool is_allowed(const struct prepared_call *call, int64_t point)
{
    bool is = true;
    for (int k = 0; k < call->points->n_path; k++)
        is &= call->is_read[k] ||
              ml_free_number_allows(call->study, call->slots[k], value_at(call, point, k));
    return is;
}

/* Whether the study is read with the same numbers at two points. */
static bool has_same_study(const struct prepared_call *call, int64_t a, int64_t b)
{
    bool is = true;
    for (int k = 0; k < call->points->n_path; k++)
        is &= !call->is_read[k] || value_at(call, a, k) == value_at(call, b, k);
    return is;
}

/* The study of the first point at hand, and how many points are run with it. A number out of its
 * range is read with the study, which has the message. */
static enum ml_status gather(struct prepared_call *call, struct ml_error *err)
{
    const struct ml_prepared_points *points = call->points;
    enum ml_status status;
    memset(call->is_read, 0, (size_t)points->n_path * sizeof *call->is_read);
    (void)add_read(call, call->prepared->study);
    do
        status = take_study(call, err);
    while (status == ML_OK && add_read(call, call->study));
    for (int k = 0; status == ML_OK && k < points->n_path; k++)
        call->slots[k] = ml_free_number(call->study, points->paths[k]);
    if (status == ML_OK && !is_allowed(call, call->first)) {
        memset(call->is_read, true, (size_t)points->n_path * sizeof *call->is_read);
        status = take_study(call, err);
    }
    if (status != ML_OK)
        return status;
    const struct ml_ensemble *e = &call->study->ensemble;
    const bool is_alone = e->n_run > 1 && ml_saving_records(&e->saving) > 0;
    for (call->n = 1; !is_alone && call->first + call->n < points->n_point; call->n++)
        if (!has_same_study(call, call->first, call->first + call->n) ||
            !is_allowed(call, call->first + call->n))
            break;
    return ML_OK;
}

/* As `values` of an ensemble, of a call. */
static void prepared_values(const void *context, int64_t run, double *values)
{
    const struct prepared_call *call = context;
    const struct prepared_plan *plan = &call->prepared->plan;
    const struct ml_study_spec *spec = &call->study->spec;
    const int64_t point = call->first + run / spec->runs.n;
    memcpy(values, spec->numbers.base, (size_t)spec->numbers.n * sizeof *values);
    for (int i = 0; i < plan->n_slot; i++)
        values[plan->slots[i]] = value_at(call, point, plan->columns[i]);
    ml_study_place(spec, run % spec->runs.n, values);
}

/* The ensemble of the points at hand. */
static struct ml_ensemble prepared_ensemble(const struct prepared_call *call)
{
    struct ml_ensemble e = call->study->ensemble;
    const struct prepared_plan *plan = &call->prepared->plan;
    const bool is_kept = ml_saving_keeps(&e.saving, 0);
    e.n_run = call->n * call->study->spec.runs.n;
    e.numbers.values = prepared_values;
    e.numbers.context = call;
    e.model.laws = plan->laws;
    e.made = plan->made;
    e.takes_general = plan->takes_general;
    if (call->study->spec.runs.n == 1) { /* every point as the only run */
        e.saving.run_every = 1;
        e.saving.run_first = is_kept ? e.n_run : 0;
    }
    e.block_runs = ml_ensemble_block_runs(&e);
    return e;
}

/* The slots of the free numbers of a call; false without memory. */
static bool place_free(struct prepared_plan *plan, const struct prepared_call *call)
{
    const size_t most = (size_t)call->points->n_path + 1;
    const struct ml_instance *model = &call->study->ensemble.model;
    plan->slots = ml_pool_take(&plan->pool, most, sizeof *plan->slots);
    plan->columns = ml_pool_take(&plan->pool, most, sizeof *plan->columns);
    plan->laws = ml_pool_take(&plan->pool, (size_t)model->n_law + 1, sizeof *plan->laws);
    if (plan->pool.is_short)
        return false;
    plan->study = call->study;
    for (int k = 0; k < call->points->n_path; k++)
        if (!call->is_read[k]) {
            plan->columns[plan->n_slot] = k;
            plan->slots[plan->n_slot++] = call->slots[k];
        }
    if (model->n_law > 0)
        memcpy(plan->laws, model->laws, (size_t)model->n_law * sizeof *plan->laws);
    ml_free_numbers_of_laws(call->study, plan->slots, plan->n_slot, plan->laws);
    return true;
}

static bool is_same_plan(const struct prepared_plan *a, const struct prepared_plan *b)
{
    const size_t n = (size_t)a->n_slot * sizeof *a->slots;
    return a->study == b->study && a->n_slot == b->n_slot && a->mode == b->mode &&
           a->no_native == b->no_native && memcmp(a->slots, b->slots, n) == 0 &&
           memcmp(a->columns, b->columns, n) == 0;
}

/* Plans the points at hand, unless they are planned like those before. */
static enum ml_status plan_points(struct prepared_call *call, struct ml_error *err)
{
    struct prepared_plan *plan = &call->prepared->plan;
    struct prepared_plan next = {.mode = call->options->kernel,
                                 .no_native = call->options->no_native != 0};
    if (!place_free(&next, call)) {
        ml_pool_free(&next.pool);
        return ml_fail(err, ML_E_MEMORY, "no memory for a plan");
    }
    if (is_same_plan(plan, &next)) {
        ml_pool_free(&next.pool);
        return ML_OK;
    }
    plan_end(plan);
    *plan = next;
    struct ml_ensemble e = prepared_ensemble(call);
    const struct ml_kernel_wish wish = {.mode = plan->mode,
                                        .no_native = plan->no_native,
                                        .rate =
                                            1.0, /* nothing is measured: of no run no time is
                                                    saved, so that nothing is compiled unasked */
                                        .stop = {call->options->stop, call->options->context}};
    const enum ml_status status = ml_kernel_choose(&e, &wish, &plan->choice, err);
    plan->made = e.made;
    plan->takes_general = e.takes_general;
    if (status != ML_OK)
        plan_end(plan);
    return status;
}

/* Numbers of output i of a run, or behind the outputs of a record. */
static size_t rows_of(const struct ml_study *study, int i)
{
    const struct ml_ensemble *e = &study->ensemble;
    const int64_t *first = study->results.first;
    const int i_record = i - study->results.n_output;
    return i_record < 0 ? (size_t)(first[i + 1] - first[i])
                        : (size_t)ml_record_rows(e, e->saving.records[i_record]) *
                              (size_t)ml_ensemble_samples(e);
}

/* Saved runs of one point. */
static int64_t saved_runs(const struct ml_study *study)
{
    const struct ml_ensemble *e = &study->ensemble;
    return ml_saving_records(&e->saving) > 0 ? ml_saving_index(&e->saving, e->n_run) : 0;
}

/* Room for the results of all points, as the study of the first point has them. */
static bool take_results(struct ml_prepared *p, const struct ml_study *study, int64_t n_point)
{
    struct ml_pool *pool = &p->results;
    const int n_output = study->results.n_output;
    const int n_record = ml_saving_records(&study->ensemble.saving);
    const int64_t n_run = study->ensemble.n_run, n_saved = saved_runs(study),
                  n_sample = study->results.n_sample;
    if (n_point > INT64_MAX / n_run)
        return false;
    const size_t n = (size_t)(n_point * n_run), n_kept = (size_t)(n_point * n_saved);
    p->rows = ml_pool_take(pool, (size_t)n_output + (size_t)n_record + 1, sizeof *p->rows);
    p->outputs = ml_pool_take(pool, (size_t)n_output + 1, sizeof *p->outputs);
    p->records = ml_pool_take(pool, (size_t)n_record + 1, sizeof *p->records);
    for (int i = 0; !pool->is_short && i < n_output + n_record; i++) {
        double **to = i < n_output ? &p->outputs[i] : &p->records[i - n_output];
        p->rows[i] = rows_of(study, i);
        *to = ml_pool_take(pool, i < n_output ? n : n_kept, p->rows[i] * sizeof(double));
    }
    double *times = n_record > 0 ? ml_pool_take(pool, (size_t)n_sample, sizeof *times) : NULL;
    for (int64_t i = 0; times && i < n_sample; i++)
        times[i] = ml_ensemble_sample_time(&study->ensemble, i);
    p->runs = (struct ml_prepared_runs){
        .n_point = n_point,
        .n_run = n_run,
        .outcome = ml_pool_take(pool, n, sizeof(int8_t)),
        .steps = ml_pool_take(pool, n, sizeof(int64_t)),
        .end_time = ml_pool_take(pool, n, sizeof(double)),
        .n_output = n_output,
        .outputs = (const double *const *)p->outputs,
        .n_saved = n_saved,
        .n_record = n_record,
        .records = (const double *const *)p->records,
        .times = times,
    };
    return !pool->is_short;
}

/* Whether the points at hand have another value than the first point of a key that axes and
 * dimensions follow from. */
static bool has_other_axes(const struct prepared_call *call)
{
    static const char *const sections[] = {"sweep", "sample", "analyse"};
    bool has = false;
    for (int k = 0; k < call->points->n_path; k++)
        for (size_t s = 0; s < sizeof sections / sizeof *sections; s++)
            has |= strncmp(call->points->paths[k], sections[s], strlen(sections[s])) == 0 &&
                   value_at(call, call->first, k) != value_at(call, 0, k);
    return has;
}

/* Whether results of the study at hand fit those of the first point. */
static bool has_same_shape(const struct prepared_call *call)
{
    const struct ml_prepared *p = call->prepared;
    const struct ml_prepared_runs *first = &p->runs;
    const struct ml_study *study = call->study;
    bool is = first->n_run == study->ensemble.n_run && first->n_output == study->results.n_output &&
              first->n_saved == saved_runs(study) &&
              first->n_record == ml_saving_records(&study->ensemble.saving);
    for (int i = 0; is && i < first->n_output + first->n_record; i++)
        is = p->rows[i] == rows_of(study, i);
    for (int64_t i = 0; is && first->times && i < study->results.n_sample; i++)
        is = first->times[i] == ml_ensemble_sample_time(&study->ensemble, i);
    return is && !has_other_axes(call);
}

/* A block of a job on its way to the arrays. */
struct prepared_sink {
    const struct prepared_call *call;
    const struct ml_ensemble *ensemble;
};

static enum ml_status prepared_put(void *context, const struct ml_block *block,
                                   struct ml_error *err)
{
    const struct prepared_sink *sink = context;
    const struct prepared_call *call = sink->call;
    const struct ml_ensemble *e = sink->ensemble;
    struct ml_prepared *p = call->prepared;
    const size_t n = (size_t)block->n_run,
                 at = (size_t)(call->first * p->runs.n_run + block->first),
                 kept = (size_t)(call->first * p->runs.n_saved +
                                 ml_saving_index(&e->saving, block->first));
    (void)err;
    memcpy((int8_t *)p->runs.outcome + at, block->outcome, n * sizeof *block->outcome);
    memcpy((int64_t *)p->runs.steps + at, block->steps, n * sizeof *block->steps);
    memcpy((double *)p->runs.end_time + at, block->end_time, n * sizeof *block->end_time);
    for (int i = 0; i < p->runs.n_output; i++)
        memcpy(p->outputs[i] + at * p->rows[i], block->summary[i], n * p->rows[i] * sizeof(double));
    for (int i = 0; i < p->runs.n_record; i++) {
        const size_t rows = p->rows[p->runs.n_output + i];
        memcpy(p->records[i] + kept * rows, block->records[i],
               (size_t)block->n_saved * rows * sizeof(double));
    }
    return ML_OK;
}

static enum ml_status prepared_job(struct ml_run_job *job, void *context, struct ml_error *err)
{
    struct prepared_sink into = {context, &job->ensemble};
    const struct ml_sink sink = {.context = &into, .put = prepared_put};
    job->ensemble = prepared_ensemble(into.call);
    return ml_run_job_integrate(job, &sink, err);
}

/* Runs the points at hand. */
static enum ml_status run_points(struct prepared_call *call, struct ml_error *err)
{
    struct ml_prepared *p = call->prepared;
    const enum ml_status status = plan_points(call, err);
    if (status != ML_OK)
        return status;
    if (call->first == 0 && !take_results(p, call->study, call->points->n_point))
        return ml_fail(err, ML_E_MEMORY, "no memory for the results of %lld points",
                       (long long)call->points->n_point);
    if (call->first > 0 && !has_same_shape(call))
        return ml_fail(err, ML_E_INPUT,
                       "%s: cannot run points 0 and %lld in one call: their results have different "
                       "shapes, times or axes; run each of them by itself",
                       ml_study_name(p->study), (long long)call->first);
    p->runs.study = call->study;
    return ml_run_job(call->study, call->options, NULL, prepared_job, call, err);
}

static enum ml_status run_call(struct prepared_call *call, struct ml_error *err)
{
    enum ml_status status = ML_OK;
    call->is_read =
        ml_pool_take(&call->pool, (size_t)call->points->n_path + 1, sizeof *call->is_read);
    call->slots = ml_pool_take(&call->pool, (size_t)call->points->n_path + 1, sizeof *call->slots);
    if (!call->is_read || !call->slots)
        return ml_fail(err, ML_E_MEMORY, "no memory for points");
    for (; status == ML_OK && call->first < call->points->n_point; call->first += call->n) {
        status = gather(call, err);
        if (status == ML_OK)
            status = run_points(call, err);
    }
    return status;
}

/* Whether all paths and values are there. */
static bool has_points(const struct ml_prepared_points *points)
{
    bool has = points->n_path <= 0 || (points->paths && points->values);
    for (int k = 0; has && k < points->n_path; k++)
        has = points->paths[k] != NULL;
    return has;
}

/* Copies the caller's options and points; checks them. */
static enum ml_status read_call(const struct ml_prepared_points *given_points,
                                const struct ml_run_options *given,
                                struct ml_prepared_points *points, struct ml_run_options *options,
                                struct ml_error *err)
{
    enum ml_status status = ml_sized_read(options, sizeof *options, given, "ml_run_options", err);
    options->size = sizeof *options;
    if (status == ML_OK)
        status = ml_run_job_check_in_memory(options, err);
    if (status == ML_OK && options->device)
        status = ml_fail(err, ML_E_INPUT,
                         "struct ml_run_options: cannot take `device`: a prepared study runs on "
                         "the processor");
    if (status == ML_OK && given_points)
        status = ml_sized_read(points, sizeof *points, given_points, "ml_prepared_points", err);
    if (status == ML_OK && !has_points(points))
        status = ml_fail(err, ML_E_INPUT,
                         "struct ml_prepared_points: `paths`, each of its %d paths and `values` "
                         "must not be NULL",
                         points->n_path);
    return status == ML_OK
               ? ml_sized_check_numbers(
                     ML_SIZED_NUMBERS({"n_path", points->n_path, 0, INT_MAX - 1},
                                      {"n_point", points->n_point, 1, INT64_C(1) << 40}),
                     "ml_prepared_points", err)
               : status;
}

enum ml_status ml_prepared_run(struct ml_prepared *p, const struct ml_prepared_points *given_points,
                               const struct ml_run_options *given, struct ml_prepared_runs *out,
                               struct ml_error *err)
{
    struct ml_prepared_points points = {.n_point = 1};
    struct ml_run_options options;
    enum ml_status status = read_call(given_points, given, &points, &options, err);
    if (status == ML_OK)
        status = ml_sized_check(out, "ml_prepared_runs", err);
    if (status != ML_OK)
        return status;
    struct prepared_call call = {.prepared = p, .points = &points, .options = &options};
    options.n_thread = options.n_thread == 0 ? p->n_thread : options.n_thread;
    ml_pool_free(&p->results);
    p->runs = (struct ml_prepared_runs){0};
    status = run_call(&call, err);
    ml_pool_free(&call.pool);
    if (status != ML_OK)
        p->runs = (struct ml_prepared_runs){0};
    ml_sized_write(out, &p->runs, sizeof p->runs);
    return status;
}
