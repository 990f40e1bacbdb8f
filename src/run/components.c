/* Puts together the names of a dataset's components from the labels of its dimensions. */
#include "manylink/result.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "manylink/text.h"

const char *ml_result_name(const struct ml_array_info *info)
{
    const char *slash = strrchr(info->name, '/');
    return slash ? slash + 1 : info->name;
}

/* Entry `at` of a dimension, by the scale beside the dataset. */
static enum ml_status components_write_label(struct ml_result *result,
                                             const struct ml_array_info *info, int dim, int64_t at,
                                             FILE *to, struct ml_error *err)
{
    char path[512];
    struct ml_array_info scale = {.size = sizeof scale};
    const int64_t one = 1;
    const char *text;
    double value = (double)at;
    enum ml_status status = ML_OK;
    (void)snprintf(path, sizeof path, "%.*s%s", (int)(ml_result_name(info) - info->name),
                   info->name, info->dim[dim]);
    if (*info->dim[dim] && ml_result_find(result, path, &scale) && scale.type == ML_ARRAY_TEXT) {
        status = ml_result_text(result, path, at, &text, err);
        if (status == ML_OK)
            (void)fputs(text, to);
        return status;
    }
    if (scale.name)
        status = ml_result_read(result, path, &at, &one, &value, 1, err);
    ml_text_number(to, value, "nan");
    return status;
}

enum ml_status ml_result_component(struct ml_result *result, const struct ml_array_info *info,
                                   int first, int end, int64_t i, char separator, char **name,
                                   struct ml_error *err)
{
    size_t size;
    enum ml_status status = ML_OK;
    FILE *to = open_memstream(name, &size);
    if (!to)
        return ML_E_MEMORY;
    (void)fputs(ml_result_name(info), to);
    int64_t stride = ml_result_count(info, first, end);
    for (int k = first; k < end && status == ML_OK; k++) {
        stride /= info->shape[k];
        (void)fputc(separator, to);
        status = components_write_label(result, info, k, i / stride % info->shape[k], to, err);
    }
    if (fclose(to) != 0 && status == ML_OK)
        status = ML_E_MEMORY;
    if (status != ML_OK) {
        free(*name);
        *name = NULL;
    }
    return status;
}
