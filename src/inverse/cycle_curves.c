/* Curves over cycles: each cycle, their mean and standard deviation at 0 to 100 %. */
#include "inverse/cycles.h"
#include "inverse/joint_curve.h"

/* Fills the rows of joint i in the datasets of each cycle, of the mean, and of the standard
 * deviation (n - 1; NaN of one cycle). */
static void fill_curve(const struct ml_cycles *cycles, const struct ml_joint_curve *c, int i,
                       double *const rows[3])
{
    const int64_t n = cycles->n;
    double *each = rows[0] + i * n * ML_CYCLE_POINTS;
    double *mean = rows[1] + i * ML_CYCLE_POINTS, *deviation = rows[2] + i * ML_CYCLE_POINTS;
    double squares[ML_CYCLE_POINTS] = {0.0}, sum[ML_CYCLE_POINTS] = {0.0};
    for (int64_t k = 0; k < n * ML_CYCLE_POINTS; k++)
        each[k] = ml_joint_curve_at(c, &cycles->points[k]);
    for (int64_t k = 0; k < n; k++)
        for (int p = 0; p < ML_CYCLE_POINTS; p++)
            sum[p] += each[k * ML_CYCLE_POINTS + p];
    for (int p = 0; p < ML_CYCLE_POINTS; p++)
        mean[p] = sum[p] / (double)n;
    for (int64_t k = 0; k < n; k++)
        for (int p = 0; p < ML_CYCLE_POINTS; p++) {
            const double away = each[k * ML_CYCLE_POINTS + p] - mean[p];
            squares[p] += away * away;
        }
    for (int p = 0; p < ML_CYCLE_POINTS; p++)
        deviation[p] = n > 1 ? sqrt(squares[p] / (double)(n - 1)) : (double)NAN;
}

void ml_cycles_fill_motion(const struct ml_motions *m, bool is_joint, double *const sets[ML_N_SET])
{
    const struct ml_cycles *cycles = &m->cycles;
    double *const rows[] = {sets[ML_SET_CYCLE_ANGLE], sets[ML_SET_CYCLE_ANGLE_MEAN],
                            sets[ML_SET_CYCLE_ANGLE_SD]};
    for (int i = 0; i < m->n && cycles->n > 0; i++) {
        const struct ml_joint_curve angle =
            ml_joint_curve_of(m, is_joint, sets[ML_SET_MOTION + ML_MOTION_ANGLE], i);
        fill_curve(cycles, &angle, i, rows);
    }
    for (int64_t c = 0; c < cycles->n; c++) {
        const struct ml_cycle *own = &cycles->cycle[c];
        const double duration = own->end - own->start;
        sets[ML_SET_CYCLE_START][c] = own->start;
        sets[ML_SET_CYCLE_DURATION][c] = duration;
        sets[ML_SET_TOE_OFF_BEFORE][c] = own->toe_off_before;
        sets[ML_SET_TOE_OFF][c] = 100.0 * (own->toe_off - own->start) / duration;
    }
}

void ml_cycles_fill_torques(const struct ml_motions *m, double *const sets[ML_N_SET])
{
    const struct ml_cycles *cycles = &m->cycles;
    double *const torques[] = {sets[ML_SET_CYCLE_TORQUE], sets[ML_SET_CYCLE_TORQUE_MEAN],
                               sets[ML_SET_CYCLE_TORQUE_SD]};
    double *const powers[] = {sets[ML_SET_CYCLE_POWER], sets[ML_SET_CYCLE_POWER_MEAN],
                              sets[ML_SET_CYCLE_POWER_SD]};
    for (int i = 0; i < m->n && cycles->n > 0; i++) {
        const struct ml_joint_curve torque = {.value = sets[ML_TORQUE_ALL] + i * m->n_time};
        const struct ml_joint_curve power = {.value = sets[ML_SET_POWER] + i * m->n_time};
        fill_curve(cycles, &torque, i, torques);
        fill_curve(cycles, &power, i, powers);
    }
}
