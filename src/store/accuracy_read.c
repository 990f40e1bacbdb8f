/* Reads /study/accuracy back, for what is said of a result, for merge and for verify. */
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "store/accuracy_h5.h"

const char *ml_accuracy_group(enum ml_accuracy_values which)
{
    static const char *const names[ML_N_ACCURACY] = {
        [ML_ACCURACY_DIFFERENCE] = "difference",
        [ML_ACCURACY_FINER] = "finer",
        [ML_ACCURACY_FINEST] = "finest",
        [ML_ACCURACY_DISPLACED] = "displaced",
    };
    return names[which];
}

/* A group that is being read. */
struct accuracy_reading {
    struct ml_h5 *h5;
    hid_t group; /* /study/accuracy */
    struct ml_accuracy *out;
};

/* Path of an output below the group. */
static const char *accuracy_path(const struct accuracy_reading *r, enum ml_accuracy_values which,
                                 int output, char path[2 * ML_MAX_OUTPUT_NAME])
{
    (void)snprintf(path, 2 * ML_MAX_OUTPUT_NAME, "%s/%s", ml_accuracy_group(which),
                   r->out->outputs[output].name);
    return path;
}

/* Names of the outputs. */
static void accuracy_read_names(struct accuracy_reading *r)
{
    hid_t id = ml_h5_open_dataset(r->h5, r->group, "quantity");
    const struct ml_extent extent = ml_h5_extent(r->h5, id);
    const unsigned long long n = extent.size[0];
    if (r->h5->status == ML_OK && (extent.rank != 1 || n > ML_MAX_OUTPUT || !ml_h5_is_text(id)))
        ml_h5_refuse(r->h5, id, NULL, "at most %d texts", (int)ML_MAX_OUTPUT);
    char **texts = r->h5->status == ML_OK ? ml_h5_read_texts(r->h5, id, n) : NULL;
    for (unsigned long long o = 0; texts && o < n; o++)
        (void)snprintf(r->out->outputs[o].name, sizeof r->out->outputs[o].name, "%s", texts[o]);
    r->out->n_output = texts ? (int)n : 0;
    ml_h5_free_texts(n, texts);
    (void)H5Oclose(id);
}

/* Unit and rows of an output. */
static void accuracy_read_shape(struct accuracy_reading *r, int output, int n_run)
{
    char path[2 * ML_MAX_OUTPUT_NAME];
    struct ml_accuracy *a = r->out;
    hid_t id =
        ml_h5_open_dataset(r->h5, r->group, accuracy_path(r, ML_ACCURACY_DIFFERENCE, output, path));
    const struct ml_extent extent = ml_h5_extent(r->h5, id);
    unsigned long long rows = 1;
    for (int k = 1; k < extent.rank && rows <= INT_MAX; k++)
        rows *= extent.size[k];
    if (r->h5->status == ML_OK && (extent.rank < 1 || extent.size[0] != (unsigned long long)n_run ||
                                   rows > (unsigned long long)(INT_MAX - a->first[output])))
        ml_h5_refuse(r->h5, id, NULL, "numbers of %d runs", n_run);
    char *unit = ml_h5_find_text(r->h5, id, "units");
    (void)snprintf(a->outputs[output].unit, sizeof a->outputs[output].unit, "%s",
                   unit ? unit : "1");
    a->first[output + 1] = a->first[output] + (r->h5->status == ML_OK ? (int)rows : 0);
    free(unit);
    (void)H5Oclose(id);
}

static int accuracy_read_size(struct accuracy_reading *r)
{
    hid_t id = ml_h5_open_dataset(r->h5, r->group, "run");
    const struct ml_extent extent = ml_h5_extent(r->h5, id);
    if (r->h5->status == ML_OK && (extent.rank != 1 || extent.size[0] > INT_MAX))
        ml_h5_refuse(r->h5, id, NULL, "a list of runs");
    (void)H5Oclose(id);
    return r->h5->status == ML_OK ? (int)extent.size[0] : 0;
}

static void accuracy_read_column(struct accuracy_reading *r, const char *name, hid_t type,
                                 void *values)
{
    const unsigned long long n = (unsigned long long)r->out->n;
    const struct ml_extent extent = {.rank = 1, .size = {n}};
    hid_t id = ml_h5_open_dataset(r->h5, r->group, name);
    ml_h5_read_range(r->h5, id, &extent, type, 0, n, values);
    (void)H5Oclose(id);
}

static void accuracy_read_values(struct accuracy_reading *r, enum ml_accuracy_values which,
                                 int output)
{
    char path[2 * ML_MAX_OUTPUT_NAME];
    const struct ml_accuracy *a = r->out;
    const unsigned long long n =
        (unsigned long long)a->n * (unsigned long long)ml_accuracy_rows(a, output);
    hid_t id = ml_h5_open_dataset(r->h5, r->group, accuracy_path(r, which, output, path));
    const struct ml_extent extent = ml_h5_extent(r->h5, id);
    unsigned long long there = 1;
    for (int k = 0; k < extent.rank && there <= n; k++)
        there *= extent.size[k];
    if (r->h5->status == ML_OK && there != n)
        ml_h5_refuse(r->h5, id, NULL, "%d numbers of %d runs", ml_accuracy_rows(a, output), a->n);
    ml_h5_read_range(r->h5, id, &extent, H5T_NATIVE_DOUBLE, 0, n,
                     ml_accuracy_row(a, which, output, 0));
    (void)H5Oclose(id);
}

/* As they are put: what joins them counts on it. */
static void accuracy_check_runs(const struct accuracy_reading *r)
{
    for (int i = 0; i < r->out->n && r->h5->status == ML_OK; i++)
        if (r->out->runs[i] < 0 || r->out->runs[i] == INT64_MAX ||
            (i > 0 && r->out->runs[i] <= r->out->runs[i - 1]))
            ml_h5_fail(r->h5, ML_E_FILE, "/study/accuracy/run is no ascending list of runs");
}

/* Which runs were computed with the finest step too: their numbers are there. */
static void accuracy_mark_finest(struct ml_accuracy *a)
{
    for (int i = 0; i < a->n; i++)
        for (int o = 0; o < a->n_output; o++)
            for (int k = 0; k < ml_accuracy_rows(a, o); k++)
                if (!isnan(ml_accuracy_row(a, ML_ACCURACY_FINEST, o, i)[k]))
                    a->is_finest[i] = 1;
}

static void accuracy_read_all(struct accuracy_reading *r)
{
    struct ml_accuracy *a = r->out;
    char *compared = ml_h5_find_text(r->h5, r->group, ML_ACCURACY_ATTRIBUTE);
    a->is_adaptive = compared && strcmp(compared, ML_ACCURACY_TOLERANCE) == 0;
    free(compared);
    const int n = accuracy_read_size(r);
    accuracy_read_names(r);
    for (int o = 0; o < a->n_output; o++)
        accuracy_read_shape(r, o, n);
    if (r->h5->status != ML_OK)
        return;
    if (!ml_accuracy_take(a, n)) {
        ml_h5_fail(r->h5, ML_E_MEMORY, "out of memory");
        return;
    }
    accuracy_read_column(r, "run", H5T_NATIVE_INT64, a->runs);
    accuracy_check_runs(r);
    accuracy_read_column(r, "outcome", H5T_NATIVE_INT8, a->outcomes[0]);
    accuracy_read_column(r, "outcome_finer", H5T_NATIVE_INT8, a->outcomes[1]);
    for (int k = 0; k < ML_N_ACCURACY; k++)
        for (int o = 0; o < a->n_output; o++)
            accuracy_read_values(r, (enum ml_accuracy_values)k, o);
    accuracy_mark_finest(a);
}

void ml_accuracy_read(struct ml_h5 *h5, hid_t file, struct ml_accuracy *out)
{
    *out = (struct ml_accuracy){0};
    struct accuracy_reading r = {
        .h5 = h5, .group = ml_h5_find_group(h5, file, "/study/accuracy"), .out = out};
    if (r.group < 0)
        return;
    accuracy_read_all(&r);
    (void)H5Gclose(r.group);
    if (h5->status != ML_OK)
        ml_accuracy_free(out);
}

enum ml_status ml_accuracy_read_file(const char *path, struct ml_accuracy *out,
                                     struct ml_error *err)
{
    struct ml_h5 h5;
    ml_h5_begin(&h5, path, err);
    hid_t file = ml_h5_open(&h5);
    *out = (struct ml_accuracy){0};
    if (h5.status == ML_OK)
        ml_accuracy_read(&h5, file, out);
    ml_h5_close(&h5, file);
    return ml_h5_end(&h5);
}
