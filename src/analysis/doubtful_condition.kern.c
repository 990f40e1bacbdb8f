/* doubtful_condition: whether the conditions of formulas were followed, engine/steps/switches.h. */
#include <string.h>

#include "analysis/indicator.h"
#include "simd/lanes.h"

static bool doubtful_output(const struct ml_indicator_use *use, int i, struct ml_output *output)
{
    *output = (struct ml_output){
        ML_DOUBTFUL_CONDITION, "1",
        "number, from 1, of the first condition of formulas whose number turned too often within a "
        "step to be followed; 0: all conditions were followed"};
    return use->has_conditions && i == 0;
}

static int doubtful_keep_rows(const struct ml_indicator_use *use)
{
    (void)use;
    return 0;
}

static void doubtful_finish(const struct ml_indicator_use *use,
                            const struct ml_observation *observed, double *keep, double *const *out)
{
    (void)use, (void)keep;
    memcpy(out[0], observed->doubt, ML_LANES * sizeof *out[0]);
}

extern const struct ml_indicator ML_K(ml_indicator_doubtful_condition);
const struct ml_indicator ML_K(ml_indicator_doubtful_condition) = {
    .name = ML_DOUBTFUL_CONDITION,
    .doc = "the first condition of formulas that was not followed",
    .is_never_left_out = true,
    .output = doubtful_output,
    .keep_rows = doubtful_keep_rows,
    .finish = doubtful_finish,
};
