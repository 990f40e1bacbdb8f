/* The tangent vectors that a study's indicators ask for: how many, and how often they are made
 * orthonormal again. */
#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "config/sections.h"
#include "engine/growth_rate.h"
#include "plan/sections.h"
#include "yaml/number.h"

static const double step_error = 1e-9; /* relative, of a number of steps */

/* Node of an indicator that the study asks for. */
static const struct ml_node *node_of(const struct ml_reader *r, int i)
{
    return ml_node_find(r->analyse, r->study->ensemble.kernels->registry->indicators[i]->name);
}

static bool is_asked(const struct ml_reader *r, int i)
{
    const struct ml_ensemble *e = &r->study->ensemble;
    return e->kernels->registry->indicators[i]->n_vector && e->settings[i];
}

/* As many vectors as the indicator that needs most. */
static void count_vectors(struct ml_reader *r)
{
    struct ml_ensemble *e = &r->study->ensemble;
    for (int i = 0; e->kernels->registry->indicators[i]; i++) {
        if (!is_asked(r, i))
            continue;
        const struct ml_indicator *indicator = e->kernels->registry->indicators[i];
        const struct ml_indicator_use use = ml_ensemble_use(e, i);
        int n = indicator->n_vector(&use);
        if (n > use.n_x)
            ml_problem(&r->problems, node_of(r, i)->location,
                       "%s asks for %d tangent vectors but the state has %d numbers: at most so "
                       "many are independent",
                       indicator->name, n, use.n_x);
        e->n_vector = n > e->n_vector ? n : e->n_vector;
    }
    e->shape.n_column = e->n_vector + e->shape.n_parameter;
}

/* 1, 2 or 5 times a power of ten, at most `limit`. */
static int64_t round_down(double limit)
{
    int64_t unit = 1;
    while ((double)unit * 10.0 <= limit)
        unit *= 10;
    return (double)unit * 5.0 <= limit ? 5 * unit : (double)unit * 2.0 <= limit ? 2 * unit : unit;
}

/* So often that rounding costs a few of 16 digits; for what is integrated over time on the way, so
 * often that vectors swing, this way and that, by a factor of 10; and for 256 intervals in a run.
 */
static int64_t usual_interval(const struct ml_ensemble *e, const struct ml_growth_rate *growth)
{
    const double least_intervals = 256.0, most_swing = 0x1.26bb1bbb55516p+1; /* ln 10 */
    double steps = fmin((double)e->n_step / least_intervals, (double)growth->quiet_steps);
    if (growth->swing > 0.0)
        steps = fmin(steps, most_swing / (growth->swing * e->step));
    return round_down(steps);
}

/* Steps of `renormalise` in a map, s. */
static int64_t given_interval(struct ml_reader *r, double seconds, const struct ml_node *map,
                              const struct ml_growth_rate *growth)
{
    const struct ml_ensemble *e = &r->study->ensemble;
    const double most = 0x1.ba18a998fffap+4; /* ln 1e12 */
    char number[ML_NUMBER_TEXT];
    const struct ml_location location = ml_read_location(map, "renormalise");
    double steps = seconds / e->step, rounded = nearbyint(steps);
    if (rounded < 1.0 || fabs(steps - rounded) > step_error * rounded || rounded > 1e15)
        ml_problem(&r->problems, location, "renormalise must be a multiple of time.step, %s s",
                   ml_number_text(e->step, number));
    else if (rounded > 1.0 && seconds * growth->spread > most) /* less than a step cannot be */
        ml_problem(
            &r->problems, location,
            "renormalise is too long: tangent vectors of some runs grow, or come apart, by a "
            "factor e^%.0f in that time; it must be at most %.2g s",
            seconds * growth->spread, most / growth->spread);
    return (int64_t)fmin(fmax(rounded, 1.0), 1e15);
}

/* The least interval that indicators say, in steps; 0 if none does. */
static int64_t least_interval(struct ml_reader *r, const struct ml_growth_rate *growth)
{
    const struct ml_study *study = r->study;
    int64_t least = 0;
    for (int i = 0; study->ensemble.kernels->registry->indicators[i]; i++) {
        const struct ml_node *node = node_of(r, i);
        if (!is_asked(r, i) || !ml_node_find(node, "renormalise"))
            continue;
        const double seconds = study->settings[i][ML_SETTING_RENORMALISE];
        const int64_t own = given_interval(r, seconds, node, growth);
        least = least == 0 || own < least ? own : least;
    }
    return least;
}

/* That which the text of a result has, else the usual one. */
static int64_t derive_interval(struct ml_reader *r, const struct ml_growth_rate *growth)
{
    const struct ml_optional *before = &r->derived.renormalise;
    if (before->is_given)
        return given_interval(r, before->value, ml_node_find(r->root, "derived"), growth);
    r->study->growth = (struct ml_optional){true, growth->spread};
    return usual_interval(&r->study->ensemble, growth);
}

/* Settings of the ensemble: those of the study, with the interval that all have. */
static void settle_settings(struct ml_reader *r)
{
    struct ml_ensemble *e = &r->study->ensemble;
    struct ml_pool *pool = &r->study->pool;
    int n = 0;
    while (e->kernels->registry->indicators[n])
        n++;
    const double **settings = ml_pool_take(pool, (size_t)n, sizeof *settings);
    for (int i = 0; settings && i < n; i++) {
        const size_t size = (size_t)e->kernels->registry->indicators[i]->n_param * sizeof(double);
        double *own = is_asked(r, i) ? ml_pool_take(pool, 1, size) : NULL;
        settings[i] = own ? own : e->settings[i];
        if (!own)
            continue;
        memcpy(own, e->settings[i], size);
        own[ML_SETTING_RENORMALISE] = e->step * (double)e->renormalise_every;
    }
    e->settings = settings;
}

static void set_interval(struct ml_reader *r, const struct ml_growth_rate *growth)
{
    struct ml_ensemble *e = &r->study->ensemble;
    e->renormalise_every = least_interval(r, growth);
    if (e->renormalise_every == 0) {
        e->renormalise_every = derive_interval(r, growth);
        r->study->renormalise = e->step * (double)e->renormalise_every;
    }
    settle_settings(r);
}

/* Outputs that are so long by mistake only. */
static void tell_long_outputs(struct ml_reader *r, int i)
{
    const int64_t most = INT64_C(1) << 22;
    const struct ml_ensemble *e = &r->study->ensemble;
    const struct ml_indicator *indicator = e->kernels->registry->indicators[i];
    const struct ml_indicator_use use = ml_ensemble_use(e, i);
    struct ml_output output;
    for (int o = 0; indicator->output(&use, o, &output); o++) {
        const int64_t n = ml_output_rows(&output, use.n);
        if (n > most)
            ml_problem(&r->problems, node_of(r, i)->location,
                       "%s would have %lld numbers of each run; at most %lld fit", output.name,
                       (long long)n, (long long)most);
    }
}

/* Runs that may go on until an indicator knows enough. */
static void extend(struct ml_reader *r)
{
    struct ml_ensemble *e = &r->study->ensemble;
    for (int i = 0; e->kernels->registry->indicators[i]; i++) {
        const struct ml_indicator *indicator = e->kernels->registry->indicators[i];
        if (!e->settings[i] || !indicator->extend)
            continue;
        const struct ml_indicator_use use = ml_ensemble_use(e, i);
        double end = indicator->extend(&use), steps = (end - e->start) / e->step;
        double rounded = nearbyint(steps);
        if (isnan(end))
            continue;
        if (!(rounded >= (double)e->n_step) || rounded > 0x1p52 ||
            fabs(steps - rounded) > step_error * rounded)
            ml_problem(
                &r->problems, node_of(r, i)->location,
                "%s goes on until a time that must not be before time.end, and a multiple of "
                "time.step after time.start",
                indicator->name);
        else if (e->least_steps == 0 || rounded > (double)e->n_step) {
            e->least_steps = e->least_steps > 0 ? e->least_steps : e->n_step;
            e->n_step = (int64_t)rounded;
        }
    }
}

enum ml_status ml_plan_tangents(struct ml_reader *r, struct ml_error *err)
{
    struct ml_growth_rate growth;
    count_vectors(r);
    if (r->study->ensemble.shape.n_column > 0)
        ml_read_tangents_of(r);
    if (r->study->ensemble.n_vector == 0 || r->problems.count > 0)
        return ML_OK;
    extend(r);
    enum ml_status status = ml_ensemble_growth_rate(&r->study->ensemble, &growth, err);
    if (status != ML_OK)
        return status;
    set_interval(r, &growth);
    if (!r->study->ensemble.settings)
        return ml_fail(err, ML_E_MEMORY, "%s: out of memory", r->study->name);
    ml_read_rounded_spans(r);
    for (int i = 0; r->study->ensemble.kernels->registry->indicators[i]; i++)
        if (is_asked(r, i))
            tell_long_outputs(r, i);
    return ML_OK;
}
