/* Finalises the indicators of a batch when its runs end, and their derivatives. */
#include "engine/finalise.h"

#include <string.h>

#include "engine/derivs_observed.h"

/* The state at the end, time t, its derivatives, and what they are by. */
static void finalise_measure_state(const struct ml_ensemble *e, struct ml_batch *b, double t)
{
    e->model.system->record(&e->model, ml_times(t).lane, b->constants, b->x, b->work, b->state);
    ml_derivs_of_state(e, b, 0, e->model.system->n_state, b->state_deriv);
    for (int p = 0; p < e->model.n_sens; p++)
        memcpy(b->parameters + (size_t)p * ML_LANES,
               b->values + (size_t)e->directions[p].slot[0] * ML_LANES,
               ML_LANES * sizeof *b->parameters);
}

/* Outputs of the indicators that take parameters, or of the others. */
static void finalise_finish(const struct ml_ensemble *e, struct ml_batch *b,
                            const struct ml_observation *observed, bool takes_parameters)
{
    for (int i = 0; ml_ensemble_indicator(e, i); i++) {
        const struct ml_indicator *indicator = ml_ensemble_indicator(e, i);
        if (b->active[i] && indicator->takes_parameters == takes_parameters)
            indicator->finish(&b->use[i], observed, b->keep[i], b->out + b->first_output[i]);
    }
}

/* Outputs that are differentiated, and their derivatives. */
static void collect_derivs(const struct ml_ensemble *e, struct ml_batch *b,
                           const struct ml_observation *observed)
{
    double *value = b->differentiated, *deriv = b->differentiated_deriv;
    for (int at = 0; at < e->n_differentiated; at++) {
        const int i = e->differentiated[at];
        const struct ml_indicator *indicator = ml_ensemble_indicator(e, i);
        struct ml_output output;
        indicator->derivs(&b->use[i], observed, b->keep[i], deriv);
        for (int d = 0; indicator->output(&b->use[i], d, &output); d++) {
            const int64_t size = ml_output_rows(&output, e->model.n) * ML_LANES;
            memcpy(value, b->out[b->first_output[i] + d], (size_t)size * sizeof *value);
            value += size;
            deriv += size * e->model.n_sens;
        }
    }
}

void ml_finalise(const struct ml_ensemble *ensemble, struct ml_batch *batch,
                 const struct ml_observation *observed)
{
    finalise_measure_state(ensemble, batch, observed->time);
    finalise_finish(ensemble, batch, observed, false);
    collect_derivs(ensemble, batch, observed);
    finalise_finish(ensemble, batch, observed, true);
}
