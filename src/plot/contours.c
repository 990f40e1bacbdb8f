/* Lines of equal value over a map: where they run between the middles of four neighbouring cells,
 * and at which values. */
#include "plot/contours.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_LEVELS = 40, ABOUT = 8 };

struct contour_point {
    double x, y;
};

/* Two points of a line, which is straight between them. */
struct contour_piece {
    struct contour_point from, to;
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
        return log10(fmax(value, colours->range.low));
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

/* Where the level is between two corners, of which one is below it and one is not. */
static struct contour_point contour_cross(const struct contour_grid *grid, unsigned long long a,
                                          unsigned long long b, double level)
{
    const double low = grid->values[a], high = grid->values[b];
    const double part = (level - low) / (high - low);
    const double x = grid->x[a % grid->n_x], y = grid->y[a / grid->n_x];
    return (struct contour_point){
        x + part * (grid->x[b % grid->n_x] - x),
        y + part * (grid->y[b / grid->n_x] - y),
    };
}

/* The pieces of a line between four corners, given in order around: none, one or two. Of two, the
 * mean of the corners says which of them stay together. */
static int contour_square(const struct contour_grid *grid, const unsigned long long corners[4],
                          double level, struct contour_piece pieces[2])
{
    struct contour_point crossed[4];
    double mean = 0.0;
    int n = 0;
    for (int k = 0; k < 4; k++) {
        const unsigned long long a = corners[k], b = corners[(k + 1) % 4];
        if (!isfinite(grid->values[a]))
            return 0;
        mean += 0.25 * grid->values[a];
        if ((grid->values[a] < level) != (grid->values[b] < level))
            crossed[n++] = contour_cross(grid, a, b, level);
    }
    if (n < 4) {
        pieces[0] = (struct contour_piece){crossed[0], crossed[1]};
        return n / 2;
    }
    const bool cuts_first = (grid->values[corners[0]] < level) != (mean < level);
    pieces[0] = (struct contour_piece){crossed[0], crossed[cuts_first ? 3 : 1]};
    pieces[1] = (struct contour_piece){crossed[2], crossed[cuts_first ? 1 : 3]};
    return 2;
}

/* All pieces of one level; NULL without any. */
static struct contour_piece *contour_find(struct ml_plot_source *source,
                                          const struct contour_grid *grid, double level,
                                          unsigned long long *n)
{
    struct contour_piece two[2];
    struct contour_piece *pieces = NULL;
    for (int pass = 0; pass < 2; pass++) { /* counts, then keeps */
        if (pass == 1 && *n > 0)
            pieces = ml_plot_take(source, *n, sizeof *pieces);
        if (pass == 1 && !pieces)
            return NULL;
        *n = 0;
        for (unsigned long long j = 0; j + 1 < grid->n_y; j++)
            for (unsigned long long i = 0; i + 1 < grid->n_x; i++) {
                const unsigned long long at = j * grid->n_x + i;
                const unsigned long long corners[] = {at, at + 1, at + grid->n_x + 1,
                                                      at + grid->n_x};
                const int found = contour_square(grid, corners, level, two);
                for (int k = 0; pieces && k < found; k++)
                    pieces[*n + (unsigned)k] = two[k];
                *n += (unsigned)found;
            }
    }
    return pieces;
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

static void contour_label(const struct ml_plot_script *script, const struct contour_grid *grid,
                          const struct contour_piece *pieces, unsigned long long n, double level,
                          struct contour_labels *labels)
{
    const double wide = grid->x[grid->n_x - 1] - grid->x[0];
    const double high = grid->y[grid->n_y - 1] - grid->y[0];
    double most = -1.0;
    struct contour_point best = {0.0, 0.0};
    for (unsigned long long i = 0; i < n; i++) {
        const struct contour_point at = {(pieces[i].from.x - grid->x[0]) / wide,
                                         (pieces[i].from.y - grid->y[0]) / high};
        const double room = contour_free(labels, at);
        if (room > most) {
            most = room;
            best = at;
        }
    }
    labels->at[labels->n++] = best;
    (void)fprintf(script->file,
                  "set label %d '%.6g' at second %.17g,%.17g center front boxed font ',9'\n",
                  labels->n, level, grid->x[0] + best.x * wide, grid->y[0] + best.y * high);
}

/* Round values, about as many as asked for, strictly between two. */
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

/* Powers of ten, or 1, 2 and 5 of them on less than two decades, strictly between two. */
static int contour_log_levels(double low, double high, double *levels)
{
    static const double steps[] = {1.0, 2.0, 5.0};
    const int all = high < 100.0 * low ? 3 : 1;
    int n = 0;
    for (int k = (int)floor(log10(low)); k <= (int)floor(log10(high)); k++)
        for (int i = 0; i < all && n < MOST_LEVELS; i++) {
            const double value = steps[i] * pow(10.0, k);
            if (value > low && value < high)
                levels[n++] = value;
        }
    return n;
}

/* 0 and powers of ten of both signs, from where the scale is no longer linear. */
static int contour_asinh_levels(const struct ml_plot_colours *colours, double *levels)
{
    int n = contour_log_levels(colours->linear / 2.0, colours->range.high, levels);
    if (n > MOST_LEVELS / 2)
        n = MOST_LEVELS / 2 - 1;
    for (int i = n - 1; i >= 0; i--)
        if (-levels[i] > colours->range.low)
            levels[n++] = -levels[i];
    levels[n++] = 0.0;
    return n;
}

static int contour_levels(struct ml_plot_source *source, const struct ml_plot_view *view,
                          const struct ml_plot_colours *colours, double *levels)
{
    if (view->n_contour > MOST_LEVELS)
        ml_plot_refuse(source, "contours: at most %d values", MOST_LEVELS);
    else if (view->n_contour > 0)
        memcpy(levels, view->contours, (size_t)view->n_contour * sizeof *levels);
    if (view->n_contour > 0)
        return view->n_contour;
    if (colours->linear > 0.0)
        return contour_asinh_levels(colours, levels);
    return (colours->range.is_log ? contour_log_levels : contour_round_levels)(
        colours->range.low, colours->range.high, levels);
}

/* A block for each piece: x, y and the level at both ends. */
static void contour_write(FILE *file, const struct contour_piece *pieces, unsigned long long n,
                          double level)
{
    for (unsigned long long i = 0; file && i < n; i++)
        (void)fprintf(file, "%.17g %.17g %.17g\n%.17g %.17g %.17g\n\n", pieces[i].from.x,
                      pieces[i].from.y, level, pieces[i].to.x, pieces[i].to.y, level);
}

bool ml_plot_contours(const struct ml_plot_script *script, const struct ml_plot_slice *slice,
                      const struct ml_plot_axis *x, const struct ml_plot_axis *y,
                      const struct ml_plot_colours *colours, const struct ml_plot_view *view)
{
    struct ml_plot_source *source = script->source;
    struct contour_grid grid;
    struct contour_labels labels = {.n = 0};
    double levels[MOST_LEVELS];
    if (colours->names || x->scale->texts || y->scale->texts)
        ml_plot_refuse(source, "contours are for numbers over two axes of numbers");
    if (source->status != ML_OK)
        return false;
    const int n_level = contour_levels(source, view, colours, levels);
    if (!contour_grid_make(source, slice, x, y, colours, &grid))
        return false;
    FILE *file = ml_plot_create(source, script->folder, ML_PLOT_MORE_DATA);
    (void)fputs("set style textbox opaque noborder margins 0.6,0.6 fillcolor rgb '#ffffff'\n",
                script->file);
    for (int k = 0; k < n_level && source->status == ML_OK; k++) {
        unsigned long long n = 0;
        const struct contour_piece *pieces =
            contour_find(source, &grid, contour_scaled(colours, levels[k]), &n);
        contour_write(file, pieces, n, levels[k]);
        if (pieces && n > 0)
            contour_label(script, &grid, pieces, n, levels[k], &labels);
    }
    ml_plot_finish(source, file);
    if (labels.n == 0)
        ml_plot_refuse(source, "contours: no value is crossed; colours go from %.6g to %.6g",
                       colours->range.low, colours->range.high);
    return source->status == ML_OK;
}

void ml_plot_add_contours(const struct ml_plot_script *script)
{
    (void)fputs(", \\\n    folder . '" ML_PLOT_MORE_DATA "' using 1:2 with lines linewidth 2.4 "
                "linecolor rgb '#80ffffff' axes x2y2 notitle, \\\n"
                "    folder . '" ML_PLOT_MORE_DATA "' using 1:2 with lines linewidth 1 "
                "linecolor rgb '#000000' axes x2y2 notitle",
                script->file);
}
