/* The numbers of one run: the study's own, with this run's point of the grid or sample. */
#include "config/values.h"

#include <math.h>

#include <string.h>

#include "design/sample.h"
#include "design/spacing.h"

/* Calls for every swept quantity of a run, last axis first. */
static void each_swept(const struct ml_study *study, int64_t run,
                       void (*put)(void *to, const struct ml_swept *swept, int order, double value),
                       void *to)
{
    int order = 0;
    for (int i = 0; i < study->n_axis; i++)
        order += study->axes[i].n_swept;
    for (int i = study->n_axis - 1; i >= 0; i--) {
        const struct ml_axis *axis = &study->axes[i];
        int64_t k = run % axis->count;
        run /= axis->count;
        order -= axis->n_swept;
        for (int j = 0; j < axis->n_swept; j++) {
            const struct ml_swept *s = &axis->swept[j];
            double value = study->sampling == ML_GRID
                               ? ml_axis_value(axis, j, k)
                               : s->weight * ml_between(s->low, s->high,
                                                        ml_sample(study->sampling, study->seed,
                                                                  axis->count, k, s->dimension),
                                                        s->is_log);
            put(to, s, order + j, value);
        }
    }
}

static void put_in_order(void *to, const struct ml_swept *swept, int order, double value)
{
    (void)swept;
    ((double *)to)[order] = value;
}

static void put_in_slot(void *to, const struct ml_swept *swept, int order, double value)
{
    (void)order;
    if (swept->slot >= 0)
        ((double *)to)[swept->slot] = value;
}

void ml_study_swept(const struct ml_study *study, int64_t run, double *out)
{
    each_swept(study, run, put_in_order, out);
}

void ml_study_values(const void *context, int64_t run, double *values)
{
    const struct ml_study *study = context;
    memcpy(values, study->base, (size_t)study->ensemble.n_value * sizeof *values);
    each_swept(study, run, put_in_slot, values);
}

void ml_clock_settle(struct ml_study *study)
{
    struct ml_ensemble *e = &study->ensemble;
    for (int a = 0; a < study->n_axis; a++)
        for (int i = 0; i < study->axes[a].n_swept; i++)
            if (e->clock == ML_CLOCK_COMMON || study->axes[a].swept[i].slot == e->clock_slot)
                return;
    if (e->clock == ML_CLOCK_COMMON)
        return;
    const double value = study->base[e->clock_slot];
    e->step = ml_ensemble_step(e, study->base);
    study->end = e->clock == ML_CLOCK_END ? value : fma((double)e->n_step, e->step, e->start);
    e->clock = ML_CLOCK_COMMON;
    e->n_value--;
}
