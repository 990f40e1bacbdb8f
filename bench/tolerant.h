/* A contender of bench_tolerance: another library's way to integrate the runs of bench/runs.h by
 * steps that it chooses for a tolerance. C and C++. */
#ifndef ML_BENCH_TOLERANT_H
#define ML_BENCH_TOLERANT_H

#include "runs.h"

#ifdef __cplusplus
extern "C" {
#endif

struct ml_bench_tolerant {
    const char *name, *doc;

    /* Integrates runs 0 .. n_run - 1 up to the time `last`, s.
     *   tolerance  relative and absolute, as the contender understands it
     *   end        [n_run][2 n] out: angles from the vertical, rates; NaN of a run that failed */
    void (*run)(const struct ml_bench_runs *runs, double tolerance, double last, int64_t n_run,
                double *end);
};

#ifdef __cplusplus
}
#endif

#endif
