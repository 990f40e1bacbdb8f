/* Peak, root mean square and work of the torques of one result. */
#include "inverse/effort.h"

#include "inverse/joint_curve.h"

struct ml_effort_span ml_effort_span(const struct ml_motions *m)
{
    const double slack = 1e-9; /* s */
    struct ml_effort_span span = {0, m->n_time};
    while (span.first < span.end && m->time[span.first] < m->outputs->from - slack)
        span.first++;
    while (span.end > span.first && m->time[span.end - 1] > m->outputs->to + slack)
        span.end--;
    return span;
}

/* Samples of one joint whose sums are added at once. */
enum { CHUNK = 256 };

/* W, of joint i at all samples. */
static void fill_power(const struct ml_motions *m, bool is_joint, double *const sets[ML_N_SET],
                       int i)
{
    const struct ml_joint_curve turn =
        ml_joint_curve_of(m, is_joint, sets[ML_SET_MOTION + ML_MOTION_RATE], i);
    const double *torque = sets[ML_TORQUE_ALL] + i * m->n_time;
    double *power = sets[ML_SET_POWER] + i * m->n_time;
    for (int64_t k = 0; k < m->n_time; k++)
        power[k] = torque[k] * ml_joint_curve_sample(&turn, k);
}

void ml_effort(const struct ml_motions *m, const struct ml_kernels *kernels, bool is_joint,
               double *const sets[ML_N_SET])
{
    const int64_t n_time = m->n_time;
    const double *time = m->time;
    const struct ml_effort_span span = ml_effort_span(m);
    const int64_t first = span.first, end = span.end;
    double weight[CHUNK]; /* s, half of the intervals on either side */
    for (int i = 0; i < m->n; i++) {
        const double *torque = sets[ML_TORQUE_ALL] + i * n_time;
        const double *power = sets[ML_SET_POWER] + i * n_time;
        double sums[3] = {0.0}, peak = 0.0, duration = 0.0;
        fill_power(m, is_joint, sets, i);
        for (int64_t from = first; from < end; from += CHUNK) {
            const int n = (int)(end - from < CHUNK ? end - from : CHUNK);
            for (int j = 0; j < n; j++) {
                const int64_t k = from + j;
                const double before = k > first ? time[k] - time[k - 1] : 0.0;
                const double after = k + 1 < end ? time[k + 1] - time[k] : 0.0;
                const double size = fabs(torque[k]);
                weight[j] = 0.5 * (before + after);
                duration += weight[j];
                peak = size > peak || isnan(size) ? size : peak;
            }
            kernels->add_effort(n, weight, torque + from, power + from, sums);
        }
        sets[ML_SET_PEAK][i] = peak;
        sets[ML_SET_RMS][i] = end - first > 1 ? sqrt(sums[0] / duration) : peak;
        sets[ML_SET_POSITIVE][i] = sums[1];
        sets[ML_SET_NEGATIVE][i] = sums[2];
    }
}
