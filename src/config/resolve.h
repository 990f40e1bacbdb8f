/* The canonical text of a study. */
#ifndef ML_CONFIG_RESOLVE_H
#define ML_CONFIG_RESOLVE_H

#include "config/study.h"

/* YAML with every key and its value; reading it gives the same text again. Numbers that the system
 * derives stand in comments. Owned by study->pool; NULL without memory. */
char *ml_resolve(struct ml_study *study);

#endif
