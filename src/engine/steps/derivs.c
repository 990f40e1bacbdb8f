/* Loads the derivatives of constants and initial state with respect to parameters: the system's
 * own, else differences. */
#include "engine/steps/derivs.h"

#include <float.h>
#include <string.h>

#include "model/defined.h"

void ml_derivs_layout(const struct ml_ensemble *ensemble, struct ml_arena *arena,
                      struct ml_derivs *derivs)
{
    const struct ml_system *system = ensemble->model.system;
    const int n_value = ensemble->numbers.n;
    *derivs = (struct ml_derivs){0};
    if (ensemble->model.n_sens == 0)
        return;
    derivs->given = ml_rows_take(arena, n_value);
    derivs->along = ml_rows_take(arena, n_value);
    derivs->values = ml_rows_take(arena, n_value);
    for (int i = 0; i < ML_SLOPE_RUNS; i++)
        derivs->run[i] = ml_arena_take(arena, (size_t)n_value, sizeof(double));
    for (int i = 0; i < 2; i++)
        derivs->energy[i] = ml_rows_take(arena, ensemble->model.n_sens);
    derivs->start_energy = ml_rows_take(arena, ensemble->model.n_sens);
    derivs->record = ml_rows_take(arena, ml_rows_state(ensemble));
    for (int i = 0; i < 3; i++)
        derivs->below[i] = ml_rows_take(arena, 1);
    for (int i = 0; i < 2; i++) {
        derivs->constants[i] =
            ml_rows_take(arena, system->dynamics.constant_rows(&ensemble->model));
        derivs->x[i] = ml_rows_take(arena, ml_n_x(&ensemble->model));
    }
}

/* One run's part of rows [n]. */
static void derivs_gather(int n, const double *batched, int lane, double *run)
{
    for (int i = 0; i < n; i++)
        run[i] = batched[i * ML_LANES + lane];
}

static void scatter(int n, const double *run, int lane, double *batched)
{
    for (int i = 0; i < n; i++)
        batched[i * ML_LANES + lane] = run[i];
}

static void load_given(const struct ml_ensemble *ensemble, const struct ml_derivs *derivs,
                       int64_t first, int n)
{
    for (int lane = 0; lane < ML_LANES; lane++) {
        if (lane < n)
            ensemble->numbers.values(ensemble->numbers.context, first + lane, derivs->run[0]);
        scatter(ensemble->numbers.n, derivs->run[0], lane, derivs->given);
    }
}

double ml_derivs_difference(int n, int stride, const double *value, const double *deriv)
{
    double least = (double)INFINITY;
    for (int i = 0; i < n * stride; i += stride)
        if (deriv[i] != 0.0) {
            double size = isnan(value[i]) || value[i] == 0.0 ? 1.0 : fabs(value[i]);
            least = fmin(least, size / fabs(deriv[i]));
        }
    return isinf(least) ? 1.0 : cbrt(DBL_EPSILON) * least;
}

/* ml_system.parameters.derive_deriv by differences.
 *   up, down  [n_value] scratch */
static void derive_difference(const struct ml_ensemble *ensemble, const double *given, double *up,
                              double *down, double *deriv)
{
    const int n = ensemble->numbers.n;
    double h = ml_derivs_difference(n, 1, given, deriv);
    for (int v = 0; v < n; v++) {
        up[v] = given[v] + h * deriv[v];
        down[v] = given[v] - h * deriv[v];
    }
    ensemble->model.system->parameters.derive(&ensemble->model, up);
    ensemble->model.system->parameters.derive(&ensemble->model, down);
    for (int v = 0; v < n; v++)
        if (isnan(given[v]))
            deriv[v] += (up[v] - down[v]) / (2.0 * h);
}

/* Rows of a direction, derived slots included. */
static void load_direction(const struct ml_ensemble *ensemble, const struct ml_derivs *derivs,
                           const struct ml_direction *direction, const double *values)
{
    const struct ml_system *system = ensemble->model.system;
    const int n = ensemble->numbers.n;
    double *given = derivs->run[0], *derived = derivs->run[1], *deriv = derivs->run[2];
    for (int lane = 0; lane < ML_LANES; lane++) {
        derivs_gather(n, derivs->given, lane, given);
        for (int v = 0; v < n; v++)
            deriv[v] = 0.0;
        for (int i = 0; i < direction->n; i++)
            deriv[direction->slot[i]] += direction->weight[i];
        if (ensemble->numbers.defined)
            ml_defined_along(ensemble->numbers.defined, given, deriv);
        if (!system->parameters.derive) {
            /* nothing is derived */
        } else if (system->parameters.derive_deriv) {
            derivs_gather(n, values, lane, derived);
            system->parameters.derive_deriv(&ensemble->model, given, derived, deriv);
        } else {
            derive_difference(ensemble, given, derived, derivs->run[3], deriv);
        }
        scatter(n, deriv, lane, derivs->along);
    }
}

/* out = (up - down) / (2 h), rows [n], of one lane. */
static void quotient(int n, const double *up, const double *down, double h, int lane, double *out)
{
    for (int i = 0; i < n; i++)
        out[i * ML_LANES + lane] =
            (up[i * ML_LANES + lane] - down[i * ML_LANES + lane]) / (2.0 * h);
}

/* ml_system.parameters.prepare_deriv by differences. */
static void prepare_difference(const struct ml_ensemble *ensemble, const struct ml_derivs *derivs,
                               const double *values, double *constant_deriv, double *x_deriv)
{
    const struct ml_system *system = ensemble->model.system;
    const int n = ensemble->numbers.n;
    double h[ML_LANES];
    for (int lane = 0; lane < ML_LANES; lane++)
        h[lane] = ml_derivs_difference(n, ML_LANES, values + lane, derivs->along + lane);
    for (int side = 0; side < 2; side++) {
        for (int at = 0; at < n * ML_LANES; at++) {
            double step = h[at % ML_LANES] * derivs->along[at];
            derivs->values[at] = values[at] + (side == 0 ? step : -step);
        }
        system->dynamics.prepare(&ensemble->model, derivs->values, derivs->constants[side],
                                 derivs->x[side]);
    }
    for (int lane = 0; lane < ML_LANES; lane++) {
        quotient(system->dynamics.constant_rows(&ensemble->model), derivs->constants[0],
                 derivs->constants[1], h[lane], lane, constant_deriv);
        quotient(ml_n_x(&ensemble->model), derivs->x[0], derivs->x[1], h[lane], lane, x_deriv);
    }
}

/* Adds the part of the forces' parameters to the derivatives of the joint terms and of the numbers
 * that laws read. */
static void add_forces(const struct ml_ensemble *ensemble, const double *along,
                       const double *values, double *constant_deriv)
{
    const struct ml_law *law = ensemble->model.laws;
    for (int f = 0; f < ensemble->n_force; f++) {
        const struct ml_force_use *use = &ensemble->forces[f];
        const double *deriv = along + use->slot * ML_LANES;
        if (ml_force_use_has_law(use)) {
            memcpy(constant_deriv + law++->constant * ML_LANES, deriv,
                   (size_t)use->n_number * ML_LANES * sizeof *deriv);
            continue;
        }
        struct ml_joint_terms terms =
            ensemble->model.system->forces.joint_terms(&ensemble->model, constant_deriv);
        if (use->type->prepare_deriv)
            use->type->prepare_deriv(values + use->slot * ML_LANES, deriv, use->joint, terms);
        else if (use->type->prepare)
            use->type->prepare(deriv, use->joint, terms);
    }
}

/* The size of a parameter. */
static void load_size(const double *value, double *size)
{
    for (int lane = 0; lane < ML_LANES; lane++)
        size[lane] = isnan(value[lane]) || value[lane] == 0.0 ? 1.0 : fabs(value[lane]);
}

void ml_derivs_load(const struct ml_ensemble *ensemble, const struct ml_derivs *derivs,
                    int64_t first, int n, const double *values, double *constants, double *x)
{
    const struct ml_system *system = ensemble->model.system;
    const struct ml_instance *model = &ensemble->model;
    const int energy = ml_slot_energy(system);
    if (model->n_sens > 0)
        load_given(ensemble, derivs, first, n);
    for (int p = 0; p < model->n_sens; p++) {
        double *constant_deriv = constants + ml_row_constant_deriv(model, p) * ML_LANES;
        double *x_deriv = x + ml_row_x_deriv(model, p) * ML_LANES;
        load_direction(ensemble, derivs, &ensemble->derivatives.directions[p], values);
        if (energy >= 0)
            memcpy(derivs->start_energy + p * ML_LANES, derivs->along + energy * ML_LANES,
                   ML_LANES * sizeof(double));
        if (system->parameters.prepare_deriv)
            system->parameters.prepare_deriv(model, values, derivs->along, constants,
                                             constant_deriv, x_deriv);
        else
            prepare_difference(ensemble, derivs, values, constant_deriv, x_deriv);
        add_forces(ensemble, derivs->along, values, constant_deriv);
        load_size(values + (size_t)ensemble->derivatives.directions[p].slot[0] * ML_LANES,
                  constants + (size_t)ml_row_parameter_size(model, p) * ML_LANES);
    }
}
