/* Draws orbit diagrams: points, or where they are too many their density. */
#include "plot/figure.h"

#include <math.h>
#include <string.h>

enum { MOST_POINTS = 200000 }; /* more overlap, and are drawn by their density */

static unsigned long long orbit_count(const struct ml_plot_slice *slice)
{
    unsigned long long n = 0;
    for (unsigned long long i = 0; i < slice->n_row * slice->n_column; i++)
        n += isfinite(slice->values[i]);
    return n;
}

static void orbit_points(struct ml_plot_table *table, const struct ml_plot_axis *x,
                         const struct ml_plot_slice *slice, struct ml_plot_orbit_family family)
{
    for (unsigned long long i = 0; i < slice->n_column; i++) {
        const unsigned long long column = x->order[i];
        for (unsigned long long row = 0; row < slice->n_row; row++) {
            const double y = slice->values[row * slice->n_column + column];
            if (isfinite(y)) {
                ml_plot_write(table, x->scale->values[column]);
                ml_plot_write(table, y);
                ml_plot_write(table, (double)(row / family.inner % family.n));
            }
        }
    }
}

/* Cells of equal height between low and high, of y or of its logarithm. */
struct orbit_cells {
    double low, height;
    int n;
    bool is_log;
    unsigned *count; /* [n] events of one run */
};

static struct orbit_cells orbit_cells(const struct ml_plot_script *script,
                                      struct ml_plot_range range)
{
    const int n = script->height; /* a pixel each, and a little less */
    const double low = range.is_log ? log10(range.low) : range.low;
    const double high = range.is_log ? log10(range.high) : range.high;
    return (struct orbit_cells){
        low, (high - low) / n, n, range.is_log,
        ml_plot_take(script->source, (unsigned long long)n, sizeof(unsigned))};
}

/* The events of one run. */
static void orbit_fill(const struct orbit_cells *cells, const struct ml_plot_slice *slice,
                       unsigned long long column)
{
    memset(cells->count, 0, (size_t)cells->n * sizeof *cells->count);
    for (unsigned long long row = 0; row < slice->n_row; row++) {
        const double y = slice->values[row * slice->n_column + column];
        const double at = floor(((cells->is_log ? log10(y) : y) - cells->low) / cells->height);
        if (at >= 0.0 && at <= cells->n)
            cells->count[at < cells->n ? (int)at : cells->n - 1]++;
    }
}

static void orbit_density(struct ml_plot_table *table, const struct ml_plot_axis *x,
                          const struct ml_plot_slice *slice, const struct orbit_cells *cells)
{
    for (unsigned long long i = 0; cells->count && i < slice->n_column; i++) {
        const unsigned long long column = x->order[i];
        orbit_fill(cells, slice, column);
        for (int k = 0; k < cells->n; k++) {
            const double y = fma(k + 0.5, cells->height, cells->low);
            if (cells->count[k] > 0) {
                ml_plot_write(table, x->scale->values[column]);
                ml_plot_write(table, cells->is_log ? pow(10.0, y) : y);
                ml_plot_write(table, cells->count[k]);
            }
        }
    }
}

const char *ml_plot_orbit_write(const struct ml_plot_script *script, const struct ml_plot_axis *x,
                                const struct ml_plot_slice *slice,
                                struct ml_plot_orbit_family family, struct ml_plot_range range,
                                bool *are_cells)
{
    struct ml_plot_table table = ml_plot_begin_table(script, 3);
    *are_cells = orbit_count(slice) > MOST_POINTS;
    if (*are_cells) {
        const struct orbit_cells cells = orbit_cells(script, range);
        orbit_density(&table, x, slice, &cells);
    } else {
        orbit_points(&table, x, slice, family);
    }
    return ml_plot_end_table(&table);
}

void ml_plot_orbit_draw(const struct ml_plot_script *script, const char *data, bool are_cells)
{
    (void)fputs("unset key\nunset colorbox\n", script->file);
    if (are_cells)
        (void)fprintf(script->file,
                      "set palette defined (0 '#9ecae1', 1 '#4292c6', 2 '#08306b')\n"
                      "set logscale cb\n"
                      "plot %s using 1:2:3 with points pointtype 7 pointsize 0.1 linecolor palette "
                      "notitle\n",
                      data);
    else
        (void)fprintf(script->file,
                      "plot %s using 1:2 with points pointtype 7 pointsize 0.15 linecolor rgb '%s' "
                      "notitle\n",
                      data, ml_plot_distinct[0]);
}
