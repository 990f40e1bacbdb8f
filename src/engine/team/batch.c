/* Parts that many steps of the engine share: a batch's clock, its forces' constants, its kernel. */
#include "engine/team/batch.h"

#include <string.h>

#include "engine/kernels/spec.h"

void ml_forces_load(const struct ml_ensemble *ensemble, const double *values, double *constants)
{
    const struct ml_law *law = ensemble->model.laws;
    for (int f = 0; f < ensemble->n_force; f++) {
        const struct ml_force_use *use = &ensemble->forces[f];
        const double *own = values + use->slot * ML_LANES;
        if (ml_force_use_has_law(use))
            memcpy(constants + law++->constant * ML_LANES, own,
                   (size_t)use->n_number * ML_LANES * sizeof *own);
        else if (use->type->prepare)
            use->type->prepare(
                own, use->joint,
                ensemble->model.system->forces.joint_terms(&ensemble->model, constants));
    }
}

/* s, of step k of each run if its steps are this share of the given ones. */
static struct ml_times batch_times(const struct ml_ensemble *ensemble, const struct ml_batch *batch,
                                   double share, double k)
{
    if (ensemble->time.clock == ML_CLOCK_COMMON)
        return ml_times(fma(k, share * batch->step[0], ensemble->time.start));
    struct ml_times times;
    for (int lane = 0; lane < ML_LANES; lane++)
        times.lane[lane] = fma(k, share * batch->step[lane], ensemble->time.start);
    return times;
}

struct ml_times ml_batch_times(const struct ml_ensemble *ensemble, const struct ml_batch *batch,
                               double k)
{
    return batch_times(ensemble, batch, 1.0, k);
}

void ml_batch_take_kernel(const struct ml_ensemble *ensemble, struct ml_batch *batch)
{
    const struct ml_kernel *made = ml_ensemble_made(ensemble);
    if (made == batch->kernels.made)
        return;
    batch->kernels.made = made;
    batch->kernels.fastest = ml_kernel_for(ensemble);
    if (batch->kernels.fastest == made)
        ensemble->made->is_used = true;
}

int64_t ml_most_tries(const struct ml_ensemble *ensemble)
{
    const int64_t n = ensemble->model.n, n_column = ensemble->model.n_column;
    return 1 + (1 << 18) / ((n * n + 3) * (1 + n_column) * ensemble->method->n_stage);
}

struct ml_lane_faults ml_batch_try(const struct ml_ensemble *ensemble, struct ml_batch *batch,
                                   const double *end, int64_t most_tries, unsigned active)
{
    const struct ml_leg leg = {end, most_tries, active, false, batch->step_control};
    const struct ml_jumps_lanes lanes = ml_batch_lanes(ensemble, batch);
    return ml_jumps_try(&lanes, &leg);
}

void ml_batch_retake(const struct ml_ensemble *ensemble, struct ml_batch *batch,
                     const double *step_control, const double *end, unsigned active)
{
    memcpy(batch->step_control, step_control,
           ML_N_STEP_CONTROL * ML_LANES * sizeof *batch->step_control);
    batch->feedback.is_retaken = true;
    for (unsigned underway = active; underway;)
        underway = ml_batch_try(ensemble, batch, end, INT64_MAX, underway).underway & active;
    batch->feedback.is_retaken = false;
}

/* Given steps, none of which is cut at a jump. Of a window the kernel accumulates rates and drift,
 * unless events may end runs within it. */
static struct ml_lane_faults batch_take(const struct ml_ensemble *e, struct ml_batch *batch,
                                        const double *steps, int64_t k0, int64_t n_step,
                                        unsigned active, const struct ml_window *window)
{
    const struct ml_times start = ml_times(e->time.start);
    const bool is_kept = window && window->states,
               is_measured = window && !ml_ensemble_is_watched(e);
    const struct ml_clock clock = {.start = start.lane,
                                   .step = steps,
                                   .k0 = k0,
                                   .n_step = n_step,
                                   .active = active,
                                   .history = is_kept ? ml_window_row(e, window, k0 + 1) : NULL,
                                   .every = is_kept ? window->every : 1,
                                   .residual = batch->residual,
                                   .rates = is_measured ? batch->indicators.rates : NULL,
                                   .rates_mask = e->indicators.rates_mask,
                                   .is_plain = batch->indicators.rates &&
                                               e->model.system->dynamics.is_plain(&e->model),
                                   .drift = is_measured ? batch->indicators.drift : NULL,
                                   .drift_every = e->indicators.observe_every};
    return batch->kernels.fastest->advance(&e->model, e->method, &clock, batch->constants, batch->x,
                                           batch->work);
}

struct ml_lane_faults ml_batch_advance(const struct ml_ensemble *ensemble, struct ml_batch *batch,
                                       double share, int64_t k0, int64_t n_step, unsigned active)
{
    return ml_batch_advance_noting(ensemble, batch, share, k0, n_step, active, NULL);
}

struct ml_lane_faults ml_batch_advance_noting(const struct ml_ensemble *ensemble,
                                              struct ml_batch *batch, double share, int64_t k0,
                                              int64_t n_step, unsigned active,
                                              const struct ml_window *window)
{
    if (ensemble->time.is_adaptive) {
        const struct ml_times end = batch_times(ensemble, batch, share, (double)(k0 + n_step));
        return ml_batch_try(ensemble, batch, end.lane, ml_most_tries(ensemble), active);
    }
    const size_t size = (size_t)ml_n_x(&ensemble->model) * ML_LANES;
    const struct ml_jumps_lanes lanes = ml_batch_lanes(ensemble, batch);
    const int64_t end = k0 + n_step;
    struct ml_lane_faults faults = {0};
    struct ml_times steps;
    for (int lane = 0; lane < ML_LANES; lane++)
        steps.lane[lane] = share * batch->step[lane];
    for (int64_t k = k0, cut; k < end; k = cut + 1) {
        cut = ml_jumps_next_step(&lanes, steps.lane, k, end, active);
        if (cut > k)
            ml_lane_faults_add(batch_take(ensemble, batch, steps.lane, k, cut - k, active, window),
                               &faults);
        if (cut == end)
            break;
        const struct ml_times begin = batch_times(ensemble, batch, share, (double)cut);
        ml_lane_faults_add(ml_jumps_step(&lanes, begin.lane, steps.lane, active, batch->residual),
                           &faults);
        if (window && !ml_ensemble_is_watched(ensemble) && batch->indicators.rates &&
            ((cut + 1) & ensemble->indicators.rates_mask) == 0)
            batch->kernels.general->largest(&ensemble->model, 1, batch->x, batch->indicators.rates);
        if (window && window->states && (cut + 1) % window->every == 0)
            memcpy(ml_window_row(ensemble, window, cut + 1), batch->x, size * sizeof(double));
    }
    return faults;
}
