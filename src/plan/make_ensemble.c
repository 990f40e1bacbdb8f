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
        .numbers.n = spec->n_value,
        .numbers.values = ml_study_values,
        .numbers.context = spec,
        .numbers.defined = spec->defined,
        .time.start = spec->start,
        .time.step = spec->step,
        .time.n_step = spec->n_step,
        .time.clock = spec->clock,
        .time.slot = spec->clock_slot,
        .time.share = 1.0,
        .method = ml_study_spec_method(spec),
        .time.is_adaptive = spec->is_adaptive,
        .chosen.control = spec->control,
        .chosen.first = spec->first_step,
        .indicators.observe_every = spec->observe_every,
        .indicators.settings = spec->settings,
        .indicators.observables = spec->observables,
        .indicators.n_observable = spec->n_observable,
        .indicators.left_out = spec->left_out,
        .derivatives.directions = spec->directions,
        .derivatives.differentiated = spec->differentiated,
        .derivatives.n_differentiated = spec->n_differentiated,
        .events = spec->events,
        .n_event = spec->n_event,
        .saving = spec->saving,
        .n_run = spec->n_run,
        .continuation = spec->continuation,
    };
    study->ensemble.model.n_column = spec->model.n_sens;
}
