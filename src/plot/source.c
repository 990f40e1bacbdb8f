/* Opens a result for plotting, and keeps memory, errors and datasets that several pictures need. */
#include "plot/source.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/fail.h"
#include "base/path.h"
#include "plan/shown.h"
#include "store/result_h5.h"

void *ml_plot_take(struct ml_plot_source *source, unsigned long long count, size_t size)
{
    void *piece = ml_pool_take(&source->pool, (size_t)count, size);
    if (!piece)
        ml_h5_fail(&source->h5, ML_E_MEMORY, "out of memory");
    return piece;
}

/* printf into the pool. */
static const char *format_into(struct ml_pool *pool, const char *format, va_list args)
{
    va_list again;
    va_copy(again, args);
    int length = vsnprintf(NULL, 0, format, again);
    va_end(again);
    char *text = length < 0 ? NULL : ml_pool_take(pool, (size_t)length + 1, 1);
    if (text)
        (void)vsnprintf(text, (size_t)length + 1, format, args);
    return text;
}

bool ml_plot_is_stopped(struct ml_plot_source *source)
{
    const bool is_stopped = ml_stop_level(source->stop) > 0;
    if (is_stopped && source->h5.status == ML_OK)
        source->h5.status = ml_fail(source->h5.err, ML_STOPPED, "stopped; there is no new picture");
    return is_stopped;
}

const char *ml_plot_format(struct ml_plot_source *source, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const char *text = format_into(&source->pool, format, args);
    va_end(args);
    if (!text)
        ml_h5_fail(&source->h5, ML_E_MEMORY, "out of memory");
    return text ? text : "";
}

void ml_plot_refuse(struct ml_plot_source *source, const char *format, ...)
{
    if (source->h5.status != ML_OK)
        return;
    va_list args;
    va_start(args, format);
    const char *text = format_into(&source->pool, format, args);
    va_end(args);
    source->h5.status = ml_fail(source->h5.err, ML_E_INPUT, "%s: %s", source->h5.path,
                                text ? text : ml_status_text(ML_E_INPUT));
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

const char *ml_plot_attribute(struct ml_plot_source *source, hid_t at, const char *name,
                              const char *other)
{
    char *text = ml_h5_find_text(&source->h5, at, name);
    const char *kept = text ? ml_plot_format(source, "%s", text) : other;
    free(text);
    return kept;
}

/* A result that is still on its way is a folder of parts. */
static bool is_unfinished(struct ml_plot_source *source, const char *path)
{
    struct stat about;
    const char *parts = ml_plot_format(source, "%s.parts", path);
    return stat(path, &about) != 0 && stat(parts, &about) == 0 && S_ISDIR(about.st_mode);
}

static unsigned long long source_count_runs(struct ml_plot_source *source)
{
    unsigned long long n;
    (void)H5Dclose(ml_result_h5_outcomes(&source->h5, source->file, &n));
    return n;
}

/* Of an inverse result: all dimensions of the torques but the joint and the time. */
static unsigned long long count_points(struct ml_plot_source *source)
{
    unsigned long long n = 1;
    hid_t id = ml_h5_open_dataset(&source->h5, source->file, "/study/inverse/torque");
    const struct ml_extent extent = ml_h5_extent(&source->h5, id);
    for (int k = 0; k < source->run_dims.n && k < extent.rank; k++)
        n *= extent.size[k];
    (void)H5Dclose(id);
    return n;
}

void ml_plot_open(struct ml_plot_source *source, const struct ml_plot_request *request,
                  struct ml_error *err)
{
    *source = (struct ml_plot_source){.file = -1, .title = ""};
    ml_h5_begin(&source->h5, request->result, err);
    if (is_unfinished(source, request->result))
        ml_h5_fail(&source->h5, ML_E_FILE,
                   "is not finished: its parts are there; the run that makes them goes on when it "
                   "is started again");
    source->file = ml_result_h5_open(&source->h5, request->may_be_changed);
    char *title = ml_h5_read_text(&source->h5, source->file, "/study/title");
    if (title)
        source->title = ml_plot_format(source, "%s", title);
    free(title);
    source->is_inverse = source->h5.status == ML_OK && !ml_h5_has(source->file, "/study/runs") &&
                         ml_h5_has(source->file, "/study/inverse/torque");
    source->is_comparison = source->h5.status == ML_OK && !ml_h5_has(source->file, "/study/runs") &&
                            ml_h5_has(source->file, "/study/precision");
    if (source->is_comparison)
        return;
    ml_run_dims_find(&source->h5, source->file, source->is_inverse ? "inverse" : "summary",
                     &source->run_dims);
    source->n_run = source->is_inverse ? count_points(source) : source_count_runs(source);
}

enum ml_status ml_plot_close(struct ml_plot_source *source)
{
    ml_h5_close(&source->h5, source->file);
    ml_pool_free(&source->pool);
    return ml_h5_end(&source->h5);
}

const int8_t *ml_plot_outcomes(struct ml_plot_source *source)
{
    struct ml_h5 *h5 = &source->h5;
    int8_t *outcomes = ml_plot_take(source, source->n_run, 1);
    if (h5->status != ML_OK || source->is_inverse) /* as taken: 0, finished */
        return h5->status == ML_OK ? outcomes : NULL;
    unsigned long long n;
    hid_t id = ml_result_h5_outcomes(h5, source->file, &n);
    ml_result_h5_read_outcomes(h5, id, n, 0, source->n_run, outcomes);
    (void)H5Dclose(id);
    return h5->status == ML_OK ? outcomes : NULL;
}

const int64_t *ml_plot_run_numbers(struct ml_plot_source *source)
{
    struct ml_h5 *h5 = &source->h5;
    const struct ml_extent runs = {.rank = 1, .size = {source->n_run}};
    int64_t *numbers = ml_plot_take(source, source->n_run, sizeof *numbers);
    for (unsigned long long i = 0; numbers && source->is_inverse && i < source->n_run; i++)
        numbers[i] = (int64_t)i;
    if (source->is_inverse)
        return numbers;
    hid_t id = ml_h5_open_dataset(h5, source->file, "/study/runs/run");
    ml_h5_read_range(h5, id, &runs, H5T_NATIVE_INT64, 0, source->n_run, numbers);
    (void)H5Dclose(id);
    return h5->status == ML_OK ? numbers : NULL;
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

bool ml_plot_is_swept(struct ml_plot_source *source, const char *name)
{
    static const char *const others[] = {"run", "outcome", "end_time", "steps"};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        if (strcmp(name, others[i]) == 0)
            return false;
    if (source->is_inverse)
        return false;
    hid_t group = ml_h5_find_group(&source->h5, source->file, "/study/runs");
    hid_t id = ml_h5_find_dataset(&source->h5, group, name);
    if (id >= 0)
        (void)H5Dclose(id);
    if (group >= 0)
        (void)H5Gclose(group);
    return id >= 0;
}

const double *ml_plot_swept_values(struct ml_plot_source *source, const char *name)
{
    struct ml_h5 *h5 = &source->h5;
    const struct ml_extent runs = {.rank = 1, .size = {source->n_run}};
    double *values = ml_plot_take(source, source->n_run, sizeof *values);
    const char *path = ml_plot_format(source, "/study/runs/%s", name);
    hid_t id = ml_h5_open_dataset(h5, source->file, path);
    ml_h5_read_range(h5, id, &runs, H5T_NATIVE_DOUBLE, 0, source->n_run, values);
    (void)H5Dclose(id);
    return h5->status == ML_OK ? values : NULL;
}

/* What is swept, of one run, as far as it has been put together. */
struct swept {
    struct ml_plot_source *source;
    unsigned long long row;
    const char *text;
};

static void source_add_swept(void *context, hid_t group, const char *name, hid_t dataset)
{
    struct swept *swept = context;
    (void)group;
    if (!ml_plot_is_swept(swept->source, name))
        return;
    double value = 0.0;
    const struct ml_extent runs = {.rank = 1, .size = {swept->source->n_run}};
    ml_h5_read_range(&swept->source->h5, dataset, &runs, H5T_NATIVE_DOUBLE, swept->row, 1, &value);
    const char *unit = ml_plot_attribute(swept->source, dataset, "units", "1");
    bool has_unit = strcmp(unit, "1") != 0;
    swept->text =
        ml_plot_format(swept->source, "%s%s%s = %.6g%s%s", swept->text, *swept->text ? "; " : "",
                       name, value, has_unit ? " " : "", has_unit ? unit : "");
}

const char *ml_plot_swept(struct ml_plot_source *source, unsigned long long row)
{
    struct swept swept = {source, row, ""};
    if (source->is_inverse)
        return swept.text;
    hid_t group = ml_h5_find_group(&source->h5, source->file, "/study/runs");
    ml_h5_each_dataset(&source->h5, group, source_add_swept, &swept);
    (void)H5Gclose(group);
    return swept.text;
}
