/* Which dimension of a dataset is drawn along which axis, and where the others are fixed. */
#ifndef ML_PLOT_VIEW_H
#define ML_PLOT_VIEW_H

#include "manylink/plot.h"
#include "plot/dataset.h"

struct ml_plot_view {
    const struct ml_plot_dataset *dataset;    /* borrowed */
    enum ml_view_style style;                 /* scatter: x and y are two scales of one dimension */
    int x, y;                                 /* dimensions; y: -1 in curves */
    int family;                               /* of the runs, a curve for each entry; -1: none */
    struct ml_plot_scale x_scale, y_scale;    /* theirs, or others that were asked for */
    bool is_fixed[ML_ARRAY_MAX_RANK];         /* those that are neither make curves */
    unsigned long long at[ML_ARRAY_MAX_RANK]; /* of those that are fixed */
    const struct ml_plot_options *request;    /* borrowed: part of x, range, contours */
    const unsigned long long *several; /* [n_several] entries of dimension 0, which is fixed at
                                          each in turn; n_several is 0 or at least 2 */
    int n_several;
    const char *subtitle; /* the fixed dimensions, "a = 1 m; b = 2" */
};

/* A view of a dataset without axes, and of nothing fixed. */
struct ml_plot_view ml_plot_view_of(const struct ml_plot_dataset *dataset,
                                    const struct ml_plot_options *request);

/* Entry of an extra dimension that is drawn: that of the view in the file; of segments the last,
 * else the first. */
unsigned long long ml_plot_usual_entry(struct ml_plot_source *source,
                                       const struct ml_plot_dataset *dataset, int dim);

/* Entries of a dimension that the view shows, and numbers of all dimensions. */
unsigned long long ml_plot_count(const struct ml_plot_view *view, int dim);
unsigned long long ml_plot_box(const struct ml_plot_view *view);
/* Reads these n numbers, in row order, as they are. */
void ml_plot_read_box(struct ml_plot_source *source, const struct ml_plot_view *view,
                      double *values, unsigned long long n);

/* A view's choice for a dataset of the same group with all of these dimensions and perhaps more,
 * of which the first entries are taken; false if it lacks one. */
bool ml_plot_same_choice(const struct ml_plot_view *view, const struct ml_plot_dataset *other,
                         struct ml_plot_view *same);

/* Number of the run if the view shows a single one; false if several. */
bool ml_plot_single_run(const struct ml_plot_view *view, unsigned long long *run);

/* Chooses dimensions by the request, and those that the request leaves free by the rules of
 * plan/view.h; refuses names that the dataset has not. */
void ml_plot_choose(struct ml_plot_source *source, const struct ml_plot_dataset *dataset,
                    const struct ml_plot_options *request, struct ml_plot_view *view);

/* Fixes a dimension at a position, which the scale tells; refuses it if it is fixed already. */
void ml_plot_select(struct ml_plot_source *source, struct ml_plot_view *view, int dim,
                    const struct ml_plot_scale *scale, unsigned long long at);

/* Selects the entries of --at and --run. */
void ml_plot_select_requested(struct ml_plot_source *source, struct ml_plot_view *view,
                              const struct ml_plot_options *request);

#endif
