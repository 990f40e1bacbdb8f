/* Mean squares and mean products of derivatives, from sums over groups of points. */
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "base/singular.h"
#include "statistics/given_linear.h"
#include "statistics/moments.h"
#include "statistics/resample.h"

/* A run's numbers: the output, derivatives by each input, and derivatives by each input in its
 * standard deviations. Each kind is multiplied by a power of two (ml_safe_scale). */
struct scaled_runs {
    int n, n_matrix; /* inputs; the same, or 0 of too many */
    int64_t n_run, n_complete;
    const struct ml_derivative_runs *of;
    double y_scale, y_mean; /* mean of scaled numbers */
    double *scale;          /* [n] of derivatives */
    double *deviation;      /* [n] standard deviations of inputs or logarithms */
    double steep;           /* scale of derivatives by inputs in standard deviations */
    double *room;           /* [2 n_matrix^2] of eigenvalues */
    int dimension;
    bool *is_complete; /* [n_run] */
};

/* Sums: runs; the output and its square; squares of derivatives; mean products, the lower triangle
 * by rows; squares of derivatives by the input or its logarithm, whose constant is known. */
enum { N_OF_OUTPUT = 3 };

static int derivative_sums(const struct scaled_runs *d)
{
    return N_OF_OUTPUT + 2 * d->n + d->n_matrix * (d->n_matrix + 1) / 2;
}

static double derivative_at(const struct scaled_runs *d, int i, int64_t run)
{
    return d->of->derivatives[i * d->of->stride + run];
}

/* The input, or the logarithm of its absolute value. */
static double input_at(const struct scaled_runs *d, int i, int64_t run)
{
    const double x = d->of->x[i * d->of->stride + run];
    return d->of->is_log[i] ? log(fabs(x)) : x;
}

/* The derivative by the input, or by its logarithm. */
static double coordinate_derivative(const struct scaled_runs *d, int i, int64_t run)
{
    return derivative_at(d, i, run) * (d->of->is_log[i] ? d->of->x[i * d->of->stride + run] : 1.0);
}

static void find_complete(struct scaled_runs *d)
{
    for (int64_t r = 0; r < d->n_run; r++) {
        bool is_finite = isfinite(d->of->y[r]) != 0;
        for (int i = 0; i < d->n; i++)
            is_finite &= isfinite(input_at(d, i, r)) && isfinite(coordinate_derivative(d, i, r));
        d->is_complete[r] = is_finite;
        d->n_complete += is_finite;
    }
}

/* Standard deviations over complete runs, and the scale of derivatives. */
static void find_input_scales(struct scaled_runs *d, int i)
{
    double mean = 0.0, squares = 0.0, most = 0.0;
    int64_t n = 0;
    for (int64_t r = 0; r < d->n_run; r++) {
        if (!d->is_complete[r])
            continue;
        const double x = input_at(d, i, r), change = x - mean;
        mean += change / (double)++n;
        squares += change * (x - mean);
        most = fmax(most, fmax(fabs(derivative_at(d, i, r)), fabs(coordinate_derivative(d, i, r))));
    }
    d->deviation[i] = sqrt(squares / (double)n);
    d->scale[i] = ml_safe_scale(0.0, most);
    d->steep = fmax(d->steep, most * d->deviation[i]);
}

static void find_scales(struct scaled_runs *d)
{
    double min = (double)INFINITY, max = -(double)INFINITY;
    find_complete(d);
    for (int64_t r = 0; r < d->n_run; r++)
        if (d->is_complete[r]) {
            min = fmin(min, d->of->y[r]);
            max = fmax(max, d->of->y[r]);
        }
    d->y_scale = ml_safe_scale(min, max);
    int64_t n = 0;
    for (int64_t r = 0; r < d->n_run; r++)
        if (d->is_complete[r])
            d->y_mean += (d->y_scale * d->of->y[r] - d->y_mean) / (double)++n;
    for (int i = 0; i < d->n && d->n_complete > 0; i++)
        find_input_scales(d, i);
    d->steep = ml_safe_scale(0.0, d->steep);
}

static void add_run(const struct scaled_runs *d, int64_t run, double *to)
{
    const double y = d->y_scale * d->of->y[run] - d->y_mean;
    double *squares = to + N_OF_OUTPUT, *bounded = squares + d->n, *products = bounded + d->n;
    to[0] += 1.0;
    to[1] += y;
    to[2] += y * y;
    for (int i = 0; i < d->n; i++) {
        const double g = d->scale[i] * derivative_at(d, i, run),
                     h = d->scale[i] * coordinate_derivative(d, i, run);
        squares[i] += g * g;
        bounded[i] += h * h;
    }
    for (int i = 0; i < d->n_matrix; i++) {
        const double g = d->steep * d->deviation[i] * coordinate_derivative(d, i, run);
        for (int j = 0; j <= i; j++)
            *products++ += g * d->steep * d->deviation[j] * coordinate_derivative(d, j, run);
    }
}

/* How many eigenvalues come before the largest factor between neighbours; the factor of those that
 * are rounding errors is that of the first of them. */
static int active_dimension(int n, const double *eigenvalues)
{
    const double least = n * DBL_EPSILON * eigenvalues[0];
    double largest = 0.0;
    int dimension = n;
    for (int k = 0; k + 1 < n && eigenvalues[0] > 0.0; k++) {
        const double factor = fmax(eigenvalues[k], least) / fmax(eigenvalues[k + 1], least);
        if (factor > largest) {
            largest = factor;
            dimension = k + 1;
        }
    }
    return eigenvalues[0] > 0.0 ? dimension : 0;
}

/* Eigenvalues, descending, and eigenvectors, rows of d->room behind n^2 numbers: the matrix has no
 * negative eigenvalue, and its singular values are its eigenvalues. */
static const double *find_eigenvectors(const struct scaled_runs *d, const double *products,
                                       double n_run, double *eigenvalues)
{
    const int n = d->n_matrix;
    double *matrix = d->room, *vectors = matrix + (ptrdiff_t)n * n;
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++)
            matrix[i * n + j] = matrix[j * n + i] = *products++ / n_run;
    ml_singular_values(n, n, matrix, eigenvalues, vectors);
    return vectors;
}

/* Estimates, [n] each: nu, bound, activity, eigenvalues. Scaled numbers. */
static void estimate_derivatives(const void *context, const double *sums, double *out)
{
    const struct scaled_runs *d = context;
    const int n = d->n, n_matrix = d->n_matrix;
    const double size = sums[0], variance = ml_resample_squares(size, sums[1], sums[2]) / size;
    const double *squares = sums + N_OF_OUTPUT, *bounded = squares + n, *products = bounded + n;
    double *nu = out, *bound = out + n, *activity = bound + n, *eigenvalues = activity + n;
    for (int i = 0; i < n; i++) {
        nu[i] = squares[i] / size;
        bound[i] = bounded[i] / size / variance;
        activity[i] = eigenvalues[i] = n_matrix > 0 ? 0.0 : (double)NAN;
    }
    if (n_matrix == 0)
        return;
    const double *vectors = find_eigenvectors(d, products, size, eigenvalues);
    for (int k = 0; k < n; k++) {
        eigenvalues[k] /= variance;
        for (int i = 0; i < n && k < d->dimension; i++)
            activity[i] += eigenvalues[k] * vectors[k * n + i] * vectors[k * n + i];
    }
}

/* Eigenvectors and the dimension of the sample, by its sums. */
static void find_subspace(struct scaled_runs *d, const double *sums,
                          struct ml_derivative_measures *out, double *eigenvalues)
{
    const int n = d->n_matrix;
    if (n == 0)
        return;
    const double *vectors =
        find_eigenvectors(d, sums + N_OF_OUTPUT + 2 * (ptrdiff_t)d->n, sums[0], eigenvalues);
    out->dimension = d->dimension = active_dimension(n, eigenvalues);
    for (int k = 0; k < n; k++) {
        int largest = 0;
        for (int i = 1; i < n; i++)
            if (fabs(vectors[k * n + i]) > fabs(vectors[k * n + largest]))
                largest = i;
        for (int i = 0; i < n; i++)
            out->eigenvectors[k * n + i] =
                copysign(1.0, vectors[k * n + largest]) * vectors[k * n + i];
    }
}

static struct ml_index times(const struct ml_index *index, double factor)
{
    return (struct ml_index){index->value * factor, index->half * factor};
}

/* Takes the powers of two off. */
static void write_measures(const struct scaled_runs *d, const struct ml_index *found,
                           struct ml_derivative_measures *out)
{
    const int n = d->n;
    for (int i = 0; i < n; i++) {
        const double of_y = d->y_scale / d->scale[i], of_all = d->y_scale / d->steep;
        out->nu[i] = times(&found[i], 1.0 / d->scale[i] / d->scale[i]);
        out->bound[i] = times(&found[n + i], d->of->constants[i] * of_y * of_y);
        out->activity[i] = times(&found[2 * n + i], of_all * of_all);
        out->eigenvalues[i] = times(&found[3 * n + i], of_all * of_all);
    }
}

/* Measures, unless the output is the same in all runs, whose variance is NaN. False without memory.
 */
static bool find_measures(struct scaled_runs *d, const struct ml_resamples *resamples, double *sums,
                          struct ml_derivative_measures *out)
{
    const int n_sum = derivative_sums(d);
    const size_t n = (size_t)d->n;
    double *totals = calloc((size_t)n_sum * ((size_t)resamples->n + 1), sizeof *totals);
    double *eigenvalues = calloc(n, sizeof *eigenvalues);
    struct ml_index *found = calloc(4 * n, sizeof *found);
    bool is_done = totals && eigenvalues && found;
    for (int64_t r = 0; is_done && r < d->n_run; r++)
        if (d->is_complete[r])
            add_run(d, r, sums + ml_resamples_group(resamples, r / d->of->n_row) * n_sum);
    for (int64_t g = 0; is_done && g < resamples->n_group; g++)
        ml_resamples_add(resamples, g, n_sum, sums + g * n_sum, totals);
    if (is_done) {
        ml_resamples_sums(resamples, 0, n_sum, totals, sums); /* in place of those of a group */
        out->variance =
            ml_resample_squares(sums[0], sums[1], sums[2]) / sums[0] / d->y_scale / d->y_scale;
    }
    const bool is_found = is_done && !isnan(out->variance);
    if (is_found) {
        find_subspace(d, sums, out, eigenvalues);
        is_done =
            ml_resamples_find(resamples, n_sum, totals, estimate_derivatives, d, 4 * d->n, found);
    }
    if (is_found && is_done)
        write_measures(d, found, out);
    free(totals);
    free(eigenvalues);
    free(found);
    return is_done;
}

int ml_derivative_measures_find(const struct ml_derivative_runs *runs, int n_resample,
                                struct ml_derivative_measures *out)
{
    const size_t n = (size_t)runs->n_input, n_matrix = n > ML_MOST_REGRESSORS ? 0 : n;
    const int64_t n_run = runs->n_point * runs->n_row;
    struct scaled_runs d = {.n = runs->n_input,
                            .n_matrix = (int)n_matrix,
                            .n_run = n_run,
                            .of = runs,
                            .scale = malloc(n * sizeof(double) + 1),
                            .deviation = malloc(n * sizeof(double) + 1),
                            .is_complete = malloc((size_t)n_run + 1),
                            .room = malloc(2 * n_matrix * n_matrix * sizeof(double) + 1)};
    struct ml_resamples resamples = {0};
    double *sums = NULL;
    bool has_room = d.scale && d.deviation && d.is_complete && d.room;
    out->dimension = 0;
    if (has_room)
        find_scales(&d);
    out->n_complete = d.n_complete;
    const bool is_enough = d.n_complete > 1;
    if (has_room && is_enough) {
        has_room = ml_resamples_draw(&resamples, runs->n_point, n_resample);
        if (has_room)
            sums = calloc((size_t)resamples.n_group * (size_t)derivative_sums(&d), sizeof *sums);
        has_room = sums && find_measures(&d, &resamples, sums, out);
    }
    ml_resamples_free(&resamples);
    free(sums);
    free(d.scale);
    free(d.deviation);
    free(d.is_complete);
    free(d.room);
    return has_room ? is_enough && !isnan(out->variance) : ML_INDEX_NO_MEMORY;
}
