/* Whether the runs of a result can be integrated on from its end, with the bits of runs that were
 * asked for up to the new end at once: the result must have all that the integrator and the
 * indicators know there. */
#include <stdio.h>
#include <string.h>

#include "run/donor.h"

/* The name of an indicator that tangent vectors advance for. */
static const char *name_of_tangents(const struct ml_ensemble *e)
{
    for (int i = 0; ml_ensemble_indicator(e, i); i++) {
        const struct ml_indicator *indicator = ml_ensemble_indicator(e, i);
        if ((indicator->n_tangent || indicator->takes_parameters) && ml_ensemble_measures(e, i))
            return indicator->name;
    }
    return "sensitivity";
}

/* Whether the state at the end is among the outputs of a study. */
static bool has_end_state(const struct ml_ensemble *e)
{
    int i = 0;
    while (strcmp(ml_ensemble_indicator(e, i)->name, "end_state") != 0)
        i++;
    return ml_ensemble_measures(e, i);
}

/* Whether the state quantities are the state that is integrated. */
static bool has_plain_state(const struct ml_instance *model)
{
    const struct ml_system *system = model->system;
    int rows = 0;
    for (int q = 0; q < system->tables.n_state; q++)
        rows += ml_quantity_rows(&system->tables.state[q], model->n);
    return system->dynamics.is_plain && system->dynamics.is_plain(model) && rows == ml_n_x(model);
}

/* Why the integrator cannot continue; NULL: it can.
 *   size  bytes of `text`, room for the reason */
static const char *cannot_integrate(const struct ml_ensemble *a, const struct ml_ensemble *b,
                                    size_t size, char *text)
{
    if (b->time.n_step < a->time.n_step)
        return "the new end is earlier";
    if (a->time.is_adaptive || b->time.is_adaptive)
        return "steps are chosen by a tolerance, and a result does not keep the choice at its end";
    if (a->time.clock != b->time.clock || b->time.clock == ML_CLOCK_END ||
        a->time.step != b->time.step)
        return "the steps of the runs have other lengths with the new end";
    if (b->model.is_compensated)
        return "a result does not keep the low parts of compensated sums";
    if (b->feedback.n_break > 0)
        return "a result does not keep the past that controllers or delays see";
    if (!has_plain_state(&b->model))
        return "the integrator has other numbers than the state in a result: turns of joints, or "
               "integrals of controllers";
    if (b->model.system->switches.n > 0)
        return "a result does not keep on which side of their conditions formulas are";
    if (b->n_event > 0)
        (void)snprintf(text, size, "a result does not keep the progress of the event `%s`",
                       b->events[0].name);
    else if (b->model.n_column > 0)
        (void)snprintf(text, size, "a result does not keep the tangent vectors of `%s`",
                       name_of_tangents(b));
    return *text ? text : NULL;
}

const char *ml_donor_cannot_prolong(const struct ml_donor *donor, size_t size, char *text)
{
    const struct ml_ensemble *a = &donor->of.study->ensemble, *b = &donor->study->ensemble;
    const struct ml_results *results = &donor->study->results;
    *text = '\0';
    const char *why = cannot_integrate(a, b, size, text);
    if (why)
        return why;
    if (!has_end_state(a) || !has_end_state(b))
        return "the result lacks `end_state`, the state at its end";
    for (int o = 0; o < results->n_output && !*text; o++)
        if (results->outputs[o].join == ML_JOIN_NONE)
            (void)snprintf(text, size,
                           "`%s` does not follow from its value at the old end, the only one that "
                           "a result keeps",
                           results->outputs[o].name);
    if (*text)
        return text;
    return a->time.n_step % a->indicators.observe_every != 0 ||
                   (a->time.n_step & a->indicators.rates_mask) != 0
               ? "the old end is no multiple of `analyse.every` steps: extremes include it, and "
                 "those up to the new end do not"
               : NULL;
}
