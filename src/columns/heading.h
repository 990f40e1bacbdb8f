/* The lines above the numbers of a table. */
#ifndef ML_COLUMNS_HEADING_H
#define ML_COLUMNS_HEADING_H

#include "columns/column.h"

/* Cuts the next line off the text, without its end. */
struct ml_span ml_table_next_line(struct ml_table *table);

/* Place of a byte of the present line. */
struct ml_location ml_table_location_of(const struct ml_table *table, const char *byte);

/* Finds the names of the columns, and the rate, the number of rows and the unit of angles in the
 * lines above the names; the text continues with the first row.
 *   example  a line of names, for messages */
void ml_heading_read(struct ml_table *table, const char *example);

#endif
