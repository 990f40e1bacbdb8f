/* Lines of equal value over a map. */
#ifndef ML_PLOT_CONTOURS_H
#define ML_PLOT_CONTOURS_H

#include "plot/colours.h"
#include "plot/slice.h"

/* Writes the lines, straight between the middles of neighbouring cells and none at cells without a
 * value, and the settings of their labels.
 *   asked  "auto": round values within the colours, else "0,0.5,2"; refuses what is neither, and
 *          values that no line has
 * false once the source has failed. */
bool ml_plot_contours(const struct ml_plot_script *script, const struct ml_plot_slice *slice,
                      const struct ml_plot_axis *x, const struct ml_plot_axis *y,
                      const struct ml_plot_colours *colours, const struct ml_plot_view *view);

/* Adds them to a plot command. */
void ml_plot_add_contours(const struct ml_plot_script *script);

#endif
