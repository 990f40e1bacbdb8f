/* Functions of a system with records by formula: those of the system, and behind these the
 * formulas, which are interpreted as those of system `equations` are. */
#include "model/quantities.h"

#include <math.h>

#include "model/equations.kern.h"

static int quantities_rhs_rows(const struct ml_instance *model)
{
    return model->quantities->base->dynamics.rhs_rows(model) + ml_quantities_rows(model);
}

/* Numbers of a run, or their derivatives, to the rows of constants that formulas take. */
static void quantities_copy(const struct ml_instance *model, const double *values,
                            double *constants)
{
    const struct ml_quantities *own = model->quantities;
    for (int i = 0; i < model->n_quantity_constant; i++)
        memcpy(constants + (long)(own->first_constant + i) * ML_LANES,
               values + (long)own->slots[i] * ML_LANES, ML_LANES * sizeof *values);
}

static void quantities_prepare(const struct ml_instance *model, const double *values,
                               double *constants, double *x)
{
    model->quantities->base->dynamics.prepare(model, values, constants, x);
    quantities_copy(model, values, constants);
}

static void quantities_prepare_deriv(const struct ml_instance *model, const double *values,
                                     const double *deriv, const double *constants,
                                     double *constant_deriv, double *x_deriv)
{
    model->quantities->base->parameters.prepare_deriv(model, values, deriv, constants,
                                                      constant_deriv, x_deriv);
    quantities_copy(model, deriv, constant_deriv);
}

/* Where the numbers of formulas are while these are computed; rows of ML_LANES. */
struct quantities_work {
    double **records;         /* [n_record of the system] */
    double *time, *value, *x; /* [1], [1], [n_input] */
    double *free;             /* the rest */
};

static struct quantities_work quantities_place(const struct ml_instance *model, double *work)
{
    const struct ml_quantities *own = model->quantities;
    const size_t n = (size_t)own->base->tables.n_record;
    struct quantities_work w = {.time =
                                    work + (long)own->base->dynamics.rhs_rows(model) * ML_LANES};
    w.value = w.time + ML_LANES;
    w.x = w.value + ML_LANES;
    w.free = w.x + (long)own->n_input * ML_LANES;
    w.records = (double **)(void *)w.free;
    w.free += (n * sizeof *w.records / sizeof(double) + ML_LANES - 1) / ML_LANES * ML_LANES;
    return w;
}

/* Asks for the records that a formula takes. */
static void quantities_ask(const struct ml_instance *model,
                           const struct ml_quantity_formula *formula, struct quantities_work *w)
{
    const struct ml_quantities *own = model->quantities;
    for (int i = 0; i < formula->n_input; i++) {
        const int q = own->inputs[formula->inputs[i]].record;
        if (q == ML_OF_STATE || w->records[q])
            continue;
        w->records[q] = w->free;
        w->free += (long)ml_instance_rows(model, &own->base->tables.records[q]) * ML_LANES;
    }
}

static void quantities_compute(const struct ml_instance *model,
                               const struct ml_quantity_formula *formula, const double *constants,
                               const double *x, const struct quantities_work *w, double *out)
{
    const struct ml_quantities *own = model->quantities;
    const struct ml_rhs_ctx ctx = {
        .n_group = ML_ROW, .own = &formula->formula, .path = ML_CHECKED, .constants = constants};
    for (int i = 0; i < formula->n_input; i++) {
        const struct ml_quantity_input *input = &own->inputs[formula->inputs[i]];
        const double *from = input->record == ML_OF_STATE ? x : w->records[input->record];
        memcpy(w->x + (long)formula->inputs[i] * ML_LANES, from + (long)input->row * ML_LANES,
               ML_LANES * sizeof *out);
    }
    equations_rhs(&ctx, ML_STAGE_FIRST, (const ml_vec *)w->time, (const ml_vec *)w->x,
                  (ml_vec *)w->value, (ml_vec *)w->free);
    memcpy(out, w->value, ML_LANES * sizeof *out);
}

static void quantities_record(const struct ml_instance *model, const double *t,
                              const double *constants, const double *x, double *work,
                              double *const *out)
{
    const struct ml_quantities *own = model->quantities;
    const int n_record = own->base->tables.n_record;
    struct quantities_work w = quantities_place(model, work);
    memcpy(w.time, t, ML_LANES * sizeof *t);
    memcpy(w.records, out, (size_t)n_record * sizeof *out);
    for (int i = 0; i < own->n; i++)
        if (out[n_record + i])
            quantities_ask(model, &own->formulas[i], &w);
    own->base->dynamics.record(model, t, constants, x, work, w.records);
    for (int i = 0; i < own->n; i++)
        if (out[n_record + i])
            quantities_compute(model, &own->formulas[i], constants, x, &w, out[n_record + i]);
}

static void quantities_formula_deriv(const struct ml_instance *model, int q,
                                     const struct ml_moment *at, const struct ml_moment *along,
                                     double *work, double *out)
{
    const struct ml_quantities *own = model->quantities;
    const struct ml_quantity_formula *formula = ml_quantities_formula(model, q);
    const struct ml_program *program = &formula->formula.programs[ML_EQUATIONS_BARE];
    const struct quantities_work w = quantities_place(model, work);
    double *value = w.free, *rates = value + 2 * ML_LANES;
    const struct ml_rhs_ctx ctx = {.n_group = ML_ROW, .path = ML_CHECKED};
    const struct ml_program_rows rows = {
        .n = ML_ROW,
        .t = (const ml_vec *)w.time,
        .x = (const ml_vec *)w.x,
        .y = (const ml_vec *)rates,
        .params = at->constants,
        .param_derivs = along->constants,
        .registers = (ml_vec *)(rates + (long)own->n_input * ML_LANES),
        .curves = formula->formula.curves,
        .ctx = &ctx,
    };
    memcpy(w.time, at->t, ML_LANES * sizeof *at->t);
    for (int i = 0; i < formula->n_input; i++) {
        const long input = formula->inputs[i], row = own->inputs[input].row;
        memcpy(w.x + input * ML_LANES, at->x + row * ML_LANES, ML_LANES * sizeof *at->x);
        memcpy(rates + input * ML_LANES, along->x + row * ML_LANES, ML_LANES * sizeof *along->x);
    }
    ml_program_run(program, 0, &rows, false, (ml_vec *)w.value);
    ml_program_run(program, 1, &rows, false, (ml_vec *)value);
    if (along->constants)
        ml_program_run(program, 2, &rows, true, (ml_vec *)value);
    for (int lane = 0; lane < ML_LANES; lane++)
        out[lane] = fma(value[ML_LANES + lane], along->t[lane], value[lane]);
}

extern const struct ml_system ML_K(ml_system_of_quantities);
const struct ml_system ML_K(ml_system_of_quantities) = {
    .dynamics.rhs_rows = quantities_rhs_rows,
    .dynamics.prepare = quantities_prepare,
    .parameters.prepare_deriv = quantities_prepare_deriv,
    .dynamics.record = quantities_record,
    .dynamics.formula_deriv = quantities_formula_deriv,
};
