/* Refuses two results whose runs or numbers are not the same in kind: a page subtracts them run by
 * run. */
#include "report/parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "manylink/fail.h"
#include "store/opened.h"

/* Numbers of runs that two results may differ in, besides the summary. */
static bool compare_is_measured(const char *name)
{
    static const char *const measured[] = {"runs/outcome", "runs/end_time", "runs/steps"};
    bool is = strncmp(name, "summary/", strlen("summary/")) == 0;
    for (size_t i = 0; i < sizeof measured / sizeof *measured; i++)
        is = is || strcmp(name, measured[i]) == 0;
    return is;
}

static enum ml_status compare_refuse(const struct ml_report_parts *a,
                                     const struct ml_report_parts *b, const char *name,
                                     const char *reason, struct ml_error *err)
{
    return ml_fail(err, ML_E_INPUT,
                   "%s: cannot compare with %s: `%s` %s; results that are compared have the same "
                   "runs and the same numbers of each",
                   b->result->path, a->result->path, name, reason);
}

/* Whether two datasets have the same shape, dimensions and unit. */
static bool compare_is_alike(const struct ml_array_info *a, const struct ml_array_info *b)
{
    bool is = a->rank == b->rank && a->n_run_dim == b->n_run_dim && a->type == b->type &&
              strcmp(a->unit, b->unit) == 0;
    for (int k = 0; k < a->rank && is; k++)
        is = a->shape[k] == b->shape[k] && strcmp(a->dim[k], b->dim[k]) == 0;
    return is;
}

/* Whether both results have the same numbers or texts of a part. */
static enum ml_status compare_values(const struct ml_report_parts *a,
                                     const struct ml_report_parts *b,
                                     const struct ml_report_part *part, bool *is_same,
                                     struct ml_error *err)
{
    double *of_a = NULL, *of_b = NULL;
    enum ml_status status = ML_OK;
    *is_same = true;
    if (part->info.type == ML_ARRAY_TEXT) {
        const char *text_a = NULL, *text_b = NULL;
        for (int64_t i = 0; i < part->count && status == ML_OK && *is_same; i++) {
            status = ml_result_text(a->result, part->info.name, i, &text_a, err);
            if (status == ML_OK)
                status = ml_result_text(b->result, part->info.name, i, &text_b, err);
            *is_same = status == ML_OK && strcmp(text_a, text_b) == 0;
        }
        return status;
    }
    status = ml_report_part_read(a, part, &of_a, err);
    if (status == ML_OK)
        status = ml_report_part_read(b, part, &of_b, err);
    for (int64_t i = 0; i < part->count && of_a && of_b && *is_same; i++)
        *is_same = of_a[i] == of_b[i] || (isnan(of_a[i]) && isnan(of_b[i]));
    free(of_a);
    free(of_b);
    return status;
}

/* Whether a part is of the runs: motions are those of the first result. */
static bool compare_is_of_runs(const char *name)
{
    return strncmp(name, "runs/", strlen("runs/")) == 0 ||
           strncmp(name, "summary/", strlen("summary/")) == 0;
}

static enum ml_status compare_part(const struct ml_report_parts *a, const struct ml_report_parts *b,
                                   const struct ml_report_part *part, struct ml_error *err)
{
    const char *name = part->info.name;
    struct ml_array_info other = {.size = sizeof other};
    bool is_same = true;
    if (!compare_is_of_runs(name))
        return ML_OK;
    if (!ml_result_find(b->result, name, &other))
        return compare_refuse(a, b, name, "is in the first only", err);
    if (!compare_is_alike(&part->info, &other))
        return compare_refuse(a, b, name, "differs in shape, dimensions or unit", err);
    if (part->place != ML_REPORT_HEAD && compare_is_measured(name))
        return ML_OK;
    const enum ml_status status = compare_values(a, b, part, &is_same, err);
    return status == ML_OK && !is_same ? compare_refuse(a, b, name, "has other values", err)
                                       : status;
}

/* Runs of the page: the largest product of run dimensions. */
static int64_t compare_runs(const struct ml_report_parts *parts)
{
    int64_t most = 0;
    for (int i = 0; i < parts->n; i++) {
        const struct ml_array_info *info = &parts->parts[i].info;
        const int64_t n = ml_result_count(info, 0, info->n_run_dim);
        most = compare_is_of_runs(info->name) && n > most ? n : most;
    }
    return most;
}

enum ml_status ml_report_compare(const struct ml_report_parts *a, const struct ml_report_parts *b,
                                 struct ml_error *err)
{
    struct ml_array_info info = {.size = sizeof info}, found = {.size = sizeof found};
    enum ml_status status = ML_OK;
    if (compare_runs(a) < 2)
        return ml_fail(
            err, ML_E_INPUT,
            "%s: cannot compare with %s: is a single run, of which a page has no picture; "
            "`manylink table` prints the numbers of each",
            b->result->path, a->result->path);
    for (int i = 0; i < a->n && status == ML_OK; i++)
        status = compare_part(a, b, &a->parts[i], err);
    for (int i = 0; status == ML_OK && ml_result_dataset(b->result, i, &info); i++)
        if (compare_is_of_runs(info.name) && !ml_result_find(a->result, info.name, &found))
            status = compare_refuse(a, b, info.name, "is in the second only", err);
    return status;
}
