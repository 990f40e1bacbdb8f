/* Evaluates a system once, at the state and time that the caller gives. */
#include "engine/assess/evaluate.h"

#include <string.h>

#include "engine/team/batch_run.h"
#include "manylink/fail.h"

/* State quantities of lane 0, in the order of system->tables.state. */
static void copy_state(const struct ml_ensemble *ensemble, const struct ml_batch *batch,
                       double *state)
{
    const struct ml_system *system = ensemble->model.system;
    for (int q = 0; q < system->tables.n_state; q++)
        for (int r = 0; r < ml_quantity_rows(&system->tables.state[q], ensemble->model.n); r++)
            *state++ = batch->records.state[q][r * ML_LANES];
}

/* Constraints at the start of lane 0. */
static struct ml_misfit find_misfit(const struct ml_ensemble *ensemble,
                                    const struct ml_batch *batch)
{
    const struct ml_system *system = ensemble->model.system;
    struct ml_misfit misfit = {.kind = ML_FITS};
    if (system->constraints.misfits && !ensemble->continuation.has_continuation)
        (void)system->constraints.misfits(&ensemble->model, ml_times(ensemble->time.start).lane,
                                          batch->constants, batch->x, batch->work, &misfit);
    return misfit;
}

static enum ml_status report_misfit(int64_t run, const struct ml_misfit *misfit,
                                    struct ml_error *err)
{
    if (misfit->kind == ML_MISFIT_DEPENDENT)
        return ml_fail(err, ML_E_INPUT, "run %lld: constraint %d follows from those before it",
                       (long long)run, misfit->constraint + 1);
    return ml_fail(err, ML_E_INPUT, "run %lld cannot start: %sconstraint %d is %g where it starts",
                   (long long)run, misfit->kind == ML_MISFIT_RATE ? "the rate of " : "",
                   misfit->constraint + 1, misfit->value);
}

enum ml_status ml_ensemble_evaluate(const struct ml_ensemble *ensemble, int64_t run,
                                    const struct ml_terms *terms, double *state, double *kinetic,
                                    double *potential, struct ml_error *err)
{
    const struct ml_system *system = ensemble->model.system;
    struct ml_arena arena = {0};
    struct ml_batch batch;
    if (!system->terms.write)
        return ml_fail(err, ML_E_INPUT, "system `%s` is not of the form M q'' = f of segments",
                       system->name);
    ml_batch_layout(ensemble, &arena, &batch);
    if (!ml_arena_reserve(&arena))
        return ml_fail(err, ML_E_MEMORY, "no memory for an evaluation");
    ml_batch_layout(ensemble, &arena, &batch);
    ml_batch_load(ensemble, &batch, run, 1);
    bool is_definite = system->terms.write(&ensemble->model, ensemble->time.start, batch.constants,
                                           batch.x, 0, batch.work, terms);
    system->dynamics.record(&ensemble->model, ml_times(ensemble->time.start).lane, batch.constants,
                            batch.x, batch.work, batch.records.state);
    copy_state(ensemble, &batch, state);
    *kinetic = *potential = (double)NAN;
    if (system->energy.measure) {
        system->energy.measure(&ensemble->model, batch.constants, batch.x, batch.work,
                               batch.energy.kinetic, batch.energy.potential, batch.energy.scale);
        *kinetic = batch.energy.kinetic[0];
        *potential = batch.energy.potential[0];
    }
    const bool is_possible = !batch.impossible;
    const struct ml_misfit misfit = find_misfit(ensemble, &batch);
    if (terms->misfit)
        *terms->misfit = misfit;
    ml_arena_free(&arena);
    if (!is_possible)
        return ml_fail(err, ML_E_INPUT,
                       "run %lld cannot start: no rates have the energy that it is given",
                       (long long)run);
    for (int i = 0; i < ml_rows_state(ensemble); i++)
        if (!isfinite(state[i]))
            return ml_fail(err, ML_E_INPUT,
                           "run %lld cannot start: its initial state is not a finite number",
                           (long long)run);
    if (misfit.kind != ML_FITS)
        return report_misfit(run, &misfit, err);
    if (!is_definite)
        return ml_fail(err, ML_E_INPUT, "run %lld: the mass matrix is not positive definite",
                       (long long)run);
    return ML_OK;
}

/* As ml_ensemble.numbers.values: the run's, with the state instead of its start. */
static void rates_values(const void *context, int64_t run, double *values)
{
    const struct ml_rates_at *at = context;
    const struct ml_ensemble *e = at->ensemble;
    (void)run;
    e->numbers.values(e->numbers.context, at->run, values);
    if (!at->state)
        return;
    memcpy(values + ml_slot_initial(&e->model, 0, 0), at->state,
           (size_t)ml_rows_state(e) * sizeof *values);
    ml_slots_clear_start(e->model.system, values);
}

struct ml_ensemble ml_rates_ensemble(const struct ml_rates_at *at)
{
    struct ml_ensemble e = ml_ensemble_bare(at->ensemble);
    e.time.start = at->time;
    e.n_run = 1;
    e.numbers.values = rates_values;
    e.numbers.context = at;
    return e;
}

/* Memory of one evaluation; rows of ML_LANES. */
struct rates_work {
    struct ml_arena arena;
    struct ml_batch batch;
    double *rate; /* [n_x (1 + n_direction)] */
};

static void rates_layout(const struct ml_ensemble *e, struct rates_work *w)
{
    ml_batch_layout(e, &w->arena, &w->batch);
    w->rate = ml_arena_take(&w->arena, (size_t)ml_rows_x(&e->model) * ML_LANES, sizeof *w->rate);
}

/* State quantities of rows x, which are linear in them. */
static void rates_record(const struct ml_ensemble *e, struct rates_work *w, const double *x,
                         double *out)
{
    e->model.system->dynamics.record(&e->model, ml_times(e->time.start).lane, w->batch.constants, x,
                                     w->batch.work, w->batch.records.state);
    for (int i = 0; i < ml_rows_state(e); i++)
        out[i] = w->batch.records.state[0][i * ML_LANES];
}

static void rates_energies(const struct ml_ensemble *e, struct rates_work *w, double *energies)
{
    struct ml_batch *b = &w->batch;
    energies[0] = energies[1] = (double)NAN;
    if (!e->model.system->energy.measure)
        return;
    e->model.system->energy.measure(&e->model, b->constants, b->x, b->work, b->energy.kinetic,
                                    b->energy.potential, b->energy.scale);
    energies[0] = b->energy.kinetic[0];
    energies[1] = b->energy.potential[0];
}

static enum ml_status rates_fill(const struct ml_ensemble *e, struct rates_work *w, int64_t run,
                                 double *state, double *rates, double *energies,
                                 struct ml_error *err)
{
    const int n_x = ml_n_x(&e->model), n_state = ml_rows_state(e);
    struct ml_batch *b = &w->batch;
    ml_batch_load(e, b, 0, 1);
    for (int i = 0; i < n_x; i++)
        if (b->impossible || !isfinite(b->x[i * ML_LANES]))
            return ml_fail(err, ML_E_INPUT, "run %lld cannot start: %s", (long long)run,
                           b->impossible ? "no rates have the energy that it is given"
                                         : "its state is not a finite number");
    if (state)
        rates_record(e, w, b->x, state);
    if (energies)
        rates_energies(e, w, energies);
    if (!rates)
        return ML_OK;
    b->kernels.general->rates(&e->model, ml_times(e->time.start).lane, b->constants, b->x, w->rate,
                              b->work);
    for (int k = 0; k <= e->model.n_sens; k++)
        rates_record(e, w, w->rate + (size_t)k * (size_t)n_x * ML_LANES, rates + k * n_state);
    return ML_OK;
}

enum ml_status ml_rates_find(const struct ml_rates_at *at, const struct ml_direction *directions,
                             int n_direction, double *state, double *rates, double *energies,
                             struct ml_error *err)
{
    struct ml_ensemble e = ml_rates_ensemble(at);
    struct rates_work w = {0};
    e.model.n_column = e.model.n_sens = n_direction;
    e.derivatives.directions = directions;
    rates_layout(&e, &w);
    if (!ml_arena_reserve(&w.arena))
        return ml_fail(err, ML_E_MEMORY, "no memory for an evaluation");
    rates_layout(&e, &w);
    const enum ml_status status = rates_fill(&e, &w, at->run, state, rates, energies, err);
    ml_arena_free(&w.arena);
    return status;
}
