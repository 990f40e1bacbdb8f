/* Joint torques and forces of one instant of a chain's motion.
 *
 * The force R_i and the torque T_i that segment i - 1, or the base, exerts on segment i at joint i
 * follow from the tip inwards (Newton, Euler), with a_i the acceleration of the centre of mass, u_i
 * the direction of the segment and F_i, N_i the other force and moment on it, N_i about joint i:
 *
 *   R_i = R_{i+1} + m_i (a_i - g) - F_i
 *   T_i = T_{i+1} + I_i phi_i'' + d_i u_i x R_i + (l_i - d_i) u_i x R_{i+1} - N_i + d_i u_i x F_i
 *
 * T is linear in phi'', in the phi'^2, in g less the acceleration of the first joint, F and N, so
 * its parts are the same sums with the rest left out. With joint rates r, phi_i'^2 = sum_{k<=i}
 * r_k^2 (centripetal) + 2 sum_{k<l<=i} r_k r_l (Coriolis). The inertia that couples joints i <= j
 * is J_j + (p_j - p_i) . h_j, with J_j and h_j second and first moment, about joint j, of all from
 * segment j on, and p the joints. */
#ifndef ML_INVERSE_DYNAMICS_H
#define ML_INVERSE_DYNAMICS_H

#include "config/sections/inverse_sets.h"
#include "inverse/segment_params.h"

/* ML_LANES instants: rows [n][ML_LANES] of absolute angles, whatever the study's coordinates. */
struct ml_instants {
    const double *sine, *cosine; /* of the angles */
    const double *rate;          /* rad/s */
    const double *acceleration;  /* rad/s^2 */
    const double *base;          /* [2] rows, m/s^2, acceleration of the first joint */
    const double *field;         /* [2] rows, m/s^2, besides gravity; NULL: none */
    const double *load;    /* [n][3] rows: force from outside x, y, N, and its moment about the
                              segment's own joint, N m; NULL: none */
    const double *passive; /* N m, generalised forces of the joints' limits and friction and of
                              perturbations; NULL: zero */
};

/* Rows of ML_LANES. */
struct ml_joint_loads {
    double *torque[ML_N_TORQUE]; /* [n] N m, on the distal segment; NULL: not wanted; never of all,
                                    damping and passive */
    double *coupling; /* [n][n] N m, of joint i for the acceleration of joint j, 0 for its own;
                         NULL: not wanted */
    double *force;    /* [n][2] N, on the distal segment; NULL: not wanted */
};

enum { ML_DYNAMICS_ROWS = 7 }; /* rows of scratch per segment */

/* work [ML_DYNAMICS_ROWS n] rows */
void ml_inverse_dynamics(const struct ml_segment_params *segments,
                         const struct ml_instants *instants, double *work,
                         const struct ml_joint_loads *out);

#endif
