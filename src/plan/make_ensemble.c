/* From the spec and the derived values of a study to the ensemble that the engine integrates. */
#include "plan/plan_study.h"

#include "config/values.h"

/* The study's instance, with columns for tangent vectors, laws that know their defaults and, behind
 * all constants, rows for the past that controllers see. */
static struct ml_instance make_model(const struct ml_study_spec *spec,
                                     const struct ml_derived *derived)
{
    struct ml_instance model = spec->model;
    model.n_column = derived->n_tangent + model.n_sens;
    if (derived->laws)
        model.laws = derived->laws;
    for (int l = 0; derived->laws && l < model.n_law; l++)
        if (model.laws[l].feedback > 0)
            model.n_law_constant += ml_feedback_rows(model.n, model.laws[l].n_state);
    return model;
}

void ml_make_ensemble(struct ml_study *study)
{
    const struct ml_study_spec *spec = &study->spec;
    const struct ml_derived *derived = &study->derived;
    const bool is_extended = derived->n_step > 0; /* until an indicator knows enough */
    study->ensemble = (struct ml_ensemble){
        .kernels = study->kernels,
        .made = NULL, /* chosen when it runs, as the next */
        .takes_general = false,
        .model = make_model(spec, derived),
        .code = spec->source.code,
        .forces = spec->forces,
        .n_force = spec->n_force,
        .n_value = spec->n_value,
        .values = ml_study_values,
        .context = spec,
        .defined = spec->defined,
        .start = spec->start,
        .step = spec->step,
        .n_step = is_extended ? derived->n_step : spec->n_step,
        .least_steps = is_extended ? spec->n_step : 0,
        .clock = spec->clock,
        .clock_slot = spec->clock_slot,
        .clock_share = 1.0,
        .i_integrator = spec->i_integrator,
        .is_unstable = study->too_large != NULL,
        .is_adaptive = spec->is_adaptive,
        .control = spec->control,
        .first_step = spec->first_step,
        .observe_every = spec->observe_every,
        .settings = derived->settings ? derived->settings : spec->settings,
        .observables = spec->observables,
        .n_observable = spec->n_observable,
        .left_out = spec->left_out,
        .n_tangent = derived->n_tangent,
        .renormalise_every = derived->renormalise_every,
        .directions = spec->directions,
        .differentiated = spec->differentiated,
        .n_differentiated = spec->n_differentiated,
        .events = spec->events,
        .n_event = spec->n_event,
        .saving = spec->saving,
        .n_run = spec->n_run,
        .continuation = spec->continuation,
        .feedback = derived->feedback,
        .block_runs = 0, /* chosen by ml_plan_settle, from all the above */
    };
}
