/* Control loops about an equilibrium. The runs of a batch are linearised where their controllers
 * bring them to rest, each controller apart from the others, as it may see the past. */
#ifndef ML_ENGINE_LOOP_H
#define ML_ENGINE_LOOP_H

#include <complex.h>

#include "base/arena.h"
#include "engine/team/ensemble.h"
#include "linalg/riccati.h"

/* The loop of a system by formula is that of one controller, the formula of the name where the loop
 * is cut: n is 1, the torque is the input u, and controllers are the delays of formulas. */

/* One run, linearised: x' = now x + sum over k of seen_k x(t - delay_k) + joint u, with the torques
 * u at the joints, of which controllers give torque x + sum over k of torque_seen_k x(t - delay_k);
 * these are part of `now` and `seen` too. A sampled controller sees angles and rates x(t_i -
 * delay_k) and its own states x(t_i) of its last sample t_i. Matrices row after row. */
struct ml_loop {
    int n, n_x, n_controller;
    double *now;          /* [n_x][n_x] */
    double *seen;         /* [n_controller][n_x][n_x] */
    double *delay;        /* [n_controller] s */
    double interval;      /* s: between the samples of all controllers; 0: no controller samples,
                             NAN: sample times differ */
    double *joint;        /* [n][n_x] by the torque at each joint */
    double *torque;       /* [n][n_x] */
    double *torque_seen;  /* [n_controller][n][n_x] */
    double *target;       /* [n][2][n_x] rates by each angle's target, and by the target's rate */
    double *angle;        /* [n][n_x] each angle as the study counts it */
    bool *is_idle;        /* [n_x] rows of controllers' states that act on nothing */
    bool *has_controller; /* [n] some controller acts at the joint */
    bool *has_target;     /* [n] some controller has a target for the angle, and none one whose
                             acceleration it follows, which `target` does not have */
};

/* The sampled loop x_i+1 = step x_i + held f_i of states at the samples, and of the rates f of rows
 * n .. n_x - 1 that sampled controllers hold, f_i = own x_i + sum over k of of_state_k x_i-lag_k +
 * of_held_k f_i-lag_k. Torques in the same way. n_held is n_x - n. */
struct ml_sampled_loop {
    int n_held;
    int *lag;                   /* [n_controller] samples that the delay takes, rounded up */
    double *ahead;              /* [n_controller] s: from the sample before to the instant seen */
    double *step;               /* [n_x][n_x] */
    double *held;               /* [n_x][n_x] */
    double *own;                /* [n_x][n_x] */
    double *of_state, *of_held; /* [n_controller][n_x][n_x] */
    double *torque_own;         /* [n][n_x] */
    double *torque_of_state, *torque_of_held; /* [n_controller][n][n_x] */
    double *state_ahead, *held_ahead;         /* [n_x][n_x] over some part of an interval */
    double *scratch;                          /* [3][n_x][n_x] */
};

/* A torque of 1 N m at a joint of a sampled loop that is cut there, held from `late` s after each
 * sample until `late` s after the next: states and values by the torque of the last sample, and by
 * that of the sample before. */
struct ml_sampled_cut {
    int joint;
    double late;                    /* s, at most the interval */
    double *state, *state_before;   /* [n_x] of the next sample */
    double *held, *held_before;     /* [n_controller][n_x] held rates */
    double *torque, *torque_before; /* [n_controller] torque that comes back */
    double *seen, *seen_before;     /* [n_x] scratch */
    double *ended;                  /* [n_x] scratch */
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
    const struct ml_equations *formulas; /* of a loop by formula; NULL: of a chain */
    int *controllers;                    /* [n_controller] among the laws */
    bool *is_sampled;                    /* [n_controller] */
    int n_controller;
    bool has_samples; /* some controller is sampled */
    double *time;     /* [1] s: end of the runs */
    double *constants, *x, *work;
    double *base;        /* [n_x] state before the last step of Newton's method */
    double *error;       /* [n] as of ML_CONTROL_ERROR */
    double **records;    /* [n_record] */
    double *rate;        /* [n_x (1 + n_x)] rates and their derivatives */
    double *held;        /* [n_controller n_x n_x] the derivatives while each controller is held */
    double *joint;       /* [n n] accelerations by a torque at each joint */
    unsigned is_at_rest; /* lanes that an equilibrium is found of */
    struct ml_loop loop; /* of one of them */
    struct ml_sampled_loop sampled;
    struct ml_sampled_cut cut;
    double complex *matrix, *column; /* [n_row][n_row], [n_row] scratch, n_row the rows of the
                                        state and, of sampled loops, of held rates and a torque */
    int *pivots;                     /* [n_row] */
    double complex *factors;         /* [ML_LANES][1 + n_controller] by frequency: z of a sampled
                                        loop, and by which each controller sees late */
    struct ml_loop_response response[3];
    double *still;               /* [n] |closed| of targets at rest */
    double *measures[ML_N_LOOP]; /* rows as of enum ml_loop_measure; NULL: not measured */
    double *equations;           /* [n_row][n_row + n] pairs of rows for the response */
    double complex *open;        /* [n][ML_LANES] open loops at frequencies */
    int n_frequency;             /* of the response */
    double *frequencies;         /* [n_frequency] rad/s */
    double complex *poles;       /* [n_companion] */
    double complex *companion;   /* [n_companion][n_companion] scratch for the poles */
    int n_companion;
    double *regulator; /* [6 + ML_RICCATI_MATRICES][2 n][2 n] scratch */
};

/* Number of the indicator that looks at a measure of loops, ML_NO_LOOP: at any; -1: none. */
int ml_loop_indicator(const struct ml_ensemble *ensemble, enum ml_loop_measure measure);

/* Whether some indicator asks for loops. */
static inline bool ml_loop_is_needed(const struct ml_ensemble *ensemble)
{
    return ml_loop_indicator(ensemble, ML_NO_LOOP) >= 0;
}

/* Takes memory from the arena. */
void ml_loop_layout(const struct ml_ensemble *ensemble, struct ml_arena *arena,
                    struct ml_loop_work *work);

/* Linearises the runs of a batch that is loaded at the equilibrium that Newton's method finds from
 * the targets at the end of the run, other angles from those of the start.
 *   constants, x  of the batch
 *   time          s: end of each run */
void ml_loop_linearise(const struct ml_ensemble *ensemble, struct ml_loop_work *work,
                       const double *constants, const double *x, const struct ml_times *time);

/* Fills in work->loop of a lane that is at rest; false if torques at the joints have no finite
 * accelerations. */
bool ml_loop_take(const struct ml_ensemble *ensemble, struct ml_loop_work *work, int lane);

/* Rates by the state of the closed loop, with every controller seeing the present.
 *   out  [n_x][n_x] */
void ml_loop_close(const struct ml_loop *loop, double complex *out);

#endif
