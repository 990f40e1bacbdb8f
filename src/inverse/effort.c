/* Peak, root mean square and work of the torques of one result. */
#include "inverse/effort.h"

/* Sums over the intervals between samples, each with half of it on either side. */
struct sums {
    double square, gain, loss, time;
};

static void effort_add(struct sums *sums, double dt, double torque, double power)
{
    sums->time += dt;
    sums->square = fma(dt, torque * torque, sums->square);
    if (power > 0.0) /* calls of fma, fmax and fmin are most of the time */
        sums->gain = fma(dt, power, sums->gain);
    else if (power < 0.0)
        sums->loss = fma(dt, power, sums->loss);
}

bool ml_effort_counts(const struct ml_motions *m, int64_t k)
{
    const double slack = 1e-9; /* s */
    return !(m->time[k] < m->outputs->from - slack) && !(m->time[k] > m->outputs->to + slack);
}

void ml_effort(const struct ml_motions *m, bool is_joint, double *const sets[ML_N_SET])
{
    const int64_t n_time = m->n_time;
    const double *time = m->time;
    int64_t first = 0, end = n_time;
    while (first < end && !ml_effort_counts(m, first))
        first++;
    while (end > first && !ml_effort_counts(m, end - 1))
        end--;
    for (int i = 0; i < m->n; i++) {
        const double *torque = sets[ML_TORQUE_ALL] + i * n_time;
        const double *rate = sets[ML_SET_MOTION + ML_MOTION_RATE] + i * n_time;
        struct sums sums = {.time = 0.0};
        double peak = 0.0;
        for (int64_t k = 0; k < n_time; k++) {
            const double before = k > first ? time[k] - time[k - 1] : 0.0;
            const double after = k + 1 < end ? time[k + 1] - time[k] : 0.0;
            const double turn = i > 0 && !is_joint ? rate[k] - rate[k - n_time] : rate[k];
            const double size = fabs(torque[k]);
            if (sets[ML_SET_POWER])
                sets[ML_SET_POWER][i * n_time + k] = torque[k] * turn;
            if (k < first || k >= end)
                continue;
            peak = size > peak || isnan(size) ? size : peak;
            effort_add(&sums, 0.5 * (before + after), torque[k], torque[k] * turn);
        }
        sets[ML_SET_PEAK][i] = peak;
        sets[ML_SET_RMS][i] = end - first > 1 ? sqrt(sums.square / sums.time) : peak;
        sets[ML_SET_POSITIVE][i] = sums.gain;
        sets[ML_SET_NEGATIVE][i] = sums.loss;
    }
}
