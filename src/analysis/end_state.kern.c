/* end_state: the state at the end time, one dataset per state quantity (end_angle, end_rate, ...).
 */
#include <stdio.h>
#include <string.h>

#include "analysis/indicator.h"
#include "simd/lanes.h"

static bool output(const struct ml_system *system, int i, struct ml_output *out)
{
    if (i >= system->n_state)
        return false;
    const struct ml_quantity *quantity = &system->state[i];
    *out = (struct ml_output){"", quantity->unit, "value at the end time", quantity->dim[0]};
    (void)snprintf(out->name, sizeof out->name, "end_%s", quantity->name);
    return true;
}

static int keep_rows(const struct ml_system *system, int n)
{
    (void)system, (void)n;
    return 0;
}

static void pass(const struct ml_observation *seen, double *keep) { (void)seen, (void)keep; }

static void finish(const struct ml_observation *seen, const double *keep, double *const *out)
{
    const double *from = seen->state;
    (void)keep;
    for (int q = 0; q < seen->system->n_state; q++) {
        size_t size = (size_t)ml_quantity_rows(&seen->system->state[q], seen->n) * ML_LANES;
        memcpy(out[q], from, size * sizeof *from);
        from += size;
    }
}

extern const struct ml_indicator ML_K(ml_indicator_end_state);
const struct ml_indicator ML_K(ml_indicator_end_state) = {
    .name = "end_state",
    .doc = "state at the end time",
    .output = output,
    .keep_rows = keep_rows,
    .begin = pass,
    .observe = pass,
    .finish = finish,
};
