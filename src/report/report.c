/* Puts a page together: its own files, and in their places the head and the numbers of a result. */
#include "manylink/report.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "base/atomic_file.h"
#include "base/open.h"
#include "base/path.h"
#include "base/sized.h"
#include "manylink/fail.h"
#include "report/parts.h"

struct report_page {
    const struct ml_report_options *options;
    const struct ml_report_parts *parts, *other; /* other: NULL without a second result */
    FILE *file;
    struct ml_error *err;
};

static const struct ml_report_file *page_find(const char *name, size_t length)
{
    for (const struct ml_report_file *file = ml_report_files; file->name; file++)
        if (strlen(file->name) == length && strncmp(file->name, name, length) == 0)
            return file;
    return NULL;
}

static void page_write_lines(const struct report_page *page, const struct ml_report_file *file)
{
    for (const char *const *line = file->lines; *line; line++)
        (void)fprintf(page->file, "%s\n", *line);
}

/* Blocks of numbers: of the result, of the second result, and the second less the first. */
enum page_numbers { PAGE_OWN, PAGE_OTHER, PAGE_DIFFERENCE, PAGE_N_NUMBERS };

static const char *const page_prefixes[PAGE_N_NUMBERS] = {"", "other-", "difference-"};

/* In the page of a single result nothing stands for blocks of the second. */
static enum ml_status page_write_block(const struct report_page *page, enum page_numbers of,
                                       enum ml_report_place place)
{
    if (of == PAGE_OWN)
        return ml_report_block_write(page->parts, place, page->file, page->err);
    if (!page->other)
        return ML_OK;
    struct ml_report_parts other = *page->other;
    other.less = of == PAGE_DIFFERENCE ? page->parts : NULL;
    return ml_report_block_write(&other, place, page->file, page->err);
}

/* What stands for a line "<!-- put NAME -->": a file of the page, a block of numbers or the head.
 */
static enum ml_status page_write_part(const struct report_page *page, const char *name,
                                      size_t length)
{
    const struct ml_report_file *file = page_find(name, length);
    if (file) {
        page_write_lines(page, file);
        return ML_OK;
    }
    for (int of = 0; of < PAGE_N_NUMBERS; of++)
        for (int i = ML_REPORT_FIRST; i < ML_REPORT_N_PLACE; i++) {
            const size_t prefix = strlen(page_prefixes[of]);
            if (length == prefix + strlen(ml_report_places[i]) &&
                strncmp(name, page_prefixes[of], prefix) == 0 &&
                strncmp(name + prefix, ml_report_places[i], length - prefix) == 0)
                return page_write_block(page, (enum page_numbers)of, (enum ml_report_place)i);
        }
    return ml_report_head_write(page->parts, page->other ? page->other->result : NULL,
                                page->options, page->file, page->err);
}

static enum ml_status page_write(const struct report_page *page)
{
    static const char mark[] = "<!-- put ";
    const struct ml_report_file *html = page_find("page.html", strlen("page.html"));
    enum ml_status status = ML_OK;
    for (const char *const *line = html->lines; *line && status == ML_OK; line++) {
        const char *name = *line + sizeof mark - 1;
        if (strncmp(*line, mark, sizeof mark - 1) == 0)
            status = page_write_part(page, name, strcspn(name, " "));
        else
            (void)fprintf(page->file, "%s\n", *line);
    }
    return status;
}

/* An ml_make_fn. */
static enum ml_status page_make(void *context, const char *path, struct ml_error *err)
{
    struct report_page *page = context;
    page->file = fopen(path, "wb");
    if (!page->file)
        return ml_fail(err, ML_E_FILE, "%s: cannot be made: %s", path, ml_open_reason(errno));
    enum ml_status status = page_write(page);
    const bool is_whole = !ferror(page->file);
    if ((fclose(page->file) != 0 || !is_whole) && status == ML_OK)
        status = ml_fail(err, ML_E_FILE, "%s: cannot be written: %s", path, strerror(errno));
    return status;
}

/* A page does not take the place of its result, nor of what is no file. */
static enum ml_status page_check(const struct ml_report_options *options, struct ml_error *err)
{
    struct stat output;
    if (stat(options->output, &output) != 0)
        return ML_OK;
    if (ml_path_is_same(options->result, options->output) ||
        (options->other && ml_path_is_same(options->other, options->output)))
        return ml_fail(err, ML_E_INPUT,
                       "%s: is the result itself; give the page another name with -o",
                       options->output);
    return S_ISREG(output.st_mode)
               ? ML_OK
               : ml_fail(err, ML_E_INPUT, "%s: is not an ordinary file", options->output);
}

/* The dataset that a result of each kind has. */
static bool report_has(struct ml_result *result, const char *dataset)
{
    struct ml_array_info info = {.size = sizeof info};
    return ml_result_find(result, dataset, &info);
}

/* Whether a result has runs, or torques: numbers that a second result may have too. */
static bool report_is_of_runs(struct ml_result *result)
{
    return report_has(result, "runs/run") || report_has(result, "inverse/torque");
}

static enum ml_status report_check_kind(struct ml_result *result, const char *path,
                                        struct ml_error *err)
{
    return report_is_of_runs(result) || report_has(result, "fit/estimate") ||
                   report_has(result, "precision/error")
               ? ML_OK
               : ml_fail(err, ML_E_INPUT,
                         "%s: has nothing for a page to show: pages are of results of `run`, "
                         "`inverse`, `fit` and `compare`",
                         path);
}

/* Runs whose motion is put into a page unless asked otherwise: of those that were kept. */
enum { REPORT_MOTIONS = 64 };

/* What is put into a page, and the page. */
struct report {
    const struct ml_report_options *options;
    struct ml_result *result, *other; /* other: the second one; NULL */
    struct ml_report_motions computed;
    struct ml_report_parts parts, other_parts; /* other_parts: those of `parts`, of the other */
};

/* Whether runs are computed again: of a run's result that has no motions. */
static bool report_computes(const struct report *r)
{
    return r->options->motions > 0 && ml_report_parts_kept(r->result) == 0 &&
           report_has(r->result, "runs/steps");
}

static enum ml_status report_gather(struct report *r, struct ml_error *err)
{
    const int64_t asked = r->options->motions;
    enum ml_status status = ml_result_open(r->options->result, &r->result, err);
    if (status == ML_OK)
        status = report_check_kind(r->result, r->options->result, err);
    if (status == ML_OK && report_computes(r))
        status = ml_report_motions_compute(r->result, asked, r->options, &r->computed, err);
    return status == ML_OK ? ml_report_parts_find(r->result,
                                                  asked == 0  ? REPORT_MOTIONS
                                                  : asked < 0 ? 0
                                                              : asked,
                                                  &r->computed, &r->parts)
                           : status;
}

/* The second result, with the same parts. */
static enum ml_status report_gather_other(struct report *r, struct ml_error *err)
{
    enum ml_status status = ml_result_open(r->options->other, &r->other, err);
    for (int i = 0; i < 2 && status == ML_OK; i++)
        if (!report_is_of_runs(i == 0 ? r->result : r->other))
            status = ml_fail(err, ML_E_INPUT,
                             "%s: has neither runs nor torques: pages of two results are of these",
                             i == 0 ? r->options->result : r->options->other);
    r->other_parts = r->parts;
    r->other_parts.result = r->other;
    return status == ML_OK ? ml_report_compare(&r->parts, &r->other_parts, err) : status;
}

static enum ml_status report_make(struct report *r, struct ml_report_made *made,
                                  struct ml_error *err)
{
    const struct ml_report_parts *parts = &r->parts;
    enum ml_status status = page_check(r->options, err);
    if (status == ML_OK)
        status = report_gather(r, err);
    if (status == ML_OK && r->options->other)
        status = report_gather_other(r, err);
    if (status != ML_OK)
        return status;
    struct report_page page = {.options = r->options,
                               .parts = parts,
                               .other = r->other ? &r->other_parts : NULL,
                               .err = err};
    const int64_t times = (parts->n_time + parts->every - 1) / parts->every;
    *made = (struct ml_report_made){
        .kept = parts->n_kept,
        .motions = parts->n_motion + r->computed.n_run,
        .times = r->computed.n_run > 0 ? r->computed.n_time
                 : parts->n_motion > 0 ? times
                                       : 0,
        .every = parts->every,
        .left_out = parts->n_left_out,
        .computed = r->computed.n_run,
    };
    return ml_atomic_file_make(r->options->output, page_make, &page, err);
}

enum ml_status ml_report(const struct ml_report_options *given, struct ml_report_made *made,
                         struct ml_error *err)
{
    struct ml_report_options options;
    struct ml_report_made own = {0};
    enum ml_status status =
        ml_sized_read(&options, sizeof options, given, "ml_report_options", err);
    if (status == ML_OK)
        status = ml_sized_check(made, "ml_report_made", err);
    if (status != ML_OK)
        return status;
    if (!options.result || !options.output)
        return ml_fail(err, ML_E_INPUT, "struct ml_report_options: `%s` is not given",
                       options.result ? "output" : "result");
    struct report r = {.options = &options};
    status = report_make(&r, &own, err);
    ml_report_parts_free(&r.parts);
    ml_report_motions_free(&r.computed);
    ml_result_free(r.result);
    ml_result_free(r.other);
    if (status == ML_OK)
        ml_sized_write(made, &own, sizeof own);
    return status;
}
