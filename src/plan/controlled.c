/* Finds the angle whose step response a study is about. */
#include "plan/controlled.h"

#include <stdlib.h>

#include "config/schema/values.h"
#include "model/forces/numbers.h"

int ml_controlled_target(const struct ml_force_use *use, int n)
{
    const struct ml_force *type = use->type;
    const bool is_one = type->feedback > 0 && !use->formula && type->places & ML_AT_JOINT;
    for (int p = 0; is_one && p < type->n_param; p++)
        if (type->params[p].flags & ML_SIGNAL)
            return use->signals[0].type == ML_CONSTANT_SIGNAL
                       ? use->slot + ml_force_first_number(type, n, p) + ML_SIGNAL_VALUE
                       : -1;
    return -1;
}

int ml_controlled_segment(const struct ml_layout *layout)
{
    const struct ml_study_spec *spec = &layout->study->spec;
    const struct ml_instance *model = &layout->study->ensemble.model;
    double *values = calloc((size_t)spec->numbers.n + 1, sizeof *values);
    int last = -1;
    if (values && spec->n_force > 0)
        ml_study_values(spec, layout->study->ensemble.n_run / 2, values);
    for (int f = 0; values && f < spec->n_force; f++) {
        const struct ml_force_use *use = &spec->forces[f];
        const int target = ml_controlled_target(use, model->n);
        if (target >= 0 && values[target] != values[ml_slot_initial(model, 0, use->segment)] &&
            use->segment > last)
            last = use->segment;
    }
    free(values);
    return last;
}
