/* manylink report: a result as one HTML page to explore. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "cli/say.h"
#include "report/report.h"

/* "results/first.h5" -> "results/first.html" */
static char *default_page(const char *result)
{
    const char *slash = strrchr(result, '/'), *name = slash ? slash + 1 : result;
    const char *dot = strrchr(name, '.');
    const size_t length = dot && dot > name ? (size_t)(dot - result) : strlen(result);
    char *page = malloc(length + sizeof ".html");
    if (page)
        (void)sprintf(page, "%.*s.html", (int)length, result);
    return page;
}

int command_report(const struct command_line *line)
{
    char *own = line->output ? NULL : default_page(line->arguments[0]);
    const struct ml_report_request request = {
        .result = line->arguments[0],
        .output = own ? own : line->output,
        .motions = line->motions,
    };
    struct ml_report_made made;
    struct ml_error err = {0};
    int code = EXIT_FAILED;
    if (request.output && ml_report(&request, &made, &err) == ML_OK) {
        say(stdout, "%s\n", request.output);
        if (made.n_left_out > 0)
            say(stderr, "left out: %d datasets, too large for a page\n", made.n_left_out);
        if (made.n_motion < made.n_kept)
            say(stderr, "motions of %lld of the %lld runs that were kept; --motions N for more\n",
                (long long)made.n_motion, (long long)made.n_kept);
        code = EXIT_DONE;
    } else if (request.output) {
        code = fail_with(&err);
    }
    free(own);
    return code;
}
