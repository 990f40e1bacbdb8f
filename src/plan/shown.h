/* The numbers that viewers and `manylink plot` show first, the numbers that belong to them, and
 * their names. */
#ifndef ML_PLAN_SHOWN_H
#define ML_PLAN_SHOWN_H

#include "plan/layout.h"

/* Ends the name of an angle's twin for maps. */
#define ML_SHOWN_WRAPPED "_wrapped"

/* Name of the twin that an output has or might have, "end_angle_wrapped"; an output's name that is
 * too long for it is cut off. */
const char *ml_shown_twin(const struct ml_output *output, char name[ML_NAME_LENGTH]);

struct ml_shown {
    int output;      /* first of the summary, of layout->results; -1: none is there */
    int record;      /* of the trajectories, before the summary; -1: not those */
    bool is_wrapped; /* the twin of the output's last row */
    int points;      /* before all these but a record, if there are any: as ml_points_find has them;
                        -1: none */
};

/* The number that viewers show first: the one that the study's `show` names. Without `show`, for a
 * single run with a trajectory, the first quantity of the trajectory. Else, in this order, the
 * first output of the first indicator that the study asks for (of `tracking` the settling time); of
 * an indicator that only some systems have, like max_ground_force; the first quantity of the end
 * state, of the last segment. Points that events keep come before outputs that the study does not
 * ask for, but in maps. Along one axis, all exponents of an indicator that has several.
 * Derivatives, and checks of the integration such as energy_drift, are never first. */
struct ml_shown ml_shown_first(const struct ml_layout *layout);

/* Whether that is the output that the study names, or the study names none. */
bool ml_shown_as_named(const struct ml_layout *layout);

/* Whether the row of an output that is shown first is its last: that of a segment. */
bool ml_shown_is_last(const struct ml_output *output);

/* The row of an output of controllers that is shown first in its place: that of the segment as of
 * ml_controlled_segment; -1: none. */
int ml_shown_controlled(const struct ml_layout *layout, int output);

/* Angles are not wrapped, and as a map all of one colour if a few runs whirl around. An output that
 * has a twin for maps, of its last row, "end_angle_wrapped.lower"; -1: none has. And the angle in
 * -pi .. pi, rounded to 2^-12 rad so that it takes little room. */
int ml_shown_wrapped(const struct ml_layout *layout);
const char *ml_shown_wrapped_name(const struct ml_layout *layout, char name[ML_NAME_LENGTH]);
float ml_shown_wrap(double angle);

/* The output whose numbers, or the first of them, are the standard errors of an output's; -1:
 * none. */
int ml_shown_error(const struct ml_layout *layout, int output);

#endif
