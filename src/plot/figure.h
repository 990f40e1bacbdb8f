/* The kinds of picture: each writes its data and its script. */
#ifndef ML_PLOT_FIGURE_H
#define ML_PLOT_FIGURE_H

#include "plot/colours.h"
#include "plot/slice.h"

/* Colours over two axes; cells without a value are grey. */
void ml_plot_map(const struct ml_plot_script *script, const struct ml_plot_view *view);

/* Curves over one axis, with error bars where the result has errors; points of a sample. */
void ml_plot_curves(const struct ml_plot_script *script, const struct ml_plot_view *view);

/* Coloured points of a sample over two of its quantities. */
void ml_plot_points(const struct ml_plot_script *script, const struct ml_plot_view *view);

/* A number of a sample over one of its quantities, in the colour of another. */
void ml_plot_coloured_points(const struct ml_plot_script *script, const struct ml_plot_view *view,
                             const char *colour);

/* Bars of one row per label, where the axis is of labels: parameters, segments.
 *   scale   of the columns of the slice
 *   label   along the bars
 *   ends    [2] lower and upper ends of intervals about the ends of bars; NULL: none */
void ml_plot_bars(const struct ml_plot_script *script, const struct ml_plot_scale *scale,
                  const char *label, const struct ml_plot_slice *slice,
                  const struct ml_plot_slice *ends);

/* Estimates with intervals, a panel for each of the request's. */
void ml_plot_estimates(struct ml_plot_script *script, const struct ml_plot_options *request);

/* How often values of finished runs occur, for each entry of the extra dimensions. */
void ml_plot_histogram(const struct ml_plot_script *script, const struct ml_plot_dataset *dataset,
                       const struct ml_plot_options *request);

/* All that was swept or drawn and a number of the summary over each other. */
void ml_plot_matrix(const struct ml_plot_script *script, const struct ml_plot_dataset *dataset,
                    const struct ml_plot_options *request);

/* Replaces the name of one component of a dataset, angle.upper, by the name of the dataset and the
 * entry that is fixed; refuses an entry that the dataset lacks. */
void ml_plot_split_name(struct ml_plot_source *source, struct ml_plot_options *request);

/* Quantiles over the runs at every time, for each entry of the extra dimensions; and the dataset of
 * a kept quantity's quantiles in a result of a sample, [swept axes .., extra .., time, quantile].
 */
bool ml_plot_find_bands(struct ml_plot_source *source, const char *name,
                        struct ml_plot_dataset *dataset);
void ml_plot_bands(const struct ml_plot_script *script, const struct ml_plot_dataset *dataset,
                   const struct ml_plot_options *request);

/* Refuses more parts than there are distinct colours.
 *   picture  "a histogram shows" */
void ml_plot_check_parts(struct ml_plot_source *source, const struct ml_plot_dataset *dataset,
                         const struct ml_plot_slice *parts, const char *picture);

/* The legend of the parts, if they are several. */
void ml_plot_set_parts_key(const struct ml_plot_script *script, const struct ml_plot_slice *parts);

/* One kept quantity over another, --x angle.upper --y rate.upper; and whether the request is one:
 * both are names of kept quantities. */
bool ml_plot_is_phase(struct ml_plot_source *source, const struct ml_plot_options *request);
void ml_plot_phase(const struct ml_plot_script *script, const struct ml_plot_options *request);

/* Kept quantities of events, one over another, --x section_angle.lower --y
 * section_rate.lower; and whether the request is one: both name kept quantities. */
bool ml_plot_is_section(struct ml_plot_source *source, const struct ml_plot_options *request);
/* Where nothing is asked for, and viewers show a section first, asks for that. */
void ml_plot_prefer_section(struct ml_plot_source *source, struct ml_plot_options *request);
void ml_plot_section(const struct ml_plot_script *script, const struct ml_plot_options *request);
/* A kept quantity of the next event over that of each, --return-map peak_x, and the line where they
 * are equal. */
void ml_plot_return_map(const struct ml_plot_script *script, const struct ml_plot_options *request);

/* The parts of a torque, over time, a panel for each joint: stacked above each other. */
void ml_plot_parts(const struct ml_plot_script *script, const struct ml_plot_options *request);

/* Work and precision of integrators: lines on logarithmic axes, one for each. */
void ml_plot_precision(const struct ml_plot_script *script, const struct ml_plot_options *request);

/* Positions of a chain at several times, from light to dark, and the path of its tip. */
void ml_plot_stick(const struct ml_plot_script *script, const struct ml_plot_options *request);

/* A subtitle with how many values are beyond the range, if any are. */
const char *ml_plot_beyond_subtitle(struct ml_plot_source *source, const char *subtitle,
                                    unsigned long long n_beyond);

/* The subtitle of a view, with the run if it shows a single one, or how
 * many of n values are missing, and whether some lie outside the colours. */
const char *ml_plot_run_subtitle(struct ml_plot_source *source, const struct ml_plot_view *view);
const char *ml_plot_colour_subtitle(struct ml_plot_source *source, const struct ml_plot_view *view,
                                    unsigned long long n_missing, unsigned long long n,
                                    const struct ml_plot_colours *colours);

/* Has gnuplot find the lines between the middles of cells, none at cells without a value, and sets
 * their labels. Refuses values that no line has. */
void ml_plot_contours(const struct ml_plot_script *script, const struct ml_plot_slice *slice,
                      const struct ml_plot_axis *x, const struct ml_plot_axis *y,
                      const struct ml_plot_colours *colours, const struct ml_plot_view *view);

/* Adds them to a plot command. */
void ml_plot_add_contours(const struct ml_plot_script *script);

/* Runs that have a colour of their own, such as those of either direction: row i of the events
 * belongs to number (i / inner) % n. n is 1 where all are alike. */
struct ml_plot_orbit_family {
    unsigned long long n, inner;
};

/* Writes the data: a row for each event, x, y and the number of its family; or of more than a
 * picture can tell apart a row for each cell that has some: x, y, how many. Returns the data as of
 * ml_plot_end_table.
 *   slice  a row for each event of the runs, a column for each run
 *   range  of y
 *   are_cells  out: whether these are cells */
const char *ml_plot_orbit_write(const struct ml_plot_script *script, const struct ml_plot_axis *x,
                                const struct ml_plot_slice *slice,
                                struct ml_plot_orbit_family family, struct ml_plot_range range,
                                bool *are_cells);

/* The commands that draw cells, or points that are all alike, axes being set. */
void ml_plot_orbit_draw(const struct ml_plot_script *script, const char *data, bool are_cells);

typedef void ml_plot_draw_fn(const struct ml_plot_script *script,
                             const struct ml_plot_options *request);

enum { ML_PLOT_MOST_PANELS = 12 };

/* Rows and columns of n panels, and the size of each; refuses more dots than a picture has. */
void ml_plot_divide(struct ml_plot_script *script, const struct ml_plot_options *request, int n);

/* Draws a panel for each entry of the axis request->panels by `draw`, in rows. */
void ml_plot_panels(struct ml_plot_script *script, const struct ml_plot_options *request,
                    ml_plot_draw_fn *draw);

#endif
