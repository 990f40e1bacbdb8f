/* The head of a page: what its numbers mean, as JSON. */
#ifndef ML_REPORT_HEAD_H
#define ML_REPORT_HEAD_H

#include "report/parts.h"

#include <stdio.h>

/* Writes it so that it can stand in a script element: no text of a study ends or begins one.
 *   other  the result that is compared; NULL: none */
enum ml_status ml_report_head_write(const struct ml_report_parts *parts, struct ml_result *other,
                                    const struct ml_report_options *options, FILE *file,
                                    struct ml_error *err);

#endif
