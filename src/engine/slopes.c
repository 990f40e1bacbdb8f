#include "engine/slopes.h"

#include <float.h>
#include <math.h>
#include <string.h>

static double *rows(struct ml_arena *arena, int n)
{
    return ml_arena_take(arena, (size_t)n * ML_LANES, sizeof(double));
}

void ml_slopes_layout(const struct ml_ensemble *ensemble, struct ml_arena *arena,
                      struct ml_slopes *slopes)
{
    const struct ml_system *system = ensemble->system;
    const int n_value = ensemble->n_value;
    *slopes = (struct ml_slopes){0};
    if (ensemble->shape.n_parameter == 0)
        return;
    slopes->given = rows(arena, n_value);
    slopes->along = rows(arena, n_value);
    slopes->values = rows(arena, n_value);
    for (int i = 0; i < ML_SLOPE_RUNS; i++)
        slopes->run[i] = ml_arena_take(arena, (size_t)n_value, sizeof(double));
    for (int i = 0; i < 2; i++)
        slopes->energy[i] = rows(arena, ensemble->shape.n_parameter);
    slopes->record = rows(arena, ml_rows_state(ensemble));
    for (int i = 0; i < 3; i++)
        slopes->below[i] = rows(arena, 1);
    for (int i = 0; i < 2; i++) {
        slopes->constants[i] = rows(arena, system->constant_rows(&ensemble->shape));
        slopes->x[i] = rows(arena, system->n_x(&ensemble->shape));
    }
}

/* One run's part of rows [n]. */
static void gather(int n, const double *batched, int lane, double *run)
{
    for (int i = 0; i < n; i++)
        run[i] = batched[i * ML_LANES + lane];
}

static void scatter(int n, const double *run, int lane, double *batched)
{
    for (int i = 0; i < n; i++)
        batched[i * ML_LANES + lane] = run[i];
}

static void load_given(const struct ml_ensemble *ensemble, const struct ml_slopes *slopes,
                       int64_t first, int n)
{
    for (int lane = 0; lane < ML_LANES; lane++) {
        if (lane < n)
            ensemble->values(ensemble->context, first + lane, slopes->run[0]);
        scatter(ensemble->n_value, slopes->run[0], lane, slopes->given);
    }
}

double ml_slopes_difference(int n, int stride, const double *value, const double *slope)
{
    double least = (double)INFINITY;
    for (int i = 0; i < n * stride; i += stride)
        if (slope[i] != 0.0) {
            double size = isnan(value[i]) || value[i] == 0.0 ? 1.0 : fabs(value[i]);
            least = fmin(least, size / fabs(slope[i]));
        }
    return isinf(least) ? 1.0 : cbrt(DBL_EPSILON) * least;
}

/* ml_system.derive_slope by differences.
 *   up, down  [n_value] scratch */
static void derive_difference(const struct ml_ensemble *ensemble, const double *given, double *up,
                              double *down, double *slope)
{
    const int n = ensemble->n_value;
    double h = ml_slopes_difference(n, 1, given, slope);
    for (int v = 0; v < n; v++) {
        up[v] = given[v] + h * slope[v];
        down[v] = given[v] - h * slope[v];
    }
    ensemble->system->derive(&ensemble->shape, up);
    ensemble->system->derive(&ensemble->shape, down);
    for (int v = 0; v < n; v++)
        if (isnan(given[v]))
            slope[v] += (up[v] - down[v]) / (2.0 * h);
}

/* Rows of a direction, derived slots included. */
static void load_direction(const struct ml_ensemble *ensemble, const struct ml_slopes *slopes,
                           const struct ml_direction *direction, const double *values)
{
    const struct ml_system *system = ensemble->system;
    const int n = ensemble->n_value;
    double *given = slopes->run[0], *derived = slopes->run[1], *slope = slopes->run[2];
    for (int lane = 0; lane < ML_LANES; lane++) {
        gather(n, slopes->given, lane, given);
        for (int v = 0; v < n; v++)
            slope[v] = 0.0;
        for (int i = 0; i < direction->n; i++)
            slope[direction->slot[i]] += direction->weight[i];
        if (!system->derive) {
            /* nothing is derived */
        } else if (system->derive_slope) {
            gather(n, values, lane, derived);
            system->derive_slope(&ensemble->shape, given, derived, slope);
        } else {
            derive_difference(ensemble, given, derived, slopes->run[3], slope);
        }
        scatter(n, slope, lane, slopes->along);
    }
}

/* out = (up - down) / (2 h), rows [n], of one lane. */
static void quotient(int n, const double *up, const double *down, double h, int lane, double *out)
{
    for (int i = 0; i < n; i++)
        out[i * ML_LANES + lane] =
            (up[i * ML_LANES + lane] - down[i * ML_LANES + lane]) / (2.0 * h);
}

/* ml_system.prepare_slope by differences. */
static void prepare_difference(const struct ml_ensemble *ensemble, const struct ml_slopes *slopes,
                               const double *values, double *constant_slope, double *x_slope)
{
    const struct ml_system *system = ensemble->system;
    const int n = ensemble->n_value;
    double h[ML_LANES];
    for (int lane = 0; lane < ML_LANES; lane++)
        h[lane] = ml_slopes_difference(n, ML_LANES, values + lane, slopes->along + lane);
    for (int side = 0; side < 2; side++) {
        for (int at = 0; at < n * ML_LANES; at++) {
            double step = h[at % ML_LANES] * slopes->along[at];
            slopes->values[at] = values[at] + (side == 0 ? step : -step);
        }
        system->prepare(&ensemble->shape, slopes->values, slopes->constants[side], slopes->x[side]);
    }
    for (int lane = 0; lane < ML_LANES; lane++) {
        quotient(system->constant_rows(&ensemble->shape), slopes->constants[0],
                 slopes->constants[1], h[lane], lane, constant_slope);
        quotient(system->n_x(&ensemble->shape), slopes->x[0], slopes->x[1], h[lane], lane, x_slope);
    }
}

/* Adds what the forces' parameters change to the derivatives of the joint terms, and what laws read
 * of them. */
static void add_forces(const struct ml_ensemble *ensemble, const double *along,
                       const double *values, double *constant_slope)
{
    const struct ml_law *law = ensemble->shape.laws;
    for (int f = 0; f < ensemble->n_force; f++) {
        const struct ml_force_use *use = &ensemble->forces[f];
        const double *slope = along + use->slot * ML_LANES;
        if (ml_force_use_has_law(use)) {
            memcpy(constant_slope + law++->constant * ML_LANES, slope,
                   (size_t)use->n_number * ML_LANES * sizeof *slope);
            continue;
        }
        struct ml_joint_terms terms =
            ensemble->system->joint_terms(&ensemble->shape, constant_slope);
        if (use->type->prepare_slope)
            use->type->prepare_slope(values + use->slot * ML_LANES, slope, use->joint, terms);
        else if (use->type->prepare)
            use->type->prepare(slope, use->joint, terms);
    }
}

void ml_slopes_load(const struct ml_ensemble *ensemble, const struct ml_slopes *slopes,
                    int64_t first, int n, const double *values, double *constants, double *x)
{
    const struct ml_system *system = ensemble->system;
    const struct ml_shape *shape = &ensemble->shape;
    if (shape->n_parameter > 0)
        load_given(ensemble, slopes, first, n);
    for (int p = 0; p < shape->n_parameter; p++) {
        double *constant_slope = constants + ml_row_constant_slope(system, shape, p) * ML_LANES;
        double *x_slope = x + ml_row_x_slope(system, shape, p) * ML_LANES;
        load_direction(ensemble, slopes, &ensemble->directions[p], values);
        if (system->prepare_slope)
            system->prepare_slope(shape, values, slopes->along, constants, constant_slope, x_slope);
        else
            prepare_difference(ensemble, slopes, values, constant_slope, x_slope);
        add_forces(ensemble, slopes->along, values, constant_slope);
    }
}
