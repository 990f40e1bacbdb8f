/* How far a run is: a line that is rewritten on a terminal, a line now and then elsewhere. */
#ifndef ML_CLI_PROGRESS_H
#define ML_CLI_PROGRESS_H

#include <stdbool.h>

#include "manylink/run.h"

struct progress_line {
    bool is_terminal;
    double last; /* s, when it was last written */
};

struct progress_line progress_begin(void);

/* As of ml_run_options; context is a struct progress_line. */
void progress_show(void *context, const struct ml_run_progress *progress);

void progress_end(struct progress_line *line);

#endif
