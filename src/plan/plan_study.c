/* Plans a study that was read: what it leaves open is derived here, and nowhere else. */
#include "plan/plan_study.h"

#include "base/fail.h"
#include "config/notices.h"
#include "config/resolve.h"
#include "config/sections.h"
#include "plan/doubts.h"
#include "plan/sections.h"

/* Whether there is a study without problems so far. */
static bool plan_study_is_sound(const struct ml_reader *r)
{
    return r->root && !ml_problems_there(&r->problems) && !r->pool->is_short &&
           !r->study->pool.is_short;
}

bool ml_plan_settle(struct ml_study *study)
{
    struct ml_ensemble *e = &study->ensemble;
    e->block_runs = ml_ensemble_block_runs(e);
    ml_results_describe(e, &study->results);
    study->resolved = ml_resolve(study, ML_RESOLVE_GIVEN);
    study->filled = e->n_vector > 0 ? ml_resolve(study, ML_RESOLVE_FILLED) : NULL;
    return study->resolved && (study->filled || e->n_vector == 0);
}

enum ml_status ml_plan_study(struct ml_reader *r, struct ml_error *err)
{
    enum ml_status status = plan_study_is_sound(r) ? ml_plan_tangents(r, err) : ML_OK;
    if (status != ML_OK)
        return status;
    if (plan_study_is_sound(r))
        ml_plan_show(r);
    const bool is_short = r->pool->is_short || r->study->pool.is_short;
    if (ml_problems_there(&r->problems) && !is_short)
        return ml_problems_report(&r->problems, err);
    if (!is_short) {
        ml_find_defaults(r);
        ml_doubts_tell(r);
    }
    if (is_short || !ml_plan_settle(r->study) || !ml_notices_finish(r))
        return ml_fail(err, ML_E_MEMORY, "%s: out of memory", r->study->name);
    return ML_OK;
}
