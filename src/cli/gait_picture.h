/* The curves of a report of gait: as a file, and as laboratories print them. */
#ifndef ML_CLI_GAIT_PICTURE_H
#define ML_CLI_GAIT_PICTURE_H

#include "cli/options.h"
#include "tools/gait/gait.h"

/* The unit in which people read a number, degrees for rad; and how many of the given unit that is.
 */
const char *gait_shown_unit(const char *unit, double *size);

/* Writes the curves of all joints and both sides: mean, standard deviations; to --curves. */
enum ml_status gait_write_curves(const struct gait *gait, const struct command_line *line,
                                 struct ml_error *err);

/* Draws angle, moment and power of the joints, a column for each: mean, band and toe-off of either
 * side, with the band of a norm if one is given. */
enum ml_status gait_draw(const struct gait *gait, const struct command_line *line,
                         struct ml_error *err);

#endif
