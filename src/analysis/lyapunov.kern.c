/* lyapunov: exponents, from the mean growth of tangent vectors that are orthonormalised again and
 * again (Benettin, Galgani, Giorgilli, Strelcyn 1980; Shimada, Nagashima 1979):
 *
 *   lambda_i = 1/T sum ln R_ii
 *
 * T is measured from the first renormalisation at or after the transient on. The error is the
 * standard error of the means of 16 to 32 stretches of the run, and not below max(1, ln T)/T (T in
 * s): on a regular orbit the exponents are 0, and their means go to 0 like that, without scatter
 * that would show it. */
#include <limits.h>
#include <stdbool.h>
#include <string.h>

#include "analysis/indicator.h"
#include "simd/lanes.h"
#include "simd/log.h"

/* Sums over a few equal stretches of a run whose length is not known beforehand: 16 to 32 of them,
 * from which follows the standard error of a mean of correlated numbers (Flyvbjerg, Petersen, Error
 * estimates on averages of correlated data, 1989). */
enum { ML_BLOCKS = 32, ML_LEAST_BLOCKS = ML_BLOCKS / 2 };

/* Numbers per block once `count` of them have come: a power of two. */
ML_INLINE int64_t ml_block_length(int64_t count)
{
    int64_t length = 1;
    while (length * ML_BLOCKS < count)
        length *= 2;
    return length;
}

/* Adds number `count` (from 0 on) of each of n sequences.
 *   sums   [ML_BLOCKS][n] rows
 *   value  [n] rows */
ML_INLINE void ml_blocks_add(int n, int64_t count, const double *value, double *sums)
{
    const int64_t length = ml_block_length(count + 1);
    if (count > 0 && length > ml_block_length(count)) /* all are full: two become one */
        for (int b = 0; b < ML_BLOCKS; b++)
            for (int i = 0; i < n; i++) {
                const bool is_left = b < ML_BLOCKS / 2;
                ml_vec two = ml_splat(0.0);
                if (is_left)
                    two = ml_load(sums, 2 * b * n + i) + ml_load(sums, (2 * b + 1) * n + i);
                ml_store(sums, b * n + i, two);
            }
    double *own = sums + count / length * n * ML_LANES;
    for (int i = 0; i < n; i++)
        ml_store(own, i, ml_load(own, i) + ml_load(value, i));
}

/* Standard error of the mean of one of n sequences, NaN of less than ML_LEAST_BLOCKS numbers.
 *   sums  at the row of the sequence in block 0 */
ML_INLINE ml_vec ml_blocks_error(int n, int64_t count, const double *sums)
{
    const int64_t length = ml_block_length(count), n_block = count / length;
    if (n_block < ML_LEAST_BLOCKS)
        return ml_splat((double)NAN);
    ml_vec mean = ml_splat(0.0), square = mean;
    for (int64_t b = 0; b < n_block; b++)
        mean += ml_load(sums, (int)b * n);
    mean /= (double)n_block;
    for (int64_t b = 0; b < n_block; b++) {
        ml_vec off = ml_load(sums, (int)b * n) - mean;
        square = ml_fma(off, off, square);
    }
    return ml_sqrt(square / (double)(n_block * (n_block - 1))) / (double)length;
}

enum {
    RENORMALISE = ML_SETTING_RENORMALISE,
    EXPONENTS,
    TRANSIENT,
    HISTORY,
    UNTIL_ERROR,
    UNTIL_END,
    N_PARAM
};

static const struct ml_param params[N_PARAM] = {
    [RENORMALISE] = ML_PARAM_RENORMALISE,
    [EXPONENTS] = {"exponents", "1", (double)NAN, 1, 8192, ML_DERIVED | ML_WHOLE | ML_OR_ALL,
                   ML_DOC_BY_RULE("how many, from the largest on", "all")},
    [TRANSIENT] = {"transient", "s", 0.0, 0.0, 1e15, 0,
                   "time after the start that is left out of the means"},
    [HISTORY] = {"history", "s", (double)NAN, 0.0, 1e15, ML_DERIVED | ML_OPEN_LOW,
                 "time between entries of lyapunov_history (default: none are written)"},
    [UNTIL_ERROR] = {"error", "1/s", (double)NAN, 0.0, 1e15, ML_DERIVED | ML_REQUIRED | ML_OPEN_LOW,
                     "a run ends, from time.end on, when all its errors are this small", "until"},
    [UNTIL_END] = {"end", "s", (double)NAN, -1e15, 1e15, ML_DERIVED | ML_REQUIRED,
                   "time at which it ends at last", "until"},
};

/* Rows that are kept, besides sums for each exponent, of the run and of the parts of an interval,
 * ML_BLOCKS sums over blocks, and the history. COUNT is of whole parts. */
enum { COUNT, SPAN, TRACE_SUM, N_KEEP };

/* Everything a run keeps; rows of ML_LANES. */
struct kept {
    double *row, *sum, *parts, *blocks, *history;
};

static int n_exponent(const struct ml_indicator_use *use)
{
    double wanted = use->settings[EXPONENTS];
    return isnan(wanted) ? use->n_x : (int)wanted;
}

/* The first step at which vectors are made orthonormal and the transient is over. */
static int64_t first_step(const struct ml_indicator_use *use)
{
    const double rounding = 1e-9;
    int64_t every = use->renormalise_every;
    double steps = use->settings[TRANSIENT] / use->step;
    double n = ceil(steps / (double)every - rounding);
    return n * (double)every < (double)use->n_step ? (int64_t)n * every : use->n_step;
}

/* Renormalisations from one entry of the history to the next, and entries; a study that has more
 * than fit is refused. */
static int64_t history_every(const struct ml_indicator_use *use)
{
    double n = nearbyint(use->settings[HISTORY] / (use->step * (double)use->renormalise_every));
    return n < 1.0 ? 1 : n < 1e15 ? (int64_t)n : (int64_t)1e15;
}

static int n_history(const struct ml_indicator_use *use)
{
    if (isnan(use->settings[HISTORY]))
        return 0;
    int64_t n = (use->n_step - first_step(use)) / use->renormalise_every / history_every(use);
    return (int)(n < INT_MAX ? n : INT_MAX);
}

/* Parts of an interval that growth is summed over, for errors: 1 of given steps, which have no
 * growth of parts; else as many as make some tens in a run. */
static int n_part(const struct ml_indicator_use *use)
{
    const int64_t enough = 4 * ML_BLOCKS, n = use->n_step / use->renormalise_every;
    return !use->is_adaptive || n >= enough ? 1 : (int)(enough / (n < 1 ? 1 : n));
}

/* s: one of them. */
static double part_length(const struct ml_indicator_use *use)
{
    return use->step * (double)use->renormalise_every / n_part(use);
}

/* All exponents are measured. */
static bool is_whole(const struct ml_indicator_use *use) { return n_exponent(use) == use->n_x; }

#define EXPONENT_ERRORS "lyapunov_error"
#define DIMENSION_ERRORS "kaplan_yorke_dimension_errors"
#define ENTROPY_ERRORS "ks_entropy_errors"

/* The outputs, and behind them the history. */
enum {
    MAX,
    SPECTRUM,
    ERROR,
    PREDICTABILITY,
    DIMENSION,
    DIMENSION_ERROR,
    ENTROPY,
    ENTROPY_ERROR,
    SUM,
    TRACE,
    N_OUTPUT
};

static const struct ml_output outputs[N_OUTPUT] = {
    [MAX] = {"lyapunov_max", "1/s", "largest Lyapunov exponent", .errors = EXPONENT_ERRORS},
    [SPECTRUM] = {ML_LYAPUNOV_SPECTRUM, "1/s", "Lyapunov exponents in descending order",
                  .dim = {ML_DIM_EXPONENT}, .errors = EXPONENT_ERRORS},
    [ERROR] =
        {EXPONENT_ERRORS, "1/s",
         "standard error of each exponent, at least max(1, ln T)/T; NaN after too short a run",
         .dim = {ML_DIM_EXPONENT}},
    [PREDICTABILITY] = {"predictability_time", "s",
                        "1 / lyapunov_max; NaN where that is not larger than its error"},
    [DIMENSION] = {"kaplan_yorke_dimension", "1",
                   "Kaplan-Yorke dimension, exponents within their error counted as 0; of a driven "
                   "system that of its stroboscopic map, 1 less than with the drive's phase; NaN "
                   "where it takes more exponents",
                   .errors = DIMENSION_ERRORS},
    [DIMENSION_ERROR] =
        {DIMENSION_ERRORS, "1",
         "standard error of kaplan_yorke_dimension; NaN where all exponents that it "
         "depends on are within their error"},
    [ENTROPY] = {"ks_entropy", "1/s",
                 "sum of the positive exponents (Pesin), those within their error left out; NaN "
                 "where it takes more exponents",
                 .errors = ENTROPY_ERRORS},
    [ENTROPY_ERROR] = {ENTROPY_ERRORS, "1/s",
                       "standard error of ks_entropy, at least that of the largest exponent"},
    [SUM] = {ML_LYAPUNOV_SUM, "1/s", "sum of all exponents"},
    [TRACE] = {ML_MEAN_TRACE, "1/s",
               "time mean of the trace of the Jacobian: the sum of all exponents again, but for "
               "rounding and quadrature"},
};

static struct ml_output history_output(const struct ml_indicator_use *use)
{
    const double increment = use->step * (double)(use->renormalise_every * history_every(use));
    return (struct ml_output){
        "lyapunov_history",
        "1/s",
        "mean growth so far, in the order of the exponents; NaN after the end of a run",
        .dim = {ML_DIM_EXPONENT, ML_DIM_TIME},
        .size = {n_exponent(use), n_history(use)},
        .first = use->start + (double)first_step(use) * use->step + increment,
        .increment = increment,
    };
}

static bool lyapunov_output(const struct ml_indicator_use *use, int i, struct ml_output *out)
{
    const int n_output = is_whole(use) ? N_OUTPUT : SUM;
    if (i < n_output) {
        *out = outputs[i];
        out->size[0] = out->dim[0] == ML_DIM_EXPONENT ? n_exponent(use) : 0;
    } else if (i == n_output && n_history(use) > 0) {
        *out = history_output(use);
    } else {
        return false;
    }
    return true;
}

static int lyapunov_keep_rows(const struct ml_indicator_use *use)
{
    return N_KEEP + n_exponent(use) * (1 + n_part(use) + ML_BLOCKS + n_history(use));
}

static struct kept kept_in(const struct ml_indicator_use *use, const double *keep)
{
    struct kept k = {.row = (double *)(uintptr_t)keep};
    k.sum = k.row + N_KEEP * ML_LANES;
    k.parts = k.sum + n_exponent(use) * ML_LANES;
    k.blocks = k.parts + n_part(use) * n_exponent(use) * ML_LANES;
    k.history = k.blocks + n_exponent(use) * ML_BLOCKS * ML_LANES;
    return k;
}

/* NaN where vector c has become so nearly dependent on those before it that rounding hides its
 * growth: its length after the others were taken off is small against that before. -INFINITY of a
 * vector that is 0, as neighbours meet, whatever its growth was before. */
ML_INLINE ml_vec trusted(int c, const double *r, ml_vec log_r)
{
    const double least = 1e-24; /* squared */
    ml_vec own = ml_load(r, ml_tri(c, c)), square = ml_splat(0.0);
    for (int p = 0; p <= c; p++)
        square = ml_fma(ml_load(r, ml_tri(c, p)), ml_load(r, ml_tri(c, p)), square);
    const ml_vec lost = ml_select((ml_mask)(own == 0.0), log_r, ml_splat((double)NAN));
    return ml_select((ml_mask)(own * own > least * square), log_r, lost);
}

/* Part of the interval that the growth of a lane is of: that in which the middle of its time is. */
static int part_of(const struct ml_indicator_use *use, const struct ml_renormalisation *by,
                   int lane)
{
    const double interval = use->step * (double)use->renormalise_every;
    const double middle = by->time[lane] - 0.5 * by->span[lane] - by->begin * use->step;
    const int part = (int)(middle / interval * n_part(use));
    return part < 0 ? 0 : part < n_part(use) ? part : n_part(use) - 1;
}

static void add_growth(const struct ml_indicator_use *use, const struct ml_renormalisation *by,
                       const struct kept *k)
{
    const int n = n_exponent(use);
    ML_EACH_GROUP(g) {
        for (int c = 0; c < n; c++) {
            const ml_vec own = trusted(c, by->r + g, ml_load(by->log_r + g, c));
            const ml_vec sum = ml_load(k->sum + g, c) + own;
            ml_store(k->sum + g, c, ml_select((ml_mask)(own == (double)-INFINITY), own, sum));
        }
        ml_store(k->row + g, SPAN, ml_load(k->row + g, SPAN) + ml_load(by->span + g, 0));
    }
    for (int lane = 0; lane < ML_LANES; lane++) {
        double *own = k->parts + part_of(use, by, lane) * n * ML_LANES + lane;
        for (int c = 0; c < n; c++)
            own[c * ML_LANES] += by->log_r[c * ML_LANES + lane];
    }
}

/* Adds sums over whole intervals: an interval at the end of a run may not be one. */
static void add_interval(const struct ml_indicator_use *use, const struct ml_renormalisation *by,
                         const struct kept *k)
{
    const int n = n_exponent(use);
    const bool is_whole = by->step - by->begin == (double)use->renormalise_every;
    const int64_t count = (int64_t)k->row[COUNT * ML_LANES], n_new = is_whole ? n_part(use) : 0;
    ML_EACH_GROUP(g) {
        if (by->trace)
            ml_store(k->row + g, TRACE_SUM,
                     ml_load(k->row + g, TRACE_SUM) + ml_load(by->trace + g, 0));
        for (int part = 0; part < n_new; part++)
            ml_blocks_add(n, count + part, k->parts + part * n * ML_LANES + g, k->blocks + g);
        ml_store(k->row + g, COUNT, ml_splat((double)(count + n_new)));
    }
    memset(k->parts, 0, (size_t)(n_part(use) * n) * ML_LANES * sizeof *k->parts);
}

static void add_history(const struct ml_indicator_use *use, const struct kept *k)
{
    const int n = n_exponent(use);
    const int64_t count = (int64_t)k->row[COUNT * ML_LANES] / n_part(use);
    const int64_t entry = count / history_every(use) - 1;
    if (count % history_every(use) != 0 || entry < 0 || entry >= n_history(use))
        return;
    ML_EACH_GROUP(g)
        for (int c = 0; c < n; c++)
            ml_store(k->history + g, c * n_history(use) + (int)entry,
                     ml_load(k->sum + g, c) / ml_load(k->row + g, SPAN));
}

static void lyapunov_renormalised(const struct ml_indicator_use *use,
                                  const struct ml_renormalisation *by, double *keep)
{
    const struct kept k = kept_in(use, keep);
    if (by->is_start || by->begin < (double)first_step(use))
        return;
    add_growth(use, by, &k);
    if (by->is_end)
        add_interval(use, by, &k);
    if (by->is_end && n_history(use) > 0)
        add_history(use, &k);
}

/* The least error of an exponent, as on a regular orbit, span in s: max(1, ln T)/T, as ln T says
 * nothing of short spans. */
ML_INLINE ml_vec least_error(ml_vec span)
{
    const double e = 2.718281828459045;
    return ml_log(ml_max(span, ml_splat(e))) / span;
}

/* The error of exponent c, in the order of the vectors. */
ML_INLINE ml_vec lyapunov_error_of(const struct ml_indicator_use *use, const struct kept *k, int g,
                                   int c)
{
    const int64_t count = (int64_t)k->row[COUNT * ML_LANES];
    ml_vec span = ml_load(k->row + g, SPAN);
    ml_vec error =
        ml_blocks_error(n_exponent(use), count, k->blocks + g + c * ML_LANES) / part_length(use);
    ml_vec least = least_error(span);
    return ml_select((ml_mask)(error < least), least, error);
}

static double lyapunov_extend(const struct ml_indicator_use *use)
{
    return isnan(use->settings[UNTIL_ERROR]) ? (double)NAN : use->settings[UNTIL_END];
}

static unsigned is_done(const struct ml_indicator_use *use, const double *keep)
{
    const struct kept k = kept_in(use, keep);
    unsigned done = 0;
    ML_EACH_GROUP(g) {
        ml_vec worst = ml_splat(0.0);
        for (int c = 0; c < n_exponent(use); c++) {
            ml_vec error = lyapunov_error_of(use, &k, g, c);
            worst = ml_select(ml_is_kept(error, worst), worst, error);
        }
        done |= ml_bits((ml_mask)(worst <= use->settings[UNTIL_ERROR])) << g;
    }
    return done;
}

static void swap(double *a, double *b)
{
    double kept = *a;
    *a = *b;
    *b = kept;
}

/* NaN comes last: growth that cannot be measured is that of a small exponent. */
static bool is_larger(double a, double b) { return a > b || (isnan(b) && !isnan(a)); }

/* Sorts the exponents of one lane, with all that goes by exponent. */
static void lyapunov_sort(int n, int n_time, double *exponent, double *error, double *history)
{
    for (int i = 1; i < n; i++)
        for (int c = i; c > 0 && is_larger(exponent[c * ML_LANES], exponent[(c - 1) * ML_LANES]);
             c--) {
            swap(&exponent[c * ML_LANES], &exponent[(c - 1) * ML_LANES]);
            swap(&error[c * ML_LANES], &error[(c - 1) * ML_LANES]);
            for (int t = 0; t < n_time; t++) {
                double *entry = history + ((long)c * n_time + t) * ML_LANES;
                swap(entry, entry - (long)n_time * ML_LANES);
            }
        }
}

/* The exponent as counted: 0 within its error; NaN where the error is unknown, but for -INFINITY.
 */
static double counted(double exponent, double error)
{
    if (isnan(error) && !isinf(exponent))
        return error;
    return fabs(exponent) <= error ? 0.0 : exponent;
}

/* A sum over the exponents w lambda, by their size. */
struct weighted {
    double pivot; /* 1/s, an exponent */
    double above; /* weight of larger ones */
    double at;    /* weight of itself; that of smaller ones is 0 */
};

static double weight_of(const struct weighted *w, double exponent)
{
    return exponent > w->pivot ? w->above : exponent == w->pivot ? w->at : 0.0;
}

/* Standard error of such a sum, of one lane: from the stretches, where errors that belong together
 * cancel, and at least max(1, ln T)/T times the errors of single exponents. */
static double error_of_sum(const struct ml_indicator_use *use, const struct kept *k, int lane,
                           double least, const struct weighted *w)
{
    const int n = n_exponent(use);
    const int64_t count = (int64_t)k->row[COUNT * ML_LANES], length = ml_block_length(count);
    const int n_block = (int)(count / length);
    const double span = k->row[SPAN * ML_LANES + lane];
    double sum[ML_BLOCKS] = {0}, mean = 0.0, square = 0.0, weights = 0.0;
    if (n_block < ML_LEAST_BLOCKS)
        return (double)NAN;
    for (int c = 0; c < n; c++) {
        const double weight = weight_of(w, k->sum[c * ML_LANES + lane] / span);
        weights = fma(weight, weight, weights);
        for (int b = 0; weight != 0.0 && b < n_block; b++)
            sum[b] = fma(weight, k->blocks[(b * n + c) * ML_LANES + lane], sum[b]);
    }
    for (int b = 0; b < n_block; b++)
        mean += sum[b] / n_block;
    for (int b = 0; b < n_block; b++)
        square = fma(sum[b] - mean, sum[b] - mean, square);
    const double interval = part_length(use) * (double)length;
    const double error = sqrt(square / (n_block * (n_block - 1))) / interval;
    return fmax(error, least * sqrt(weights));
}

/* J + sum_{i<=J} lambda_i / |lambda_{J+1}|, J the most exponents whose sum is not negative, and
 * its derivatives by the exponents. An exponent that counts as 0 is larger than
 * those that are negative. */
static double kaplan_yorke(int n, int n_x, const double *exponent, const double *error,
                           struct weighted *w)
{
    double sum = 0.0;
    int j = 0;
    for (int i = 0; i < n; i++) {
        const double own = counted(exponent[i * ML_LANES], error[i * ML_LANES]);
        if (isnan(own))
            return own;
        sum += own > 0.0 ? own : 0.0;
        j += own >= 0.0;
    }
    for (int i = 0; i < n; i++) {
        const double own = counted(exponent[i * ML_LANES], error[i * ML_LANES]);
        if (own < 0.0 && sum + own < 0.0) {
            *w = (struct weighted){own, 1.0 / -own, sum / (own * own)};
            return j + sum / -own;
        }
        sum += own < 0.0 ? own : 0.0;
        j += own < 0.0;
    }
    return n == n_x ? n : (double)NAN;
}

/* The dimension and its error. Where the sum of all exponents is within 3 of its errors, volumes
 * are kept; the least error of exponents does not belong to it, as dissipation does not scatter. So
 * it is in every conservative system, whose exponents come in pairs of opposite sign: then it is
 * that of the whole space. */
static void derive_dimension(const struct ml_indicator_use *use, const struct kept *k, int lane,
                             double least, double *const *out)
{
    const int n = n_exponent(use);
    const double *exponent = out[SPECTRUM] + lane, *error = out[ERROR] + lane;
    const double last = exponent[(n - 1) * ML_LANES];
    const struct weighted all = {-(double)INFINITY, 1.0, 0.0};
    struct weighted w = {0.0, 0.0, 0.0};
    double sum = 0.0, dimension = kaplan_yorke(n, use->n_x, exponent, error, &w);
    for (int i = 0; i < n; i++)
        sum += exponent[i * ML_LANES];
    if (is_whole(use) && fabs(sum) <= 3.0 * error_of_sum(use, k, lane, 1e-3 * least, &all)) {
        const bool has_scale = counted(last, error[(n - 1) * ML_LANES]) < 0.0;
        dimension = n;
        w = (struct weighted){-(double)INFINITY, has_scale ? 1.0 / -last : 0.0, 0.0};
    }
    out[DIMENSION][lane] = dimension;
    out[DIMENSION_ERROR][lane] =
        w.above > 0.0 ? error_of_sum(use, k, lane, least, &w) : (double)NAN;
}

static void derive_entropy(const struct ml_indicator_use *use, const struct kept *k, int lane,
                           double least, double *const *out)
{
    const int n = n_exponent(use);
    const double *exponent = out[SPECTRUM] + lane, *error = out[ERROR] + lane;
    struct weighted w = {exponent[0], 0.0, 1.0};
    double sum = 0.0, own = 0.0;
    for (int i = 0; i < n; i++) {
        own = counted(exponent[i * ML_LANES], error[i * ML_LANES]);
        sum += own > 0.0 || isnan(own) ? own : 0.0;
        if (own > 0.0)
            w = (struct weighted){exponent[i * ML_LANES], 1.0, 1.0};
    }
    if (own > 0.0 && !is_whole(use))
        sum = (double)NAN;
    out[ENTROPY][lane] = sum;
    out[ENTROPY_ERROR][lane] = isnan(sum) ? sum : error_of_sum(use, k, lane, least, &w);
}

/* The dimension and entropy of a lane, from its exponents in order.
 *   least  1/s, least error of an exponent */
static void lyapunov_derive(const struct ml_indicator_use *use, const struct kept *k, int lane,
                            double least, double *const *out)
{
    const double *exponent = out[SPECTRUM] + lane, *error = out[ERROR] + lane;
    out[MAX][lane] = exponent[0];
    out[PREDICTABILITY][lane] = exponent[0] > error[0] ? 1.0 / exponent[0] : (double)NAN;
    derive_dimension(use, k, lane, least, out);
    derive_entropy(use, k, lane, least, out);
}

/* The history, without entries after the end of a run that is ended early. */
static void finish_history(const struct ml_indicator_use *use, const struct kept *k, double *out)
{
    const int n = n_exponent(use), n_time = n_history(use);
    const int64_t count = (int64_t)k->row[COUNT * ML_LANES] / history_every(use);
    memcpy(out, k->history, (size_t)n * (size_t)n_time * ML_LANES * sizeof *out);
    ML_EACH_GROUP(g)
        for (int c = 0; c < n; c++)
            for (int64_t entry = count; entry < n_time; entry++)
                ml_store(out + g, c * n_time + (int)entry, ml_splat((double)NAN));
}

static void lyapunov_finish(const struct ml_indicator_use *use,
                            const struct ml_observation *observed, double *keep, double *const *out)
{
    const struct kept k = kept_in(use, keep);
    const int n = n_exponent(use), n_time = n_history(use), last = is_whole(use) ? N_OUTPUT : SUM;
    _Alignas(ml_vec) double least[ML_LANES];
    (void)observed;
    ML_EACH_GROUP(g) {
        ml_vec span = ml_load(k.row + g, SPAN), sum = ml_splat(0.0);
        ml_store(least + g, 0, least_error(span));
        for (int c = 0; c < n; c++) {
            sum += ml_load(k.sum + g, c);
            ml_store(out[SPECTRUM] + g, c, ml_load(k.sum + g, c) / span);
            ml_store(out[ERROR] + g, c, lyapunov_error_of(use, &k, g, c));
        }
        if (is_whole(use)) {
            ml_store(out[SUM] + g, 0, sum / span);
            ml_store(out[TRACE] + g, 0, ml_load(k.row + g, TRACE_SUM) / span);
        }
    }
    if (n_time > 0)
        finish_history(use, &k, out[last]);
    for (int lane = 0; lane < ML_LANES; lane++) {
        lyapunov_sort(n, n_time, out[SPECTRUM] + lane, out[ERROR] + lane,
                      n_time > 0 ? out[last] + lane : NULL);
        lyapunov_derive(use, &k, lane, least[lane], out);
    }
}

extern const struct ml_indicator ML_K(ml_indicator_lyapunov);
const struct ml_indicator ML_K(ml_indicator_lyapunov) = {
    .name = "lyapunov",
    .doc = "Lyapunov exponents with their errors, and what follows from them",
    .is_on_request = true,
    .params = params,
    .n_param = N_PARAM,
    .output = lyapunov_output,
    .keep_rows = lyapunov_keep_rows,
    .finish = lyapunov_finish,
    .n_tangent = n_exponent,
    .needs_trace = true,
    .renormalised = lyapunov_renormalised,
    .extend = lyapunov_extend,
    .is_done = is_done,
};
