/* The help of commands. */
#include "cli/help.h"

#include <string.h>

enum { WIDTH = 80, COLUMN = 24 };

/* Words of a text in lines of WIDTH columns, of which the first is at `at` already. */
static void print_wrapped(FILE *to, const char *text, int length, int at, int indent)
{
    const char *const end = text + length;
    for (bool is_first = true; text < end; is_first = false) {
        text += strspn(text, " ");
        const int word = (int)strcspn(text, " \n");
        if (!is_first && at + 1 + word > WIDTH)
            at = fprintf(to, "\n%*s", indent, "") - 1;
        else if (!is_first)
            at += fprintf(to, " ");
        at += fprintf(to, "%.*s", word, text);
        text += word;
    }
    fputc('\n', to);
}

static void help_print_paragraphs(FILE *to, const char *text)
{
    for (int length; *text; text += length + strspn(text + length, "\n")) {
        length = (int)strcspn(text, "\n");
        const bool is_verbatim = strncmp(text, "    ", 4) == 0;
        if (is_verbatim)
            fprintf(to, "%.*s\n", length, text);
        else
            print_wrapped(to, text, length, 0, 0);
        if (strncmp(text + length, "\n\n", 2) == 0)
            fputc('\n', to);
    }
}

void print_row(FILE *to, struct help_row row)
{
    const int at = fprintf(to, "  %s", row.name);
    fprintf(to, "%s%*s", at > COLUMN - 2 ? "\n" : "", at > COLUMN - 2 ? COLUMN : COLUMN - at, "");
    print_wrapped(to, row.doc, (int)strlen(row.doc), COLUMN, COLUMN);
}

static void print_option(const struct option_row *row)
{
    char letter[8] = "    ", head[80], text[600];
    if (row->letter)
        (void)snprintf(letter, sizeof letter, "-%c, ", row->letter);
    (void)snprintf(head, sizeof head, "%s--%s%s%s", letter, row->name, row->argument ? " " : "",
                   row->argument ? row->argument : "");
    const int used = snprintf(text, sizeof text, "%s", row->doc);
    if (row->default_value)
        (void)snprintf(text + used, sizeof text - (size_t)used, " (default: %s)",
                       row->default_value);
    print_row(stdout, (struct help_row){head, text});
}

void print_synopsis(FILE *to, const struct command *command, const char *more)
{
    bool has_more = false;
    fputs(command->arguments, to);
    for (const struct option_row *row = command->options; row->name; row++) {
        if (row->is_required && row->letter)
            fprintf(to, " -%c %s", row->letter, row->argument);
        else if (row->is_required)
            fprintf(to, " --%s %s", row->name, row->argument);
        has_more |= !row->is_required;
    }
    if (has_more)
        fputs(more, to);
}

const char *write_choices(const struct command *command, char text[CHOICES])
{
    struct choice choice;
    size_t used = 0;
    text[0] = '\0';
    for (int i = 0; command->choice && used < CHOICES && command->choice(i, &choice); i++)
        used +=
            (size_t)snprintf(text + used, CHOICES - used, "%s%s", i > 0 ? ", " : "", choice.word);
    return text;
}

void print_overview(FILE *to)
{
    fprintf(to, "usage: manylink COMMAND ...\n\n");
    help_print_paragraphs(to, overview);
    fprintf(to, "\n");
    for (const struct command *c = commands; c->name; c++)
        print_row(to, (struct help_row){c->name, c->summary});
    fprintf(to, "\n");
    for (const struct help_row *row = overview_options; row->name; row++)
        print_row(to, *row);
    fprintf(to, "\nExit codes:\n");
    for (const struct help_row *row = exit_codes; row->name; row++)
        print_row(to, *row);
}

void print_help(const struct command *command)
{
    if (!command) {
        print_overview(stdout);
        return;
    }
    char choices[CHOICES];
    printf("usage: manylink %s%s", command->name, *command->arguments ? " " : "");
    print_synopsis(stdout, command, " [options]");
    printf("\n\n%s\n", command->summary);
    if (command->description) {
        fputc('\n', stdout);
        help_print_paragraphs(stdout, command->description);
    }
    fputc('\n', stdout);
    if (*write_choices(command, choices))
        print_row(stdout, (struct help_row){"NAME", choices});
    for (const struct option_row *row = command->options; row->name; row++)
        print_option(row);
    for (const struct option_row *row = common_options; row->name; row++)
        print_option(row);
}
