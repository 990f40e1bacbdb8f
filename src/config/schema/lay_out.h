/* Nodes that sections written by other keys add to the tree, before anything is read. */
#ifndef ML_CONFIG_LAY_OUT_H
#define ML_CONFIG_LAY_OUT_H

#include "config/schema/reader.h"

/* A node at the place of another one; NULL without memory. */
struct ml_node *ml_tree_make(struct ml_reader *r, const struct ml_node *place,
                             enum ml_node_kind kind, const char *key, const char *text);

/* Either may be NULL. */
void ml_tree_append(struct ml_node *parent, struct ml_node *child);

/* The map or list below a key, an empty one where the study gives none; NULL where it gives
 * something else, which is reported when the key is read. */
struct ml_node *ml_tree_find_or_make(struct ml_reader *r, struct ml_node *parent,
                                     const struct ml_node *place, enum ml_node_kind kind,
                                     const char *key);

/* Gives a map the value of a key of `from`, if it is there, under another key. */
void ml_tree_take(struct ml_reader *r, const struct ml_node *from, const char *key,
                  struct ml_node *to, const char *as);

/* Gives a map a formula, at the place of another node; NULL without memory. */
struct ml_node *ml_tree_add(struct ml_reader *r, struct ml_node *map, const struct ml_node *place,
                            const char *key, const char *text);

/* A formula of the names of a signal or controller: `form`, in which % stands for its name and `_`;
 * NULL without memory. */
const char *ml_tree_formula(struct ml_reader *r, const char *name, const char *form);

/* Whether an option --set gives a key, whose value then counts. */
bool ml_tree_is_set(const struct ml_node *map, const char *key);

/* Reports a name that `define` has twice: that of a number of a signal or controller.
 *   owner  "signal `u`" */
void ml_tree_check_own(struct ml_reader *r, const char *name, const char *owner);

/* Whether a map of a force has a type whose rates or forces are formulas. */
bool ml_has_formulas(const struct ml_node *map);

#endif
