/* Numbers as they are written in a study file. */
#ifndef ML_YAML_NUMBER_H
#define ML_YAML_NUMBER_H

#include <stdbool.h>
#include <stdint.h>

#include "manylink/text.h" /* ML_NUMBER_TEXT */

/* Why a text is no number. */
struct ml_number_fault {
    int at; /* bytes before the fault */
    char what[200];
};

/* A finite decimal number, or an expression of + - * / ( ) pi sqrt(...). Only correctly rounded
 * operations, so the value is the same everywhere. */
bool ml_number_read(const char *text, double *out, struct ml_number_fault *fault);

/* Where a number ends that begins at `text`: digits with at most one point, and an exponent. */
const char *ml_number_end(const char *text);

enum { ML_INTEGER_BITS = 53 }; /* integers up to 2^53 are exact as doubles */

/* Decimal digits, perhaps after a minus; no leading zeros. At most 2^ML_INTEGER_BITS in size. */
bool ml_integer_read(const char *text, int64_t *out, struct ml_number_fault *fault);

/* Shortest decimal text that reads as the same number. */
const char *ml_number_text(double value, char text[ML_NUMBER_TEXT]);

#endif
