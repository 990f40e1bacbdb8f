/* Lines of equal value over a map: at which values gnuplot draws them, and where they are labelled.
 */
#include "plot/figure.h"

#include <math.h>
#include <string.h>

enum { MOST_LEVELS = 40, ABOUT = 8 };

struct contour_point {
    double x, y;
};

/* The middles of the map's cells in ascending order, and their values as colours see them. */
struct contour_grid {
    unsigned long long n_x, n_y;
    double *x, *y;  /* [n_x], [n_y] on the axis, its logarithm where it is logarithmic */
    double *values; /* [n_y][n_x] */
};

/* A value on the scale of the colours, between two of which a line is interpolated. */
static double contour_scaled(const struct ml_plot_colours *colours, double value)
{
    if (colours->linear > 0.0)
        return asinh(value / colours->linear);
    if (colours->range.is_log)
        return log10(value < colours->range.low ? colours->range.low : value);
    return value;
}

static double *contour_middles(struct ml_plot_source *source, const struct ml_plot_axis *axis)
{
    double *middles = ml_plot_take(source, axis->n, sizeof *middles);
    for (unsigned long long i = 0; middles && i < axis->n; i++) {
        const double value = axis->scale->values[axis->order[i]];
        middles[i] = axis->is_log ? log10(value) : value;
    }
    return middles;
}

static bool contour_grid_make(struct ml_plot_source *source, const struct ml_plot_slice *slice,
                              const struct ml_plot_axis *x, const struct ml_plot_axis *y,
                              const struct ml_plot_colours *colours, struct contour_grid *grid)
{
    *grid = (struct contour_grid){.n_x = x->n, .n_y = y->n};
    grid->x = contour_middles(source, x);
    grid->y = contour_middles(source, y);
    grid->values = ml_plot_take(source, x->n * y->n, sizeof *grid->values);
    if (source->status != ML_OK)
        return false;
    for (unsigned long long j = 0; j < y->n; j++)
        for (unsigned long long i = 0; i < x->n; i++)
            grid->values[j * x->n + i] =
                contour_scaled(colours, slice->values[y->order[j] * slice->n_column + x->order[i]]);
    return true;
}

/* Where lines are labelled, as far from each other as may be. */
struct contour_labels {
    struct contour_point at[MOST_LEVELS]; /* as parts of the picture */
    int n;
};

static double contour_free(const struct contour_labels *labels, struct contour_point at)
{
    double least = fmin(fmin(at.x, 1.0 - at.x), fmin(at.y, 1.0 - at.y));
    for (int i = 0; i < labels->n; i++)
        least = fmin(least, hypot(at.x - labels->at[i].x, at.y - labels->at[i].y));
    return least;
}

/* Labels a level where its line leaves a cell of four values through its lower or left side, as far
 * from other labels as may be; not at all where it crosses none. */
static void contour_label(const struct ml_plot_script *script, const struct contour_grid *grid,
                          double level, double scaled, struct contour_labels *labels)
{
    const double wide = grid->x[grid->n_x - 1] - grid->x[0];
    const double high = grid->y[grid->n_y - 1] - grid->y[0];
    double most = -1.0;
    struct contour_point best = {0.0, 0.0};
    for (unsigned long long j = 0; j + 1 < grid->n_y; j++)
        for (unsigned long long i = 0; i + 1 < grid->n_x; i++) {
            const double *corner = grid->values + j * grid->n_x + i;
            const double next[2] = {corner[1], corner[grid->n_x]};
            for (int up = 0;
                 up < 2 && isfinite(corner[0] + next[0] + next[1] + corner[grid->n_x + 1]); up++) {
                const double part = (scaled - corner[0]) / (next[up] - corner[0]);
                if (!(part >= 0.0 && part <= 1.0))
                    continue;
                const double x = grid->x[i] + (up ? 0.0 : part * (grid->x[i + 1] - grid->x[i]));
                const double y = grid->y[j] + (up ? part * (grid->y[j + 1] - grid->y[j]) : 0.0);
                const struct contour_point at = {(x - grid->x[0]) / wide, (y - grid->y[0]) / high};
                const double room = contour_free(labels, at);
                best = room > most ? at : best;
                most = fmax(room, most);
            }
        }
    if (most < 0.0)
        return;
    labels->at[labels->n++] = best;
    (void)fprintf(script->file,
                  "set label %d '%.6g' at second %.17g,%.17g center front boxed font ',9'\n",
                  labels->n, level, grid->x[0] + best.x * wide, grid->y[0] + best.y * high);
}

/* Round values strictly between two numbers, about ABOUT. */
static int contour_round_levels(double low, double high, double *levels)
{
    static const double steps[] = {1.0, 2.0, 5.0, 10.0};
    const double unit = pow(10.0, floor(log10((high - low) / ABOUT)));
    int k = 0, n = 0;
    while (k < 3 && (high - low) / (steps[k] * unit) > ABOUT + 2)
        k++;
    const double step = steps[k] * unit;
    const double below = floor(low / step);
    for (; (below + n + 1) * step < high && n < MOST_LEVELS; n++)
        levels[n] = (below + n + 1) * step;
    return n;
}

/* Powers of ten and their multiples, strictly between two numbers. */
static int contour_log_levels(double low, double high, double *levels)
{
    const int n = ml_plot_log_steps(low, high, MOST_LEVELS, levels);
    const int first = n > 0 && levels[0] == low, last = n > first && levels[n - 1] == high;
    memmove(levels, levels + first, (size_t)(n - first - last) * sizeof *levels);
    return n - first - last;
}

/* 0 and powers of ten of both signs, from where the scale is no longer linear. */
static int contour_asinh_levels(const struct ml_plot_colours *colours, double *levels)
{
    const double low = colours->range.low, high = colours->range.high;
    double sizes[MOST_LEVELS];
    const int n_size = contour_log_levels(colours->linear / 2.0, fmax(-low, high), sizes);
    int n = 0;
    levels[n++] = 0.0;
    for (int i = 0; i < n_size && n + 2 <= MOST_LEVELS; i++) {
        if (sizes[i] < high)
            levels[n++] = sizes[i];
        if (-sizes[i] > low)
            levels[n++] = -sizes[i];
    }
    return n;
}

static int contour_levels(struct ml_plot_source *source, const struct ml_plot_view *view,
                          const struct ml_plot_colours *colours, double *levels)
{
    const int n = view->request->n_contour;
    if (n > MOST_LEVELS)
        ml_plot_refuse(source, "contours: at most %d values", MOST_LEVELS);
    else if (n > 0)
        memcpy(levels, view->request->contours, (size_t)n * sizeof *levels);
    if (n > 0)
        return n;
    if (colours->linear > 0.0)
        return contour_asinh_levels(colours, levels);
    return (colours->range.is_log ? contour_log_levels : contour_round_levels)(
        colours->range.low, colours->range.high, levels);
}

/* Middles and values of all cells. */
static const char *contour_write(const struct ml_plot_script *script,
                                 const struct contour_grid *grid)
{
    struct ml_plot_table table = ml_plot_begin_table(script, 3);
    for (unsigned long long j = 0; j < grid->n_y; j++)
        for (unsigned long long i = 0; i < grid->n_x; i++) {
            ml_plot_write(&table, grid->x[i]);
            ml_plot_write(&table, grid->y[j]);
            ml_plot_write(&table, grid->values[j * grid->n_x + i]);
        }
    return ml_plot_format(script->source,
                          "data binary skip=%ld record=(%llu,%llu) format='%%3double'", table.skip,
                          grid->n_x, grid->n_y);
}

void ml_plot_contours(const struct ml_plot_script *script, const struct ml_plot_slice *slice,
                      const struct ml_plot_axis *x, const struct ml_plot_axis *y,
                      const struct ml_plot_colours *colours, const struct ml_plot_view *view)
{
    struct ml_plot_source *source = script->source;
    struct contour_grid grid;
    struct contour_labels labels = {.n = 0};
    double levels[MOST_LEVELS] = {0.0};
    if (colours->names || x->scale->texts || y->scale->texts)
        ml_plot_refuse(source, "contours are for numbers over two axes of numbers");
    if (source->status != ML_OK || !contour_grid_make(source, slice, x, y, colours, &grid))
        return;
    const int n_level = contour_levels(source, view, colours, levels);
    (void)fputs("set style textbox opaque noborder margins 0.6,0.6 fillcolor rgb '#ffffff'\n"
                "set contour base\nunset surface\nset cntrparam linear levels discrete ",
                script->file);
    for (int k = 0; k < n_level; k++)
        (void)fprintf(script->file, "%s%.17g", k > 0 ? ", " : "",
                      contour_scaled(colours, levels[k]));
    (void)fprintf(script->file,
                  "\nset table $contours\nsplot %s using 1:2:3\nunset table\n"
                  "unset contour\nset surface\n",
                  contour_write(script, &grid));
    for (int k = 0; k < n_level; k++)
        contour_label(script, &grid, levels[k], contour_scaled(colours, levels[k]), &labels);
    if (labels.n == 0)
        ml_plot_refuse(source,
                       "cannot draw contours: no value is crossed; colours go from %.6g to %.6g",
                       colours->range.low, colours->range.high);
}

void ml_plot_add_contours(const struct ml_plot_script *script)
{
    (void)fputs(ML_PLOT_AGAIN "$contours using 1:2 with lines linewidth 2.4 linecolor rgb "
                              "'#80ffffff' axes x2y2 notitle" ML_PLOT_AGAIN
                              "$contours using 1:2 with lines linewidth 1 linecolor rgb "
                              "'#000000' axes x2y2 notitle",
                script->file);
}
