/* Derivatives by inputs are sums over the keys that an input moves. Their output is found by its
 * name: NAME_sensitivity has the derivatives of NAME, and sensitivity [output, parameter] those of
 * its outputs, of which `angle.upper` is end_angle.upper. */
#include "cli/derivatives.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/messages.h"

enum { PATH = 512, MOST_SHOWN = 8 /* eigenvalues, and entries of a direction */ };

/* A number of an attribute of an input's column; NaN: no such attribute, or number i. */
static double derivatives_number(const struct sample *s, const char *key, const char *name,
                                 int64_t i)
{
    char path[PATH];
    (void)snprintf(path, sizeof path, "runs/%s", key);
    const char *text = sample_attribute(s, path, name, i);
    return text ? strtod(text, NULL) : (double)NAN;
}

static const char *derivatives_text(const struct sample *s, const char *key, const char *name)
{
    char path[PATH];
    (void)snprintf(path, sizeof path, "runs/%s", key);
    return sample_attribute(s, path, name, 0);
}

/* The numbers of a list, to be freed; NULL without any. */
static double *derivatives_list(const struct sample *s, const char *key, const char *name,
                                int64_t *n)
{
    double *list = NULL;
    for (*n = 0;; (*n)++) {
        const double value = derivatives_number(s, key, name, *n);
        double *longer = isnan(value) ? NULL : realloc(list, ((size_t)*n + 1) * sizeof *list);
        if (!longer)
            return list;
        list = longer;
        list[*n] = value;
    }
}

/* The Poincare constant of an input's column, or of its logarithm. Of correlated inputs none: total
 * indices are those of independent inputs. */
static double find_constant(const struct sample *s, const char *key, int *is_log)
{
    const char *scale = derivatives_text(s, key, "distribution_scale");
    const char *kind = derivatives_text(s, key, "distribution");
    int64_t n_weight;
    struct ml_input_distribution d = {.size = sizeof d,
                                      .kind = kind ? kind : "",
                                      .is_log = scale && strcmp(scale, "log") == 0,
                                      .from = derivatives_number(s, key, "distribution_from", 0),
                                      .to = derivatives_number(s, key, "distribution_to", 0),
                                      .mean = derivatives_number(s, key, "distribution_mean", 0),
                                      .sd = derivatives_number(s, key, "distribution_sd", 0),
                                      .mode = derivatives_number(s, key, "distribution_mode", 0),
                                      .alpha = derivatives_number(s, key, "distribution_alpha", 0),
                                      .beta = derivatives_number(s, key, "distribution_beta", 0)};
    const double factor = derivatives_number(s, key, "distribution_multiplies", 0);
    double *values = derivatives_list(s, key, "distribution_values", &d.n_value);
    double *weights = derivatives_list(s, key, "distribution_weights", &n_weight);
    d.values = values;
    d.weights = weights;
    *is_log = d.is_log || strcmp(d.kind, "lognormal") == 0;
    double constant = ml_poincare_constant(&d);
    if (!*is_log && !isnan(factor))
        constant *= factor * factor;
    const char *correlated;
    for (int64_t i = 0; (correlated = sample_correlated(s, i)) != NULL; i++)
        if (strcmp(correlated, key) == 0)
            constant = (double)NAN;
    free(values);
    free(weights);
    return constant;
}

/* The parameter of a name; -1. */
static int find_parameter(const struct derivatives *d, const char *name)
{
    const struct sample *s = d->sample;
    const char *text = NULL;
    for (int k = 0; k < d->n_parameter; k++)
        if (ml_result_text(s->result, "summary/parameter", k, &text, s->err) == ML_OK &&
            strcmp(text, name) == 0)
            return k;
    return -1;
}

/* How much each parameter moves per unit of an input: keys that the input moves are its own column
 * and those whose `distribution_of` is the input. False if a key has no derivative. */
static bool find_ratios(const struct derivatives *d, const char *input, double *ratios)
{
    const struct sample *s = d->sample;
    const double own = derivatives_number(s, input, "distribution_multiplies", 0);
    struct ml_array_info info = {.size = sizeof info};
    bool has_all = true;
    for (int i = 0; has_all && ml_result_dataset(s->result, i, &info); i++) {
        const char *name = ml_result_name(&info);
        if (strncmp(info.name, "runs/", 5) != 0)
            continue;
        const char *of = derivatives_text(s, name, "distribution_of");
        if (strcmp(name, input) != 0 && !(of && strcmp(of, input) == 0))
            continue;
        const int parameter = find_parameter(d, name);
        const double factor = derivatives_number(s, name, "distribution_multiplies", 0);
        has_all = parameter >= 0;
        if (has_all)
            ratios[parameter] = isnan(factor) ? 1.0 : factor / own;
    }
    return has_all;
}

static void derivatives_take(struct derivatives *d)
{
    const size_t n = (size_t)d->sample->n_input, n_run = (size_t)d->sample->n_run;
    d->inputs = take(n, sizeof *d->inputs);
    d->ratios = take(n * (size_t)d->n_parameter, sizeof *d->ratios);
    d->constants = take(n, sizeof *d->constants);
    d->is_log = take(n, sizeof *d->is_log);
    d->x = take(n * n_run, sizeof *d->x);
    d->gradients = take(n * n_run, sizeof *d->gradients);
    d->room = take((size_t)d->n_parameter * n_run, sizeof *d->room);
    d->vectors = take(n * n, sizeof *d->vectors);
    d->found = take(n * ML_INDEX_KINDS, sizeof *d->found);
}

static enum ml_status derivatives_input(struct derivatives *d, const char *input)
{
    const struct sample *s = d->sample;
    const int64_t start = 0;
    char path[PATH];
    double *ratios = d->ratios + (ptrdiff_t)d->n * d->n_parameter;
    memset(ratios, 0, (size_t)d->n_parameter * sizeof *ratios);
    if (!find_ratios(d, input, ratios))
        return s->err->status;
    d->inputs[d->n] = input;
    d->constants[d->n] = find_constant(s, input, &d->is_log[d->n]);
    (void)snprintf(path, sizeof path, "runs/%s", input);
    return ml_result_read(s->result, path, &start, &s->n_run, d->x + d->n++ * s->n_run,
                          (size_t)s->n_run, s->err);
}

enum ml_status derivatives_open(struct derivatives *d, struct sample *sample)
{
    const struct ml_index_points *all = sample_points(sample);
    struct ml_array_info info = {.size = sizeof info};
    enum ml_status status = ML_OK;
    d->sample = sample;
    d->first_without = -1;
    if ((all->design != ML_INDEX_POINTS && all->design != ML_INDEX_SALTELLI) ||
        !ml_result_find(sample->result, "summary/parameter", &info) || info.rank != 1)
        return ML_OK;
    d->n_parameter = (int)info.shape[0];
    derivatives_take(d);
    for (int i = 0; i < sample->n_input && status == ML_OK; i++) {
        const int n = d->n;
        status = derivatives_input(d, sample->inputs[i]);
        if (d->n == n && d->first_without < 0)
            d->first_without = i;
    }
    return status;
}

void derivatives_free(struct derivatives *d)
{
    free(d->inputs);
    free(d->ratios);
    free(d->constants);
    free(d->is_log);
    free(d->x);
    free(d->gradients);
    free(d->room);
    free(d->vectors);
    free(d->found);
}

/* Output k of summary/sensitivity has the name, or the name behind "end_"; -1. */
static int64_t derivatives_output(const struct derivatives *d, const struct ml_array_info *of,
                                  const char *name)
{
    const struct sample *s = d->sample;
    const char *label = NULL;
    for (int64_t k = 0; k < of->shape[s->n_run_dim]; k++)
        if (ml_result_text(s->result, "summary/output", k, &label, s->err) == ML_OK &&
            (strcmp(label, name) == 0 ||
             (strncmp(name, "end_", 4) == 0 && strcmp(label, name + 4) == 0)))
            return k;
    return -1;
}

/* The dataset of derivatives of a component, and its component there; false without. */
static bool derivatives_dataset(const struct derivatives *d, const struct ml_array_info *info,
                                const char *name, struct ml_array_info *of, int64_t *k)
{
    const struct sample *s = d->sample;
    char path[PATH];
    (void)snprintf(path, sizeof path, "%s_sensitivity", info->name);
    if (ml_result_find(s->result, path, of) && of->rank == info->rank + 1 &&
        strcmp(of->dim[of->rank - 1], "parameter") == 0)
        return true;
    if (!ml_result_find(s->result, "summary/sensitivity", of) || of->rank != s->n_run_dim + 2)
        return false;
    *k = derivatives_output(d, of, name);
    return *k >= 0;
}

enum ml_status derivatives_read(struct derivatives *d, const struct ml_array_info *info, int64_t k,
                                const char *name, const int64_t *start, bool *has)
{
    const struct sample *s = d->sample;
    struct ml_array_info of = {.size = sizeof of};
    int64_t first[ML_ARRAY_MAX_RANK] = {0}, count[ML_ARRAY_MAX_RANK];
    *has = d->n > 0 && derivatives_dataset(d, info, name, &of, &k);
    if (!*has)
        return s->err->status;
    for (int dim = of.rank - 1; dim >= 0; dim--) {
        const bool is_own = dim >= s->n_run_dim && dim < of.rank - 1;
        first[dim] = dim < s->n_run_dim ? start[dim] : is_own ? k % of.shape[dim] : 0;
        count[dim] = dim == s->n_run_dim - 1 ? s->n_run : dim == of.rank - 1 ? of.shape[dim] : 1;
        k /= is_own ? of.shape[dim] : 1;
    }
    const enum ml_status status = ml_result_read(s->result, of.name, first, count, d->room,
                                                 (size_t)(s->n_run * d->n_parameter), s->err);
    for (int i = 0; i < d->n && status == ML_OK; i++)
        for (int64_t r = 0; r < s->n_run; r++) {
            double sum = 0.0;
            for (int p = 0; p < d->n_parameter; p++)
                if (d->ratios[i * d->n_parameter + p] != 0.0)
                    sum += d->ratios[i * d->n_parameter + p] * d->room[r * d->n_parameter + p];
            d->gradients[i * s->n_run + r] = sum;
        }
    return status;
}

struct indices derivatives_indices(struct derivatives *d, const struct ml_index_points *part,
                                   const char *name, const double *y)
{
    struct indices found = {.points = &d->points, .inputs = d->inputs, .name = name};
    for (int k = 0; k < ML_INDEX_KINDS; k++)
        found.table.kinds[k] = d->found + (ptrdiff_t)k * d->n;
    d->points = *part;
    d->points.design = ML_INDEX_DERIVATIVES;
    d->points.estimator = ML_ESTIMATOR_DERIVATIVES;
    d->points.n_input = d->n;
    d->points.has_second = 0;
    d->measures = (struct ml_derivative_measures){.size = sizeof d->measures,
                                                  .bound = found.table.kinds[0],
                                                  .activity = found.table.kinds[1],
                                                  .nu = found.table.kinds[2],
                                                  .eigenvalues = found.table.kinds[3],
                                                  .eigenvectors = d->vectors};
    const struct ml_derivative_runs runs = {.size = sizeof runs,
                                            .n_input = d->n,
                                            .n_row = (int)part->n_row,
                                            .n_point = part->n,
                                            .stride = d->sample->n_run,
                                            .x = d->x,
                                            .derivatives = d->gradients,
                                            .y = y,
                                            .constants = d->constants,
                                            .is_log = d->is_log};
    found.table.is_found = ml_derivative_measures_find(&runs, ML_INDEX_RESAMPLES, &d->measures);
    if (found.table.is_found == ML_INDEX_NO_MEMORY)
        (void)need(NULL);
    found.table.n = part->n_run;
    found.table.n_complete = d->measures.n_complete;
    return found;
}

/* The entries of an eigenvector, the largest first. */
static void print_direction(const struct derivatives *d, int k)
{
    const double *entries = d->vectors + (ptrdiff_t)k * d->n;
    double before = (double)INFINITY;
    int last = -1;
    printf("  direction %d:", k + 1);
    for (int shown = 0; shown < d->n && shown < MOST_SHOWN; shown++) {
        int next = -1;
        for (int i = 0; i < d->n; i++) {
            const double size = fabs(entries[i]);
            const bool is_left = size < before || (size == before && i > last);
            if (is_left && (next < 0 || size > fabs(entries[next])))
                next = i;
        }
        if (next < 0 || fabs(entries[next]) < 0.05)
            break;
        printf("%s%.2f %s",
               shown == 0            ? " "
               : entries[next] < 0.0 ? " - "
                                     : " + ",
               shown == 0 ? entries[next] : fabs(entries[next]), d->inputs[next]);
        before = fabs(entries[next]);
        last = next;
    }
    printf("\n");
}

static void print_eigenvalues(const struct derivatives *d, const struct ml_index *eigenvalues)
{
    printf("  eigenvalues");
    for (int k = 0; k < d->n && k < MOST_SHOWN; k++)
        printf("%s %.3g +- %.2g", k > 0 ? "," : "", eigenvalues[k].value, eigenvalues[k].half);
    printf("%s of the variance\n", d->n > MOST_SHOWN ? ", .." : "");
}

/* Columns and inputs that the table lacks, and why. */
static void print_missing(const struct derivatives *d)
{
    const int n_without = d->sample->n_input - d->n;
    bool has_all = true;
    for (int i = 0; i < d->n; i++)
        has_all &= !isnan(d->constants[i]);
    if (!has_all)
        printf("  no bound: of inputs that are correlated, discrete, of a table with a gap or of a "
               "file\n");
    if (n_without > 0)
        printf(
            "  no derivatives by %s%s: add %s to `analyse: {sensitivity: {to: ..}}`, with all keys "
            "that move together\n",
            d->sample->inputs[d->first_without], n_without > 1 ? " and others" : "",
            n_without > 1 ? "these" : "this input");
}

void derivatives_print_directions(const struct derivatives *d, const struct indices *found)
{
    const struct ml_index *eigenvalues = found->table.kinds[3];
    const int dimension = d->measures.dimension;
    double active = 0.0, all = 0.0;
    if (!found->table.is_found)
        return;
    print_missing(d);
    if (dimension == 0)
        return;
    print_eigenvalues(d, eigenvalues);
    if (dimension == d->n)
        return;
    for (int k = 0; k < d->n; k++) {
        active += k < dimension ? eigenvalues[k].value : 0.0;
        all += eigenvalues[k].value;
    }
    const struct ml_index *last = &eigenvalues[dimension - 1], *next = last + 1;
    const bool is_clear = last->value - last->half > next->value + next->half;
    printf("  largest gap behind eigenvalue %d%s: %d direction%s of the inputs, in their standard "
           "deviations, %s %.3g %% of the mean square of the derivatives\n",
           dimension, is_clear ? "" : ", where intervals overlap", dimension,
           dimension > 1 ? "s" : "", dimension > 1 ? "have" : "has", 100.0 * active / all);
    for (int k = 0; k < dimension && k < MOST_SHOWN; k++)
        print_direction(d, k);
}
