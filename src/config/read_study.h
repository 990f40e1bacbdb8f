/* Reads a study: its text, or calls, become what the study says. */
#ifndef ML_CONFIG_READ_STUDY_H
#define ML_CONFIG_READ_STUDY_H

#include "config/draft.h"
#include "config/reader.h"

/* What a study is read from. */
struct ml_study_source {
    const char *name, *text;
    size_t length;
    const char *const *overrides;
    int n_override;
    const struct ml_draft *draft; /* instead of the text and overrides; NULL */
    const char *isa;
    const struct ml_native *native;
    bool is_for_inverse; /* nothing will be integrated */
};

/* Reads the keys of a source into r->spec, its tree to r->root. What is wrong is among
 * r->problems; without memory one of the two pools is short. Nothing is integrated. */
void ml_read_study(struct ml_reader *r, const struct ml_study_source *source);

#endif
