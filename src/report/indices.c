/* The sensitivity indices in a result, [output, input], in JSON. */
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "manylink/indices.h"
#include "report/parts.h"

#define GROUP "sensitivity/global/"

enum { MOST_NUMBERS = 100000 }; /* of a column */

static json_t *indices_texts(struct ml_result *result, const char *path, struct ml_error *err)
{
    struct ml_array_info info = {.size = sizeof info};
    json_t *all = json_array();
    const int64_t n = ml_result_find(result, path, &info) ? info.shape[0] : 0;
    for (int64_t i = 0; i < n; i++) {
        const char *text = NULL;
        (void)ml_result_text(result, path, i, &text, err);
        (void)json_array_append_new(all, json_string(text ? text : ""));
    }
    return all;
}

/* The numbers of a column along outputs and inputs; NULL: the result has no such column. */
static json_t *indices_numbers(struct ml_result *result, const char *name, const char *end,
                               struct ml_error *err)
{
    struct ml_array_info info = {.size = sizeof info};
    char path[64];
    (void)snprintf(path, sizeof path, GROUP "%s%s", name, end);
    if (!ml_result_find(result, path, &info) || info.rank != 2 ||
        strcmp(info.dim[0], "output") != 0 || strcmp(info.dim[1], "input") != 0)
        return NULL;
    const int64_t n = info.shape[0] * info.shape[1];
    double *values = n <= MOST_NUMBERS ? malloc((size_t)n * sizeof *values + 1) : NULL;
    json_t *all = NULL;
    if (values && ml_result_read(result, path, NULL, NULL, values, (size_t)n, err) == ML_OK) {
        all = json_array();
        for (int64_t i = 0; i < n; i++)
            (void)json_array_append_new(all,
                                        isfinite(values[i]) ? json_real(values[i]) : json_null());
    }
    free(values);
    return all;
}

static void indices_add_kind(struct ml_result *result, const struct ml_index_kind *kind, json_t *to,
                             struct ml_error *err)
{
    json_t *values = kind->name ? indices_numbers(result, kind->name, "", err) : NULL;
    json_t *halves = values ? indices_numbers(result, kind->name, "_half", err) : NULL;
    if (!values)
        return;
    json_t *json = json_object();
    (void)json_object_set_new(json, "name", json_string(kind->name));
    (void)json_object_set_new(json, "is_of_output", json_boolean(kind->is_of_output));
    (void)json_object_set_new(json, "values", values);
    if (halves)
        (void)json_object_set_new(json, "halves", halves);
    (void)json_array_append_new(to, json);
}

static void indices_add_text(struct ml_result *result, const char *name, json_t *to,
                             struct ml_error *err)
{
    const char *text = NULL;
    (void)ml_result_attribute(result, "sensitivity/global", name, 0, &text, err);
    (void)json_object_set_new(to, name, json_string(text ? text : ""));
}

json_t *ml_report_indices(struct ml_result *result)
{
    struct ml_array_info info = {.size = sizeof info};
    struct ml_error err = {0};
    const char *word = NULL;
    if (!ml_result_find(result, GROUP "complete", &info) || info.rank != 1)
        return NULL;
    json_t *all = json_object(), *kinds = json_array();
    (void)ml_result_attribute(result, "sensitivity/global", "design", 0, &word, &err);
    for (int d = 0; word && d < ML_INDEX_CHAOS; d++) {
        const struct ml_index_table_kinds *of = ml_index_table_kinds((enum ml_index_design)d);
        for (int k = 0; strcmp(of->design, word) == 0 && k < ML_INDEX_KINDS; k++)
            indices_add_kind(result, &of->kinds[k], kinds, &err);
    }
    indices_add_text(result, "estimator", all, &err);
    indices_add_text(result, "taken", all, &err);
    (void)json_object_set_new(all, "outputs", indices_texts(result, GROUP "output", &err));
    (void)json_object_set_new(all, "inputs", indices_texts(result, GROUP "input", &err));
    const bool is_whole = json_array_size(kinds) > 0;
    (void)json_object_set_new(all, "kinds", kinds);
    ml_error_clear(&err);
    if (is_whole)
        return all;
    json_decref(all);
    return NULL;
}
