/* Identity of the motions of a file: a checksum of all their given data. */
#ifndef ML_INVERSE_MOTION_ID_H
#define ML_INVERSE_MOTION_ID_H

#include "inverse/motion.h"

enum { ML_MOTION_ID_LENGTH = 33 }; /* 32 hexadecimal digits */

/* XXH3 (128 bits) of the times, of which rows are given, and of their numbers: those of a table, or
 * the checksums that a result keeps of the trajectories that are taken. The motion described by the
 * study, which its text identifies, has "study". */
enum ml_status ml_motion_id(const struct ml_motions *motions, char id[ML_MOTION_ID_LENGTH],
                            struct ml_error *err);

#endif
