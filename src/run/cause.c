/* The likely causes of runs that did not finish. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/assess/evaluate.h"
#include "engine/assess/stability.h"
#include "engine/steps/last_state.h"
#include "model/forces/formula.h"
#include "plan/plausibility.h"
#include "run/formula_fault.h"
#include "run/job.h"

/* A run that did not finish, up to the state from which it failed. */
struct cause {
    const struct ml_study *study;
    int64_t run;
    struct ml_last_state last;
    double *values; /* [n_value] */
    double *state;  /* [n] rows of the state quantities */
    double *rates;  /* [n] of them; NaN: not known */
    int n;
};

/* The first table that has no value outside of its range; NULL: all have. */
static const char *cause_table(const struct ml_study_spec *spec)
{
    for (int i = 0; i < spec->formulas.n_curve; i++)
        if (spec->formulas.keys[i].outside == ML_OUTSIDE_REFUSE)
            return spec->formulas.keys[i].name;
    return NULL;
}

/* Names the crossings that set the state, of which one follows itself without time between. */
static void cause_events(const struct ml_study_spec *spec, size_t size, char *text)
{
    size_t used = 0;
    int n = 0;
    *text = '\0';
    for (int i = 0; i < spec->n_event && used < size; i++) {
        const struct ml_event *event = &spec->events[i];
        if (event->n_set > 0 && event->kind == ML_CROSSING)
            used += (size_t)snprintf(text + used, size - used, "%s`%s`",
                                     n++ > 0 ? " or " : "event ", event->name);
    }
}

/* Writes the condition that steps do not follow, else those of the state, of which several may hold
 * a motion together; false without any. */
static bool cause_sliding(const struct ml_study_spec *spec, size_t size, char *text)
{
    enum { MOST = 3 };
    const struct ml_system *system = spec->model.system;
    int n = 0;
    size_t used = 0;
    if (system->switches.left_jump)
        return snprintf(text, size, "`%.60s`", system->switches.left_jump) > 0;
    for (int f = 0; f < spec->n_force; f++)
        if (spec->forces[f].formula && spec->forces[f].formula->equations.jumps)
            return snprintf(text, size, "a condition of force `%.60s`", spec->forces[f].name) > 0;
    for (int k = 0; k < system->switches.n && n < MOST; k++) {
        const struct ml_switch *own = &system->switches.conditions[k];
        if (own->is_kink || own->is_of_time || used >= size)
            continue;
        const int wrote =
            snprintf(text + used, size - used, "%s`%.60s`", n > 0 ? ", " : "", own->text);
        used += wrote > 0 ? (size_t)wrote : 0;
        n++;
    }
    return n > 1;
}

/* Name of row i of the state. */
static const char *cause_row(const struct cause *c, int i)
{
    const struct ml_ensemble *e = &c->study->ensemble;
    const struct ml_quantity *state = e->model.system->tables.state;
    for (; i >= ml_quantity_rows(state, e->model.n); state++)
        i -= ml_quantity_rows(state, e->model.n);
    return state->name;
}

/* A tolerance that rounding alone exceeds. */
static bool cause_rounding(const struct cause *c, char text[ML_RUN_CAUSE])
{
    const double few = 8.0 * 0x1p-52;
    const struct ml_ensemble *e = &c->study->ensemble;
    for (int i = 0; i < c->n && e->time.is_adaptive; i++) {
        const double size = fabs(c->state[i]);
        if (!(e->chosen.control.relative * size + e->chosen.control.absolute < few * size))
            continue;
        (void)snprintf(text, ML_RUN_CAUSE,
                       "the tolerance is below the rounding of `%.60s`, which is %.3g there; take "
                       "a relative one of 1e-13 or larger",
                       cause_row(c, i), c->state[i]);
        return true;
    }
    return false;
}

/* Rates that grow without bounds, while steps become next to nothing. */
static bool cause_singularity(const struct cause *c, char text[ML_RUN_CAUSE])
{
    const double little = 1e-6; /* of the time so far */
    const double elapsed = c->last.time - c->study->ensemble.time.start;
    int fastest = -1;
    double shortest = little * elapsed; /* s */
    for (int i = 0; i < c->n; i++) {
        const double span = (1.0 + fabs(c->state[i])) / fabs(c->rates[i]);
        if (span < shortest) {
            shortest = span;
            fastest = i;
        }
    }
    if (fastest < 0 || !(c->last.tried < little * elapsed))
        return false;
    (void)snprintf(text, ML_RUN_CAUSE,
                   "a singularity? rates grow without bounds: `%.60s` is %.3g and changes by %.3g "
                   "in a second; an event with `stop` ends the run before",
                   cause_row(c, fastest), c->state[fastest], c->rates[fastest]);
    return true;
}

/* Steps that stability bounds, not the tolerance. */
static bool cause_stiffness(const struct cause *c, char text[ML_RUN_CAUSE])
{
    const double near = 0.3, beyond = 3.0, many = 1000.0;
    const struct ml_ensemble *e = &c->study->ensemble;
    const struct ml_rates_at at = {e, c->run, c->state, c->last.time};
    struct ml_ensemble here = ml_rates_ensemble(&at);
    struct ml_instability found;
    here.time.step = c->last.time - e->time.start;
    here.time.n_step = 1;
    if (!e->time.is_adaptive || c->last.steps < many ||
        ml_ensemble_stiffness(&here, 0, &found, NULL) != ML_OK || !found.is_there ||
        c->last.mean < near * found.largest || c->last.mean > beyond * found.largest)
        return false;
    (void)snprintf(
        text, ML_RUN_CAUSE,
        "stiff: steps of about %.2g s, as many as the fastest decay asks for (eigenvalue "
        "%.3g 1/s), not the tolerance; `integrator: {type: rodas4, tolerance: 1e-6}` "
        "takes steps for the slow part",
        c->last.mean, -found.product / found.step);
    return true;
}

/* The formula without a value, as text; is_sure: else numbers overflow. */
static bool cause_formula(const struct cause *c, bool *is_sure, char text[ML_RUN_CAUSE])
{
    const struct ml_ensemble *e = &c->study->ensemble;
    const bool is_map = e->method->is_map;
    const double reach = is_map ? 0.0 : c->last.reach;
    struct ml_formula_fault fault;
    ml_formula_fault_find(c->study, c->values, c->state, c->last.time, reach, &fault);
    if (!fault.is_there)
        return false;
    *is_sure = fault.is_of_domain;
    (void)snprintf(text, ML_RUN_CAUSE, "the %s of `%.60s` %s: %s%s", is_map ? "next value" : "rate",
                   fault.state, fault.is_of_domain ? "has no value" : "overflows", fault.text,
                   fault.is_root ? "; `max(.., 0)` in the root keeps rounding out" : "");
    return true;
}

/* Integrates the run again; false where that is not possible. */
static bool cause_load(struct cause *c, struct ml_pool *pool)
{
    const struct ml_ensemble *e = &c->study->ensemble;
    c->n = ml_rows_state(e);
    c->values = ml_pool_take(pool, (size_t)e->numbers.n + 1, sizeof *c->values);
    c->state = ml_pool_take(pool, (size_t)c->n + 1, sizeof *c->state);
    c->rates = ml_pool_take(pool, (size_t)c->n + 1, sizeof *c->rates);
    if (pool->is_short || e->continuation.n_run > 0 ||
        ml_last_state_find(e, c->run, c->state, &c->last, NULL) != ML_OK ||
        c->last.outcome == ML_FINISHED)
        return false;
    e->numbers.values(e->numbers.context, c->run, c->values);
    const struct ml_rates_at at = {e, c->run, c->state, c->last.time};
    if (e->method->is_map || ml_rates_find(&at, NULL, 0, NULL, c->rates, NULL, NULL) != ML_OK)
        for (int i = 0; i < c->n; i++)
            c->rates[i] = (double)NAN;
    return true;
}

/* Finds why a run has no finite numbers: the finding of planning, a formula without a value, a step
 * that becomes too large on the way, numbers that overflow. */
static bool cause_diverged(const struct cause *c, bool is_loaded, char text[ML_RUN_CAUSE])
{
    char formula[ML_RUN_CAUSE];
    bool is_sure = false;
    if (c->study->too_large) {
        (void)snprintf(text, ML_RUN_CAUSE, "step too large? it is%s" ML_PLAUSIBILITY_REMEDY,
                       c->study->too_large);
        return true;
    }
    const bool is_formula = is_loaded && cause_formula(c, &is_sure, formula);
    if (!is_sure && ml_plausibility_later(c->study, c->run, ML_RUN_CAUSE, text))
        return true;
    if (is_formula)
        memcpy(text, formula, sizeof formula);
    return is_formula;
}

/* Finds why the steps of a run became too many or too short. */
static bool cause_steps(const struct cause *c, enum ml_outcome outcome, bool is_loaded,
                        char text[ML_RUN_CAUSE])
{
    char condition[250];
    if (is_loaded &&
        (cause_rounding(c, text) || cause_singularity(c, text) || cause_stiffness(c, text)))
        return true;
    if (outcome != ML_TOO_MANY_STEPS ||
        !cause_sliding(&c->study->spec, sizeof condition, condition))
        return false;
    (void)snprintf(text, ML_RUN_CAUSE,
                   "at rest where %s changes? if both sides lead back, steps are ever shorter; "
                   "`tanh(x/0.001)` in place of `sign(x)` is smooth",
                   condition);
    return true;
}

/* Finds the cause by integrating the run again, for a second or two at most. */
static bool cause_find(const struct ml_study *study, enum ml_outcome outcome, int64_t run,
                       char text[ML_RUN_CAUSE])
{
    struct ml_pool pool = {0};
    struct cause c = {.study = study, .run = run};
    const bool is_loaded = cause_load(&c, &pool);
    const bool is_known = outcome == ML_DIVERGED ? cause_diverged(&c, is_loaded, text)
                                                 : cause_steps(&c, outcome, is_loaded, text);
    ml_pool_free(&pool);
    return is_known;
}

/* Writes the cause, as far as it is known. */
static void cause_write(const struct ml_study *study, enum ml_outcome outcome, int64_t run,
                        char text[ML_RUN_CAUSE])
{
    const char *table = outcome == ML_DIVERGED ? cause_table(&study->spec) : NULL;
    if (outcome == ML_ZENO) {
        char events[400];
        cause_events(&study->spec, sizeof events, events);
        (void)snprintf(text, ML_RUN_CAUSE,
                       "%s follows itself without time between; `then: rest` lets the motion rest "
                       "there, and `then: {NAME: FORMULA}` gives the state behind",
                       events);
    } else if (table) {
        (void)snprintf(text, ML_RUN_CAUSE,
                       "beyond table `%.200s`? the table has no values there; more samples, or "
                       "`outside: hold`",
                       table);
    } else if ((outcome == ML_DIVERGED || outcome == ML_TOO_MANY_STEPS ||
                outcome == ML_STEP_TOO_SHORT) &&
               !cause_find(study, outcome, run, text)) {
        *text = '\0';
    }
}

void ml_run_job_find_causes(const struct ml_run_job *job)
{
    const struct ml_run_report *report = job->report;
    const int n = report->causes && report->outcomes ? report->n_outcome : 0;
    for (int i = 0; i < n; i++) {
        const struct ml_outcome_count *ended = &report->outcomes[i];
        *report->causes[i].text = '\0';
        if (i < ML_N_OUTCOME && ended->runs > 0 && !report->was_finished)
            cause_write(job->study, (enum ml_outcome)i, ended->first_run, report->causes[i].text);
    }
}
