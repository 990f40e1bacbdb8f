/* Response of linearised control loops to one frequency: the loop is cut at the torque of the
 * controllers at one joint, all else stays closed. Delays are exact, factors exp(-i w delay);
 * sampled loops are those of the values at the samples. */
#ifndef ML_ENGINE_LOOP_RESPONSE_H
#define ML_ENGINE_LOOP_RESPONSE_H

#include "engine/assess/sampled_loop.h"

struct ml_loop_probe {
    const struct ml_kernels *kernels;
    struct ml_loop_work *work; /* with the loop of one run, and of a sampled loop work->sampled */
    const struct ml_sampled_cut *cut; /* of a sampled loop: late torque at one joint; NULL: none */
    double whole;                     /* intervals by which that torque is later than cut->late */
};

/* cos + i sin, the same on every machine. */
double complex ml_loop_unit(const struct ml_kernels *kernels, double phase);

/* Phase of z, -pi .. pi, the same on every machine; of n of them, at most ML_LANES. */
double ml_loop_phase(const struct ml_kernels *kernels, double complex z);
void ml_loop_phases(const struct ml_kernels *kernels, int n, const double complex *z, double *out);

/* rad/s: half of the sampling frequency; infinite of a loop in continuous time. */
double ml_loop_last_frequency(const struct ml_loop *loop);

/* Fills in all of `out`; of a cut only its joint, without the whole intervals in `open`. A `det` of
 * 0 means that no number is of use. Its argument turns, from w = 0 on, by a quarter of a turn for
 * each row of the state if no root grows, and by half a turn less for each root that does
 * (Mikhailov's criterion, which holds with delays: Stepan, Retarded Dynamical Systems, 1989,
 * section 2.2); of a sampled loop, up to its last frequency, by half a turn each. */
void ml_loop_respond(const struct ml_loop_probe *probe, double w, struct ml_loop_response *out);

/* Open loops at several frequencies at once, without a cut.
 *   w     [n] rad/s, n at most ML_LANES
 *   open  [n of the loop][ML_LANES] out; NAN at a pole of the closed loop, 0 without a controller
 */
void ml_loop_respond_open(const struct ml_loop_probe *probe, int n, const double *w,
                          double complex *open);

#endif
