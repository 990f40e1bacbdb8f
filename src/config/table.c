/* Reads a text table of numbers and reports every line that is wrong. */
#include "config/table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config/reader.h"
#include "simd/sincos_large.h"
#include "yaml/file.h"
#include "yaml/number.h"
#include "yaml/text.h"

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

static const char *end_of(const struct ml_table *table)
{
    return table->problems.text + table->problems.length;
}

static struct span next_line(struct ml_table *table)
{
    const char *end = end_of(table);
    size_t left = (size_t)(end - table->at);
    const char *newline = left > 0 ? memchr(table->at, '\n', left) : NULL;
    struct span line = {table->at, newline ? newline : end};
    table->start = table->at;
    table->at = newline ? newline + 1 : end;
    table->line++;
    if (line.to > line.from && line.to[-1] == '\r')
        line.to--;
    return line;
}

/* Cuts the first field off; false at the end of the line. *line ends as {NULL, NULL}. */
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

/* Characters, not bytes. */
static int count_characters(const char *from, const char *to)
{
    int n = 0;
    for (const char *c = from; c < to; c++)
        n += ((unsigned char)*c & 0xC0) != 0x80;
    return n;
}

/* Place of a byte of the present line. */
static struct ml_location table_location_of(const struct ml_table *table, const char *byte)
{
    return (struct ml_location){.line = table->line,
                                .column = 1 + count_characters(table->start, byte)};
}

struct ml_location ml_table_location(int64_t k)
{
    return (struct ml_location){.line = (int)(2 + k), .column = 1};
}

static int compare_columns(const void *a, const void *b)
{
    const struct ml_table_column *p = *(struct ml_table_column *const *)a,
                                 *q = *(struct ml_table_column *const *)b;
    const int order = strcmp(p->param.name, q->param.name);
    return order ? order : (p > q) - (p < q);
}

int ml_table_find(const struct ml_table *table, const char *name)
{
    int low = 0, high = table->n_column;
    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (strcmp(table->sorted[middle]->param.name, name) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    const bool is_found =
        low < table->n_column && strcmp(table->sorted[low]->param.name, name) == 0;
    return is_found ? (int)(table->sorted[low] - table->columns) : -1;
}

const char *ml_table_hint(const char *name)
{
    return strpbrk(name, ";\t") ? "; columns are separated by commas" : "";
}

void ml_table_missing(struct ml_table *table, const char *name, const char *why)
{
    const char *hint = table->n_column == 1 ? ml_table_hint(table->columns[0].param.name) : "";
    ml_problem(&table->problems, (struct ml_location){.line = 1, .column = 1},
               "column `%s` is missing%s%s", name, why, hint);
}

/* Sorts the columns by their names, and tells those that are there twice. */
static void sort_columns(struct ml_table *table)
{
    const size_t n = (size_t)table->n_column;
    table->sorted = ml_pool_take(table->pool, n, sizeof *table->sorted);
    if (!table->sorted)
        return;
    for (size_t i = 0; i < n; i++)
        table->sorted[i] = &table->columns[i];
    qsort(table->sorted, n, sizeof *table->sorted, compare_columns);
    for (size_t i = 1; i < n; i++) {
        const struct ml_param *param = &table->sorted[i]->param;
        if (strcmp(param->name, table->sorted[i - 1]->param.name) == 0)
            ml_problem(&table->problems, table->sorted[i]->location, "column `%s` is there twice",
                       param->name);
    }
}

/* Without the quotes that some programs put around names. */
static struct span unquoted(struct span field)
{
    const bool is_quoted = field.to - field.from >= 2 && *field.from == '"' && field.to[-1] == '"';
    return is_quoted ? (struct span){field.from + 1, field.to - 1} : field;
}

/* The names of the columns of the first line. */
static void table_read_names(struct ml_table *table, struct span line)
{
    struct ml_location location = {.line = table->line, .column = 1};
    const char *counted = table->start; /* up to there, characters of the line */
    struct span field;
    while (table->columns && next_field(&line, &field)) {
        const struct span own = unquoted(field);
        const char *name = ml_pool_text(table->pool, own.from, (size_t)(own.to - own.from));
        if (!name)
            return;
        location.column += count_characters(counted, field.from);
        counted = field.from;
        table->columns[table->n_column++] = (struct ml_table_column){
            .param = {.name = name, .unit = "1", .low = -ML_ANGLE_MAX, .high = ML_ANGLE_MAX},
            .location = location};
    }
    if (table->columns)
        sort_columns(table);
}

static void read_header(struct ml_table *table, const char *example)
{
    struct span line = next_line(table);
    if (trim(line).from == trim(line).to) {
        ml_problem(&table->problems, (struct ml_location){.line = 1, .column = 1},
                   "%s; the first line names the columns: %s",
                   table->at == end_of(table) ? "the file is empty" : "the line is empty", example);
        return;
    }
    table->columns = ml_pool_take(table->pool, (size_t)count_fields(line), sizeof *table->columns);
    table_read_names(table, line);
}

/* Lines that are left, without empty ones at the end. */
static int64_t count_lines(const struct ml_table *table)
{
    const char *end = end_of(table);
    int64_t n = 0;
    while (end > table->at && (is_blank(end[-1]) || end[-1] == '\n' || end[-1] == '\r'))
        end--;
    for (const char *at = table->at; at < end; n++) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        at = newline ? newline + 1 : end;
    }
    return n;
}

bool ml_table_open(struct ml_table *table, struct ml_pool *pool, const char *path,
                   const char *example)
{
    const size_t most = (size_t)1 << 30; /* bytes; lines are counted in an int */
    struct ml_problems *problems = &table->problems;
    *table = (struct ml_table){.pool = pool, .problems = {.pool = pool, .name = path}};
    problems->text = ml_file_read(pool, path, most, &problems->length);
    if (!problems->text)
        return false;
    table->at = problems->text + ml_text_mark(problems->text, problems->length);
    if (ml_text_check(problems->text, problems->length, 0, problems))
        read_header(table, example);
    if (problems->count > 0 || pool->is_short)
        return !pool->is_short;
    table->n_row = count_lines(table);
    if (table->n_row == 0)
        ml_problem(problems, (struct ml_location){.line = 1, .column = 1},
                   "there is no sample below the names of the columns");
    return true;
}

static bool read_number(struct ml_table *table, struct span field,
                        const struct ml_table_column *column, double *out)
{
    enum { LONGEST = 400 };
    struct ml_number_fault fault;
    char text[LONGEST + 1];
    const char *name = column->param.name;
    const size_t length = (size_t)(field.to - field.from);
    (void)snprintf(text, sizeof text, "%.*s", (int)(length < LONGEST ? length : LONGEST),
                   field.from);
    const bool is_number = length > 0 && ml_number_read(text, out, &fault);
    if (is_number && ml_param_allows(&column->param, *out))
        return true;
    const struct ml_location location = table_location_of(table, field.from);
    if (length == 0)
        ml_problem(&table->problems, location,
                   "%s is missing: every line has a number in every column", name);
    else if (!is_number)
        ml_problem(&table->problems, location, "%s is %s: %s", name, ml_quote(table->pool, text),
                   fault.what);
    else
        ml_tell_range(&table->problems, location, &column->param, *out);
    return false;
}

static void check_order(struct ml_table *table, struct ml_location location, const double *time,
                        int64_t k)
{
    if (k > 0 && !(time[k] > time[k - 1]))
        ml_problem(&table->problems, location,
                   "time is %g but must be greater than in the line before, %g", time[k],
                   time[k - 1]);
}

static void table_read_row(struct ml_table *table, int64_t k)
{
    struct span line = next_line(table), field;
    const int n = count_fields(line);
    if (n != table->n_column) {
        ml_problem(&table->problems, ml_table_location(k),
                   "the line has %d column%s but the first line names %d", n, n == 1 ? "" : "s",
                   table->n_column);
        return;
    }
    for (int i = 0; next_field(&line, &field); i++) {
        const struct ml_table_column *column = &table->columns[i];
        if (column->to && read_number(table, field, column, &column->to[k]) &&
            strcmp(column->param.name, ML_TABLE_TIME) == 0)
            check_order(table, table_location_of(table, field.from), column->to, k);
    }
}

void ml_table_read(struct ml_table *table)
{
    for (int64_t k = 0; k < table->n_row; k++)
        if (table->problems.count < ML_PROBLEMS_SHOWN)
            table_read_row(table, k);
}
