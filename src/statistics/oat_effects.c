/* Changes of an output from the run with all inputs at their middle. */
#include <math.h>
#include <stdbool.h>

#include "manylink/indices.h"

/* The runs along an input: numbers of these, and of the middle. */
struct line {
    const double *x, *y; /* [n] */
    int64_t n;
    double x0, y0;
};

/* Whether a number is 0 but for rounding beside two others: the quantile of a normal distribution
 * about 0 at 1/2 is 1e-16 of its standard deviation. */
static bool is_none(double number, double below, double above)
{
    return fabs(number) <= 1e-14 * fmax(fabs(below), fabs(above));
}

/* The slope between the two values on both sides of the middle, relative to the numbers there. */
static double elasticity(const struct line *line)
{
    int64_t below = -1, above = -1;
    for (int64_t r = 0; r < line->n; r++) {
        const double x = line->x[r];
        if (!isfinite(line->y[r]))
            continue;
        if (x < line->x0 && (below < 0 || x > line->x[below]))
            below = r;
        if (x > line->x0 && (above < 0 || x < line->x[above]))
            above = r;
    }
    if (below < 0 || above < 0 || is_none(line->x0, line->x[below], line->x[above]) ||
        is_none(line->y0, line->y[below], line->y[above]))
        return (double)NAN;
    const double slope = (line->y[above] - line->y[below]) / (line->x[above] - line->x[below]);
    return slope * line->x0 / line->y0;
}

static struct ml_oat_effect find_effect(const struct line *line)
{
    int64_t lowest = 0, highest = 0;
    double least = line->y0, most = line->y0;
    for (int64_t r = 0; r < line->n; r++) {
        lowest = line->x[r] < line->x[lowest] ? r : lowest;
        highest = line->x[r] > line->x[highest] ? r : highest;
        if (isfinite(line->y[r])) {
            least = fmin(least, line->y[r]);
            most = fmax(most, line->y[r]);
        }
    }
    return (struct ml_oat_effect){.at_lowest = line->y[lowest] - line->y0,
                                  .at_highest = line->y[highest] - line->y0,
                                  .swing = most - least,
                                  .elasticity = elasticity(line)};
}

int64_t ml_oat_effects_find(const double *x, const double *y, int64_t n_point, int n_input,
                            struct ml_oat_effect *effects)
{
    const int64_t n_run = 1 + n_point * n_input;
    int64_t n_complete = 0;
    for (int64_t r = 0; r < n_run; r++)
        n_complete += isfinite(y[r]) != 0;
    if (!isfinite(y[0]))
        return 0;
    for (int i = 0; i < n_input; i++) {
        const double *of = x + i * n_run;
        const int64_t first = 1 + i * n_point;
        const struct line line = {of + first, y + first, n_point, of[0], y[0]};
        effects[i] = find_effect(&line);
    }
    return n_complete;
}
