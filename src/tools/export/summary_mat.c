/* Writes the summary of all runs as a MAT-file of level 5. */
#include "tools/export/export.h"

#include <stdlib.h>
#include <string.h>

#include "manylink/outcome.h"

enum { MOST = 512, DIMENSIONS = 256 };

struct summary {
    FILE *to;
    struct ml_result *result;
    struct ml_error *err;
    int n;
    char variables[MOST][MAT_NAME + 1], dimensions[MOST][DIMENSIONS];
    const char *names[MOST], *units[MOST], *descriptions[MOST];
};

/* Numbers in row order, one after the other in column order. */
static void summary_write_columns(FILE *to, const struct ml_array_info *info, const double *values)
{
    int64_t at[ML_ARRAY_MAX_RANK] = {0}, stride[ML_ARRAY_MAX_RANK], i = 0;
    const int64_t n = ml_result_count(info, 0, info->rank);
    for (int k = 0; k < info->rank; k++)
        stride[k] = ml_result_count(info, k + 1, info->rank);
    for (int64_t written = 0; written < n; written++) {
        (void)fwrite(&values[i], sizeof *values, 1, to);
        for (int k = 0; k < info->rank; k++) {
            i += stride[k];
            if (++at[k] < info->shape[k])
                break;
            i -= stride[k] * info->shape[k];
            at[k] = 0;
        }
    }
}

static enum ml_status summary_write_numbers(struct summary *s, const char *variable,
                                            const struct ml_array_info *info)
{
    const size_t n = (size_t)ml_result_count(info, 0, info->rank);
    int64_t shape[ML_ARRAY_MAX_RANK + 2] = {1, 1};
    memcpy(shape, info->shape, (size_t)info->rank * sizeof *shape);
    double *values = malloc((n > 0 ? n : 1) * sizeof *values);
    enum ml_status status =
        values ? ml_result_read(s->result, info->name, NULL, NULL, values, n, s->err) : ML_E_MEMORY;
    if (status == ML_OK) {
        mat_begin_numbers(s->to, variable, info->rank < 2 ? 2 : info->rank, shape);
        summary_write_columns(s->to, info, values);
    }
    free(values);
    return status;
}

static enum ml_status summary_write_texts(struct summary *s, const char *variable,
                                          const struct ml_array_info *info)
{
    const int64_t n = ml_result_count(info, 0, info->rank);
    const char **texts = malloc((size_t)(n > 0 ? n : 1) * sizeof *texts);
    enum ml_status status = texts ? ML_OK : ML_E_MEMORY;
    for (int64_t i = 0; i < n && status == ML_OK; i++)
        status = ml_result_text(s->result, info->name, i, &texts[i], s->err);
    if (status == ML_OK)
        mat_texts(s->to, variable, (int)n, texts);
    free(texts);
    return status;
}

static bool summary_has(const struct summary *s, const char *variable)
{
    static const char *const of_file[] = {"title",        "variables",  "names",   "units",
                                          "descriptions", "dimensions", "outcomes"};
    for (size_t i = 0; i < sizeof of_file / sizeof *of_file; i++)
        if (strcmp(of_file[i], variable) == 0)
            return true;
    for (int i = 0; i < s->n; i++)
        if (strcmp(s->variables[i], variable) == 0)
            return true;
    return false;
}

/* A new name for the next variable. */
static const char *summary_name(struct summary *s, const char *name)
{
    char ending[16] = "";
    char *variable = s->variables[s->n];
    for (int same = 2; summary_has(s, mat_name(name, ending, variable)); same++)
        (void)snprintf(ending, sizeof ending, "_%d", same);
    return variable;
}

static enum ml_status summary_write(struct summary *s, const struct ml_array_info *info)
{
    const bool is_text = info->type == ML_ARRAY_TEXT;
    const char *variable = summary_name(s, ml_result_name(info));
    char *dimensions = s->dimensions[s->n];
    for (int k = 0; k < info->rank; k++) {
        const size_t used = strlen(dimensions);
        (void)snprintf(dimensions + used, DIMENSIONS - used, "%s%s", k > 0 ? ", " : "",
                       info->dim[k]);
    }
    s->names[s->n] = ml_result_name(info);
    s->units[s->n] = info->unit ? info->unit : "";
    s->descriptions[s->n] = info->description ? info->description : "";
    s->n++;
    return is_text ? summary_write_texts(s, variable, info)
                   : summary_write_numbers(s, variable, info);
}

static bool summary_has_name(const struct summary *s, const char *name)
{
    for (int i = 0; i < s->n; i++)
        if (strcmp(s->names[i], name) == 0)
            return true;
    return false;
}

/* Writes the datasets of a group whose names are new. */
static enum ml_status summary_write_group(struct summary *s, const char *group, bool *fits)
{
    struct ml_array_info info = {.size = sizeof info};
    enum ml_status status = ML_OK;
    for (int i = 0; status == ML_OK && *fits && ml_result_dataset(s->result, i, &info); i++) {
        if (strncmp(info.name, group, strlen(group)) != 0 ||
            summary_has_name(s, ml_result_name(&info)))
            continue;
        *fits = s->n < MOST && mat_fits((uint64_t)ml_result_count(&info, 0, info.rank));
        if (*fits)
            status = summary_write(s, &info);
    }
    return status;
}

/* Writes the list of the variables, and the names of outcomes 0, 1, ... */
static void summary_write_names(const struct summary *s)
{
    const char *texts[MOST];
    int n = 0;
    for (int i = 0; i < s->n; i++)
        texts[i] = s->variables[i];
    mat_texts(s->to, "variables", s->n, texts);
    mat_texts(s->to, "names", s->n, s->names);
    mat_texts(s->to, "units", s->n, s->units);
    mat_texts(s->to, "descriptions", s->n, s->descriptions);
    for (int i = 0; i < s->n; i++)
        texts[i] = s->dimensions[i];
    mat_texts(s->to, "dimensions", s->n, texts);
    for (; ml_outcome_name(n); n++)
        texts[n] = ml_outcome_name(n);
    mat_texts(s->to, "outcomes", n, texts);
}

enum ml_status summary_write_mat(FILE *to, struct ml_result *result, const char *title, bool *fits,
                                 struct ml_error *err)
{
    struct summary *s = calloc(1, sizeof *s);
    enum ml_status status = s ? ML_OK : ML_E_MEMORY;
    if (!s)
        return status;
    s->to = to;
    s->result = result;
    s->err = err;
    mat_header(to);
    mat_text(to, "title", title);
    *fits = true;
    status = summary_write_group(s, "summary/", fits);
    if (status == ML_OK && *fits)
        status = summary_write_group(s, "runs/", fits);
    if (status == ML_OK)
        summary_write_names(s);
    free(s);
    return status;
}
