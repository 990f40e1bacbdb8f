/* The tangent vectors that a study's indicators ask for: how many, and how often they are made
 * orthonormal again. */
#include <math.h>
#include <string.h>

#include "config/sections/sections.h"
#include "engine/assess/stability.h"
#include "engine/events/event_watch.h"
#include "plan/plan_study.h"
#include "yaml/number.h"

static const double step_error = 1e-9; /* relative, of a number of steps */

/* A study that is read, and gets its tangent vectors. */
struct planner {
    struct ml_reader *r;
    struct ml_study *study;
};

static const struct ml_indicator *indicator_at(const struct planner *p, int i)
{
    return p->study->spec.registry->indicators[i];
}

/* Node of an indicator that the study asks for. */
static const struct ml_node *node_of(const struct planner *p, int i)
{
    return ml_node_find(p->r->analyse, indicator_at(p, i)->name);
}

static bool is_asked(const struct planner *p, int i)
{
    return indicator_at(p, i)->n_tangent && p->study->spec.indicators.settings[i];
}

/* As many vectors as the indicator that needs most. */
static void count_vectors(struct planner *p)
{
    int most = 0;
    for (int i = 0; indicator_at(p, i); i++) {
        if (!is_asked(p, i))
            continue;
        const struct ml_indicator *indicator = indicator_at(p, i);
        const struct ml_indicator_use use = ml_ensemble_use(&p->study->ensemble, i);
        int n = indicator->n_tangent(&use);
        if (n > use.n_x)
            ml_problem(&p->r->problems, node_of(p, i)->location,
                       "%s needs %d tangent vectors but the state has only %d numbers, and as many "
                       "independent vectors",
                       indicator->name, n, use.n_x);
        most = n > most ? n : most;
    }
    p->study->ensemble.indicators.n_tangent = most;
    p->study->ensemble.model.n_column += most;
}

/* 1, 2 or 5 times a power of ten, at most `limit`. */
static int64_t tangents_round_down(double limit)
{
    int64_t unit = 1;
    while ((double)unit * 10.0 <= limit)
        unit *= 10;
    return (double)unit * 5.0 <= limit ? 5 * unit : (double)unit * 2.0 <= limit ? 2 * unit : unit;
}

/* In steps, the smallest of three: 1/256 of the run; until vectors grow or separate by 1e6, so that
 * rounding leaves 10 digits; and, for indicators that integrate between orthonormalisations, until
 * a vector grows or shrinks by a factor of 10. */
static int64_t usual_interval(const struct ml_ensemble *e, const struct ml_growth_rate *growth)
{
    const double least_intervals = 256.0, few_steps = 5.0,
                 most_swing = 0x1.26bb1bbb55516p+1; /* ln 10 */
    double steps = fmin((double)e->time.n_step / least_intervals, (double)growth->quiet_steps);
    if (ml_reset_is_needed(e) ||
        e->model.system->switches.n > 0) /* growth at events was not looked at */
        steps = fmin(steps, few_steps);
    if (growth->swing > 0.0)
        steps = fmin(steps, most_swing / (growth->swing * e->time.step));
    return tangents_round_down(steps);
}

/* An interval of `seconds` in steps, >= 1; reports, at key `renormalise` of `map`, an interval that
 * is not a multiple of the step, or is too long. */
static int64_t given_interval(struct planner *p, double seconds, const struct ml_node *map,
                              const struct ml_growth_rate *growth)
{
    struct ml_problems *problems = &p->r->problems;
    const double step = p->study->spec.time.step;
    const double most = 0x1.ba18a998fffap+4; /* ln 1e12 */
    char number[ML_NUMBER_TEXT];
    const struct ml_location location = ml_read_location(map, "renormalise");
    double steps = seconds / step, rounded = nearbyint(steps);
    if (rounded < 1.0 || fabs(steps - rounded) > step_error * rounded || rounded > 1e15)
        ml_problem(problems, location, "renormalise must be a multiple of time.step, %s s",
                   ml_number_text(step, number));
    else if (rounded > 1.0 && seconds * growth->spread > most) /* less than a step cannot be; 0
                                                                  where lanes choose their steps */
        ml_problem(
            problems, location,
            "renormalise is too long: tangent vectors of some runs grow, or come apart, by a "
            "factor e^%.0f in that time; it must be at most %.2g s",
            seconds * growth->spread, most / growth->spread);
    return (int64_t)fmin(fmax(rounded, 1.0), 1e15);
}

/* The least interval that indicators say, in steps; 0 if none does. */
static int64_t least_interval(struct planner *p, const struct ml_growth_rate *growth)
{
    int64_t least = 0;
    for (int i = 0; indicator_at(p, i); i++) {
        const struct ml_node *node = node_of(p, i);
        if (!is_asked(p, i) || !ml_node_find(node, "renormalise"))
            continue;
        const double seconds = p->study->spec.indicators.settings[i][ML_SETTING_RENORMALISE];
        const int64_t own = given_interval(p, seconds, node, growth);
        least = least == 0 || own < least ? own : least;
    }
    return least;
}

/* The interval that the text of a result has, else the usual one. */
static int64_t derive_interval(struct planner *p, const struct ml_growth_rate *growth)
{
    const double before = p->study->spec.indicators.renormalise;
    if (!isnan(before))
        return given_interval(p, before, ml_node_find(p->r->root, "derived"), growth);
    p->study->derived.growth_is_given = !p->study->spec.time.is_adaptive;
    p->study->derived.growth = growth->spread;
    return usual_interval(&p->study->ensemble, growth);
}

/* Settings of the study, with the interval that all have, s; NULL without memory. */
static const double *const *fill_settings(const struct planner *p, double interval)
{
    const struct ml_study_spec *spec = &p->study->spec;
    int n = 0;
    while (indicator_at(p, n))
        n++;
    const double **settings = ml_pool_take(spec->pool, (size_t)n, sizeof *settings);
    for (int i = 0; settings && i < n; i++) {
        const size_t size = (size_t)indicator_at(p, i)->n_param * sizeof(double);
        double *own = is_asked(p, i) ? ml_pool_take(spec->pool, 1, size) : NULL;
        settings[i] = own ? own : spec->indicators.settings[i];
        if (!own)
            continue;
        memcpy(own, spec->indicators.settings[i], size);
        own[ML_SETTING_RENORMALISE] = interval;
    }
    return settings;
}

/* False without memory. */
static bool set_interval(struct planner *p, const struct ml_growth_rate *growth)
{
    struct ml_ensemble *e = &p->study->ensemble;
    e->indicators.renormalise_every = least_interval(p, growth);
    p->study->derived.is_renormalise_derived = e->indicators.renormalise_every == 0;
    if (e->indicators.renormalise_every == 0)
        e->indicators.renormalise_every = derive_interval(p, growth);
    e->indicators.settings =
        fill_settings(p, e->time.step * (double)e->indicators.renormalise_every);
    return e->indicators.settings != NULL;
}

/* Outputs that are so long by mistake only. */
static void report_long_outputs(struct planner *p, int i)
{
    const int64_t most = INT64_C(1) << 22;
    const struct ml_indicator *indicator = indicator_at(p, i);
    const struct ml_indicator_use use = ml_ensemble_use(&p->study->ensemble, i);
    struct ml_output output;
    for (int o = 0; indicator->output(&use, o, &output); o++) {
        const int64_t n = ml_output_rows(&output, use.n);
        if (n > most)
            ml_problem(&p->r->problems, node_of(p, i)->location,
                       "%s would have %lld numbers of each run; at most %lld fit", output.name,
                       (long long)n, (long long)most);
    }
}

/* Extends runs whose indicators have `until`, to the latest of these times. */
static void extend(struct planner *p)
{
    const struct ml_study_spec *spec = &p->study->spec;
    struct ml_ensemble *e = &p->study->ensemble;
    double last = 0.0;
    for (int i = 0; indicator_at(p, i); i++) {
        const struct ml_indicator *indicator = indicator_at(p, i);
        if (!spec->indicators.settings[i] || !indicator->extend)
            continue;
        const struct ml_indicator_use use = ml_ensemble_use(e, i);
        double end = indicator->extend(&use), steps = (end - spec->time.start) / spec->time.step;
        double rounded = nearbyint(steps);
        if (isnan(end))
            continue;
        if (!(rounded >= (double)spec->time.n_step) || rounded > 0x1p52 ||
            fabs(steps - rounded) > step_error * rounded)
            ml_problem(&p->r->problems, node_of(p, i)->location,
                       "`until` of %s must not be before time.end, and must be a multiple of "
                       "time.step after time.start",
                       indicator->name);
        else
            last = fmax(last, rounded);
    }
    if (last > 0.0) {
        e->time.least_steps = spec->time.n_step;
        e->time.n_step = (int64_t)last;
    }
}

/* A method that takes the tangents itself, of a plugin that has none: differences of differences.
 */
static void check_method(struct ml_reader *r)
{
    const struct ml_study_spec *spec = r->spec;
    const struct ml_method *method = ml_study_spec_method(spec);
    if (method->implicit && !spec->model.system->dynamics.has_tangents && r->analyse)
        ml_problem(&r->problems, r->analyse->key_location,
                   "%s needs second derivatives of a plugin without `tangent`; add `tangent` to "
                   "the plugin, or take an explicit method: %s",
                   method->name, ml_adaptive_names(r, true));
}

enum ml_status ml_plan_tangents(struct ml_reader *r, struct ml_study *study, struct ml_error *err)
{
    struct planner p = {r, study};
    struct ml_growth_rate growth = {.quiet_steps = INT64_MAX};
    enum ml_status status = ML_OK;
    count_vectors(&p);
    if (study->ensemble.model.n_column > 0)
        check_method(r);
    if (study->ensemble.indicators.n_tangent == 0 || r->problems.count > 0)
        return ML_OK;
    extend(&p);
    if (!study->spec.time.is_adaptive) /* else vectors never come far apart */
        status = ml_ensemble_growth_rate(&study->ensemble, &growth, err);
    if (status != ML_OK)
        return status;
    if (!set_interval(&p, &growth))
        return ML_E_MEMORY;
    ml_plan_rounded_spans(r, study);
    for (int i = 0; indicator_at(&p, i); i++)
        if (is_asked(&p, i))
            report_long_outputs(&p, i);
    return ML_OK;
}
