/* What of events viewers show as points, those of all runs in one picture: two kept numbers over
 * each other (a section), or of a study that sweeps one axis a number over that (an orbit
 * diagram). */
#ifndef ML_STORE_POINTS_H
#define ML_STORE_POINTS_H

#include "store/layout.h"

enum { ML_MAX_POINTS = 16 }; /* such pictures of a study */

/* A number of each point: one row of an output, or a swept quantity. */
struct ml_points_axis {
    int output, row; /* output -1: the row-th swept quantity */
};

struct ml_points {
    const char *event; /* its name */
    struct ml_points_axis x, y;
};

/* Finds them, those of the first event first. Returns how many there are. */
int ml_points_find(const struct ml_layout *layout, struct ml_points points[ML_MAX_POINTS]);

/* The picture of an output, by its number: the one that has it upwards, or else along; -1: none
 * has. */
int ml_points_of_output(const struct ml_layout *layout, int output);

/* "OUTPUT", "OUTPUT.LABEL" as `manylink plot` takes it, or the path of what is swept; and its
 * unit. */
void ml_points_name(const struct ml_layout *layout, const struct ml_points_axis *axis,
                    char name[ML_NAME_LENGTH]);
const char *ml_points_unit(const struct ml_layout *layout, const struct ml_points_axis *axis);

/* Without slashes, which no name in a file has. */
void ml_points_plain(char *name);

/* "Y_over_X", of the group. */
void ml_points_group(const struct ml_layout *layout, const struct ml_points *points,
                     char name[ML_NAME_LENGTH]);

/* Angles of which some go round are shown within -pi and pi. Whether there are any. */
bool ml_points_wrap(const char *unit, size_t n, double *values);

#endif
