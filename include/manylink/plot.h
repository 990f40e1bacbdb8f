/* Pictures of a finished result, drawn by gnuplot, a program of its own that must be on the PATH.
 */
#ifndef MANYLINK_PLOT_H
#define MANYLINK_PLOT_H

#include <stddef.h>
#include <stdint.h>

#include "manylink/api.h"
#include "manylink/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* An axis, and the number or label at which it is fixed, "30deg" is a number, as in a study file;
 * or "x", "y" or "colour", and the text along that axis. */
struct ml_plot_at {
    const char *axis, *value;
};

/* Estimates with 95 % intervals, or other bands about a mean, that a program found itself, such as
 * sensitivity indices: a panel of a picture. With one place along x they are bars; with several
 * curves, each in the band of its interval, with the second kind dashed. */
struct ml_plot_estimates {
    const char *title;        /* of the panel: the number that they are of */
    const char *label;        /* along the estimates */
    const char *const *rows;  /* [n_row] one bar below the other, or a curve each: inputs */
    const char *const *kinds; /* [n_kind] a colour each in bars: "first order", "total" */
    const char *x_label;      /* of curves, "time (s)" */
    const double *x;          /* [n_x] ascending, of curves */
    const double *values,
        *halves; /* [n_x][n_kind][n_row], and half of their intervals; NaN: none */
    int n_row, n_kind, n_x;
};

/* Request for a picture. A field that is 0 or NULL has its default. `output` or `script` must be
 * given. */
struct ml_plot_options {
    size_t size;        /* sizeof(struct ml_plot_options) */
    const char *result; /* path of a result of ml_run, ml_merge, ml_inverse or ml_compare */
    const char *output; /* picture to make: .png, .svg, .pdf, .eps or .tex (TikZ); of a stick also
                           .gif and .mp4 */
    const char *script; /* folder to keep gnuplot's script and its data in; without `output`
                           gnuplot is not run */
    int may_be_changed; /* the result may have been changed by another program since it was
                           made; 0: it is refused then */
    const char *what;   /* a dataset of the summary or the trajectories, or "stick"; NULL:
                           the first picture of viewers */
    const struct ml_plot_at *at; /* [n_at] axes that are fixed */
    int n_at;
    const char *x, *y;   /* axes to draw along */
    const double *part;  /* [2] ends of the part of x to draw, in its unit, infinite: to the
                            end; of a stick s */
    const int64_t *runs; /* [n_run] draw this run, or these over time */
    int n_run;
    const char *by;     /* a curve for each entry of this axis */
    const char *panels; /* a panel for each entry of this axis */
    const char
        *return_map;     /* a kept quantity of an event, drawn over its value at the event before */
    const double *range; /* [2] of the values, or their colours, NaN: as they are */
    const double *contours;       /* [n_contour] lines over a map at these values */
    int n_contour;                /* -1: at round values; 0: no contours */
    int is_histogram;             /* how often values occur */
    int has_bands;                /* quantiles of the kept runs */
    int width, height;            /* pixels; 0: 800 x 600 */
    int dpi;                      /* of a .png, dots where sizes have 100 pixels; 0: 100 */
    int (*stop)(void *context);   /* NULL, or as of ml_run: not 0 ends gnuplot too */
    void (*begin)(void *context); /* NULL, or called once before the first file is made: before it
                                     the process can end at once and leaves nothing behind */
    void *context;                /* of both */
    const char *title;            /* in place of the study's; "": none */
    const struct ml_plot_at *labels; /* [n_label] in place of those of the result */
    int n_label;
    const char *font;    /* "NAME,POINTS", "NAME" or ",POINTS" */
    const char *palette; /* of the colours: "viridis", "cividis", "magma", "grey" or "blue-red" */
    double aspect; /* height of the axes over their width; 0: a unit is as long upwards as across
                      where both axes have the same one; ML_PLOT_EQUAL: on any axes; infinite: as
                      the picture is */
    const struct ml_plot_estimates *estimates; /* [n_estimate] drawn in place of a dataset */
    int n_estimate;                            /* at most 12 */
    const char *colour; /* quantity of the runs of a sample, in whose colour each point is */
    int is_matrix;      /* all that was swept or drawn and a number of each run over each other */
    /* Of estimates: */
    int n_column;        /* panels beside each other; 0: by their number */
    const double *marks; /* [n_mark] places along x of vertical lines, each in the colour of the row
                            of its number; NaN: none. There is then a line at 0, too */
    int n_mark;
};
#define ML_PLOT_EQUAL (-1.0)

/* Name of palette i, from 0 on; NULL past the last. Static. */
ML_API const char *ml_plot_palette(int i);

/* Draws a picture. On failure no picture is written or changed. ML_E_INPUT for data that the result
 * does not have, and for a picture path that is the result or not a file; ML_E_FILE if the result
 * cannot be read, is damaged or was changed, or gnuplot is missing; ML_STOPPED when `stop` asked
 * for it. Several threads may draw at once. */
ML_API enum ml_status ml_plot(const struct ml_plot_options *options, struct ml_error *err);

#ifdef __cplusplus
}
#endif

#endif
