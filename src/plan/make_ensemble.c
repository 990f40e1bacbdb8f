/* From the spec of a study to the ensemble that the engine integrates. */
#include "plan/plan_study.h"

#include "config/schema/values.h"

void ml_make_ensemble(struct ml_study *study)
{
    const struct ml_study_spec *spec = &study->spec;
    study->ensemble = (struct ml_ensemble){
        .kernels = study->kernels,
        .model = spec->model,
        .code = spec->source.code,
        .forces = spec->forces,
        .n_force = spec->n_force,
        .n_value = spec->n_value,
        .values = ml_study_values,
        .context = spec,
        .defined = spec->defined,
        .start = spec->start,
        .step = spec->step,
        .n_step = spec->n_step,
        .clock = spec->clock,
        .clock_slot = spec->clock_slot,
        .clock_share = 1.0,
        .method = ml_study_spec_method(spec),
        .is_adaptive = spec->is_adaptive,
        .control = spec->control,
        .first_step = spec->first_step,
        .observe_every = spec->observe_every,
        .settings = spec->settings,
        .observables = spec->observables,
        .n_observable = spec->n_observable,
        .left_out = spec->left_out,
        .directions = spec->directions,
        .differentiated = spec->differentiated,
        .n_differentiated = spec->n_differentiated,
        .events = spec->events,
        .n_event = spec->n_event,
        .saving = spec->saving,
        .n_run = spec->n_run,
        .continuation = spec->continuation,
    };
    study->ensemble.model.n_column = spec->model.n_sens;
}
