/* Tables of loads below the threshold of one run. */
#include "inverse/check_loads.h"

#include <string.h>

#include "config/formulas/hold.h"
#include "config/schema/slots.h"
#include "manylink/fail.h"

bool ml_thresholds_are_swept(const struct ml_study *study)
{
    bool are_swept = false;
    for (int f = 0; f < study->spec.n_force; f++)
        are_swept |= ml_study_is_swept(&study->spec, &study->spec.forces[f].threshold);
    return are_swept;
}

/* Gives the law of a load its signals. */
static enum ml_status apply_one(const struct ml_study *study, int f, int64_t run, double threshold,
                                struct ml_pool *pool, struct ml_law *law, struct ml_error *err)
{
    const struct ml_study_spec *spec = &study->spec;
    const struct ml_force_use *use = &spec->forces[f];
    struct ml_signal *signals = ml_pool_take(pool, (size_t)use->n_signal + 1, sizeof *signals);
    struct ml_hold hold;
    if (!signals || !ml_hold_find(&hold, use, spec->model.n, spec->numbers.base + use->slot,
                                  spec->inverse.measured[f]))
        return ML_E_MEMORY;
    bool *is_pressed = ml_pool_take(pool, (size_t)hold.times->n, sizeof *is_pressed);
    if (is_pressed && ml_hold_press(&hold, threshold, is_pressed) == 0)
        return ml_fail(err, ML_E_INPUT,
                       "%s:%d:%d: force `%s`: threshold is %g N in run %lld, more than the largest "
                       "force in the table",
                       spec->name, use->line, use->column, use->name, threshold, (long long)run);
    memcpy(signals, spec->inverse.measured[f], (size_t)use->n_signal * sizeof *signals);
    if (is_pressed)
        ml_hold_signals(&hold, is_pressed, pool, signals);
    law->signals = signals;
    return pool->is_short ? ML_E_MEMORY : ML_OK;
}

enum ml_status ml_thresholds_apply(const struct ml_study *study, int64_t run, const double *values,
                                   struct ml_pool *pool, struct ml_ensemble *out,
                                   struct ml_error *err)
{
    const struct ml_study_spec *spec = &study->spec;
    const size_t n_law = (size_t)study->ensemble.model.n_law;
    *out = study->ensemble;
    if (!ml_thresholds_are_swept(study))
        return ML_OK;
    struct ml_law *laws = ml_pool_take(pool, n_law + 1, sizeof *laws), *law = laws;
    if (!laws)
        return ML_E_MEMORY;
    memcpy(laws, study->ensemble.model.laws, n_law * sizeof *laws);
    out->model.laws = laws;
    enum ml_status status = ML_OK;
    for (int f = 0; f < spec->n_force && status == ML_OK; f++) {
        const double *threshold = &spec->forces[f].threshold;
        if (ml_study_is_swept(spec, threshold))
            status =
                apply_one(study, f, run, *ml_study_of_run(spec, threshold, values), pool, law, err);
        law += ml_force_use_has_law(&spec->forces[f]);
    }
    return status;
}
