/* The key `from_fit` of a sample: the estimates of a finished fit as its ranges. Before anything is
 * read they are written as keys of the same meaning, normal numbers with the covariance of the
 * estimates:
 *
 *   sample: {from_fit: pendulum_fit.h5, method: sobol, count: 1000}
 *
 *   sample: {method: sobol, count: 1000, correlation: [{between: [a, b], r: 0.3}],
 *            over: [{set: a, distribution: normal, mean: 1.1, sd: 0.02}, ...]}
 *
 * A number that the fit has varied by its logarithm is lognormal: the logarithm has the mean
 * log(estimate) and the deviation sd / estimate. */
#include <errno.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "base/open.h"
#include "config/points/points_file.h"
#include "config/schema/lay_out.h"
#include "config/schema/slots.h"
#include "config/sections/sections.h"
#include "h5/h5.h"
#include "yaml/number.h"

#define FACTOR "factor of "

/* Estimates of a file. */
struct fitted {
    struct ml_reader *r;
    const struct ml_node *place; /* of the file's name in the study */
    int n;
    const char **names, **keys, **scales; /* [n] keys: "a, b"; "" of a number of an experiment */
    double *estimate, *covariance;        /* [n], [n][n] */
    bool *is_kept;                        /* [n] */
};

/* Copies texts that are n by number, and frees the texts; NULL where these are not so many. */
static const char **fitted_keep(struct fitted *f, unsigned long long n, char **texts)
{
    const char **kept = ml_pool_take(f->r->pool, (size_t)f->n + 1, sizeof *kept);
    for (int i = 0; kept && texts && n == (unsigned long long)f->n && i < f->n; i++)
        kept[i] = ml_pool_text(f->r->pool, texts[i], strlen(texts[i]));
    ml_h5_free_texts(n, texts);
    return texts && n == (unsigned long long)f->n ? kept : NULL;
}

/* Texts of each number: an attribute. */
static const char **fitted_attribute(struct fitted *f, struct ml_h5 *h5, hid_t group,
                                     const char *name)
{
    unsigned long long n = 0;
    char **texts = ml_h5_find_texts(h5, group, name, &n);
    return fitted_keep(f, n, texts);
}

/* Numbers of a dataset with `rank` dimensions of n; NULL without such a dataset. */
static double *fitted_numbers(struct fitted *f, struct ml_h5 *h5, hid_t group, const char *name,
                              int rank)
{
    const unsigned long long n = (unsigned long long)f->n;
    const struct ml_extent extent = {.rank = rank, .size = {n, n}};
    const hid_t id = ml_h5_find_dataset(h5, group, name);
    const size_t size = (size_t)(rank > 1 ? n * n : n);
    double *numbers = ml_pool_take(f->r->pool, size, sizeof *numbers);
    if (id >= 0 && numbers)
        ml_h5_read_range(h5, id, &extent, H5T_NATIVE_DOUBLE, 0, size, numbers);
    return id >= 0 && h5->status == ML_OK ? numbers : NULL;
}

/* Reads all that is there; without `names` or `estimate` the file has no fit. */
static void fitted_read_group(struct fitted *f, struct ml_h5 *h5, hid_t group)
{
    const hid_t id = ml_h5_find_dataset(h5, group, "parameter");
    const struct ml_extent extent = id >= 0 ? ml_h5_extent(h5, id) : (struct ml_extent){0};
    if (extent.rank != 1 || extent.size[0] == 0 || extent.size[0] > ML_FIT_RANGES ||
        !ml_h5_is_text(id))
        return;
    f->n = (int)extent.size[0];
    f->names = fitted_keep(f, extent.size[0], ml_h5_read_texts(h5, id, extent.size[0]));
    f->keys = fitted_attribute(f, h5, group, "parameter_keys");
    f->scales = fitted_attribute(f, h5, group, "parameter_scales");
    f->estimate = fitted_numbers(f, h5, group, "estimate", 1);
    f->covariance = fitted_numbers(f, h5, group, "covariance", 2);
    f->is_kept = ml_pool_take(f->r->pool, (size_t)f->n, sizeof *f->is_kept);
}

/* False after a problem. */
static bool fitted_read(struct fitted *f, const char *path)
{
    struct ml_error err = {0};
    struct ml_h5 h5;
    const struct ml_location location = f->place->location;
    if (access(path, R_OK) != 0) {
        ml_problem(&f->r->problems, location, "cannot read the fit: %s", ml_open_reason(errno));
        return false;
    }
    if (ml_h5_is_hdf5(path)) {
        ml_h5_begin(&h5, path, &err);
        const hid_t file = ml_h5_open(&h5);
        const hid_t group = h5.status == ML_OK ? ml_h5_find_group(&h5, file, "study/fit") : -1;
        if (group >= 0)
            fitted_read_group(f, &h5, group);
        if (!ml_points_end_h5(f->r, location, "the fit", &h5, file))
            return false;
    }
    if (!f->names || !f->estimate)
        ml_problem(&f->r->problems, location,
                   "%s is no result of a fit; give a file that `manylink fit` has written, such as "
                   "STUDY_fit.h5",
                   ml_quote(f->r->pool, f->place->text));
    else if (!f->covariance || !f->keys || !f->scales)
        ml_problem(&f->r->problems, location,
                   "the fit %s lacks %s; fit again with this version of manylink",
                   ml_quote(f->r->pool, f->place->text),
                   f->covariance ? "the keys of its numbers" : "the covariance of its estimates");
    else
        return f->is_kept != NULL;
    return false;
}

/* Chooses the numbers: all but those of experiments, and those that `leave_out` names. */
static bool fitted_choose(struct fitted *f, const struct ml_node *leave_out)
{
    int n = 0;
    for (int i = 0; i < f->n; i++)
        f->is_kept[i] = *f->keys[i] != '\0';
    for (const struct ml_node *node = leave_out ? leave_out->first : NULL; node;
         node = node->next) {
        int i = 0;
        while (i < f->n && !(node->kind == ML_NODE_SCALAR && strcmp(f->names[i], node->text) == 0))
            i++;
        if (i == f->n) {
            ml_problem(&f->r->problems, node->location,
                       "leave_out has a name that the fit %s lacks; it has `%s`%s",
                       ml_quote(f->r->pool, f->place->text), f->names[0], f->n > 1 ? ", ..." : "");
            return false;
        }
        f->is_kept[i] = false;
    }
    for (int i = 0; i < f->n; i++)
        n += f->is_kept[i];
    if (n == 0)
        ml_problem(&f->r->problems, f->place->location,
                   "no number of the fit %s is left: those of experiments and of `leave_out` do "
                   "not count; leave `from_fit` out",
                   ml_quote(f->r->pool, f->place->text));
    return n > 0;
}

/* Correlation of numbers i and j. */
static double fitted_correlation(const struct fitted *f, int i, int j)
{
    const double *c = f->covariance;
    return c[i * f->n + j] / (sqrt(c[i * f->n + i]) * sqrt(c[j * f->n + j]));
}

/* Whether the kept numbers have errors, and numbers can be drawn from these. */
static bool fitted_check(struct fitted *f)
{
    const size_t size = (size_t)f->n * (size_t)f->n;
    struct ml_correlation c = {f->n, ml_pool_take(f->r->pool, size, sizeof(double)),
                               ml_pool_take(f->r->pool, size, sizeof(double))};
    if (!c.matrix || !c.factor)
        return false;
    for (int i = 0; i < f->n; i++) {
        const double variance = f->covariance[i * f->n + i];
        if (f->is_kept[i] && !(variance > 0.0 && isfinite(variance))) {
            ml_problem(&f->r->problems, f->place->location,
                       "`%s` has no error in the fit %s, as a number at its bound has none; name "
                       "it in `leave_out`, or fit again with a wider range",
                       f->names[i], ml_quote(f->r->pool, f->place->text));
            return false;
        }
        for (int j = 0; j < f->n; j++)
            c.matrix[i * f->n + j] = i == j                           ? 1.0
                                     : f->is_kept[i] && f->is_kept[j] ? fitted_correlation(f, i, j)
                                                                      : 0.0;
    }
    if (ml_correlation_factorise(&c))
        return true;
    ml_problem(&f->r->problems, f->place->location,
               "cannot draw from the fit %s: a combination of its numbers has next to no error "
               "beside theirs; name one of its numbers in `leave_out`",
               ml_quote(f->r->pool, f->place->text));
    return false;
}

static void fitted_append(struct fitted *f, struct ml_node *map, const char *key, const char *text)
{
    ml_tree_append(map, ml_tree_make(f->r, f->place, ML_NODE_SCALAR, key, text));
}

static void fitted_append_number(struct fitted *f, struct ml_node *map, const char *key,
                                 double value)
{
    char text[ML_NUMBER_TEXT];
    ml_number_text(value, text);
    fitted_append(f, map, key, ml_pool_text(f->r->pool, text, strlen(text)));
}

/* The keys of a number as a list; the first of these. */
static const char *fitted_append_keys(struct fitted *f, struct ml_node *map, int i)
{
    struct ml_node *list = ml_tree_make(f->r, f->place, ML_NODE_LIST, "set", NULL);
    const char *first = NULL;
    for (const char *at = f->keys[i]; list && *at;) {
        const size_t length = strcspn(at, ",");
        const char *key = ml_pool_text(f->r->pool, at, length);
        fitted_append(f, list, NULL, key);
        first = first ? first : key;
        at += length + strspn(at + length, ", ");
    }
    ml_tree_append(map, list);
    return first;
}

/* The range of number i; its first key. */
static const char *fitted_append_range(struct fitted *f, struct ml_node *over, bool is_grouped,
                                       int i)
{
    const double mean = f->estimate[i], sd = sqrt(f->covariance[i * f->n + i]);
    const bool is_log = mean > 0.0 && strcmp(f->scales[i], "log") == 0;
    const double deviation = sd / mean, mean_of_log = mean * exp(0.5 * deviation * deviation);
    struct ml_node *range = ml_tree_make(f->r, f->place, ML_NODE_MAP, NULL, NULL), *map = range;
    if (!range)
        return NULL;
    const char *key = fitted_append_keys(f, range, i);
    if (is_grouped)
        fitted_append(f, range, "group", "from_fit");
    if (strncmp(f->names[i], FACTOR, strlen(FACTOR)) == 0) {
        map = ml_tree_make(f->r, f->place, ML_NODE_MAP, "scale_by", NULL);
        ml_tree_append(range, map);
    }
    if (!map)
        return NULL;
    fitted_append(f, map, "distribution", is_log ? "lognormal" : "normal");
    fitted_append_number(f, map, "mean", is_log ? mean_of_log : mean);
    fitted_append_number(f, map, "sd",
                         is_log ? mean_of_log * sqrt(expm1(deviation * deviation)) : sd);
    ml_tree_append(over, range);
    return key;
}

/* The correlation of the keys of two numbers. */
static void fitted_append_pair(struct fitted *f, struct ml_node *list, const char *a, const char *b,
                               double r)
{
    struct ml_node *pair = ml_tree_make(f->r, f->place, ML_NODE_MAP, NULL, NULL);
    struct ml_node *between = ml_tree_make(f->r, f->place, ML_NODE_LIST, "between", NULL);
    if (!pair || !between)
        return;
    fitted_append(f, between, NULL, a);
    fitted_append(f, between, NULL, b);
    ml_tree_append(pair, between);
    fitted_append_number(f, pair, "r", r);
    ml_tree_append(list, pair);
}

/* Ranges and correlations behind those that the study gives. */
static void fitted_lay_out(struct fitted *f, struct ml_node *sample)
{
    const struct ml_node *design = ml_node_find_kind(sample, "design", ML_NODE_SCALAR);
    const bool is_grouped =
        design && strcmp(design->text, ml_designs[ML_DESIGN_SALTELLI].word) == 0;
    struct ml_node *over = ml_tree_find_or_make(f->r, sample, f->place, ML_NODE_LIST, "over");
    const char **first = ml_pool_take(f->r->pool, (size_t)f->n, sizeof *first);
    for (int i = 0; first && i < f->n; i++) {
        if (!f->is_kept[i])
            continue;
        first[i] = fitted_append_range(f, over, is_grouped, i);
        for (int j = 0; j < i; j++)
            if (f->is_kept[j] && f->covariance[i * f->n + j] != 0.0)
                fitted_append_pair(
                    f, ml_tree_find_or_make(f->r, sample, f->place, ML_NODE_LIST, "correlation"),
                    first[j], first[i], fitted_correlation(f, i, j));
    }
}

void ml_lay_out_from_fit(struct ml_reader *r, struct ml_node *root)
{
    struct ml_node *sample = ml_node_find(root, "sample");
    const struct ml_node *place = ml_node_find_kind(sample, "from_fit", ML_NODE_SCALAR);
    const char *path = place ? ml_read_path(r, place->text) : NULL;
    struct fitted f = {.r = r, .place = place};
    if (!path)
        return;
    if (fitted_read(&f, path) &&
        fitted_choose(&f, ml_node_find_kind(sample, "leave_out", ML_NODE_LIST)) && fitted_check(&f))
        fitted_lay_out(&f, sample);
    else
        ml_node_remove(root, sample); /* its problem is told */
}

bool ml_is_from_fit(const struct ml_node *sample, const struct ml_node *range)
{
    const struct ml_node *place = ml_node_find(sample, "from_fit");
    return place && place->location.option == range->location.option &&
           place->location.line == range->location.line &&
           place->location.column == range->location.column;
}

bool ml_check_from_fit(struct ml_reader *r, const struct ml_node *sample)
{
    static const char *const others[] = {"file", "energy_shell"};
    const struct ml_node *place = ml_node_find(sample, "from_fit"),
                         *leave_out = ml_node_find(sample, "leave_out"),
                         *over = ml_node_find_kind(sample, "over", ML_NODE_LIST),
                         *pairs = ml_node_find_kind(sample, "correlation", ML_NODE_LIST);
    const int before = r->problems.count;
    r->spec->fit.prior_path = place ? ml_read_path(r, place->text) : NULL;
    if (leave_out && !place)
        ml_problem(&r->problems, leave_out->key_location,
                   "leave_out names numbers of a fit; add `from_fit`, or leave `leave_out` out");
    if (place)
        ml_read_excluded(r, sample, "from_fit", others, sizeof others / sizeof *others);
    if (place && pairs && pairs->first && pairs->first->kind == ML_NODE_LIST)
        ml_problem(&r->problems, pairs->location,
                   "a matrix of correlations has no rows for the numbers of the fit; give the "
                   "correlations of other ranges by pairs, {between: [a, b], r: 0.5}");
    for (const struct ml_node *range = place && over ? over->first : NULL; range;
         range = range->next) {
        const struct ml_node *set = ml_node_find_kind(range, "set", ML_NODE_LIST);
        for (const struct ml_node *key = set ? set->first : NULL;
             key && ml_is_from_fit(sample, range); key = key->next)
            if (r->slots && !ml_slot_find(r, key->text))
                ml_problem(&r->problems, place->location,
                           "`%s` of the fit %s is no number of this study; name it in `leave_out`, "
                           "or give the study's system that number",
                           key->text, ml_quote(r->pool, place->text));
    }
    return r->problems.count == before;
}
