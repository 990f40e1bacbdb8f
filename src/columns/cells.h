/* Cells of a line of a table as text, and the numbers in them. */
#ifndef ML_COLUMNS_CELLS_H
#define ML_COLUMNS_CELLS_H

#include <stdbool.h>

#include "yaml/number.h"

/* Some characters of a text. */
struct ml_span {
    const char *from, *to;
};

enum { ML_BLANKS = ' ' }; /* separator: any number of blanks and tabs */

/* The span without blanks and tabs at its ends. */
struct ml_span ml_span_trim(struct ml_span span);

/* Whether a span is that text; upper and lower case count as the same. */
bool ml_span_is(struct ml_span span, const char *text);

/* Cuts the first cell off, without blanks around it and without quotes; a separator between quotes
 * does not separate. False at the end of the line. */
bool ml_cell_next(struct ml_span *line, char separator, struct ml_span *cell);

/* Number of cells of a line; the second without empty cells at the end. */
int ml_cell_count(struct ml_span line, char separator);
int ml_cell_count_filled(struct ml_span line, char separator);

/* The separator that a line seems to have: a tab, a semicolon, a comma, or blanks; if the line has
 * a number, the first separator behind it. 0 if the line has no separator. */
char ml_cell_separator(struct ml_span line);

/* Whether a cell is a decimal number, with a point or a comma. */
bool ml_cell_is_decimal(struct ml_span cell);

/* Whether a cell stands for a number that is not there: empty, nan, NA. */
bool ml_cell_is_gap(struct ml_span cell);

/* The number in a cell, correctly rounded; or an expression as in a study.
 *   comma  out: whether the decimal sign is a comma */
bool ml_cell_number(struct ml_span cell, double *out, bool *comma, struct ml_number_fault *fault);

#define ML_DEGREE (3.14159265358979323846 / 180.0) /* rad */

struct ml_unit {
    const char *text, *si;
    double scale; /* to SI */
};

/* The unit of that name, which may stand in brackets; NULL: not known. */
const struct ml_unit *ml_unit_find(struct ml_span text);

/* Cuts a unit in brackets off the end of a name; NULL: the name has no unit. */
const struct ml_unit *ml_unit_cut(struct ml_span *name);

#endif
