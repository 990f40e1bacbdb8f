/* A direction in the space of a run's values, to differentiate along. */
#ifndef ML_DESIGN_DIRECTION_H
#define ML_DESIGN_DIRECTION_H

/* slot[i] moves by weight[i] per unit. */
struct ml_direction {
    int n;
    const int *slot;      /* [n] */
    const double *weight; /* [n] */
};

#endif
