/* Reads command lines by the rows of cli/commands.c. */
#include "cli/options.h"

#include <ctype.h>
#include <getopt.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/messages.h"
#include "manylink/text.h"

#define DURATION_FORMS "90, 90s, 20m, 3h50m, 2d, or as Slurm writes them: 4:00:00, 1-12:00:00"

static const double minute = 60.0, hour = 3600.0, day = 86400.0; /* s */

/* A number without sign at *text, which is moved past it. */
static bool take_number(const char **text, double *out)
{
    char *end;
    if (!isdigit((unsigned char)**text))
        return false;
    *out = strtod(*text, &end);
    *text = end;
    return isfinite(*out);
}

/* "3h50m": numbers with units, the largest first. */
static bool parse_units(const char *text, double *seconds)
{
    const struct {
        char letter;
        double unit;
    } units[] = {{'d', day}, {'h', hour}, {'m', minute}, {'s', 1.0}};
    double number;
    for (size_t i = 0; *text; i++, text++) {
        if (!take_number(&text, &number))
            return false;
        while (i < sizeof units / sizeof *units && *text != units[i].letter)
            i++;
        if (i == sizeof units / sizeof *units)
            return false;
        *seconds += number * units[i].unit;
    }
    return true;
}

/* "[D-]H:M:S" or "M:S". */
static bool parse_clock(const char *text, double *seconds)
{
    const char *dash = strchr(text, '-');
    double number, days = 0.0;
    if (dash && (!take_number(&text, &days) || text++ != dash))
        return false;
    int n = 0;
    for (;; n++) {
        if (!take_number(&text, &number))
            return false;
        *seconds = *seconds * 60.0 + number;
        if (*text != ':')
            break;
        text++;
    }
    *seconds += days * day;
    return *text == '\0' && n <= 2 && (!dash || n == 2);
}

/* Seconds from one of DURATION_FORMS; false if the text is in no such form, or not above 0. */
static bool parse_duration(const char *text, double *seconds)
{
    const char *rest = text;
    *seconds = 0.0;
    bool is_good;
    if (strpbrk(text, ":-"))
        is_good = parse_clock(text, seconds);
    else if (take_number(&rest, seconds) && *rest == '\0')
        is_good = true;
    else {
        *seconds = 0.0;
        is_good = parse_units(text, seconds);
    }
    return is_good && *seconds > 0.0 && isfinite(*seconds);
}

enum { MOST = 32, FIRST = 256 }; /* options; value of the first one */

/* Why a text is no value of an option: the allowed values. */
struct option_fault {
    char what[320];
};

static bool options_read_flag(const struct option_row *row, const char *text, void *field,
                              struct option_fault *fault)
{
    (void)row, (void)text, (void)fault;
    *(bool *)field = true;
    return true;
}

static bool read_text(const struct option_row *row, const char *text, void *field,
                      struct option_fault *fault)
{
    (void)row, (void)fault;
    *(const char **)field = text;
    return true;
}

static bool options_read_file(const struct option_row *row, const char *text, void *field,
                              struct option_fault *fault)
{
    (void)snprintf(fault->what, sizeof fault->what, "a file name cannot be empty");
    return read_text(row, text, field, fault) && *text;
}

static bool read_list(const struct option_row *row, const char *text, void *field,
                      struct option_fault *fault)
{
    struct word_list *list = field;
    (void)row, (void)fault;
    list->words[list->n++] = text;
    return true;
}

static bool read_word(const struct option_row *row, const char *text, void *field,
                      struct option_fault *fault)
{
    size_t used = (size_t)snprintf(fault->what, sizeof fault->what, "one of");
    for (int i = 0; row->words[i]; i++) {
        if (strcmp(row->words[i], text) == 0) {
            *(int *)field = i;
            return true;
        }
        used += (size_t)snprintf(fault->what + used, sizeof fault->what - used, "%s %s",
                                 i > 0 ? "," : "", row->words[i]);
    }
    return false;
}

static bool read_count(const struct option_row *row, const char *text, void *field,
                       struct option_fault *fault)
{
    const long long endless = 1LL << 53;
    if (row->high >= endless)
        (void)snprintf(fault->what, sizeof fault->what, "a whole number from %lld on", row->low);
    else
        (void)snprintf(fault->what, sizeof fault->what, "a whole number from %lld to %lld",
                       row->low, row->high);
    return parse_count(text, row->low, row->high, field);
}

static bool options_read_number(const struct option_row *row, const char *text, void *field,
                                struct option_fault *fault)
{
    (void)row;
    return ml_number_parse(text, field, fault->what, sizeof fault->what);
}

/* One end of a range; an empty text: unbounded. */
static bool options_read_end(const char *text, size_t length, double *end)
{
    char part[64];
    char why[200];
    *end = (double)NAN;
    if (length >= sizeof part)
        return false;
    (void)snprintf(part, sizeof part, "%.*s", (int)length, text);
    return length == 0 || ml_number_parse(part, end, why, sizeof why);
}

static bool options_read_range(const struct option_row *row, const char *text, void *field,
                               struct option_fault *fault)
{
    double *range = field;
    const char *colon = strchr(text, ':');
    (void)row;
    (void)snprintf(fault->what, sizeof fault->what,
                   "two numbers, A:B with A < B, either of which may be left out");
    return colon && (colon != text || colon[1]) &&
           options_read_end(text, (size_t)(colon - text), &range[0]) &&
           options_read_end(colon + 1, strlen(colon + 1), &range[1]) && !(range[0] >= range[1]);
}

static bool options_read_size(const struct option_row *row, const char *text, void *field,
                              struct option_fault *fault)
{
    int *size = field;
    const char *cross = strchr(text, 'x');
    char width[16];
    long long sides[2];
    (void)snprintf(fault->what, sizeof fault->what,
                   "width and height in pixels, 800x600, each from %lld to %lld", row->low,
                   row->high);
    if (!cross || cross - text >= (ptrdiff_t)sizeof width)
        return false;
    (void)snprintf(width, sizeof width, "%.*s", (int)(cross - text), text);
    if (!parse_count(width, row->low, row->high, &sides[0]) ||
        !parse_count(cross + 1, row->low, row->high, &sides[1]))
        return false;
    size[0] = (int)sides[0];
    size[1] = (int)sides[1];
    return true;
}

static bool read_time(const struct option_row *row, const char *text, void *field,
                      struct option_fault *fault)
{
    (void)row;
    (void)snprintf(fault->what, sizeof fault->what, "a time: " DURATION_FORMS);
    return parse_duration(text, field);
}

static bool read_wait(const struct option_row *row, const char *text, void *field,
                      struct option_fault *fault)
{
    (void)row;
    (void)snprintf(fault->what, sizeof fault->what, "0 or a time: " DURATION_FORMS);
    const bool is_zero = strcmp(text, "0") == 0;
    if (is_zero)
        *(double *)field = 0.0;
    return is_zero || parse_duration(text, field);
}

/* Reads a time of a task. A number without a unit would be minutes for Slurm and seconds for this
 * program, so it is refused. */
static bool read_task_time(const struct option_row *row, const char *text, void *field,
                           struct option_fault *fault)
{
    const double least = 60.0; /* s */
    (void)row;
    (void)snprintf(fault->what, sizeof fault->what,
                   "a time of a minute or more, with its unit: 20m, 3h50m, 4:00:00");
    return text[strspn(text, "0123456789.")] && parse_duration(text, field) &&
           *(double *)field >= least;
}

/* Reads the text into the field; false with a fault if it is not allowed. */
typedef bool read_fn(const struct option_row *row, const char *text, void *field,
                     struct option_fault *fault);

static read_fn *const readers[] = {
    [OPTION_FLAG] = options_read_flag,
    [OPTION_TEXT] = read_text,
    [OPTION_FILE] = options_read_file,
    [OPTION_LIST] = read_list,
    [OPTION_WORD] = read_word,
    [OPTION_COUNT] = read_count,
    [OPTION_NUMBER] = options_read_number,
    [OPTION_TIME] = read_time,
    [OPTION_WAIT] = read_wait,
    [OPTION_TASK_TIME] = read_task_time,
    [OPTION_RANGE] = options_read_range,
    [OPTION_SIZE] = options_read_size,
};

/* The options of a command, as getopt_long takes them. */
struct option_parser {
    const struct option_row *rows[MOST];
    int n;
    struct option longs[MOST + 1];
    char shorts[2 * MOST + 2];
    bool is_given[MOST];
};

static void parser_add(struct option_parser *p, const struct option_row *rows)
{
    for (; rows->name && p->n < MOST; rows++) {
        const bool takes = rows->kind != OPTION_FLAG;
        p->longs[p->n] = (struct option){rows->name, takes ? required_argument : no_argument, NULL,
                                         FIRST + p->n};
        char *end = p->shorts + strlen(p->shorts);
        if (rows->letter)
            (void)snprintf(end, 3, "%c%s", rows->letter, takes ? ":" : "");
        p->rows[p->n++] = rows;
    }
}

/* Which option getopt_long means by its value; -1 for none. */
static int parser_find(const struct option_parser *p, int value)
{
    if (value >= FIRST)
        return value - FIRST;
    for (int i = 0; i < p->n; i++)
        if (p->rows[i]->letter == value && value != 0)
            return i;
    return -1;
}

static void *options_field_of(const struct option_row *row, struct command_line *line)
{
    return (char *)line + row->field;
}

/* Words of the lists get room for all there can be, and options that have one their default. */
static void parser_begin(const struct option_parser *p, struct command_line *line)
{
    const size_t n_word = (size_t)line->n_word;
    struct option_fault fault;
    size_t n_list = 0;
    for (int i = 0; i < p->n; i++)
        n_list += p->rows[i]->kind == OPTION_LIST;
    line->memory = take(n_list * n_word, sizeof *line->memory);
    for (int i = 0; i < p->n; i++) {
        const struct option_row *row = p->rows[i];
        if (row->kind == OPTION_LIST)
            ((struct word_list *)options_field_of(row, line))->words =
                line->memory + --n_list * n_word;
        else if (row->default_value)
            (void)readers[row->kind](row, row->default_value, options_field_of(row, line), &fault);
    }
}

int fail_usage(const struct command *command, const char *format, ...)
{
    char text[1024]; /* a longer argument is cut */
    va_list args;
    va_start(args, format);
    (void)vsnprintf(text, sizeof text, format, args);
    va_end(args);
    say(stderr, "manylink %s: %s", command->name, text);
    fprintf(stderr, "\n`manylink %s --help` prints its options\n", command->name);
    return EXIT_BAD_INPUT;
}

static int fail_group(const struct option_parser *p, char group, const struct command *command)
{
    char names[200] = "";
    for (int i = 0; i < p->n; i++)
        if (p->rows[i]->group == group)
            (void)snprintf(names + strlen(names), sizeof names - strlen(names), "%s--%s",
                           *names ? " and " : "", p->rows[i]->name);
    return fail_usage(command, "one of %s, only once", names);
}

/* -1, or an exit code. */
static int parser_take(struct option_parser *p, int i, const char *text, struct command_line *line)
{
    const struct option_row *row = p->rows[i];
    struct option_fault fault;
    for (int other = 0; row->group && other < p->n; other++)
        if (p->is_given[other] && p->rows[other]->group == row->group)
            return fail_group(p, row->group, line->command);
    p->is_given[i] = true;
    if (row->is_not_repeated)
        line->words[optind - 1] = NULL;
    if (!readers[row->kind](row, text, options_field_of(row, line), &fault))
        return fail_usage(line->command, "--%s %s: %s", row->name, text, fault.what);
    return -1;
}

/* Words that getopt_long refuses. */
static int fail_option(const struct option_parser *p, int c, const struct command_line *line)
{
    const int i = parser_find(p, optopt);
    char known[600] = "";
    if (c == ':' && i >= 0)
        return fail_usage(line->command, "--%s needs a value: --%s %s", p->rows[i]->name,
                          p->rows[i]->name, p->rows[i]->argument);
    if (i >= 0)
        return fail_usage(line->command, "--%s takes no value", p->rows[i]->name);
    for (int k = 0; k < p->n; k++)
        (void)snprintf(known + strlen(known), sizeof known - strlen(known), " --%s",
                       p->rows[k]->name);
    if (optopt != 0)
        return fail_usage(line->command, "-%c is not an option; the options are:%s", optopt, known);
    return fail_usage(line->command,
                      "%s is not an option, or short for several; the options are:%s",
                      line->words[optind - 1], known);
}

/* -1, or an exit code. */
static int options_check_line(const struct option_parser *p, const struct command_line *line)
{
    const struct command *command = line->command;
    if (line->n_argument < command->least || line->n_argument > command->most)
        return fail_usage(command, "%s", command->needs);
    for (int i = 0; i < p->n; i++)
        if (p->rows[i]->is_required && !p->is_given[i])
            return fail_usage(command, "--%s %s must be given: %s", p->rows[i]->name,
                              p->rows[i]->argument, p->rows[i]->doc);
    return -1;
}

int command_line_read(const struct command *command, int argc, char **argv,
                      struct command_line *line)
{
    struct option_parser p = {.shorts = ":"};
    *line = (struct command_line){.command = command,
                                  .words = argv,
                                  .n_word = argc,
                                  .make.member = -1,
                                  .page.motions = -1,
                                  .run = -1,
                                  .check.seed = -1,
                                  .picture.from = (double)NAN,
                                  .picture.to = (double)NAN,
                                  .make.end = (double)NAN,
                                  .picture.range = {(double)NAN, (double)NAN}};
    parser_add(&p, command->options);
    parser_add(&p, common_options);
    parser_begin(&p, line);
    for (int c; (c = getopt_long(argc, argv, p.shorts, p.longs, NULL)) != -1;) {
        const int i = c == '?' || c == ':' ? -1 : parser_find(&p, c);
        const int code = i < 0 ? fail_option(&p, c, line) : parser_take(&p, i, optarg, line);
        if (code >= 0)
            return code;
        if (line->help)
            return -1;
    }
    line->arguments = (const char *const *)argv + optind;
    line->n_argument = argc - optind;
    return options_check_line(&p, line);
}

void command_line_free(struct command_line *line)
{
    free(line->memory);
    line->memory = NULL;
}
