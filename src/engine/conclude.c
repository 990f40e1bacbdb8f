#include "engine/conclude.h"

#include <string.h>

#include "engine/slopes_seen.h"

/* The state at the end, time t, its derivatives, and what they are by. */
static void look(const struct ml_ensemble *e, struct ml_batch *b, double t)
{
    e->system->record(&e->shape, ml_times(t).lane, b->constants, b->x, b->work, b->state);
    ml_slopes_of_state(e, b, 0, e->system->n_state, b->state_slope);
    for (int p = 0; p < e->shape.n_parameter; p++)
        memcpy(b->parameters + (size_t)p * ML_LANES,
               b->values + (size_t)e->directions[p].slot[0] * ML_LANES,
               ML_LANES * sizeof *b->parameters);
}

/* Outputs of the indicators that take parameters, or of the others. */
static void finish(const struct ml_ensemble *e, struct ml_batch *b,
                   const struct ml_observation *seen, bool takes_parameters)
{
    for (int i = 0; e->kernels->indicators[i]; i++) {
        const struct ml_indicator *indicator = e->kernels->indicators[i];
        if (b->active >> i & 1 && indicator->takes_parameters == takes_parameters)
            indicator->finish(&b->use[i], seen, b->keep[i], b->out + b->first_output[i]);
    }
}

/* Outputs that are differentiated, and their derivatives. */
static void collect_slopes(const struct ml_ensemble *e, struct ml_batch *b,
                           const struct ml_observation *seen)
{
    double *value = b->differentiated, *slope = b->differentiated_slope;
    for (int at = 0; at < e->n_differentiated; at++) {
        const int i = e->differentiated[at];
        const struct ml_indicator *indicator = e->kernels->indicators[i];
        struct ml_output output;
        indicator->slopes(&b->use[i], seen, b->keep[i], slope);
        for (int d = 0; indicator->output(&b->use[i], d, &output); d++) {
            const int size = ml_output_rows(&output, e->shape.n) * ML_LANES;
            memcpy(value, b->out[b->first_output[i] + d], (size_t)size * sizeof *value);
            value += size;
            slope += size * e->shape.n_parameter;
        }
    }
}

void ml_conclude(const struct ml_ensemble *ensemble, struct ml_batch *batch,
                 const struct ml_observation *seen)
{
    look(ensemble, batch, seen->time);
    finish(ensemble, batch, seen, false);
    collect_slopes(ensemble, batch, seen);
    finish(ensemble, batch, seen, true);
}
