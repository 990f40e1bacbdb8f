/* Rules of the statistics of a sample. */
#include "plan/described.h"

bool ml_described(const struct ml_layout *layout)
{
    const struct ml_sample_points *sample = layout->study->spec.sample;
    return sample && !ml_design_has_points(sample->design) && layout->shard.count == 1;
}

bool ml_described_output(const struct ml_layout *layout, int i)
{
    const struct ml_ensemble *e = &layout->study->ensemble;
    const struct ml_output *output = &layout->results.outputs[i];
    for (int k = 0; k < ML_MAX_DIM; k++)
        if (output->dim[k] == ML_DIM_TIME || output->dim[k] == ML_DIM_CROSSING ||
            output->dim[k] == ML_DIM_OUTPUT || output->dim[k] == ML_DIM_PARAMETER)
            return false;
    return !ml_event_is_label(e->n_event, e->events, output->name);
}

bool ml_described_run(const struct ml_layout *layout, int64_t k)
{
    const int64_t n = ml_sample_runs_of_point(layout->study->spec.sample), row = k % n;
    return row == 0 || row == n - 1;
}
