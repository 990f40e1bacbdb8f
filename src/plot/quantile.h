/* Values of runs, gathered by entries of the extra dimensions. */
#ifndef ML_PLOT_QUANTILE_H
#define ML_PLOT_QUANTILE_H

#include "plot/slice.h"

/* Values of all runs, for each entry of the extra dimensions that are free. */
struct ml_plot_gathered {
    struct ml_plot_view view; /* of the dataset, without a subtitle for free dimensions */
    unsigned long long n_part, n_run, n_time;
    double *values;             /* [n_part][n_time][n_run], finite ones first and ascending */
    unsigned long long *count;  /* [n_part][n_time] finite ones */
    struct ml_plot_slice parts; /* [n_part] labels only */
};

/* Reads all runs of a dataset, at the entries that --at fixes.
 *   over_time  the last dimension is the time, which stays; otherwise n_time is 1 */
void ml_plot_gather(struct ml_plot_source *source, const struct ml_plot_dataset *dataset,
                    const struct ml_plot_options *request, bool over_time,
                    struct ml_plot_gathered *gathered);

#endif
