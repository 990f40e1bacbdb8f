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

/* The standard errors of the numbers that the view shows, of the same shape; false if the result
 * has none. They are the dataset that the attribute `uncertainties` names, or NAME_errors (both are
 * NeXus rules), or STEM_error where STEM is the name without its last words: lyapunov_error is that
 * of lyapunov_max and lyapunov_spectrum. Dimensions that the values lack are taken at the first
 * entry. */
bool ml_plot_read_errors(struct ml_plot_source *source, const struct ml_plot_view *view,
                         struct ml_plot_slice *errors);

#endif
