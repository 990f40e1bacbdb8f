/* Inverse dynamics of the starts, a start on each thread of a team. */
#include "fit/torques.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fit/coordinate.h"
#include "inverse/check_loads.h"
#include "inverse/inverse_solver.h"
#include "manylink/fail.h"

/* Memory of one thread. */
struct torques_worker {
    struct ml_inverse_solver solver;
    double *memory;              /* owns the arrays below */
    double *sets[ML_SET_MOTION]; /* [rows][n_time] datasets that columns are of; else NULL */
    double *model;               /* [n_column][n_time] */
    double *side[2];             /* the same at both sides of a difference */
    double *derivs;              /* [n_column][n][n_time] */
};

/* Numbers of one solution. */
struct torques_trial {
    const struct ml_starts *starts;
    const double *numbers; /* [n] */
};

enum ml_status ml_torques_open(struct ml_inverse_task *task, const struct ml_study *study,
                               struct ml_error *err)
{
    const struct ml_inverse_input input = {.path = study->spec.inverse.motion.measured.file,
                                           .run = -1};
    const char *name = study->spec.name;
    if (!input.path && study->spec.inverse.motion.type == ML_NO_MOTION)
        return ml_fail(err, ML_E_INPUT,
                       "%s: cannot fit torques: the study has no key `motion`; add motion: {file: "
                       "angles.csv}, the motion at which they were measured",
                       name);
    const enum ml_status status = ml_inverse_task_open(task, study, &input, err);
    if (status == ML_OK && !task->shared)
        return ml_fail(err, ML_E_INPUT,
                       "%s: cannot fit torques: the motion differs between the starts; fit numbers "
                       "that do not move it, and of a result of `run` that has one run",
                       name);
    return status;
}

static bool torques_begin(const void *context, void *own)
{
    const struct ml_starts *s = context;
    const struct ml_fit_spec *fit = &s->study->spec.fit;
    struct torques_worker *w = own;
    const size_t n_time = (size_t)s->torques->motions.n_time, n_column = (size_t)fit->n_column;
    size_t n = n_column * n_time * (3 + (size_t)s->n), n_set[ML_SET_MOTION] = {0};
    for (int c = 0; c < fit->n_column; c++)
        n_set[fit->columns[c].record] = (size_t)s->torques->motions.n * n_time *
                                        (fit->columns[c].record == ML_SET_FORCE ? 2 : 1);
    for (int set = 0; set < ML_SET_MOTION; set++)
        n += n_set[set];
    const bool has_solver = ml_inverse_solver_init(&w->solver, &s->study->ensemble);
    double *at = w->memory = calloc(n, sizeof *at);
    if (!has_solver || !at)
        return false;
    w->model = at;
    w->side[0] = w->model + n_column * n_time;
    w->side[1] = w->side[0] + n_column * n_time;
    w->derivs = w->side[1] + n_column * n_time;
    at = w->derivs + n_column * n_time * (size_t)s->n;
    for (int set = 0; set < ML_SET_MOTION; set++) {
        w->sets[set] = n_set[set] > 0 ? at : NULL;
        at += n_set[set];
    }
    return true;
}

static void torques_end(void *own)
{
    struct torques_worker *w = own;
    ml_inverse_solver_free(&w->solver);
    free(w->memory);
}

/* As `values` of an ensemble. */
static void trial_values(const void *context, int64_t run, double *values)
{
    const struct torques_trial *trial = context;
    (void)run;
    ml_starts_set(trial->starts, 0, trial->numbers, values);
}

/* The measured datasets of one solution.
 *   numbers  [n]
 *   out      [n_column][n_time] */
static enum ml_status solve_torques(struct torques_worker *w, const struct ml_starts *s,
                                    const double *numbers, double *out, struct ml_error *err)
{
    const struct torques_trial trial = {s, numbers};
    const struct ml_motions *m = &s->torques->motions;
    struct ml_segment_params *segments = &w->solver.segments;
    struct ml_ensemble e = s->study->ensemble, own;
    struct ml_pool pool = {0};
    double *sets[ML_N_SET];
    e.numbers.values = trial_values;
    e.numbers.context = &trial;
    ml_segment_params_load(segments, &e, 0);
    const enum ml_status status =
        ml_thresholds_apply(s->study, 0, segments->run_values, &pool, &own, err);
    memcpy((void *)sets, (const void *)s->torques->shared_sets, sizeof sets);
    memcpy((void *)sets, (const void *)w->sets, sizeof w->sets);
    if (status == ML_OK)
        ml_inverse_solver_solve(&w->solver, &own, m->n_time, m->time, sets);
    for (int c = 0; status == ML_OK && c < s->study->spec.fit.n_column; c++) {
        const struct ml_fit_column *column = &s->study->spec.fit.columns[c];
        memcpy(out + c * m->n_time, sets[column->record] + column->row * m->n_time,
               (size_t)m->n_time * sizeof *out);
    }
    ml_pool_free(&pool);
    return status;
}

/* Derivatives by number i, of its unit. */
static enum ml_status differ(struct torques_worker *w, const struct ml_starts *s, double *numbers,
                             int i, struct ml_error *err)
{
    const double part = 0x1p-12, least = 0x1p-10; /* of the number, of its range */
    const struct ml_fit_spec *fit = &s->study->spec.fit;
    const struct ml_fit_range *range = &fit->ranges[i];
    const int64_t n_time = s->torques->motions.n_time;
    const double at = numbers[i];
    const double h = part * fmax(fabs(at), least * fabs(range->to - range->from));
    enum ml_status status = ML_OK;
    for (int side = 0; side < 2 && status == ML_OK; side++) {
        numbers[i] = side ? at - h : at + h;
        status = solve_torques(w, s, numbers, w->side[side], err);
    }
    numbers[i] = at;
    for (int64_t c = 0; c < fit->n_column; c++)
        for (int64_t k = 0; k < n_time; k++)
            w->derivs[(c * s->n + i) * n_time + k] =
                (w->side[0][c * n_time + k] - w->side[1][c * n_time + k]) / (2.0 * h);
    return status;
}

static enum ml_status compute_start(struct torques_worker *w, const struct ml_starts *s,
                                    int64_t start, struct ml_error *err)
{
    const struct ml_fit_spec *fit = &s->study->spec.fit;
    const int64_t n_time = s->torques->motions.n_time;
    const double *z = s->descents[start].trial;
    struct ml_fit_curve curves[ML_FIT_COLUMNS];
    double numbers[ML_FIT_MOST], scales[ML_FIT_MOST];
    const struct ml_comparison comparison = {.fit = fit,
                                             .experiment = fit->experiments,
                                             .measured = s->measured,
                                             .n_sample = n_time,
                                             .n_number = s->n,
                                             .n_direction = s->n_direction,
                                             .scales = scales,
                                             .rows = fit->experiments->ranges,
                                             .detail = s->detail,
                                             .scale = s->scale};
    for (int i = 0; i < s->n; i++)
        numbers[i] = ml_fit_number(&fit->ranges[i], z[i]);
    ml_fit_scales(fit, fit->experiments, z, scales);
    enum ml_status status = solve_torques(w, s, numbers, w->model, err);
    for (int i = 0; i < s->n_direction && status == ML_OK; i++)
        status = differ(w, s, numbers, i, err);
    for (int c = 0; c < fit->n_column; c++)
        curves[c] =
            (struct ml_fit_curve){w->model + c * n_time, w->derivs + (int64_t)c * s->n * n_time};
    if (status == ML_OK)
        ml_normal_sums(&comparison, curves, &s->found[start]);
    return status;
}

static enum ml_status torques_compute(const void *context, void *own, struct ml_team *team,
                                      struct ml_block *block, struct ml_error *err)
{
    const struct ml_starts *s = context;
    enum ml_status status = ML_OK;
    for (int64_t i = 0; i < block->n_run && status == ML_OK; i++) {
        if (ml_team_is_over(team) || ml_stop_level(ml_team_stop(team)) > 1)
            return ML_STOPPED;
        status = compute_start(own, s, s->underway[block->first + i], err);
        (void)ml_team_count(team, s->torques->motions.n_time, 1);
    }
    return status;
}

/* Everything is in the starts. */
static void torques_lay_out_block(const void *context, struct ml_arena *arena,
                                  struct ml_block *block)
{
    (void)context;
    (void)arena;
    *block = (struct ml_block){0};
}

static enum ml_status torques_write(void *context, const struct ml_block *block,
                                    struct ml_error *err)
{
    (void)context;
    (void)block;
    (void)err;
    return ML_OK;
}

static enum ml_status torques_evaluate(struct ml_starts *s, const struct ml_ensemble_options *how,
                                       struct ml_error *err)
{
    const struct ml_sink sink = {.put = torques_write};
    const struct ml_computation computation = {.context = s,
                                               .called = "starts",
                                               .n_run = s->ensemble.n_run,
                                               .block_runs = 1,
                                               .own_size = sizeof(struct torques_worker),
                                               .lay_out_block = torques_lay_out_block,
                                               .begin = torques_begin,
                                               .end = torques_end,
                                               .compute = torques_compute};
    return ml_team_run(&computation, how, &sink, err);
}

void ml_torques_prepare(struct ml_starts *s, const struct ml_inverse_task *task)
{
    s->torques = task;
    s->evaluate = torques_evaluate;
}
