/* Describes the columns of a table with a motion, and the keys of a study that read it. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/numeric_env.h"
#include "base/open.h"
#include "base/text.h"
#include "columns/table.h"
#include "config/schema/yaml_writer.h"
#include "inverse/describe_residuals.h"
#include "inverse/landmarks.h"
#include "manylink/fail.h"
#include "manylink/inverse.h"

static const double turn = 6.283185307179586; /* rad */

/* Range, gaps and jumps of the numbers of a column. */
struct facts {
    double low, high;
    int64_t missing; /* numbers */
    double longest;  /* s, from number to number */
    bool is_ended;   /* numbers are missing at an end */
    double wrap;     /* a turn, in the unit of the column's jumps; 0: no jumps */
};

struct description {
    struct ml_table table;
    struct ml_pool pool;
    struct ml_yaml_writer text;
    double *time;        /* [n_row]; NULL: the table has no times */
    struct facts *facts; /* [n_column] */
    bool of_residuals;   /* cutoffs in place of ranges and keys */
};

/* Looks at the jumps between numbers that are there: by nearly a turn in an angle that stays within
 * one. */
static double find_turn(int64_t n, const double *y, const struct facts *f)
{
    static const double wholes[] = {6.283185307179586, 360.0};
    for (size_t w = 0; w < sizeof wholes / sizeof *wholes; w++)
        for (int64_t k = 1; f->high - f->low < 1.05 * wholes[w] && k < n; k++)
            if (fabs(fabs(y[k] - y[k - 1]) - wholes[w]) < wholes[w] / 6.0)
                return wholes[w];
    return 0.0;
}

static void look(const struct description *d, int c)
{
    const double *y = d->table.columns[c].to;
    const int64_t n = d->table.n_row;
    struct facts *f = &d->facts[c];
    int64_t last = -1;
    *f = (struct facts){.low = (double)INFINITY, .high = -(double)INFINITY};
    for (int64_t k = 0; k < n; k++) {
        if (isnan(y[k])) {
            f->missing++;
            continue;
        }
        if (last >= 0 && k > last + 1 && d->time)
            f->longest = fmax(f->longest, d->time[k] - d->time[last]);
        f->is_ended |= last < 0 && k > 0;
        f->low = fmin(f->low, y[k]);
        f->high = fmax(f->high, y[k]);
        last = k;
    }
    f->is_ended |= last < n - 1;
    f->wrap = find_turn(n, y, f);
}

/* How evenly the times are apart; there are two at least. */
static void describe_times(struct description *d)
{
    const int64_t n = d->table.n_row;
    const double *time = d->time;
    if (!time || n < 2) {
        ml_write(&d->text, time ? "times: one\n"
                                : "times: none; give a rate, as `rate: 100`, or the column of the "
                                  "times, as `columns: {time: t}`\n");
        return;
    }
    const double interval = (time[n - 1] - time[0]) / (double)(n - 1);
    double off = 0.0;
    for (int64_t k = 1; k < n; k++)
        off = fmax(off, fabs(time[k] - fma((double)k, interval, time[0])));
    ml_write(&d->text, "times: %g to %g s, %.6g Hz", time[0], time[n - 1], 1.0 / interval);
    if (d->table.rate > 0.0)
        ml_write(&d->text, " (the header says %.6g)", d->table.rate);
    if (off > 0.02 * interval)
        ml_write(&d->text, ", off by up to %.2g ms of even ones%s", 1e3 * off,
                 off <= 2.001 * ml_time_rounding(n, time) ? ": rounded, and taken as even" : "");
    ml_write(&d->text, "\n%s",
             interval > 0.5 ? "note: so far apart they may be in ms: name the column `time [ms]`\n"
                            : "");
}

/* Whether a column is named as studies name the angles of segments. */
static bool is_native(const struct ml_table *table, int c)
{
    return strncmp(table->columns[c].param.name, "angle/", 6) == 0;
}

/* A unit or wrapping that a column seems to have, where the file does not say so. */
static const char *doubt_of(const struct description *d, int c)
{
    const struct ml_table_column *column = &d->table.columns[c];
    const struct facts *f = &d->facts[c];
    const double most = fmax(fabs(f->low), fabs(f->high));
    if (f->wrap > 0.0 && !ml_landmark_is_part(&d->table, c))
        return f->wrap > turn ? "  jumps by 360: wrapped degrees?"
                              : "  jumps by 2 pi: wrapped? `unwrap: true`";
    if (strcmp(column->param.unit, "1") != 0)
        return "";
    if (ml_landmark_is_part(&d->table, c))
        return most > 20.0 ? "  cm or mm?" : "";
    if (most > 720.0 || !ml_landmark_is_angle(column->param.name))
        return "";
    if (d->table.degrees == ML_DEGREES_YES)
        return "  degrees, if an angle (inDegrees)";
    return most > turn ? "  degrees, if an angle: `unit: deg`" : "";
}

static void describe_column(struct description *d, int c)
{
    const struct ml_table_column *column = &d->table.columns[c];
    const struct facts *f = &d->facts[c];
    ml_write(&d->text, "  %-24s", ml_quote(&d->pool, column->param.name));
    if (f->missing == d->table.n_row)
        ml_write(&d->text, " no numbers");
    else
        ml_write(&d->text, " %10.4g to %-10.4g %s%s", f->low, f->high,
                 ml_unit_text("", column->param.unit, "").text, doubt_of(d, c));
    if (f->missing > 0 && f->missing < d->table.n_row)
        ml_write(&d->text, "  %lld missing, longest gap %.3g s%s", (long long)f->missing,
                 f->longest, f->is_ended ? ", and at an end" : "");
    ml_write(&d->text, "\n");
}

/* A marker, or the list of two that a joint is between. */
static void write_end(struct description *d, const char *const names[2])
{
    ml_write(&d->text, "%s", names[1] ? "[" : "");
    ml_write_text(&d->text, names[0]);
    if (!names[1])
        return;
    ml_write(&d->text, ", ");
    ml_write_text(&d->text, names[1]);
    ml_write(&d->text, "]");
}

/* The first joint, and the unit of its path if the file does not say it: by how far apart the first
 * two markers are. */
static void describe_base(struct description *d, const struct ml_landmark *first)
{
    const struct ml_table *table = &d->table;
    const int n = first->n_column / 2;
    double square = 0.0;
    for (int i = 0; i < n; i++) {
        const struct facts *a = &d->facts[first->columns[i]], *b = &d->facts[first->columns[n + i]];
        const double way = 0.5 * (b->low + b->high - a->low - a->high);
        square += way * way;
    }
    ml_write(&d->text, "  base: ");
    write_end(d, first->ends[0]);
    ml_write(&d->text, " # the first joint, which moves\n");
    if (strcmp(table->columns[first->columns[0]].param.unit, "1") == 0)
        ml_write(&d->text, "  length: %s # by how far apart the markers are\n",
                 square > 120.0 * 120.0 ? "mm"
                 : square > 5.0 * 5.0   ? "cm"
                                        : "m");
}

/* Whether the numbers of a column are even times, of more than 2 Hz. */
static bool is_of_times(const struct ml_table *table, int c)
{
    const double *x = table->columns[c].to, slowest = 0.5; /* s */
    const int64_t n = table->n_row;
    const double interval = x && n > 2 ? (x[n - 1] - x[0]) / (double)(n - 1) : 0.0;
    bool is_even = interval > 0.0 && interval < slowest;
    for (int64_t k = 1; is_even && k < n; k++)
        is_even = fabs(x[k] - x[k - 1] - interval) <= 0.05 * interval;
    return is_even;
}

/* The column that seems to have the times of a table without `time`; -1: none. */
static int find_times(const struct description *d)
{
    if (d->table.nameless && is_of_times(&d->table, 0))
        return 0;
    for (int c = 0; !d->time && c < d->table.n_cell; c++) {
        const char *name = d->table.columns[c].param.name;
        if ((*name == 't' || *name == 'T') && (!name[1] || strchr(" ([_", name[1])))
            return c;
    }
    return -1;
}

/* The segments found in names. */
static void describe_segments(struct description *d, const struct ml_landmarks *found)
{
    const bool has_markers = found->n > 0 && found->of[0].ends[0][0];
    const int tilt = ml_table_find(&d->table, "pelvis_tilt"), t = find_times(d);
    if (t >= 0 && has_markers) {
        ml_write(&d->text, "  columns: {time: ");
        ml_write_text(&d->text, d->table.columns[t].param.name);
        ml_write(&d->text, "}\n");
    }
    for (int i = 0; i < found->n; i++) {
        const struct ml_landmark *at = &found->of[i];
        ml_write(&d->text, "%s", i > 0 ? ", " : has_markers ? "  markers: {" : "  columns: {");
        if (i == 0 && !has_markers && t >= 0) {
            ml_write(&d->text, "time: ");
            ml_write_text(&d->text, d->table.columns[t].param.name);
            ml_write(&d->text, ", ");
        }
        ml_write(&d->text, "%s: ", at->segment);
        if (!has_markers) {
            ml_write_text(&d->text, at->name);
            continue;
        }
        ml_write(&d->text, "[");
        write_end(d, at->ends[0]);
        ml_write(&d->text, ", ");
        write_end(d, at->ends[1]);
        ml_write(&d->text, "]");
    }
    if (found->n == 0 && t >= 0)
        ml_write(&d->text,
                 "  columns: {time: %s, SEGMENT: COLUMN} # no names of joints or of "
                 "markers at them are known here: choose\n",
                 d->table.columns[t].param.name);
    else if (found->n == 0)
        ml_write(&d->text,
                 "  columns: {SEGMENT: COLUMN} # no names of joints or of markers at them "
                 "are known here: choose\n");
    else
        ml_write(&d->text, "} # of the segments of the study: choose\n");
    if (has_markers && found->travels)
        ml_write(&d->text, "  plane: [%s, %s] # forwards and up, by where the markers are\n",
                 found->forward, found->up);
    else if (has_markers)
        ml_write(&d->text, "  # plane: [x, y] # which axes are forwards and up is unknown, as no "
                           "marker travels: choose\n");
    else
        ml_write(&d->text,
                 "  # angles between segments are those of `system: {angles: joint}`; where "
                 "one counts the other way: sign: {shank: -1}\n");
    if (!has_markers && tilt >= 0 && found->n > 0)
        ml_write(&d->text,
                 "  # the hip's angle counts from the pelvis, which goes with pelvis_tx, pelvis_ty "
                 "and pelvis_tilt: make it the first segment (docs/inverse.md, OpenSim)\n");
    if (has_markers)
        describe_base(d, &found->of[0]);
}

/* Keys for gaps, wrapped angles and degrees in the columns of segments: those found, or those
 * that are named as the study's. */
static void describe_remedies(struct description *d, const struct ml_landmarks *found)
{
    const struct ml_table *table = &d->table;
    double gap = 0.0;
    bool is_wrapped = false, is_degrees = false;
    for (int c = 0; c < table->n_cell; c++) {
        const struct facts *f = &d->facts[c];
        bool is_angle = is_native(table, c), is_used = is_angle;
        for (int i = 0; i < found->n; i++)
            for (int j = 0; j < found->of[i].n_column; j++) {
                const bool is_it = found->of[i].columns[j] == c;
                is_used |= is_it;
                is_angle |= is_it && found->of[i].name;
            }
        gap = is_used ? fmax(gap, f->longest) : gap;
        is_wrapped |= is_angle && f->wrap > 0.0;
        is_degrees |= is_angle && fmax(fabs(f->low), fabs(f->high)) > turn &&
                      table->degrees == ML_DEGREES_UNSAID &&
                      strcmp(table->columns[c].param.unit, "1") == 0;
    }
    if (is_degrees)
        ml_write(&d->text, "  unit: deg # by their range\n");
    if (is_wrapped)
        ml_write(&d->text, "  unwrap: true\n");
    if (gap > 0.0)
        ml_write(&d->text, "  gaps: {spline: %.3g} # s, the longest there is\n",
                 gap * (1.0 + 1e-3));
    if (!d->time && find_times(d) < 0)
        ml_write(&d->text, "  # rate: .. # Hz: yours, as the file has no times\n");
}

static void write_pair(struct description *d, const char *key, const int columns[2])
{
    ml_write(&d->text, ", %s: [", key);
    ml_write_text(&d->text, d->table.columns[columns[0]].param.name);
    ml_write(&d->text, ", ");
    ml_write_text(&d->text, d->table.columns[columns[1]].param.name);
    ml_write(&d->text, "]");
}

/* How far the point of a plate goes where a force is. */
static double farthest(const struct description *d, const struct ml_plate *plate)
{
    const double threshold = 20.0; /* N */
    double most = 0.0;
    for (int64_t k = 0; k < d->table.n_row; k++)
        if (fabs(d->table.columns[plate->force[1]].to[k]) > threshold)
            most = fmax(most, fabs(d->table.columns[plate->point[0]].to[k]));
    return most;
}

/* Whether a table may have angles or markers, besides forces and moments. */
static bool has_motion(struct description *d)
{
    const int time = ml_table_find(&d->table, ML_TABLE_TIME);
    for (int c = 0; c < d->table.n_cell; c++) {
        const struct ml_table_column *column = &d->table.columns[c];
        const char *unit = column->param.unit;
        const bool is_possible =
            strcmp(unit, "1") == 0 || strcmp(unit, "rad") == 0 || ml_landmark_is_part(&d->table, c);
        if (c != time && is_possible && *column->param.name &&
            (ml_landmark_is_angle(column->param.name) || ml_landmark_is_part(&d->table, c)))
            return true;
    }
    return false;
}

/* A load for every force plate. */
static int describe_plates(struct description *d, const char *file)
{
    struct ml_plate plate;
    int n = 0;
    for (int c = 0; c < d->table.n_cell; c++) {
        if (!ml_plate_find(&d->table, c, &plate))
            continue;
        const struct facts *up = &d->facts[plate.force[1]];
        const bool is_said = strcmp(d->table.columns[plate.point[0]].param.unit, "1") != 0;
        ml_write(&d->text, "%s  - {name: plate_%d, type: load, segment: foot, file: ",
                 n == 0 ? "\nforces: # of the feet that stand on the plates: choose\n" : "", n + 1);
        ml_write_text(&d->text, file);
        write_pair(d, "force", plate.force);
        write_pair(d, "point", plate.point);
        ml_write(&d->text, ", threshold: 20%s%s} # up to %.4g N\n",
                 -up->low > up->high ? ", scale: -1" : "",
                 !is_said && farthest(d, &plate) > 20.0 ? ", length: mm" : "",
                 fmax(-up->low, up->high));
        n++;
    }
    return n;
}

/* The keys of a study that reads the file, as far as names show. */
static void describe_block(struct description *d, const char *path)
{
    struct ml_table *table = &d->table;
    const char *slash = strrchr(path, '/'), *file = slash ? slash + 1 : path;
    struct ml_landmarks found;
    bool has_native = false;
    for (int c = 0; c < table->n_cell; c++)
        has_native |= is_native(table, c);
    ml_landmarks_find(table, &found);
    if (has_native)
        found.n = 0;
    if (found.n == 0 && !has_native && describe_plates(d, file) > 0)
        return;
    if (found.n == 0 && !has_native && !has_motion(d))
        return;
    ml_write(&d->text, "\nmotion:\n  file: ");
    ml_write_text(&d->text, file);
    ml_write(&d->text, "\n");
    if (!has_native)
        describe_segments(d, &found);
    describe_remedies(d, &found);
    (void)describe_plates(d, file);
}

/* Reads the numbers; false: the table has problems, or there is no memory. */
static bool read_numbers(struct description *d)
{
    struct ml_table *table = &d->table;
    const int time = ml_table_find(table, ML_TABLE_TIME);
    d->facts = ml_pool_take(&d->pool, (size_t)table->n_column, sizeof *d->facts);
    for (int c = 0; c < table->n_column; c++) {
        table->columns[c].to = ml_pool_take(&d->pool, (size_t)table->n_row, sizeof(double));
        table->columns[c].takes_gaps = table->columns[c].takes_text = c != time;
    }
    if (d->pool.is_short)
        return false;
    ml_table_read(table);
    d->time = time >= 0 ? table->columns[time].to : NULL;
    return table->problems.count == 0;
}

static void describe(struct description *d, const char *path)
{
    const struct ml_table *table = &d->table;
    const int time = ml_table_find(&d->table, ML_TABLE_TIME);
    ml_write(&d->text, "%s: %s, %lld lines of numbers, %d columns\n", path, table->format,
             (long long)table->n_row, table->n_least);
    describe_times(d);
    for (int c = 0; c < table->n_cell; c++)
        look(d, c);
    for (int c = 0; c < table->n_cell; c++)
        if (c != time && *table->columns[c].param.name)
            describe_column(d, c);
    describe_block(d, path);
}

static enum ml_status describe_file(struct description *d, const char *path, bool of_analog,
                                    struct ml_error *err)
{
    enum ml_status status = ML_OK;
    const bool is_open =
        ml_table_open(&d->table, &d->pool, path, of_analog, ML_TABLE_TIME ",angle/NAME,...");
    if (!is_open && !d->pool.is_short)
        return ml_fail(err, ml_open_status(errno), "%s: %s", path, ml_open_reason(errno));
    if (is_open && d->table.problems.count == 0 && d->table.n_column > 0 && read_numbers(d)) {
        if (d->of_residuals)
            status = ml_residuals_describe(&d->table, path, d->time, &d->text, err);
        else
            describe(d, path);
    }
    if (d->pool.is_short || d->text.is_short)
        return ML_E_MEMORY;
    return status == ML_OK ? ml_problems_report(&d->table.problems, err) : status;
}

/* The points of a C3D file, then its channels and plates. */
static enum ml_status describe_parts(struct description *d, const char *path, struct ml_error *err)
{
    const enum ml_status status = describe_file(d, path, false, err);
    const bool has_more = status == ML_OK && !d->of_residuals && d->table.format &&
                          strcmp(d->table.format, "C3D") == 0 &&
                          strcmp(d->table.columns[0].param.name, "Frame") == 0;
    if (!has_more)
        return status;
    d->time = NULL;
    ml_write(&d->text, "\n");
    return describe_file(d, path, true, err);
}

static enum ml_status describe_as_text(struct description *d, const char *path, char **text,
                                       struct ml_error *err)
{
    *text = NULL;
    const struct ml_numeric_env before = ml_numeric_env_set();
    const enum ml_status status = describe_parts(d, path, err);
    ml_numeric_env_restore(&before);
    ml_pool_free(&d->pool);
    if (status == ML_OK)
        *text = d->text.text;
    else
        free(d->text.text);
    return status;
}

enum ml_status ml_motion_describe(const char *path, char **text, struct ml_error *err)
{
    struct description d = {.of_residuals = false};
    return describe_as_text(&d, path, text, err);
}

enum ml_status ml_motion_residuals(const char *path, char **text, struct ml_error *err)
{
    struct description d = {.of_residuals = true};
    return describe_as_text(&d, path, text, err);
}
