/* Paths of keys through the tree of a study, as --set, drafts and messages name them: keys joined
 * by dots, elements of lists by their names, of axes by name, key or number, or counted from 0 in
 * brackets: "system.segments.lower.mass", "sweep[0].from"; "sweep[]" is the one behind the last. */
#ifndef ML_CONFIG_PATH_H
#define ML_CONFIG_PATH_H

#include <stddef.h>

#include "yaml/node.h"

enum ml_path_mode {
    ML_PATH_FIND,   /* nothing is made */
    ML_PATH_BUILD,  /* missing nodes are made */
    ML_PATH_OPTION, /* the same, but for numbers of a run in a form that the tree does not have */
};

struct ml_path {
    enum ml_path_mode mode;
    struct ml_pool *pool;
    struct ml_node *root;
    struct ml_location location; /* of nodes that are made */
    const char *text, *end;      /* the path */
    /* set by ml_path_walk: */
    const char *from, *to; /* the last step */
    struct ml_node *parent,
        *above;         /* the node around the last one, and the node around that; NULL: none */
    const char *so_far; /* "system.segments": the steps before the last */
    const char *fault;  /* why there is no node; NULL: there is */
};

/* The node that the path names; NULL: see path->fault. */
struct ml_node *ml_path_walk(struct ml_path *path);

/* Bytes of "[12]" or "[]" that a text begins with; 0: it does not. */
size_t ml_path_bracket(const char *text);

#endif
