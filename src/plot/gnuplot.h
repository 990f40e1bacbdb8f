/* gnuplot, as a process of its own. */
#ifndef ML_PLOT_GNUPLOT_H
#define ML_PLOT_GNUPLOT_H

#include "plot/folder.h"

/* Runs the folder's script into a temporary file, which then gets the name `picture`. */
void ml_plot_run_gnuplot(struct ml_plot_source *source, const struct ml_plot_folder *folder,
                         const char *picture);

#endif
