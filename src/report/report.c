/* Puts a page together: its own files, and in their places the head and the numbers of a result. */
#include "report/report.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "base/atomic_file.h"
#include "base/fail.h"
#include "base/open.h"
#include "report/block.h"
#include "report/head.h"
#include "report/page.h"

struct page {
    const struct ml_report_request *request;
    const struct ml_report_parts *parts;
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

static void page_put_lines(const struct page *page, const struct ml_report_file *file)
{
    for (const char *const *line = file->lines; *line; line++)
        (void)fprintf(page->file, "%s\n", *line);
}

/* What stands for a line "<!-- put NAME -->". */
static enum ml_status page_put(const struct page *page, const char *name, size_t length)
{
    const struct ml_report_file *file = page_find(name, length);
    if (file)
        page_put_lines(page, file);
    else if (strncmp(name, "head", length) == 0)
        return ml_report_head_write(page->parts, page->request->result, page->file, page->err);
    else
        return ml_report_block_write(
            page->parts,
            strncmp(name, "numbers", length) == 0 ? ML_REPORT_NUMBERS : ML_REPORT_MOTIONS_BLOCK,
            page->file, page->err);
    return ML_OK;
}

static enum ml_status page_write(const struct page *page)
{
    static const char mark[] = "<!-- put ";
    const struct ml_report_file *html = page_find("page.html", strlen("page.html"));
    enum ml_status status = ML_OK;
    for (const char *const *line = html->lines; *line && status == ML_OK; line++) {
        const char *name = *line + sizeof mark - 1;
        if (strncmp(*line, mark, sizeof mark - 1) == 0)
            status = page_put(page, name, strcspn(name, " "));
        else
            (void)fprintf(page->file, "%s\n", *line);
    }
    return status;
}

/* An ml_make_fn. */
static enum ml_status page_make(void *context, const char *path, struct ml_error *err)
{
    struct page *page = context;
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
static enum ml_status page_check(const struct ml_report_request *request, struct ml_error *err)
{
    struct stat result, output;
    if (stat(request->output, &output) != 0)
        return ML_OK;
    if (stat(request->result, &result) == 0 && result.st_dev == output.st_dev &&
        result.st_ino == output.st_ino)
        return ml_fail(err, ML_E_INPUT,
                       "%s: is the result itself; give the page another name with -o",
                       request->output);
    return S_ISREG(output.st_mode)
               ? ML_OK
               : ml_fail(err, ML_E_INPUT, "%s: is not an ordinary file", request->output);
}

enum ml_status ml_report(const struct ml_report_request *request, struct ml_report_made *made,
                         struct ml_error *err)
{
    struct ml_result *result = NULL;
    struct ml_report_parts parts = {0};
    enum ml_status status = page_check(request, err);
    if (status == ML_OK)
        status = ml_result_open(request->result, &result, err);
    if (status == ML_OK)
        status = ml_report_parts_find(result, request->motions, &parts, err);
    if (status == ML_OK) {
        struct page page = {.request = request, .parts = &parts, .err = err};
        status = ml_atomic_file_make(request->output, page_make, &page, err);
    }
    if (status == ML_OK)
        *made = (struct ml_report_made){parts.n_kept, parts.n_motion, parts.n_left_out};
    ml_report_parts_free(&parts);
    ml_result_free(result);
    return status;
}
