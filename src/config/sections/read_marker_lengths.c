/* Lengths of segments that follow from how far apart their markers are. */
#include <errno.h>
#include <string.h>

#include "base/open.h"
#include "config/sections/markers.h"
#include "config/sections/sections.h"
#include "h5/h5.h"
#include "statistics/select.h"

/* A segment whose length its markers give. */
struct marked {
    const double *from[2], *to[2]; /* [n_row] */
    double *length;                /* m, of the segment in the study */
    double factor;                 /* to m */
};

/* Takes the markers of segment i, if the study gives no length; whether it does not. */
static bool take_segment(struct ml_reader *r, struct ml_markers *markers, int i, struct marked *out)
{
    const struct ml_marker *ends = markers->how->markers[i];
    int length = 0;
    while (strcmp(r->system->tables.segment_params[length].name, "length") != 0)
        length++;
    out->length = &r->base[ml_slot_segment(r->system, i, length)];
    if (!isnan(*out->length) || ends[0].n == 0 || ends[1].n == 0)
        return false;
    if (!markers->table)
        return true;
    ml_markers_take(markers, &ends[0], out->from);
    ml_markers_take(markers, &ends[1], out->to);
    const struct ml_marker_unit unit = ml_markers_unit(markers, &ends[0]);
    out->factor = unit.factor;
    if (!(unit.factor > 0.0) && out->from[1] && out->to[1])
        ml_problem(&markers->table->problems, unit.location,
                   "the unit of the markers is missing, and the study gives no length of `%s`: "
                   "give `length: mm`, `cm` or `m` in `motion`",
                   r->spec->segment_names[i]);
    return true;
}

/* Whether some segment has no length but markers. */
static bool is_wanted(struct ml_reader *r, const struct ml_measured *how)
{
    struct ml_markers markers = {.how = how};
    struct marked marked;
    bool is_any = false;
    for (int i = 0; how->has_markers && i < r->spec->model.n; i++)
        is_any |= take_segment(r, &markers, i, &marked);
    return is_any;
}

/* The median of the distances in the plane, where both markers are there. */
static void measure(struct ml_reader *r, const struct ml_table *table, int i,
                    const struct marked *marked)
{
    double *apart = ml_pool_take(r->pool, (size_t)table->n_row, sizeof *apart);
    int64_t n = 0;
    for (int64_t k = 0; apart && k < table->n_row; k++) {
        const double x = marked->to[0][k] - marked->from[0][k],
                     y = marked->to[1][k] - marked->from[1][k], length = hypot(x, y);
        if (length > 0.0)
            apart[n++] = length;
    }
    const double least = 0.01, most = 3.0; /* m */
    *marked->length = n > 0 ? marked->factor * ml_upper_median(apart, n) : (double)NAN;
    if (*marked->length < least || *marked->length > most)
        ml_notice(r, r->spec->inverse.motion.location,
                  "the markers of `%s` are %.3g m apart, which is the length of the segment: "
                  "another `length` of the motion, m, cm or mm?",
                  r->spec->segment_names[i], *marked->length);
}

void ml_read_marker_lengths(struct ml_reader *r)
{
    const struct ml_measured *how = &r->spec->inverse.motion.measured;
    const char *path = r->motion ? r->motion : how->file;
    struct ml_table *table = ml_pool_take(r->pool, 1, sizeof *table);
    const int n = r->spec->model.n;
    struct marked *marked = ml_pool_take(r->pool, (size_t)n + 1, sizeof *marked);
    struct ml_markers markers;
    if (!table || !marked || !path || !is_wanted(r, how) || ml_h5_is_hdf5(path))
        return;
    if (!ml_table_open(table, r->pool, path, false, ML_TABLE_TIME ",HIP/x,HIP/y,...")) {
        ml_problem(&r->problems, r->spec->inverse.motion.location,
                   "cannot read the lengths of segments "
                   "from the markers in %s: %s",
                   path, ml_open_reason(errno));
        return;
    }
    ml_problems_join(&r->problems, &table->problems);
    if (table->problems.count > 0 || !ml_markers_begin(&markers, table, r->pool, how, 2 * n))
        return;
    for (int i = 0; i < n; i++)
        if (!take_segment(r, &markers, i, &marked[i]))
            marked[i].length = NULL;
    if (table->problems.count == 0 && !r->pool->is_short)
        ml_table_read(table);
    if (table->problems.count > 0 || r->pool->is_short)
        return;
    ml_markers_fill(&markers);
    for (int i = 0; i < n; i++)
        if (marked[i].length)
            measure(r, table, i, &marked[i]);
}
