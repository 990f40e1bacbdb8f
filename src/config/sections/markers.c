/* Markers of a table, as the key `motion` of a study names them. */
#include "config/sections/markers.h"

#include <stdlib.h>
#include <string.h>

double ml_length_metres(int unit)
{
    static const double metres[] = {[ML_LENGTH_OF_FILE] = 1.0,
                                    [ML_LENGTH_M] = 1.0,
                                    [ML_LENGTH_CM] = 1e-2,
                                    [ML_LENGTH_MM] = 1e-3};
    return metres[unit];
}

bool ml_markers_begin(struct ml_markers *markers, struct ml_table *table, struct ml_pool *pool,
                      const struct ml_measured *how, int n)
{
    *markers = (struct ml_markers){.pool = pool, .table = table, .how = how};
    markers->middles = ml_pool_take(pool, 2 * (size_t)n, sizeof *markers->middles);
    return markers->middles != NULL;
}

const double *ml_markers_column(struct ml_markers *markers, int column)
{
    struct ml_table_column *at = &markers->table->columns[column];
    if (!at->to)
        at->to = ml_pool_take(markers->pool, (size_t)markers->table->n_row, sizeof(double));
    at->takes_gaps = true;
    return at->to;
}

enum { NONE = -1, SEVERAL = -2 }; /* in place of the index of a column */

/* Index of the only column whose name is that behind the prefix of a subject, `S01:`; NONE, or
 * SEVERAL after reporting. */
static int find_prefixed(struct ml_markers *markers, const char *name)
{
    struct ml_table *table = markers->table;
    const size_t length = strlen(name);
    int found = NONE;
    for (int c = 0; c < table->n_cell; c++) {
        const char *own = table->columns[c].param.name;
        const size_t before = strlen(own) > length ? strlen(own) - length : 0;
        if (before < 2 || own[before - 1] != ':' || strcmp(own + before, name) != 0)
            continue;
        if (found >= 0) {
            ml_problem(&table->problems, table->columns[c].location,
                       "a marker is of several subjects, as %s and %s: name it with its prefix",
                       ml_quote(markers->pool, table->columns[found].param.name),
                       ml_quote(markers->pool, own));
            return SEVERAL;
        }
        found = c;
    }
    if (found >= 0 && !markers->prefixed)
        markers->prefixed = table->columns[found].param.name;
    return found;
}

/* Index of the column of a marker's coordinate, as programs name it: R.HIP/x, HIPx, HIP_X, or these
 * behind a prefix; below 0 after reporting. */
static int find_coordinate(struct ml_markers *markers, const char *marker, int axis)
{
    static const char *const between[] = {"/", "", "_", ".", " ", ":", "-"};
    const char letter = "xyz"[abs(axis) - 1];
    int c = NONE;
    for (int is_behind = 0; is_behind < 2; is_behind++)
        for (size_t i = 0; i < sizeof between / sizeof *between; i++)
            for (int capital = 0; capital < 2 && c == NONE; capital++) {
                const char *name = ml_pool_format(markers->pool, "%s%s%c", marker, between[i],
                                                  capital ? letter - ('x' - 'X') : letter);
                c = !name       ? NONE
                    : is_behind ? find_prefixed(markers, name)
                                : ml_table_find(markers->table, name);
            }
    if (c != NONE)
        return c;
    const char *name = ml_pool_format(markers->pool, "%s/%c", marker, letter);
    ml_table_missing(markers->table, name ? name : "", ": of a marker");
    return NONE;
}

void ml_markers_take(struct ml_markers *markers, const struct ml_marker *marker,
                     const double *to[2])
{
    const size_t n_row = (size_t)markers->table->n_row;
    to[0] = to[1] = NULL;
    for (int i = 0; i < 2; i++) {
        struct ml_marker_middle middle = {.n = marker->n};
        for (int m = 0; m < marker->n; m++) {
            const int c = find_coordinate(markers, marker->names[m], markers->how->plane[i]);
            if (c < 0)
                return;
            middle.of[m] = ml_markers_column(markers, c);
        }
        to[i] = middle.of[0];
        if (middle.n == 1)
            continue;
        to[i] = middle.to = ml_pool_take(markers->pool, n_row, sizeof(double));
        markers->middles[markers->n_middle++] = middle;
    }
}

void ml_markers_fill(const struct ml_markers *markers)
{
    for (int i = 0; i < markers->n_middle; i++) {
        const struct ml_marker_middle *middle = &markers->middles[i];
        for (int64_t k = 0; k < markers->table->n_row; k++) {
            double sum = 0.0;
            for (int m = 0; m < middle->n; m++)
                sum += middle->of[m][k];
            middle->to[k] = sum / middle->n;
        }
    }
}

struct ml_marker_unit ml_markers_unit(struct ml_markers *markers, const struct ml_marker *marker)
{
    const int wanted = markers->how->length,
              c = find_coordinate(markers, marker->names[0], markers->how->plane[0]);
    const struct ml_table_column *column = c >= 0 ? &markers->table->columns[c] : NULL;
    const bool is_stated = column && strcmp(column->param.unit, "m") == 0;
    const bool is_wanted = wanted != ML_LENGTH_OF_FILE;
    const double by_file = is_stated ? column->scale : 0.0;
    const double metre = is_wanted ? ml_length_metres(wanted) : by_file;
    return (struct ml_marker_unit){
        .factor = is_stated ? metre / by_file : metre,
        .metre = metre,
        .overruled = is_stated && metre != by_file ? by_file : 0.0,
        .location = column ? column->location : (struct ml_location){0, 1, 1},
    };
}
