/* What a picture is to show, as struct ml_plot_options says it, with what is not given filled in.
 */
#ifndef ML_PLOT_REQUEST_H
#define ML_PLOT_REQUEST_H

#include <stdbool.h>
#include <stdint.h>

#include "base/stop.h"
#include "manylink/plot.h"

/* What is to be drawn; pointers are borrowed, NULL where nothing is asked for. */
struct ml_plot_request {
    const char *result;          /* path of the result */
    bool may_be_changed;         /* by another program since it was made */
    const char *what;            /* a dataset, or "stick"; NULL: the first picture of viewers */
    const struct ml_plot_at *at; /* [n_at] axes that are fixed */
    int n_at;
    const char *x, *y;   /* axes to draw along */
    double from, to;     /* part of x to draw; infinite: to the end */
    int64_t run;         /* draw this run; -1: none is asked for */
    const int64_t *runs; /* [n_run] draw these, over time; n_run is 0 or at least 2 */
    int n_run;
    const char *by;               /* a curve for each entry of this axis */
    const char *return_map;       /* draw what an event keeps over what it kept the time before */
    const char *panels;           /* a panel for each entry of this axis */
    double low, high;             /* of the values, or their colours; NaN: as they are */
    const double *contours;       /* [n_contour] lines over a map at these values */
    int n_contour;                /* -1: at round values; 0: there are none */
    bool is_histogram;            /* how often values occur */
    bool has_bands;               /* quantiles of the kept runs */
    int width, height;            /* pixels; 0: 800 x 600 */
    int dpi;                      /* of a .png, dots where sizes have 100 pixels; 0: 100 */
    const char *output;           /* picture to make: .png, .svg or .pdf; of a stick .gif, .mp4 */
    const char *script;           /* folder to keep script and data in */
    struct ml_stop stop;          /* once its level is not 0 the drawing ends, with ML_STOPPED and
                                     without a file */
    void (*begin)(void *context); /* called before the first file is made; NULL */
    void *context;                /* of that */
};

#endif
