/* Reads bands of the caller's own controls from a table like that of the curves of a report. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "manylink/fail.h"
#include "manylink/text.h"
#include "tools/gait/gait.h"

enum { MOST_COLUMNS = 1000, WHY = 128 };

/* The table: cells between commas, a line of names and lines of numbers. */
struct table {
    const char *path;
    char *text; /* the line of names, cut at its commas */
    const char *names[MOST_COLUMNS];
    int n_column;
    double *values; /* [n_row][n_column] */
    int n_row;
    struct ml_error *err;
};

/* Cuts a line at its commas, and returns the number of cells; at most `most`. */
static int cut_line(char *line, const char **cells, int most)
{
    int n = 0;
    line[strcspn(line, "\r\n")] = '\0';
    for (char *at = line; at && n < most; n++) {
        char *comma = strchr(at, ',');
        cells[n] = at;
        if (comma)
            *comma++ = '\0';
        at = comma;
    }
    return n;
}

static enum ml_status read_row(struct table *table, int line, char *text)
{
    const char *cells[MOST_COLUMNS];
    char why[WHY];
    const size_t n = (size_t)table->n_column;
    if (cut_line(text, cells, MOST_COLUMNS) != table->n_column)
        return ml_fail(table->err, ML_E_INPUT,
                       "%s:%d: the line has another number of cells than the names, %d",
                       table->path, line, table->n_column);
    double *values = realloc(table->values, (size_t)(table->n_row + 1) * n * sizeof *values);
    if (!values)
        return ML_E_MEMORY;
    table->values = values;
    values += (size_t)table->n_row++ * n;
    for (int c = 0; c < table->n_column; c++) {
        values[c] = (double)NAN;
        if (*cells[c] && !ml_number_parse(cells[c], &values[c], why, sizeof why))
            return ml_fail(table->err, ML_E_INPUT, "%s:%d: %s: %s", table->path, line,
                           table->names[c], why);
    }
    return ML_OK;
}

static enum ml_status read_table(struct table *table, FILE *file)
{
    enum ml_status status = ML_OK;
    char *text = NULL;
    size_t size = 0, none = 0;
    if (getline(&table->text, &none, file) < 0)
        return ml_fail(table->err, ML_E_INPUT, "%s: the file is empty", table->path);
    table->n_column = cut_line(table->text, table->names, MOST_COLUMNS);
    for (int line = 2; status == ML_OK && getline(&text, &size, file) >= 0; line++)
        if (text[strspn(text, " \t\r\n")])
            status = read_row(table, line, text);
    free(text);
    return status;
}

static int find_column(const struct table *table, const char *name)
{
    int c = table->n_column - 1;
    while (c >= 0 && strcmp(table->names[c], name) != 0)
        c--;
    return c;
}

/* The value of a column at a percent, along the line between two rows. */
static double value_at(const struct table *table, int percents, int column, double percent)
{
    const int n = table->n_column;
    int low = 0;
    while (low + 2 < table->n_row && table->values[(low + 1) * n + percents] <= percent)
        low++;
    const double *a = table->values + low * n, *b = a + n;
    const double share = (percent - a[percents]) / (b[percents] - a[percents]);
    return a[column] + share * (b[column] - a[column]);
}

/* `percent` goes up from 0 to 100. */
static enum ml_status check_percents(const struct table *table, int percents)
{
    const int n = table->n_column;
    bool is_up = percents >= 0 && table->n_row > 1 && table->values[percents] == 0.0 &&
                 table->values[(table->n_row - 1) * n + percents] == GAIT_POINTS - 1;
    for (int i = 1; i < table->n_row && is_up; i++)
        is_up = table->values[i * n + percents] > table->values[(i - 1) * n + percents];
    return is_up ? ML_OK
                 : ml_fail(table->err, ML_E_INPUT,
                           "%s: cannot read a norm: its column `percent` must go up from 0 to 100",
                           table->path);
}

/* Fills in the curves that the table has; returns how many. */
static int fill_norm(const struct table *table, const struct gait *gait, int percents,
                     struct gait_spread *norm)
{
    int n_found = 0;
    for (int i = 0; i < N_GAIT_CURVE * gait->n_joint * 2; i++) {
        char name[200];
        const enum gait_curve curve = (enum gait_curve)(i / 2 / gait->n_joint);
        const int joint = i / 2 % gait->n_joint, part = i % 2;
        (void)snprintf(name, sizeof name, "right/%s/%s/%s", gait_curve_names[curve],
                       gait->joints[joint], part == 0 ? "mean" : "sd");
        int column = find_column(table, name + strlen("right/"));
        if (column < 0)
            column = find_column(table, name);
        n_found += column >= 0;
        for (int p = 0; p < GAIT_POINTS; p++) {
            struct gait_spread *at = &norm[gait_curve_at(gait, curve, joint, p)];
            *(part == 0 ? &at->mean : &at->sd) =
                column < 0 ? (double)NAN : value_at(table, percents, column, p);
        }
    }
    return n_found;
}

enum ml_status gait_read_norm(const struct gait *gait, const char *path, struct gait_spread *norm,
                              struct ml_error *err)
{
    struct table table = {.path = path, .err = err};
    FILE *file = fopen(path, "re");
    if (!file)
        return ml_fail(err, ML_E_INPUT, "%s: cannot open the norm: %s", path, strerror(errno));
    enum ml_status status = read_table(&table, file);
    (void)fclose(file);
    const int percents = find_column(&table, "percent");
    if (status == ML_OK)
        status = check_percents(&table, percents);
    if (status == ML_OK && fill_norm(&table, gait, percents, norm) == 0)
        status = ml_fail(err, ML_E_INPUT,
                         "%s: cannot read a norm: the table has no column of a curve; name them as "
                         "a report does: angle/%s/mean, angle/%s/sd, torque/%s/mean, ...",
                         path, gait->joints[0], gait->joints[0], gait->joints[0]);
    free(table.values);
    free(table.text);
    return status;
}
