/* The canonical text of a study. */
#ifndef ML_CONFIG_RESOLVE_H
#define ML_CONFIG_RESOLVE_H

#include "config/schema/study_spec.h"

/* Heading of the values derived by planning, at the end of a text. The text before the heading
 * identifies the study. */
#define ML_DERIVED_LINE "derived:\n"

/* YAML with every key and its value; reading it gives the same text again. Numbers that the system
 * derives stand in comments. Owned by spec->pool; NULL without memory.
 *   settings     [indicator] to write: the spec's, or the spec's completed by derived values
 *   renormalise  s, to write below `derived`; 0: nothing */
char *ml_resolve(const struct ml_study_spec *spec, const double *const *settings,
                 double renormalise);

#endif
