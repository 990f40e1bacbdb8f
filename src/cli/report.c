/* manylink report: a result as one HTML page to explore. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "cli/signals.h"
#include "manylink/report.h"

/* "results/first.h5" -> "results/first.html" */
static char *default_page(const char *result)
{
    const char *slash = strrchr(result, '/'), *name = slash ? slash + 1 : result;
    const char *dot = strrchr(name, '.');
    const size_t length = dot && dot > name ? (size_t)(dot - result) : strlen(result);
    return take_text("%.*s.html", (int)length, result);
}

/* Prints which datasets and motions the page has, and which not. */
static void report_print_page(const char *page, const struct ml_report_made *made)
{
    say(stdout, "%s\n", page);
    if (made->left_out > 0)
        say(stderr, "left out: %lld datasets, too large for a page\n", (long long)made->left_out);
    if (made->computed > 0)
        say(stderr, "motions of %lld runs, computed again\n", (long long)made->computed);
    else if (made->motions < made->kept)
        say(stderr, "motions of %lld of the %lld runs that were kept; --motions N for more\n",
            (long long)made->motions, (long long)made->kept);
}

int command_report(const struct command_line *line)
{
    char *own = line->output ? NULL : default_page(line->arguments[0]);
    const int64_t motions = line->page.motions;
    const struct ml_report_options options = {
        .size = sizeof options,
        .result = line->arguments[0],
        .output = own ? own : line->output,
        .motions = motions < 0    ? 0
                   : motions == 0 ? -1
                                  : motions,
        .n_thread = (int)line->threads,
        .study = line->study,
        .plugin = line->plugin,
        .no_native = line->no_native,
        .stop = count_signals,
        .paths = line->page.paths,
        .other = line->n_argument > 1 ? line->arguments[1] : NULL,
    };
    struct ml_report_made made = {.size = sizeof made};
    struct ml_error err = {0};
    catch_signals("\nstopping\n");
    const enum ml_status status = ml_report(&options, &made, &err);
    if (status == ML_OK)
        report_print_page(options.output, &made);
    free(own);
    return status == ML_OK ? EXIT_DONE : fail_with(&err);
}
