/* Equations of motion M q'' = C + G + Q + D + E among nodes, given or derived from energies, with
 * constraints. */
#ifndef ML_EXPR_MOTION_H
#define ML_EXPR_MOTION_H

#include "expr/graph.h"

/* Terms on the right. */
enum ml_motion_term {
    ML_MOTION_C, /* products of rates */
    ML_MOTION_G, /* of the potential */
    ML_MOTION_Q, /* generalised forces */
    ML_MOTION_D, /* of dissipation */
    ML_MOTION_E, /* from outside */
    ML_MOTION_TERMS
};

/* Constraints that hold it (expr/constrain.h). */
struct ml_constraints {
    int n;
    int *value;        /* [n] phi or psi */
    int *change;       /* [n] d phi/dt, or psi: 0 of rates that hold the constraint */
    bool *is_of_rates; /* [n] there is psi, and no phi */
    int *jacobian;     /* [n][coordinates] J; ML_NO_NODE: 0 */
    int *wanted;       /* [n] of phi: phi'' + 2 s phi' + s^2 phi is 0; of psi: psi' + s psi */
    int *response;     /* [n][coordinates] M^-1 J^T */
    int stabilisation; /* s, 1/s; ML_NO_NODE: 0 */
    int *multiplier;   /* [n] */
    int *inertia;      /* [n] the diagonal of J M^-1 J^T */
    struct ml_graph_factor factor; /* of J M^-1 J^T */
    int *least; /* [n] its pivots, less their largest rounding error: above 0 where a constraint
                   does not follow from those before it */
};

struct ml_motion {
    int n;                         /* coordinates; 0: the system has no equations of this form */
    const int *q, *rate;           /* [n] inputs: coordinates and their rates */
    int *mass;                     /* [n][n] ML_NO_NODE: 0 */
    int *terms[ML_MOTION_TERMS];   /* [n] ML_NO_NODE: 0 */
    int *force;                    /* [n] their sum */
    int *acceleration;             /* [n] q'' */
    struct ml_graph_factor factor; /* of M */
    struct ml_constraints constraints;
    int kinetic, potential, dissipation; /* energies, power/2; ML_NO_NODE: 0, or not given */
    int *momentum;                       /* [n] dT/dq', of energies */
    int hamiltonian; /* `rate` are momenta, and this is H; ML_NO_NODE: M q'' = ... */
};

/* Arrays of n coordinates, nothing but 0 in them; false without memory. */
bool ml_motion_make(struct ml_graph *graph, int n, const int *q, const int *rate,
                    struct ml_motion *out);

/* Mass matrix, momenta, C, G and D from the energies: Lagrange's equations. Terms of the potential
 * with rates move to the kinetic energy. */
bool ml_motion_of_energies(struct ml_graph *graph, struct ml_motion *motion);

/* Hamilton's equations, q' = dH/dp and p' = -dH/dq. A q' that is p whatever p is becomes the input.
 *   rates  [2 n] out: of coordinates, then of momenta; ML_NO_NODE: 0 */
bool ml_motion_of_hamiltonian(struct ml_graph *graph, const struct ml_motion *motion, int *rates);

/* Adds the generalised force of a force (x, y) at a point (x, y), by virtual work, to E. */
bool ml_motion_add_point(struct ml_graph *graph, struct ml_motion *motion, const int at[2],
                         const int force[2]);

/* How nodes change over time while the coordinates do. */
bool ml_motion_rates_of(struct ml_graph *graph, const struct ml_motion *motion, int n,
                        const int *nodes, int *rates);

/* Replaces the terms C of a motion by Christoffel's form of them,
 *
 *   C_i = - sum_jk (dM_ij/dq_k - dM_jk/dq_i / 2) q_j' q_k'
 *
 * where the kinetic energy is quadratic in the rates and does not depend on time, and that takes
 * fewer operations: derivatives of M that cancel are seen to. False where the graph is full or
 * there is no memory. */
bool ml_motion_shorten_coriolis(struct ml_graph *graph, struct ml_motion *motion);

#endif
