/* Times of samples that are even, but for errors of rounding and of clocks. */
#ifndef ML_COLUMNS_TIMES_H
#define ML_COLUMNS_TIMES_H

#include <stdint.h>

/* Half a unit of the last decimal digit that n times [s] are printed with, at most that of a
 * second: as far as rounding may have moved them. */
double ml_time_rounding(int64_t n, const double *time);

/* Gives n increasing times even intervals where they are uneven, and no time has to move by more
 * than `most` [s]; times that are even to a millionth of an interval keep their bits. */
void ml_times_even(int64_t n, double *time, double most);

/* The same with as much as rounding may have moved the times, if that is well below an interval. */
void ml_times_undo_rounding(int64_t n, double *time);

#endif
