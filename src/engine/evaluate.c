/* Evaluates a system once, at the state and time that the caller gives. */
#include "engine/evaluate.h"
#include "base/fail.h"
#include "engine/batch_layout.h"
#include "engine/batch_load.h"

#include <math.h>
#include <string.h>

/* State quantities of lane 0, in the order of system->state. */
static void copy_state(const struct ml_ensemble *ensemble, const struct ml_batch *batch,
                       double *state)
{
    const struct ml_system *system = ensemble->model.system;
    for (int q = 0; q < system->n_state; q++)
        for (int r = 0; r < ml_quantity_rows(&system->state[q], ensemble->model.n); r++)
            *state++ = batch->state[q][r * ML_LANES];
}

/* Constraints at the start of lane 0. */
static struct ml_misfit find_misfit(const struct ml_ensemble *ensemble,
                                    const struct ml_batch *batch)
{
    const struct ml_system *system = ensemble->model.system;
    struct ml_misfit misfit = {.kind = ML_FITS};
    if (system->misfits && !ensemble->continuation.has_continuation)
        (void)system->misfits(&ensemble->model, ml_times(ensemble->start).lane, batch->constants,
                              batch->x, batch->work, &misfit);
    return misfit;
}

static enum ml_status tell_misfit(int64_t run, const struct ml_misfit *misfit, struct ml_error *err)
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
    if (!system->terms)
        return ml_fail(err, ML_E_INPUT, "system `%s` is not of the form M q'' = f of segments",
                       system->name);
    ml_batch_layout(ensemble, &arena, &batch);
    if (!ml_arena_reserve(&arena))
        return ml_fail(err, ML_E_MEMORY, "no memory for an evaluation");
    ml_batch_layout(ensemble, &arena, &batch);
    ml_batch_load(ensemble, &batch, run, 1);
    bool is_definite = system->terms(&ensemble->model, ensemble->start, batch.constants, batch.x, 0,
                                     batch.work, terms);
    system->record(&ensemble->model, ml_times(ensemble->start).lane, batch.constants, batch.x,
                   batch.work, batch.state);
    copy_state(ensemble, &batch, state);
    *kinetic = *potential = (double)NAN;
    if (system->energy) {
        system->energy(&ensemble->model, batch.constants, batch.x, batch.work, batch.kinetic,
                       batch.potential, batch.scale);
        *kinetic = batch.kinetic[0];
        *potential = batch.potential[0];
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
        return tell_misfit(run, &misfit, err);
    if (!is_definite)
        return ml_fail(err, ML_E_INPUT, "run %lld: the mass matrix is not positive definite",
                       (long long)run);
    return ML_OK;
}
