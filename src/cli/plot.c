/* manylink plot: a picture of a result. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "cli/signals.h"
#include "manylink/plot.h"
#include "manylink/text.h"

/* "results/first.h5" -> "results/first.png", or "results/first-NAME.png" */
static char *default_output(const char *result, const char *what)
{
    const char *slash = strrchr(result, '/'), *name = slash ? slash + 1 : result;
    const char *dot = strrchr(name, '.');
    int length = dot && dot > name ? (int)(dot - result) : (int)strlen(result);
    return take_text("%.*s%s%s.png", length, result, what ? "-" : "", what ? what : "");
}

static void report_picture(const struct ml_plot_options *options)
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

/* The next word of a list "3,7,9" at *text, which is moved past the word and its comma, NULL at the
 * end. */
static const char *plot_next_word(const char **text, char word[64])
{
    const size_t length = strcspn(*text, ",");
    (void)snprintf(word, 64, "%.*s", length < 64 ? (int)length : 0, *text);
    *text = (*text)[length] ? *text + length + 1 : NULL;
    return word;
}

/* "3,7,9" -> [3, 7, 9], to be freed; NULL and n 0 without --run. Exit code, or -1. */
static int plot_read_runs(const struct command_line *line, int64_t **runs, int *n)
{
    const long long most = 1LL << 53;
    const char *text = line->picture.runs;
    char word[64];
    *n = 0;
    *runs = text ? take(strlen(text), sizeof **runs) : NULL;
    while (text) {
        long long run;
        if (!parse_count(plot_next_word(&text, word), 0, most, &run))
            return fail_usage(line->command,
                              "--run %s: a whole number from 0 on, or several of them, 3,7,9",
                              line->picture.runs);
        (*runs)[(*n)++] = run;
    }
    return -1;
}

/* The axes and values of --at or --label, to be freed. Exit code, or -1. */
static int plot_read_at(const struct command_line *line, const struct word_list *list,
                        struct ml_plot_at **at)
{
    const bool is_at = list == &line->picture.at;
    size_t size = 1;
    for (int i = 0; i < list->n; i++)
        size += sizeof **at + strlen(list->words[i]) + 1;
    *at = take(size, 1);
    char *text = (char *)(*at + list->n);
    for (int i = 0; i < list->n; i++) {
        const char *word = list->words[i], *equals = strchr(word, '=');
        if (!equals || equals == word || (is_at && !equals[1]))
            return fail_usage(line->command, "--%s %s: it must read %s", is_at ? "at" : "label",
                              word, is_at ? "PATH=VALUE" : "AXIS=TEXT");
        const size_t length = strlen(word) + 1;
        memcpy(text, word, length);
        text[equals - word] = '\0';
        (*at)[i] = (struct ml_plot_at){text, text + (equals - word) + 1};
        text += length;
    }
    return -1;
}

/* Exit code, or -1. */
static int plot_read_aspect(const struct command_line *line, double *aspect)
{
    char why[128];
    *aspect = 0.0;
    if (line->picture.aspect && strcmp(line->picture.aspect, "equal") == 0)
        *aspect = ML_PLOT_EQUAL;
    else if (line->picture.aspect && strcmp(line->picture.aspect, "free") == 0)
        *aspect = (double)INFINITY;
    else if (line->picture.aspect &&
             (!ml_number_parse(line->picture.aspect, aspect, why, sizeof why) || !(*aspect > 0.0)))
        return fail_usage(line->command, "--aspect %s: a number above 0, equal or free",
                          line->picture.aspect);
    return -1;
}

/* "auto" or "0,0.5,2" -> [0, 0.5, 2], to be freed. Exit code, or -1. */
static int plot_read_contours(const struct command_line *line, double **values, int *n)
{
    const char *text = line->picture.contours;
    char why[128], word[64];
    *n = 0;
    *values = text ? take(strlen(text), sizeof **values) : NULL;
    if (text && strcmp(text, "auto") == 0) {
        *n = -1;
        return -1;
    }
    while (text)
        if (!ml_number_parse(plot_next_word(&text, word), &(*values)[(*n)++], why, sizeof why))
            return fail_usage(line->command, "--contours %s: numbers, 0,0.5,2, or auto",
                              line->picture.contours);
    return -1;
}

/* Values read from texts of the command line. */
struct plot_read {
    int64_t *runs;
    struct ml_plot_at *at, *labels;
    double *contours, aspect;
    int n_run, n_contour;
};

static int draw(const struct command_line *line, const struct plot_read *read)
{
    const char *what = line->n_argument > 1 ? line->arguments[1] : NULL;
    char *own =
        line->output || line->picture.script ? NULL : default_output(line->arguments[0], what);
    const double part[2] = {isnan(line->picture.from) ? -(double)INFINITY : line->picture.from,
                            isnan(line->picture.to) ? (double)INFINITY : line->picture.to};
    const struct ml_plot_options options = {
        .size = sizeof options,
        .result = line->arguments[0],
        .may_be_changed = line->changed,
        .what = what,
        .at = read->at,
        .n_at = line->picture.at.n,
        .x = line->picture.x,
        .y = line->picture.y,
        .part = part,
        .runs = read->runs,
        .n_run = read->n_run,
        .by = line->picture.by,
        .return_map = line->picture.return_map,
        .panels = line->picture.panels,
        .range = line->picture.range,
        .contours = read->contours,
        .n_contour = read->n_contour,
        .is_histogram = line->picture.histogram,
        .has_bands = line->picture.bands,
        .width = line->picture.size[0],
        .height = line->picture.size[1],
        .dpi = (int)line->picture.dpi,
        .output = own ? own : line->output,
        .script = line->picture.script,
        .stop = count_signals,
        .begin = begin_files,
        .title = line->picture.title,
        .labels = read->labels,
        .n_label = line->picture.labels.n,
        .font = line->picture.font,
        .palette = line->picture.palette,
        .aspect = read->aspect,
        .is_matrix = line->picture.matrix,
        .colour = line->picture.colour,
    };
    struct ml_error err = {0};
    const enum ml_status status = ml_plot(&options, &err);
    if (status == ML_OK)
        report_picture(&options);
    free(own);
    return status == ML_OK ? EXIT_DONE : fail_with(&err);
}

int command_plot(const struct command_line *line)
{
    struct plot_read read = {0};
    int code = plot_read_runs(line, &read.runs, &read.n_run);
    if (code < 0)
        code = plot_read_at(line, &line->picture.at, &read.at);
    if (code < 0)
        code = plot_read_at(line, &line->picture.labels, &read.labels);
    if (code < 0)
        code = plot_read_aspect(line, &read.aspect);
    if (code < 0)
        code = plot_read_contours(line, &read.contours, &read.n_contour);
    if (code < 0)
        code = draw(line, &read);
    free(read.runs);
    free(read.at);
    free(read.labels);
    free(read.contours);
    return code;
}
