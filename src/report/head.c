/* Describes the datasets of a page, the study and where the result comes from, in JSON. */
#include "report/parts.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "manylink/run.h"
#include "manylink/version.h"
#include "plan/datasets.h"
#include "plot/colours.h"

/* A text of a file; what is no UTF-8 is named as such. */
static json_t *head_text(const char *text)
{
    json_t *json = json_string(text ? text : "");
    return json ? json : json_string("(not UTF-8)");
}

/* A whole number as such; JSON has no NaN and no infinity. */
static json_t *head_number(double value)
{
    const double most = 9007199254740992.0; /* 2^53 */
    if (!isfinite(value))
        return json_null();
    return value == floor(value) && fabs(value) < most ? json_integer((json_int_t)value)
                                                       : json_real(value);
}

/* Copies lines such as "motion=/home/me/lift.csv" without folders of absolute paths, which a page
 * that is sent does not name; NULL without memory. */
static char *head_without_folders(const char *text)
{
    char *copy = calloc(strlen(text) + 1, 1), *to = copy;
    while (copy && *text) {
        const size_t n = strcspn(text, "=\n");
        size_t folder = 0;
        for (size_t k = 0; k < n && *text == '/'; k++)
            folder = text[k] == '/' ? k + 1 : folder;
        memcpy(to, text + folder, n - folder);
        to += n - folder;
        text += n;
        if (*text)
            *to++ = *text++;
    }
    return copy;
}

/* A single text, "" if the result has none. */
static json_t *head_single(struct ml_result *result, const char *path)
{
    const char *text = NULL;
    struct ml_error err = {0};
    const enum ml_status status = ml_result_text(result, path, 0, &text, &err);
    ml_error_clear(&err);
    return head_text(status == ML_OK ? text : "");
}

static json_t *head_provenance(struct ml_result *result, bool has_paths)
{
    static const char *const names[] = {"version",   "start_time", "end_time", "host",
                                        "isa",       "kernel",     "compiler", "study",
                                        "overrides", "options"};
    json_t *all = json_object();
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char path[64];
        (void)snprintf(path, sizeof path, "provenance/%s", names[i]);
        json_t *text = head_single(result, path);
        char *bare = has_paths ? NULL : head_without_folders(json_string_value(text));
        if (has_paths || strcmp(names[i], "host") != 0)
            (void)json_object_set_new(all, names[i], bare ? json_string(bare) : json_incref(text));
        free(bare);
        json_decref(text);
    }
    return all;
}

/* The error that the step leaves in the numbers, in words; "" if it is not known. */
static enum ml_status head_add_accuracy(struct ml_result *result, json_t *to, struct ml_error *err)
{
    const char *text = NULL;
    int is_large = 0;
    const enum ml_status status = ml_result_accuracy(result, &text, &is_large, err);
    (void)json_object_set_new(to, "accuracy", head_text(status == ML_OK ? text : ""));
    (void)json_object_set_new(to, "is_inaccurate", json_boolean(is_large));
    return status;
}

static json_t *head_run_columns(void)
{
    json_t *all = json_array();
    for (enum ml_dataset i = ML_DATA_RUN; i <= ML_DATA_RUNS_STEPS; i++)
        (void)json_array_append_new(all, json_string(ml_dataset_name(i)));
    return all;
}

static json_t *head_outcomes(void)
{
    json_t *all = json_array();
    for (int i = 0; ml_outcome_name(i); i++)
        (void)json_array_append_new(all, json_string(ml_outcome_name(i)));
    return all;
}

/* Labels, or numbers of a scale: those that count up by 1 are told by the first. */
static enum ml_status head_add_values(const struct ml_report_parts *parts,
                                      const struct ml_report_part *part, json_t *to,
                                      struct ml_error *err)
{
    double *values = NULL;
    bool counts = part->count > 1;
    json_t *all = json_array();
    enum ml_status status = ML_OK;
    const char *text = NULL;
    if (part->info.type == ML_ARRAY_TEXT) {
        for (int64_t i = 0; i < part->count && status == ML_OK; i++) {
            if (part->computed)
                text = part->computed->texts[i];
            else
                status = ml_result_text(parts->result, part->info.name, i, &text, err);
            (void)json_array_append_new(all, head_text(status == ML_OK ? text : ""));
        }
        (void)json_object_set_new(to, "texts", all);
        return status;
    }
    status = ml_report_part_read(parts, part, &values, err);
    for (int64_t i = 0; i < part->count && status == ML_OK; i++)
        counts = counts && values[i] == values[0] + (double)i;
    for (int64_t i = 0; i < part->count && status == ML_OK && !counts; i++)
        (void)json_array_append_new(all, head_number(values[i]));
    if (counts && status == ML_OK)
        (void)json_object_set_new(to, "first", head_number(values[0]));
    else
        (void)json_object_set(to, "values", all);
    json_decref(all);
    free(values);
    return status;
}

/* The meanings of numbers such as the labels of attractors. */
static void head_add_meanings(const struct ml_report_parts *parts,
                              const struct ml_report_part *part, json_t *to)
{
    char *meanings = ml_report_part_meanings(parts, part);
    if (meanings)
        (void)json_object_set_new(to, "meanings", head_text(meanings));
    free(meanings);
}

static enum ml_status head_add_part(const struct ml_report_parts *parts,
                                    const struct ml_report_part *part, json_t *all,
                                    struct ml_error *err)
{
    const struct ml_array_info *info = &part->info;
    json_t *json = json_object(), *dims = json_array(), *shape = json_array();
    for (int k = 0; k < info->rank; k++) {
        (void)json_array_append_new(dims, head_text(info->dim[k]));
        (void)json_array_append_new(shape, json_integer(part->shape[k]));
    }
    (void)json_object_set_new(json, "path", head_text(info->name));
    (void)json_object_set_new(json, "unit", head_text(info->unit));
    (void)json_object_set_new(json, "about", head_text(info->description));
    (void)json_object_set_new(json, "dims", dims);
    (void)json_object_set_new(json, "shape", shape);
    (void)json_object_set_new(json, "run_dims", json_integer(info->n_run_dim));
    (void)json_array_append_new(all, json);
    if (part->place == ML_REPORT_HEAD)
        return head_add_values(parts, part, json, err);
    head_add_meanings(parts, part, json);
    (void)json_object_set_new(json, "block", json_string(ml_report_places[part->place]));
    (void)json_object_set_new(json, "at", json_integer(part->at));
    return ML_OK;
}

/* The views of the datasets in the page, by rank. */
static json_t *head_views(struct ml_result *result)
{
    struct ml_array_info info = {.size = sizeof info};
    struct ml_view view = {.size = sizeof view};
    json_t *all = json_array();
    for (int i = 0; ml_result_view(result, i, &view); i++) {
        json_t *json = json_object(), *dims = json_array();
        if (!ml_result_find(result, view.dataset, &info))
            continue;
        for (int k = 0; k < info.n_run_dim; k++)
            (void)json_array_append_new(dims, json_integer(view.dims[k]));
        (void)json_object_set_new(json, "dataset", head_text(view.dataset));
        (void)json_object_set_new(json, "signal", head_text(view.signal));
        (void)json_object_set_new(json, "style", json_string(ml_view_style_name((int)view.style)));
        (void)json_object_set_new(json, "dims", dims);
        (void)json_object_set_new(json, "x", head_text(view.x));
        (void)json_object_set_new(json, "y", head_text(view.y));
        (void)json_object_set_new(json, "colour", head_text(view.colour));
        (void)json_object_set_new(json, "has_log_x", json_boolean(view.x_scale == ML_VIEW_LOG));
        (void)json_object_set_new(
            json, "has_log",
            json_boolean((view.style == ML_VIEW_MAP ? view.colour_scale : view.y_scale) ==
                         ML_VIEW_LOG));
        (void)json_array_append_new(all, json);
    }
    return all;
}

/* jansson escapes all that JSON asks for. "<" is in texts only, and an HTML parser would see
 * "</script" and "<!--". */
static int head_write(const char *text, size_t n, void *file)
{
    for (size_t i = 0; i < n; i++)
        if (text[i] == '<')
            (void)fputs("\\u003c", file);
        else
            (void)fputc(text[i], file);
    return 0;
}

/* Adds the texts of an attribute of a group as an array. */
static void head_add_attribute(json_t *to, struct ml_result *result, const char *group,
                               const char *name)
{
    struct ml_error err = {0};
    json_t *all = json_array();
    const char *text = NULL;
    for (int64_t i = 0; ml_result_attribute(result, group, name, i, &text, &err) == ML_OK && text;
         i++)
        (void)json_array_append_new(all, head_text(text));
    (void)json_object_set_new(to, name, all);
    ml_error_clear(&err);
}

/* The name of a result, without its folder unless paths are asked for; and its provenance. */
static void head_add_origin(json_t *to, struct ml_result *result, const char *path, bool has_paths)
{
    const char *slash = strrchr(path, '/');
    (void)json_object_set_new(to, "file", head_text(has_paths || !slash ? path : slash + 1));
    (void)json_object_set_new(to, "provenance", head_provenance(result, has_paths));
}

enum ml_status ml_report_head_write(const struct ml_report_parts *parts, struct ml_result *other,
                                    const struct ml_report_options *options, FILE *file,
                                    struct ml_error *err)
{
    struct ml_result *result = parts->result;
    const bool has_paths = options->paths != 0;
    json_t *head = json_object(), *datasets = json_array();
    enum ml_status status = ML_OK;
    (void)json_object_set_new(head, "version", json_string(ML_VERSION));
    head_add_origin(head, result, options->result, has_paths);
    if (other) {
        json_t *second = json_object();
        head_add_origin(second, other, options->other, has_paths);
        (void)json_object_set_new(head, "other", second);
    }
    (void)json_object_set_new(head, "title", head_single(result, "title"));
    (void)json_object_set_new(head, "definition", head_single(result, "definition"));
    (void)json_object_set_new(head, "resolved", head_single(result, "resolved"));
    (void)json_object_set_new(head, "views", head_views(result));
    (void)json_object_set_new(head, "outcomes", head_outcomes());
    (void)json_object_set_new(head, "categories", json_string(ml_plot_categories));
    (void)json_object_set_new(head, "run_columns", head_run_columns());
    (void)json_object_set_new(head, "kept", json_integer(parts->n_kept));
    (void)json_object_set_new(head, "every", json_integer(parts->every));
    (void)json_object_set_new(head, "computed", json_integer(parts->n_computed));
    (void)json_object_set_new(head, "left_out", json_integer(parts->n_left_out));
    json_t *chain = ml_report_chain(result, options);
    if (chain)
        (void)json_object_set_new(head, "chain", chain);
    json_t *indices = ml_report_indices(result);
    if (indices)
        (void)json_object_set_new(head, "indices", indices);
    (void)json_object_set_new(head, "printed", head_single(result, "fit/page"));
    head_add_attribute(head, result, "fit", "parameter_units");
    head_add_attribute(head, result, "precision", "compared");
    head_add_attribute(head, result, "precision", "runs");
    status = head_add_accuracy(result, head, err);
    for (int i = 0; i < parts->n && status == ML_OK; i++)
        status = head_add_part(parts, &parts->parts[i], datasets, err);
    (void)json_object_set_new(head, "datasets", datasets);
    if (status == ML_OK &&
        json_dump_callback(head, head_write, file,
                           JSON_COMPACT | JSON_ENSURE_ASCII | JSON_REAL_PRECISION(17)) != 0)
        status = ML_E_MEMORY;
    json_decref(head);
    return status;
}
