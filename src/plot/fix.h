/* Fixes dimensions of a view, and notes where. */
#ifndef ML_PLOT_FIX_H
#define ML_PLOT_FIX_H

#include "plot/view.h"

/* Fixes a dimension at a position, which the scale tells; refuses it if it is fixed already. */
void ml_plot_fix(struct ml_plot_source *source, struct ml_plot_view *view, int dim,
                 const struct ml_plot_scale *scale, unsigned long long at);

/* What --at and --run ask for. */
void ml_plot_fix_requested(struct ml_plot_source *source, struct ml_plot_view *view,
                           const struct ml_plot_request *request);

#endif
