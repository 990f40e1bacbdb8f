/* A study's equations at one state, for programs. */
#include <limits.h>
#include <string.h>

#include "base/numeric_env.h"
#include "base/sized.h"
#include "engine/assess/evaluate.h"
#include "engine/team/continuation.h"
#include "manylink/evaluate.h"
#include "manylink/fail.h"
#include "plan/study.h"
#include "yaml/nearest.h"

int ml_study_freedom(const struct ml_study *study) { return ml_freedom(&study->ensemble.model); }

static bool evaluate_has_run(const struct ml_study *study, int64_t run, struct ml_error *err)
{
    const int64_t n_run = study->ensemble.n_run;
    if (run >= 0 && run < n_run)
        return true;
    (void)ml_fail(err, ML_E_INPUT, "%s: cannot take run %lld: the study has runs 0 to %lld",
                  study->spec.name, (long long)run, (long long)n_run - 1);
    return false;
}

/* Directions that are asked for: along every number of the state, then along parameters. */
struct evaluate_along {
    struct ml_direction *directions; /* [n] */
    int *slots;                      /* [n] */
    int n, n_state;
};

/* Slot of the number that a path names; -1 after telling. */
static int evaluate_slot(const struct ml_study *study, const char *path, struct ml_error *err)
{
    struct ml_nearest nearest = ml_nearest_any(path);
    for (int v = 0; v < study->ensemble.numbers.n; v++) {
        if (strcmp(study->spec.numbers.names[v], path) == 0)
            return v;
        ml_nearest_offer(&nearest, study->spec.numbers.names[v]);
    }
    (void)ml_fail(
        err, ML_E_INPUT,
        "%s: cannot differentiate by `%s`: the study has no such number; the nearest is `%s`",
        study->spec.name, path, nearest.best ? nearest.best : "");
    return -1;
}

static enum ml_status evaluate_along(const struct ml_study *study,
                                     const struct ml_evaluate_options *options,
                                     struct evaluate_along *along, struct ml_pool *pool,
                                     struct ml_error *err)
{
    static const double one = 1.0;
    const struct ml_ensemble *e = &study->ensemble;
    const int first = ml_slot_initial(&e->model, 0, 0);
    along->n_state = ml_rows_state(e);
    along->n = along->n_state + options->n_param;
    along->directions = ml_pool_take(pool, (size_t)along->n, sizeof *along->directions);
    along->slots = ml_pool_take(pool, (size_t)along->n, sizeof *along->slots);
    if (!along->directions || !along->slots)
        return ML_E_MEMORY;
    for (int i = 0; i < along->n; i++) {
        along->slots[i] = i < along->n_state
                              ? first + i
                              : evaluate_slot(study, options->params[i - along->n_state], err);
        if (along->slots[i] < 0)
            return ML_E_INPUT;
        along->directions[i] = (struct ml_direction){1, &along->slots[i], &one};
    }
    return ML_OK;
}

/* Copies rates [1 + n][n_state] to the caller's arrays, by state and by parameter. */
static void evaluate_scatter(const struct evaluate_along *along, const double *rates,
                             const struct ml_evaluation *out)
{
    const int n_state = along->n_state, n_param = along->n - n_state;
    if (out->rates)
        memcpy(out->rates, rates, (size_t)n_state * sizeof *rates);
    for (int i = 0; i < n_state; i++) {
        for (int j = 0; out->rates_by_state && j < n_state; j++)
            out->rates_by_state[i * n_state + j] = rates[(1 + j) * n_state + i];
        for (int j = 0; out->rates_by_param && j < n_param; j++)
            out->rates_by_param[i * n_param + j] = rates[(1 + n_state + j) * n_state + i];
    }
}

/* Whether a controller acts on past states, which no derivative at one time has; says so. */
static bool evaluate_sees_past(const struct ml_study *study, struct ml_error *err)
{
    if (study->ensemble.feedback.n_break == 0)
        return false;
    (void)ml_fail(
        err, ML_E_INPUT,
        "%s: cannot differentiate the rates: a controller with `delay` or `sample_time` acts on "
        "past states",
        study->spec.name);
    return true;
}

/* Rates and derivatives at a state that is known. */
static enum ml_status evaluate_rates(const struct ml_study *study,
                                     const struct ml_evaluate_options *options,
                                     const struct ml_rates_at *at, const struct ml_evaluation *out,
                                     struct ml_pool *pool, struct ml_error *err)
{
    struct evaluate_along along;
    enum ml_status status = evaluate_along(study, options, &along, pool, err);
    if (status != ML_OK || !(out->rates || out->rates_by_state || out->rates_by_param))
        return status;
    const bool needs_all = out->rates_by_state || out->rates_by_param;
    if (needs_all && evaluate_sees_past(study, err))
        return ML_E_INPUT;
    const size_t n = (size_t)(1 + along.n) * (size_t)along.n_state;
    double *rates = ml_pool_take(pool, n, sizeof *rates);
    if (!rates)
        return ML_E_MEMORY;
    status = ml_rates_find(at, along.directions, needs_all ? along.n : 0, NULL, rates, NULL, err);
    if (status == ML_OK)
        evaluate_scatter(&along, rates, out);
    return status;
}

/* Terms of M q'' = f, as far as they are wanted. */
static enum ml_status evaluate_terms(const struct ml_rates_at *at, const struct ml_evaluation *out,
                                     struct ml_pool *pool, struct ml_error *err)
{
    struct ml_ensemble e = ml_rates_ensemble(at);
    double *const wanted[] = {out->m, out->c, out->g, out->q, out->d, out->e, out->qdd};
    enum { N_TERM = sizeof wanted / sizeof *wanted };
    double *found[N_TERM], kinetic, potential;
    const size_t n = (size_t)ml_freedom(&e.model);
    bool is_any = false, is_short = false;
    for (int i = 0; i < N_TERM; i++) {
        is_any |= wanted[i] != NULL;
        found[i] = wanted[i] ? wanted[i] : ml_pool_take(pool, n * n + 1, sizeof(double));
        is_short |= !found[i];
    }
    double *state = ml_pool_take(pool, (size_t)ml_rows_state(&e), sizeof *state);
    e.continuation.has_continuation |= at->state != NULL; /* a state that is given is no start */
    if (!is_any)
        return ML_OK;
    if (is_short || !state)
        return ml_fail(err, ML_E_MEMORY, "no memory for an evaluation");
    const struct ml_terms terms = {.m = found[0],
                                   .c = found[1],
                                   .g = found[2],
                                   .q = found[3],
                                   .d = found[4],
                                   .e = found[5],
                                   .qdd = found[6]};
    return ml_ensemble_evaluate(&e, 0, &terms, state, &kinetic, &potential, err);
}

/* Sets the state to that with which the run begins, where another one ended in it. */
static enum ml_status evaluate_continuation(struct ml_rates_at *at, struct ml_pool *pool,
                                            struct ml_error *err)
{
    const struct ml_ensemble *e = at->ensemble;
    if (at->state || ml_continuation_begins(&e->continuation, at->run))
        return ML_OK;
    double *values = ml_pool_take(pool, (size_t)e->numbers.n, sizeof *values);
    if (!values)
        return ml_fail(err, ML_E_MEMORY, "no memory for an evaluation");
    at->state = values + ml_slot_initial(&e->model, 0, 0);
    return ml_continuation_find_values(e, at->run, values, err);
}

static enum ml_status evaluate_one_state(const struct ml_study *study,
                                         const struct ml_evaluate_options *options,
                                         struct ml_evaluation *out, struct ml_pool *pool,
                                         struct ml_error *err)
{
    const struct ml_ensemble *e = &study->ensemble;
    struct ml_rates_at at = {e, options->run, options->state,
                             options->has_time ? options->time : e->time.start};
    double energies[2];
    double *state = ml_pool_take(pool, (size_t)ml_rows_state(e), sizeof *state);
    if (!evaluate_has_run(study, options->run, err))
        return ML_E_INPUT;
    if (!state)
        return ML_E_MEMORY;
    enum ml_status status = evaluate_continuation(&at, pool, err);
    if (status != ML_OK)
        return status;
    status = ml_rates_find(&at, NULL, 0, state, NULL, energies, err);
    if (status != ML_OK)
        return status;
    out->kinetic = energies[0];
    out->potential = energies[1];
    out->mass_unit = e->model.system->terms.write ? e->model.system->terms.mass_unit : NULL;
    out->force_unit = e->model.system->terms.write ? e->model.system->terms.force_unit : NULL;
    if (out->state)
        memcpy(out->state, state, (size_t)ml_rows_state(e) * sizeof *state);
    /* The rates of a start may follow from its energy: derivatives are those at the state itself.
     */
    const struct ml_rates_at there = {at.ensemble, at.run, state, at.time};
    status = evaluate_rates(study, options, options->state ? &at : &there, out, pool, err);
    return status == ML_OK ? evaluate_terms(&at, out, pool, err) : status;
}

enum ml_status ml_evaluate(const struct ml_study *study, const struct ml_evaluate_options *given,
                           struct ml_evaluation *out, struct ml_error *err)
{
    struct ml_evaluate_options options;
    struct ml_evaluation own;
    struct ml_pool pool = {0};
    enum ml_status status =
        ml_sized_read(&options, sizeof options, given, "ml_evaluate_options", err);
    if (status == ML_OK)
        status = ml_sized_check_numbers(ML_SIZED_NUMBERS({"n_param", options.n_param, 0, INT_MAX}),
                                        "ml_evaluate_options", err);
    if (status == ML_OK)
        status = ml_sized_read(&own, sizeof own, out, "ml_evaluation", err);
    if (status != ML_OK)
        return status;
    const struct ml_numeric_env before = ml_numeric_env_set();
    status = evaluate_one_state(study, &options, &own, &pool, err);
    ml_numeric_env_restore(&before);
    ml_pool_free(&pool);
    ml_sized_write(out, &own, sizeof own);
    return status;
}

const char *ml_study_number(const struct ml_study *study, int i)
{
    return i >= 0 && i < study->ensemble.numbers.n ? study->spec.numbers.names[i] : NULL;
}

enum ml_status ml_study_check_derivatives(const struct ml_study *study, int64_t run, double *error,
                                          int *is_closed, struct ml_error *err)
{
    if (!evaluate_has_run(study, run, err) || evaluate_sees_past(study, err))
        return ML_E_INPUT;
    if (is_closed)
        *is_closed = study->ensemble.model.system->dynamics.has_tangents;
    const struct ml_numeric_env before = ml_numeric_env_set();
    const enum ml_status status = ml_ensemble_check_derivatives(&study->ensemble, run, error, err);
    ml_numeric_env_restore(&before);
    return status;
}
