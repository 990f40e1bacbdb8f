/* Results open for reading: which datasets there are, with shapes, units and names of dimensions;
 * their numbers and texts. */
#include "store/opened.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/numeric_env.h"
#include "base/sized.h"
#include "manylink/fail.h"
#include "manylink/text.h"
#include "plan/datasets.h"
#include "store/result_h5.h"
#include "yaml/nearest.h"

_Static_assert((int)ML_ARRAY_MAX_RANK == (int)ML_MAX_RANK, "every dataset can be described");

/* The list that a group's datasets are added to. */
struct opened_visit {
    struct ml_result *result;
    const char *group; /* its name */
};

static const char *opened_keep(struct ml_result *result, char *text, const char *otherwise)
{
    const char *kept = text ? text : otherwise;
    const char *copy = ml_pool_text(&result->pool, kept, strlen(kept));
    free(text);
    return copy ? copy : "";
}

static enum ml_array_type opened_type(hid_t dataset)
{
    hid_t type = H5Dget_type(dataset);
    const H5T_class_t class = H5Tget_class(type);
    (void)H5Tclose(type);
    return class == H5T_STRING    ? ML_ARRAY_TEXT
           : class == H5T_INTEGER ? ML_ARRAY_INTEGER
                                  : ML_ARRAY_DOUBLE;
}

static void opened_describe(struct ml_result *result, hid_t group, const char *name, hid_t id,
                            struct ml_array_info *info)
{
    struct ml_h5 *h5 = &result->h5;
    const struct ml_extent extent = ml_h5_extent(h5, id);
    const bool is_scale = ml_h5_is_scale(h5, id);
    info->unit = opened_keep(result, ml_h5_find_text(h5, id, "units"), "1");
    info->description = opened_keep(result, ml_h5_find_text(h5, id, "description"), "");
    info->type = opened_type(id);
    info->rank = extent.rank;
    for (int k = 0; k < extent.rank; k++) {
        info->shape[k] = (int64_t)extent.size[k];
        info->dim[k] = opened_keep(result, is_scale ? NULL : ml_h5_scale_name(h5, group, id, k),
                                   is_scale ? name : "");
    }
}

/* Room for one more dataset; false without memory. */
static bool opened_grow(struct ml_result *result)
{
    if (result->n_dataset < result->n_room)
        return true;
    const int n = result->n_room > 0 ? 2 * result->n_room : 32;
    struct ml_opened_dataset *more =
        realloc(result->datasets, (size_t)n * sizeof *result->datasets);
    if (!more)
        return false;
    result->datasets = more;
    result->n_room = n;
    return true;
}

static void opened_visit(void *context, hid_t group, const char *name, hid_t id)
{
    const struct opened_visit *visit = context;
    struct ml_result *result = visit->result;
    const bool is_caption =
        *visit->group && ml_h5_is_text(id) && ml_h5_extent(&result->h5, id).rank == 0;
    if (is_caption)
        return;
    if (!ml_h5_need(&result->h5, opened_grow(result)))
        return;
    struct ml_opened_dataset *dataset = &result->datasets[result->n_dataset++];
    *dataset =
        (struct ml_opened_dataset){.info.size = sizeof dataset->info,
                                   .is_copy = ml_result_h5_is_copy(&result->h5, group, name)};
    dataset->info.name =
        ml_pool_format(&result->pool, "%s%s%s", visit->group, *visit->group ? "/" : "", name);
    opened_describe(result, group, name, id, &dataset->info);
}

/* Counts, in every dataset, the dimensions that are the runs. */
static void opened_count_run_dims(struct ml_result *result)
{
    static const char *const groups[] = {"runs", "summary", "trajectories", "inverse"};
    for (size_t g = 0; g < sizeof groups / sizeof *groups; g++) {
        const size_t length = strlen(groups[g]);
        struct ml_run_dims run_dims;
        ml_run_dims_find(&result->h5, result->file, groups[g], &run_dims);
        for (int i = 0; i < result->n_dataset; i++) {
            struct ml_array_info *info = &result->datasets[i].info;
            if (strncmp(info->name, groups[g], length) == 0 && info->name[length] == '/')
                info->n_run_dim = ml_run_dims_of(&run_dims, info->rank, info->dim);
        }
    }
}

/* Whether a row is the first of a group whose datasets are listed, all but checksums and those of
 * events; the texts of the study are in "". */
static bool opened_group(enum ml_dataset dataset, char name[ML_NAME_LENGTH])
{
    const char *path = ml_dataset(dataset)->path;
    const int length = ml_dataset_group(dataset);
    const bool is_first = dataset == ML_DATA_SEGMENT || length != ml_dataset_group(dataset - 1) ||
                          strncmp(path, ml_dataset(dataset - 1)->path, (size_t)length) != 0;
    (void)snprintf(name, ML_NAME_LENGTH, "%.*s", length, path);
    return is_first && ml_dataset(dataset)->type != ML_DATA_HASH && !strstr(path, "EVENT");
}

static void opened_list(struct ml_result *result)
{
    struct ml_h5 *h5 = &result->h5;
    result->entry = ml_h5_find_group(h5, result->file, "/study");
    if (result->entry < 0)
        ml_h5_fail(h5, ML_E_FILE, "has no group /study");
    char name[ML_NAME_LENGTH];
    for (int i = 1; i < ML_N_DATASET && h5->status == ML_OK; i++) {
        if (!opened_group((enum ml_dataset)i, name))
            continue;
        hid_t group = *name ? ml_h5_find_group(h5, result->entry, name) : result->entry;
        if (group < 0)
            continue;
        ml_h5_each_dataset(h5, group, opened_visit, &(struct opened_visit){result, name});
        if (group != result->entry)
            (void)H5Gclose(group);
    }
    ml_h5_need(h5, !result->pool.is_short);
    if (h5->status == ML_OK)
        opened_count_run_dims(result);
}

enum ml_status ml_opened_make(struct ml_h5 *h5, hid_t file, const char *path,
                              struct ml_result **out, struct ml_error *err)
{
    struct ml_result *result = calloc(1, sizeof *result);
    char *copy = result ? ml_pool_text(&result->pool, path, strlen(path)) : NULL;
    *out = NULL;
    if (!copy) {
        ml_h5_enter(h5);
        ml_h5_close(h5, file);
        (void)ml_h5_end(h5);
        free(result);
        return ML_E_MEMORY;
    }
    result->h5 = *h5;
    result->h5.path = result->path = copy;
    result->h5.err = err;
    result->file = file;
    ml_h5_enter(&result->h5);
    if (result->h5.status == ML_OK)
        opened_list(result);
    ml_h5_leave(&result->h5);
    const enum ml_status status = result->h5.status;
    if (status == ML_OK)
        *out = result;
    else
        ml_result_free(result);
    return status;
}

static enum ml_status opened_open(const char *path, bool may_be_changed, struct ml_result **out,
                                  struct ml_error *err)
{
    struct ml_h5 h5;
    ml_h5_begin(&h5, path, err);
    hid_t file = ml_result_h5_open(&h5, may_be_changed);
    ml_h5_leave(&h5);
    const enum ml_status status = ml_opened_make(&h5, file, path, out, err);
    if (status == ML_OK)
        (*out)->may_be_changed = may_be_changed;
    return status;
}

enum ml_status ml_result_open(const char *path, struct ml_result **out, struct ml_error *err)
{
    return opened_open(path, false, out, err);
}

enum ml_status ml_result_open_changed(const char *path, struct ml_result **out,
                                      struct ml_error *err)
{
    return opened_open(path, true, out, err);
}

void ml_result_free(struct ml_result *result)
{
    if (!result)
        return;
    result->h5.err = NULL;
    ml_h5_enter(&result->h5);
    if (result->file >= 0)
        (void)H5Fclose(result->file); /* and all that is open in it */
    (void)ml_h5_end(&result->h5);
    for (int i = 0; i < result->n_dataset; i++) {
        free(result->datasets[i].sums);
        free(result->datasets[i].is_compared);
    }
    free(result->datasets);
    free(result->views);
    ml_pool_free(&result->pool);
    free(result);
}

int ml_result_dataset(const struct ml_result *result, int i, struct ml_array_info *info)
{
    for (int k = 0; k < result->n_dataset; k++)
        if (!result->datasets[k].is_copy && i-- == 0) {
            ml_sized_write(info, &result->datasets[k].info, sizeof *info);
            return 1;
        }
    return 0;
}

static struct ml_opened_dataset *opened_find(const struct ml_result *result, const char *path)
{
    for (int i = 0; i < result->n_dataset; i++)
        if (strcmp(result->datasets[i].info.name, path) == 0)
            return &result->datasets[i];
    return NULL;
}

int ml_result_find(const struct ml_result *result, const char *path, struct ml_array_info *info)
{
    const struct ml_opened_dataset *dataset = opened_find(result, path);
    if (dataset)
        ml_sized_write(info, &dataset->info, sizeof *info);
    return dataset != NULL;
}

static enum ml_status read_unknown(struct ml_result *result, const char *path)
{
    struct ml_nearest nearest = ml_nearest_any(path);
    for (int i = 0; i < result->n_dataset; i++)
        if (!result->datasets[i].is_copy)
            ml_nearest_offer(&nearest, result->datasets[i].info.name);
    return ml_fail(result->h5.err, ML_E_INPUT, "%s: has no dataset `%s`; the nearest is `%s`",
                   result->path, path, nearest.best ? nearest.best : "");
}

/* Enters, and opens a dataset; -1 after telling. */
static hid_t read_begin(struct ml_result *result, const char *path, struct ml_error *err)
{
    ml_h5_enter(&result->h5);
    result->h5.err = err;
    result->h5.status = ML_OK;
    hid_t id = ml_h5_find_dataset(&result->h5, result->entry, path);
    if (id < 0 && result->h5.status == ML_OK)
        result->h5.status = read_unknown(result, path);
    return id;
}

static enum ml_status opened_read_end(struct ml_result *result, hid_t id)
{
    if (id >= 0)
        (void)H5Dclose(id);
    result->h5.err = NULL;
    ml_h5_leave(&result->h5);
    return result->h5.status;
}

/* Whether n numbers along dimension k are there, from the first on, every stride-th; else fails. */
static bool opened_read_is_inside(struct ml_result *result, const char *path, int k, int64_t first,
                                  int64_t stride, int64_t n, int64_t size)
{
    const bool is =
        first >= 0 && first < size && stride > 0 && n > 0 && n - 1 <= (size - 1 - first) / stride;
    if (!is)
        result->h5.status = ml_fail(
            result->h5.err, ML_E_INPUT,
            "%s: %s has %lld numbers along dimension %d, and not %lld from %lld on in steps of "
            "%lld",
            result->path, path, (long long)size, k, (long long)n, (long long)first,
            (long long)stride);
    return is;
}

/* The requested part of a dataset. */
struct read_part {
    const char *path;
    const int64_t *start, *count, *stride; /* [rank]; NULL: as of ml_result_read_slice */
    size_t n;                              /* numbers that there is room for */
};

/* Sets start, stride and count of a box; false once the result has failed. */
static bool opened_read_box(struct ml_result *result, const struct read_part *part, hid_t id,
                            struct ml_extent box[3])
{
    const struct ml_extent extent = ml_h5_extent(&result->h5, id);
    size_t product = 1;
    box[0] = box[1] = box[2] = extent;
    for (int k = 0; k < extent.rank && result->h5.status == ML_OK; k++) {
        const int64_t size = (int64_t)extent.size[k];
        const int64_t first = part->start ? part->start[k] : 0;
        const int64_t stride = part->stride ? part->stride[k] : 1;
        const int64_t left = stride > 0 && first < size ? (size - 1 - first) / stride + 1 : 0;
        const int64_t taken = part->count ? part->count[k] : left;
        if (!opened_read_is_inside(result, part->path, k, first, stride, taken, size))
            return false;
        box[0].size[k] = (unsigned long long)first;
        box[1].size[k] = (unsigned long long)stride;
        box[2].size[k] = (unsigned long long)taken;
        product = product > SIZE_MAX / (size_t)taken ? SIZE_MAX : product * (size_t)taken;
    }
    if (result->h5.status == ML_OK && product != part->n)
        result->h5.status =
            ml_fail(result->h5.err, ML_E_INPUT, "%s: %s has %zu numbers there, and room is for %zu",
                    result->path, part->path, product, part->n);
    return result->h5.status == ML_OK;
}

static bool read_is_integer(hid_t id)
{
    hid_t type = H5Dget_type(id);
    const bool is = H5Tget_class(type) == H5T_INTEGER;
    (void)H5Tclose(type);
    return is;
}

/* type: H5T_NATIVE_* of the values; integers are refused to have fractions */
static enum ml_status opened_read_numbers(struct ml_result *result, const struct read_part *part,
                                          hid_t type, void *values, struct ml_error *err)
{
    struct ml_extent box[3];
    hid_t id = read_begin(result, part->path, err);
    const bool must_be_integer = H5Tget_class(type) == H5T_INTEGER;
    if (id >= 0 && (!ml_h5_is_number(id) || (must_be_integer && !read_is_integer(id))))
        result->h5.status = ml_fail(err, ML_E_INPUT, "%s: %s has %s, not %s", result->path,
                                    part->path, ml_h5_is_number(id) ? "fractions" : "texts",
                                    must_be_integer ? "integers" : "numbers");
    struct ml_opened_dataset *dataset = opened_find(result, part->path);
    if (result->h5.status == ML_OK && opened_read_box(result, part, id, box) &&
        (!dataset || ml_opened_compare(result, dataset, id, box)))
        ml_h5_read_box(&result->h5, id, type, &box[0], &box[1], &box[2], values);
    return opened_read_end(result, id);
}

enum ml_status ml_result_read(struct ml_result *result, const char *path, const int64_t *start,
                              const int64_t *count, double *values, size_t n, struct ml_error *err)
{
    return ml_result_read_slice(result, path, start, count, NULL, values, n, err);
}

enum ml_status ml_result_read_slice(struct ml_result *result, const char *name,
                                    const int64_t *start, const int64_t *count,
                                    const int64_t *stride, double *out, size_t n,
                                    struct ml_error *err)
{
    const struct read_part part = {name, start, count, stride, n};
    return opened_read_numbers(result, &part, H5T_NATIVE_DOUBLE, out, err);
}

enum ml_status ml_result_read_int64(struct ml_result *result, const char *path,
                                    const int64_t *start, const int64_t *count, int64_t *values,
                                    size_t n, struct ml_error *err)
{
    const struct read_part part = {path, start, count, NULL, n};
    return opened_read_numbers(result, &part, H5T_NATIVE_INT64, values, err);
}

/* All texts of a dataset, in the pool; NULL after telling. */
static const char *const *opened_read_texts(struct ml_result *result, const char *path, hid_t id,
                                            unsigned long long n)
{
    char *single = NULL;
    char **texts = NULL;
    const char **kept = ml_pool_take(&result->pool, (size_t)n, sizeof *kept);
    if (ml_h5_extent(&result->h5, id).rank == 0)
        single = ml_h5_read_text(&result->h5, result->entry, path);
    else
        texts = ml_h5_read_texts(&result->h5, id, n);
    for (unsigned long long i = 0; kept && (single || texts) && i < n; i++) {
        const char *text = single ? single : texts[i];
        kept[i] = ml_pool_text(&result->pool, text, strlen(text));
    }
    free(single);
    ml_h5_free_texts(n, texts);
    ml_h5_need(&result->h5, !result->pool.is_short);
    return result->h5.status == ML_OK ? kept : NULL;
}

/* The i-th text of an open dataset; NULL after telling. */
static const char *opened_read_text(struct ml_result *result, const char *path, hid_t id, int64_t i)
{
    struct ml_opened_dataset *known = opened_find(result, path);
    const struct ml_extent extent = ml_h5_extent(&result->h5, id);
    const unsigned long long n = extent.rank > 0 ? extent.size[0] : 1;
    if (!ml_h5_is_text(id) || extent.rank > 1 || i < 0 || (unsigned long long)i >= n) {
        result->h5.status = ml_fail(result->h5.err, ML_E_INPUT, "%s: %s has no text %lld",
                                    result->path, path, (long long)i);
        return NULL;
    }
    const char *const *texts =
        known && known->texts ? known->texts : opened_read_texts(result, path, id, n);
    if (known)
        known->texts = texts;
    return texts ? texts[i] : NULL;
}

enum ml_status ml_result_text(struct ml_result *result, const char *path, int64_t i,
                              const char **out, struct ml_error *err)
{
    hid_t id = read_begin(result, path, err);
    *out = id >= 0 ? opened_read_text(result, path, id, i) : NULL;
    return opened_read_end(result, id);
}

/* Text i of an attribute, or number i as text; NULL: none, or failed. */
static const char *opened_attribute(struct ml_result *result, hid_t at, const char *name, int64_t i)
{
    struct ml_h5 *h5 = &result->h5;
    unsigned long long n = 0;
    char number[ML_NUMBER_TEXT];
    const char *found = NULL, *copy = NULL;
    double *numbers = ml_h5_find_numbers(h5, at, name, &n);
    char **texts = numbers || h5->status != ML_OK ? NULL : ml_h5_find_texts(h5, at, name, &n);
    if (i >= 0 && (unsigned long long)i < n && h5->status == ML_OK)
        found = numbers ? ml_number_print(numbers[i], number) : texts[i];
    if (found)
        copy = ml_pool_text(&result->pool, found, strlen(found));
    ml_h5_need(h5, !found || copy);
    if (texts)
        ml_h5_free_texts(n, texts);
    free(numbers);
    return copy;
}

enum ml_status ml_result_attribute(struct ml_result *result, const char *path, const char *name,
                                   int64_t i, const char **out, struct ml_error *err)
{
    struct ml_h5 *h5 = &result->h5;
    ml_h5_enter(h5);
    h5->err = err;
    h5->status = ML_OK;
    *out = NULL;
    const bool is_study = *path == '\0';
    hid_t group = is_study ? result->entry : ml_h5_find_group(h5, result->entry, path);
    hid_t id = group < 0 ? ml_h5_find_dataset(h5, result->entry, path) : -1;
    if (group < 0 && id < 0 && h5->status == ML_OK)
        h5->status = read_unknown(result, path);
    if (h5->status == ML_OK)
        *out = opened_attribute(result, group < 0 ? id : group, name, i);
    if (group >= 0 && !is_study)
        (void)H5Gclose(group);
    return opened_read_end(result, id);
}

enum ml_status ml_result_accuracy(struct ml_result *result, const char **text, int *is_large,
                                  struct ml_error *err)
{
    struct ml_accuracy accuracy;
    struct ml_accuracy_verdict verdict = {0};
    ml_h5_enter(&result->h5);
    result->h5.err = err;
    result->h5.status = ML_OK;
    ml_accuracy_read(&result->h5, result->file, &accuracy);
    const struct ml_numeric_env before = ml_numeric_env_set();
    const bool is_judged = result->h5.status == ML_OK && ml_accuracy_judge(&accuracy, &verdict);
    ml_numeric_env_restore(&before);
    *text = is_judged ? ml_pool_text(&result->pool, verdict.text, strlen(verdict.text)) : NULL;
    ml_h5_need(&result->h5, *text);
    if (is_large)
        *is_large = verdict.is_large;
    ml_accuracy_free(&accuracy);
    return opened_read_end(result, -1);
}

double *ml_opened_numbers(struct ml_result *result, const char *path, size_t *n)
{
    struct ml_array_info info = {.size = sizeof info};
    struct ml_error err = {0};
    *n = 1;
    if (!ml_result_find(result, path, &info))
        return NULL;
    *n = (size_t)ml_result_count(&info, 0, info.rank);
    double *values = calloc(*n, sizeof *values);
    if (values && ml_result_read(result, path, NULL, NULL, values, *n, &err) != ML_OK) {
        free(values);
        values = NULL;
    }
    ml_error_clear(&err);
    return values;
}
