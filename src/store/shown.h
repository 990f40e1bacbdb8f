/* Which number of a run viewers and `manylink plot` show first. */
#ifndef ML_STORE_SHOWN_H
#define ML_STORE_SHOWN_H

#include "store/names.h"

struct ml_shown {
    int output; /* of layout->results */
    int row;    /* of its numbers of one run; -1: all of them */
};

/* Of several runs one number each: the first output of the first indicator that the study asks for,
 * or else of one that only some systems have, like max_ground_force, or else the first quantity of
 * the end state, of the last segment. Derivatives, and checks of the integration such as
 * energy_drift, are never first. Of a single run several numbers, if there are any: one is no
 * picture. */
struct ml_shown ml_shown_first(const struct ml_layout *layout);

/* Its name, in the layout or in `name`: one row of several is a dataset of its own,
 * "end_angle.lower". */
const char *ml_shown_name(const struct ml_layout *layout, struct ml_shown shown,
                          char name[ML_NAME_LENGTH]);

/* The output whose first number is the standard error of what is shown, of curves only; -1: none.
 * And the name that viewers look for. */
int ml_shown_error(const struct ml_layout *layout, struct ml_shown shown);
void ml_shown_error_name(const struct ml_layout *layout, struct ml_shown shown,
                         char name[ML_NAME_LENGTH]);

/* Outputs to be shown with it: in a map's menu all of one number, as curves those of the same unit
 * and indicator. */
bool ml_shown_goes_with(const struct ml_layout *layout, struct ml_shown shown, int output);

#endif
