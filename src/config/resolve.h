/* The canonical text of a study. */
#ifndef ML_CONFIG_RESOLVE_H
#define ML_CONFIG_RESOLVE_H

#include "config/study_spec.h"

/* Begins what was derived when the study was planned, the end of a text. What is before it is what
 * the study says, and tells studies apart. */
#define ML_DERIVED_LINE "derived:\n"

/* YAML with every key and its value; reading it gives the same text again. Numbers that the system
 * derives stand in comments. Owned by spec->pool; NULL without memory.
 *   settings     [indicator] as they are to stand: the spec's, or with what was derived of them
 *   renormalise  s, to stand below `derived`; 0: nothing stands there */
char *ml_resolve(const struct ml_study_spec *spec, const double *const *settings,
                 double renormalise);

#endif
