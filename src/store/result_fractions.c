/* Parts of the runs of a sample in categories, at each point of the other axes: how runs ended, and
 * the labels of attractors. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plan/requirements.h"
#include "statistics/proportion.h"
#include "store/result.h"
#include "store/sample_statistics.h"

enum {
    AT_ONCE = 1 << 15,     /* runs whose labels are read together */
    MOST_COUNTS = 1 << 22, /* labels at all points; of more the result has no parts */
    NO_CATEGORY = -1
};

/* Numbers of runs in categories. */
struct fractions {
    struct ml_result_file *result;
    enum ml_dataset scale;    /* of the categories */
    const char *scale_name;   /* of labels; else NULL */
    const char *const *names; /* [n] of the categories; NULL: 0, 1, .. */
    int64_t n_cell;
    int n;              /* categories */
    int left_out;       /* a category that no part is of, nor with; or NO_CATEGORY */
    const double *runs; /* [n_cell][n]; NULL in a sketch */
    const double *of;   /* [n_cell] runs that parts are of; NULL: those in all categories */
};

/* The datasets of the numbers of runs, of their parts, and before each the scales that are not
 * there; NAME of labels. */
static void fractions_write(const struct fractions *f, hid_t group, enum ml_dataset dataset,
                            const char *name, const double *values)
{
    const struct ml_result_dim dims[] = {
        {f->scale, f->n, f->names, f->scale_name},
        {ML_DATA_ESTIMATE, ML_N_SAMPLE_ESTIMATE, ml_sample_estimates},
        {ML_DATA_NONE}};
    const struct ml_result_group to = {f->result, group, dims};
    const struct ml_result_item item = {.name = name};
    ml_result_write_scales(&to, dataset);
    ml_result_write_dataset(&to, dataset, name ? &item : NULL, values);
}

/* Parts with their intervals at one point. */
static void fractions_find(const struct fractions *f, int64_t cell, double *to)
{
    const double *runs = f->runs + cell * f->n;
    double n = f->of ? f->of[cell] : 0.0;
    for (int k = 0; k < f->n && !f->of; k++)
        n += k == f->left_out ? 0.0 : runs[k];
    for (int k = 0; k < f->n; k++) {
        const struct ml_proportion part =
            ml_proportion_find((int64_t)runs[k], k == f->left_out ? 0 : (int64_t)n);
        *to++ = part.value;
        *to++ = part.low;
        *to++ = part.high;
    }
}

static void fractions_write_parts(const struct fractions *f, hid_t group, enum ml_dataset dataset,
                                  const char *name)
{
    struct ml_result_file *result = f->result;
    const size_t n = (size_t)f->n_cell * (size_t)f->n;
    double *parts = ml_pool_take(&result->pool, n * ML_N_SAMPLE_ESTIMATE, sizeof *parts);
    if (!ml_h5_need(&result->h5, parts))
        return;
    for (int64_t c = 0; f->runs && c < f->n_cell; c++)
        fractions_find(f, c, parts + c * f->n * ML_N_SAMPLE_ESTIMATE);
    fractions_write(f, group, dataset, name, parts);
}

void ml_result_write_outcome_parts(struct ml_result_file *result, hid_t statistics,
                                   const struct ml_sample_statistics *found)
{
    static const char *const names[] = {
#define X(code, value, name, text) name,
        ML_OUTCOME_LIST(X)
#undef X
    };
    const size_t n = (size_t)found->n_cell * ML_N_OUTCOME;
    double *runs = ml_pool_take(&result->pool, n, sizeof *runs);
    if (!ml_h5_need(&result->h5, runs))
        return;
    for (int64_t cell = 0; found->outcomes && cell < found->n_cell; cell++)
        for (int k = 0; k < ML_N_OUTCOME; k++)
            runs[cell * ML_N_OUTCOME + k] = (double)found->outcomes[cell][k];
    const struct fractions f = {.result = result,
                                .scale = ML_DATA_STATISTICS_OUTCOME,
                                .names = names,
                                .n_cell = found->n_cell,
                                .n = ML_N_OUTCOME,
                                .left_out = ML_MISSING,
                                .runs = runs};
    fractions_write(&f, statistics, ML_DATA_OUTCOME_RUNS, NULL, runs);
    fractions_write_parts(&f, statistics, ML_DATA_OUTCOME_FRACTION, NULL);
}

/* Runs at each point that are not missing; NULL in a sketch or without memory. */
static double *requirements_count(struct ml_result_file *result,
                                  const struct ml_sample_statistics *found)
{
    double *of = ml_pool_take(&result->pool, (size_t)found->n_cell, sizeof *of);
    for (int64_t c = 0; of && found->outcomes && c < found->n_cell; c++)
        for (int k = 0; k < ML_N_OUTCOME; k++)
            of[c] += k == ML_MISSING ? 0.0 : (double)found->outcomes[c][k];
    return of;
}

void ml_result_write_requirement_parts(struct ml_result_file *result, hid_t statistics,
                                       const struct ml_sample_statistics *found)
{
    const struct ml_study_spec *spec = &result->layout->study->spec;
    const int n = spec->indicators.n_requirement;
    if (n == 0)
        return;
    const char **names = ml_pool_take(&result->pool, (size_t)n + 1, sizeof *names);
    const double *of = requirements_count(result, found);
    for (int i = 0; names && i < n; i++)
        names[i] = ml_requirement_text(&spec->indicators.requirements[i], &result->pool);
    if (!ml_h5_need(&result->h5, names && of && !result->pool.is_short))
        return;
    names[n] = "all";
    const struct fractions f = {.result = result,
                                .scale = ML_DATA_REQUIREMENT,
                                .names = names,
                                .n_cell = found->n_cell,
                                .n = n + 1,
                                .left_out = NO_CATEGORY,
                                .runs = found->met,
                                .of = of};
    fractions_write(&f, statistics, ML_DATA_REQUIREMENT_RUNS, NULL, found->met);
    fractions_write_parts(&f, statistics, ML_DATA_REQUIREMENT_FRACTION, NULL);
}

/* Labels of all runs that count, else -1; NULL after a failure. */
static int32_t *labels_read(struct ml_result_file *result, int output, int32_t *most)
{
    struct ml_h5 *h5 = &result->h5;
    const struct ml_layout *layout = result->layout;
    const struct ml_extent extent = ml_layout_output(layout, output);
    const struct ml_extent all = {.rank = 1, .size = {(unsigned long long)layout->n_run}};
    const int64_t n_point = ml_study_spec_sample(&layout->study->spec)->count;
    int32_t *labels = calloc((size_t)layout->n_run + 1, sizeof *labels);
    double *values = malloc(AT_ONCE * sizeof *values);
    int8_t *outcomes = malloc(AT_ONCE);
    *most = 0;
    const bool has_room = labels && values && outcomes;
    ml_h5_need(h5, has_room);
    for (int64_t first = 0, n; has_room && first < layout->n_run && h5->status == ML_OK;
         first += n) {
        n = layout->n_run - first < AT_ONCE ? layout->n_run - first : AT_ONCE;
        ml_h5_read_range(h5, result->summary[output], &extent, H5T_NATIVE_DOUBLE,
                         (unsigned long long)first, (unsigned long long)n, values);
        ml_h5_read_range(h5, result->outcome, &all, H5T_NATIVE_INT8, (unsigned long long)first,
                         (unsigned long long)n, outcomes);
        for (int64_t i = 0; i < n && h5->status == ML_OK; i++) {
            const bool counts = ml_described_run(layout, (first + i) % n_point) &&
                                ml_outcome_is_sound(outcomes[i]) && values[i] >= 0.0 &&
                                values[i] < MOST_COUNTS;
            labels[first + i] = counts ? (int32_t)values[i] : NO_CATEGORY;
            *most = labels[first + i] > *most ? labels[first + i] : *most;
        }
    }
    free(values);
    free(outcomes);
    if (h5->status == ML_OK)
        return labels;
    free(labels);
    return NULL;
}

/* How many runs have each label, from 0 on. */
static bool labels_count(struct fractions *f, int output)
{
    struct ml_result_file *result = f->result;
    const int64_t n_run = result->layout->n_run;
    int32_t most = 0, *labels = labels_read(result, output, &most);
    f->n = most + 1;
    double *runs = labels && f->n <= MOST_COUNTS / f->n_cell
                       ? ml_pool_take(&result->pool, (size_t)f->n_cell * (size_t)f->n, sizeof *runs)
                       : NULL;
    ml_h5_need(&result->h5, !result->pool.is_short);
    for (int64_t i = 0; runs && i < n_run; i++)
        if (labels[i] >= 0)
            runs[i / (n_run / f->n_cell) * f->n + labels[i]]++;
    free(labels);
    f->runs = runs;
    return runs != NULL;
}

/* A table of all outputs that are labels: the numbers of runs, or their parts. */
static void labels_write(struct ml_result_file *result, hid_t statistics,
                         const struct fractions *all, enum ml_dataset dataset)
{
    const hid_t group = ml_result_begin_group(result, statistics, dataset);
    ml_result_grid_scales(result, group);
    if (dataset == ML_DATA_LABEL_FRACTION)
        ml_result_write_scale(result, group, ML_DATA_ESTIMATE, ML_N_SAMPLE_ESTIMATE,
                              ml_sample_estimates);
    for (int i = 0; i < result->layout->results.n_output && result->h5.status == ML_OK; i++) {
        const char *name = result->layout->results.outputs[i].name;
        if (all[i].runs && dataset == ML_DATA_LABEL_FRACTION)
            fractions_write_parts(&all[i], group, dataset, name);
        else if (all[i].runs)
            fractions_write(&all[i], group, dataset, name, all[i].runs);
    }
    (void)H5Gclose(group);
}

void ml_result_write_label_parts(struct ml_result_file *result, hid_t statistics, int64_t n_cell)
{
    const struct ml_ensemble *e = &result->layout->study->ensemble;
    const int n_output = result->layout->results.n_output;
    struct fractions *all = ml_pool_take(&result->pool, (size_t)n_output, sizeof *all);
    int n = 0;
    for (int i = 0; all && i < n_output && !result->h5.is_sketch; i++) {
        const char *name = result->layout->results.outputs[i].name;
        if (!ml_event_is_label(e->n_event, e->events, name))
            continue;
        all[i] = (struct fractions){.result = result,
                                    .scale = ML_DATA_LABEL,
                                    .scale_name = ml_pool_format(&result->pool, "%s_label", name),
                                    .n_cell = n_cell,
                                    .left_out = NO_CATEGORY};
        n += labels_count(&all[i], i);
    }
    ml_h5_need(&result->h5, !result->pool.is_short);
    for (int table = 0; table < 2 && n > 0 && result->h5.status == ML_OK; table++)
        labels_write(result, statistics, all,
                     table == 0 ? ML_DATA_LABEL_RUNS : ML_DATA_LABEL_FRACTION);
}

void ml_result_name_left_out(struct ml_result_file *result, hid_t group, int64_t n_cell,
                             const int64_t (*outcomes)[ML_N_OUTCOME])
{
    struct ml_pool *pool = &result->pool;
    const char *list = "";
    int64_t all = 0, n_out = 0;
    for (int k = 0; k < ML_N_OUTCOME; k++) {
        int64_t n = 0;
        for (int64_t c = 0; outcomes && c < n_cell; c++)
            n += outcomes[c][k];
        all += n;
        if (n == 0 || ml_outcome_is_sound(k) || !list)
            continue;
        n_out += n;
        list = ml_pool_format(pool, "%s%s %lld %s", list, *list ? "," : "", (long long)n,
                              ml_outcome_name(k));
    }
    const char *text = list ? ml_pool_format(pool, "%lld of %lld runs%s%s", (long long)n_out,
                                             (long long)all, *list ? ":" : "", list)
                            : NULL;
    ml_h5_need(&result->h5, text);
    ml_h5_text_attribute(&result->h5, group, "left_out", text);
    if (result->tally.count[ML_MISSING].runs > 0)
        ml_h5_text_attribute(&result->h5, group, "missing", result->missing);
}
