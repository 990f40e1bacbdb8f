/* Elementary effects of trajectories, and their sums. */
#include <math.h>
#include <stdlib.h>

#include "statistics/moments.h"
#include "statistics/resample.h"

/* Sums: effects about their centre, absolute effects, squares about the centre; before these the
 * trajectories. */
enum { N_OF_INPUT = 3 };

/* Effects of an input: their power of two (ml_safe_scale), and the mean of scaled effects. Without
 * the mean, squares of effects that are nearly the same would leave no digits of sigma. */
struct centre {
    double scale, mean;
};

struct effects {
    int n; /* inputs */
    const struct centre *centres;
};

struct trajectory {
    int n;
    const double *x, *y; /* [n + 1][n], [n + 1] */
};

/* The input that a run changes, n if there is another number of inputs than one. */
static int changed_input(const struct trajectory *t, int run)
{
    const double *now = t->x + (ptrdiff_t)run * t->n, *before = now - t->n;
    int changed = t->n, n_changed = 0;
    for (int i = 0; i < t->n; i++)
        if (now[i] != before[i]) {
            changed = i;
            n_changed++;
        }
    return n_changed == 1 ? changed : t->n;
}

static bool is_complete(const struct trajectory *t)
{
    bool is_finite = true;
    for (int run = 0; run <= t->n; run++)
        is_finite &= isfinite(t->y[run]) != 0;
    return is_finite;
}

/* The effect of each input; false unless every input moves once. */
static bool find_effects(const struct trajectory *t, double step, double *effects)
{
    for (int i = 0; i < t->n; i++)
        effects[i] = (double)NAN;
    for (int run = 1; run <= t->n; run++) {
        const int i = changed_input(t, run);
        if (i == t->n || !isnan(effects[i]))
            return false;
        const double *now = t->x + (ptrdiff_t)run * t->n;
        effects[i] = (t->y[run] - t->y[run - 1]) / (now[i] > now[i - t->n] ? step : -step);
    }
    return true;
}

/* Morris' measures from sums of scaled effects. */
static void estimate(const void *context, const double *sums, double *out)
{
    const struct effects *effects = context;
    const int n = effects->n;
    const double size = sums[0];
    for (int i = 0; i < n; i++) {
        const double *of = sums + 1 + (ptrdiff_t)i * N_OF_INPUT, mean = of[0] / size;
        out[i] = of[1] / size;
        out[n + i] = effects->centres[i].mean + mean;
        out[2 * n + i] = sqrt(fmax(of[2] - mean * of[0], 0.0) / (size - 1.0));
    }
}

/* Effects of complete trajectories, [*n][n_input]; false if their runs are no trajectories. */
static bool find_all_effects(const double *x, const double *y, int64_t n_point, int n_input,
                             double step, double *effects, int64_t *n)
{
    bool is_found = true;
    for (int64_t p = 0; p < n_point; p++) {
        const struct trajectory t = {n_input, x + p * (n_input + 1) * n_input,
                                     y + p * (n_input + 1)};
        if (!is_complete(&t))
            continue;
        is_found &= find_effects(&t, step, effects + (*n)++ * n_input);
    }
    return is_found;
}

static void find_centres(const double *effects, int64_t n, int n_input, struct centre *centres)
{
    for (int i = 0; i < n_input; i++) {
        double min = effects[i], max = effects[i], mean = 0.0;
        for (int64_t p = 0; p < n; p++) {
            min = fmin(min, effects[p * n_input + i]);
            max = fmax(max, effects[p * n_input + i]);
        }
        const double scale = ml_safe_scale(min, max);
        for (int64_t p = 0; p < n; p++)
            mean += (scale * effects[p * n_input + i] - mean) / (double)(p + 1);
        centres[i] = (struct centre){scale, mean};
    }
}

static void add_effects(const struct ml_resamples *resamples, const struct centre *centres,
                        int n_input, const double *effects, double *sums)
{
    const int n_sum = 1 + N_OF_INPUT * n_input;
    for (int64_t p = 0; p < resamples->n_point; p++) {
        double *to = sums + ml_resamples_group(resamples, p) * n_sum;
        to[0] += 1.0;
        for (int i = 0; i < n_input; i++) {
            const double effect = centres[i].scale * effects[p * n_input + i];
            const double change = effect - centres[i].mean;
            double *of = to + 1 + (ptrdiff_t)i * N_OF_INPUT;
            of[0] += change;
            of[1] += fabs(effect);
            of[2] += change * change;
        }
    }
}

static struct ml_index unscaled(const struct ml_index *index, double scale)
{
    return (struct ml_index){index->value / scale, index->half / scale};
}

int ml_morris_indices_find(const double *x, const double *y, int64_t n_point, int n_input,
                           double step, int n_resample, struct ml_morris_indices *out)
{
    const size_t n = (size_t)n_input, n_sum = 1 + N_OF_INPUT * n;
    struct ml_resamples resamples = {0};
    double *effects = malloc((size_t)n_point * n * sizeof *effects + 1);
    double *sums = calloc(ML_RESAMPLE_GROUPS * n_sum, sizeof *sums);
    struct ml_index *found = malloc(3 * n * sizeof *found + 1);
    struct centre *centres = malloc(n * sizeof *centres + 1);
    const struct effects context = {n_input, centres};
    out->n_complete = 0;
    bool has_room = effects && sums && found && centres;
    bool is_found = has_room &&
                    find_all_effects(x, y, n_point, n_input, step, effects, &out->n_complete) &&
                    out->n_complete > 1;
    if (is_found)
        has_room = ml_resamples_draw(&resamples, out->n_complete, n_resample);
    if (is_found && has_room) {
        find_centres(effects, out->n_complete, n_input, centres);
        add_effects(&resamples, centres, n_input, effects, sums);
        has_room = ml_resamples_estimate(&resamples, (int)n_sum, sums, estimate, &context,
                                         3 * n_input, found);
    }
    for (int i = 0; is_found && has_room && i < n_input; i++) {
        out->mu_star[i] = unscaled(&found[i], centres[i].scale);
        out->mu[i] = unscaled(&found[n_input + i], centres[i].scale);
        out->sigma[i] = unscaled(&found[2 * n_input + i], centres[i].scale);
    }
    ml_resamples_free(&resamples);
    free(effects);
    free(sums);
    free(found);
    free(centres);
    return has_room ? is_found : ML_INDEX_NO_MEMORY;
}
