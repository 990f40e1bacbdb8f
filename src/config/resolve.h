/* The canonical text of a study. */
#ifndef ML_CONFIG_RESOLVE_H
#define ML_CONFIG_RESOLVE_H

#include "config/study.h"

/* Begins what was derived when the study was planned, the end of a text. What is before it is what
 * the study says, and tells studies apart. */
#define ML_DERIVED_LINE "derived:\n"

enum ml_resolve_form {
    ML_RESOLVE_GIVEN, /* what is derived stands below `derived` */
    ML_RESOLVE_FILLED /* it stands at the keys that could say it, as if it were given */
};

/* YAML with every key and its value; reading it gives the same text again. Numbers that the system
 * derives stand in comments. Owned by study->pool; NULL without memory. */
char *ml_resolve(struct ml_study *study, enum ml_resolve_form form);

#endif
