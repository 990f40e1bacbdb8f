/* Instants at which a foot meets and leaves the ground, from series of numbers over time. */
#ifndef ML_INVERSE_STRIKES_H
#define ML_INVERSE_STRIKES_H

#include <stdint.h>

/* s; NaN of an instant before the first or behind the last sample. */
struct ml_stance {
    double strike, toe_off;
};

/* Stances by the force on the foot: it is `threshold` or more for `shortest` or longer; a shorter
 * time without between two of them is part of one. Instants are those at which the line between
 * two samples meets the threshold. A force at the last sample is a stance if it has lasted for
 * `shortest` before. Returns their number.
 *   time, force  [n] s, increasing; N, upwards
 *   stances      [n] room */
int64_t ml_stances_by_force(int64_t n, const double *time, const double *force, double threshold,
                            double shortest, struct ml_stance *stances);

/* Stances by the way of the foot before the hip: a foot strikes where the heel, and leaves the
 * ground where the toe begins to come back (Zeni, Richards, Higginson, Gait & Posture 27, 2008). A
 * turn counts where the way comes from and goes by a third of its range; its instant is that of the
 * parabola through three samples. The stance of the last strike may be without its toe-off.
 *   heel, toe  [n] m, forwards */
int64_t ml_stances_by_foot(int64_t n, const double *time, const double *heel, const double *toe,
                           struct ml_stance *stances);

/* Stances by the vertical velocity of the middle of the foot: a foot strikes where this velocity is
 * smallest with the heel below 35 % of the range of its height, and leaves the ground at the
 * largest between two strikes (O'Connor, Thorpe, O'Malley, Vaughan, Gait & Posture 25, 2007). A
 * minimum counts where the velocity comes from and goes by a tenth of its range. The stance of the
 * last strike is without its toe-off.
 *   heel, middle  [n] m, upwards
 *   velocity      [n] room */
int64_t ml_stances_by_velocity(int64_t n, const double *time, const double *heel,
                               const double *middle, double *velocity, struct ml_stance *stances);

#endif
