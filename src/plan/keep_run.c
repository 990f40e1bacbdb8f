/* A run keeps its bits when integrated alone: values derived from the whole ensemble (the interval
 * of reorthonormalisation, the solver) are derived before the axes are removed. */
#include "base/numeric_env.h"
#include "config/schema/values.h"
#include "engine/team/continuation.h"
#include "manylink/fail.h"
#include "manylink/study.h"
#include "plan/plan_study.h"
#include "yaml/number.h"

/* Keeps the run's number and the swept values, for its result. */
static bool keep_member(struct ml_study *study, int64_t run)
{
    const struct ml_study_spec *spec = &study->spec;
    int n = 0;
    for (int i = 0; i < spec->runs.n_axis; i++)
        n += spec->runs.axes[i].n_swept;
    struct ml_swept *swept = ml_pool_take(&study->pool, (size_t)n + 1, sizeof *swept);
    double *values = ml_pool_take(&study->pool, (size_t)n + 1, sizeof *values);
    if (!swept || !values)
        return false;
    ml_study_swept(spec, run, values);
    study->member = run;
    study->member_swept = swept;
    study->member_values = values;
    study->n_member = n;
    for (int i = 0; i < spec->runs.n_axis; i++)
        for (int k = 0; k < spec->runs.axes[i].n_swept; k++)
            *swept++ = spec->runs.axes[i].swept[k];
    return true;
}

enum ml_status ml_study_keep_run(struct ml_study *study, int64_t run, struct ml_error *err)
{
    struct ml_study_spec *spec = &study->spec;
    const int64_t n_run = spec->runs.n;
    if (run < 0 || run >= n_run)
        return ml_fail(err, ML_E_INPUT, "%s: the study has no run %lld; its runs are 0 to %lld",
                       spec->name, (long long)run, (long long)n_run - 1);
    double *values = ml_pool_take(&study->pool, (size_t)spec->numbers.n, sizeof *values);
    if (!values || !keep_member(study, run))
        return ML_E_MEMORY;
    const bool has_continuation = !ml_continuation_begins(&study->ensemble.continuation, run);
    const struct ml_numeric_env env = ml_numeric_env_set();
    const enum ml_status status = ml_continuation_find_values(&study->ensemble, run, values, err);
    if (status != ML_OK) {
        ml_numeric_env_restore(&env);
        return status;
    }
    spec->numbers.base = values;
    spec->runs.n_axis = 0;
    spec->runs.sample = NULL;
    ml_clock_settle(spec);
    spec->runs.n = 1;
    spec->runs.continuation = (struct ml_continuation){.has_continuation = has_continuation};
    spec->saving.run_every = 1;
    spec->saving.run_first = INT64_C(1) << ML_INTEGER_BITS;
    struct ml_ensemble *e = &study->ensemble;
    e->n_run = spec->runs.n;
    e->numbers.n = spec->numbers.n;
    e->time.clock = spec->time.clock;
    e->time.step = spec->time.step;
    e->continuation = spec->runs.continuation;
    e->saving = spec->saving;
    const bool is_settled = ml_plan_settle(study);
    ml_numeric_env_restore(&env);
    return is_settled ? ML_OK : ML_E_MEMORY;
}
