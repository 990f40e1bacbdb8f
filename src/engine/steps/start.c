/* Finds the rates of a start from its momenta, or scales them to the energy that the study gives
 * it; looks at its constraints. */
#include <math.h>

#include "engine/team/batch_run.h"

/* The rows of the state that the energy decides, and in which lanes. */
struct start {
    const struct ml_ensemble *ensemble;
    struct ml_batch *batch;
    const double *energy; /* [1]; NaN: it is not given */
    int first_row, n_row;
    double own[ML_LANES]; /* kinetic energy of the rates, J */
};

static bool is_given(const struct start *s, int lane) { return !isnan(s->energy[lane]); }

static double *rates_of(const struct start *s, double *x)
{
    return x + (size_t)s->first_row * ML_LANES;
}

/* Multiplies the rates, or their derivatives, by a factor of each lane that is given an energy. */
static void scale(const struct start *s, const double *factor, double *rates)
{
    for (int at = 0; at < s->n_row * ML_LANES; at++)
        if (is_given(s, at % ML_LANES))
            rates[at] *= factor[at % ML_LANES];
}

/* Energies of the batch as it is. */
static void find_energies(const struct start *s)
{
    struct ml_batch *b = s->batch;
    s->ensemble->model.system->energy.measure(&s->ensemble->model, b->constants, b->x, b->work,
                                              b->energy.kinetic, b->energy.potential, NULL);
}

/* Sets the one rate that is found to its sign, and `others` to the kinetic energy without it. */
static void find_others(const struct start *s, double *others)
{
    double *rate = rates_of(s, s->batch->x), sign[ML_LANES];
    for (int lane = 0; lane < ML_LANES; lane++) {
        sign[lane] = rate[lane] < 0.0 ? -1.0 : 1.0;
        rate[lane] = is_given(s, lane) ? 0.0 : rate[lane];
    }
    find_energies(s);
    for (int lane = 0; lane < ML_LANES; lane++) {
        others[lane] = s->batch->energy.kinetic[lane];
        rate[lane] = is_given(s, lane) ? sign[lane] : rate[lane];
    }
}

/* NaN where no factor reaches the energy; a start at rest that has its energy stays as it is. */
static double factor_of(double left, double own)
{
    const double factor = own == 0.0 && left == 0.0 ? 1.0 : sqrt(left / own);
    return isfinite(factor) ? factor : (double)NAN;
}

/* A system that is not of its declared form has a kinetic energy that is no quadratic form of its
 * rates. */
static bool has_energy(const struct start *s, int lane)
{
    const double kinetic = s->batch->energy.kinetic[lane],
                 potential = s->batch->energy.potential[lane];
    const double error = kinetic + potential - s->energy[lane];
    return fabs(error) <= 1e-9 * (fabs(kinetic) + fabs(potential));
}

/* Scales the state's rates; `own` is then their kinetic energy. */
static void set_rates(struct start *s, double *factor)
{
    double others[ML_LANES] = {0.0}, *rates = rates_of(s, s->batch->x);
    const bool finds_rate = s->ensemble->model.system->start.finds_rate;
    if (finds_rate)
        find_others(s, others);
    find_energies(s);
    for (int lane = 0; lane < ML_LANES; lane++) {
        s->own[lane] = s->batch->energy.kinetic[lane] - others[lane];
        factor[lane] = factor_of(s->energy[lane] - s->batch->energy.potential[lane] - others[lane],
                                 s->own[lane]);
        s->own[lane] *= factor[lane] * factor[lane];
    }
    scale(s, factor, rates);
    find_energies(s);
    for (int lane = 0; lane < ML_LANES; lane++) {
        if (!is_given(s, lane) || has_energy(s, lane))
            continue;
        s->batch->impossible |= 1u << lane;
        for (int i = 0; i < s->n_row; i++)
            rates[i * ML_LANES + lane] = (double)NAN;
    }
}

/* Derivatives of the rates, from those of the rates that were scaled. */
static void set_derivs(const struct start *s, double *factor)
{
    const struct ml_ensemble *e = s->ensemble;
    const double *rates = rates_of(s, s->batch->x);
    double *const *deriv = s->batch->derivs.energy;
    for (int lane = 0; lane < ML_LANES; lane++)
        factor[lane] = e->model.system->start.finds_rate ? 0.0 : factor[lane];
    for (int p = 0; p < e->model.n_sens; p++)
        scale(s, factor, rates_of(s, s->batch->x + ml_row_x_deriv(&e->model, p) * ML_LANES));
    ml_derivs_of_energy(e, s->batch, deriv[0], deriv[1], NULL);
    for (int p = 0; p < e->model.n_sens; p++) {
        double *out = rates_of(s, s->batch->x + ml_row_x_deriv(&e->model, p) * ML_LANES);
        for (int at = 0; at < s->n_row * ML_LANES; at++) {
            const int lane = at % ML_LANES, of = p * ML_LANES + lane;
            const double gain = s->batch->derivs.start_energy[of] - deriv[0][of] - deriv[1][of];
            if (is_given(s, lane) && gain != 0.0) /* at rest nothing has to change */
                out[at] += gain / (2.0 * s->own[lane]) * rates[at];
        }
    }
}

void ml_start_load(const struct ml_ensemble *ensemble, struct ml_batch *batch)
{
    const struct ml_instance *model = &ensemble->model;
    const struct ml_system *system = model->system;
    const int slot = ml_slot_energy(system), first = ml_slot_initial(model, 0, 0);
    struct start s = {.ensemble = ensemble, .batch = batch};
    double factor[ML_LANES];
    bool is_any = false;
    batch->impossible = 0;
    if (system->start.set)
        system->start.set(model, ml_times(ensemble->time.start).lane, batch->constants, batch->x,
                          batch->work);
    if (slot < 0)
        return;
    s.energy = batch->values + (size_t)slot * ML_LANES;
    s.first_row = ml_slot_initial(model, system->start.first_rate, 0) - first;
    s.n_row = ml_slot_initial(model, system->start.first_rate + system->start.n_rate, 0) - first -
              s.first_row;
    for (int lane = 0; lane < ML_LANES; lane++)
        is_any |= is_given(&s, lane);
    if (!is_any)
        return;
    set_rates(&s, factor);
    if (ensemble->model.n_sens > 0)
        set_derivs(&s, factor);
}

void ml_start_refuse(const struct ml_ensemble *ensemble, struct ml_batch *batch)
{
    const struct ml_system *system = ensemble->model.system;
    const int n_x = ml_n_x(&ensemble->model);
    if (!system->constraints.misfits || batch->line.has_continuation ||
        ensemble->continuation.has_continuation)
        return;
    const unsigned lanes =
        system->constraints.misfits(&ensemble->model, ml_times(ensemble->time.start).lane,
                                    batch->constants, batch->x, batch->work, NULL);
    batch->impossible |= lanes;
    for (int i = 0; i < n_x * ML_LANES; i++)
        if (lanes >> i % ML_LANES & 1)
            batch->x[i] = (double)NAN;
}
