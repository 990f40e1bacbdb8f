/* The kinds of picture: each writes its data and its script. */
#ifndef ML_PLOT_FIGURE_H
#define ML_PLOT_FIGURE_H

#include "plot/script.h"
#include "plot/view.h"

/* Colours over two axes; cells without a value are grey. */
void ml_plot_map(const struct ml_plot_script *script, const struct ml_plot_view *view);

/* Curves over one axis, with error bars where the result has errors; points of a sample. */
void ml_plot_curves(const struct ml_plot_script *script, const struct ml_plot_view *view);

/* Coloured points of a sample over two of its quantities. */
void ml_plot_points(const struct ml_plot_script *script, const struct ml_plot_view *view);

/* Positions of a chain at several times, from light to dark, and the path of its tip. */
void ml_plot_stick(const struct ml_plot_script *script, const struct ml_plot_request *request);

/* The subtitle of a view, with the run if it shows a single one, or how
 * many of n values are missing, and whether some lie outside the colours. */
const char *ml_plot_run_subtitle(struct ml_plot_source *source, const struct ml_plot_view *view);
const char *ml_plot_colour_subtitle(struct ml_plot_source *source, const struct ml_plot_view *view,
                                    unsigned long long n_missing, unsigned long long n,
                                    bool is_cut);

#endif
