/* Reads a motion from a table: which columns have it, and that their numbers are usable. */
#include "inverse/open_motion.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/open.h"
#include "columns/cells.h"
#include "columns/table.h"
#include "config/sections/markers.h"
#include "inverse/segment_params.h"
#include "inverse/spline.h"
#include "manylink/fail.h"
#include "statistics/select.h"
#include "yaml/nearest.h"

static const double turn = 6.283185307179586; /* rad */

/* Where a curve is: in a column, or between markers. */
struct curve {
    const char *name;              /* "angle/upper" */
    const double *column;          /* [n_row]; NULL: */
    const double *from[2], *to[2]; /* [n_row] of markers, in the study's plane */
    double factor;                 /* of the column, to SI */
};

struct reader {
    const struct ml_study *study;
    const struct ml_measured *how;
    struct ml_motions *out;
    struct ml_pool pool; /* of this reading */
    struct ml_table table;
    struct curve *curves[ML_N_MOTION]; /* [n, or 2] of rows that are given */
    struct ml_markers markers;
    const double *frames; /* [n_row] their numbers in the file; NULL */
    int64_t first;        /* row of the first sample that is taken */
};

/* Place of a sample. */
static struct ml_location location_of(const struct reader *r, int64_t k)
{
    return ml_table_location(&r->table, r->first + k);
}

static int curves_of(const struct reader *r, int row)
{
    return ml_motion_curves(r->study->ensemble.model.n, (enum ml_motion_row)row);
}

static const char *name_of(struct reader *r, int row, int i)
{
    const char *name = ml_pool_format(&r->pool, "%s/%s", ml_motion_name((enum ml_motion_row)row),
                                      ml_motion_curve(r->study, (enum ml_motion_row)row, i));
    return name ? name : "";
}

/* Whether the study says which columns or markers have the angles. */
static bool is_mapped(const struct reader *r) { return r->how->has_columns || r->how->has_markers; }

/* Notes a column named angle/NAME that belongs to no segment of the study. */
static void report_unknown(struct reader *r, const struct ml_table_column *at)
{
    const char *name = at->param.name;
    struct ml_nearest nearest = ml_nearest_any(name);
    for (int q = 0; q < ML_MOTION_BASE; q++)
        for (int i = 0; i < curves_of(r, q); i++)
            ml_nearest_offer(&nearest, name_of(r, q, i));
    ml_problem(&r->table.problems, at->location,
               "column %s is of no segment of the study; the nearest is `%s`%s",
               ml_quote(&r->pool, name), nearest.best ? nearest.best : ML_TABLE_TIME,
               strstr(name, "deg") ? "; a unit stands in brackets: angle/NAME (deg)" : "");
}

/* Notes columns that resemble those of segments: typing errors. */
static void check_names(struct reader *r)
{
    for (int c = 0; c < r->table.n_column && r->table.problems.count < ML_PROBLEMS_SHOWN; c++) {
        const char *name = r->table.columns[c].param.name, *slash = strchr(name, '/');
        for (int q = 0; slash && q < ML_MOTION_BASE; q++) {
            const char *row = ml_motion_name((enum ml_motion_row)q);
            bool is_known =
                strlen(row) != (size_t)(slash - name) || strncmp(name, row, strlen(row)) != 0;
            for (int i = 0; !is_known && i < curves_of(r, q); i++)
                is_known =
                    strcmp(ml_motion_curve(r->study, (enum ml_motion_row)q, i), slash + 1) == 0;
            if (!is_known)
                report_unknown(r, &r->table.columns[c]);
        }
    }
}

static bool has_row(struct reader *r, int row)
{
    for (int i = 0; i < curves_of(r, row); i++)
        if (ml_table_find(&r->table, name_of(r, row, i)) >= 0)
            return true;
    return false;
}

/* Whether a row is read. Columns that the study names are angles alone, and a marker has no
 * derivatives of its own. */
static bool is_read(struct reader *r, int row)
{
    if (row == ML_MOTION_ANGLE)
        return true;
    if (row < ML_MOTION_BASE)
        return !is_mapped(r) && has_row(r, row);
    const bool is_named = r->how->base.n > 0 || r->how->base_columns[0] || r->how->base_columns[1];
    if (is_named || r->how->has_markers)
        return row == ML_MOTION_BASE && is_named;
    return has_row(r, row) || (row == ML_MOTION_BASE && (has_row(r, ML_MOTION_BASE_RATE) ||
                                                         has_row(r, ML_MOTION_BASE_ACCELERATION)));
}

/* Factor to SI of a column; reports different units in file and study. */
static double factor_of(struct reader *r, const struct ml_table_column *column, int row)
{
    const char *unit = ml_motion_unit((enum ml_motion_row)row);
    const bool is_angle = row < ML_MOTION_BASE, is_stated = strcmp(column->param.unit, "1") != 0;
    const int wanted = r->how->unit;
    if (is_stated && strcmp(column->param.unit, unit) != 0)
        ml_problem(&r->table.problems, column->location,
                   "column %s is in %s by the file, but the motion reads %s",
                   ml_quote(&r->pool, column->param.name), column->param.unit, unit);
    else if (is_stated && is_angle && wanted == (column->scale == 1.0 ? ML_UNIT_DEG : ML_UNIT_RAD))
        ml_problem(&r->table.problems, column->location,
                   "column %s is in %s by the file; leave `unit: %s` out of `motion`",
                   ml_quote(&r->pool, column->param.name), column->scale == 1.0 ? "rad" : "degrees",
                   wanted == ML_UNIT_DEG ? "deg" : "rad");
    const bool is_degrees =
        wanted == ML_UNIT_DEG || (wanted == ML_UNIT_OF_FILE && r->table.degrees == ML_DEGREES_YES);
    const double own = row == ML_MOTION_BASE ? ml_length_metres(r->how->length) : 1.0;
    return is_stated ? 1.0 : is_angle && is_degrees ? ML_DEGREE : own;
}

/* Chooses the column of a curve. */
static void choose_column(struct reader *r, int q, int i, struct curve *curve)
{
    static const char *const why[] = {"", ": all segments have that column, or no segment",
                                      ": a moving base needs x and y"};
    const char *chosen = q == ML_MOTION_ANGLE && r->how->columns ? r->how->columns[i]
                         : q == ML_MOTION_BASE                   ? r->how->base_columns[i]
                                                                 : NULL;
    int c =
        chosen ? ml_table_find_chosen(&r->table, chosen) : ml_table_find(&r->table, curve->name);
    if (c < 0 && !chosen && q == ML_MOTION_ANGLE)
        c = ml_table_find(&r->table, r->study->spec.segment_names[i]);
    if (c < 0) {
        ml_table_missing(&r->table, chosen ? chosen : curve->name,
                         why[(q > ML_MOTION_ANGLE) + (q >= ML_MOTION_BASE)]);
        return;
    }
    curve->column = ml_markers_column(&r->markers, c);
    curve->factor = factor_of(r, &r->table.columns[c], q);
}

/* Factor to m of the base's marker; reports a missing unit. */
static double length_of(struct reader *r)
{
    const struct ml_marker_unit unit = ml_markers_unit(&r->markers, &r->how->base);
    if (!(unit.factor > 0.0))
        ml_problem(
            &r->table.problems, unit.location,
            "the unit of the base's marker is missing: give `length: mm`, `cm` or `m` in `motion`");
    return unit.factor;
}

static void choose_curve(struct reader *r, int q, int i, struct curve *curve)
{
    const struct ml_measured *how = r->how;
    const double *base[2];
    curve->name = name_of(r, q, i);
    if (q == ML_MOTION_ANGLE && how->markers && how->markers[i][0].n > 0) {
        ml_markers_take(&r->markers, &how->markers[i][0], curve->from);
        ml_markers_take(&r->markers, &how->markers[i][1], curve->to);
    } else if (q == ML_MOTION_BASE && how->base.n > 0) {
        ml_markers_take(&r->markers, &how->base, base);
        curve->column = base[i];
        if (curve->column)
            curve->factor = (how->plane[i] < 0 ? -1.0 : 1.0) * length_of(r);
    } else {
        choose_column(r, q, i, curve);
    }
}

/* Finds the times: the column that the study names, or the rate that the study says. */
static void choose_time(struct reader *r)
{
    if (r->how->time)
        ml_table_set_time(&r->table, r->how->time);
    if (r->how->rate > 0.0)
        ml_table_set_rate(&r->table, r->how->rate);
    const int c = ml_table_find(&r->table, ML_TABLE_TIME);
    if (c < 0)
        ml_table_missing(&r->table, ML_TABLE_TIME,
                         r->table.nameless ? "; `columns: {time: " ML_TABLE_COLUMN
                                             "1}` or `rate: HZ` of the motion gives the times"
                                           : "; `columns: {time: NAME}` or `rate: HZ` of the "
                                             "motion gives the times");
    else
        r->table.columns[c].to = r->out->time;
}

/* Room for all samples. */
static bool make_room(struct reader *r)
{
    struct ml_motions *out = r->out;
    out->n_time = r->table.n_row;
    out->n_motion = 1;
    out->time = out->whole = ml_pool_take(&out->pool, (size_t)out->n_time, sizeof(double));
    out->n_whole = out->n_time;
    /* both ends of every segment, and the base for each of its curves */
    (void)ml_markers_begin(&r->markers, &r->table, &r->pool, r->how,
                           2 * r->study->ensemble.model.n + 2);
    if (r->how->has_markers)
        out->pairs = ml_pool_take(&out->pool, (size_t)out->n, sizeof *out->pairs);
    for (int q = 0; q < ML_N_MOTION; q++) {
        const size_t n = (size_t)curves_of(r, q);
        out->is_given[q] = is_read(r, q);
        if (!out->is_given[q])
            continue;
        out->values[q] = ml_pool_take(&out->pool, n * (size_t)out->n_time, sizeof(double));
        r->curves[q] = ml_pool_take(&r->pool, n, sizeof *r->curves[q]);
    }
    return !out->pool.is_short && !r->pool.is_short;
}

static void read_columns(struct reader *r)
{
    check_names(r);
    if (r->table.problems.count > 0 || !make_room(r))
        return;
    choose_time(r);
    const int frame = ml_table_find(&r->table, "Frame#");
    r->frames = frame >= 0 ? ml_markers_column(&r->markers, frame) : NULL;
    for (int q = 0; q < ML_N_MOTION; q++)
        for (int i = 0; r->curves[q] && i < curves_of(r, q); i++)
            choose_curve(r, q, i, &r->curves[q][i]);
    if (r->table.problems.count == 0 && !r->pool.is_short)
        ml_table_read(&r->table);
}

/* Adds whole turns so that an angle continues from its last present number. */
static void unwrap(int64_t n, double *angle)
{
    double last = (double)NAN;
    for (int64_t k = 0; k < n; k++) {
        if (!isnan(last))
            angle[k] -= turn * nearbyint((angle[k] - last) / turn);
        last = isnan(angle[k]) ? last : angle[k];
    }
}

/* Takes whole turns off, so that an angle begins within half a turn. */
static void begin_within(int64_t n, double *angle)
{
    int64_t first = 0;
    while (first < n && isnan(angle[first]))
        first++;
    const double whole = first < n ? turn * nearbyint(angle[first] / turn) : 0.0;
    for (int64_t k = 0; k < n && whole != 0.0; k++)
        angle[k] -= whole;
}

/* Whether the study takes a sample. */
static bool is_taken(const struct ml_measured *how, double t)
{
    return !(t < how->from) && !(t > how->to);
}

/* Counts samples with a marker at 0, 0, as programs write one that was not seen. */
static void count_zeros(const struct reader *r, const double *const at[2],
                        struct ml_marker_pair *pair)
{
    const double *time = r->out->time;
    int64_t n_zero = 0, n = 0, first = 0;
    for (int64_t k = r->out->n_time - 1; k >= 0; k--) {
        const bool is_here = is_taken(r->how, time[k]);
        n += is_here;
        if (is_here && at[0][k] == 0.0 && at[1][k] == 0.0) {
            n_zero++;
            first = k;
        }
    }
    if (n_zero == 0 || n_zero == n)
        return;
    pair->zero_when = pair->n_zero > 0 ? fmin(pair->zero_when, time[first]) : time[first];
    pair->n_zero += n_zero;
}

/* Finds a marker that stays at exactly one place between two samples that are elsewhere and then
 * jumps, as programs hold one that was not seen.
 *   apart  distance of the pair, in the unit of the marker */
static void find_held(const struct reader *r, const double *const at[2], double apart,
                      struct ml_marker_pair *pair)
{
    const double least = 0.03, times = 3.0; /* of the distance; of the step before */
    const int64_t shortest = 4;             /* samples */
    int64_t first = 0;
    double before = 0.0;
    for (int64_t k = 1; k < r->out->n_time && pair->n_held == 0; k++) {
        const double step = hypot(at[0][k] - at[0][k - 1], at[1][k] - at[1][k - 1]);
        if (step == 0.0)
            continue;
        if (k - first >= shortest && first > 0 && step > least * apart && step > times * before) {
            pair->n_held = k - first;
            pair->held_when = r->out->time[first];
        }
        before = step;
        first = k;
    }
}

/* Fills in a pair from the distances of its markers.
 *   length  [n] their distances, NaN where a marker is missing; sorted on return
 *   work    [n] scratch */
static void judge_pair(int64_t n, const double *time, double metre, double *length, double *work,
                       struct ml_marker_pair *pair)
{
    int64_t there = 0, last = -1;
    for (int64_t k = 0; k < n; k++) {
        if (isnan(length[k]))
            continue;
        const double jump = last >= 0 ? fabs(length[k] - length[last]) : 0.0;
        if (jump > 1.1 * pair->jump) { /* of a wrong sample the first of two */
            pair->jump = jump;
            pair->when = time[k];
        }
        work[there++] = jump;
        last = k;
    }
    if (there == 0)
        return;
    pair->usual = ml_upper_median(work, there);
    for (int64_t k = 0, to = 0; k < n; k++)
        if (!isnan(length[k]))
            length[to++] = length[k];
    const double median = ml_upper_median(length, there);
    pair->apart = metre * median;
    pair->jump /= median;
    pair->usual /= median;
}

/* m, of the numbers of a marker; 0: nothing says it. */
static double marker_metre(struct reader *r, const struct ml_marker *marker)
{
    const struct ml_marker_unit unit = ml_markers_unit(&r->markers, marker);
    r->out->metre = unit.metre;
    r->out->overruled = unit.overruled;
    return unit.factor;
}

/* Angle, from the study's zero, of the way of segment i from a marker to another; and how long that
 * is. */
static void point(struct reader *r, int i, bool is_down)
{
    const double quarter = 0x1.921fb54442d18p+0; /* pi/2: from +x to the downward vertical */
    const struct curve *curve = &r->curves[ML_MOTION_ANGLE][i];
    const int *plane = r->how->plane;
    const int64_t n = r->out->n_time;
    double *angle = r->out->values[ML_MOTION_ANGLE] + i * n;
    double *length = ml_pool_take(&r->pool, 2 * (size_t)n, sizeof *length);
    int64_t nowhere = -1;
    for (int64_t k = 0; length && k < n; k++) {
        const double x = curve->to[0][k] - curve->from[0][k],
                     y = curve->to[1][k] - curve->from[1][k];
        angle[k] = atan2(plane[1] < 0 ? -y : y, plane[0] < 0 ? -x : x) + (is_down ? quarter : 0.0);
        const bool is_there = !isnan(x) && !isnan(y) && is_taken(r->how, r->out->time[k]);
        length[k] = is_there ? hypot(x, y) : (double)NAN;
        nowhere = nowhere < 0 && length[k] == 0.0 ? k : nowhere;
    }
    if (nowhere >= 0)
        ml_problem(&r->table.problems, location_of(r, nowhere),
                   "the markers of `%s` are at the same place here: which way does it point?",
                   r->study->spec.segment_names[i]);
    else if (length)
        judge_pair(n, r->out->time, marker_metre(r, &r->how->markers[i][0]), length, length + n,
                   &r->out->pairs[i]);
    struct ml_marker_pair *pair = &r->out->pairs[i];
    for (int end = 0; end < 2; end++) {
        const double *const *at = end == 0 ? curve->from : curve->to;
        count_zeros(r, at, pair);
        if (pair->apart > 0.0)
            find_held(r, at, pair->apart / marker_metre(r, &r->how->markers[i][0]), pair);
    }
    unwrap(n, angle);
}

/* Angles that joints have between segments with markers, from the last to the first. */
static void subtract(const struct reader *r, double *angles)
{
    const int64_t n_time = r->out->n_time;
    for (int i = r->out->n - 1; i > 0; i--)
        if (r->how->markers[i][0].n > 0)
            for (int64_t k = 0; k < n_time; k++)
                angles[i * n_time + k] -= angles[(i - 1) * n_time + k];
}

/* Makes the numbers of a curve from its column. */
static void convert(const struct reader *r, int q, int i, const struct curve *curve, double *to)
{
    const int64_t n = r->out->n_time;
    const double sign = q < ML_MOTION_BASE && r->how->sign ? r->how->sign[i] : 1.0;
    const double offset = q == ML_MOTION_ANGLE && r->how->offset ? r->how->offset[i] : 0.0;
    for (int64_t k = 0; curve->column && k < n; k++)
        to[k] = curve->column[k] * curve->factor;
    if (curve->column && q == ML_MOTION_ANGLE && r->how->is_unwrapped)
        unwrap(n, to);
    if (!curve->column)
        begin_within(n, to);
    for (int64_t k = 0; (sign != 1.0 || offset != 0.0) && k < n; k++)
        to[k] = fma(sign, to[k], offset);
}

static void make_values(struct reader *r, bool is_down, bool is_joint)
{
    const int64_t n_time = r->out->n_time;
    ml_markers_fill(&r->markers);
    for (int i = 0; r->how->has_markers && i < r->out->n; i++)
        if (!r->curves[0][i].column)
            point(r, i, is_down);
    if (r->how->has_markers && is_joint)
        subtract(r, r->out->values[0]);
    for (int q = 0; q < ML_N_MOTION; q++)
        for (int i = 0; r->curves[q] && i < curves_of(r, q); i++)
            convert(r, q, i, &r->curves[q][i], r->out->values[q] + i * n_time);
}

/* Whether a sample outside of the times that the study takes can be smoothed with its neighbour
 * inside: all numbers are there, and the interval is the usual one. */
static bool goes_on(const struct reader *r, int64_t k, int64_t inside, double usual)
{
    const struct ml_motions *m = r->out;
    const double interval = fabs(m->time[k] - m->time[inside]);
    const bool is_filtered =
        r->study->spec.inverse.smoothing.order > 0; /* which takes times as even */
    const double least = is_filtered ? 0.95 : 1.0 / ML_CROWD, most = is_filtered ? 1.05 : ML_GAP;
    bool is_there = interval >= least * usual && interval <= most * usual;
    for (int q = 0; q < ML_N_MOTION; q++)
        for (int i = 0; is_there && r->curves[q] && i < curves_of(r, q); i++)
            is_there = !isnan(m->values[q][i * m->n_time + k]);
    return is_there;
}

/* Leaves the samples out that are before or behind the times that the study takes, but for those
 * that can be smoothed with them. */
static void cut(struct reader *r)
{
    const double slack = 1e-9; /* s */
    struct ml_motions *m = r->out;
    const int64_t before = m->n_time;
    int64_t first = 0, end = before;
    while (first < before && m->time[first] < r->how->from - slack)
        first++;
    while (end > first && m->time[end - 1] > r->how->to + slack)
        end--;
    if (end == first) {
        ml_problem(&r->table.problems, location_of(r, 0),
                   "no time is within `from` and `to` of the motion: the times are %g to %g s",
                   m->time[0], m->time[before - 1]);
        return;
    }
    const double usual = ml_median_interval(&r->pool, before, m->time);
    int64_t low = first, high = end;
    while (low > 0 && goes_on(r, low - 1, low, usual))
        low--;
    while (high < before && goes_on(r, high, high - 1, usual))
        high++;
    const size_t size = (size_t)(high - low) * sizeof(double);
    m->n_whole = high - low;
    m->first = first - low;
    m->n_time = end - first;
    memmove(m->whole, m->whole + low, size);
    m->time = m->whole + m->first;
    for (int q = 0; q < ML_N_MOTION; q++)
        for (int i = 0; r->curves[q] && i < curves_of(r, q); i++)
            memmove(m->values[q] + i * m->n_whole, m->values[q] + i * before + low, size);
    r->first = low;
}

/* Reports gaps that must not be filled; returns the number of missing numbers. */
static int64_t check_missing(struct reader *r, const char *name, const double *y)
{
    const int64_t n = r->out->n_whole;
    const double most = r->how->gaps > 0.0 ? r->how->gaps : 0.0, *time = r->out->whole;
    int64_t missing = 0;
    for (int64_t k = 0; k < n; k++) {
        int64_t end = k;
        while (end < n && isnan(y[end]))
            end++;
        if (end == k)
            continue;
        missing += end - k;
        const struct ml_location place = location_of(r, k);
        const char *lines =
            end > k + 1 ? ml_pool_format(&r->pool, " and in %lld more", (long long)(end - k - 1))
                        : "";
        const double length = k > 0 && end < n ? time[end] - time[k - 1] : 0.0;
        if (k == 0 || end == n)
            ml_problem(
                &r->table.problems, place,
                "%s is missing here%s: a gap at the %s cannot be filled; leave the lines out", name,
                lines ? lines : "", k == 0 ? "start" : "end");
        else if (!(length <= most * (1.0 + 1e-9)))
            ml_problem(&r->table.problems, place,
                       "%s is missing here%s, %.3g s from number to number; `motion: {gaps: "
                       "{spline: %.3g}}` fills gaps %s",
                       name, lines ? lines : "", length, most > 0.0 ? length : 0.1,
                       most > 0.0 ? "up to that" : "up to 0.1 s");
        k = end;
    }
    return missing;
}

/* Fills the gaps of all curves, or reports them. */
static enum ml_status fill(struct reader *r, struct ml_error *err)
{
    const struct ml_motions *m = r->out;
    enum ml_status status = ML_OK;
    for (int q = 0; q < ML_N_MOTION; q++)
        for (int i = 0; r->curves[q] && i < curves_of(r, q) && status == ML_OK; i++) {
            double *y = m->values[q] + i * m->n_whole;
            const int before = r->table.problems.count;
            const int64_t missing = check_missing(r, r->curves[q][i].name, y);
            if (missing == 0 || r->table.problems.count > before)
                continue;
            if (m->n_whole - missing < ML_SMOOTH_LEAST)
                return ml_fail(err, ML_E_INPUT, "%s: %s has too few numbers for a spline",
                               m->source, r->curves[q][i].name);
            status = ml_fill_gaps(m->n_whole, m->whole, y, err);
        }
    return status;
}

/* Refuses samples so close to each other that the last digits of their angles would decide the
 * accelerations of a spline, where a spline smooths or gives the derivatives; and gaps. */
static void check_intervals(struct reader *r)
{
    const struct ml_motions *m = r->out;
    if ((ml_motions_are_whole(m) && !r->study->spec.inverse.smoothing.is_validated) ||
        m->n_whole < 2)
        return;
    const double usual = ml_median_interval(&r->pool, m->n_whole, m->whole);
    for (int64_t k = 1; k < m->n_whole && !r->pool.is_short; k++) {
        const double interval = m->whole[k] - m->whole[k - 1];
        if (interval * ML_CROWD < usual)
            ml_problem(&r->table.problems, location_of(r, k),
                       "time is %g, only %.3g s after the line before: too close for a spline, by "
                       "the usual %.3g s between lines; leave either line out",
                       m->whole[k], interval, usual);
        if (interval > ML_GAP * usual)
            ml_problem(&r->table.problems, location_of(r, k),
                       "time is %g, but in the line before %g: a gap of more than %d times the "
                       "usual %.3g s, which no spline can fill; give rates and accelerations, or "
                       "a table for either side",
                       m->whole[k], m->whole[k - 1], (int)ML_GAP, usual);
    }
}

/* The first sample whose time differs by more than `most` [s] from that of a rate; -1: no such
 * sample. */
static int64_t find_off(const struct ml_motions *m, double rate, double most)
{
    for (int64_t k = 0; k < m->n_time; k++)
        if (!(fabs(m->time[k] - m->time[0] - (double)k / rate) <= most))
            return k;
    return -1;
}

/* Counts frames that are left out by their numbers, but not by the times. */
static void find_lost(struct reader *r)
{
    struct ml_motions *m = r->out;
    const double usual = ml_median_interval(&r->pool, m->n_time, m->time);
    const double *frames = r->frames;
    const double step = frames ? ml_median_interval(&r->pool, m->n_time, frames) : 0.0;
    for (int64_t k = m->n_time - 1; frames && k > 0 && step >= 1.0; k--) {
        const double left_out = (frames[k] - frames[k - 1]) / step - 1.0;
        const double interval = (m->time[k] - m->time[k - 1]) / usual - 1.0;
        if (!(left_out - interval > 0.5) || left_out > 1e9)
            continue;
        m->n_lost += (int64_t)nearbyint(left_out - interval);
        m->lost_when = m->time[k];
    }
}

/* Replaces the file's times by even times: of the rate that the study says, if they differ by less
 * than half an interval; or of the rate in the header, if the file's times are rounded. */
static void take_rate(struct reader *r)
{
    struct ml_motions *m = r->out;
    const double first = m->time[0];
    const bool is_said = r->how->rate > 0.0;
    const double rate = is_said ? r->how->rate : r->table.rate;
    if (!is_said && ml_table_other_rate(&r->table, m->n_time, m->time) > 0.0)
        m->header_rate = r->table.rate;
    if (r->table.n_marker > 0 && r->table.markers_stated > r->table.n_marker) {
        m->said = r->table.markers_stated;
        m->named = r->table.n_marker;
    }
    if (!(rate > 0.0))
        return;
    const double most =
        is_said ? 0.5 / rate : fmin(2.001 * ml_time_rounding(m->n_time, m->time), 0.25 / rate);
    const int64_t off = find_off(m, rate, most);
    if (off >= 0 && is_said)
        ml_problem(&r->table.problems, location_of(r, off),
                   "time is %g, but by %g Hz from %g s on the time here is %g: another rate, or "
                   "missing lines",
                   m->time[off], rate, first, first + (double)off / rate);
    for (int64_t k = 0; off < 0 && k < m->n_time; k++)
        m->time[k] = first + (double)k / rate;
}

/* Markers of a joint's angle are those of both segments. */
static enum ml_status check_joints(const struct reader *r, bool is_joint, struct ml_error *err)
{
    const struct ml_study_spec *spec = &r->study->spec;
    for (int i = 1; is_joint && r->how->has_markers && i < r->out->n; i++)
        if (r->how->markers[i][0].n > 0 && r->how->markers[i - 1][0].n == 0)
            return ml_fail(err, ML_E_INPUT,
                           "%s:%d:%d: the angle of joint `%s` is between its segment and `%s`, "
                           "which has no markers",
                           spec->name, spec->inverse.motion.location.line,
                           spec->inverse.motion.location.column, spec->segment_names[i],
                           spec->segment_names[i - 1]);
    return ML_OK;
}

/* Makes a motion of the numbers that were read. */
static enum ml_status make_motion(struct reader *r, struct ml_error *err)
{
    const bool is_down = ml_segment_params_chose(&r->study->ensemble, "zero", "down");
    const bool is_joint = ml_segment_params_chose(&r->study->ensemble, "angles", "joint");
    enum ml_status status = check_joints(r, is_joint, err);
    if (status != ML_OK)
        return status;
    r->out->is_unit_said = r->how->unit != ML_UNIT_OF_FILE || r->how->has_markers ||
                           r->table.degrees == ML_DEGREES_YES;
    find_lost(r);
    take_rate(r);
    if (r->markers.prefixed)
        r->out->prefixed =
            ml_pool_text(&r->out->pool, r->markers.prefixed, strlen(r->markers.prefixed));
    ml_times_undo_rounding(r->out->n_time, r->out->time);
    make_values(r, is_down, is_joint);
    if (r->how->is_cut)
        cut(r);
    if (r->table.problems.count == 0)
        status = fill(r, err);
    if (status == ML_OK && r->table.problems.count == 0)
        check_intervals(r);
    return status;
}

static enum ml_status read_motion(struct reader *r, const char *path, struct ml_error *err)
{
    const char *first = r->study->spec.segment_names[0];
    const char *example = ml_pool_format(&r->pool, ML_TABLE_TIME ",angle/%s,...", first);
    const bool is_open = example && ml_table_open(&r->table, &r->pool, path, false, example);
    enum ml_status status = ML_OK;
    if (!is_open && !r->pool.is_short)
        return ml_fail(err, ml_open_status(errno), "%s: %s", path, ml_open_reason(errno));
    if (is_open && r->table.problems.count == 0 && r->table.n_column > 0)
        read_columns(r);
    if (is_open && r->table.problems.count == 0 && !r->pool.is_short && !r->out->pool.is_short)
        status = make_motion(r, err);
    if (r->pool.is_short || r->out->pool.is_short)
        return ML_E_MEMORY;
    return status == ML_OK ? ml_problems_report(&r->table.problems, err) : status;
}

enum ml_status ml_motion_table_open(const struct ml_study *study, const char *path,
                                    struct ml_motions *out, struct ml_error *err)
{
    struct reader r = {.study = study, .how = &study->spec.inverse.motion.measured, .out = out};
    const enum ml_status status = read_motion(&r, path, err);
    ml_pool_free(&r.pool);
    return status;
}
