/* Plans a study that was read: the values that the study leaves out are derived here, and nowhere
 * else. */
#include "plan/plan_study.h"

#include "config/schema/resolve.h"
#include "plan/cost.h"
#include "plan/plausibility.h"
#include "plan/requirements.h"

/* Whether there is a study without problems so far. */
static bool plan_study_is_sound(const struct ml_reader *r)
{
    return r->root && !ml_problems_there(&r->problems) && !r->pool->is_short &&
           !r->spec->pool->is_short;
}

bool ml_plan_settle(struct ml_study *study)
{
    const struct ml_study_spec *spec = &study->spec;
    struct ml_ensemble *e = &study->ensemble;
    const bool has_vectors = e->indicators.n_tangent > 0;
    e->block_runs = ml_ensemble_block_runs(e);
    const double interval = spec->time.step * (double)e->indicators.renormalise_every; /* s */
    study->resolved = ml_resolve(spec, spec->indicators.settings,
                                 study->derived.is_renormalise_derived ? interval : 0.0);
    study->filled = has_vectors ? ml_resolve(spec, e->indicators.settings, 0.0) : NULL;
    return study->resolved && (study->filled || !has_vectors);
}

/* The last notice, about `show` of a settled study, and the text of all notices; false without
 * memory. */
static bool plan_study_end_notices(struct ml_reader *r, struct ml_study *study)
{
    ml_plan_notice_show(r, study);
    study->notices = ml_notices_list(r, &study->pool);
    study->n_notice = study->notices ? r->notices.count : 0;
    return study->notices != NULL;
}

/* Derives the values that the study leaves out, and checks the given ones against them. */
static enum ml_status plan_study_derive(struct ml_reader *r, struct ml_study *study,
                                        struct ml_error *err)
{
    enum ml_status status = ML_OK;
    if (plan_study_is_sound(r)) {
        ml_make_ensemble(study);
        ml_plan_spans(r, study);
    }
    if (plan_study_is_sound(r))
        ml_plan_energy_shell(r, study);
    if (plan_study_is_sound(r))
        status = ml_plan_tangents(r, study, err);
    if (status == ML_OK && plan_study_is_sound(r))
        ml_plan_feedback(r, study);
    if (status == ML_OK && plan_study_is_sound(r))
        ml_plan_mass(r, study);
    if (status == ML_OK && plan_study_is_sound(r) &&
        ml_results_describe(&study->ensemble, &study->pool, &study->results)) {
        ml_plan_show(r, study);
        ml_plan_requirements(r, study);
        ml_plan_cost(r, study);
    }
    return status;
}

enum ml_status ml_plan_study(struct ml_reader *r, struct ml_study *study, struct ml_error *err)
{
    const enum ml_status status = plan_study_derive(r, study, err);
    if (status != ML_OK)
        return status;
    const bool is_short = r->pool->is_short || study->pool.is_short;
    if (ml_problems_there(&r->problems) && !is_short)
        return ml_problems_report(&r->problems, err);
    if (is_short || !ml_plan_laws(study, r->pool) || !ml_plan_views(study))
        return ML_E_MEMORY;
    study->is_planned_by = r->is_seen;
    r->is_seen = NULL; /* notices change nothing */
    ml_plausibility_check(r, study);
    if (!ml_plan_settle(study) || !plan_study_end_notices(r, study))
        return ML_E_MEMORY;
    return ML_OK;
}
