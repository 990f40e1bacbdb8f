/* Room on disk. */
#ifndef ML_STORE_SPACE_H
#define ML_STORE_SPACE_H

#include "store/layout.h"

/* Bytes: the numbers of all runs, and the trajectories, in the final file, not compressed. */
double ml_space_of_runs(const struct ml_layout *layout);
double ml_space_of_trajectories(const struct ml_layout *layout);

/* What is needed besides until the final file is there: the parts, and the file that HDF5 makes. */
double ml_space_of_parts(const struct ml_layout *layout);

/* Bytes that are still to be written into a folder of parts and the final file, and those that are
 * free there for this user; both 0 if it is not known. */
void ml_space(const struct ml_layout *layout, const char *parts, double *needed, double *available);

#endif
