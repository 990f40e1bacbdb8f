/* rejected_steps: how often a run that chooses its steps by a tolerance tried one in vain. */
#include <string.h>

#include "analysis/indicator.h"
#include "simd/lanes.h"

static bool rejected_output(const struct ml_indicator_use *use, int i, struct ml_output *output)
{
    *output = (struct ml_output){
        "rejected_steps", "1", "steps that were tried and rejected, as their error was too large"};
    return use->is_adaptive && i == 0;
}

static int rejected_keep_rows(const struct ml_indicator_use *use)
{
    (void)use;
    return 0;
}

static void rejected_finish(const struct ml_indicator_use *use,
                            const struct ml_observation *observed, double *keep, double *const *out)
{
    (void)use, (void)keep;
    memcpy(out[0], observed->rejected_steps, ML_LANES * sizeof *out[0]);
}

extern const struct ml_indicator ML_K(ml_indicator_rejected_steps);
const struct ml_indicator ML_K(ml_indicator_rejected_steps) = {
    .name = "rejected_steps",
    .doc = "steps tried in vain, of an integrator with a tolerance",
    .output = rejected_output,
    .keep_rows = rejected_keep_rows,
    .finish = rejected_finish,
};
