/* Motions of a table. The key `motion` of the study says which columns or markers have the angle of
 * each segment, and in which unit and direction.
 *
 *   time,angle/upper,angle/lower,rate/upper,rate/lower
 *   0,0.1,0.2,0,0
 *
 * Without that key: columns in any order, angle/NAME or NAME for every segment, rate/NAME and
 * acceleration/NAME for all segments or none; base/x and base/y of a base that moves. */
#ifndef ML_INVERSE_MOTION_TABLE_H
#define ML_INVERSE_MOTION_TABLE_H

#include "inverse/motion.h"

/* Fills in the times and values of *out. All mistakes are told at once, with line and column. */
enum ml_status ml_motion_table_open(const struct ml_study *study, const char *path,
                                    struct ml_motions *out, struct ml_error *err);

#endif
