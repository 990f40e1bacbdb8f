/* A map of a run's first indicator, drawn on a terminal while it runs. */
#ifndef ML_TOOLS_WATCH_WATCH_H
#define ML_TOOLS_WATCH_WATCH_H

#include <stdbool.h>
#include <stdio.h>

#include "manylink/run.h"

enum { WATCH_MOST_ACROSS = 64, WATCH_MOST_UP = 20 };

/* One direction of a map: an axis of a grid, or a key of a sample. */
struct watch_side {
    int n;                 /* cells */
    const char *name;      /* of the axis or key, the study's; NULL without an axis */
    int key;               /* of a sample; -1: an axis of a grid, */
    int64_t stride, count; /* whose position is run / stride % count */
    double low, high;      /* ends of the key's range */
    bool is_log;           /* a sample's key is spread evenly in the logarithm */
};

struct watch {
    const struct ml_study *study; /* borrowed */
    int columns;                  /* of the terminal */
    int output;                   /* that is drawn; -1: none */
    int64_t width, component;     /* its numbers of a run, and which of them is drawn */
    struct watch_side across, up;
    double sum[WATCH_MOST_UP][WATCH_MOST_ACROSS]; /* of the finite numbers of a cell */
    int64_t count[WATCH_MOST_UP][WATCH_MOST_ACROSS];
    int64_t missing[WATCH_MOST_UP][WATCH_MOST_ACROSS]; /* runs without such a number */
};

/*   columns, rows  of the terminal */
void watch_begin(struct watch *watch, const struct ml_study *study, int columns, int rows);

/* Takes finished runs. */
void watch_add(struct watch *watch, const struct ml_run_block *block);

/* Prints the map with a heading and its colours; returns the lines that it took. Cells in which no
 * run is finished are blank, those without a number grey. */
int watch_print(const struct watch *watch, FILE *to);

#endif
