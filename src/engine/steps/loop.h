/* Control loops about an equilibrium. The runs of a batch are linearised where their controllers
 * bring them to rest, each controller apart from the others, as it may see the past. */
#ifndef ML_ENGINE_LOOP_H
#define ML_ENGINE_LOOP_H

#include <complex.h>

#include "base/arena.h"
#include "engine/team/ensemble.h"

/* One run, linearised: x' = now x + sum over k of seen_k x(t - delay_k) + joint u, with the torques
 * u at the joints, of which controllers give torque x + sum over k of torque_seen_k x(t - delay_k);
 * these are part of `now` and `seen` too. Matrices row after row. */
struct ml_loop {
    int n, n_x, n_controller;
    double *now;          /* [n_x][n_x] */
    double *seen;         /* [n_controller][n_x][n_x] */
    double *delay;        /* [n_controller] s */
    double *joint;        /* [n][n_x] by the torque at each joint */
    double *torque;       /* [n][n_x] */
    double *torque_seen;  /* [n_controller][n][n_x] */
    double *target;       /* [n][2][n_x] rates by each angle's target, and by the target's rate */
    double *angle;        /* [n][n_x] each angle as the study counts it */
    bool *has_controller; /* [n] some controller acts at the joint */
    bool *has_target;     /* [n] some controller has a target for the angle, and none one whose
                             acceleration it follows, which `target` does not have */
};

/* How a loop answers at one frequency. */
struct ml_loop_response {
    double w;               /* rad/s */
    double complex det;     /* direction of the closed loop's characteristic function */
    double complex *open;   /* [n] open loop cut at each joint; 0 without a controller */
    double complex *closed; /* [n] each angle by its target; 0 without one */
};

/* The loops of one batch; zeroed if no indicator asks for them. Rows of ML_LANES. */
struct ml_loop_work {
    struct ml_instance model; /* the ensemble's, whose controllers all have feedback rows, with a
                                 tangent vector for each row of the state */
    struct ml_law *laws;      /* [n_law] */
    int *controllers;         /* [n_controller] among the laws */
    int n_controller;
    double *time; /* [1] s: end of the runs */
    double *constants, *x, *work;
    double *base;        /* [n_x] state before the last step of Newton's method */
    double *error;       /* [n] as of ML_CONTROL_ERROR */
    double **records;    /* [n_record] */
    double *rate;        /* [n_x (1 + n_x)] rates and their derivatives */
    double *held;        /* [n_controller n_x n_x] the derivatives while each controller is held */
    double *joint;       /* [n n] accelerations by a torque at each joint */
    unsigned is_at_rest; /* lanes that an equilibrium is found of */
    struct ml_loop loop; /* of one of them */
    double complex *matrix, *column; /* [n_x][n_x], [n_x] scratch */
    int *pivots;                     /* [n_x] */
    double complex *phases;          /* [n_controller] */
    struct ml_loop_response response[3];
    double *still;   /* [n] |closed| of targets at rest */
    double *margins; /* [ML_N_MARGIN n] */
};

/* Whether some indicator asks for loops. */
bool ml_loop_is_needed(const struct ml_ensemble *ensemble);

/* Takes memory from the arena. */
void ml_loop_layout(const struct ml_ensemble *ensemble, struct ml_arena *arena,
                    struct ml_loop_work *work);

/* Linearises the runs of a batch that is loaded at the equilibrium that Newton's method finds from
 * the targets at the end of the run, other angles from those of the start.
 *   constants, x  of the batch
 *   time          s: end of each run */
void ml_loop_linearise(const struct ml_ensemble *ensemble, struct ml_loop_work *work,
                       const double *constants, const double *x, const struct ml_times *time);

/* Fills in work->loop of a lane that is at rest. */
void ml_loop_take(const struct ml_ensemble *ensemble, struct ml_loop_work *work, int lane);

#endif
