#include "model/quantities.h"

/* Rows that hold a pointer for each record of the system. */
static int pointer_rows(const struct ml_system *system)
{
    const size_t row = ML_LANES * sizeof(double);
    return (int)(((size_t)system->tables.n_record * sizeof(double *) + row - 1) / row);
}

/* Whether some formula takes a record. */
static bool takes(const struct ml_quantities *own, int record)
{
    for (int i = 0; i < own->n_input; i++)
        if (own->inputs[i].record == record)
            return true;
    return false;
}

const struct ml_quantity_formula *ml_quantities_formula(const struct ml_instance *model, int q)
{
    const struct ml_quantities *own = model->quantities;
    return own && q >= own->base->tables.n_record ? &own->formulas[q - own->base->tables.n_record]
                                                  : NULL;
}

int ml_quantities_rows(const struct ml_instance *model)
{
    const struct ml_quantities *own = model->quantities;
    int rows, n_register = 0;
    if (!own)
        return 0;
    rows = pointer_rows(own->base) + 2 * own->n_input + 4; /* time, value and derivatives */
    for (int q = 0; q < own->base->tables.n_record; q++)
        rows += takes(own, q) ? ml_instance_rows(model, &own->base->tables.records[q]) : 0;
    for (int i = 0; i < own->n; i++) {
        const int n = own->formulas[i].formula.programs[ML_EQUATIONS_BARE].n_register;
        n_register = n > n_register ? n : n_register;
    }
    return rows + n_register;
}
