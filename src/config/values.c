/* The numbers of one run: the study's own, with this run's point of the grid or sample. */
#include "config/values.h"

#include <math.h>

#include <string.h>

#include "design/sample.h"
#include "design/spacing.h"

/* Calls for every swept quantity of a run, last axis first. */
static void each_swept(const struct ml_study_spec *spec, int64_t run,
                       void (*put)(void *to, const struct ml_swept *swept, int order, double value),
                       void *to)
{
    int order = 0;
    for (int i = 0; i < spec->n_axis; i++)
        order += spec->axes[i].n_swept;
    for (int i = spec->n_axis - 1; i >= 0; i--) {
        const struct ml_axis *axis = &spec->axes[i];
        int64_t k = run % axis->count;
        run /= axis->count;
        order -= axis->n_swept;
        for (int j = 0; j < axis->n_swept; j++) {
            const struct ml_swept *s = &axis->swept[j];
            double value = spec->sampling == ML_GRID
                               ? ml_axis_value(axis, j, k)
                               : s->weight * ml_between(s->low, s->high,
                                                        ml_sample(spec->sampling, spec->seed,
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

void ml_study_swept(const struct ml_study_spec *spec, int64_t run, double *out)
{
    each_swept(spec, run, put_in_order, out);
}

void ml_study_values(const void *context, int64_t run, double *values)
{
    const struct ml_study_spec *spec = context;
    memcpy(values, spec->base, (size_t)spec->n_value * sizeof *values);
    each_swept(spec, run, put_in_slot, values);
}

void ml_clock_settle(struct ml_study_spec *spec)
{
    for (int a = 0; a < spec->n_axis; a++)
        for (int i = 0; i < spec->axes[a].n_swept; i++)
            if (spec->clock == ML_CLOCK_COMMON || spec->axes[a].swept[i].slot == spec->clock_slot)
                return;
    if (spec->clock == ML_CLOCK_COMMON)
        return;
    const double value = spec->base[spec->clock_slot];
    spec->step = ml_clock_tick(spec->clock, spec->step, value, spec->start, spec->n_step);
    spec->end =
        spec->clock == ML_CLOCK_END ? value : fma((double)spec->n_step, spec->step, spec->start);
    spec->clock = ML_CLOCK_COMMON;
    spec->n_value--;
}
