/* Bands of controls, from a table like that of the curves of a report. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "manylink/fail.h"
#include "manylink/table.h"
#include "tools/gait/gait.h"

enum { NAME = 200, WAYS = 2, PARTS = 2 };

/* Name of a column: of mean or standard deviation of a curve, of the right side or of both. */
static void name_column(const struct gait *gait, int i, char name[NAME])
{
    const int curve = i / WAYS / PARTS / gait->n_joint, joint = i / WAYS / PARTS % gait->n_joint;
    (void)snprintf(name, NAME, "%s%s/%s/%s", i % WAYS == 0 ? "" : "right/", gait_curve_names[curve],
                   gait->joints[joint], i / WAYS % PARTS == 0 ? "mean" : "sd");
}

/* Numbers at whole percents, along the lines between n rows; of a column without numbers, none. */
static void fill_curve(int64_t n, const double *percent, const double *column, bool is_sd,
                       struct gait_spread to[GAIT_POINTS])
{
    bool is_there = false;
    for (int64_t k = 0; k < n; k++)
        is_there |= !isnan(column[k]);
    for (int64_t k = 1; k < n && is_there; k++)
        for (int p = (int)ceil(percent[k - 1]); p <= percent[k]; p++) {
            const double share = (p - percent[k - 1]) / (percent[k] - percent[k - 1]);
            *(is_sd ? &to[p].sd : &to[p].mean) =
                column[k - 1] + share * (column[k] - column[k - 1]);
        }
}

static enum ml_status check_norm(const struct gait *gait, const char *path, int n, int64_t n_row,
                                 const double *columns, struct ml_error *err)
{
    int64_t n_number = 0;
    for (int64_t k = n_row; k < (n + 1) * n_row; k++) {
        const int column = (int)(k / n_row) - 1;
        char name[NAME];
        n_number += !isnan(columns[k]);
        if (column / WAYS % PARTS == 0 || !(columns[k] < 0.0))
            continue;
        name_column(gait, column, name);
        return ml_fail(err, ML_E_INPUT,
                       "%s: cannot draw the norm: its column `%s` has %g, but a standard deviation "
                       "is not below 0",
                       path, name, columns[k]);
    }
    if (columns[0] != 0.0 || columns[n_row - 1] != GAIT_POINTS - 1)
        return ml_fail(err, ML_E_INPUT,
                       "%s: cannot draw the norm: its column `percent` goes from %g to %g, not "
                       "from 0 to 100",
                       path, columns[0], columns[n_row - 1]);
    if (n_number == 0)
        return ml_fail(err, ML_E_INPUT,
                       "%s: cannot draw the norm: it has no numbers of a curve; name its columns "
                       "as a report does: percent, angle/%s/mean, angle/%s/sd, torque/%s/mean, ...",
                       path, gait->joints[0], gait->joints[0], gait->joints[0]);
    return ML_OK;
}

enum ml_status gait_read_norm(const struct gait *gait, const char *path,
                              struct gait_spread *numbers, struct ml_error *err)
{
    const int n = N_GAIT_CURVE * gait->n_joint * PARTS * WAYS;
    char(*names)[NAME] = malloc((size_t)n * sizeof *names);
    const char **list = malloc((size_t)n * sizeof *list);
    double *columns = NULL;
    int64_t n_row = 0;
    enum ml_status status = names && list ? ML_OK : ML_E_MEMORY;
    for (int i = 0; i < n && status == ML_OK; i++) {
        name_column(gait, i, names[i]);
        list[i] = names[i];
    }
    if (status == ML_OK)
        status = ml_table_columns(path, "percent", n, list, &columns, &n_row, err);
    if (status == ML_OK)
        status = check_norm(gait, path, n, n_row, columns, err);
    for (int i = 0; i < gait->n_all; i++)
        numbers[i] = (struct gait_spread){(double)NAN, (double)NAN, 0};
    for (int i = 0; i < n && status == ML_OK; i++)
        fill_curve(n_row, columns, columns + (i + 1) * n_row, i / WAYS % PARTS == 1,
                   &numbers[gait->n_row + i / WAYS / PARTS * GAIT_POINTS]);
    free(columns);
    free((void *)list);
    free(names);
    return status;
}
