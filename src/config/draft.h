/* The tree of a study that is built by calls. */
#ifndef ML_CONFIG_DRAFT_H
#define ML_CONFIG_DRAFT_H

#include "manylink/draft.h"
#include "yaml/problems.h"

/* The settings, in order. */
struct ml_draft {
    struct ml_pool pool;
    const char *name;
    const char **sets; /* [n_set] "path=value" */
    int n_set, n_room;
};

/* Whether a text of `length` bytes is a path, as of ml_draft_set. */
bool ml_draft_is_path(const char *path, size_t length);

/* The tree of problems->overrides [n], each "path=value"; nodes have places as of options --set.
 * NULL without memory; faults are added to the problems. */
struct ml_node *ml_draft_tree(struct ml_problems *problems, int n);

/* The tree as YAML, a study file; NULL without memory. */
char *ml_draft_text(const struct ml_node *root, struct ml_pool *pool);

#endif
