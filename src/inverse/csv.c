#include "inverse/csv.h"

#include <errno.h>
#include <limits.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "inverse/gaps.h"
#include "simd/far.h"
#include "study/file.h"
#include "study/nearest.h"
#include "study/number.h"
#include "study/problems.h"
#include "study/text.h"

/* Where the numbers of a column go. */
struct column {
    const char *name;
    int row;     /* enum ml_motion_row, or one of these */
    int segment; /* of rows */
};

enum { OF_TIME = -1, UNKNOWN = -2 };

struct reader {
    const struct ml_study *study;
    struct ml_motions *out;
    struct ml_pool pool; /* of this reading */
    struct ml_problems problems;
    const char *at, *end; /* what is left */
    const char *start;    /* of the present line */
    int line;             /* its number, from 1 on */
    struct column *columns;
    int n_column;
};

/* One line without its end, or a field of it without blanks around. */
struct span {
    const char *from, *to;
};

static bool is_blank(char c) { return c == ' ' || c == '\t'; }

static struct span trim(struct span s)
{
    while (s.from < s.to && is_blank(*s.from))
        s.from++;
    while (s.to > s.from && is_blank(s.to[-1]))
        s.to--;
    return s;
}

static struct span next_line(struct reader *r)
{
    size_t left = (size_t)(r->end - r->at);
    const char *newline = left > 0 ? memchr(r->at, '\n', left) : NULL;
    struct span line = {r->at, newline ? newline : r->end};
    r->start = r->at;
    r->at = newline ? newline + 1 : r->end;
    r->line++;
    if (line.to > line.from && line.to[-1] == '\r')
        line.to--;
    return line;
}

/* Cuts the first field off; false if there is none left. *line ends as {NULL, NULL}. */
static bool next_field(struct span *line, struct span *field)
{
    if (!line->from)
        return false;
    size_t left = (size_t)(line->to - line->from);
    const char *comma = left > 0 ? memchr(line->from, ',', left) : NULL;
    *field = trim((struct span){line->from, comma ? comma : line->to});
    *line = comma ? (struct span){comma + 1, line->to} : (struct span){NULL, NULL};
    return true;
}

static int count_fields(struct span line)
{
    struct span field;
    int n = 0;
    while (next_field(&line, &field))
        n++;
    return n;
}

/* Place of a byte of the present line. */
static struct ml_place place_of(const struct reader *r, const char *byte)
{
    struct ml_place place = {.line = r->line, .column = 1};
    for (const char *c = r->start; c < byte; c++)
        place.column += ((unsigned char)*c & 0xC0) != 0x80; /* characters, not bytes */
    return place;
}

static int find_segment(const struct ml_study *study, const char *name)
{
    for (int i = 0; i < study->ensemble.shape.n; i++)
        if (strcmp(study->segment_names[i], name) == 0)
            return i;
    return -1;
}

static const char *name_of(struct reader *r, int row, int segment)
{
    const char *name = ml_pool_format(&r->pool, "%s/%s", ml_motion_name((enum ml_motion_row)row),
                                      r->study->segment_names[segment]);
    return name ? name : "";
}

static void tell_unknown(struct reader *r, const char *at, const char *name)
{
    struct ml_nearest nearest = ml_nearest_any(name);
    ml_nearest_offer(&nearest, "time");
    for (int q = 0; q < ML_N_MOTION; q++)
        for (int i = 0; i < r->study->ensemble.shape.n; i++)
            ml_nearest_offer(&nearest, name_of(r, q, i));
    const char *hint = strchr(name, ';') ? "; columns are separated by commas"
                       : *name && strchr("+-.0123456789", *name) ? "; the first line has no numbers"
                                                                 : "";
    ml_problem(&r->problems, place_of(r, at),
               "column %s is not known: there are time, and angle/NAME, rate/NAME and "
               "acceleration/NAME of the study's segments; the nearest is `%s`%s",
               ml_quote(&r->pool, name), nearest.best ? nearest.best : "time", hint);
}

/* What a column's name says. */
static struct column read_name(struct reader *r, const char *at, const char *name)
{
    struct column column = {name, UNKNOWN, -1};
    const char *slash = strchr(name, '/');
    if (strcmp(name, "time") == 0)
        column.row = OF_TIME;
    for (int q = 0; slash && q < ML_N_MOTION; q++) {
        const char *row = ml_motion_name((enum ml_motion_row)q);
        if (strlen(row) == (size_t)(slash - name) && strncmp(name, row, strlen(row)) == 0)
            column.segment = find_segment(r->study, slash + 1);
        if (column.segment >= 0) {
            column.row = q;
            return column;
        }
    }
    if (column.row == UNKNOWN)
        tell_unknown(r, at, name);
    return column;
}

/* Index of the column; -1 if there is none. */
static int find_column(const struct reader *r, int n, int row, int segment)
{
    for (int i = 0; i < n; i++)
        if (r->columns[i].row == row && r->columns[i].segment == segment)
            return i;
    return -1;
}

static bool has_row(const struct reader *r, int row)
{
    for (int i = 0; i < r->n_column; i++)
        if (r->columns[i].row == row)
            return true;
    return false;
}

static void tell_missing(struct reader *r)
{
    const struct ml_place place = {.line = r->line, .column = 1};
    if (find_column(r, r->n_column, OF_TIME, -1) < 0)
        ml_problem(&r->problems, place, "column `time` is missing");
    for (int q = 0; q < ML_N_MOTION; q++) {
        r->out->is_given[q] = q == ML_MOTION_ANGLE || has_row(r, q);
        for (int i = 0; r->out->is_given[q] && i < r->study->ensemble.shape.n; i++)
            if (find_column(r, r->n_column, q, i) < 0)
                ml_problem(&r->problems, place, "column `%s` is missing%s", name_of(r, q, i),
                           q == ML_MOTION_ANGLE ? ""
                                                : ": it is given for all segments or for none");
    }
}

static void read_header(struct reader *r)
{
    struct span line = next_line(r), field;
    if (trim(line).from == trim(line).to) {
        ml_problem(&r->problems, (struct ml_place){.line = 1, .column = 1},
                   "%s; the first line names the columns: time,angle/%s,...",
                   r->at == r->end ? "the file is empty" : "the line is empty",
                   r->study->segment_names[0]);
        return;
    }
    r->columns = ml_pool_take(&r->pool, (size_t)count_fields(line), sizeof *r->columns);
    while (r->columns && next_field(&line, &field)) {
        const char *name = ml_pool_text(&r->pool, field.from, (size_t)(field.to - field.from));
        if (!name)
            return;
        struct column column = read_name(r, field.from, name);
        if (column.row != UNKNOWN && find_column(r, r->n_column, column.row, column.segment) >= 0)
            ml_problem(&r->problems, place_of(r, field.from), "column `%s` is there twice", name);
        r->columns[r->n_column++] = column;
    }
    if (r->problems.count == 0)
        tell_missing(r);
}

/* Lines that are left, without empty ones at the end. */
static int64_t count_lines(const struct reader *r)
{
    const char *end = r->end;
    int64_t n = 0;
    while (end > r->at && (is_blank(end[-1]) || end[-1] == '\n' || end[-1] == '\r'))
        end--;
    for (const char *at = r->at; at < end; n++) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        at = newline ? newline + 1 : end;
    }
    return n;
}

static bool read_number(struct reader *r, struct span field, const char *name, double *out)
{
    enum { LONGEST = 400 };
    struct ml_number_fault fault;
    char text[LONGEST + 1];
    size_t length = (size_t)(field.to - field.from);
    (void)snprintf(text, sizeof text, "%.*s", (int)(length < LONGEST ? length : LONGEST),
                   field.from);
    bool is_number = length > 0 && ml_number_read(text, out, &fault);
    if (is_number && fabs(*out) <= ML_ANGLE_MAX)
        return true;
    const struct ml_place place = place_of(r, field.from);
    if (length == 0)
        ml_problem(&r->problems, place, "%s is missing: every line has a number in every column",
                   name);
    else if (!is_number)
        ml_problem(&r->problems, place, "%s is %s: %s", name, ml_quote(&r->pool, text), fault.what);
    else
        ml_problem(&r->problems, place, "%s is %s but must be between -%g and %g", name, text,
                   ML_ANGLE_MAX, ML_ANGLE_MAX);
    return false;
}

/* One sample. */
static void read_line(struct reader *r, int64_t k)
{
    struct ml_motions *out = r->out;
    struct span line = next_line(r), field;
    int n = count_fields(line);
    if (n != r->n_column) {
        ml_problem(&r->problems, (struct ml_place){.line = r->line, .column = 1},
                   "the line has %d columns but the first line names %d", n, r->n_column);
        return;
    }
    for (int i = 0; next_field(&line, &field); i++) {
        const struct column *column = &r->columns[i];
        bool is_time = column->row == OF_TIME;
        double *to =
            is_time ? &out->time[k] : &out->values[column->row][column->segment * out->n_time + k];
        if (!read_number(r, field, column->name, to) || !is_time || k == 0)
            continue;
        if (!(out->time[k] > out->time[k - 1]))
            ml_problem(&r->problems, place_of(r, field.from),
                       "time is %g but must be greater than in the line before, %g", out->time[k],
                       out->time[k - 1]);
    }
}

static void read_lines(struct reader *r)
{
    struct ml_motions *out = r->out;
    const size_t n = (size_t)out->n;
    out->n_time = count_lines(r);
    out->n_motion = 1;
    if (out->n_time == 0)
        ml_problem(&r->problems, (struct ml_place){.line = r->line, .column = 1},
                   "there is no sample below the names of the columns");
    out->time = ml_pool_take(&out->pool, (size_t)out->n_time, sizeof(double));
    for (int q = 0; q < ML_N_MOTION; q++)
        if (out->is_given[q])
            out->values[q] = ml_pool_take(&out->pool, n * (size_t)out->n_time, sizeof(double));
    for (int64_t k = 0; k < out->n_time && !out->pool.is_short; k++)
        if (r->problems.count < ML_PROBLEMS_SHOWN)
            read_line(r, k);
}

/* A spline that stands in for what is not given takes no gaps. */
static void check_gaps(struct reader *r)
{
    const struct ml_motions *m = r->out;
    const int first = r->line - (int)m->n_time + 1; /* line of the first sample */
    if (ml_motions_are_whole(m) || m->n_time < 2)
        return;
    const double usual = ml_usual_interval(&r->pool, m->n_time, m->time);
    for (int64_t k = 1; k < m->n_time && !r->pool.is_short; k++)
        if (m->time[k] - m->time[k - 1] > ML_GAP * usual)
            ml_problem(&r->problems, (struct ml_place){.line = first + (int)k, .column = 1},
                       "time is %g, but in the line before %g: a gap of more than %d times the "
                       "usual %.3g s, which no spline can fill; give rates and accelerations, or "
                       "a table for either side",
                       m->time[k], m->time[k - 1], (int)ML_GAP, usual);
}

static enum ml_status read_text(struct reader *r, const char *path, struct ml_error *err)
{
    const char *text = r->problems.text;
    r->at = text + ml_text_mark(text, r->problems.length);
    r->end = text + r->problems.length;
    if (ml_text_check(text, r->problems.length, 0, &r->problems))
        read_header(r);
    if (r->problems.count == 0 && !r->pool.is_short)
        read_lines(r);
    if (r->problems.count == 0 && !r->pool.is_short && !r->out->pool.is_short)
        check_gaps(r);
    if (r->pool.is_short || r->out->pool.is_short)
        return ml_fail(err, ML_E_MEMORY, "%s: out of memory", path);
    return ml_problems_report(&r->problems, err);
}

/* Numbers are read with a decimal point, whatever the caller's locale. */
static enum ml_status read_in_c_locale(struct reader *r, const char *path, struct ml_error *err)
{
    locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (!plain)
        return ml_fail(err, ML_E_MEMORY, "out of memory");
    locale_t before = uselocale(plain);
    enum ml_status status = read_text(r, path, err);
    (void)uselocale(before);
    freelocale(plain);
    return status;
}

enum ml_status ml_csv_open(const struct ml_study *study, const char *path, struct ml_motions *out,
                           struct ml_error *err)
{
    const size_t most = (size_t)1 << 30; /* bytes; lines are counted in an int */
    struct reader r = {.study = study, .out = out};
    r.problems = (struct ml_problems){.pool = &r.pool, .name = path};
    r.problems.text = ml_file_read(&r.pool, path, most, &r.problems.length);
    enum ml_status status;
    if (r.problems.text)
        status = read_in_c_locale(&r, path, err);
    else if (r.pool.is_short)
        status = ml_fail(err, ML_E_MEMORY, "%s: out of memory", path);
    else
        status = ml_fail(err, ML_E_FILE, "%s: %s", path, strerror(errno));
    ml_pool_free(&r.pool);
    return status;
}
