/* Reads a study, a text or calls, into struct ml_study_spec. */
#ifndef ML_CONFIG_READ_STUDY_H
#define ML_CONFIG_READ_STUDY_H

#include "config/draft.h"
#include "config/reader.h"
#include "manylink/study.h"

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
