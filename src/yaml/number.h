/* Numbers as they are written in a study file. */
#ifndef ML_YAML_NUMBER_H
#define ML_YAML_NUMBER_H

#include <stdbool.h>
#include <stdint.h>

#include "manylink/text.h" /* ML_NUMBER_TEXT */

/* Why a text is no number. */
struct ml_number_fault {
    int at; /* bytes before the fault */
    char what[240];
};

/* A finite decimal number with its sign, such as -2e-3, or one in degrees: 60deg. */
bool ml_number_plain(const char *text, double *out);

/* Whether a text is a number in a form that other readers accept, such as 1,5 or yes; reports such
 * a text. */
bool ml_number_hint(const char *text, struct ml_number_fault *fault);

/* The number without a sign that begins at *at, which then is behind it. NULL, or why there is
 * none. */
const char *ml_number_literal(const char **at, double *out);

/* Takes the word `deg` behind a number, which is in radians then. */
void ml_number_degrees(const char **at, double *value);

enum { ML_INTEGER_BITS = 53 }; /* integers up to 2^53 are exact as doubles */

/* Decimal digits, perhaps after a minus; no leading zeros. At most 2^ML_INTEGER_BITS in size. */
bool ml_integer_read(const char *text, int64_t *out, struct ml_number_fault *fault);

/* Shortest decimal text that reads as the same number. */
const char *ml_number_text(double value, char text[ML_NUMBER_TEXT]);

#endif
