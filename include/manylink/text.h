/* Numbers and texts between people and programs: read as a study file has them, written so that
 * they read as the same number, and shown on a terminal. All functions are thread-safe. */
#ifndef MANYLINK_TEXT_H
#define MANYLINK_TEXT_H

#include <stddef.h>
#include <stdio.h>

#include "manylink/api.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Reads a number as a study file has them: a finite decimal number, or arithmetic of + - * / ^ ( )
 * pi deg sqrt(...) abs(...). Only correctly rounded operations, so the value is the same
 * everywhere.
 *   value  out; unchanged if the text is not a number
 *   why    [size] out, if the text is not a number: the reason, without a line end
 * Returns whether the text is a number. */
ML_API int ml_number_parse(const char *text, double *value, char *why, size_t size);

enum { ML_NUMBER_TEXT = 32 };

/* Decimal text of 15 to 17 significant digits, without trailing zeros, that reads as the same
 * number, with a decimal point in any locale. Returns `text`. */
ML_API const char *ml_number_print(double value, char text[ML_NUMBER_TEXT]);

/* Makes a text that others have written, such as the name of a file, fit for a terminal.
 *   text  in memory of malloc, given back or freed; NULL stays NULL
 * Returns it, or another in its place, to be freed: \x1B stands for a byte that is no UTF-8 or a
 * control character other than a tab or line end, \u202E for a character that changes the direction
 * of the text or ends a line; without memory a ? for either. */
ML_API char *ml_text_escape(char *text);

/* Prints a word in single quotes, as a POSIX shell reads it. */
ML_API void ml_text_quote(FILE *to, const char *word);

/* Prints a cell of a table in text: a number so that it reads back as the same double, in 15 digits
 * if these suffice, else in 17, with a decimal point in any locale, NaN as the text `missing`; or a
 * word as RFC 4180 has it, in double quotes where the word holds the separator, a quote or a line
 * end, and escaped as by ml_text_escape. */
ML_API void ml_text_number(FILE *to, double value, const char *missing);
ML_API void ml_text_word(FILE *to, const char *word, char separator);

/* The word of a list that is nearest to a mistyped one, by letters inserted, deleted, replaced or
 * swapped: at most about a third of its letters; the first of equals; NULL if no word is so near.
 *   words  [n_word] */
ML_API const char *ml_text_nearest(const char *typed, const char *const *words, int n_word);

/* A time, in s, in words: 75.3 s is "1 min 15 s". Returns `text`. */
ML_API char *ml_duration_print(double seconds, char text[ML_NUMBER_TEXT]);

#ifdef __cplusplus
}
#endif

#endif
