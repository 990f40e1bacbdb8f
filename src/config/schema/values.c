/* The numbers of one run: the study's own, with this run's point of the grid or sample. */
#include "config/schema/values.h"

#include <string.h>

#include "design/philox.h"
#include "model/forces/numbers.h"

/* Calls for every swept quantity of a run, last axis first.
 *   scores  of the sample in place of the run's point; NULL: that point */
static void each_swept(const struct ml_study_spec *spec, int64_t run, const double *scores,
                       void (*put)(void *to, const struct ml_swept *swept, int order, double value),
                       void *to)
{
    int order = 0;
    for (int i = 0; i < spec->runs.n_axis; i++)
        order += spec->runs.axes[i].n_swept;
    for (int i = spec->runs.n_axis - 1; i >= 0; i--) {
        const struct ml_axis *axis = &spec->runs.axes[i];
        int64_t k = run % axis->count;
        run /= axis->count;
        order -= axis->n_swept;
        for (int j = 0; j < axis->n_swept; j++) {
            const struct ml_swept *s = &axis->swept[j];
            put(to, s, order + j,
                scores && axis->sample ? ml_axis_value_at(axis, j, scores)
                                       : ml_axis_value(axis, j, k));
        }
    }
}

static void write_in_order(void *to, const struct ml_swept *swept, int order, double value)
{
    (void)swept;
    ((double *)to)[order] = value;
}

static void write_in_slot(void *to, const struct ml_swept *swept, int order, double value)
{
    (void)order;
    if (swept->slot >= 0)
        ((double *)to)[swept->slot] = value;
}

void ml_study_swept(const struct ml_study_spec *spec, int64_t run, double *out)
{
    each_swept(spec, run, NULL, write_in_order, out);
}

/* Gives the noise of a force a seed of this run's own. One that is 2^32 or more stays: it is that
 * of a run already, or was given for all. */
static void set_seed(const struct ml_study_spec *spec, int f, int64_t run, double *values)
{
    const struct ml_force_use *use = &spec->forces[f];
    if (use->type->feedback == 0)
        return;
    double *own =
        values + use->slot + ml_force_first_number(use->type, spec->model.n, use->type->feedback);
    const double seed = isnan(own[ML_FEEDBACK_SEED]) ? 0.0 : own[ML_FEEDBACK_SEED];
    if ((isnan(own[ML_FEEDBACK_ANGLE_NOISE]) && isnan(own[ML_FEEDBACK_RATE_NOISE])) ||
        seed >= 0x1p32)
        return;
    const struct ml_philox bits = ml_philox(
        (const uint32_t[]){(uint32_t)run, (uint32_t)((uint64_t)run >> 32), (uint32_t)f, 0},
        (const uint32_t[]){(uint32_t)seed, 0});
    const uint64_t mixed = (uint64_t)bits.word[1] << 32 | bits.word[0];
    own[ML_FEEDBACK_SEED] = (double)(mixed >> 12 | UINT64_C(1) << 52);
}

/* Places the swept quantities of a run, and gives noise the seeds of run `noise`. */
static void place(const struct ml_study_spec *spec, int64_t run, const double *scores,
                  int64_t noise, double *values)
{
    each_swept(spec, run, scores, write_in_slot, values);
    if (spec->numbers.defined)
        ml_defined_apply(spec->numbers.defined, values);
    for (int f = 0; f < spec->n_force; f++)
        set_seed(spec, f, noise, values);
}

void ml_study_place(const struct ml_study_spec *spec, int64_t run, double *values)
{
    place(spec, run, NULL, run, values);
}

void ml_study_values_at(const struct ml_study_spec *spec, int64_t run, const double *scores,
                        int64_t noise, double *values)
{
    memcpy(values, spec->numbers.base, (size_t)spec->numbers.n * sizeof *values);
    place(spec, run, scores, noise, values);
}

void ml_study_values(const void *context, int64_t run, double *values)
{
    const struct ml_study_spec *spec = context;
    memcpy(values, spec->numbers.base, (size_t)spec->numbers.n * sizeof *values);
    ml_study_place(spec, run, values);
}

void ml_clock_settle(struct ml_study_spec *spec)
{
    for (int a = 0; a < spec->runs.n_axis; a++)
        for (int i = 0; i < spec->runs.axes[a].n_swept; i++)
            if (spec->time.clock == ML_CLOCK_COMMON ||
                spec->runs.axes[a].swept[i].slot == spec->time.slot)
                return;
    if (spec->time.clock == ML_CLOCK_COMMON ||
        ml_defined_moves(spec->numbers.defined, spec->time.slot))
        return;
    const double value = spec->numbers.base[spec->time.slot];
    spec->time.step = ml_clock_tick(spec->time.clock, spec->time.step, value, spec->time.start,
                                    spec->time.n_step);
    spec->time.end = spec->time.clock == ML_CLOCK_END
                         ? value
                         : fma((double)spec->time.n_step, spec->time.step, spec->time.start);
    spec->time.clock = ML_CLOCK_COMMON;
    spec->numbers.n--;
}
