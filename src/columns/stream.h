/* Tables longer than a piece of 16 MiB: the text of a table is a piece of its file, in whole lines.
 */
#ifndef ML_COLUMNS_STREAM_H
#define ML_COLUMNS_STREAM_H

#include "columns/column.h"

/* Turns the line ends of old Macintosh files, CR alone, into LF, where a text has no other. */
void ml_text_end_lines(char *text, size_t length);

/* Reads the first piece of a file, and opens a stream for the rest, if there is more; false with
 * errno, or without memory. */
bool ml_stream_open(struct ml_table *table, const char *path);

/* Lines from table->at on to the end of the file, without empty ones at the end; 0 after a problem.
 */
int64_t ml_stream_count_lines(struct ml_table *table);

/* Puts the next piece in the place of the text; false at the end of the file, and after a problem,
 * whose line then stays there for its message. */
bool ml_stream_next(struct ml_table *table);

void ml_stream_close(struct ml_table *table);

#endif
