/* The head of a page: what its numbers mean, as JSON. */
#ifndef ML_REPORT_HEAD_H
#define ML_REPORT_HEAD_H

#include "report/parts.h"

#include <stdio.h>

/* Writes it so that it can stand in a script element: no text of a study ends or begins one.
 *   path  of the result, for commands that the page tells
 *   has_paths  with the host and the folders of paths */
enum ml_status ml_report_head_write(const struct ml_report_parts *parts, const char *path,
                                    bool has_paths, FILE *file, struct ml_error *err);

#endif
