/* end_state: the state at the end time, one dataset per state quantity (end_angle, end_rate, ...).
 */
#include <stdio.h>
#include <string.h>

#include "analysis/indicator.h"
#include "simd/lanes.h"

/* By its name: a system that a study gives by its equations has no other way to say so. */
static bool end_state_is_angle(const struct ml_quantity *quantity)
{
    return strcmp(quantity->name, "angle") == 0 && strcmp(quantity->unit, "rad") == 0 &&
           quantity->dim[1] == ML_DIM_NONE;
}

static bool end_state_output(const struct ml_indicator_use *use, int i, struct ml_output *output)
{
    if (i >= use->system->tables.n_state)
        return false;
    const struct ml_quantity *quantity = &use->system->tables.state[i];
    *output = (struct ml_output){"",
                                 quantity->unit,
                                 "value at the end time",
                                 .dim = {quantity->dim[0], quantity->dim[1]},
                                 .label = quantity->name,
                                 .is_angle = end_state_is_angle(quantity),
                                 .join = ML_JOIN_LATER};
    (void)snprintf(output->name, sizeof output->name, "end_%s", quantity->name);
    return true;
}

static int end_state_keep_rows(const struct ml_indicator_use *use)
{
    (void)use;
    return 0;
}

static void end_state_finish(const struct ml_indicator_use *use,
                             const struct ml_observation *observed, double *keep,
                             double *const *out)
{
    const double *from = observed->state;
    (void)keep;
    for (int q = 0; q < use->system->tables.n_state; q++) {
        size_t size = (size_t)ml_quantity_rows(&use->system->tables.state[q], use->n) * ML_LANES;
        memcpy(out[q], from, size * sizeof *from);
        from += size;
    }
}

static void end_state_derivs(const struct ml_indicator_use *use,
                             const struct ml_observation *observed, const double *keep, double *out)
{
    size_t n_row = 0;
    (void)keep;
    for (int q = 0; q < use->system->tables.n_state; q++)
        n_row += (size_t)ml_quantity_rows(&use->system->tables.state[q], use->n);
    memcpy(out, observed->state_deriv, n_row * (size_t)use->n_sens * ML_LANES * sizeof *out);
}

extern const struct ml_indicator ML_K(ml_indicator_end_state);
const struct ml_indicator ML_K(ml_indicator_end_state) = {
    .name = "end_state",
    .doc = "state at the end time",
    .output = end_state_output,
    .keep_rows = end_state_keep_rows,
    .finish = end_state_finish,
    .derivs = end_state_derivs,
};
