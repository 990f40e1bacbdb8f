/* Opens a result for plotting, and keeps memory, errors and datasets that several pictures need. */
#include "plot/source.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/text.h"
#include "manylink/fail.h"
#include "manylink/outcome.h"
#include "plan/datasets.h"

void *ml_plot_take(struct ml_plot_source *source, unsigned long long count, size_t size)
{
    void *piece = ml_pool_take(&source->pool, (size_t)count, size);
    if (!piece)
        ml_plot_fail(source, ML_E_MEMORY, "%s: out of memory", source->path);
    return piece;
}

/* printf into the pool. */
static const char *format_into(struct ml_pool *pool, const char *format, va_list args)
{
    char *text = ml_vformat(format, args);
    const char *kept = text ? ml_pool_text(pool, text, strlen(text)) : NULL;
    free(text);
    return kept;
}

bool ml_plot_is_stopped(struct ml_plot_source *source)
{
    const bool is_stopped = ml_stop_level(source->stop) > 0;
    if (is_stopped)
        ml_plot_fail(source, ML_STOPPED, "stopped; there is no new picture");
    return is_stopped;
}

const char *ml_plot_format(struct ml_plot_source *source, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const char *text = format_into(&source->pool, format, args);
    va_end(args);
    if (!text)
        ml_plot_fail(source, ML_E_MEMORY, "%s: out of memory", source->path);
    return text ? text : "";
}

/* before: "PATH: ", or "" */
static void fail_by(struct ml_plot_source *source, enum ml_status status, const char *path,
                    const char *format, va_list args)
{
    if (source->status != ML_OK)
        return;
    const char *text = format_into(&source->pool, format, args);
    source->status = ml_fail(source->err, status, "%s%s%s", path, *path ? ": " : "",
                             text ? text : ml_status_text(status));
}

void ml_plot_fail(struct ml_plot_source *source, enum ml_status status, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fail_by(source, status, "", format, args);
    va_end(args);
}

void ml_plot_refuse(struct ml_plot_source *source, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fail_by(source, ML_E_INPUT, source->path, format, args);
    va_end(args);
}

void ml_plot_allow(struct ml_plot_words *words, const char *word)
{
    const char *longer =
        ml_pool_format(words->pool, "%s%s%s", words->all, *words->all ? ", " : "", word);
    const char *kept = ml_pool_text(words->pool, word, strlen(word));
    if (!longer || !kept)
        return;
    words->all = longer;
    ml_nearest_offer(&words->nearest, kept);
}

const char *ml_plot_hint(const struct ml_plot_words *words)
{
    const char *hint = words->nearest.best
                           ? ml_pool_format(words->pool, "did you mean `%s`? There are: %s",
                                            words->nearest.best, words->all)
                           : ml_pool_format(words->pool, "there are: %s", words->all);
    return hint ? hint : words->all;
}

bool ml_plot_describe(const struct ml_plot_source *source, const char *group, const char *name,
                      struct ml_array_info *info)
{
    char path[1024];
    const int length = snprintf(path, sizeof path, "%s/%s", group, name);
    info->size = sizeof *info;
    return source->status == ML_OK && length > 0 && (size_t)length < sizeof path && *name &&
           !strchr(name, '/') && ml_result_find(source->result, path, info);
}

const char *ml_plot_member(const struct ml_plot_source *source, const char *group, int i,
                           struct ml_array_info *info)
{
    const size_t length = strlen(group);
    info->size = sizeof *info;
    for (int k = 0; source->status == ML_OK && ml_result_dataset(source->result, k, info); k++)
        if (strncmp(info->name, group, length) == 0 && info->name[length] == '/' && i-- == 0)
            return info->name + length + 1;
    return NULL;
}

bool ml_plot_has_numbers(const struct ml_array_info *info)
{
    const char *slash = strrchr(info->name, '/');
    const bool is_scale = info->rank == 1 && slash && strcmp(info->dim[0], slash + 1) == 0;
    return info->type != ML_ARRAY_TEXT && !is_scale;
}

double *ml_plot_numbers(struct ml_plot_source *source, const char *path, unsigned long long n)
{
    double *values = ml_plot_take(source, n, sizeof *values);
    if (source->status == ML_OK)
        source->status =
            ml_result_read(source->result, path, NULL, NULL, values, (size_t)n, source->err);
    return source->status == ML_OK ? values : NULL;
}

const char *ml_plot_attribute(struct ml_plot_source *source, const char *path, const char *name,
                              const char *other)
{
    struct ml_error err = {0};
    const char *text = NULL;
    if (source->status != ML_OK)
        return other;
    const enum ml_status status = ml_result_attribute(source->result, path, name, 0, &text, &err);
    if (status != ML_OK && status != ML_E_INPUT) /* else: nothing is at the path */
        ml_plot_fail(source, status, "%s", err.text ? err.text : ml_status_text(status));
    ml_error_clear(&err);
    return text ? text : other;
}

const char *ml_plot_label(struct ml_plot_source *source, const char *path, const char *name,
                          const char *unit)
{
    const char *own = ml_plot_attribute(source, path, "long_name", NULL);
    return own ? own : ml_plot_format(source, "%s%s", name, ml_unit_text(" (", unit, ")").text);
}

/* A result that is still on its way is a folder of parts. */
static bool is_unfinished(struct ml_plot_source *source)
{
    struct stat about;
    const char *parts = ml_plot_format(source, "%s.parts", source->path);
    return stat(source->path, &about) != 0 && stat(parts, &about) == 0 && S_ISDIR(about.st_mode);
}

/* Numbers along the first n dimensions of a dataset. */
static unsigned long long product(const struct ml_array_info *info, int n)
{
    unsigned long long all = 1;
    for (int k = 0; k < n; k++)
        all *= (unsigned long long)info->shape[k];
    return all;
}

void ml_plot_open(struct ml_plot_source *source, const struct ml_plot_options *request,
                  struct ml_error *err)
{
    struct ml_array_info info;
    *source = (struct ml_plot_source){.path = request->result, .err = err, .title = ""};
    if (is_unfinished(source))
        ml_plot_fail(source, ML_E_FILE,
                     "%s: cannot draw a result that is not finished; the command that began "
                     "its runs continues them",
                     source->path);
    if (source->status == ML_OK)
        source->status = (request->may_be_changed ? ml_result_open_changed : ml_result_open)(
            request->result, &source->result, err);
    if (source->status == ML_OK)
        source->status = ml_result_text(source->result, "title", 0, &source->title, err);
    if (source->status != ML_OK)
        return;
    source->is_inverse = ml_plot_describe(source, "inverse", "torque", &info) ||
                         ml_plot_describe(source, "fit", "comparison", &info);
    const bool has_runs = !source->is_inverse && ml_plot_describe(source, "runs", "outcome", &info);
    source->n_run = has_runs ? product(&info, info.rank) : 0;
    if (source->is_inverse)
        source->n_run = product(&info, info.n_run_dim);
    source->is_comparison = !has_runs && ml_plot_describe(source, "precision", "error", &info);
    if (!has_runs && !source->is_inverse && !source->is_comparison)
        ml_plot_fail(source, ML_E_FILE, "%s: has no dataset /study/runs/outcome", source->path);
}

enum ml_status ml_plot_close(struct ml_plot_source *source)
{
    ml_result_free(source->result);
    ml_pool_free(&source->pool);
    return source->status;
}

/* [n_run] whole numbers of a dataset of the runs; of an inverse result each is its row or 0. */
static int64_t *source_read_runs(struct ml_plot_source *source, const char *path)
{
    int64_t *numbers = ml_plot_take(source, source->n_run, sizeof *numbers);
    if (source->status == ML_OK && !source->is_inverse)
        source->status = ml_result_read_int64(source->result, path, NULL, NULL, numbers,
                                              (size_t)source->n_run, source->err);
    return source->status == ML_OK ? numbers : NULL;
}

const int64_t *ml_plot_outcomes(struct ml_plot_source *source)
{
    if (!source->outcomes)
        source->outcomes = source_read_runs(source, "runs/outcome");
    for (unsigned long long i = 0; source->outcomes && i < source->n_run; i++)
        if (source->outcomes[i] < 0 || source->outcomes[i] >= ML_N_OUTCOME) {
            ml_plot_fail(source, ML_E_FILE,
                         "%s: the outcome in row %llu is %lld; there are 0 to %d", source->path, i,
                         (long long)source->outcomes[i], ML_N_OUTCOME - 1);
            return NULL;
        }
    return source->outcomes;
}

const int64_t *ml_plot_run_numbers(struct ml_plot_source *source)
{
    int64_t *numbers = source_read_runs(source, "runs/run");
    for (unsigned long long i = 0; numbers && source->is_inverse && i < source->n_run; i++)
        numbers[i] = (int64_t)i;
    return numbers;
}

unsigned long long ml_plot_row(struct ml_plot_source *source, unsigned long long run)
{
    const int64_t *numbers = ml_plot_run_numbers(source);
    for (unsigned long long row = 0; numbers && row < source->n_run; row++)
        if (numbers[row] >= 0 && (unsigned long long)numbers[row] == run)
            return row;
    if (numbers)
        ml_plot_refuse(source, "there is no run %llu; they count from %lld to %lld", run,
                       (long long)numbers[0], (long long)numbers[source->n_run - 1]);
    return 0;
}

bool ml_plot_is_swept(const struct ml_plot_source *source, const char *name)
{
    struct ml_array_info info;
    return !ml_dataset_is_run_column(name) && ml_plot_describe(source, "runs", name, &info);
}

const double *ml_plot_swept_values(struct ml_plot_source *source, const char *name)
{
    return ml_plot_numbers(source, ml_plot_format(source, "runs/%s", name), source->n_run);
}

const char *ml_plot_swept(struct ml_plot_source *source, unsigned long long row)
{
    struct ml_array_info info;
    const char *text = "", *name;
    const int64_t start[] = {(int64_t)row}, one[] = {1};
    double value = 0.0;
    for (int i = 0; (name = ml_plot_member(source, "runs", i, &info)); i++) {
        if (!ml_plot_is_swept(source, name))
            continue;
        source->status =
            ml_result_read(source->result, info.name, start, one, &value, 1, source->err);
        text = ml_plot_format(source, "%s%s%s = %.6g%s", text, *text ? "; " : "", name, value,
                              ml_unit_text(" ", info.unit, "").text);
    }
    return text;
}
