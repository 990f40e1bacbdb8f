/* Help and man pages, written from the table of commands. */
#ifndef ML_CLI_HELP_H
#define ML_CLI_HELP_H

#include <stdio.h>

#include "cli/options.h"

/* A name and its meaning. */
struct help_row {
    const char *name, *doc;
};

/* Each ends with a name of NULL. */
extern const struct help_row exit_codes[], environment[], overview_options[];

extern const char overview[]; /* introduction of manylink: paragraphs */

enum { CHOICES = 400 };

/* "systems, forces, ...": the words that a command's NAME can be; "" where any text is allowed.
 * Returns text. */
const char *write_choices(const struct command *command, char text[CHOICES]);

/* Prints "STUDY.yaml --tasks N --time T": arguments, options that must be given and, if there are
 * more, `more`, such as " [options]". */
void print_synopsis(FILE *to, const struct command *command, const char *more);

/* Prints a row in two columns; a name too long for the first has a line for itself. */
void print_row(FILE *to, struct help_row row);

/* Prints the introduction and the commands. */
void print_overview(FILE *to);

/* Prints a command's help; for NULL the overview. */
void print_help(const struct command *command);

/* Prints the man page of a command, or for NULL of manylink, in troff's man macros. */
void print_man(const struct command *command);

#endif
