/* The folder of parts: OUT.h5.parts/ with identity.yaml, block-NNNNNNNN and, if the study keeps
 * trajectories, the file of them. */
#ifndef ML_STORE_PARTS_H
#define ML_STORE_PARTS_H

#include <stdint.h>

#include "study/study.h"

/* Makes the folder with the study's identity, or checks that the one there is this study's. */
enum ml_status ml_parts_open(const char *folder, const struct ml_study *study,
                             struct ml_error *err);

/* Path of a part, to be freed; NULL without memory. */
char *ml_parts_block(const char *folder, int64_t block);

/* Calls `found` for every part there is, in any order. */
enum ml_status ml_parts_list(const char *folder, void (*found)(void *context, int64_t block),
                             void *context, struct ml_error *err);

/* Removes what ml_parts_open and the writing of blocks made, the identity last, then the folder if
 * nothing else is in it. What cannot be removed stays: the result does not need it. */
void ml_parts_remove(const char *folder);

/* Whether the folder is there and this study's. */
bool ml_parts_are_of(const char *folder, const struct ml_study *study);

#endif
