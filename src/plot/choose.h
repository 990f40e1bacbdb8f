/* Chooses the view of a dataset. */
#ifndef ML_PLOT_CHOOSE_H
#define ML_PLOT_CHOOSE_H

#include "plot/view.h"

/* Chooses by what is asked for; refuses what the dataset has not. Else
 *   x is time, or the last of the grid's axes (a sample: its first swept quantity), or the last
 *     extra dimension;
 *   y, where two of the grid's axes are left, the one before, which makes curves if y is "none";
 *   `by` makes a curve for every entry of its axis, and there is no y;
 *   of the grid's other axes the middle is taken, of the saved runs the first;
 *   extra dimensions make curves; a map shows the first entry that has a value. */
void ml_plot_choose(struct ml_plot_source *source, const struct ml_plot_dataset *dataset,
                    const struct ml_plot_options *request, struct ml_plot_view *view);

#endif
