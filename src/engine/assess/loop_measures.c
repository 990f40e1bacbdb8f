/* Measures of control loops: a batch is linearised once, and each lane measured by itself. */
#include "engine/assess/loop_measures.h"

#include <math.h>

#include "base/pi.h"
#include "engine/assess/loop_response.h"
#include "linalg/complex_number.h"

static double *response_row(const struct ml_loop_work *work, enum ml_response which, int j, int i,
                            int lane)
{
    const int row = ((int)which * work->loop.n + j) * work->n_frequency + i;
    return &work->measures[ML_LOOP_RESPONSE][(size_t)row * ML_LANES + (size_t)lane];
}

#define LARGEST_RESPONSE 1e10

/* Delay of the torque at joint j, s: the least of controllers that act there. */
static double delay_at(const struct ml_loop *loop, int j)
{
    double delay = (double)INFINITY;
    for (int k = 0; k < loop->n_controller; k++)
        for (int i = 0; i < loop->n_x; i++)
            if (loop->torque_seen[(k * loop->n + j) * loop->n_x + i] != 0.0)
                delay = fmin(delay, loop->delay[k]);
    return isfinite(delay) ? delay : 0.0;
}

/* The turn of the phase at frequency i that is nearest to the last phase before that is there,
 * turned on by the delay at the joint. */
static double continued(const struct ml_loop_work *work, int j, const double *phase, int i)
{
    int k = 1;
    while (k <= i && isnan(phase[-k * ML_LANES]))
        k++;
    if (k > i)
        return *phase;
    const double turned =
        delay_at(&work->loop, j) * (work->frequencies[i] - work->frequencies[i - k]);
    const double before = phase[-k * ML_LANES] - turned;
    return *phase - 2.0 * ML_PI * nearbyint((*phase - before) / (2.0 * ML_PI));
}

/* Rows of the response of joint j at n frequencies from i on. L follows from 1/(1 + L), with a
 * relative error of |L| roundings: larger L are NaN. */
static void write_response(const struct ml_kernels *kernels, struct ml_loop_work *work, int lane,
                           int j, int i, int n, const double complex *open)
{
    double phases[ML_LANES];
    ml_loop_phases(kernels, n, open, phases);
    for (int k = 0; k < n; k++) {
        const double own = ml_complex_size(open[k]);
        const double size = own <= LARGEST_RESPONSE ? own : (double)NAN;
        double *phase = response_row(work, ML_RESPONSE_PHASE, j, i + k, lane);
        *response_row(work, ML_RESPONSE_MAGNITUDE, j, i + k, lane) = size;
        *phase = size > 0.0 ? phases[k] : (double)NAN;
        *phase = continued(work, j, phase, i + k);
    }
}

/* Magnitude and phase of every open loop at the frequencies. */
static void response_measure(const struct ml_kernels *kernels, struct ml_loop_work *work, int lane,
                             bool is_there)
{
    const struct ml_loop_probe probe = {.kernels = kernels, .work = work};
    const double last = ml_loop_last_frequency(&work->loop);
    const int n_joint = work->loop.n;
    for (int i = 0; i < work->n_frequency; i += ML_LANES) {
        const int n = work->n_frequency - i < ML_LANES ? work->n_frequency - i : ML_LANES;
        double w[ML_LANES];
        for (int k = 0; k < n; k++)
            w[k] = fmin(work->frequencies[i + k], last);
        if (is_there)
            ml_loop_respond_open(&probe, n, w, work->open);
        for (int j = 0; j < n_joint; j++) {
            double complex *open = work->open + j * ML_LANES;
            for (int k = 0; k < n && !(is_there && work->loop.has_controller[j]); k++)
                open[k] = (double)NAN;
            write_response(kernels, work, lane, j, i, n, open);
        }
    }
}

/* Fills in the loop of a lane, in the z plane too if its controllers are sampled; false if there
 * is no such loop. */
static bool take_loop(const struct ml_ensemble *ensemble, struct ml_loop_work *work, int lane)
{
    if (!(work->is_at_rest >> lane & 1))
        return false;
    return ml_loop_take(ensemble, work, lane) &&
           (!work->has_samples || (work->loop.interval > 0.0 && ml_sampled_take(work)));
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
        for (int k = ML_LOOP_REGULATOR; k <= ML_LOOP_PLACEMENT; k++) {
            const int i = ml_loop_indicator(ensemble, (enum ml_loop_measure)k);
            if (work->measures[k])
                ml_regulator_measure(work, (enum ml_loop_measure)k,
                                     ensemble->indicators.settings[i], lane, is_there);
        }
    }
}
