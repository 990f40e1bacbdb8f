/* Which numbers planning takes the values of: those that checks of the study name by ml_given_find,
 * starts of the tangent vectors' growth, factors of an axis, energies of a shell. */
#include "plan/free_numbers.h"

#include <math.h>
#include <string.h>

#include "yaml/range.h"

/* Whether tangent vectors were advanced to find how fast they grow, which all numbers change. */
static bool is_measured(const struct ml_study *study)
{
    return study->ensemble.indicators.n_tangent > 0 && !study->spec.time.is_adaptive;
}

/* Whether an axis has factors of the study's own numbers, or points that follow from them. */
static bool has_factors(const struct ml_study_spec *spec)
{
    bool has = false;
    for (int a = 0; a < spec->runs.n_axis; a++) {
        has |= spec->runs.axes[a].kind == ML_AXIS_FACTOR;
        for (int i = 0; i < spec->runs.axes[a].n_swept; i++)
            has |= spec->runs.axes[a].swept[i].is_factor;
    }
    const struct ml_axis *sample = ml_study_spec_sample(spec);
    return has || (sample && !isnan(sample->sample->energy_shell));
}

static bool is_swept(const struct ml_study_spec *spec, int slot)
{
    for (int a = 0; a < spec->runs.n_axis; a++)
        for (int i = 0; i < spec->runs.axes[a].n_swept; i++)
            if (spec->runs.axes[a].swept[i].slot == slot)
                return true;
    return false;
}

/* Whether the number is a name of `define`, or a formula of such. */
static bool is_defined(const struct ml_defined *defined, int slot)
{
    if (!defined)
        return false;
    bool is = slot >= defined->first && slot < defined->first + defined->n_name;
    for (int i = 0; i < defined->n; i++)
        is |= defined->numbers[i].slot == slot;
    return is;
}

int ml_free_number(const struct ml_study *study, const char *path)
{
    const struct ml_study_spec *spec = &study->spec;
    int slot = 0;
    while (slot < spec->numbers.n && strcmp(spec->numbers.names[slot], path) != 0)
        slot++;
    const bool is_free = slot < spec->numbers.n && !isnan(spec->numbers.base[slot]) &&
                         !study->is_planned_by[slot] && !is_measured(study) && !has_factors(spec) &&
                         !is_swept(spec, slot) && !is_defined(spec->numbers.defined, slot) &&
                         !(spec->numbers.params[slot].flags & ML_VECTOR);
    return is_free ? slot : -1;
}

bool ml_free_number_allows(const struct ml_study *study, int slot, double value)
{
    const struct ml_param *param = &study->spec.numbers.params[slot];
    return isfinite(value) && ml_param_allows(param, value) &&
           (!(param->flags & ML_WHOLE) || value == nearbyint(value));
}

void ml_free_numbers_of_laws(const struct ml_study *study, const int *slots, int n,
                             struct ml_law *laws)
{
    const struct ml_study_spec *spec = &study->spec;
    struct ml_law *law = laws;
    for (int f = 0; f < spec->n_force; f++) {
        const struct ml_force_use *use = &spec->forces[f];
        if (!ml_force_use_has_law(use))
            continue;
        for (int i = 0; i < n; i++) {
            const int p = slots[i] - use->slot;
            if (p < 0 || p >= use->n_number)
                continue;
            law->has_limit |= (use->numbers[p].flags & ML_LIMIT) != 0;
            if (p < ML_LAW_DEFAULTS)
                law->defaults[p / 64] &= ~((uint64_t)1 << p % 64);
        }
        law++;
    }
}
