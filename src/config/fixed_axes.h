/* Numbers that an option --set gives: one value in all runs. A swept key leaves its axis. */
#ifndef ML_CONFIG_FIXED_AXES_H
#define ML_CONFIG_FIXED_AXES_H

#include "config/reader.h"

/* An axis of a grid that an option has taken away. */
struct ml_fixed_axis {
    const char *name;
    struct ml_location location; /* of the option */
    struct ml_fixed_axis *next;
};

/* Writes numbers without a node in the tree to spec->base: a segment of a body, an element of a
 * vector or matrix, or of a value for all. Reports paths that name no number. After
 * ml_slots_make. */
void ml_fixed_axes_numbers(struct ml_reader *r);

/* Whether an option gives this number, which then is no part of its axis; path may be NULL. */
bool ml_is_fixed(const struct ml_reader *r, const char *path);

/* Fixes every swept key that an option sets, with a notice, and notices options without effect on
 * swept keys below them. Reports vectors of which only one component is given or swept. After the
 * sweep or sample was read. */
void ml_fixed_axes_swept(struct ml_reader *r);

#endif
