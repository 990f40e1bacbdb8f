/* Classical systems as formulas: the studies of src/model/catalogue, as they were when the library
 * was built; scripts/embed writes their table. A study names their systems by `type`, as those of
 * the registry (config/formulas/read_classic.c). */
#ifndef ML_MODEL_CLASSICS_H
#define ML_MODEL_CLASSICS_H

struct ml_classic {
    const char *name; /* "thomas" */
    const char *const
        *lines; /* NULL at the end; the first is a comment: the system and its source */
};

/* Ends with a name of NULL. */
extern const struct ml_classic ml_classics[];

#endif
