/* How a system of segments and a force with a law of its own see each other, on the lanes of a
 * context.
 */
#ifndef ML_MODEL_LAW_KERN_H
#define ML_MODEL_LAW_KERN_H

#include "model/law.h"
#include "simd/lanes.h"

/* Rows of the constants that belong to a chain of segments; those of segment i are i `stride`
 * further. */
struct ml_law_rows {
    int along, across; /* gravity in the frame of the angles' zero: G_i = mu_i (along cos phi_i +
                          across sin phi_i) */
    int length, mu, diagonal, stride; /* c_ii = diagonal, c_ij = mu_i length_j for i > j */
};

/* Inputs of a force's law, and the sums that the law adds to. Row i of group j is [i n_group + j];
 * the coordinates are absolute angles, whatever the study's. */
struct ml_law_view {
    int n, n_group;
    bool is_down,
        is_joint; /* angles count from the downward vertical; the study's are joint angles */
    const ml_vec *begin, *length; /* of the step, as of ml_rhs_ctx */
    const double *constants;      /* at the first lane */
    struct ml_law_rows rows;
    const ml_vec *x;     /* [n] angles, [n] rates, then the forces' own states */
    const ml_vec *s, *c; /* [n] sine and cosine of the angles */
    ml_vec *force;       /* [n] generalised forces, added to */
    ml_vec *dx;          /* like x: of own states the rates, set */
    ml_vec *field;       /* [2] uniform acceleration, m/s^2, added to in place of the forces of
                            `gravity`, where loads are asked for */
    ml_vec *load; /* [n][3] of segments: force x, y, N, and its moment about the segment's own
                     joint, N m, added to; where forces in the plane are asked for */

    const ml_vec *base; /* [4] m, m/s: x and y of the first joint, and its velocity, of one group;
                           NULL: at rest in the origin */

    ml_vec *error; /* [n] target - angle as the study counts it, of angles that have a target, set;
                      where it is asked for */
    ml_vec *slip;  /* [n] rate over its friction's velocity scale, of joints that have one, set;
                      where it is asked for */

    /* Set for a tangent vector, else NULL: */
    const double *constant_derivs; /* along its parameter; NULL if it has none */
    const ml_vec *y;               /* like x */
    ml_vec *force_deriv, *dy;      /* like force and dx */

    ml_vec *potential, *potential_deriv; /* [1] J, added to; where energies are asked for */
};

/*   t  [n_group] s */
typedef void ml_law_fn(const struct ml_law *law, const struct ml_law_view *view, const ml_vec *t);

/* A force's functions. */
struct ml_law_functions {
    ml_law_fn *force;           /* adds to `force`, sets its rows of dx */
    ml_law_fn *tangent;         /* the same for force_deriv and dy */
    ml_law_fn *potential;       /* adds to `potential`; NULL: it has none */
    ml_law_fn *potential_deriv; /* adds to its derivative; NULL: it has none */
};

/* The functions of a type of force, by its number in the registry; NULL for a type without a law.
 */
const struct ml_law_functions *ML_K(ml_law_functions_of)(int type);

#endif
