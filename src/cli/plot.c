/* manylink plot: a picture of a result. */
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "cli/say.h"
#include "cli/signals.h"
#include "plot/plot.h"
#include "study/number.h"

struct arguments {
    struct ml_plot_request request;
    const char **assigns; /* owned */
    char *output;         /* owned: the default */
};

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

static bool add_assign(struct arguments *arguments, const char *assign)
{
    struct ml_plot_request *request = &arguments->request;
    size_t size = (size_t)(request->n_assign + 1) * sizeof *arguments->assigns;
    const char **more = realloc(arguments->assigns, size);
    if (!more)
        return false;
    more[request->n_assign++] = assign;
    request->assigns = arguments->assigns = more;
    return true;
}

/* -1 to go on, or an exit code. */
static int read_bound(const struct command *self, const char *option, double *out)
{
    struct ml_number_fault fault;
    if (!ml_number_read(optarg, out, &fault))
        return fail_usage(self, "%s %s: %s", option, optarg, fault.what);
    return -1;
}

/* -1 to go on, or an exit code. */
static int read_option(const struct command *self, int option, struct arguments *out)
{
    struct ml_plot_request *request = &out->request;
    long long run;
    switch (option) {
    case 'o':
        request->output = optarg;
        return -1;
    case 'a':
        return add_assign(out, optarg) ? -1 : EXIT_FAILED;
    case 'r':
        if (!parse_count(optarg, 0, 1LL << 53, &run))
            return fail_usage(self, "--run %s: the number of a run, from 0 on", optarg);
        request->run = run;
        return -1;
    case 's':
        request->script = optarg;
        return -1;
    case 'f':
        return read_bound(self, "--from", &request->from);
    case 't':
        return read_bound(self, "--to", &request->to);
    case 'x':
        request->x = optarg;
        return -1;
    case 'y':
        request->y = optarg;
        return -1;
    case 'c':
        request->may_be_changed = true;
        return -1;
    case 'h':
        return show_help(self);
    default:
        return fail_usage(self, "that option is not known or lacks its value");
    }
}

/* -1 to go on, or an exit code. */
static int read_arguments(const struct command *self, int argc, char **argv, struct arguments *out)
{
    static const struct option options[] = {
        {"output", required_argument, NULL, 'o'},
        {"at", required_argument, NULL, 'a'},
        {"run", required_argument, NULL, 'r'},
        {"script", required_argument, NULL, 's'},
        {"x", required_argument, NULL, 'x'},
        {"y", required_argument, NULL, 'y'},
        {"from", required_argument, NULL, 'f'},
        {"to", required_argument, NULL, 't'},
        {"changed", no_argument, NULL, 'c'},
        {"help", no_argument, NULL, 'h'},
        {0},
    };
    struct ml_plot_request *request = &out->request;
    for (int c, code; (c = getopt_long(argc, argv, "o:h", options, NULL)) != -1;)
        if ((code = read_option(self, c, out)) != -1)
            return code;
    if (optind != argc - 1 && optind != argc - 2)
        return fail_usage(self, optind == argc ? "no result file given"
                                               : "one result file and what to draw of it");
    request->result = argv[optind];
    request->what = argv[optind + 1]; /* NULL at the end */
    if ((request->output && !*request->output) || (request->script && !*request->script))
        return fail_usage(self, "a file name cannot be empty");
    if (request->output || request->script)
        return -1;
    out->output = default_output(request->result, request->what);
    request->output = out->output;
    return out->output ? -1 : EXIT_FAILED;
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

static int run(const struct command *self, int argc, char **argv)
{
    struct arguments arguments = {.request = {.begin_files = begin_files,
                                              .run = -1,
                                              .from = -(double)INFINITY,
                                              .to = (double)INFINITY}};
    struct ml_error err = {0};
    int code = read_arguments(self, argc, argv, &arguments);
    if (code == -1 && ml_plot(&arguments.request, &err) != ML_OK)
        code = fail_with(&err);
    else if (code == -1) {
        report(&arguments.request);
        code = EXIT_DONE;
    }
    free(arguments.output);
    free(arguments.assigns);
    return code;
}

const struct command command_plot = {
    .name = "plot",
    .arguments = "OUT.h5 [WHAT] [options]",
    .doc = "draw a result, by gnuplot",
    .options =
        "  WHAT              a dataset of the summary (a map over two axes, curves over one) or\n"
        "                    of the trajectories (curves over time), or stick: snapshots of a\n"
        "                    chain; default: what viewers of the file show first\n"
        "  -o, --output F    picture to make, .png, .svg or .pdf; default: OUT.png, OUT-WHAT.png\n"
        "  --at PATH=VALUE   fix an axis at the value nearest to it, or at a label; again for\n"
        "                    more; default: the middle of a swept axis; of trajectories: draw\n"
        "                    the saved run nearest to it\n"
        "  --run N           draw this run\n"
        "  --x PATH, --y PATH  axes to draw along; --y none: curves instead of a map\n"
        "  --from A, --to B  part of x to draw, of curves; of the time, of a stick figure\n"
        "  --script FOLDER   keep gnuplot's script and data there; without -o gnuplot is not run\n"
        "  --changed         also of a file that another program has changed\n",
    .run = run,
};
