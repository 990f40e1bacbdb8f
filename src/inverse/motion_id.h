/* What tells the motions of a file from others: a checksum of all that is given of them. */
#ifndef ML_INVERSE_MOTION_ID_H
#define ML_INVERSE_MOTION_ID_H

#include "inverse/motion.h"

enum { ML_MOTION_ID_LENGTH = 33 }; /* 32 hexadecimal digits */

/* XXH3 (128 bits) of the times, of which rows are given, and of their numbers: those of a table, or
 * the checksums that a result keeps of the trajectories that are taken. Of the study's own motion,
 * which its text tells, it is "study". */
enum ml_status ml_motion_id(const struct ml_motions *motions, char id[ML_MOTION_ID_LENGTH],
                            struct ml_error *err);

#endif
