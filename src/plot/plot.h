/* Pictures of a finished result, drawn by gnuplot, a program of its own. */
#ifndef ML_PLOT_PLOT_H
#define ML_PLOT_PLOT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/stop.h"
#include "manylink/status.h"

/* What is to be drawn; pointers are borrowed, NULL where nothing is asked for. */
struct ml_plot_request {
    const char *result;         /* path of the result */
    bool may_be_changed;        /* by another program since it was made */
    const char *what;           /* a dataset, or "stick"; NULL: what viewers show first */
    const char *const *assigns; /* [n_assign] "PATH=VALUE": fix an axis there */
    int n_assign;
    const char *x, *y;  /* axes to draw along */
    double from, to;    /* part of x to draw; infinite: to the end */
    int64_t run;        /* draw this run; -1: none is asked for */
    const char *output; /* picture to make: .png, .svg or .pdf */
    const char *script; /* folder to keep script and data in */
    /* Called before the first file is made; what it returns ends the drawing, with ML_STOPPED and
     * without a file, once its level is not 0. May be NULL. */
    struct ml_stop (*begin_files)(void);
};

/* Draws it. Without `output` only script and data are written; without `script` they are thrown
 * away. On failure there is no new picture, and none is changed. */
enum ml_status ml_plot(const struct ml_plot_request *request, struct ml_error *err);

#endif
