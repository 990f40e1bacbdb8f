/* Where a number of a run is given, and from where to where it goes. */
#ifndef ML_CONFIG_GIVEN_H
#define ML_CONFIG_GIVEN_H

#include "config/reader.h"

struct ml_given {
    const char *path;
    double low, high; /* the smallest and the largest of all runs */
    bool is_swept;
    struct ml_location location;
};

/* Of the number in a slot, once the axes are known. */
struct ml_given ml_given_find(struct ml_reader *r, int slot);

/* s, the longest step or tick of all runs. */
double ml_given_longest_step(struct ml_reader *r);

/* The deepest node on the way that a path names: the number's own, or one that stands for several.
 */
const struct ml_node *ml_given_node(struct ml_reader *r, const char *path);

#endif
