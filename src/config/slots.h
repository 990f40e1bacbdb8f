/* The numbers of a run by name, as a sweep, an option --set or a derivative names them. */
#ifndef ML_CONFIG_SLOTS_H
#define ML_CONFIG_SLOTS_H

#include "config/reader.h"

/* Completes spec->base and names every number. */
void ml_slots_make(struct ml_reader *r);

/* The number that a path names; NULL if no number has that path. */
const struct ml_slot *ml_slot_find(const struct ml_reader *r, const char *path);

/* The number that a node's text names, which can be swept; NULL after a problem. key of the text,
 * for messages */
const struct ml_slot *ml_read_slot(struct ml_reader *r, const struct ml_node *node,
                                   const char *key);

#endif
