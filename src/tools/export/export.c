/* Reads a kept run over time, or a motion and its torques, and writes either for other programs. */
#include "tools/export/export.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "manylink/fail.h"

struct export
{
    struct export_request *request;
    struct ml_result *result;
    struct ml_error *err;
    const char *group; /* "trajectories/" or "inverse/" */
    int64_t at;        /* the run's place, in row order of the dimensions of runs */
    struct motion motion;
};

/* The kept runs: all of a few, else the first and the last. To be freed; NULL without memory. */
static char *export_list_kept(const int64_t *kept, int64_t n)
{
    const int64_t few = 12, some = 3;
    char *text = NULL;
    size_t size;
    FILE *to = open_memstream(&text, &size);
    for (int64_t i = 0; to && i < n; i++)
        if (n <= few || i < some || i == n - 1)
            (void)fprintf(to, "%s%lld",
                          i == 0                  ? ""
                          : n > few && i == n - 1 ? ", ..., "
                                                  : ", ",
                          (long long)kept[i]);
    if (to)
        (void)fclose(to);
    return text;
}

/* Finds the place of the run that is asked for among those that were kept. */
static enum ml_status export_choose(struct export *export, const int64_t *kept, int64_t n)
{
    const struct export_request *request = export->request;
    if (request->run < 0 && n == 1)
        return ML_OK;
    for (int64_t i = 0; i < n; i++)
        if (kept[i] == request->run) {
            export->at = i;
            return ML_OK;
        }
    char *list = export_list_kept(kept, n);
    const char *text = list ? list : "";
    const enum ml_status status =
        request->run < 0
            ? ml_fail(export->err, ML_E_INPUT,
                      "%s: cannot choose a run: several were kept; give --run K, one of %s",
                      request->path, text)
            : ml_fail(export->err, ML_E_INPUT,
                      "%s: cannot export run %lld: kept are: %s\n`manylink run STUDY.yaml --run "
                      "%lld` computes it alone, at every step",
                      request->path, (long long)request->run, text, (long long)request->run);
    free(list);
    return status;
}

static enum ml_status export_find_kept(struct export *export, const char *path, int64_t n)
{
    int64_t *kept = malloc((size_t)n * sizeof *kept);
    enum ml_status status =
        kept ? ml_result_read_int64(export->result, path, NULL, NULL, kept, (size_t)n, export->err)
             : ML_E_MEMORY;
    if (status == ML_OK)
        status = export_choose(export, kept, n);
    free(kept);
    return status;
}

/* Finds the motion; runs of a grid of torques go by their number. */
static enum ml_status export_find_motion(struct export *export)
{
    struct ml_array_info info = {.size = sizeof info};
    const int64_t run = export->request->run;
    if (!ml_result_find(export->result, "inverse/torque", &info))
        return ML_E_FILE;
    const int64_t n = ml_result_count(&info, 0, info.n_run_dim);
    if (info.n_run_dim == 1 && strcmp(info.dim[0], "run") == 0)
        return export_find_kept(export, "inverse/run", n);
    if (run >= n || (run < 0 && n > 1))
        return ml_fail(export->err, ML_E_INPUT,
                       "%s: give --run K, from 0 to %lld: the last swept quantity varies fastest",
                       export->request->path, (long long)n - 1);
    export->at = run < 0 ? 0 : run;
    return ML_OK;
}

static enum ml_status export_find(struct export *export)
{
    struct ml_array_info info = {.size = sizeof info};
    if (ml_result_find(export->result, "inverse/time", &info)) {
        export->group = "inverse/";
        return export_find_motion(export);
    }
    export->group = "trajectories/";
    if (ml_result_find(export->result, "trajectories/run", &info) && info.rank == 1)
        return export_find_kept(export, info.name, info.shape[0]);
    return ml_fail(
        export->err, ML_E_INPUT,
        "%s: cannot export: no run was kept over time; give the study\n    save: {trajectory: "
        "{every: 20}}\nor compute one run alone: `manylink run STUDY.yaml --run K`",
        export->request->path);
}

/* Whether --columns has the name, of a dataset or of one of its components; it is not given: yes.
 */
static bool export_wants(const struct export *export, const char *name)
{
    const char *names = export->request->columns;
    if (!names)
        return true;
    for (size_t length = strlen(name);; names++) {
        if (strncmp(names, name, length) == 0 && (names[length] == ',' || !names[length]))
            return true;
        names += strcspn(names, ",");
        if (!*names)
            return false;
    }
}

/* Adds component i of a dataset. */
static enum ml_status export_add(struct export *export, const struct ml_array_info *info, int64_t i,
                                 struct motion_part *part)
{
    int64_t start[ML_ARRAY_MAX_RANK] = {0}, count[ML_ARRAY_MAX_RANK];
    const int first = info->n_run_dim, last = info->rank - 1;
    char *name;
    enum ml_status status =
        ml_result_component(export->result, info, first, last, i, '/', &name, export->err);
    if (status != ML_OK)
        return status;
    if (!export_wants(export, ml_result_name(info)) && !export_wants(export, name) &&
        first < info->rank && last >= 0 &&
        strcmp(ml_result_name(info), export->request->over) != 0) {
        free(name);
        return ML_OK;
    }
    for (int k = last - 1; k >= 0; k--) {
        const int64_t inner = ml_result_count(info, k + 1, k < first ? first : last);
        start[k] = (k < first ? export->at : i) / inner % info->shape[k];
        count[k] = 1;
    }
    count[last] = info->shape[last];
    part->columns[part->n] = name;
    return ml_result_read(export->result, info->name, start, count,
                          part->values + part->n++ * export->motion.n_room,
                          (size_t) export->motion.n_room, export->err);
}

static bool export_is_over(const struct export *export, const struct ml_array_info *info)
{
    return strncmp(info->name, export->group, strlen(export->group)) == 0 && info->rank > 0 &&
           info->type != ML_ARRAY_TEXT &&
           strcmp(info->dim[info->rank - 1], export->request->over) == 0;
}

static enum ml_status export_add_part(struct export *export, const struct ml_array_info *info)
{
    const int64_t n = ml_result_count(info, info->n_run_dim, info->rank - 1);
    struct motion *motion = &export->motion;
    if (n == 0)
        return ML_OK;
    struct motion_part *more =
        realloc(motion->parts, (size_t)(motion->n_part + 1) * sizeof *motion->parts);
    if (!more)
        return ML_E_MEMORY;
    motion->parts = more;
    struct motion_part *part = &more[motion->n_part++];
    *part = (struct motion_part){.name = ml_result_name(info), .unit = info->unit};
    part->columns = calloc((size_t)n, sizeof *part->columns);
    part->values = malloc((size_t)n * (size_t)motion->n_room * sizeof *part->values);
    enum ml_status status = part->columns && part->values ? ML_OK : ML_E_MEMORY;
    for (int64_t i = 0; i < n && status == ML_OK; i++)
        status = export_add(export, info, i, part);
    if (status == ML_OK && part->n == 0) {
        free(part->columns);
        free(part->values);
        motion->n_part--;
    }
    return status;
}

static char *export_title(struct export *export)
{
    const char *text = "";
    if (ml_result_text(export->result, "title", 0, &text, export->err) != ML_OK)
        ml_error_clear(export->err);
    char *title = strdup(text ? text : "");
    for (char *c = title; c && *c; c++)
        if ((unsigned char)*c < ' ')
            *c = ' ';
    return title;
}

/* Whether there is any number at a time. */
static bool export_has_any(const struct motion *motion, int64_t at)
{
    for (int p = 1; p < motion->n_part; p++)
        for (int i = 0; i < motion->parts[p].n; i++)
            if (!isnan(motion->parts[p].values[i * motion->n_room + at]))
                return true;
    return false;
}

/* A run that did not finish has no numbers after its end. */
static void export_cut(struct export *export)
{
    struct motion *motion = &export->motion;
    motion->n_time = motion->n_room;
    while (motion->n_time > 0 && !export_has_any(motion, motion->n_time - 1))
        motion->n_time--;
    export->request->n_time = motion->n_time;
    export->request->n_all = motion->n_room;
}

static enum ml_status export_refuse_columns(const struct export *export)
{
    struct ml_array_info info = {.size = sizeof info};
    char *names = NULL;
    size_t size;
    FILE *to = open_memstream(&names, &size);
    for (int i = 0; to && ml_result_dataset(export->result, i, &info); i++)
        if (export_is_over(export, &info))
            (void)fprintf(to, "%s %s", ftell(to) > 0 ? "," : "", ml_result_name(&info));
    const bool is_whole = to && fclose(to) == 0;
    const enum ml_status status =
        ml_fail(export->err, ML_E_INPUT,
                "manylink export: --columns %s: no such column; there are:%s\n"
                "One component of several is NAME/COMPONENT",
                export->request->columns, is_whole ? names : "");
    free(names);
    return status;
}

static enum ml_status export_read(struct export *export)
{
    struct ml_array_info info = {.size = sizeof info};
    char path[64];
    (void)snprintf(path, sizeof path, "%s%s", export->group, export->request->over);
    if (!ml_result_find(export->result, path, &info) && strcmp(export->request->over, "time") != 0)
        return ml_fail(export->err, ML_E_INPUT,
                       "%s: cannot export cycles: the result has none; give the study\n"
                       "    inverse: {cycles: {of: LOAD}}",
                       export->request->path);
    if (!ml_result_find(export->result, path, &info) || info.rank != 1)
        return ML_E_FILE;
    export->motion.n_room = info.shape[0];
    enum ml_status status = export_add_part(export, &info);
    for (int i = 0; status == ML_OK && ml_result_dataset(export->result, i, &info); i++)
        if (strcmp(ml_result_name(&info), export->request->over) != 0 &&
            export_is_over(export, &info))
            status = export_add_part(export, &info);
    if (status == ML_OK && export->motion.n_part < 2)
        return export_refuse_columns(export);
    if (status == ML_OK)
        export_cut(export);
    return status;
}

/* Every name of --columns stands for something. */
static enum ml_status export_check_columns(const struct export *export)
{
    const struct motion *motion = &export->motion;
    const char *names = export->request->columns;
    while (names && *names) {
        const size_t length = strcspn(names, ",");
        bool is_known = false;
        for (int p = 0; p < motion->n_part; p++)
            for (int i = 0; i < motion->parts[p].n; i++) {
                const char *column = motion->parts[p].columns[i], *name = motion->parts[p].name;
                is_known = is_known ||
                           (strlen(column) == length && !strncmp(column, names, length)) ||
                           (strlen(name) == length && !strncmp(name, names, length));
            }
        if (!is_known)
            return export_refuse_columns(export);
        names += length + (names[length] == ',');
    }
    return ML_OK;
}

/* Writes the temporary file and renames it. */
static enum ml_status export_write_as(struct export *export, const char *temporary)
{
    const struct export_request *request = export->request;
    FILE *file = fopen(temporary, "wbx");
    bool fits = true, is_written = false;
    enum ml_status status = ML_OK;
    if (file && request->is_summary)
        status = summary_write_mat(file, export->result, export->motion.title, &fits, export->err);
    else if (file)
        fits = request->format->write(file, &export->motion);
    if (file) {
        is_written = fits && status == ML_OK && !ferror(file);
        is_written = fclose(file) == 0 && is_written && rename(temporary, request->output) == 0;
    }
    if (!fits)
        status = ml_fail(export->err, ML_E_INPUT, "%s: a %s file holds %s%s", request->output,
                         request->format->ending, request->format->limit,
                         request->is_summary ? "" : ": choose --columns");
    else if (status == ML_OK && !is_written)
        status = ml_fail(export->err, ML_E_FILE, "%s: cannot write the file: %s", request->output,
                         strerror(errno));
    if (file && !is_written)
        (void)unlink(temporary);
    return status;
}

static enum ml_status export_write(struct export *export)
{
    const char *output = export->request->output;
    const size_t size = strlen(output) + 32;
    char *temporary = malloc(size);
    if (!temporary)
        return ML_E_MEMORY;
    (void)snprintf(temporary, size, "%s.%ld.tmp", output, (long)getpid());
    const enum ml_status status = export_write_as(export, temporary);
    free(temporary);
    return status;
}

enum ml_status motion_write(const char *output, struct motion *motion, struct ml_error *err)
{
    struct export_request request = {.output = output, .format = motion_format_of(output)};
    struct export export = {.request = &request, .err = err, .motion = *motion};
    return export_write(&export);
}

static void export_free(struct export *export)
{
    struct motion *motion = &export->motion;
    for (int p = 0; p < motion->n_part; p++) {
        for (int i = 0; i < motion->parts[p].n; i++)
            free(motion->parts[p].columns[i]);
        free(motion->parts[p].columns);
        free(motion->parts[p].values);
    }
    free(motion->parts);
    free(motion->title);
}

enum ml_status export_file(struct export_request *request, struct ml_error *err)
{
    struct export export = {.request = request, .result = request->result, .err = err};
    request->n_time = request->n_all = 0;
    export.motion.title = export_title(&export);
    enum ml_status status = export.motion.title ? ML_OK : ML_E_MEMORY;
    if (status == ML_OK && !request->is_summary)
        status = export_find(&export);
    if (status == ML_OK && !request->is_summary)
        status = export_read(&export);
    if (status == ML_OK && !request->is_summary)
        status = export_check_columns(&export);
    if (status == ML_OK)
        status = export_write(&export);
    export_free(&export);
    return err->count > 0 ? status
           : status == ML_OK
               ? ML_OK
               : ml_fail(err, status, "%s: %s", request->path, ml_status_text(status));
}
