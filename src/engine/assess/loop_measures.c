/* Measures of control loops: a batch is linearised once, and each lane measured by itself. */
#include "engine/assess/loop_measures.h"

#include <math.h>

#include "engine/assess/loop_response.h"

static double *response_row(const struct ml_loop_work *work, enum ml_response which, int j, int i,
                            int lane)
{
    const int row = ((int)which * work->loop.n + j) * work->n_frequency + i;
    return &work->measures[ML_LOOP_RESPONSE][(size_t)row * ML_LANES + (size_t)lane];
}

#define LARGEST_RESPONSE 1e10

/* The turn of a phase that is nearest to the phase before. */
static double continued(double phase, double before)
{
    const double turn = 0x1.921fb54442d18p+2; /* 2 pi */
    return phase - turn * nearbyint((phase - before) / turn);
}

/* The last phase before frequency i that is there; NaN: none is. */
static double phase_before(const double *phase, int i)
{
    double before = (double)NAN;
    for (int k = 1; k <= i && isnan(before); k++)
        before = phase[-k * ML_LANES];
    return before;
}

/* Magnitude and phase of every open loop at the frequencies. L follows from 1/(1 + L), with a
 * relative error of |L| roundings: larger L are NaN. */
static void response_measure(const struct ml_kernels *kernels, struct ml_loop_work *work, int lane,
                             bool is_there)
{
    const struct ml_loop_probe probe = {.kernels = kernels, .work = work, .is_open = true};
    struct ml_loop_response *at = &work->response[0];
    for (int i = 0; i < work->n_frequency; i++) {
        if (is_there)
            ml_loop_respond(&probe, work->frequencies[i], at);
        for (int j = 0; j < work->loop.n; j++) {
            const bool has_loop = is_there && work->loop.has_controller[j];
            const double complex open = has_loop ? at->open[j] : (double)NAN;
            const double own = sqrt(creal(open) * creal(open) + cimag(open) * cimag(open));
            const double size = own <= LARGEST_RESPONSE ? own : (double)NAN;
            double *phase = response_row(work, ML_RESPONSE_PHASE, j, i, lane);
            *response_row(work, ML_RESPONSE_MAGNITUDE, j, i, lane) = size;
            *phase = size > 0.0 ? ml_loop_phase(kernels, open) : (double)NAN;
            const double before = phase_before(phase, i);
            if (!isnan(before))
                *phase = continued(*phase, before);
        }
    }
}

/* Fills in the loop of a lane, in the z plane too if its controllers are sampled; false if there
 * is no such loop. */
static bool take_loop(const struct ml_ensemble *ensemble, struct ml_loop_work *work, int lane)
{
    if (!(work->is_at_rest >> lane & 1))
        return false;
    ml_loop_take(ensemble, work, lane);
    return !work->has_samples || (work->loop.interval > 0.0 && ml_sampled_take(work));
}

void ml_loops_measure(const struct ml_ensemble *ensemble, struct ml_batch *batch, int n,
                      const double **out)
{
    struct ml_loop_work *work = &batch->loop;
    const struct ml_kernels *kernels = ensemble->kernels;
    const struct ml_times end = ml_batch_times(ensemble, batch, (double)ensemble->time.n_step);
    for (int k = 0; k < ML_N_LOOP; k++)
        out[k] = work->measures[k];
    if (!ml_loop_is_needed(ensemble))
        return;
    ml_loop_linearise(ensemble, work, batch->constants, batch->x, &end);
    for (int lane = 0; lane < n; lane++) {
        const bool is_there = take_loop(ensemble, work, lane);
        if (work->measures[ML_LOOP_MARGINS])
            ml_margins_measure(kernels, work, lane, is_there);
        if (work->measures[ML_LOOP_POLES])
            ml_poles_measure(kernels, work, lane, is_there);
        if (work->measures[ML_LOOP_RESPONSE])
            response_measure(kernels, work, lane, is_there);
    }
}
