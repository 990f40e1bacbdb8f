/* Reads a study, a text or calls, into struct ml_study_spec. */
#ifndef ML_CONFIG_READ_STUDY_H
#define ML_CONFIG_READ_STUDY_H

#include "config/schema/reader.h"
#include "manylink/draft.h"
#include "manylink/study.h"
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

/* Sources of a study. */
struct ml_reading {
    struct ml_study_source source; /* with its text */
    const struct ml_draft *draft;  /* instead of the text and overrides; NULL */
    const struct ml_native *native;
};

/* Reads the keys into r->spec, its tree to r->root. Faults are added to r->problems; without memory
 * one of the two pools is short. Nothing is integrated. */
void ml_read_study(struct ml_reader *r, const struct ml_reading *reading);

#endif
