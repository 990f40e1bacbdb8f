/* Motions as text: a line of column names, then a line of numbers for every sample.
 *
 *   time,angle/upper,angle/lower,rate/upper,rate/lower
 *   0,0.1,0.2,0,0
 *
 * Columns in any order; angle/NAME for every segment, rate/NAME and acceleration/NAME for all of
 * them or none; base/x and base/y of a base that moves, and base_rate/.., base_acceleration/... */
#ifndef ML_INVERSE_CSV_H
#define ML_INVERSE_CSV_H

#include "inverse/motion.h"

/* Fills in the times and values of *out. All mistakes are told at once, with line and column. */
enum ml_status ml_csv_open(const struct ml_study *study, const char *path, struct ml_motions *out,
                           struct ml_error *err);

#endif
