/* Orbit diagrams: what events keep of each run, over an axis of the runs. */
#ifndef ML_PLOT_ORBIT_H
#define ML_PLOT_ORBIT_H

#include "plot/script.h"
#include "plot/slice.h"

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

#endif
