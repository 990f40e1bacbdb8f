/* Indices of any sample: against SALib's and numpy's numbers of the same points, against closed
 * forms within their intervals, and of points of which runs are missing. */
#include "manylink/indices.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "design/distribution.h"
#include "design/sample.h"
#include "reference/reference.h"
#include "statistics/closed_forms.h"
#include "statistics/given_inputs.h"
#include "statistics/order.h"
#include "statistics/pawn.h"

struct sample {
    int n_input;
    int64_t n;
    double *x, *y; /* [n_input][n], [n] */
    struct ml_index first[MOST], pawn[MOST], regression[MOST], spearman[MOST];
    struct ml_given_indices found;
};

static void draw(struct sample *s, double (*f)(int n, const double *u), int n_input, int64_t n,
                 enum ml_sampling sampling, uint64_t seed)
{
    *s = (struct sample){.n_input = n_input,
                         .n = n,
                         .x = malloc((size_t)(n * n_input) * sizeof *s->x),
                         .y = malloc((size_t)n * sizeof *s->y)};
    for (int64_t run = 0; s->x && s->y && run < n; run++) {
        double u[MOST];
        for (int i = 0; i < n_input; i++)
            s->x[i * n + run] = u[i] = ml_sample(sampling, seed, n, run, i);
        s->y[run] = f(n_input, u);
    }
}

static int find(struct sample *s, enum ml_given_estimator estimator, int is_even, bool is_first)
{
    struct ml_given_inputs *inputs = ml_given_inputs_make(s->x, s->n, s->n_input);
    s->found = (struct ml_given_indices){.size = sizeof s->found,
                                         .estimator = estimator,
                                         .is_even = is_even,
                                         .first = s->first,
                                         .pawn = is_first ? NULL : s->pawn,
                                         .regression = is_first ? NULL : s->regression,
                                         .spearman = is_first ? NULL : s->spearman};
    const int is_found = inputs && ml_given_indices_find(inputs, s->y, 100, &s->found);
    ml_given_inputs_free(inputs);
    return is_found;
}

static void drop(struct sample *s)
{
    free(s->x);
    free(s->y);
}

/* The distances of one input's slices. */
static void pawn_of(const struct sample *s, int input, double distances[ML_PAWN_SLICES])
{
    const size_t n = (size_t)s->n;
    int64_t *of_x = malloc(n * sizeof *of_x), *of_y = malloc(n * sizeof *of_y);
    double *x = malloc(n * sizeof *x), *y = malloc(n * sizeof *y);
    int8_t *by_rank = malloc(n), *by_run = malloc(n), *by_y = malloc(n);
    struct ml_pawn_run *runs = malloc(n * sizeof *runs);
    struct ml_order_key *keys = malloc(2 * n * sizeof *keys);
    if (of_x && of_y && x && y && by_rank && by_run && by_y && runs && keys) {
        ml_order_find(s->x + input * s->n, s->n, of_x, keys);
        ml_order_find(s->y, s->n, of_y, keys);
        for (size_t j = 0; j < n; j++) {
            x[j] = s->x[input * s->n + of_x[j]];
            y[j] = s->y[of_y[j]];
        }
        ml_pawn_slices(x, s->n, by_rank);
        for (size_t j = 0; j < n; j++)
            by_run[of_x[j]] = by_rank[j];
        for (size_t j = 0; j < n; j++)
            by_y[j] = by_run[of_y[j]];
        for (size_t j = 0; j < n; j++)
            runs[j] = (struct ml_pawn_run){(int32_t)j, 1};
        ml_pawn_distances(y, by_y, runs, s->n, distances);
    }
    free(runs);
    free(of_x), free(of_y), free(x), free(y), free(by_rank), free(by_run), free(by_y), free(keys);
}

static void check_pawn(const struct sample *s, const json_t *pawn)
{
    double minimum[MOST], mean[MOST], median[MOST], maximum[MOST];
    (void)ref_numbers(json_object_get(pawn, "minimum"), MOST, minimum);
    (void)ref_numbers(json_object_get(pawn, "mean"), MOST, mean);
    (void)ref_numbers(json_object_get(pawn, "median"), MOST, median);
    (void)ref_numbers(json_object_get(pawn, "maximum"), MOST, maximum);
    for (int i = 0; i < s->n_input; i++) {
        double distances[ML_PAWN_SLICES] = {0}, low = 1.0, high = 0.0, sum = 0.0;
        pawn_of(s, i, distances);
        for (int k = 0; k < ML_PAWN_SLICES; k++) {
            low = fmin(low, distances[k]);
            high = fmax(high, distances[k]);
            sum += distances[k] / ML_PAWN_SLICES;
        }
        CHECK_ERROR(fabs(low - minimum[i]), 1e-14);
        CHECK_ERROR(fabs(high - maximum[i]), 1e-14);
        CHECK_ERROR(fabs(sum - mean[i]), 1e-14);
        CHECK_ERROR(fabs(s->pawn[i].value - median[i]), 1e-14);
    }
}

/* Numbers of SALib of unscrambled Sobol' points 0 .. 2047. */
static void indices_are_those_of_salib(void)
{
    json_t *root = ref_load("sensitivity_global.json");
    const json_t *cases = json_object_get(root, "cases");
    int n = 0;
    for (size_t c = 0; c < json_array_size(cases); c++) {
        const json_t *one = json_array_get(cases, c), *pawn = json_object_get(one, "pawn");
        const bool is_g =
            strcmp(json_string_value(json_object_get(one, "function")), "sobol_g") == 0;
        double rbd_fast[MOST];
        struct sample s;
        if (!pawn)
            continue;
        CHECK_CASE("case %d", (int)c);
        draw(&s, is_g ? sobol_g : ishigami, is_g ? 8 : 3, 2048, ML_SOBOL, 0);
        CHECK(find(&s, ML_GIVEN_RBD_FAST, 0, false));
        check_pawn(&s, pawn);
        CHECK(ref_numbers(json_object_get(one, "rbd_fast_S1"), MOST, rbd_fast) == s.n_input);
        for (int i = 0; i < s.n_input; i++)
            CHECK_ERROR(fabs(s.first[i].value - rbd_fast[i]), 1e-12);
        drop(&s);
        n++;
    }
    CHECK(n == 2);
    json_decref(root);
}

/* Three values of the first input. */
static double of_three_values(int n, const double *u)
{
    (void)n;
    return 0.3 * floor(3.0 * u[0]) + sqrt(12.0) * u[1];
}
static const double of_three_values_first[] = {0.06 / 1.06, 1.0 / 1.06};

/* Indices do not depend on the unit of the output, whose squares would over- or underflow. */
static void units_do_not_matter(void)
{
    static const double units[] = {0x1p+900, 0x1p-900};
    for (int estimator = ML_GIVEN_BINS; estimator <= ML_GIVEN_RBD_FAST; estimator++)
        for (int u = 0; u < 2; u++) {
            struct sample s, same;
            draw(&s, ishigami, 3, 256, ML_RANDOM, 1);
            CHECK(find(&s, (enum ml_given_estimator)estimator, 0, false));
            same = s;
            for (int64_t run = 0; run < s.n; run++)
                same.y[run] *= units[u];
            CHECK(find(&same, (enum ml_given_estimator)estimator, 0, false));
            CHECK(memcmp(s.first, same.first, sizeof(struct ml_index[3])) == 0);
            for (int i = 0; i < 3; i++)
                CHECK_ERROR(fabs(s.regression[i].value - same.regression[i].value), 1e-13);
            drop(&s);
        }
}

/* A number that differs in one run has indices, but no intervals: resamples lack the run. */
static void intervals_need_runs_that_differ(void)
{
    for (int estimator = ML_GIVEN_BINS; estimator <= ML_GIVEN_RBD_FAST; estimator++) {
        struct sample s;
        draw(&s, ishigami, 3, 1024, ML_RANDOM, 1);
        for (int64_t run = 0; run < s.n; run++)
            s.y[run] = run == 5 ? 1.0 : 0.0;
        CHECK(find(&s, (enum ml_given_estimator)estimator, 0, false));
        for (int i = 0; i < 3; i++) {
            CHECK(fabs(s.first[i].value) < 0.1 && isnan(s.first[i].half));
            CHECK(fabs(s.spearman[i].value) < 0.1 && isnan(s.spearman[i].half));
        }
        drop(&s);
    }
}

/* Indices with missing outputs are those of the other runs, to the bit, also of inputs with equal
 * values. */
static void missing_runs_are_left_out(void)
{
    for (int estimator = ML_GIVEN_BINS; estimator <= ML_GIVEN_RBD_FAST; estimator++) {
        struct sample s, rest;
        int64_t n = 0;
        draw(&s, ishigami, 3, 3000, ML_RANDOM, 4);
        draw(&rest, ishigami, 3, 3000, ML_RANDOM, 4);
        for (int64_t run = 0; run < s.n; run++)
            s.x[run] = floor(3.0 * s.x[run]);
        for (int64_t run = 0; run < s.n; run++) {
            s.y[run] = run % 7 == 2 ? (double)NAN : s.y[run];
            rest.y[n] = s.y[run];
            n += run % 7 != 2;
        }
        rest.n = n;
        for (int64_t run = 0, to = 0; run < s.n; run++)
            for (int i = 0; run % 7 != 2 && i < 3; to += i == 2, i++)
                rest.x[i * n + to] = s.x[i * s.n + run];
        CHECK(find(&s, (enum ml_given_estimator)estimator, 0, false) && s.found.n_complete == n);
        CHECK(find(&rest, (enum ml_given_estimator)estimator, 0, false));
        CHECK(!memcmp(s.first, rest.first, sizeof(struct ml_index[3])));
        CHECK(!memcmp(s.pawn, rest.pawn, sizeof(struct ml_index[3])));
        CHECK(!memcmp(s.spearman, rest.spearman, sizeof(struct ml_index[3])));
        CHECK(!memcmp(s.regression, rest.regression, sizeof(struct ml_index[3])));
        drop(&s);
        drop(&rest);
    }
}

/* Functions of the quantiles of standard normal inputs. */
static void set_normal(struct sample *s, double (*f)(const double *z))
{
    for (int64_t run = 0; run < s->n; run++) {
        double z[MOST];
        for (int i = 0; i < s->n_input; i++) {
            double *x = &s->x[i * s->n + run];
            *x = z[i] = (double)ml_normal_quantile(ml_probability_of(*x));
        }
        s->y[run] = f(z);
    }
}
static double square(const double *z) { return z[0] * z[0]; }
static double square_and_line(const double *z) { return z[0] * z[0] + z[1]; }
static double exponential(const double *z) { return exp(z[0]); }
static double lognormals(const double *z) /* of variation 0.8, 0.4, 0.2 */
{
    return exp(sqrt(log(1.64)) * z[0] + sqrt(log(1.16)) * z[1] + sqrt(log(1.04)) * z[2]);
}

/* Inputs with tails: 100 seeds. A function of one input alone has the index 1 of this input; the
 * interval reaches 1 by the part that lines of twice the width lose, or more harmonics find. */
static void intervals_cover_tails(void)
{
    static const struct {
        double (*f)(const double *z);
        int n_input, n;
        double first[3];
    } cases[] = {{square, 2, 1000, {1.0, 0.0}},
                 {square_and_line, 2, 1000, {2.0 / 3.0, 1.0 / 3.0}},
                 {exponential, 2, 1000, {1.0, 0.0}},
                 {lognormals, 3, 1000, {0.64 / 0.978496, 0.16 / 0.978496, 0.04 / 0.978496}}};
    static const enum ml_given_estimator estimators[] = {ML_GIVEN_BINS, ML_GIVEN_RBD_FAST};
    for (size_t c = 0; c < 2 * sizeof cases / sizeof *cases; c++) {
        const size_t k = c / 2;
        int covered = 0, n = 0;
        for (uint64_t seed = 1; seed <= (check_is_sanitized() ? 3U : 100U); seed++) {
            struct sample s;
            draw(&s, sobol_g, cases[k].n_input, cases[k].n, ML_RANDOM, seed);
            set_normal(&s, cases[k].f);
            CHECK(find(&s, estimators[c % 2], 0, true));
            for (int i = 0; i < s.n_input; i++, n++)
                covered += fabs(s.first[i].value - cases[k].first[i]) <= s.first[i].half;
            drop(&s);
        }
        CHECK_CASE("tails %d, estimator %d: %d of %d", (int)k, (int)estimators[c % 2], covered, n);
        if (getenv("VERBOSE"))
            printf("tails %d, estimator %d: %.1f\n", (int)k, (int)estimators[c % 2],
                   100.0 * covered / n);
        CHECK(check_is_sanitized() || covered * 100 >= n * 90);
    }
}

/* Of random points, 95 % intervals cover the closed forms in 90 .. 99 % of 100 seeds. */
static void intervals_cover_closed_forms(void)
{
    static const struct {
        double (*f)(int n, const double *u);
        const double *first;
        int n_input, n;
        enum ml_given_estimator estimator;
    } cases[] = {{ishigami, ishigami_first, 3, 1024, ML_GIVEN_BINS},
                 {sobol_g, g_first, 8, 1024, ML_GIVEN_BINS},
                 {ishigami, ishigami_first, 3, 1024, ML_GIVEN_RANK},
                 {sobol_g, g_first, 8, 1024, ML_GIVEN_RANK},
                 {ishigami, ishigami_first, 3, 1024, ML_GIVEN_RBD_FAST},
                 {sobol_g, g_first, 8, 1024, ML_GIVEN_RBD_FAST},
                 {ishigami, ishigami_first, 3, 4096, ML_GIVEN_BINS},
                 {of_three_values, of_three_values_first, 2, 1024, ML_GIVEN_BINS}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        int covered = 0, n = 0;
        for (uint64_t seed = 1; seed <= (check_is_sanitized() ? 3U : 100U); seed++) {
            struct sample s;
            draw(&s, cases[c].f, cases[c].n_input, cases[c].n, ML_RANDOM, seed);
            for (int64_t run = 0; cases[c].f == of_three_values && run < s.n; run++)
                s.x[run] = floor(3.0 * s.x[run]);
            CHECK(find(&s, cases[c].estimator, 0, true));
            for (int i = 0; i < s.n_input; i++, n++)
                covered += fabs(s.first[i].value - cases[c].first[i]) <= s.first[i].half;
            drop(&s);
        }
        CHECK_CASE("case %d: %d of %d", (int)c, covered, n);
        if (getenv("VERBOSE"))
            printf("case %d: %.1f\n", (int)c, 100.0 * covered / n);
        CHECK(check_is_sanitized() || (covered * 100 >= n * 90 && covered * 100 <= n * 99));
    }
}

/* Of points of low discrepancy intervals are not too narrow, also of inputs without effect. */
static void intervals_cover_of_even_points(void)
{
    for (int e = 0; e < 2; e++) {
        int covered = 0, n = 0;
        for (uint64_t seed = 1; seed <= (check_is_sanitized() ? 3U : 25U); seed++) {
            struct sample s;
            draw(&s, sobol_g, 8, 1024, ML_SCRAMBLED_SOBOL, seed);
            CHECK(find(&s, e == 0 ? ML_GIVEN_BINS : ML_GIVEN_RBD_FAST, 1, true));
            for (int i = 0; i < s.n_input; i++, n++)
                covered += fabs(s.first[i].value - g_first[i]) <= s.first[i].half;
            drop(&s);
        }
        CHECK_CASE("even points, %s: %d of %d", e == 0 ? "bins" : "rbd_fast", covered, n);
        CHECK(covered * 100 >= n * 95);
    }
}

int main(void)
{
    indices_are_those_of_salib();
    units_do_not_matter();
    intervals_need_runs_that_differ();
    missing_runs_are_left_out();
    intervals_cover_closed_forms();
    intervals_cover_tails();
    intervals_cover_of_even_points();
    return check_done();
}
