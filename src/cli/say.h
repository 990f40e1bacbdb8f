/* Printing what holds names of files and text of others. */
#ifndef ML_CLI_SAY_H
#define ML_CLI_SAY_H

#include <stdio.h>

/* printf, with what would steer a terminal escaped, as by ml_text_escape. */
void say(FILE *to, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Prints a word as a POSIX shell reads it, in quotes if it needs them. */
void say_word(FILE *to, const char *word);

#endif
