/* Reads bands of the caller's own controls from a table like that of the curves of a report. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "manylink/fail.h"
#include "manylink/text.h"
#include "tools/gait/gait.h"

enum { MOST_COLUMNS = 1000, WHY = 128, NO_NUMBER = -1, PERCENT = -2 };

/* A table between commas, and the place of each column among the norm's numbers. */
struct norm {
    const char *path;
    struct gait_spread *numbers; /* [n_all] */
    int n_column, line, place[MOST_COLUMNS];
    bool is_sd[MOST_COLUMNS];
    double row[2][MOST_COLUMNS], percent[2]; /* the last row, and the row before */
};

/* The next cell of a line, which is cut there; NULL past the last. */
static char *next_cell(char **line)
{
    char *cell = *line, *comma = cell ? strchr(cell, ',') : NULL;
    if (comma)
        *comma++ = '\0';
    *line = comma;
    return cell;
}

/* Finds the columns of curves; returns how many. */
static int read_names(struct norm *norm, const struct gait *gait, char *line)
{
    int n_found = 0;
    for (char *cell; norm->n_column < MOST_COLUMNS && (cell = next_cell(&line));) {
        const int c = norm->n_column++, n = N_GAIT_CURVE * gait->n_joint * 2;
        const size_t side = strlen("right/");
        const char *name = strncmp(cell, "right/", side) == 0 ? cell + side : cell;
        norm->place[c] = strcmp(name, "percent") == 0 ? PERCENT : NO_NUMBER;
        for (int i = 0; i < n && norm->place[c] == NO_NUMBER; i++) {
            char own[200];
            const enum gait_curve curve = (enum gait_curve)(i / 2 / gait->n_joint);
            const int joint = i / 2 % gait->n_joint;
            (void)snprintf(own, sizeof own, "%s/%s/%s", gait_curve_names[curve],
                           gait->joints[joint], i % 2 == 0 ? "mean" : "sd");
            if (strcmp(name, own) == 0)
                norm->place[c] = gait_curve_at(gait, curve, joint, 0);
            norm->is_sd[c] = i % 2 == 1;
        }
        n_found += norm->place[c] >= 0;
    }
    return n_found;
}

/* Numbers at whole percents between the row before and this row, along the line between both. */
static void fill_between(struct norm *norm)
{
    for (int p = (int)ceil(fmax(norm->percent[0], 0.0)); p <= norm->percent[1]; p++) {
        const double share = (p - norm->percent[0]) / (norm->percent[1] - norm->percent[0]);
        for (int c = 0; c < norm->n_column; c++) {
            const double *a = norm->row[0], *b = norm->row[1];
            struct gait_spread *to = norm->place[c] < 0 ? NULL : &norm->numbers[norm->place[c] + p];
            if (to)
                *(norm->is_sd[c] ? &to->sd : &to->mean) = a[c] + share * (b[c] - a[c]);
        }
    }
}

static enum ml_status read_row(struct norm *norm, char *line, struct ml_error *err)
{
    char *cell = next_cell(&line), why[WHY];
    memcpy(norm->row[0], norm->row[1], sizeof norm->row[0]);
    norm->percent[0] = norm->percent[1];
    norm->percent[1] = (double)NAN;
    for (int c = 0; c < norm->n_column; c++, cell = next_cell(&line)) {
        norm->row[1][c] = (double)NAN;
        if (!cell)
            return ml_fail(err, ML_E_INPUT, "%s:%d: the line has %d cells, the first line %d",
                           norm->path, norm->line, c, norm->n_column);
        if (*cell && !ml_number_parse(cell, &norm->row[1][c], why, sizeof why))
            return ml_fail(err, ML_E_INPUT, "%s:%d: `%s` is no number: %s", norm->path, norm->line,
                           cell, why);
        if (norm->place[c] == PERCENT)
            norm->percent[1] = norm->row[1][c];
    }
    if (cell)
        return ml_fail(err, ML_E_INPUT,
                       "%s:%d: the line has more than the %d cells of the first line; numbers have "
                       "a decimal point",
                       norm->path, norm->line, norm->n_column);
    const bool is_up = isnan(norm->percent[0])
                           ? norm->percent[1] == 0.0
                           : norm->percent[1] > norm->percent[0] && norm->percent[1] < GAIT_POINTS;
    if (!is_up)
        return ml_fail(err, ML_E_INPUT,
                       "%s:%d: the column `percent` must go up from 0 to 100, but is %g here",
                       norm->path, norm->line, norm->percent[1]);
    if (!isnan(norm->percent[0]))
        fill_between(norm);
    return ML_OK;
}

static enum ml_status read_lines(struct norm *norm, const struct gait *gait, FILE *file,
                                 struct ml_error *err)
{
    enum ml_status status = ML_OK;
    char *line = NULL;
    size_t size = 0;
    for (norm->line = 1; status == ML_OK && getline(&line, &size, file) >= 0; norm->line++) {
        line[strcspn(line, "\r\n")] = '\0';
        if (norm->line == 1 && read_names(norm, gait, line) == 0)
            status = ml_fail(err, ML_E_INPUT,
                             "%s:1: the norm has no column of a curve; name them as a report does: "
                             "percent, angle/%s/mean, angle/%s/sd, torque/%s/mean, ...",
                             norm->path, gait->joints[0], gait->joints[0], gait->joints[0]);
        else if (norm->line > 1 && *line)
            status = read_row(norm, line, err);
    }
    free(line);
    if (status == ML_OK && !(norm->percent[1] == GAIT_POINTS - 1))
        status = ml_fail(err, ML_E_INPUT, "%s: the column `percent` ends before 100", norm->path);
    return status;
}

enum ml_status gait_read_norm(const struct gait *gait, const char *path,
                              struct gait_spread *numbers, struct ml_error *err)
{
    struct norm *norm = calloc(1, sizeof *norm);
    FILE *file = fopen(path, "re");
    enum ml_status status = norm ? ML_OK : ML_E_MEMORY;
    if (!file)
        status = ml_fail(err, ML_E_INPUT, "%s: cannot open the norm: %s", path, strerror(errno));
    for (int i = 0; i < gait->n_all; i++)
        numbers[i] = (struct gait_spread){(double)NAN, (double)NAN};
    if (status == ML_OK && norm) {
        norm->path = path;
        norm->numbers = numbers;
        norm->percent[1] = (double)NAN;
        status = read_lines(norm, gait, file, err);
    }
    if (file)
        (void)fclose(file);
    free(norm);
    return status;
}
