/* A run keeps its bits when it is integrated alone: what is derived from the whole ensemble (the
 * interval of reorthonormalisation, the solver) is derived before the axes are removed. */
#include "base/fail.h"
#include "base/numeric_env.h"
#include "config/values.h"
#include "engine/continuation.h"
#include "manylink/study.h"
#include "plan/plan_study.h"
#include "yaml/number.h"

enum ml_status ml_study_keep_run(struct ml_study *study, int64_t run, struct ml_error *err)
{
    struct ml_ensemble *ensemble = &study->ensemble;
    const int64_t n_run = ensemble->n_run;
    if (run < 0 || run >= n_run)
        return ml_fail(err, ML_E_INPUT, "%s: there is no run %lld; the study has runs 0 to %lld",
                       study->name, (long long)run, (long long)n_run - 1);
    double *values = ml_pool_take(&study->pool, (size_t)ensemble->n_value, sizeof *values);
    if (!values)
        return ml_fail(err, ML_E_MEMORY, "%s: out of memory", study->name);
    struct ml_numeric_env env;
    if (!ml_numeric_env_set(&env))
        return ml_fail(err, ML_E_MEMORY, "%s: out of memory", study->name);
    const enum ml_status status = ml_continuation_find_values(ensemble, run, values, err);
    if (status != ML_OK) {
        ml_numeric_env_restore(&env);
        return status;
    }
    study->base = values;
    study->member = run;
    study->n_axis = 0;
    study->sampling = ML_GRID;
    ml_clock_settle(study);
    ensemble->n_run = 1;
    ensemble->continuation = (struct ml_continuation){0};
    ensemble->saving.run_every = 1;
    ensemble->saving.run_first = INT64_C(1) << ML_INTEGER_BITS;
    const bool is_settled = ml_plan_settle(study);
    ml_numeric_env_restore(&env);
    return is_settled ? ML_OK : ml_fail(err, ML_E_MEMORY, "%s: out of memory", study->name);
}
