/* Axes along which torques change. */
#include "inverse/counting.h"

#include <string.h>

bool ml_force_counts(const struct ml_force_use *use)
{
    return use->type->is_external || use->type->is_passive;
}

/* The initial state and actuators do not matter, all else does. */
static bool swept_counts(const struct ml_study *study, const struct ml_swept *swept)
{
    if (strncmp(swept->path, "initial.", strlen("initial.")) == 0)
        return false;
    for (int f = 0; f < study->ensemble.n_force; f++) {
        const struct ml_force_use *use = &study->forces[f];
        if (swept->slot >= use->slot && swept->slot < use->slot + use->n_number)
            return ml_force_counts(use);
    }
    return true;
}

static bool axis_counts(const struct ml_study *study, const struct ml_axis *axis)
{
    bool counts = false;
    for (int s = 0; s < axis->n_swept; s++)
        counts |= swept_counts(study, &axis->swept[s]);
    return counts;
}

bool ml_counting_init(struct ml_counting *counting, const struct ml_study *study,
                      struct ml_pool *pool)
{
    const size_t n = (size_t)study->n_axis + 1;
    struct ml_axis *axes = ml_pool_take(pool, n, sizeof *axes);
    *counting = (struct ml_counting){.view = *study, .n_item = 1};
    counting->stride = ml_pool_take(pool, n, sizeof *counting->stride);
    counting->count = ml_pool_take(pool, n, sizeof *counting->count);
    counting->view.axes = axes;
    counting->view.n_axis = 0;
    if (!axes || !counting->stride || !counting->count)
        return false;
    int64_t stride = study->ensemble.n_run;
    for (int a = 0; a < study->n_axis; a++) {
        const struct ml_axis *axis = &study->axes[a];
        stride /= axis->count;
        if (axis_counts(study, axis)) {
            const int k = counting->view.n_axis++;
            axes[k] = *axis;
            counting->stride[k] = stride;
            counting->count[k] = axis->count;
            counting->n_item *= axis->count;
            continue;
        }
        const char *before = counting->left_out;
        counting->left_out =
            ml_pool_format(pool, "%s%s`%s`", before ? before : "", before ? ", " : "", axis->name);
        if (!counting->left_out)
            return false;
    }
    counting->view.ensemble.n_run = counting->n_item;
    if (counting->view.n_axis == 0)
        counting->view.sampling = ML_GRID;
    return true;
}

int64_t ml_counting_run(const struct ml_counting *counting, int64_t item)
{
    int64_t run = 0;
    for (int k = counting->view.n_axis - 1; k >= 0; k--) {
        run += item % counting->count[k] * counting->stride[k];
        item /= counting->count[k];
    }
    return run;
}
