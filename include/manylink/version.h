#ifndef MANYLINK_VERSION_H
#define MANYLINK_VERSION_H

#define ML_VERSION "0.1.0"

/* Version of the study file. */
#define ML_FORMAT 1

/* Version of the result file: 2 has trajectories in one piece, with checksums of their own; 3 has a
 * seal, a checksum of all the rest. */
#define ML_RESULT_FORMAT 3

#endif
