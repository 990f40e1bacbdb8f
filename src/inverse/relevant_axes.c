/* Axes along which torques change. */
#include "inverse/relevant_axes.h"

#include <string.h>

bool ml_force_is_relevant(const struct ml_force_use *use) { return !ml_force_use_is_actuator(use); }

/* The initial state, actuators and a motion or filter that is not taken do not matter, all else
 * does. */
static bool swept_counts(const struct ml_study *study, const struct ml_swept *swept,
                         bool is_own_motion)
{
    const char *mute[] = {"initial.", is_own_motion ? "inverse.filter." : "motion."};
    if (swept->slot < 0)
        return false;
    for (int i = 0; i < 2; i++)
        if (strncmp(swept->path, mute[i], strlen(mute[i])) == 0)
            return false;
    for (int f = 0; f < study->ensemble.n_force; f++) {
        const struct ml_force_use *use = &study->spec.forces[f];
        if (swept->slot >= use->slot && swept->slot < use->slot + use->n_number)
            return ml_force_is_relevant(use);
    }
    return true;
}

static bool axis_counts(const struct ml_study *study, const struct ml_axis *axis,
                        bool is_own_motion)
{
    bool counts = false;
    for (int s = 0; s < axis->n_swept; s++)
        counts |= swept_counts(study, &axis->swept[s], is_own_motion);
    return counts;
}

bool ml_relevant_axes_init(struct ml_relevant_axes *relevant, const struct ml_study *study,
                           bool is_own_motion, struct ml_pool *pool)
{
    const size_t n = (size_t)study->spec.runs.n_axis + 1;
    struct ml_axis *axes = ml_pool_take(pool, n, sizeof *axes);
    *relevant = (struct ml_relevant_axes){.view = *study, .n_item = 1};
    relevant->stride = ml_pool_take(pool, n, sizeof *relevant->stride);
    relevant->count = ml_pool_take(pool, n, sizeof *relevant->count);
    relevant->view.spec.runs.axes = axes;
    relevant->view.spec.runs.n_axis = 0;
    if (!axes || !relevant->stride || !relevant->count)
        return false;
    int64_t stride = study->ensemble.n_run;
    for (int a = 0; a < study->spec.runs.n_axis; a++) {
        const struct ml_axis *axis = &study->spec.runs.axes[a];
        stride /= axis->count;
        if (axis_counts(study, axis, is_own_motion)) {
            const int k = relevant->view.spec.runs.n_axis++;
            axes[k] = *axis;
            relevant->stride[k] = stride;
            relevant->count[k] = axis->count;
            relevant->n_item *= axis->count;
            continue;
        }
        const char *before = relevant->left_out;
        relevant->left_out =
            ml_pool_format(pool, "%s%s`%s`", before ? before : "", before ? ", " : "", axis->name);
        if (!relevant->left_out)
            return false;
    }
    relevant->view.spec.runs.n = relevant->view.ensemble.n_run = relevant->n_item;
    if (relevant->view.spec.runs.n_axis == 0 || !axes[relevant->view.spec.runs.n_axis - 1].sample)
        relevant->view.spec.runs.sample = NULL;
    return true;
}

int64_t ml_relevant_axes_run(const struct ml_relevant_axes *relevant, int64_t item)
{
    int64_t run = 0;
    for (int k = relevant->view.spec.runs.n_axis - 1; k >= 0; k--) {
        run += item % relevant->count[k] * relevant->stride[k];
        item /= relevant->count[k];
    }
    return run;
}
