/* The picture of indices: bars, or curves over time or over the number of points. */
#ifndef ML_CLI_INDICES_PICTURE_H
#define ML_CLI_INDICES_PICTURE_H

#include "cli/indices.h"
#include "cli/options.h"
#include "manylink/plot.h"

enum { MOST_PANELS = 12 };

/* Indices gathered for a picture. Begins as {0}, but for `x_label`. */
struct indices_picture {
    const char *x_label; /* of curves; NULL: bars */
    int n, n_too_many;   /* numbers that have a panel, and that find no room */
    struct picture_panel {
        char *title;       /* the number */
        const char **rows; /* [n_row] inputs, in the order of the rows */
        const char *kinds[ML_INDEX_KINDS];
        int n_kind, n_row, n_x;  /* places along x */
        double *x;               /* [n_x] */
        double *values, *halves; /* [n_x][n_kind][n_row] */
    } panels[MOST_PANELS];
};

/* Adds the indices of a number at a place along x: to the last panel, if that is of this number.
 *   before  put before the name: the point of a grid; "" */
void indices_picture_add(struct indices_picture *picture, const struct indices *found,
                         const char *before, double x);

/* Draws the panels. Errors as of ml_plot; ML_E_INPUT without a panel, and with too many. */
enum ml_status indices_picture_draw(const struct indices_picture *picture,
                                    const struct ml_index_points *points,
                                    const struct command_line *line, struct ml_error *err);
void indices_picture_free(struct indices_picture *picture);

#endif
