/* The start of a batch: values of its runs, constants, states, and what begins with them. */
#include "engine/batch_load.h"

#include <string.h>

#include "engine/line_state.h"
#include "engine/start.h"
#include "engine/step_control.h"

/* Of what rounding leaves of the state there is nothing at the start. */
static void batch_load_clear_low(const struct ml_ensemble *ensemble, double *x)
{
    const int n_x = ml_n_x(&ensemble->model);
    const size_t size = (size_t)n_x * ML_LANES;
    memset(x + (size_t)(1 + ensemble->model.n_column) * size, 0, size * sizeof *x);
}

void ml_batch_load(const struct ml_ensemble *ensemble, struct ml_batch *batch, int64_t first, int n)
{
    const struct ml_system *system = ensemble->model.system;
    for (int lane = 0; lane < ML_LANES; lane++) {
        if (lane < n) {
            ml_line_state_values(ensemble, &batch->line, first, lane, batch->run_values);
            if (system->derive)
                system->derive(&ensemble->model, batch->run_values);
        }
        batch->step[lane] = ml_ensemble_step(ensemble, batch->run_values);
        for (int v = 0; v < ensemble->n_value; v++)
            batch->values[v * ML_LANES + lane] = batch->run_values[v];
    }
    system->prepare(&ensemble->model, batch->values, batch->constants, batch->x);
    const struct ml_instance *model = &ensemble->model;
    const int n_x = ml_n_x(model), n_tangent = model->n_column - model->n_sens;
    (system->has_formulas && n_tangent < n_x ? ml_slanted_vectors : ml_unit_vectors)(n_x, n_tangent,
                                                                                     batch->x);
    if (ensemble->model.is_compensated)
        batch_load_clear_low(ensemble, batch->x);
    ml_forces_load(ensemble, batch->values, batch->constants);
    ml_derivs_load(ensemble, &batch->derivs, first, n, batch->values, batch->constants, batch->x);
    ml_start_load(ensemble, batch);
    ml_feedback_begin(ensemble, &batch->feedback, batch->constants, batch->x, batch->work);
    ml_step_control_begin(ensemble, batch);
}
