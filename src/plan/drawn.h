/* Coordinates that viewers of a file draw along the axes of a grid, and of events as points.
 *
 * h5web divides the width of a map evenly among its cells, whatever the values of the axis are, so
 * that cells of an uneven axis would stand at wrong numbers. */
#ifndef ML_PLAN_DRAWN_H
#define ML_PLAN_DRAWN_H

#include "plan/layout.h"

enum ml_drawn {
    ML_DRAWN_SCALE,  /* the axis itself: its values, or the positions 0, 1, ... of an axis that
                        moves several quantities */
    ML_DRAWN_MEMBER, /* values of the first of several quantities that move together */
    ML_DRAWN_LOG,    /* the logarithm of the values */
    ML_DRAWN_INDEX,  /* their positions, with a label that tells them */
};

/* Whether they ascend or descend by the same step. */
bool ml_drawn_is_even(const struct ml_axis *axis);

/* Whether the values of an axis are spaced by a factor, and have a logarithm. */
bool ml_drawn_has_log(const struct ml_axis *axis);

/* Whether the k-th swept quantity has logarithms, in a sample too. */
bool ml_drawn_swept_has_log(const struct ml_layout *layout, int k);

/* Of curves values need an order only, and a style may be log.
 *   is_map  the last two axes are those of a map; others are sliders, or may be made axes of it */
enum ml_drawn ml_drawn_kind(const struct ml_axis *axis, bool is_map);

/* The number drawn for entry i: the axis' own, or the first of those of its keys. */
double ml_drawn_number(const struct ml_axis *axis, int64_t i);

/* Whether an axis is a family: of two values beside one of more, such as the direction of a
 * continuation. Each of its values is a signal. */
bool ml_drawn_is_family(const struct ml_layout *layout, int axis);

/* The swept quantity of the first family, by its number; -1: there is none. */
int ml_drawn_family(const struct ml_layout *layout);

/* Axes of a grid that are drawn along: those of more than one value that are no family, or all, if
 * there is one run.
 *   kept  [ML_MAX_AXES] their numbers
 * Returns how many; 0 of a list of runs and of a single one. */
int ml_drawn_axes(const struct ml_layout *layout, int *kept);

/* Whether numbers of the summary are maps. */
bool ml_drawn_is_map(const struct ml_layout *layout);

/* Viewers take equal units on both axes of a map, or none on both, for one and the same quantity,
 * drawn to one scale: a strip, if the ranges differ much, and of numbers without unit it says
 * nothing. True where that is not wanted: the x axis is then drawn by a dataset without unit, and y
 * by one that has one, be it "1". */
bool ml_drawn_stands_apart(const struct ml_axis *y, const struct ml_axis *x);

/* Unit of the numbers drawn: "1" of positions and logarithms. */
const char *ml_drawn_unit(const struct ml_axis *axis, enum ml_drawn kind);

enum { ML_DRAWN_LABEL = 3 * ML_NAME_LENGTH };

/* "NAME: 1, 10, 24, 28 kg", or of many values the first two and the last. */
void ml_drawn_positions_label(const struct ml_axis *axis, char label[ML_DRAWN_LABEL]);

/* The label of the drawn numbers: "NAME (kg)", "log10 of NAME in kg", or as above; of a long name
 * the last steps, as h5web cuts labels upwards. */
void ml_drawn_label(const struct ml_axis *axis, enum ml_drawn kind, char label[ML_DRAWN_LABEL]);

/* Points of the events of all runs in one picture: two kept numbers over
 * each other (a section), or of a study that sweeps one axis a number over that (an orbit
 * diagram). */

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

/* "OUTPUT", "OUTPUT.LABEL" as `manylink plot` takes it, or the path of a swept number; and its
 * unit. */
void ml_points_name(const struct ml_layout *layout, const struct ml_points_axis *axis,
                    char name[ML_NAME_LENGTH]);
const char *ml_points_unit(const struct ml_layout *layout, const struct ml_points_axis *axis);

/* "Y_over_X", of the group. */
void ml_points_group(const struct ml_layout *layout, const struct ml_points *points,
                     char name[ML_NAME_LENGTH]);

/* Angles of which some go round are shown within -pi and pi. Whether there are any. */
bool ml_points_wrap(const char *unit, size_t n, double *values);

#endif
