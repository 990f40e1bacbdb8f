/* The numbers that a view shows. */
#ifndef ML_PLOT_SLICE_H
#define ML_PLOT_SLICE_H

#include "plot/view.h"

/* Rows are entries of the free dimensions other than x, columns those of x. */
struct ml_plot_slice {
    unsigned long long n_row, n_column;
    double *values;               /* [n_row][n_column]; NaN where the run is not finished */
    unsigned long long n_missing; /* values that are not finite */
    const char *entries;          /* "segment": what tells the rows apart; "" for one row */
    const char *const *labels;    /* [n_row] "upper"; NULL until they are asked for */
};

void ml_plot_read(struct ml_plot_source *source, const struct ml_plot_view *view,
                  struct ml_plot_slice *slice);

/* Sets `entries` and `labels`. */
void ml_plot_label_rows(struct ml_plot_source *source, const struct ml_plot_view *view,
                        struct ml_plot_slice *slice);

/* The lower and the upper ends of the error bars of the numbers that the view shows, of the same
 * shape; false if the result has none. Those of shares are the ends of their intervals, others a
 * standard error away. Standard errors are the dataset that the attribute `uncertainties` names, or
 * NAME_errors (both are NeXus rules), or STEM_error where STEM is the name without its last words:
 * lyapunov_error is that of lyapunov_max and lyapunov_spectrum. Dimensions that the values lack are
 * taken at the first entry.
 *   slice  the numbers */
bool ml_plot_read_ends(struct ml_plot_source *source, const struct ml_plot_view *view,
                       const struct ml_plot_slice *slice, struct ml_plot_slice ends[2]);

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
