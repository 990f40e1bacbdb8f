/* Arrays of a MAT-file of level 5, after "MAT-File Format" of The MathWorks: tagged elements, each
 * filled up to 8 bytes, in the byte order of this machine, which the header contains. */
#ifndef ML_TOOLS_EXPORT_MAT_FILE_H
#define ML_TOOLS_EXPORT_MAT_FILE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { MAT_NAME = 63 }; /* characters of a variable's name */

void mat_header(FILE *to);

/* Whether a variable can hold so many numbers. */
bool mat_fits(uint64_t n_number);

/* All of an array of numbers but these, which follow in column order as doubles.
 *   shape  [rank], rank >= 2 */
void mat_begin_numbers(FILE *to, const char *name, int rank, const int64_t *shape);

void mat_text(FILE *to, const char *name, const char *text);

/* A row of cells. */
void mat_texts(FILE *to, const char *name, int n, const char *const *texts);

/* The name of a variable: letters, digits and underscores, a letter first.
 *   variable  [MAT_NAME + 1] out, and the result */
const char *mat_name(const char *name, const char *ending, char *variable);

#endif
