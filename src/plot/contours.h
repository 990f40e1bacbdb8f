/* Lines of equal value over a map. */
#ifndef ML_PLOT_CONTOURS_H
#define ML_PLOT_CONTOURS_H

#include "plot/colours.h"
#include "plot/slice.h"

/* Has gnuplot find the lines between the middles of cells, none at cells without a value, and sets
 * their labels. Refuses values that no line has. */
void ml_plot_contours(const struct ml_plot_script *script, const struct ml_plot_slice *slice,
                      const struct ml_plot_axis *x, const struct ml_plot_axis *y,
                      const struct ml_plot_colours *colours, const struct ml_plot_view *view);

/* Adds them to a plot command. */
void ml_plot_add_contours(const struct ml_plot_script *script);

#endif
