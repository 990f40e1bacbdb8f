/* Several pictures in one. */
#ifndef ML_PLOT_PANELS_H
#define ML_PLOT_PANELS_H

#include "manylink/plot.h"
#include "plot/script.h"

typedef void ml_plot_draw_fn(const struct ml_plot_script *script,
                             const struct ml_plot_options *request);

/* Draws a panel for each entry of the axis request->panels by `draw`, in rows. */
void ml_plot_panels(struct ml_plot_script *script, const struct ml_plot_options *request,
                    ml_plot_draw_fn *draw);

#endif
