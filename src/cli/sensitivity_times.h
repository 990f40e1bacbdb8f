/* Indices of saved quantities at each saved time, as cells between commas. */
#ifndef ML_CLI_SENSITIVITY_TIMES_H
#define ML_CLI_SENSITIVITY_TIMES_H

#include "cli/indices_picture.h"
#include "cli/sample.h"

/* Prints the indices of the quantities that the line names. The trajectories of all runs must have
 * been saved; they are read piece by piece along time.
 *   picture  to which the indices are added; NULL */
enum ml_status sensitivity_times(struct sample *sample, const struct command_line *line,
                                 struct indices_picture *picture);

#endif
