/* UTF-8, and text that is shown on a terminal. */
#ifndef ML_BASE_TEXT_H
#define ML_BASE_TEXT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "manylink/text.h" /* ml_text_escape */

/* A text as by printf, to be freed; NULL without memory. */
char *ml_vformat(const char *format, va_list args) __attribute__((format(printf, 1, 0)));

/* Bytes of the UTF-8 character at `text` and its code point; 0 if it is invalid (RFC 3629). */
size_t ml_text_decode(const char *text, size_t length, uint32_t *code);

/* Whether a character is printable by YAML 1.2, section 5.1. */
bool ml_text_is_printable(uint32_t code);

/* Puts a ? where a text that is shown is no UTF-8 or not printable. */
void ml_text_show(char *text, size_t length);

/* A unit between two texts, " (rad)"; "" of a number without unit, "1". */
struct ml_unit_text {
    char text[256];
};
struct ml_unit_text ml_unit_text(const char *before, const char *unit, const char *after);

/* "; did you mean `NEAREST`?"; "" of NULL. */
struct ml_nearest_text {
    char text[128];
};
struct ml_nearest_text ml_did_you_mean(const char *nearest);

/* The numbers below n for which `is_in` is true, as text to be freed; long lists are cut off with
 * "...". NULL without memory. */
char *ml_ranges(int64_t n, bool (*is_in)(const void *context, int64_t i), const void *context);

#endif
