/* Pictures of a finished result, drawn by gnuplot, a program of its own. */
#ifndef ML_PLOT_PLOT_H
#define ML_PLOT_PLOT_H

#include "manylink/status.h"
#include "plot/request.h"

/* Draws it. Without `output` only script and data are written; without `script` they are thrown
 * away. On failure there is no new picture, and none is changed. */
enum ml_status ml_plot(const struct ml_plot_request *request, struct ml_error *err);

#endif
