/* What is said of /study/attractors. */
#ifndef ML_STORE_ATTRACTORS_TEXT_H
#define ML_STORE_ATTRACTORS_TEXT_H

#include <stdio.h>

#include "store/h5.h"

/* Prints the attractors of each event that has labels in /study/summary; nothing if none has. */
void ml_attractors_print(struct ml_h5 *h5, hid_t file, FILE *out);

#endif
