/* A sample: runs at points drawn from ranges. */
#include <math.h>
#include <string.h>

#include "config/points/points_file.h"
#include "config/schema/given.h"
#include "config/schema/reader.h"
#include "config/schema/slots.h"
#include "config/sections/sections.h"
#include "design/sobol.h"
#include "design/trajectories.h"
#include "yaml/number.h"
#include "yaml/range.h"

/* Keys of the numbers of a distribution. */
static const char *const of_distribution[] = {"from", "to",    "scale", "mean",   "sd",     "cv",
                                              "mode", "alpha", "beta",  "values", "weights"};
enum { N_OF_DISTRIBUTION = sizeof of_distribution / sizeof *of_distribution, N_KEYS = 4 };

static bool is_among(const char *key, const char *const keys[N_KEYS])
{
    for (int i = 0; i < N_KEYS && keys[i]; i++)
        if (strcmp(keys[i], key) == 0 || (strcmp(keys[i], "sd") == 0 && strcmp(key, "cv") == 0))
            return true;
    return false;
}

/* Whether a distribution has the keys that it needs and no others; false after a problem. */
static bool has_own_keys(struct ml_reader *r, const struct ml_node *map,
                         const struct ml_distribution_info *info)
{
    const int before = r->problems.count;
    for (int i = 0; i < N_OF_DISTRIBUTION; i++) {
        const struct ml_node *given = ml_node_find(map, of_distribution[i]);
        if (given && !is_among(of_distribution[i], info->needs) &&
            !is_among(of_distribution[i], info->may))
            ml_problem(
                &r->problems, given->key_location,
                "key `%s` has no meaning for distribution `%s`; leave the key out, or choose "
                "another distribution",
                of_distribution[i], info->word);
    }
    for (int i = 0; i < N_KEYS && info->needs[i]; i++) {
        const bool is_sd = strcmp(info->needs[i], "sd") == 0;
        if (is_sd && ml_node_find(map, "sd"))
            ml_read_excluded(r, map, "sd", (const char *const[]){"cv"}, 1);
        else if (!ml_node_find(map, info->needs[i]) && !(is_sd && ml_node_find(map, "cv")))
            ml_problem(&r->problems, map->location, "key `%s` is missing: %s", info->needs[i],
                       info == &ml_distributions[ML_UNIFORM]
                           ? "a range has from and to, or distribution, or scale_by"
                       : is_sd ? "the distribution has sd, or cv"
                               : "the distribution needs this number");
    }
    return r->problems.count == before;
}

/* Reports a key of another name or place in a range of a sample. */
static bool has_strange_key(struct ml_reader *r, const struct ml_node *node)
{
    static const char *const strange[][2] = {
        {"continue",
         "cannot continue runs of a sample: the points have no order; write `sweep: [{set: ..., "
         "from: ..., to: ..., count: ..., continue: ...}]` in place of `sample`, or leave "
         "`continue` "
         "out"},
        {"relative",
         "cannot draw multiples by `relative`: write the distribution of the multiples as "
         "{set: ..., scale_by: {distribution: normal, mean: 1, cv: 0.1}}"},
    };
    bool is_any = false;
    for (size_t i = 0; i < sizeof strange / sizeof *strange; i++) {
        const struct ml_node *found = ml_node_find(node, strange[i][0]);
        if (found)
            ml_problem(&r->problems, found->key_location, "%s", strange[i][1]);
        is_any |= found != NULL;
    }
    return is_any;
}

/* The list of numbers at a key, [n], of at least `low`, or more; NULL after a problem. */
static double *read_list(struct ml_reader *r, const struct ml_node *list, const char *name,
                         double low, bool is_open, int64_t *n)
{
    const struct ml_param param = {.name = name,
                                   .unit = "1",
                                   .low = low,
                                   .high = (double)INFINITY,
                                   .flags = is_open ? ML_OPEN_LOW : 0};
    double *numbers = ml_pool_take(r->spec->pool, (size_t)list->n_child + 1, sizeof *numbers);
    bool is_read = numbers != NULL;
    *n = 0;
    for (const struct ml_node *node = list->first; is_read && node; node = node->next)
        is_read = ml_read_number(r, node, &param, &numbers[(*n)++]);
    if (is_read && *n == 0)
        ml_problem(&r->problems, list->location, "%s is empty; give one number at least", name);
    return is_read && *n > 0 ? numbers : NULL;
}

/* Whether the values of a table ascend, and an interval has a weight; false after a problem. */
static bool is_table(struct ml_reader *r, const struct ml_node *values,
                     const struct ml_node *weights, const struct ml_distribution *d)
{
    const struct ml_node *node = values->first;
    double sum = d->weights ? 0.0 : 1.0;
    if (d->n_value < 2) {
        ml_problem(&r->problems, values->location,
                   "a table needs two values at least, the ends of an interval");
        return false;
    }
    for (int64_t k = 1; k < d->n_value; k++) {
        node = node->next;
        sum += d->weights ? d->weights[k - 1] : 0.0;
        if (d->values[k] > d->values[k - 1])
            continue;
        ml_problem(&r->problems, node->location,
                   "values of a table must ascend: they are the ends of the intervals");
        return false;
    }
    if (!(sum > 0.0))
        ml_problem(&r->problems, weights->location, "all weights are 0; give one above 0 at least");
    return sum > 0.0;
}

/* The values of a discrete distribution or table and their weights; false after a problem. */
static bool read_values(struct ml_reader *r, const struct ml_node *map, struct ml_distribution *d)
{
    const struct ml_node *values = ml_node_find_kind(map, "values", ML_NODE_LIST);
    const struct ml_node *weights = ml_node_find_kind(map, "weights", ML_NODE_LIST);
    const bool is_tabulated = d->kind == ML_TABULATED;
    int64_t n_weight;
    if (!values)
        return false;
    d->values = read_list(r, values, "values", (double)-INFINITY, false, &d->n_value);
    d->weights = weights ? read_list(r, weights, "weights", 0.0, !is_tabulated, &n_weight) : NULL;
    if (!d->values || (weights && !d->weights))
        return false;
    const int64_t n = d->n_value - (is_tabulated ? 1 : 0);
    if (weights && n_weight != n) {
        ml_problem(&r->problems, weights->location, "weights has %lld numbers, but %s %lld",
                   (long long)n_weight,
                   is_tabulated ? "the intervals between the values are" : "values", (long long)n);
        return false;
    }
    return !is_tabulated || is_table(r, values, weights, d);
}

/* Whether the numbers of a distribution fit each other; false after a problem. */
static bool is_possible(struct ml_reader *r, const struct ml_node *map,
                        const struct ml_distribution *d)
{
    const int before = r->problems.count;
    if (!isnan(d->from) && !isnan(d->to) && !(d->from < d->to))
        ml_problem(&r->problems, ml_read_location(map, "to"), "to must be greater than from");
    if (d->kind == ML_TRIANGULAR && !(d->mode >= d->from && d->mode <= d->to))
        ml_problem(&r->problems, ml_read_location(map, "mode"), "mode must be from `from` to `to`");
    if (d->kind == ML_LOGNORMAL && !(d->mean > 0.0))
        ml_problem(&r->problems, ml_read_location(map, "mean"),
                   "a lognormal number is positive, and so must mean be");
    if (d->kind == ML_LOGNORMAL && d->to <= 0.0)
        ml_problem(&r->problems, ml_read_location(map, "to"),
                   "a lognormal number is positive, and so must `to` be");
    if (!isnan(d->cv) && d->mean == 0.0)
        ml_problem(&r->problems, ml_read_location(map, "cv"),
                   "cv is a part of mean, which is 0: give sd");
    return r->problems.count == before;
}

/* Whether a distribution has different numbers, as far as rounding leaves them apart; false after a
 * problem. Ends far in a tail, and a deviation below rounding, leave none. */
static bool is_spread(struct ml_reader *r, const struct ml_node *map,
                      const struct ml_distribution *d)
{
    const struct ml_probability first = {0.25L, 0.75L}, third = {0.75L, 0.25L};
    const double low = ml_distribution_quantile(d, first),
                 high = ml_distribution_quantile(d, third);
    if (d->kind == ML_DISCRETE || low < high)
        return true;
    ml_problem(
        &r->problems, ml_read_location(map, "distribution"),
        "cannot draw from the distribution: all its numbers are %.10g, as the deviation is "
        "below rounding or the ends lie too far in a tail; take a larger deviation, or nearer "
        "ends",
        low);
    return false;
}

/* Whether a key takes the number of a distribution. */
static bool takes(const struct ml_reader *r, const struct ml_swept *swept, double number)
{
    return ml_param_allows(&r->slots[swept->slot].param, swept->weight * number);
}

/* The least part of a distribution from its lower end on, or with `is_top` from its upper end, that
 * a key whose range has the median does not take. */
static struct ml_probability share_refused(const struct ml_reader *r, const struct ml_swept *swept,
                                           const struct ml_distribution *d, bool is_top)
{
    enum { HALVINGS = 64 };
    long double refused = 0x1p-54L, taken = 0.5L; /* of the part */
    for (int i = 0; i < HALVINGS; i++) {
        const long double middle = sqrtl(refused * taken);
        const struct ml_probability p = is_top ? (struct ml_probability){1.0L - middle, middle}
                                               : (struct ml_probability){middle, 1.0L - middle};
        if (takes(r, swept, ml_distribution_quantile(d, p)))
            taken = middle;
        else
            refused = middle;
    }
    return is_top ? (struct ml_probability){1.0L - taken, taken}
                  : (struct ml_probability){taken, 1.0L - taken};
}

/* Narrows the ends of a distribution to those that a key takes, of which no run is expected to miss
 * anything; false after a problem that runs would. */
static bool narrow(struct ml_reader *r, const struct ml_node *map, const struct ml_swept *swept,
                   const struct ml_distribution *d, double ends[2])
{
    const double most = 1e-6; /* runs */
    const struct ml_param *param = &r->slots[swept->slot].param;
    const double median = ml_distribution_quantile(d, (struct ml_probability){0.5L, 0.5L});
    const bool is_fitted = ml_is_from_fit(ml_node_find(r->root, "sample"), map);
    if (!takes(r, swept, median))
        return ml_read_multiple(r, ml_read_location(map, "mean"), swept, median);
    for (int end = 0; end < 2; end++) {
        if (takes(r, swept, ends[end]))
            continue;
        const struct ml_probability p = share_refused(r, swept, d, end);
        const double share = (double)(end ? p.above : p.below);
        char range[ML_RANGE_TEXT];
        ends[end] = ml_distribution_quantile(d, p);
        if (share * (double)r->spec->runs.sample->n_point <= most)
            continue;
        ml_problem(&r->problems, ml_read_location(map, "distribution"),
                   "%.2g of the drawn numbers of `%s` are not allowed: it must be %s; %s%s", share,
                   swept->path, ml_range_text(param, range),
                   is_fitted ? "fit the number with `scale: log`, or name it in `leave_out` and "
                               "give a range of its own in `over`"
                             : "cut the distribution off with ",
                   is_fitted                      ? ""
                   : end == (swept->weight < 0.0) ? "`from`"
                                                  : "`to`");
        return false;
    }
    return true;
}

/* The ends of a distribution other than a uniform one, and whether the keys take its numbers; false
 * after a problem. */
static bool read_drawn(struct ml_reader *r, const struct ml_node *set, const struct ml_node *map,
                       const struct ml_axis *range, bool is_factor, struct ml_swept *swept, int n)
{
    const struct ml_distribution *d = &range->distribution;
    const struct ml_probability first = ml_probability_of(0.0), last = {first.above, first.below};
    /* of a discrete distribution the least and the largest value, whatever their order is */
    double ends[2] = {ml_distribution_quantile(d, first), ml_distribution_quantile(d, last)};
    struct ml_axis narrowed = *range;
    bool is_allowed = is_factor || ml_read_one_unit(r, set, swept, n);
    for (int i = 0; is_allowed && i < n; i++) {
        if (swept[i].slot < 0 || (is_factor && ml_is_fixed(r, swept[i].path)))
            continue;
        for (int64_t k = 0; k < d->n_value; k++)
            is_allowed &=
                ml_read_multiple(r, ml_read_location(map, "values"), &swept[i], d->values[k]);
        is_allowed = is_allowed && (d->n_value > 0 || narrow(r, map, &swept[i], d, ends));
    }
    for (int64_t k = 0; k < d->n_value; k++) {
        ends[0] = fmin(ends[0], d->values[k]);
        ends[1] = fmax(ends[1], d->values[k]);
    }
    for (int i = 0; d->n_value > 0 && i < n; i++) {
        swept[i].low = ends[0];
        swept[i].high = ends[1];
    }
    narrowed.from = ends[0];
    narrowed.to = ends[1];
    return is_allowed &&
           (d->kind == ML_DISCRETE || ml_read_ends(r, set, map, &narrowed, is_factor, swept, n));
}

/* Has the column of a range read for its keys; false after a problem.
 *   map  where the column is named */
static bool read_column(struct ml_reader *r, const struct ml_node *map,
                        struct ml_points_file *points, const struct ml_axis *range, bool is_factor,
                        struct ml_swept *swept, int n)
{
    const int before = r->problems.count;
    ml_read_excluded(r, map, "column", of_distribution, N_OF_DISTRIBUTION);
    ml_read_excluded(r, map, "column", (const char *const[]){"distribution"}, 1);
    if (!range->name)
        ml_problem(&r->problems, map->location,
                   "key `column` is missing: the numbers come from a file of points");
    if (r->problems.count > before ||
        !(is_factor || ml_read_one_unit(r, ml_node_find(map, "set"), swept, n)))
        return false;
    for (int i = 0; i < n; i++) {
        swept[i].column = range->name;
        swept[i].distribution = range->distribution;
        swept[i].is_factor = is_factor;
        swept[i].group = range->group;
    }
    return ml_points_file_choose(points, ml_read_location(map, "column"), range->name,
                                 is_factor || !swept->unit ? "1" : swept->unit);
}

/* One range: the keys that it moves, which follow one random number, or a column of `points`. NULL
 * after a problem.
 *   n  their number */
static struct ml_swept *read_sample_range(struct ml_reader *r, const struct ml_node *node,
                                          struct ml_points_file *points, int *n)
{
    struct ml_axis range = {0};
    struct ml_distribution *d = &range.distribution;
    const int before = r->problems.count;
    if (!ml_read_is_map(r, node, "a range must be a map such as {set: ..., from: ..., to: ...}"))
        return NULL;
    if (has_strange_key(r, node))
        return NULL;
    ml_read_scope(r, node, ML_SCOPE_OVER, &range);
    const struct ml_node *set = ml_node_find(node, "set");
    const struct ml_node *factor = ml_node_find_kind(node, "scale_by", ML_NODE_MAP);
    const struct ml_node *map = factor ? factor : node;
    struct ml_swept *swept = set ? ml_read_set(r, set, n) : NULL;
    if (factor) {
        ml_read_excluded(r, node, "scale_by", of_distribution, N_OF_DISTRIBUTION);
        ml_read_excluded(r, node, "scale_by", (const char *const[]){"distribution"}, 1);
        ml_read_scope(r, factor, ML_SCOPE_OVER_FACTOR, &range);
    }
    d->from = range.from;
    d->to = range.to;
    d->is_log = range.is_log;
    if (points && swept && r->problems.count == before)
        return (!factor || ml_read_weights(r, set, swept, *n)) &&
                       read_column(r, map, points, &range, factor != NULL, swept, *n)
                   ? swept
                   : NULL;
    if (range.name)
        ml_problem(&r->problems, ml_read_location(map, "column"),
                   "key `column` belongs to a sample with a `file`");
    const bool has_values = d->kind == ML_DISCRETE || d->kind == ML_TABULATED;
    if (!swept || r->problems.count > before || !has_own_keys(r, map, &ml_distributions[d->kind]) ||
        (has_values && !read_values(r, map, d)) ||
        (factor && !ml_read_weights(r, set, swept, *n)) || !is_possible(r, map, d) ||
        (d->kind != ML_UNIFORM && !is_spread(r, map, d)))
        return NULL;
    if (!(d->kind == ML_UNIFORM ? ml_read_ends : read_drawn)(r, set, map, &range, factor != NULL,
                                                             swept, *n))
        return NULL;
    for (int i = 0; i < *n; i++) {
        swept[i].distribution = *d;
        swept[i].is_factor = factor != NULL;
        swept[i].group = range.group;
    }
    return swept;
}

/* Appends the keys of one range. */
static void append(struct ml_reader *r, struct ml_axis *axis, const struct ml_swept *swept, int n,
                   int dimension)
{
    struct ml_swept *all =
        ml_pool_take(r->spec->pool, (size_t)axis->n_swept + (size_t)n, sizeof *all);
    if (!all)
        return;
    if (axis->n_swept > 0)
        memcpy(all, axis->swept, (size_t)axis->n_swept * sizeof *all);
    for (int i = 0; i < n; i++) {
        all[axis->n_swept + i] = swept[i];
        all[axis->n_swept + i].dimension = dimension;
    }
    axis->swept = all;
    axis->n_swept += n;
}

/* The range of a sample that moves the key at a node; -1 after a problem. */
static int range_of(struct ml_reader *r, const struct ml_node *node)
{
    const struct ml_axis *sample = ml_study_spec_sample(r->spec);
    const char *path = ml_read_text(r, node, "between", "a key");
    for (int i = 0; path && i < sample->n_swept; i++)
        if (strcmp(sample->swept[i].path, path) == 0)
            return sample->swept[i].dimension;
    if (path)
        ml_problem(&r->problems, node->location,
                   "%s is no key of `over`; a correlation is between two of its keys",
                   ml_quote(r->pool, path));
    return -1;
}

static void read_pair(struct ml_reader *r, const struct ml_node *node, struct ml_correlation *c)
{
    struct ml_pair_keys pair;
    const int before = r->problems.count;
    if (!ml_read_is_map(r, node, "a correlation must be a map such as {between: [a, b], r: 0.5}"))
        return;
    ml_read_scope(r, node, ML_SCOPE_PAIR, &pair);
    const struct ml_node *between = ml_node_find(node, "between");
    if (r->problems.count > before || !between)
        return;
    if (between->kind != ML_NODE_LIST || between->n_child != 2) {
        ml_problem(&r->problems, between->location, "between must be a list of two keys of `over`");
        return;
    }
    const int i = range_of(r, between->first), j = range_of(r, between->first->next);
    if (i < 0 || j < 0)
        return;
    if (i == j)
        ml_problem(&r->problems, between->location,
                   "cannot correlate keys of the same range: they have the same random number");
    else
        c->matrix[i * c->n + j] = c->matrix[j * c->n + i] = pair.r;
}

/* Notes the rank correlations of coefficients, which users may have meant. */
static void notice_ranks(struct ml_reader *r, const struct ml_node *list,
                         const struct ml_correlation *c)
{
    double largest = 0.0;
    for (int i = 0; i < c->n * c->n; i++)
        if (fabs(c->matrix[i]) < 1.0 && fabs(c->matrix[i]) > fabs(largest))
            largest = c->matrix[i];
    ml_notice(r, list->location,
              "coefficients are those of normal scores: r = %.3g is a rank correlation of %.3g",
              largest, ml_rank_correlation(largest));
}

/* Row i of a matrix of all coefficients, and of its upper triangle the same numbers. */
static void read_row(struct ml_reader *r, const struct ml_node *row, int i,
                     struct ml_correlation *c)
{
    const struct ml_param param = {.name = "r", .unit = "1", .low = -1.0, .high = 1.0};
    const struct ml_node *node = row->kind == ML_NODE_LIST ? row->first : NULL;
    if (row->kind != ML_NODE_LIST || row->n_child != c->n)
        ml_problem(
            &r->problems, row->location,
            "row %d of the matrix of correlations must be a list of %d numbers, one for each "
            "range of `over`",
            i + 1, c->n);
    for (int j = 0; row->n_child == c->n && node; node = node->next, j++) {
        double value;
        if (!ml_read_number(r, node, &param, &value))
            continue;
        if (j == i && value != 1.0)
            ml_problem(&r->problems, node->location,
                       "the diagonal of a matrix of correlations is 1, not %g", value);
        else if (j < i && value != c->matrix[i * c->n + j])
            ml_problem(&r->problems, node->location,
                       "the matrix of correlations must be symmetric, but row %d, column %d has %g "
                       "and row %d, column %d has %g",
                       j + 1, i + 1, c->matrix[i * c->n + j], i + 1, j + 1, value);
        else
            c->matrix[i * c->n + j] = c->matrix[j * c->n + i] = value;
    }
}

/* "{between: [a, b], r: 0.5}, ..." of all coefficients of a matrix. */
static const char *pairs_text(struct ml_reader *r, int n, const double *matrix)
{
    const struct ml_axis *sample = ml_study_spec_sample(r->spec);
    const char *text = "";
    for (int i = 0; text && i < n; i++)
        for (int j = 0; text && j < i; j++)
            if (matrix[i * n + j] != 0.0)
                text = ml_pool_format(r->pool, "%s%s{between: [%s, %s], r: %.4g}", text,
                                      *text ? ", " : "", ml_axis_range_key(sample, j),
                                      ml_axis_range_key(sample, i), matrix[i * n + j]);
    return text ? text : "";
}

/* "[1, 0.5], [0.5, 1]": the rows of a matrix of coefficients. */
static const char *rows_text(struct ml_reader *r, int n, const double *matrix)
{
    const char *text = "";
    for (int i = 0; text && i < n * n; i++) {
        const char *before = i % n > 0 ? ", " : i > 0 ? "], [" : "[";
        text = ml_pool_format(r->pool, "%s%s%.4g", text, before, matrix[i]);
    }
    return text ? ml_pool_format(r->pool, "%s]", text) : NULL;
}

/* A matrix of coefficients as pairs, or as rows where the pairs are too long for a message; NULL:
 * both are too long. */
static const char *coefficients_text(struct ml_reader *r, int n, const double *matrix)
{
    enum { MOST = 800 }; /* characters */
    const char *text = pairs_text(r, n, matrix);
    if (strlen(text) > MOST)
        text = rows_text(r, n, matrix);
    return text && strlen(text) <= MOST ? text : NULL;
}

/* Reports coefficients that no numbers can have, with the nearest that numbers can have. */
static void refuse_correlation(struct ml_reader *r, struct ml_location location,
                               const struct ml_correlation *c)
{
    enum { MOST = 24 }; /* ranges: more have too many coefficients for a message */
    const size_t size = (size_t)c->n * (size_t)c->n;
    const double share = ml_correlation_share(c);
    double *nearest = ml_pool_take(r->pool, (1 + ML_CORRELATION_WORK) * size, sizeof *nearest);
    const char *text = NULL;
    if (c->n <= MOST && nearest && ml_correlation_nearest(c, nearest, nearest + size))
        text = coefficients_text(r, c->n, nearest);
    ml_problem(&r->problems, location,
               "cannot correlate the ranges: the matrix of the coefficients is not positive "
               "definite; %s%s%smultiplied by %.3g all together they are possible",
               text ? "the nearest is correlation: [" : "", text ? text : "", text ? "]; " : "",
               share);
}

static void read_correlation(struct ml_reader *r, const struct ml_node *list, int n)
{
    struct ml_pool *pool = r->spec->pool;
    const size_t size = (size_t)n * (size_t)n;
    const int before = r->problems.count;
    struct ml_correlation c = {n, ml_pool_take(pool, size, sizeof(double)),
                               ml_pool_take(pool, size, sizeof(double))};
    if (!c.matrix || !c.factor)
        return;
    for (int i = 0; i < n; i++)
        c.matrix[i * n + i] = 1.0;
    const bool is_matrix = list->first && list->first->kind == ML_NODE_LIST;
    if (is_matrix && list->n_child != n)
        ml_problem(
            &r->problems, list->location,
            "the matrix of correlations has %d row%s but `over` has %d range%s; give a row for "
            "each, in their order",
            list->n_child, list->n_child == 1 ? "" : "s", n, n == 1 ? "" : "s");
    int i = 0;
    for (const struct ml_node *node = list->first; node; node = node->next, i++)
        if (!is_matrix)
            read_pair(r, node, &c);
        else if (i < n)
            read_row(r, node, i, &c);
    if (r->problems.count > before || !ml_correlation_is_any(&c))
        return;
    if (!ml_correlation_factorise(&c)) {
        refuse_correlation(r, list->location, &c);
        return;
    }
    if (!ml_node_find(ml_node_find(r->root, "sample"), "from_fit")) /* those are of numbers */
        notice_ranks(r, list, &c);
    r->spec->runs.sample->correlation = c;
}

/* Reports keys that belong to another design than that of the sample. */
static void check_keys(struct ml_reader *r, const struct ml_node *node)
{
    static const struct {
        const char *key;
        enum ml_sample_design design;
    } own[] = {{"second_order", ML_DESIGN_SALTELLI},
               {"levels", ML_DESIGN_MORRIS},
               {"candidates", ML_DESIGN_MORRIS}};
    const struct ml_sample_points *sample = r->spec->runs.sample;
    const bool has_points = ml_design_has_points(sample->design);
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        if (sample->design != own[i].design && ml_node_find(node, own[i].key))
            ml_problem(&r->problems, ml_read_location(node, own[i].key),
                       "key `%s` belongs to `design: %s`", own[i].key,
                       ml_designs[own[i].design].word);
    if (has_points && ml_node_find(node, "method"))
        ml_problem(&r->problems, ml_read_location(node, "method"),
                   "design `%s` makes its points itself; leave `method` out",
                   ml_designs[sample->design].word);
    else if (!has_points && !ml_sample_is_stored(sample) && !ml_node_find(node, "energy_shell") &&
             !ml_node_find(node, "method"))
        ml_problem(&r->problems, node->location,
                   "key `method` is missing: random, latin_hypercube, sobol, scrambled_sobol or "
                   "halton");
}

/* Reports numbers that a design cannot have. */
static void check_design(struct ml_reader *r, const struct ml_node *node,
                         const struct ml_axis *axis)
{
    const struct ml_sample_points *sample = r->spec->runs.sample;
    const bool is_of_levels = sample->design == ML_DESIGN_MORRIS || sample->design == ML_DESIGN_OAT;
    const struct ml_location count = ml_read_location(node, sample->file ? "design" : "count");
    if (sample->design == ML_DESIGN_MORRIS && sample->levels % 2 != 0)
        ml_problem(&r->problems, ml_read_location(node, "levels"),
                   "levels must be even, so that a move by half of the levels leaves all levels "
                   "equally frequent");
    if (sample->n_candidate > 0 && sample->n_candidate < sample->n_point)
        ml_problem(&r->problems, ml_read_location(node, "candidates"),
                   "candidates must not be fewer than the %lld trajectories that are chosen",
                   (long long)sample->n_point);
    if (sample->n_candidate > ml_trajectories_most(sample->n_input))
        ml_problem(&r->problems, ml_read_location(node, "candidates"),
                   "cannot compare %lld candidates of %d inputs in a reasonable time; take at most "
                   "%lld, or leave `candidates` out",
                   (long long)sample->n_candidate, sample->n_input,
                   (long long)ml_trajectories_most(sample->n_input));
    if (sample->design == ML_DESIGN_FAST &&
        (sample->n_point < ML_FAST_LEAST || sample->n_point > INT32_MAX))
        ml_problem(&r->problems, count,
                   "%s of design `fast` must be from %d, so that the frequencies of a curve are "
                   "apart up to harmonic %d, to %d",
                   sample->file ? "the rows for each input" : "count", (int)ML_FAST_LEAST,
                   (int)ML_FAST_HARMONICS, (int)INT32_MAX);
    if (sample->design == ML_DESIGN_OAT && !sample->file && sample->n_point < 2)
        ml_problem(&r->problems, count,
                   "count of design `oat` must be 2 at least: a single value of an input is the "
                   "middle, where the first run is");
    for (int i = 0; i < axis->n_swept && is_of_levels; i++)
        if (axis->swept[i].distribution.kind == ML_DISCRETE) {
            ml_problem(&r->problems, ml_read_location(node, "design"),
                       "cannot move `%s` by levels: several levels of a discrete distribution may "
                       "be the same number; sweep its values beside the sample",
                       axis->swept[i].path);
            return;
        }
}

/* The runs that the design makes of the points. */
static void settle(struct ml_reader *r, const struct ml_node *node, struct ml_axis *axis)
{
    struct ml_sample_points *sample = r->spec->runs.sample;
    const int before = r->problems.count;
    const int64_t of_point = ml_design_has_points(sample->design) ? 1 + sample->n_input
                                                                  : ml_sample_runs_of_point(sample);
    check_design(r, node, axis);
    if (sample->design == ML_DESIGN_SALTELLI && sample->n_point & (sample->n_point - 1) &&
        (sample->sampling == ML_SOBOL || sample->sampling == ML_SCRAMBLED_SOBOL))
        ml_notice(r, ml_read_location(node, "count"),
                  "count is no power of two, at which the points of a Sobol sequence are balanced: "
                  "indices converge faster with %lld",
                  (long long)1 << (ilogb((double)sample->n_point) + 1));
    ml_check_correlated_groups(r, ml_read_location(node, "correlation"));
    if (sample->n_point > ((int64_t)1 << ML_INTEGER_BITS) / of_point)
        ml_problem(&r->problems, ml_read_location(node, "count"),
                   "cannot make the design: it has more than 2^%d runs; take fewer points",
                   (int)ML_INTEGER_BITS);
    if (r->problems.count > before)
        return;
    axis->count = ml_sample_runs(sample);
    ml_trajectories_choose(sample, r->spec->pool);
}

/* Takes all columns of a file, which have the paths of keys. */
static void read_all_columns(struct ml_reader *r, const struct ml_node *node,
                             struct ml_points_file *points, struct ml_axis *axis)
{
    const struct ml_location location = ml_read_location(node, "file");
    const char *name;
    if (!ml_points_file_name(points, 0))
        ml_problem(&r->problems, location,
                   "the file has no datasets of numbers in one dimension outside of groups; name "
                   "those in groups with `over: [{set: KEY, column: /GROUP/NAME}, ...]`");
    for (int i = 0, n; r->slots && (name = ml_points_file_name(points, i)); i++) {
        struct ml_node *set = ml_pool_take(r->pool, 1, sizeof *set); /* the reader keeps the node */
        char *text = ml_pool_text(r->spec->pool, name, strlen(name));
        if (!set || !text)
            return;
        *set = (struct ml_node){.kind = ML_NODE_SCALAR, .location = location, .text = text};
        if (!ml_read_clock(r, set))
            return;
        if (!ml_slot_find(r, name)) {
            ml_problem(&r->problems, location,
                       "column %s of the file is no key of this study; name the columns that count "
                       "with `over: [{set: KEY, column: NAME}, ...]`",
                       ml_quote(r->pool, name));
            return;
        }
        struct ml_swept *swept = ml_read_set(r, set, &n);
        if (!swept || swept->slot < 0 ||
            !ml_points_file_choose(points, location, text, swept->unit))
            return;
        swept->column = text;
        append(r, axis, swept, 1, i);
    }
}

/* Reports rows of a file that are not in the order of the design, whose indices would be wrong. */
static void check_order(struct ml_reader *r, const struct ml_node *node, const struct ml_axis *axis)
{
    const struct ml_sample_points *sample = r->spec->runs.sample;
    const double **inputs = ml_pool_take(r->pool, (size_t)sample->n_input, sizeof *inputs);
    for (int i = 0; inputs && i < axis->n_swept; i++)
        inputs[axis->swept[i].dimension] = axis->swept[i].values;
    const int64_t row = inputs ? ml_sample_misplaced(sample, inputs) : -1;
    if (row >= 0)
        ml_problem(
            &r->problems, ml_read_location(node, "design"),
            "row %lld of the file is not in the order of design `%s`, which docs/sampling.md "
            "describes; correct the order%s, or leave `design` out",
            (long long)row + 1, ml_designs[sample->design].word,
            sample->design == ML_DESIGN_SALTELLI ? ", `second_order` or `group`" : "");
}

/* The points of a file: of all columns, or of those that `over` names. */
static void read_points_file(struct ml_reader *r, const struct ml_node *node, struct ml_axis *axis)
{
    static const char *const drawn[] = {"method",      "count",      "seed",
                                        "correlation", "candidates", "energy_shell"};
    struct ml_sample_points *sample = r->spec->runs.sample;
    const struct ml_node *over = ml_node_find_kind(node, "over", ML_NODE_LIST);
    const int before = r->problems.count;
    ml_read_excluded(r, node, "file", drawn, sizeof drawn / sizeof *drawn);
    struct ml_points_file *points = ml_points_file_open(r, node, ml_read_path(r, sample->file));
    if (!points)
        return;
    if (!over)
        read_all_columns(r, node, points, axis);
    int i = 0, n = 0;
    for (const struct ml_node *child = over ? over->first : NULL; child; child = child->next, i++) {
        const struct ml_swept *swept = read_sample_range(r, child, points, &n);
        if (swept)
            append(r, axis, swept, n, i);
    }
    if (r->problems.count > before || axis->n_swept == 0 ||
        !ml_points_file_read(points, axis, &sample->checksum))
        return;
    sample->n_input = 1 + axis->swept[axis->n_swept - 1].dimension;
    if (over)
        ml_read_sample_groups(r, over);
    sample->n_point = sample->design == ML_DESIGN_OAT || sample->design == ML_DESIGN_FAST
                          ? axis->count / sample->n_input
                          : axis->count / ml_sample_runs_of_point(sample);
    if (ml_sample_runs(sample) != axis->count)
        ml_problem(&r->problems, ml_read_location(node, "design"),
                   "cannot make design `%s` of the file: %d %s and %lld rows do not fit; name "
                   "all inputs of the design, or leave `design` out",
                   ml_designs[sample->design].word, ml_sample_groups(sample),
                   sample->group ? "groups" : "inputs", (long long)axis->count);
    check_design(r, node, axis);
    if (r->problems.count == before)
        check_order(r, node, axis);
}

/* Whether a sample has ranges, and no more of them than its method has coordinates; false after a
 * problem. */
static bool has_ranges(struct ml_reader *r, const struct ml_sample_points *sample,
                       const struct ml_node *over)
{
    const int n = over ? over->n_child : 0;
    const bool is_table = sample->sampling != ML_RANDOM && sample->sampling != ML_LATIN_HYPERCUBE;
    const int n_half = sample->design == ML_DESIGN_SALTELLI ? 2 : 1;
    if (over && n == 0)
        ml_problem(&r->problems, over->location, "over is empty; name one range at least");
    const bool is_halton = sample->sampling == ML_HALTON;
    const int most = (is_halton ? ML_HALTON_DIMENSIONS : ML_SOBOL_DIMENSIONS) / n_half;
    if (is_table && n > most)
        ml_problem(&r->problems, over->location, "over has %d ranges but method %s can take %d", n,
                   is_halton ? "halton" : "sobol", most);
    return n > 0;
}

/* Whether a design was read from its node; NULL: the default. */
static bool is_design(const struct ml_node *node, enum ml_sample_design design)
{
    return !node ||
           (node->kind == ML_NODE_SCALAR && strcmp(node->text, ml_designs[design].word) == 0);
}

void ml_read_sample(struct ml_reader *r, const struct ml_node *node)
{
    struct ml_study_spec *spec = r->spec;
    const struct ml_node *over = ml_node_find_kind(node, "over", ML_NODE_LIST);
    struct ml_sample_points *sample = ml_pool_take(spec->pool, 1, sizeof *sample);
    if (!sample)
        return;
    *sample = (struct ml_sample_points){.n_input = over ? over->n_child : 0};
    ml_read_scope(r, node, ML_SCOPE_SAMPLE, sample);
    if (!ml_check_from_fit(r, node))
        return;
    const bool has_design = is_design(ml_node_find(node, "design"), sample->design);
    if ((over || !sample->file) && !has_ranges(r, sample, over))
        return;
    struct ml_axis *axis = &spec->runs.axes[spec->runs.n_axis++];
    *axis =
        (struct ml_axis){.sample = sample,
                         .name = ml_pool_text(spec->pool, ML_SAMPLE_AXIS, strlen(ML_SAMPLE_AXIS)),
                         .kind = ML_AXIS_EACH,
                         .count = sample->n_point};
    spec->runs.sample = sample;
    if (has_design)
        check_keys(r, node);
    if (sample->file) {
        read_points_file(r, node, axis);
        return;
    }
    const int before = r->problems.count;
    int i = 0, n_key = 0;
    bool knows_all = true;
    for (const struct ml_node *child = over->first; child; child = child->next, i++) {
        const struct ml_swept *swept = read_sample_range(r, child, NULL, &n_key);
        if (swept)
            append(r, axis, swept, n_key, i);
        knows_all &= swept && swept->path;
    }
    const struct ml_node *correlation = ml_node_find_kind(node, "correlation", ML_NODE_LIST);
    if (!has_design)
        return;
    ml_read_sample_groups(r, over);
    if (!isnan(sample->energy_shell)) {
        if (r->problems.count == before)
            ml_read_shell(r, node, axis);
        return;
    }
    if (correlation && knows_all)
        read_correlation(r, correlation, over->n_child);
    settle(r, node, axis);
}
