/* Derivatives of observed quantities with respect to the parameters, from the tangent vectors. */
#include <math.h>
#include <string.h>

#include "engine/team/batch_run.h"

/* State quantities are linear in the state's rows, whatever the time, so those of a derivative are
 * its own. */
void ml_derivs_of_state(const struct ml_ensemble *ensemble, const struct ml_batch *batch, int first,
                        int n, double *out)
{
    const struct ml_system *system = ensemble->model.system;
    const struct ml_instance *model = &ensemble->model;
    double *end = batch->derivs.record;
    for (int q = first; end && q < first + n; q++) {
        batch->records.rows[q] = end;
        end += ml_quantity_rows(&system->tables.state[q], model->n) * ML_LANES;
    }
    for (int p = 0; p < model->n_sens; p++) {
        system->dynamics.record(model, ml_times(0.0).lane, batch->constants,
                                batch->x + ml_row_x_deriv(model, p) * ML_LANES, batch->work,
                                batch->records.rows);
        double *to = out + p * ML_LANES;
        for (const double *row = batch->derivs.record; row < end; row += ML_LANES) {
            memcpy(to, row, ML_LANES * sizeof *to);
            to += model->n_sens * ML_LANES;
        }
    }
    for (int q = first; q < first + n; q++)
        batch->records.rows[q] = NULL;
}

/* to = from + side step derivative, rows [n]; step is a lane's own. */
static void derivs_observed_move(int n, const double *from, const double *deriv, const double *step,
                                 double side, double *to)
{
    for (int at = 0; at < n * ML_LANES; at++)
        to[at] = from[at] + side * step[at % ML_LANES] * deriv[at];
}

/* How far each lane is moved along parameter direction p for a central difference. */
static void find_steps(const struct ml_ensemble *ensemble, const struct ml_batch *batch, int p,
                       double step[ML_LANES])
{
    const struct ml_system *system = ensemble->model.system;
    const struct ml_instance *model = &ensemble->model;
    const double *constants = batch->constants, *x = batch->x;
    const double *constant_deriv = constants + ml_row_constant_deriv(model, p) * ML_LANES;
    const double *x_deriv = x + ml_row_x_deriv(model, p) * ML_LANES;
    for (int lane = 0; lane < ML_LANES; lane++)
        step[lane] = fmin(ml_derivs_difference(system->dynamics.constant_rows(model), ML_LANES,
                                               constants + lane, constant_deriv + lane),
                          ml_derivs_difference(ml_n_x(model), ML_LANES, x + lane, x_deriv + lane));
}

/* The batch's constants and state, moved along parameter direction p, to its scratch. */
static void move_batch(const struct ml_ensemble *ensemble, const struct ml_batch *batch, int p,
                       const double step[ML_LANES], double side)
{
    const struct ml_system *system = ensemble->model.system;
    const struct ml_instance *model = &ensemble->model;
    const struct ml_derivs *own = &batch->derivs;
    derivs_observed_move(system->dynamics.constant_rows(model), batch->constants,
                         batch->constants + ml_row_constant_deriv(model, p) * ML_LANES, step, side,
                         own->constants[0]);
    derivs_observed_move(ml_n_x(model), batch->x, batch->x + ml_row_x_deriv(model, p) * ML_LANES,
                         step, side, own->x[0]);
}

/* ml_system.energy.deriv by differences.
 *   out  [3] kinetic, potential, scale */
static void energy_difference(const struct ml_ensemble *ensemble, const struct ml_batch *batch,
                              int p, double *const *out)
{
    const struct ml_derivs *own = &batch->derivs;
    double step[ML_LANES];
    find_steps(ensemble, batch, p, step);
    for (int side = 1; side >= -1; side -= 2) {
        double *const *to = side > 0 ? out : own->below;
        move_batch(ensemble, batch, p, step, side);
        ensemble->model.system->energy.measure(&ensemble->model, own->constants[0], own->x[0],
                                               batch->work, to[0], to[1], out[2] ? to[2] : NULL);
    }
    for (int i = 0; i < 3; i++)
        for (int lane = 0; out[i] && lane < ML_LANES; lane++)
            out[i][lane] = (out[i][lane] - own->below[i][lane]) / (2.0 * step[lane]);
}

void ml_derivs_of_record(const struct ml_ensemble *ensemble, const struct ml_batch *batch,
                         const double *t, int i_record, double *out)
{
    const struct ml_derivs *own = &batch->derivs;
    const int n_sens = ensemble->model.n_sens, n_row = ml_record_rows(ensemble, i_record);
    double step[ML_LANES];
    if (i_record < ensemble->model.system->tables.n_state) {
        ml_derivs_of_state(ensemble, batch, i_record, 1, out);
        return;
    }
    for (int p = 0; p < n_sens; p++) {
        const double *above = batch->by_parameters.sides[0], *below = batch->by_parameters.sides[1];
        find_steps(ensemble, batch, p, step);
        for (int side = 1; side >= -1; side -= 2) {
            move_batch(ensemble, batch, p, step, side);
            batch->records.rows[i_record] = batch->by_parameters.sides[side < 0];
            ensemble->model.system->dynamics.record(&ensemble->model, t, own->constants[0],
                                                    own->x[0], batch->work, batch->records.rows);
            batch->records.rows[i_record] = NULL;
        }
        for (int at = 0; at < n_row * ML_LANES; at++)
            out[(at / ML_LANES * n_sens + p) * ML_LANES + at % ML_LANES] =
                (above[at] - below[at]) / (2.0 * step[at % ML_LANES]);
    }
}

void ml_derivs_of_energy(const struct ml_ensemble *ensemble, const struct ml_batch *batch,
                         double *kinetic, double *potential, double *scale)
{
    const struct ml_system *system = ensemble->model.system;
    for (int p = 0; p < ensemble->model.n_sens; p++) {
        const int at = p * ML_LANES;
        double *const rows[] = {kinetic + at, potential + at, scale ? scale + at : NULL};
        const struct ml_energies out = {rows[0], rows[1], rows[2]};
        if (system->energy.deriv)
            system->energy.deriv(&ensemble->model, p, batch->constants, batch->x, batch->work,
                                 &out);
        else
            energy_difference(ensemble, batch, p, rows);
    }
}
