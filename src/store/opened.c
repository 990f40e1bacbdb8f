/* Results open for reading: which datasets there are, with shapes, units and names of dimensions.
 */
#include "store/opened.h"

#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "base/sized.h"
#include "store/result_h5.h"

_Static_assert((int)ML_ARRAY_MAX_RANK == (int)ML_MAX_RANK, "every dataset can be described");

/* Where datasets are that are listed; texts of the study are in "". */
static const char *const opened_groups[] = {"",
                                            "runs",
                                            "summary",
                                            "trajectories",
                                            "inverse",
                                            "precision",
                                            "accuracy",
                                            "accuracy/difference",
                                            "accuracy/finer",
                                            "accuracy/finest",
                                            "accuracy/displaced"};
enum { N_GROUP = sizeof opened_groups / sizeof *opened_groups };

/* What a group's datasets are added to. */
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
    if (is_caption || ml_result_h5_is_copy(&result->h5, group, name))
        return;
    if (!opened_grow(result)) {
        ml_h5_fail(&result->h5, ML_E_MEMORY, "out of memory");
        return;
    }
    struct ml_opened_dataset *dataset = &result->datasets[result->n_dataset++];
    *dataset = (struct ml_opened_dataset){.info.size = sizeof dataset->info};
    dataset->info.name =
        ml_pool_format(&result->pool, "%s%s%s", visit->group, *visit->group ? "/" : "", name);
    opened_describe(result, group, name, id, &dataset->info);
}

static void opened_list(struct ml_result *result)
{
    struct ml_h5 *h5 = &result->h5;
    result->entry = ml_h5_find_group(h5, result->file, "/study");
    if (result->entry < 0)
        ml_h5_fail(h5, ML_E_FILE, "has no group /study");
    for (int i = 0; i < N_GROUP && h5->status == ML_OK; i++) {
        const char *name = opened_groups[i];
        hid_t group = *name ? ml_h5_find_group(h5, result->entry, name) : result->entry;
        if (group < 0)
            continue;
        ml_h5_each_dataset(h5, group, opened_visit, &(struct opened_visit){result, name});
        if (group != result->entry)
            (void)H5Gclose(group);
    }
    if (result->pool.is_short)
        ml_h5_fail(h5, ML_E_MEMORY, "out of memory");
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
        return ml_fail(err, ML_E_MEMORY, "%s: out of memory", path);
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

enum ml_status ml_result_open(const char *path, struct ml_result **out, struct ml_error *err)
{
    struct ml_h5 h5;
    ml_h5_begin(&h5, path, err);
    hid_t file = ml_result_h5_open(&h5, false);
    ml_h5_leave(&h5);
    return ml_opened_make(&h5, file, path, out, err);
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
    free(result->datasets);
    ml_pool_free(&result->pool);
    free(result);
}

int ml_result_dataset(const struct ml_result *result, int i, struct ml_array_info *info)
{
    if (i < 0 || i >= result->n_dataset)
        return 0;
    ml_sized_write(info, &result->datasets[i].info, sizeof *info);
    return 1;
}

int ml_result_find(const struct ml_result *result, const char *path, struct ml_array_info *info)
{
    for (int i = 0; i < result->n_dataset; i++)
        if (strcmp(result->datasets[i].info.name, path) == 0)
            return ml_result_dataset(result, i, info);
    return 0;
}
