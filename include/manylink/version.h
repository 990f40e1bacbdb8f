#ifndef MANYLINK_VERSION_H
#define MANYLINK_VERSION_H

#define ML_VERSION "0.1.0"

/* Version of the study file and the result file. */
#define ML_FORMAT 1

#endif
