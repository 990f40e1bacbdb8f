/* Where a number of a run is given, and from where to where it goes. */
#ifndef ML_CONFIG_GIVEN_H
#define ML_CONFIG_GIVEN_H

#include "config/schema/reader.h"

struct ml_given {
    const char *path;
    double low, high; /* the smallest and the largest of all runs */
    bool is_swept;
    struct ml_location location;
};

/* How the number in a slot is given, once the axes are known. */
struct ml_given ml_given_find(struct ml_reader *r, int slot);

/* s, the longest step or tick of all runs. */
double ml_given_longest_step(struct ml_reader *r);

/* The deepest node on the way that a path names: the number's own, or one that stands for several.
 */
const struct ml_node *ml_given_node(struct ml_reader *r, const char *path);

/* An axis of a grid that an option has taken away. */
struct ml_fixed_axis {
    const char *name;
    struct ml_location location; /* of the option */
    struct ml_fixed_axis *next;
};

/* Writes numbers without a node in the tree to spec->numbers.base: a segment of a body, an element
 * of a vector or matrix, or of a value for all. Reports paths that name no number. After
 * ml_slots_make. */
void ml_fixed_axes_numbers(struct ml_reader *r);

/* Whether an option gives this number, which then is no part of its axis; path may be NULL. */
bool ml_is_fixed(const struct ml_reader *r, const char *path);

/* Fixes every swept key that an option sets, with a notice, and notices options without effect on
 * swept keys below them. Reports vectors of which only one component is given or swept. After the
 * sweep or sample was read. */
void ml_fixed_axes_swept(struct ml_reader *r);

#endif
