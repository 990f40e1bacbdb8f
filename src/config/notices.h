/* Notices about a study, which are not errors: a doubtful value, an option without effect, a value
 * that the reader chose. Commands print notices to stderr before they begin. */
#ifndef ML_CONFIG_NOTICES_H
#define ML_CONFIG_NOTICES_H

#include "config/reader.h"

/* Adds a notice about the text at `place` (of the file or of an option --set). */
void ml_notice(struct ml_reader *r, struct ml_location location, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The same about the text `at` bytes after the start of a formula, once even if the formula is read
 * again. */
void ml_notice_formula(struct ml_reader *r, const struct ml_node *place, int at, const char *what);

/* The text of all notices, "file:line:column: note: text" each, in the order of the file:
 * [r->notices.count], owned by `pool`; NULL without memory. */
const char **ml_notices_list(const struct ml_reader *r, struct ml_pool *pool);

#endif
