/* Shapley effects from conditional variances of all sets of inputs. Given the inputs of a set, the
 * variance of the output is half of the mean squared difference between each run and its nearest
 * neighbour in these inputs. A quadratic polynomial of the inputs of the set, which has no part in
 * this variance, is first taken off the output: neighbours are at a distance. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/cholesky.h"
#include "statistics/given_inputs.h"
#include "statistics/resample.h"

enum {
    MOST_INPUTS = ML_SHAPLEY_INPUTS,
    MOST_RUNS = 16384,
    LEAST_RUNS = 8,
    BLOCK = 64,
    MOST_FEATURES = MOST_INPUTS * (MOST_INPUTS + 3) / 2,
    RUNS_OF_FEATURE = 10,
    N_OF_OUTPUT = 3 /* sums: runs, the output and its square; then squares of each set of inputs */
};

struct shapley {
    int n, n_set; /* inputs; sets of inputs: 2^n */
    int64_t n_run;
    const double *y;                    /* [n_run] centred */
    double *z;                          /* [n][n_run] inputs, standardised */
    int32_t *order;                     /* [n][n_run] runs in the order of an input */
    int n_feature;                      /* of the polynomial */
    unsigned sets[MOST_FEATURES];       /* inputs of a feature */
    double *features;                   /* [n_feature][n_run] standardised */
    double *products;                   /* [n_feature][n_feature] means of products */
    double slopes[MOST_FEATURES];       /* means of products with y */
    int32_t *neighbour;                 /* [n_run] of each run, in a set */
    double *matrix, *residual, *sorted; /* [n_feature][n_feature], [n_run], [n][n_run] room */
};

/* Makes the mean 0 and the mean square 1; a constant becomes 0. */
static void standardise(int64_t n, double *values)
{
    double mean = 0.0, squares = 0.0;
    for (int64_t r = 0; r < n; r++)
        mean += (values[r] - mean) / (double)(r + 1);
    for (int64_t r = 0; r < n; r++) {
        values[r] -= mean;
        squares += values[r] * values[r];
    }
    const double scale = squares > 0.0 ? sqrt((double)n / squares) : 0.0;
    for (int64_t r = 0; r < n; r++)
        values[r] *= scale;
}

static double mean_product(int64_t n, const double *a, const double *b)
{
    double sum = 0.0;
    for (int64_t r = 0; r < n; r++)
        sum += a[r] * b[r];
    return sum / (double)n;
}

/* Input i, or the product of inputs i and j. */
static void add_feature(struct shapley *s, int i, int j)
{
    double *to = s->features + s->n_feature * s->n_run;
    const double *a = s->z + i * s->n_run, *b = j < 0 ? NULL : s->z + j * s->n_run;
    for (int64_t r = 0; r < s->n_run; r++)
        to[r] = a[r] * (b ? b[r] : 1.0);
    standardise(s->n_run, to);
    s->sets[s->n_feature++] = 1U << i | (j < 0 ? 0U : 1U << j);
}

/* As many features as there are enough runs for: none, linear, quadratic. */
static void find_features(struct shapley *s)
{
    const int64_t most = s->n_run / RUNS_OF_FEATURE;
    for (int i = 0; i < s->n && s->n <= most; i++)
        add_feature(s, i, -1);
    for (int i = 0; i < s->n && s->n * (s->n + 3) / 2 <= most; i++)
        for (int j = 0; j <= i; j++)
            add_feature(s, i, j);
    for (int i = 0; i < s->n_feature; i++) {
        const double *a = s->features + i * s->n_run;
        s->slopes[i] = mean_product(s->n_run, a, s->y);
        for (int j = 0; j <= i; j++)
            s->products[i * s->n_feature + j] =
                mean_product(s->n_run, a, s->features + j * s->n_run);
    }
}

/* The output less the polynomial of a set of inputs; the output where inputs of the set depend on
 * each other. */
static void find_residual(struct shapley *s, unsigned set)
{
    const double least_pivot = 1e-8;
    int taken[MOST_FEATURES], n = 0;
    double slopes[MOST_FEATURES];
    memcpy(s->residual, s->y, (size_t)s->n_run * sizeof *s->residual);
    for (int i = 0; i < s->n_feature; i++)
        if ((s->sets[i] & ~set) == 0) {
            slopes[n] = s->slopes[i];
            taken[n++] = i;
        }
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++)
            s->matrix[i * n + j] = s->products[taken[i] * s->n_feature + taken[j]];
    if (n == 0 || !ml_cholesky_factorise(n, n, least_pivot, s->matrix))
        return;
    ml_cholesky_solve(n, n, s->matrix, slopes);
    for (int i = 0; i < n; i++)
        for (int64_t r = 0; r < s->n_run; r++)
            s->residual[r] -= slopes[i] * s->features[taken[i] * s->n_run + r];
}

/* The inputs of a set, over the runs in the order of the first of these inputs. */
struct neighbours {
    int n; /* inputs of the set */
    int64_t n_run;
    double *z; /* [n][n_run] */
};

/* Where the nearest run was found so far. */
struct nearest {
    double square; /* of the distance */
    int64_t at;
};

/* Looks at runs first .. end - 1. */
static void look_at(const struct neighbours *s, int64_t run, int64_t first, int64_t end,
                    struct nearest *nearest)
{
    double squares[BLOCK] = {0};
    const int64_t n = end - first;
    for (int i = 0; i < s->n; i++) {
        const double *z = s->z + i * s->n_run + first, own = s->z[i * s->n_run + run];
#pragma omp simd
        for (int64_t k = 0; k < n; k++)
            squares[k] += (z[k] - own) * (z[k] - own);
    }
    for (int64_t k = 0; k < n; k++)
        if (squares[k] < nearest->square)
            *nearest = (struct nearest){squares[k], first + k};
}

/* The nearest run: blocks of runs are looked at from the run outwards, until the first input alone
 * is farther away. */
static int64_t find_nearest(const struct neighbours *s, int64_t run)
{
    struct nearest nearest = {(double)INFINITY, run > 0 ? run - 1 : run + 1};
    int64_t low = run, high = run + 1; /* looked at: low .. high - 1 */
    for (bool is_near = true; is_near;) {
        is_near = false;
        const double above = high < s->n_run ? s->z[high] - s->z[run] : (double)INFINITY;
        if (above * above < nearest.square) {
            const int64_t end = high + BLOCK < s->n_run ? high + BLOCK : s->n_run;
            look_at(s, run, high, end, &nearest);
            high = end;
            is_near = true;
        }
        const double below = low > 0 ? s->z[run] - s->z[low - 1] : (double)INFINITY;
        if (below * below < nearest.square) {
            const int64_t first = low > BLOCK ? low - BLOCK : 0;
            look_at(s, run, first, low, &nearest);
            low = first;
            is_near = true;
        }
    }
    return nearest.at;
}

/* The neighbours of all runs in the inputs of a set. */
static void find_neighbours(struct shapley *s, unsigned set)
{
    struct neighbours of = {.n_run = s->n_run, .z = s->sorted};
    const int32_t *order = NULL;
    for (int i = 0; i < s->n; i++) {
        if (!(set >> i & 1U))
            continue;
        order = order ? order : s->order + i * s->n_run;
        for (int64_t k = 0; k < s->n_run; k++)
            of.z[of.n * s->n_run + k] = s->z[i * s->n_run + order[k]];
        of.n++;
    }
    for (int64_t k = 0; order && k < s->n_run; k++)
        s->neighbour[order[k]] = order[find_nearest(&of, k)];
}

/* Adds the terms of a set of inputs. Two runs that are each other's neighbours have the same term:
 * both are added to the group of the first, as the bootstrap takes groups as independent. */
static void add_set(struct shapley *s, unsigned set, const struct ml_resamples *resamples,
                    double *sums)
{
    find_residual(s, set);
    find_neighbours(s, set);
    for (int64_t r = 0; r < s->n_run; r++) {
        const int64_t other = s->neighbour[r],
                      of = s->neighbour[other] == r && other < r ? other : r;
        const double change = s->residual[r] - s->residual[other];
        sums[ml_resamples_group(resamples, of) * (N_OF_OUTPUT + s->n_set) + N_OF_OUTPUT + set] +=
            0.5 * change * change;
    }
}

static void add_outputs(const struct shapley *s, const struct ml_resamples *resamples, double *sums)
{
    for (int64_t r = 0; r < s->n_run; r++) {
        double *to = sums + ml_resamples_group(resamples, r) * (N_OF_OUTPUT + s->n_set);
        to[0] += 1.0;
        to[1] += s->y[r];
        to[2] += s->y[r] * s->y[r];
    }
}

/* Weight of a set without an input among the orders of n inputs: |set|! (n - 1 - |set|)! / n!. */
static double weight_of(int n, unsigned set)
{
    int size = 0;
    double weight = 1.0 / n;
    for (unsigned rest = set; rest; rest &= rest - 1)
        size++;
    for (int k = 1; k <= size; k++)
        weight *= (double)k / (double)(n - k);
    return weight;
}

/* Part of the variance that the inputs of a set explain: of none 0, of all 1. */
static double explained(const struct shapley *s, const double *sums, double squares, unsigned set)
{
    if (set == 0 || set + 1 == (unsigned)s->n_set)
        return set == 0 ? 0.0 : 1.0;
    return 1.0 - sums[N_OF_OUTPUT + set] / squares;
}

/* Estimates, [n] each: Shapley effects, first order, total; then the part that all inputs leave. */
static void estimate_shapley(const void *context, const double *sums, double *out)
{
    const struct shapley *s = context;
    const int n = s->n;
    const unsigned all = (unsigned)s->n_set - 1;
    const double squares = ml_resample_squares(sums[0], sums[1], sums[2]);
    for (int i = 0; i < n; i++) {
        const unsigned own = 1U << i;
        out[i] = 0.0;
        for (unsigned set = 0; set <= all; set++)
            if (!(set & own))
                out[i] += weight_of(n, set) * (explained(s, sums, squares, set | own) -
                                               explained(s, sums, squares, set));
        out[n + i] = explained(s, sums, squares, own);
        out[2 * n + i] = 1.0 - explained(s, sums, squares, all & ~own);
    }
    out[3 * n] = sums[N_OF_OUTPUT + all] / squares;
}

static bool take_room(struct shapley *s)
{
    const size_t n = (size_t)s->n, n_run = (size_t)s->n_run, n_feature = n * (n + 3) / 2;
    s->z = malloc(n * n_run * sizeof *s->z + 1);
    s->order = malloc(n * n_run * sizeof *s->order + 1);
    s->sorted = malloc(n * n_run * sizeof *s->sorted + 1);
    s->neighbour = malloc(n_run * sizeof *s->neighbour + 1);
    s->features = malloc(n_feature * n_run * sizeof *s->features + 1);
    s->products = calloc(n_feature * n_feature + 1, sizeof *s->products);
    s->matrix = calloc(n_feature * n_feature + 1, sizeof *s->matrix);
    s->residual = malloc(n_run * sizeof *s->residual + 1);
    return s->z && s->order && s->sorted && s->neighbour && s->features && s->products &&
           s->matrix && s->residual;
}

static void free_room(struct shapley *s)
{
    free(s->z);
    free(s->order);
    free(s->sorted);
    free(s->neighbour);
    free(s->features);
    free(s->products);
    free(s->matrix);
    free(s->residual);
}

/* Inputs of the runs that are used, and their orders.
 *   order  [complete->n] room */
static void take_inputs(struct shapley *s, const struct ml_complete *complete, int32_t *order)
{
    for (int i = 0; i < s->n; i++) {
        double *z = s->z + i * s->n_run;
        int64_t n = 0;
        for (int64_t r = 0; r < s->n_run; r++)
            z[r] = ml_complete_input(complete, i, r);
        standardise(s->n_run, z);
        ml_complete_order(complete, i, order);
        for (int64_t k = 0; k < complete->n; k++)
            if (order[k] < s->n_run)
                s->order[i * s->n_run + n++] = order[k];
    }
}

/* The work grows with the square of the runs and the sets of inputs. */
static int64_t runs_used(int64_t n_run, int n_input)
{
    const double most_work = 2e9;
    const int64_t most = (int64_t)sqrt(most_work / ldexp(1.0, n_input));
    const int64_t least = most < MOST_RUNS ? most : MOST_RUNS;
    return n_run < least ? n_run : least;
}

static bool find_effects(struct shapley *s, int n_resample, struct ml_index *found)
{
    struct ml_resamples resamples = {0};
    double *sums = NULL;
    bool is_done = ml_resamples_draw(&resamples, s->n_run, n_resample);
    if (is_done)
        sums = calloc((size_t)resamples.n_group * (size_t)(N_OF_OUTPUT + s->n_set), sizeof *sums);
    if (sums) {
        find_features(s);
        add_outputs(s, &resamples, sums);
        for (unsigned set = 1; set < (unsigned)s->n_set; set++)
            add_set(s, set, &resamples, sums);
    }
    is_done = sums && ml_resamples_estimate(&resamples, N_OF_OUTPUT + s->n_set, sums,
                                            estimate_shapley, s, 3 * s->n + 1, found);
    ml_resamples_free(&resamples);
    free(sums);
    return is_done;
}

int ml_shapley_effects_find(const struct ml_given_inputs *inputs, const double *y, int n_resample,
                            struct ml_shapley_effects *out)
{
    struct ml_complete complete = {0};
    struct shapley s = {.n = inputs->n_input};
    struct ml_index found[3 * MOST_INPUTS + 1];
    int32_t *order = malloc((size_t)inputs->n * sizeof *order + 1);
    bool has_room = order && ml_complete_find(&complete, inputs, y);
    out->n_complete = complete.n;
    out->n_used = 0;
    bool is_found = s.n > 0 && s.n <= MOST_INPUTS && complete.n >= LEAST_RUNS;
    if (has_room && is_found) {
        s.n_set = 1 << s.n;
        s.n_run = out->n_used = runs_used(complete.n, s.n);
        s.y = complete.y;
        has_room = take_room(&s);
        if (has_room)
            take_inputs(&s, &complete, order);
        has_room = has_room && find_effects(&s, n_resample, found);
        is_found = has_room && !isnan(found[0].value);
        free_room(&s);
    }
    is_found &= has_room;
    for (int i = 0; is_found && i < s.n; i++) {
        out->effects[i] = found[i];
        out->first[i] = found[s.n + i];
        out->total[i] = found[2 * s.n + i];
    }
    if (is_found)
        out->unexplained = found[3 * s.n];
    ml_complete_free(&complete);
    free(order);
    return has_room ? is_found : ML_INDEX_NO_MEMORY;
}
