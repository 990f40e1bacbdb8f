/* Tables of numbers as laboratories have them, in text: lines of a header, a line that names the
 * columns, then a line of numbers for every row. A CSV in one of its many kinds, OpenSim's .mot and
 * .sto, markers in a .trc. Columns are chosen by name, the others are left aside unread.
 *
 *   time,torque
 *   0,0.1
 *
 * Times increase. Numbers come in SI where the file says its units. All mistakes are told at once,
 * with line and column. */
#ifndef ML_COLUMNS_TABLE_H
#define ML_COLUMNS_TABLE_H

#include <stdint.h>

#include "columns/column.h"

/* Reads the names of the columns; `pool` owns all memory of the table. False if the file cannot be
 * read, with errno, or if memory runs out, with pool->is_short.
 *   of_analog  of a C3D file the analogue channels and force plates, not the points
 *   example    a line of names, for messages */
bool ml_table_open(struct ml_table *table, struct ml_pool *pool, const char *path, bool of_analog,
                   const char *example);

/* Opens a file of any length, of which a piece at a time is in memory. Problems of lines in
 * earlier pieces are told without the line. */
bool ml_table_open_long(struct ml_table *table, struct ml_pool *pool, const char *path,
                        const char *example);

/* Index of a column; -1 if not found. Two columns of that name are an error of the table. */
int ml_table_find(struct ml_table *table, const char *name);

/* The same of a name that a user has chosen, which may be the number of a column, from 1 on: `3` or
 * `column 3`, where no column has that name. */
int ml_table_find_chosen(struct ml_table *table, const char *name);

/* Takes the times from the column of that name or number; a column called `time` then has no name.
 */
void ml_table_set_time(struct ml_table *table, const char *name);

/* Times of a file without a column of times, by a rate [Hz] > 0: k / rate in row k. A file with a
 * rate in its header has these times already. */
void ml_table_set_rate(struct ml_table *table, double rate);

/* Hz, mean rate of n increasing times if the header says another, by more than 1 %; else 0. */
double ml_table_other_rate(const struct ml_table *table, int64_t n, const double *time);

/* Reports a missing column.
 *   why  ": it is needed", or "" */
void ml_table_missing(struct ml_table *table, const char *name, const char *why);

/* Reads all rows into the columns' arrays `to`. */
void ml_table_read(struct ml_table *table);

/* Place of row k. */
struct ml_location ml_table_location(const struct ml_table *table, int64_t k);

/* Half a unit of the last decimal digit that n times [s] are printed with, at most that of a
 * second: as far as rounding may have moved them. */
double ml_time_rounding(int64_t n, const double *time);

/* Gives n increasing times even intervals where they are uneven, and no time has to move by more
 * than `most` [s]; times that are even to a millionth of an interval keep their bits. */
void ml_times_even(int64_t n, double *time, double most);

/* Makes times even again that rounding may have moved, if that is well below an interval. */
void ml_times_undo_rounding(int64_t n, double *time);

#endif
