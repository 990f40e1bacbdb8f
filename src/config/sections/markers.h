/* Markers of a table, as the key `motion` of a study names them. */
#ifndef ML_CONFIG_MARKERS_H
#define ML_CONFIG_MARKERS_H

#include "columns/table.h"
#include "config/schema/study_spec.h"

/* A coordinate of the middle of several markers. */
struct ml_marker_middle {
    int n;
    const double *of[ML_MARKER_MOST]; /* [n_row] */
    double *to;
};

struct ml_markers {
    struct ml_pool *pool;
    struct ml_table *table;
    const struct ml_measured *how;
    struct ml_marker_middle *middles; /* [n_middle] */
    int n_middle;
    const char *prefixed; /* a column that was found behind a prefix, `S01:hip/x`; NULL */
};

/* Markers of at most n places; false without memory. */
bool ml_markers_begin(struct ml_markers *markers, struct ml_table *table, struct ml_pool *pool,
                      const struct ml_measured *how, int n);

/* Has a column read, whose empty cells are NaN; where its numbers will be, [n_row]. */
const double *ml_markers_column(struct ml_markers *markers, int column);

/* Has the coordinates of a marker read that are x and y of the study; `to` has NULL after telling
 * that a column is missing. */
void ml_markers_take(struct ml_markers *markers, const struct ml_marker *marker,
                     const double *to[2]);

/* Fills in the middles of markers, where all of these are there; once the table is read. */
void ml_markers_fill(const struct ml_markers *markers);

/* m, of an enum ml_length_unit; 1 of that of the file. */
double ml_length_metres(int unit);

/* The unit of a marker's coordinates. */
struct ml_marker_unit {
    double factor;    /* to m, of the numbers as the table reads them; 0: not said */
    double metre;     /* m, of the numbers in the file; 0: not said */
    double overruled; /* m, by the file, where `length` of the study is another; else 0 */
    struct ml_location location; /* of the marker in the file */
};
struct ml_marker_unit ml_markers_unit(struct ml_markers *markers, const struct ml_marker *marker);

#endif
