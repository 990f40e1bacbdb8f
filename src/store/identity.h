/* Whether what is on disk belongs to the study at hand. */
#ifndef ML_STORE_IDENTITY_H
#define ML_STORE_IDENTITY_H

#include <stdint.h>

#include "manylink/status.h"

/* Two resolved texts that differ in the line of the title only are one study. */

/* FNV-1a: parts are told apart by it, their study's text is compared in full once. */
uint64_t ml_identity_hash(const char *resolved);

/* ML_OK if two resolved texts are of one study, else ML_E_OTHER_STUDY naming the first line that
 * differs. there  of what is at `path` */
enum ml_status ml_identity_compare(const char *path, const char *there, const char *here,
                                   struct ml_error *err);

#endif
