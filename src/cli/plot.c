/* manylink plot: a picture of a result. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "cli/say.h"
#include "cli/signals.h"
#include "plot/plot.h"

/* "results/first.h5" -> "results/first.png", or "results/first-WHAT.png" */
static char *default_output(const char *result, const char *what)
{
    const char *slash = strrchr(result, '/'), *name = slash ? slash + 1 : result;
    const char *dot = strrchr(name, '.');
    int length = dot && dot > name ? (int)(dot - result) : (int)strlen(result);
    const char *dash = what ? "-" : "", *more = what ? what : "";
    size_t size = (size_t)length + strlen(more) + sizeof "-.png";
    char *output = malloc(size);
    if (output)
        (void)snprintf(output, size, "%.*s%s%s.png", length, result, dash, more);
    return output;
}

static void report(const struct ml_plot_request *request)
{
    if (request->output)
        say(stdout, "%s\n", request->output);
    else
        say(stdout, "%s/plot.gp\n", request->script);
}

/* Before it, a signal ends the process at once, and has nothing to clean up. */
static struct ml_stop begin_files(void)
{
    catch_signals("\nstopping\n");
    return (struct ml_stop){.level = count_signals};
}

int command_plot(const struct command_line *line)
{
    const char *what = line->n_argument > 1 ? line->arguments[1] : NULL;
    char *own = line->output || line->script ? NULL : default_output(line->arguments[0], what);
    const struct ml_plot_request request = {
        .result = line->arguments[0],
        .may_be_changed = line->changed,
        .what = what,
        .assigns = line->at.words,
        .n_assign = line->at.n,
        .x = line->x,
        .y = line->y,
        .from = isnan(line->from) ? -(double)INFINITY : line->from,
        .to = isnan(line->to) ? (double)INFINITY : line->to,
        .run = line->run,
        .output = own ? own : line->output,
        .script = line->script,
        .begin_files = begin_files,
    };
    struct ml_error err = {0};
    int code = EXIT_FAILED;
    if ((request.output || request.script) && ml_plot(&request, &err) == ML_OK) {
        report(&request);
        code = EXIT_DONE;
    } else if (request.output || request.script) {
        code = fail_with(&err);
    }
    free(own);
    return code;
}
