/* What an indicator is: numbers measured on a run while it advances. */
#ifndef ML_ANALYSIS_INDICATOR_H
#define ML_ANALYSIS_INDICATOR_H

#include <stdbool.h>

#include "systems/system.h"

/* What an indicator sees of a batch at one time. Rows of ML_LANES. */
struct ml_observation {
    const struct ml_system *system;
    int n;                      /* segments */
    double time;                /* s */
    const double *state;        /* at the end only: initial-state quantities, in the study's
                                   coordinates and the order of system->state */
    const double *rate;         /* [n] of them, the quantity `rate`; NULL if the system has none */
    const double *kinetic;      /* [1] J; NULL like the next two if the system has no energy */
    const double *potential;    /* [1] J */
    const double *energy_scale; /* [1] J */
};

enum { ML_MAX_OUTPUT_NAME = 32 };

/* One dataset of /study/summary. */
struct ml_output {
    char name[ML_MAX_OUTPUT_NAME];
    const char *unit, *doc;
    enum ml_dim dim; /* extra dimension after the grid's */
};

struct ml_indicator {
    const char *name, *doc;

    /* Describes the i-th dataset it writes for this system; false past the last. */
    bool (*output)(const struct ml_system *system, int i, struct ml_output *output);

    int (*keep_rows)(const struct ml_system *system, int n); /* rows it keeps along a run */

    /* At the start, then at every observed step, the last step included.
     *   keep  [keep_rows][ML_LANES] */
    void (*begin)(const struct ml_observation *seen, double *keep);
    void (*observe)(const struct ml_observation *seen, double *keep);

    /* Writes the datasets: out[i] is [rows of output i][ML_LANES]. */
    void (*finish)(const struct ml_observation *seen, const double *keep, double *const *out);
};

#endif
