/* A contender of bench_peers: another library's way to integrate the runs of bench/runs.h with the
 * classical Runge-Kutta method. C and C++. */
#ifndef ML_BENCH_PEER_H
#define ML_BENCH_PEER_H

#include "runs.h"

#ifdef __cplusplus
extern "C" {
#endif

struct ml_bench_peer {
    const char *name, *doc;
    const char *isa; /* that it is compiled for, to be compared with ours for the same; NULL: of
                        this machine */
    int can_pid;     /* does chains with a PID torque as of ml_bench_pid too */
    double bound;    /* of |end state - ours| after a short time: rounding, or the method's own */

    /* Gets ready for chains of n segments; NULL if it cannot. May be NULL with `close`. */
    void *(*open)(const struct ml_bench_runs *runs);
    void (*close)(void *self);

    /* Integrates runs 0 .. n_run - 1 (a multiple of ML_BENCH_LANES) for n_step steps of
     * ML_BENCH_STEP.
     *   self  from `open`
     *   end   [n_run][2 n] angles from the vertical, rates */
    void (*run)(void *self, const struct ml_bench_runs *runs, int64_t n_run, int64_t n_step,
                double *end);
};

#ifdef __cplusplus
}
#endif

#endif
