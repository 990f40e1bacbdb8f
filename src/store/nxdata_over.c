/* Chooses the quantity that the scatter plot of a sample is over: the swept one with the largest
 * rank correlation (C. Spearman, Am. J. Psychol. 15, 1904) with the number. */
#include <math.h>

#include "config/schema/values.h"
#include "statistics/dependence.h"
#include "statistics/order.h"
#include "store/result.h"

enum {
    MOST = 1 << 14,   /* runs that are looked at, the first: those of a sample are alike */
    AT_ONCE = 1 << 18 /* numbers that are read together, or those of a run */
};

/* The order of the runs that have the number. */
struct over_ranking {
    int64_t n;
    double *swept;             /* [number of swept quantities] of one run */
    double *numbers, *values;  /* [n] and of one swept quantity; then their ranks */
    int64_t *row;              /* [n] in the result */
    int64_t *order;            /* [n] */
    struct ml_order_key *work; /* [2 n] */
};

/* Replaces n values by their ranks. */
static void over_rank(const struct over_ranking *r, double *values)
{
    ml_order_find(values, r->n, r->order, r->work);
    ml_order_ranks(values, r->order, r->n, values);
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
        const double size = fabs(ml_pearson(r->values, r->numbers, r->n));
        if (size > largest + more) { /* not of a constant: NaN */
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
        .order = ml_pool_take(&pool, n, sizeof *r.order),
        .work = ml_pool_take(&pool, 2 * n, sizeof *r.work)};
    int best = 0;
    if (ml_h5_need(&result->h5, !pool.is_short)) {
        over_read(result, output, at, batch, numbers, &r);
        over_rank(&r, r.numbers);
        best = over_choose(layout, &r);
    }
    ml_pool_free(&pool);
    return best;
}
