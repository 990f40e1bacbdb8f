/* Chooses the datasets of a page, thins what was kept over time, and reads them. */
#include "report/parts.h"

#include <stdlib.h>
#include <string.h>

#include "plan/shown.h"
#include "store/opened.h"

const char *const ml_report_places[ML_REPORT_N_PLACE] = {NULL, "first", "numbers", "motions"};

static const int64_t most_first = 1 << 17;   /* of the first block, besides what it has to have */
static const int64_t most_numbers = 1 << 25; /* of a block: what a browser holds with ease */

static const char *part_base(const struct ml_array_info *info)
{
    const char *slash = strrchr(info->name, '/');
    return slash ? slash + 1 : info->name;
}

static bool part_is_of(const struct ml_array_info *info, const char *group)
{
    const size_t length = strlen(group);
    return strncmp(info->name, group, length) == 0 && info->name[length] == '/';
}

static bool part_is_scale(const struct ml_array_info *info)
{
    return info->rank == 1 && strcmp(info->dim[0], part_base(info)) == 0;
}

static bool part_is_motion(const struct ml_array_info *info)
{
    return part_is_of(info, "trajectories") || part_is_of(info, "inverse");
}

static bool part_is_along(const struct ml_array_info *info, int dim, const char *name)
{
    return part_is_motion(info) && strcmp(info->dim[dim], name) == 0;
}

/* What is shown first of the numbers of runs; "" if the file does not say. */
static void parts_find_main(struct ml_report_parts *parts)
{
    struct ml_view view = {.size = sizeof view};
    parts->main = "";
    for (int i = 0; !*parts->main && ml_result_view(parts->result, i, &view); i++)
        if (strncmp(view.dataset, "summary/", strlen("summary/")) == 0)
            parts->main = view.dataset + strlen("summary/");
}

char *ml_report_part_meanings(const struct ml_report_parts *parts,
                              const struct ml_report_part *part)
{
    struct ml_h5 *h5 = &parts->result->h5;
    ml_h5_enter(h5);
    h5->err = NULL;
    h5->status = ML_OK;
    hid_t id = part->computed ? -1 : ml_h5_find_dataset(h5, parts->result->entry, part->info.name);
    char *meanings = id >= 0 ? ml_h5_find_text(h5, id, "flag_meanings") : NULL;
    if (id >= 0)
        (void)H5Dclose(id);
    ml_h5_leave(h5);
    return meanings;
}

/* Length of a scale of what was kept over time; 0 without one. */
static int64_t parts_scale(const struct ml_result *result, const char *name)
{
    struct ml_array_info info = {.size = sizeof info};
    for (int i = 0; ml_result_dataset(result, i, &info); i++)
        if (part_is_motion(&info) && part_is_scale(&info) && strcmp(info.dim[0], name) == 0)
            return info.shape[0];
    return 0;
}

int64_t ml_report_parts_kept(const struct ml_result *result) { return parts_scale(result, "run"); }

/* Numbers of the motions that are taken, at one time. */
static int64_t parts_rows(const struct ml_report_parts *parts)
{
    struct ml_array_info info = {.size = sizeof info};
    int64_t all = 0;
    for (int i = 0; ml_result_dataset(parts->result, i, &info); i++) {
        int64_t rows = info.rank > 1 && part_is_along(&info, info.rank - 1, "time");
        for (int k = 0; k < info.rank - 1 && rows < most_numbers; k++)
            rows *= k == 0 && part_is_along(&info, k, "run") ? parts->n_motion : info.shape[k];
        all += rows;
    }
    return all;
}

/* Runs and times of what was kept. */
static void parts_measure(struct ml_report_parts *parts, int64_t motions)
{
    parts->n_kept = ml_report_parts_kept(parts->result);
    parts->n_time = parts_scale(parts->result, "time");
    parts->n_motion = motions < parts->n_kept ? motions : parts->n_kept;
    const int64_t most = ml_report_motions_times(parts_rows(parts));
    parts->every = parts->n_time > 0 ? (parts->n_time + most - 1) / most : 1;
}

/* Numbers along a dimension that are taken. */
static int64_t part_taken(const struct ml_report_parts *parts, const struct ml_array_info *info,
                          int dim)
{
    const int64_t n = info->shape[dim];
    if (dim == 0 && part_is_along(info, dim, "run") && n == parts->n_kept)
        return parts->n_motion;
    return part_is_along(info, dim, "time") ? (n + parts->every - 1) / parts->every : n;
}

/* Whether a dataset of the summary is what is shown first, or that is "NAME_wrapped.LABEL" of it.
 */
static bool part_is_main(const struct ml_report_parts *parts, const struct ml_array_info *info)
{
    const char *name = part_base(info);
    const size_t length = strlen(name);
    const char *rest = parts->main + length;
    return strncmp(parts->main, name, length) == 0 &&
           (*rest == '\0' || strncmp(rest, ML_SHOWN_WRAPPED, sizeof ML_SHOWN_WRAPPED - 1) == 0);
}

/* The first block has what every picture needs, what is shown first, and small things. */
static enum ml_report_place parts_choose(const struct ml_report_parts *parts,
                                         const struct ml_report_part *part)
{
    const struct ml_array_info *info = &part->info;
    if (info->type == ML_ARRAY_TEXT || part_is_scale(info))
        return ML_REPORT_HEAD;
    if (part_is_motion(info))
        return ML_REPORT_MOTIONS;
    const bool is_first = part_is_of(info, "runs") || part_is_main(parts, info);
    return is_first || parts->size[ML_REPORT_FIRST] + part->count <= most_first ? ML_REPORT_FIRST
                                                                                : ML_REPORT_NUMBERS;
}

/* Sets place and shape; false if it has too many numbers. */
static bool parts_place(struct ml_report_parts *parts, struct ml_report_part *part)
{
    const struct ml_array_info *info = &part->info;
    int64_t whole = 1;
    part->count = 1;
    for (int k = 0; k < info->rank; k++) {
        part->shape[k] = part_taken(parts, info, k);
        if (info->shape[k] <= 0 || whole > most_numbers / info->shape[k] * (k == 0 ? 1 << 20 : 1))
            return false;
        whole *= info->shape[k];
        if (part->shape[k] > 0 && part->count > most_numbers / part->shape[k])
            return false;
        part->count *= part->shape[k];
    }
    part->place = parts_choose(parts, part);
    if (part->count > most_numbers - parts->size[part->place])
        return false;
    part->at = parts->size[part->place];
    parts->size[part->place] += part->count;
    return true;
}

/* Whether a dataset of statistics is shown: the shares of runs that meet requirements are. */
static bool part_is_requirement(const struct ml_array_info *info)
{
    return strcmp(info->name, "statistics/requirement") == 0 ||
           strcmp(info->name, "statistics/requirement_fraction") == 0;
}

/* Whether a dataset has the chains, starts or profiles of a fit, which a page leaves to the file:
 * of many numbers, few are seen. */
static bool part_is_of_search(const struct ml_array_info *info)
{
    bool is = false;
    for (int k = 0; k < info->rank && part_is_of(info, "fit"); k++)
        is = is || strcmp(info->dim[k], "walker") == 0 ||
             (k > 0 && strcmp(info->dim[0], "start") == 0) ||
             (k > 1 && strcmp(info->dim[k], "with_parameter") == 0);
    return is;
}

static void parts_add(struct ml_report_parts *parts, const struct ml_array_info *info,
                      const struct ml_report_array *computed)
{
    struct ml_report_part *part = &parts->parts[parts->n];
    *part = (struct ml_report_part){.info = *info, .computed = computed};
    /* Texts of the study are told elsewhere, and of runs with smaller steps what follows. */
    if (!strchr(info->name, '/') || part_is_of(info, "accuracy") ||
        part_is_of(info, "sensitivity") || part_is_of_search(info) ||
        (part_is_of(info, "statistics") && !part_is_requirement(info)))
        return;
    if (parts_place(parts, part))
        parts->n++;
    else
        parts->n_left_out++;
}

enum ml_status ml_report_parts_find(struct ml_result *result, int64_t motions,
                                    const struct ml_report_motions *computed,
                                    struct ml_report_parts *parts)
{
    struct ml_array_info info = {.size = sizeof info};
    int n = computed->n;
    *parts = (struct ml_report_parts){.result = result, .n_computed = computed->n_run};
    while (ml_result_dataset(result, n - computed->n, &info))
        n++;
    parts->parts = calloc((size_t)n + 1, sizeof *parts->parts);
    if (!parts->parts)
        return ML_E_MEMORY;
    parts_find_main(parts);
    parts_measure(parts, motions);
    for (int i = 0; ml_result_dataset(result, i, &info); i++)
        parts_add(parts, &info, NULL);
    for (int i = 0; i < computed->n; i++)
        parts_add(parts, &computed->arrays[i].info, &computed->arrays[i]);
    return ML_OK;
}

void ml_report_parts_free(struct ml_report_parts *parts)
{
    free(parts->parts);
    *parts = (struct ml_report_parts){0};
}

/* Keeps one of `every` numbers along dimension `dim` of [n] of this shape, in place. */
static void part_thin(double *values, const int64_t *shape, int rank, int dim, int64_t every)
{
    int64_t outer = 1, inner = 1, to = 0;
    for (int k = 0; k < rank; k++)
        *(k < dim ? &outer : &inner) *= k == dim ? 1 : shape[k];
    for (int64_t i = 0; i < outer; i++)
        for (int64_t t = 0; t < shape[dim]; t += every)
            for (int64_t j = 0; j < inner; j++)
                values[to++] = values[(i * shape[dim] + t) * inner + j];
}

/* Reads `rows` rows from `row` on, thinned over time; `whole` has room for them in full. */
static enum ml_status part_read_rows(const struct ml_report_parts *parts,
                                     const struct ml_report_part *part, int64_t row, int64_t rows,
                                     double *whole, struct ml_error *err)
{
    const struct ml_array_info *info = &part->info;
    int64_t start[ML_ARRAY_MAX_RANK] = {row}, count[ML_ARRAY_MAX_RANK] = {rows}, n = 1;
    for (int k = 0; k < info->rank; k++) {
        count[k] = k == 0 ? rows : info->shape[k];
        n *= count[k];
    }
    const enum ml_status status =
        ml_result_read(parts->result, info->name, start, count, whole, (size_t)n, err);
    for (int k = 0; k < info->rank && status == ML_OK; k++)
        if (part->shape[k] != info->shape[k] && part_is_along(info, k, "time"))
            part_thin(whole, count, info->rank, k, parts->every);
    return status;
}

static enum ml_status part_copy(const struct ml_report_part *part, double **out)
{
    const size_t bytes = (size_t)part->count * sizeof **out;
    *out = malloc(bytes + 1);
    if (!*out)
        return ML_E_MEMORY;
    memcpy(*out, part->computed->numbers, bytes);
    return ML_OK;
}

enum ml_status ml_report_part_read(const struct ml_report_parts *parts,
                                   const struct ml_report_part *part, double **out,
                                   struct ml_error *err)
{
    const struct ml_array_info *info = &part->info;
    if (part->computed)
        return part_copy(part, out);
    const bool is_chosen =
        info->rank > 0 && part_is_along(info, 0, "run") && info->shape[0] == parts->n_kept;
    const int64_t pieces = is_chosen ? parts->n_motion : 1;
    const int64_t rows = is_chosen || info->rank == 0 ? 1 : info->shape[0];
    int64_t whole = rows;
    enum ml_status status = ML_OK;
    for (int k = 1; k < info->rank; k++)
        whole *= info->shape[k];
    double *values = malloc(((size_t)part->count + 1) * sizeof *values);
    double *piece = malloc((size_t)whole * sizeof *piece);
    if (!values || !piece)
        status = ML_E_MEMORY;
    for (int64_t i = 0; i < pieces && status == ML_OK && values && piece; i++) {
        const size_t n = (size_t)(part->count / pieces);
        status = part_read_rows(parts, part, is_chosen ? i * parts->n_kept / parts->n_motion : 0,
                                rows, piece, err);
        if (status == ML_OK)
            memcpy(values + (size_t)i * n, piece, n * sizeof *values);
    }
    free(piece);
    if (status != ML_OK) {
        free(values);
        values = NULL;
    }
    *out = values;
    return status;
}
