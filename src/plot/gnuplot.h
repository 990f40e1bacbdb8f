/* gnuplot, as a process of its own. */
#ifndef ML_PLOT_GNUPLOT_H
#define ML_PLOT_GNUPLOT_H

#include "plot/folder.h"
#include "plot/script.h"

/* Runs the folder's script into a temporary file, which then gets the name `picture`, once it is
 * whole. gnuplot ends with this process, and when the drawing is stopped. */
void ml_plot_run_gnuplot(struct ml_plot_source *source, const struct ml_plot_folder *folder,
                         const char *picture);

#endif
