/* How positions lie along an axis: linear or logarithmic, regular or not, and the cells of a map
 * around them. */
#ifndef ML_PLOT_AXIS_H
#define ML_PLOT_AXIS_H

#include "plot/dataset.h"

struct ml_plot_axis {
    const struct ml_plot_scale *scale; /* borrowed */
    bool is_log;
    bool is_regular; /* cells are of one width, on the logarithm if is_log */
    unsigned long long n;
    const unsigned long long *order; /* [n] positions of the scale in ascending order */
    const double *edges;             /* [n + 1] of the cells, ascending; log10 of them if is_log */
};

/* Edges lie halfway between neighbours, the outer ones as far out as the next inner one is in. */
void ml_plot_axis_init(struct ml_plot_source *source, const struct ml_plot_scale *scale,
                       struct ml_plot_axis *axis);

/* Range of values to draw. */
struct ml_plot_range {
    bool is_log; /* draw the logarithm */
    bool is_cut; /* some values lie outside */
    bool is_few; /* values are whole, and so few that each has a tic */
    double low, high;
    double core_low, core_high; /* of values: between them are 98 of 100 */
};

/* From the first to the last value, and by a part of that further out; text is drawn by cells. */
struct ml_plot_range ml_plot_span(const struct ml_plot_axis *axis, double margin);
/* From the first to the last edge. */
struct ml_plot_range ml_plot_cells(const struct ml_plot_axis *axis);

/* Refuses a picture of `name`, a dataset whose values to draw have no finite one. */
void ml_plot_refuse_empty(struct ml_plot_source *source, const char *name);

/* Range of the finite ones of n values, low < high; refuses without finite values. Drawn on a
 * logarithmic scale are values of which none is negative, that span more than three decades, and of
 * which half are less than a twentieth of the largest. Zeros are then drawn as the least of the
 * others. */
struct ml_plot_range ml_plot_range_of(struct ml_plot_source *source, const char *name,
                                      const double *values, unsigned long long n);

/* For colours: where the range is more than three times as wide as that of 98 of 100 values, it is
 * theirs: of a uniform distribution both are one, of a normal one of a million values they differ
 * by 2.1. */
struct ml_plot_range ml_plot_cut(struct ml_plot_range range);

/* The range of an axis that values are drawn along, with a margin, where it is ten times as wide:
 * values beyond are not seen at all. */
struct ml_plot_range ml_plot_cut_axis(struct ml_plot_range range);

/* Sets the ends that are asked for. Whether any is. */
bool ml_plot_ask_range(const struct ml_plot_options *request, struct ml_plot_range *range);

/* Sorts the finite numbers of n values to the front; returns their number. */
unsigned long long ml_plot_sort_finite(double *values, unsigned long long n);

#endif
