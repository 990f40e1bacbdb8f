/* Motions of some runs of a result that kept none, computed again. */
#ifndef ML_REPORT_MOTIONS_H
#define ML_REPORT_MOTIONS_H

#include "manylink/report.h"
#include "manylink/result.h"
#include "yaml/pool.h"

/* A dataset as a result would have it. */
struct ml_report_array {
    struct ml_array_info info; /* name "trajectories/angle" */
    const double *numbers;     /* [product of the shape] or */
    const char *const *texts;  /* [shape[0]] */
};

/* Times that a page has of each motion, at most: as many as make half a million numbers of all
 * motions, but at least 1000, more than a picture has columns.
 *   rows  numbers of all motions at one time */
int64_t ml_report_motions_times(int64_t rows);

struct ml_report_motions {
    struct ml_report_array *arrays; /* [n] */
    int n;
    int64_t n_run, n_time;
    struct ml_pool pool;    /* of them */
    struct ml_study *study; /* owns some of their texts */
};

/* Computes n runs again, spread evenly over the grid or the sample by a fixed rule, with the study
 * in the result: their state, what the study names, and where the ends of segments are, as many
 * times of each as a page has. Free in any case.
 *   out  {0} */
enum ml_status ml_report_motions_compute(struct ml_result *result, int64_t n,
                                         const struct ml_report_options *options,
                                         struct ml_report_motions *out, struct ml_error *err);
void ml_report_motions_free(struct ml_report_motions *motions);

#endif
