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
        .numbers.n = spec->numbers.n,
        .numbers.values = ml_study_values,
        .numbers.context = spec,
        .numbers.defined = spec->numbers.defined,
        .time.start = spec->time.start,
        .time.step = spec->time.step,
        .time.n_step = spec->time.n_step,
        .time.clock = spec->time.clock,
        .time.slot = spec->time.slot,
        .time.share = 1.0,
        .method = ml_study_spec_method(spec),
        .time.is_adaptive = spec->time.is_adaptive,
        .chosen.control = spec->chosen.control,
        .chosen.first = spec->chosen.first,
        .indicators.observe_every = spec->indicators.observe_every,
        .indicators.settings = spec->indicators.settings,
        .indicators.observables = spec->indicators.observables,
        .indicators.n_observable = spec->indicators.n_observable,
        .indicators.left_out = spec->indicators.left_out,
        .derivatives.directions = spec->derivatives.directions,
        .derivatives.differentiated = spec->derivatives.differentiated,
        .derivatives.n_differentiated = spec->derivatives.n_differentiated,
        .events = spec->events,
        .n_event = spec->n_event,
        .saving = spec->saving,
        .n_run = spec->runs.n,
        .continuation = spec->runs.continuation,
    };
    study->ensemble.model.n_column = spec->model.n_sens;
}
