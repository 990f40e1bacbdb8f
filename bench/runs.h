/* The runs that every contender integrates: chains of n uniform rods with lengths, masses and
 * initial angles of their own, let go from rest. */
#ifndef ML_BENCH_RUNS_H
#define ML_BENCH_RUNS_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { ML_BENCH_LANES = 8 }; /* n_run is a multiple of this */

#define ML_BENCH_GRAVITY 9.81 /* m/s^2 */
#define ML_BENCH_STEP 1e-3    /* s */

/* A PID torque between segments joint - 1 and joint: kp e - kd rate + ki (integral of e), e =
 * target
 * - angle of segment `joint`; all runs have the same. */
struct ml_bench_pid {
    int joint; /* from 0 */
    double kp, ki, kd, target;
};

/* The one of bench_peers: a constant target. Peers compile for its joint and number of segments. */
enum { ML_BENCH_PID_SIZE = 3, ML_BENCH_PID_JOINT = 1 };
extern const struct ml_bench_pid ml_bench_pid;

struct ml_bench_runs {
    int n; /* segments */
    int64_t n_run;
    const double *length, *mass, *angle; /* [n_run][n] m, kg, rad from the downward vertical */
    const struct ml_bench_pid *pid;      /* NULL: none; borrowed */
};

/* NULL without memory. */
struct ml_bench_runs *ml_bench_runs_create(int n, int64_t n_run);
void ml_bench_runs_free(struct ml_bench_runs *runs);

/* Constants of the equations of motion of one run, as in model/chain.kern.h:
 *   mu        [n] m_i d_i + l_i m_{>i}
 *   diagonal  [n] I_i + m_i d_i^2 + l_i^2 m_{>i} */
void ml_bench_runs_constants(const struct ml_bench_runs *runs, int64_t run, double *mu,
                             double *diagonal);

#ifdef __cplusplus
}
#endif

#endif
