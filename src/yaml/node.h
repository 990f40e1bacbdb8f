/* The tree a study file is read into: scalars are text, every node knows its place in the file. */
#ifndef ML_YAML_NODE_H
#define ML_YAML_NODE_H

#include <stdbool.h>
#include <stddef.h>

#include "yaml/pool.h"

/* Where something was written. */
struct ml_location {
    int option;       /* 0: in the file; k: in the k-th --set */
    int line, column; /* 1-based, in characters */
};

enum ml_node_kind { ML_NODE_SCALAR, ML_NODE_LIST, ML_NODE_MAP };

struct ml_node {
    enum ml_node_kind kind;
    bool is_plain; /* a scalar without quotes, on one line */
    int inset;     /* 1: a scalar in quotes whose text stands behind the first one as it is */
    bool is_made;  /* a formula that a section has become, whose own formulas are read too */
    struct ml_location location, key_location;
    const char *key;  /* in a map */
    const char *text; /* of a scalar */
    int n_child;
    struct ml_node *first, *last; /* children of a list or map */
    struct ml_node *next;         /* sibling */
};

/* The child of a map with this key; NULL if not found, or `map` is NULL or not a map. */
struct ml_node *ml_node_find(const struct ml_node *map, const char *key);

/* The child of a map by its key, if that child is of this kind. */
static inline const struct ml_node *ml_node_find_kind(const struct ml_node *map, const char *key,
                                                      enum ml_node_kind kind)
{
    const struct ml_node *child = ml_node_find(map, key);
    return child && child->kind == kind ? child : NULL;
}

void ml_node_append(struct ml_node *parent, struct ml_node *child);

/* Takes a child out of its parent. */
void ml_node_remove(struct ml_node *parent, const struct ml_node *child);

/* Gives a node the value of another one, from a location; its key stays. */
void ml_node_replace(struct ml_node *node, const struct ml_node *value,
                     struct ml_location location);

/* Whether a text has the word: between letters, digits and _ there are other signs. */
bool ml_node_has_word(const char *text, const char *word);

/* Whether some text at or below a node has the word; false of NULL. */
bool ml_node_mentions(const struct ml_node *node, const char *word);

/* "a number or word", "a list", "a map": for messages. */
const char *ml_node_kind_text(const struct ml_node *node);

/* Text between backquotes for a message: control characters blanked, cut when long. */
const char *ml_quote(struct ml_pool *pool, const char *text);

#endif
