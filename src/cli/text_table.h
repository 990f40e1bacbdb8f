/* Cells of tables in text: numbers that read back to the same bits, and quoted words. */
#ifndef ML_CLI_TEXT_TABLE_H
#define ML_CLI_TEXT_TABLE_H

#include <stdio.h>

/* Prints a number so that it reads back as the same double, in 15 digits if they do, else in 17;
 * NaN, which stands for what there is not, as `missing`. */
void put_number(FILE *to, double value, const char *missing);

/* Prints a word as RFC 4180 has it: between quotes, those in it doubled, if it holds the separator,
 * a quote or the end of a line; what would steer a terminal is escaped, as by ml_text_escape. */
void put_word(FILE *to, const char *word, char separator);

#endif
