/* How far a run or an inverse computation is: a line that is rewritten on a terminal, below a map
 * if that is asked for; a line now and then elsewhere. */
#ifndef ML_CLI_PROGRESS_H
#define ML_CLI_PROGRESS_H

#include <pthread.h>
#include <stdbool.h>

#include "manylink/run.h"
#include "tools/watch/watch.h"

struct progress_line {
    const char *items, *steps; /* names of the counted items, in the plural; constants */
    bool is_terminal;
    int columns;             /* of the terminal */
    enum ml_run_phase phase; /* that it was last in */
    double last;             /* s of the phase, when it was last written */
    bool is_long;            /* it has been written */
    int lines;               /* of the map above it that are on the screen */
    bool is_new;             /* the map has runs that are not on the screen */
    struct watch *watch;     /* to be freed; NULL: no map */
    pthread_mutex_t lock;
    int64_t outcomes[ML_N_OUTCOME]; /* of the runs that this call finished */
    char findings[4096];            /* about the numbers, a line each */
};

/*   items, steps  "runs" and "steps", of torques "results" and "samples"
 *   watch         draws a map, if it is a terminal */
void progress_begin(struct progress_line *line, const struct ml_study *study, const char *items,
                    const char *steps, bool watch);

/* As `progress`, `notice`, `finding` and `observe` of ml_run_options; context is a struct
 * progress_line. */
void progress_show(void *context, const struct ml_run_progress *progress);
void progress_notice(void *context, const char *text);
void progress_find(void *context, const char *text); /* keeps it for progress_print_findings */
void progress_observe(void *context, const struct ml_run_block *block);

/* Makes room for other text: the line disappears, the map stays, and further text stands below the
 * map. */
void progress_end(struct progress_line *line);

/* Prints the findings about the numbers, after the numbers. */
void progress_print_findings(const struct progress_line *line);

void progress_free(struct progress_line *line);

#endif
