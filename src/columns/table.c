/* Reads tables of numbers as text. */
#include "columns/table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/text.h"
#include "columns/c3d.h"
#include "columns/stream.h"
#include "yaml/nearest.h"
#include "yaml/range.h"
#include "yaml/yaml.h"

static const char *end_of(const struct ml_table *table)
{
    return table->problems.text + table->problems.length;
}

struct ml_location ml_table_location(const struct ml_table *table, int64_t k)
{
    return (struct ml_location){.line = (int)(table->first_line + k), .column = 1};
}

static int compare_columns(const void *a, const void *b)
{
    const struct ml_table_column *p = *(struct ml_table_column *const *)a,
                                 *q = *(struct ml_table_column *const *)b;
    const int order = strcmp(p->param.name, q->param.name);
    return order ? order : (p > q) - (p < q);
}

int ml_table_find(struct ml_table *table, const char *name)
{
    int low = 0, high = table->n_column;
    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (strcmp(table->sorted[middle]->param.name, name) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == table->n_column || strcmp(table->sorted[low]->param.name, name) != 0)
        return -1;
    const struct ml_table_column *next = low + 1 < table->n_column ? table->sorted[low + 1] : NULL;
    if (next && strcmp(next->param.name, name) == 0)
        ml_problem(&table->problems, next->location, "column `%s` appears twice", name);
    return (int)(table->sorted[low] - table->columns);
}

int ml_table_find_chosen(struct ml_table *table, const char *name)
{
    static const char word[] = ML_TABLE_COLUMN;
    const int found = ml_table_find(table, name);
    const bool has_word = strncmp(name, word, sizeof word - 1) == 0;
    const char *digits = name + (has_word ? sizeof word - 1 : 0);
    char *end;
    const long number = strtol(digits, &end, 10);
    const bool is_number = *digits >= '1' && *digits <= '9' && !*end && number <= table->n_cell;
    return found < 0 && is_number ? (int)number - 1 : found;
}

/* The names of columns, for messages. */
static const char *names_text(const struct ml_table *table)
{
    enum { SHOWN = 12 };
    const char *list = "";
    for (int i = 0; list && i < table->n_cell && i < SHOWN; i++)
        if (*table->columns[i].param.name) /* not taken for another use */
            list = ml_pool_format(table->pool, "%s%s%s", list, *list ? ", " : "",
                                  ml_quote(table->pool, table->columns[i].param.name));
    if (list && table->n_cell > SHOWN)
        list = ml_pool_format(table->pool, "%s, ... (%d in all)", list, table->n_cell);
    return list ? list : "";
}

void ml_table_missing(struct ml_table *table, const char *name, const char *why)
{
    const bool is_time = strcmp(name, ML_TABLE_TIME) == 0;
    struct ml_nearest nearest = ml_nearest_typo(name);
    for (int i = 0; i < table->n_cell && !is_time; i++)
        if (*table->columns[i].param.name)
            ml_nearest_offer(&nearest, table->columns[i].param.name);
    if (table->nameless) {
        ml_problem(&table->problems, (struct ml_location){.line = table->names_line, .column = 1},
                   "%s%s", table->nameless, is_time ? why : "");
        return;
    }
    ml_problem(&table->problems, (struct ml_location){.line = table->names_line, .column = 1},
               "column `%s` is missing%s%s; the columns are %s%s", name,
               is_time ? ", and the header has no rate" : "", why, names_text(table),
               ml_did_you_mean(nearest.best).text);
}

/* Sorts the columns by their names. */
static void sort_columns(struct ml_table *table)
{
    const size_t n = (size_t)table->n_column;
    table->sorted = ml_pool_take(table->pool, n, sizeof *table->sorted);
    for (size_t i = 0; i < n && table->sorted; i++)
        table->sorted[i] = &table->columns[i];
    if (table->sorted)
        qsort(table->sorted, n, sizeof *table->sorted, compare_columns);
}

void ml_table_set_time(struct ml_table *table, const char *name)
{
    const int before = ml_table_find(table, ML_TABLE_TIME);
    const int c = strcasecmp(name, ML_TABLE_TIME) == 0 ? before : ml_table_find_chosen(table, name);
    if (c < 0)
        ml_table_missing(table, name, ": of times");
    if (c < 0 || c == before)
        return;
    if (before >= 0)
        table->columns[before].param.name = "";
    table->columns[c].param.name = ML_TABLE_TIME;
    sort_columns(table);
}

void ml_table_set_rate(struct ml_table *table, double rate)
{
    if (!table->sorted || ml_table_find(table, ML_TABLE_TIME) >= 0)
        return;
    table->rate = rate;
    table->columns[table->n_column++] = (struct ml_table_column){
        .param = {.name = ML_TABLE_TIME, .unit = "s", .low = 0.0, .high = 1e15},
        .location = {.line = table->names_line, .column = 1},
        .scale = 1.0};
    sort_columns(table);
}

/* A kind of file that is not text: its first bytes, and how to turn the file into text. */
static const char *remedy_of(const char *text, size_t length)
{
    static const struct {
        size_t at, n;
        const char *bytes, *remedy;
    } kinds[] = {
        {0, 4, "PK\3\4", "a spreadsheet or an archive; save the table as CSV"},
        {0, 2, "\x1F\x8B", "a compressed file; `gunzip` makes the table of it"},
        {0, 2, "{\"", "JSON; save the table as CSV"},
        {0, 2, "[{", "JSON; save the table as CSV"},
        {0, 5, "<?xml", "XML; save the table as CSV"},
        {0, 4, "\xD0\xCF\x11\xE0", "a spreadsheet; save the table as CSV"},
        {0, 6, "MATLAB",
         "a MATLAB file; save the table as text there: writetable(T, \"t.csv\"), or if `manylink "
         "export` has made it, export a .csv"},
        {0, 4, "\x89HDF", "an HDF5 file, and not text; `manylink export` makes a CSV of a run"},
    };
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (length >= kinds[i].at + kinds[i].n &&
            memcmp(text + kinds[i].at, kinds[i].bytes, kinds[i].n) == 0)
            return kinds[i].remedy;
    if (ml_c3d_is(text, length))
        return "a C3D file, which cannot be read here; export its data as .csv with the program "
               "that made the file";
    return NULL;
}

/* Reports a number of rows that differs from the header's. */
static void check_stated(struct ml_table *table)
{
    if (table->n_stated >= 0 && table->n_row != table->n_stated)
        ml_problem(&table->problems,
                   ml_table_location(table, table->n_row > 0 ? table->n_row - 1 : 0),
                   "the table has %lld lines of numbers, but the header says %lld (%s)%s",
                   (long long)table->n_row, (long long)table->n_stated, table->stated_by,
                   table->n_row < table->n_stated
                       ? ": is the file cut off? if not, correct that number in the header"
                       : ": correct that number in the header, or leave out lines that are not of "
                         "this table");
}

double ml_table_other_rate(const struct ml_table *table, int64_t n, const double *time)
{
    const double most = 0.01; /* relative difference */
    const double rate = n > 1 ? (double)(n - 1) / (time[n - 1] - time[0]) : table->rate;
    return table->rate > 0.0 && fabs(rate - table->rate) > most * table->rate ? rate : 0.0;
}

/* The line that ends at `end`, without blanks and line ends; `end` then is its start. */
static struct ml_span last_line(const char *from, const char **end)
{
    while (*end > from && strchr(" \t\r\n", (*end)[-1]))
        (*end)--;
    struct ml_span line = {*end, *end};
    while (line.from > from && line.from[-1] != '\n')
        line.from--;
    *end = line.from;
    return line;
}

/* Leaves the last row out if it is the row before once more, at the same time but for rounding, as
 * OpenSim's tools end their tables. */
static void drop_twin(struct ml_table *table)
{
    struct ml_number_fault fault;
    struct ml_span cell[2];
    const char *end = end_of(table);
    struct ml_span line[2] = {last_line(table->at, &end)};
    line[1] = last_line(table->at, &end);
    double time[2] = {0.0, 0.0};
    bool is_twin = !table->stream && table->n_row > 2 &&
                   strcmp(table->columns[0].param.name, ML_TABLE_TIME) == 0,
         comma;
    for (int i = 0; i < 2 && is_twin; i++)
        is_twin = ml_cell_next(&line[i], table->separator, &cell[i]) &&
                  ml_cell_is_decimal(cell[i]) && ml_cell_number(cell[i], &time[i], &comma, &fault);
    const size_t length = (size_t)(line[0].to - line[0].from);
    table->has_twin = is_twin && line[0].from && line[1].from && fabs(time[0] - time[1]) < 1e-12 &&
                      length == (size_t)(line[1].to - line[1].from) &&
                      memcmp(line[0].from, line[1].from, length) == 0;
    table->n_row -= table->has_twin;
}

static void table_read_names(struct ml_table *table, const char *example)
{
    static const char *const separated[] = {"tabs", "semicolons", "commas", "blanks"};
    static const char separators[] = {'\t', ';', ',', ML_BLANKS};
    ml_heading_read(table, example);
    if (table->problems.count > 0 || !table->columns)
        return;
    sort_columns(table);
    for (size_t i = 0; !table->format && i < sizeof separators; i++)
        if (table->separator == separators[i])
            table->format = ml_pool_format(table->pool, "text, cells between %s", separated[i]);
    table->first_line = table->line + 1;
    table->n_row = ml_stream_count_lines(table);
    if (table->problems.count > 0)
        return;
    if (table->n_row == 0)
        ml_problem(&table->problems, (struct ml_location){.line = table->names_line, .column = 1},
                   "the table has no samples below the names of the columns");
    else
        check_stated(table);
    drop_twin(table);
    if (table->rate > 0.0)
        ml_table_set_rate(table, table->rate);
}

/* Reads the names of a table whose text, or its first piece, is there; false without memory. */
static bool table_begin(struct ml_table *table, const char *example)
{
    struct ml_problems *problems = &table->problems;
    const char *remedy = remedy_of(problems->text, problems->length);
    table->at = problems->text + ml_text_mark(problems->text, problems->length);
    if (remedy)
        ml_problem(problems, (struct ml_location){.line = 1, .column = 1}, "this is %s", remedy);
    else if (problems->count == 0 && ml_text_check(problems->text, problems->length, 0, problems))
        table_read_names(table, example);
    return !table->pool->is_short;
}

/* Puts the text of the data of a C3D file in its place. */
static void take_c3d(struct ml_table *table, bool of_analog)
{
    struct ml_problems *problems = &table->problems;
    size_t length = 0;
    char *text = ml_c3d_text(problems, problems->text, problems->length, of_analog, &length);
    problems->text = text ? text : "";
    problems->length = length;
    table->format = "C3D";
}

bool ml_table_open(struct ml_table *table, struct ml_pool *pool, const char *path, bool of_analog,
                   const char *example)
{
    const size_t most = (size_t)1 << 30; /* bytes; lines are counted in an int */
    *table =
        (struct ml_table){.pool = pool, .problems = {.pool = pool, .name = path}, .n_stated = -1};
    char *text = ml_file_read(pool, path, most, &table->problems.length);
    table->problems.text = text;
    if (!text)
        return false;
    if (!remedy_of(text, table->problems.length))
        ml_text_end_lines(text, table->problems.length);
    if (ml_c3d_is(table->problems.text, table->problems.length))
        take_c3d(table, of_analog);
    return table->problems.count > 0 || table_begin(table, example);
}

bool ml_table_open_long(struct ml_table *table, struct ml_pool *pool, const char *path,
                        const char *example)
{
    *table =
        (struct ml_table){.pool = pool, .problems = {.pool = pool, .name = path}, .n_stated = -1};
    return ml_stream_open(table, path) && table_begin(table, example);
}

/* Notes which decimal sign a number has, so that a file with both signs is refused. */
static void note_decimal(struct ml_table *table, struct ml_span cell, bool comma)
{
    const size_t length = (size_t)(cell.to - cell.from);
    const char *digits = cell.from + (*cell.from == '-' || *cell.from == '+');
    const char *mark = comma ? memchr(cell.from, ',', length) : NULL;
    if (!mark && table->point.line == 0 && memchr(cell.from, '.', length))
        table->point = ml_table_location_of(table, cell.from);
    if (!mark)
        return;
    if (table->comma.line == 0)
        table->comma = ml_table_location_of(table, cell.from);
    /* 1,234 may be a thousand */
    table->is_decimal |= cell.to - mark != 4 || *digits == '0' || mark - digits > 3;
}

static void check_decimals(struct ml_table *table)
{
    if (table->comma.line > 0 && table->point.line > 0)
        ml_problem(&table->problems, table->comma,
                   "the number has a decimal comma, but the number in line %d a point; use the "
                   "same in all numbers",
                   table->point.line);
    else if (table->comma.line > 0 && !table->is_decimal)
        ml_problem(&table->problems, table->comma,
                   "the comma may be a decimal comma or separate thousands, as in all numbers "
                   "here; write a decimal point, or no commas");
}

static bool read_number(struct ml_table *table, struct ml_span cell,
                        const struct ml_table_column *column, double *out)
{
    struct ml_number_fault fault;
    bool comma = false;
    const char *name = column->param.name;
    if (column->takes_gaps && ml_cell_is_gap(cell)) {
        *out = (double)NAN;
        return true;
    }
    const size_t length = (size_t)(cell.to - cell.from);
    const bool is_number = length > 0 && ml_cell_number(cell, out, &comma, &fault);
    if (is_number)
        note_decimal(table, cell, comma);
    if (is_number && column->scale != 1.0)
        *out *= column->scale;
    if (is_number && ml_param_allows(&column->param, *out))
        return true;
    if (column->takes_text) {
        *out = (double)NAN;
        return true;
    }
    const struct ml_location location = ml_table_location_of(table, cell.from);
    if (length == 0)
        ml_problem(&table->problems, location,
                   "%s is missing: every line has a number in every column", name);
    else if (!is_number)
        ml_problem(&table->problems, location, "%s is %s: %s", name,
                   ml_quote(table->pool, ml_pool_text(table->pool, cell.from, length)), fault.what);
    else
        ml_report_range(&table->problems, location, &column->param, *out);
    return false;
}

static void check_order(struct ml_table *table, struct ml_location location, const char *name,
                        const double *x, int64_t k)
{
    if (k > 0 && !(x[k] > x[k - 1]) && !(table->repeats && x[k] == x[k - 1]))
        ml_problem(&table->problems, location,
                   "%s is %g but must be %s than in the line before, %g", name, x[k],
                   table->repeats ? "no less" : "greater", x[k - 1]);
}

/* Reports a line with more or fewer cells than names. */
static void report_count(struct ml_table *table, int64_t k, int n)
{
    const bool is_last = k == table->n_row - 1 && n < table->n_least;
    const bool has_commas = table->separator == ',' && n == 2 * table->n_cell;
    const char *names = table->names_line == 1
                            ? "the first line"
                            : ml_pool_format(table->pool, "line %d", table->names_line);
    ml_problem(&table->problems, ml_table_location(table, k),
               "the line has %d column%s but %s names %d%s", n, n == 1 ? "" : "s",
               names ? names : "", table->n_least,
               is_last      ? ": is the file cut off?"
               : has_commas ? ": decimal commas? then separate columns by semicolons or tabs"
                            : "");
}

static void table_read_row(struct ml_table *table, int64_t k)
{
    struct ml_span line = ml_table_next_line(table), cell;
    const struct ml_span whole = line;
    const char *order = table->order ? table->order : ML_TABLE_TIME;
    int n = 0;
    while (ml_cell_next(&line, table->separator, &cell)) {
        const struct ml_table_column *column = n < table->n_cell ? &table->columns[n] : NULL;
        if (column && column->to && read_number(table, cell, column, &column->to[k]) &&
            strcmp(column->param.name, order) == 0)
            check_order(table, ml_table_location_of(table, cell.from), order, column->to, k);
        n += n < table->n_cell || cell.from < cell.to;
    }
    if (n < table->n_least || n > table->n_cell)
        report_count(table, k, ml_cell_count(whole, table->separator));
}

void ml_table_read(struct ml_table *table)
{
    int64_t k = 0;
    for (; k < table->n_row && (table->at < end_of(table) || ml_stream_next(table)); k++)
        if (table->problems.count < ML_PROBLEMS_SHOWN)
            table_read_row(table, k);
    if (k < table->n_row && table->problems.count == 0)
        ml_problem(&table->problems, ml_table_location(table, k),
                   "cannot read the table to its end: the file became shorter meanwhile");
    ml_stream_close(table);
    for (int i = table->n_cell; i < table->n_column && table->columns[i].to; i++)
        for (k = 0; k < table->n_row; k++)
            table->columns[i].to[k] = (double)k / table->rate;
    check_decimals(table);
}
