/* Man pages, in the macros of man(7). */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "cli/help.h"
#include "manylink/version.h"

/* Text as troff takes it: `words` in bold. */
static void man_print_text(const char *text, int length)
{
    static const char special[] = "-\\~^'";
    static const char *const troff[] = {"\\-", "\\e", "\\(ti", "\\(ha", "\\(aq"};
    bool is_bold = false;
    for (int i = 0; i < length; i++) {
        const char *found = strchr(special, text[i]);
        if (text[i] == '`') {
            is_bold = !is_bold;
            fputs(is_bold ? "\\fB" : "\\fR", stdout);
        } else if (found) {
            fputs(troff[found - special], stdout);
        } else {
            printf("%s%c", i == 0 && text[i] == '.' ? "\\&" : "", text[i]);
        }
    }
}

static void print_line(const char *before, const char *text, const char *after)
{
    fputs(before, stdout);
    man_print_text(text, (int)strlen(text));
    fputs(after, stdout);
}

static void man_print_paragraphs(const char *text)
{
    bool is_verbatim = false;
    for (int length; *text; text += length + strspn(text + length, "\n")) {
        length = (int)strcspn(text, "\n");
        const bool was = is_verbatim;
        is_verbatim = strncmp(text, "    ", 4) == 0;
        if (is_verbatim != was)
            fputs(is_verbatim ? ".PP\n.EX\n" : ".EE\n", stdout);
        if (!is_verbatim)
            fputs(".PP\n", stdout);
        man_print_text(text, length);
        fputc('\n', stdout);
    }
    if (is_verbatim)
        fputs(".EE\n", stdout);
}

static void print_rows(const char *title, const struct help_row *rows)
{
    printf(".SH %s\n", title);
    for (; rows->name; rows++) {
        print_line(".TP\n\\fB", rows->name, "\\fR\n");
        print_line("", rows->doc, "\n");
    }
}

static void print_options(const struct option_row *rows)
{
    for (const struct option_row *row = rows; row->name; row++) {
        fputs(".TP\n", stdout);
        if (row->letter)
            printf("\\fB\\-%c\\fR, ", row->letter);
        print_line("\\fB\\-\\-", row->name, "\\fR");
        if (row->argument)
            print_line(" \\fI", row->argument, "\\fR");
        print_line("\n", row->doc, "");
        if (row->default_value)
            print_line(" (default: ", row->default_value, ")");
        fputc('\n', stdout);
    }
}

static void print_page_of(const struct command *command)
{
    char choices[CHOICES];
    printf(".TH MANYLINK\\-");
    for (const char *c = command->name; *c; c++)
        putchar(toupper((unsigned char)*c));
    printf(" 1 \"\" \"manylink %s\"\n", ML_VERSION);
    printf(".SH NAME\nmanylink\\-%s \\- ", command->name);
    print_line("", command->summary, "\n.SH SYNOPSIS\n");
    printf("\\fBmanylink %s\\fR ", command->name);
    print_synopsis(stdout, command, " [options]");
    printf("\n");
    if (command->description) {
        printf(".SH DESCRIPTION\n");
        man_print_paragraphs(command->description);
    }
    printf(".SH OPTIONS\n");
    if (*write_choices(command, choices))
        print_line(".TP\n\\fINAME\\fR\n", choices, "\n");
    print_options(command->options);
    print_options(common_options);
    print_rows("EXIT STATUS", exit_codes);
    printf(".SH SEE ALSO\n.BR manylink (1)\n");
}

static void man_print_page(void)
{
    printf(".TH MANYLINK 1 \"\" \"manylink %s\"\n", ML_VERSION);
    printf(".SH NAME\nmanylink \\- integrate ensembles of mechanical systems\n"
           ".SH SYNOPSIS\n\\fBmanylink\\fR \\fICOMMAND\\fR ...\n.SH DESCRIPTION\n");
    man_print_paragraphs(overview);
    printf(".SH COMMANDS\n");
    for (const struct command *c = commands; c->name; c++) {
        printf(".TP\n\\fB%s\\fR ", c->name);
        print_synopsis(stdout, c, "");
        print_line("\n", c->summary, "\n");
    }
    print_rows("OPTIONS", overview_options);
    print_rows("EXIT STATUS", exit_codes);
    print_rows("ENVIRONMENT", environment);
    printf(".SH SEE ALSO\n");
    for (const struct command *c = commands; c->name; c++)
        printf(".BR manylink\\-%s (1)%s\n", c->name, c[1].name ? "," : "");
}

void print_man(const struct command *command)
{
    if (command)
        print_page_of(command);
    else
        man_print_page();
}
