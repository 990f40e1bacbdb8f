/* Chooses the quantity that the scatter plot of a sample is over: the swept one with the largest
 * rank correlation (C. Spearman, Am. J. Psychol. 15, 1904) with the number. */
#include <math.h>
#include <stdlib.h>

#include "config/values.h"
#include "store/result.h"

enum {
    MOST = 1 << 14,   /* runs that are looked at, the first: those of a sample are alike */
    AT_ONCE = 1 << 18 /* numbers that are read together, or those of a run */
};

struct over_value {
    double value;
    int64_t at;
};

/* Of the runs that have the number. */
struct over_ranking {
    int64_t n;
    double *swept;            /* [number of swept quantities] of one run */
    double *numbers, *values; /* [n] and of one swept quantity; then their ranks */
    int64_t *row;             /* [n] in the result */
    struct over_value *sorted;
};

static int over_compare(const void *a, const void *b)
{
    const struct over_value *one = a, *other = b;
    if (one->value != other->value)
        return one->value < other->value ? -1 : 1;
    return one->at < other->at ? -1 : 1;
}

/* Replaces n values by their ranks about the middle one, equal values by their mean rank. */
static void over_rank(const struct over_ranking *r, double *values)
{
    for (int64_t i = 0; i < r->n; i++)
        r->sorted[i] = (struct over_value){values[i], i};
    qsort(r->sorted, (size_t)r->n, sizeof *r->sorted, over_compare);
    for (int64_t first = 0, end; first < r->n; first = end) {
        for (end = first + 1; end < r->n && r->sorted[end].value == r->sorted[first].value;)
            end++;
        for (int64_t i = first; i < end; i++)
            values[r->sorted[i].at] = 0.5 * (double)(first + end - r->n);
    }
}

/* The correlation of the ranks; 0 where either is constant. */
static double over_correlation(const struct over_ranking *r)
{
    double both = 0.0, one = 0.0, other = 0.0;
    for (int64_t i = 0; i < r->n; i++) {
        both = fma(r->numbers[i], r->values[i], both);
        one = fma(r->numbers[i], r->numbers[i], one);
        other = fma(r->values[i], r->values[i], other);
    }
    return one > 0.0 && other > 0.0 ? both / sqrt(one * other) : 0.0;
}

static int over_choose(const struct ml_layout *layout, struct over_ranking *r)
{
    const double more = 1e-9; /* of the same correlations the first is taken */
    double largest = 0.0;
    int best = 0;
    for (int k = 0; k < ml_layout_swept(layout); k++) {
        for (int64_t i = 0; i < r->n; i++) {
            ml_study_swept(&layout->study->spec, ml_layout_run(layout, r->row[i]), r->swept);
            r->values[i] = r->swept[k];
        }
        over_rank(r, r->values);
        const double size = fabs(over_correlation(r));
        if (size > largest + more) {
            largest = size;
            best = k;
        }
    }
    return best;
}

/* Component `at` of an output, of the runs that have it.
 *   numbers  [batch] runs of the output */
static void over_read(struct ml_result_file *result, int output, int64_t at, int64_t batch,
                      double *numbers, struct over_ranking *r)
{
    const struct ml_layout *layout = result->layout;
    const struct ml_extent extent = ml_layout_output(layout, output);
    const int64_t rows = ml_layout_output_rows(layout, output);
    const int64_t n_run = layout->n_run < MOST ? layout->n_run : MOST;
    for (int64_t first = 0; first < n_run && result->h5.status == ML_OK; first += batch) {
        const int64_t n = n_run - first < batch ? n_run - first : batch;
        ml_h5_read_range(&result->h5, result->summary[output], &extent, H5T_NATIVE_DOUBLE,
                         (unsigned long long)first * (unsigned long long)rows,
                         (unsigned long long)n * (unsigned long long)rows, numbers);
        for (int64_t i = 0; i < n && result->h5.status == ML_OK; i++) {
            if (!isfinite(numbers[i * rows + at]))
                continue;
            r->numbers[r->n] = numbers[i * rows + at];
            r->row[r->n++] = first + i;
        }
    }
}

int ml_nxdata_over(struct ml_result_file *result, int output, int64_t at)
{
    const struct ml_layout *layout = result->layout;
    if (result->h5.is_sketch) /* without numbers all quantities are the same */
        return 0;
    const int64_t rows = ml_layout_output_rows(layout, output), batch = 1 + AT_ONCE / (rows + 1);
    const size_t n = (size_t)(layout->n_run < MOST ? layout->n_run : MOST);
    struct ml_pool pool = {0};
    double *numbers = ml_pool_take(&pool, (size_t)(batch * rows), sizeof *numbers);
    struct over_ranking r = {
        .swept = ml_pool_take(&pool, (size_t)ml_layout_swept(layout), sizeof *r.swept),
        .numbers = ml_pool_take(&pool, n, sizeof *r.numbers),
        .values = ml_pool_take(&pool, n, sizeof *r.values),
        .row = ml_pool_take(&pool, n, sizeof *r.row),
        .sorted = ml_pool_take(&pool, n, sizeof *r.sorted)};
    int best = 0;
    if (!pool.is_short) {
        over_read(result, output, at, batch, numbers, &r);
        over_rank(&r, r.numbers);
        best = over_choose(layout, &r);
    } else {
        ml_h5_fail(&result->h5, ML_E_MEMORY, "out of memory");
    }
    ml_pool_free(&pool);
    return best;
}
