/* Selects one index of a dimension of a view, and says which in the subtitle. */
#ifndef ML_PLOT_SELECT_H
#define ML_PLOT_SELECT_H

#include "plot/view.h"

/* Fixes a dimension at a position, which the scale tells; refuses it if it is fixed already. */
void ml_plot_select(struct ml_plot_source *source, struct ml_plot_view *view, int dim,
                    const struct ml_plot_scale *scale, unsigned long long at);

/* What --at and --run ask for. */
void ml_plot_select_requested(struct ml_plot_source *source, struct ml_plot_view *view,
                              const struct ml_plot_options *request);

#endif
