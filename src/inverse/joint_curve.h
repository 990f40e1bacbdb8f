/* A curve of one joint over the samples of a motion: value - less. */
#ifndef ML_INVERSE_JOINT_CURVE_H
#define ML_INVERSE_JOINT_CURVE_H

#include "inverse/motion.h"

struct ml_joint_curve {
    const double *value;
    const double *less; /* NULL: 0 */
};

/* A row of the motion as that of joint i: of angles of segments the difference of two. */
static inline struct ml_joint_curve ml_joint_curve_of(const struct ml_motions *m, bool is_joint,
                                                      const double *row, int i)
{
    const double *own = row + i * m->n_time;
    return (struct ml_joint_curve){.value = own,
                                   .less = i > 0 && !is_joint ? own - m->n_time : NULL};
}

static inline double ml_joint_curve_sample(const struct ml_joint_curve *c, int64_t k)
{
    return c->less ? c->value[k] - c->less[k] : c->value[k];
}

static inline double ml_joint_curve_at(const struct ml_joint_curve *c,
                                       const struct ml_cycle_point *point)
{
    double sum = 0.0;
#pragma GCC unroll 4
    for (int i = 0; i < ML_CYCLE_SAMPLES; i++)
        sum += point->weight[i] * ml_joint_curve_sample(c, point->first + i); /* fma is a call */
    return sum;
}

#endif
