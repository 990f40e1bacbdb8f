/* manylink plot: a picture of a result. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "cli/commands.h"
#include "cli/say.h"
#include "cli/signals.h"
#include "manylink/plot.h"

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

static void tell_picture(const struct ml_plot_options *options)
{
    if (options->output)
        say(stdout, "%s\n", options->output);
    else
        say(stdout, "%s/plot.gp\n", options->script);
}

/* Before it, a signal ends the process at once, and has nothing to clean up. */
static void begin_files(void *unused)
{
    (void)unused;
    catch_signals("\nstopping\n");
}

/* "3,7,9" -> [3, 7, 9], to be freed; NULL and n 0 for none. Exit code, or -1. */
static int plot_read_runs(const struct command_line *line, int64_t **runs, int *n)
{
    const long long most = 1LL << 53;
    const char *text = line->runs_drawn;
    *n = 0;
    *runs = text ? malloc(strlen(text) * sizeof **runs + sizeof **runs) : NULL;
    while (text && *runs) {
        char word[32];
        long long run;
        const size_t length = strcspn(text, ",");
        (void)snprintf(word, sizeof word, "%.*s", length < sizeof word ? (int)length : 0, text);
        if (!parse_count(word, 0, most, &run))
            return fail_usage(line->command,
                              "--run %s: a whole number from 0 on, or several of them, 3,7,9",
                              line->runs_drawn);
        (*runs)[(*n)++] = run;
        text = text[length] ? text + length + 1 : NULL;
    }
    return -1;
}

static int draw(const struct command_line *line, const int64_t *runs, int n_run)
{
    const char *what = line->n_argument > 1 ? line->arguments[1] : NULL;
    char *own = line->output || line->script ? NULL : default_output(line->arguments[0], what);
    const double part[2] = {isnan(line->from) ? -(double)INFINITY : line->from,
                            isnan(line->to) ? (double)INFINITY : line->to};
    const struct ml_plot_options options = {
        .size = sizeof options,
        .result = line->arguments[0],
        .may_be_changed = line->changed,
        .what = what,
        .assigns = line->at.words,
        .n_assign = line->at.n,
        .x = line->x,
        .y = line->y,
        .part = part,
        .runs = runs,
        .n_run = n_run,
        .by = line->by,
        .return_map = line->return_map,
        .panels = line->panels,
        .range = line->range,
        .contours = line->contours,
        .is_histogram = line->histogram,
        .has_bands = line->bands,
        .width = line->size[0],
        .height = line->size[1],
        .dpi = (int)line->dpi,
        .output = own ? own : line->output,
        .script = line->script,
        .stop = count_signals,
        .begin = begin_files,
    };
    struct ml_error err = {0};
    int code;
    if ((options.output || options.script) && ml_plot(&options, &err) == ML_OK) {
        tell_picture(&options);
        code = EXIT_DONE;
    } else if (options.output || options.script) {
        code = fail_with(&err);
    } else {
        code = fail_memory();
    }
    free(own);
    return code;
}

int command_plot(const struct command_line *line)
{
    int64_t *runs;
    int n_run, code = plot_read_runs(line, &runs, &n_run);
    if (code < 0)
        code = draw(line, runs, n_run);
    free(runs);
    return code;
}
