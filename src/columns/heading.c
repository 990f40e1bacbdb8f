/* Finds the line that names the columns: the last above the numbers, but for one of units, and for
 * one of components below the names of markers. */
#include "columns/column.h"

#include <math.h>
#include <string.h>

#include "columns/cells.h"

/* A line above the numbers. */
struct line {
    struct ml_span span;
    int number;
};

struct heading {
    struct ml_table *table;
    struct line *lines; /* [n] that are not blank */
    int n;
    int names, parts, units; /* index of the line with these; -1: no such line */
    bool is_each;            /* a name stands above each component, not above the first */
    bool skips;              /* empty cells between names are no columns */
    double length;           /* m, the unit of markers; 0: not said */
};

struct ml_location ml_table_location_of(const struct ml_table *table, const char *byte)
{
    struct ml_location location = {.line = table->line, .column = 1};
    for (const char *c = table->start; c < byte; c++)
        location.column += ((unsigned char)*c & 0xC0) != 0x80; /* characters, not bytes */
    return location;
}

struct ml_span ml_table_next_line(struct ml_table *table)
{
    const char *end = table->problems.text + table->problems.length;
    size_t left = (size_t)(end - table->at);
    const char *newline = left > 0 ? memchr(table->at, '\n', left) : NULL;
    struct ml_span line = {table->at, newline ? newline : end};
    table->start = table->at;
    table->at = newline ? newline + 1 : end;
    table->line++;
    if (line.to > line.from && line.to[-1] == '\r')
        line.to--;
    return line;
}

static bool is_end(const struct ml_table *table)
{
    return table->at == table->problems.text + table->problems.length;
}

/* Whether a line has more than separators, and than the dashes of a rule below names. */
static bool is_filled(struct ml_span line)
{
    for (; line.from < line.to; line.from++)
        if (!strchr(" \t,;-=_+|", *line.from))
            return true;
    return false;
}

/* The first cell that is not empty. */
static struct ml_span first_cell(struct ml_span *line, char separator)
{
    struct ml_span cell = {NULL, NULL};
    while (ml_cell_next(line, separator, &cell) && cell.from == cell.to)
        continue;
    return cell;
}

/* Line before `end`, and its start; false at the start of the text. */
static bool line_before(const char *from, const char **end, struct ml_span *line)
{
    if (*end <= from)
        return false;
    const char *to = *end, *start = to - (to[-1] == '\n');
    *line = (struct ml_span){start, start};
    while (start > from && start[-1] != '\n')
        start--;
    line->from = start;
    if (line->to > start && line->to[-1] == '\r')
        line->to--;
    *end = start;
    return true;
}

/* Sets the separator: that of most of the last lines, of those with numbers if there are any; a
 * comma where these are single numbers, so that blanks in the name of an only column do not
 * separate. Returns the number of cells of the longest of these lines. */
static int find_separator(struct ml_table *table)
{
    enum { MOST_LINES = 32, WEIGHT = 2 * MOST_LINES };
    static const char separators[] = {'\t', ';', ',', ML_BLANKS};
    int votes[sizeof separators] = {0}, single = 0, best = -1, usual = 0, n = 0;
    const char *end = table->problems.text + table->problems.length;
    struct ml_span line;
    for (const char *at = end; n < MOST_LINES && line_before(table->at, &at, &line);) {
        const char own = ml_cell_separator(line);
        const bool is_of_numbers = own && ml_cell_is_decimal(first_cell(&line, own));
        for (int s = 0; s < (int)sizeof separators; s++)
            votes[s] += own == separators[s] ? is_of_numbers ? WEIGHT : 1 : 0;
        const bool is_single = !own && ml_cell_is_decimal(ml_span_trim(line));
        single += is_single ? WEIGHT : 0;
        n += own || is_single;
    }
    for (int s = 0; s < (int)sizeof separators; s++)
        if (votes[s] > (best < 0 ? single : votes[best]))
            best = s;
    table->separator = separators[best < 0 ? 2 : best];
    n = 0;
    for (const char *at = end; n < MOST_LINES && line_before(table->at, &at, &line); n++) {
        const int own = ml_cell_count_filled(line, table->separator);
        usual = own > usual ? own : usual;
    }
    return usual;
}

/* Whether a line is a row: it begins with a number, and is not a single cell where the lines have
 * more (`usual`). */
static bool is_row(struct ml_span line, char separator, int usual)
{
    const int n = ml_cell_count_filled(line, separator);
    return n > 0 && (n > 1 || usual <= 1) && ml_cell_is_decimal(first_cell(&line, separator));
}

static bool has_number(struct ml_span line, char separator)
{
    struct ml_span cell;
    while (ml_cell_next(&line, separator, &cell))
        if (ml_cell_is_decimal(cell))
            return true;
    return false;
}

/* Continues the text with the line at `from`. */
static void go_back(struct ml_table *table, const char *from, int number)
{
    table->at = from;
    table->line = number - 1;
}

/* Reports an impossible value of a word of the header. */
static void report_statement(struct ml_table *table, struct ml_location at, const char *word,
                             struct ml_span value, const char *wanted)
{
    ml_problem(&table->problems, at, "%s of the header is %s but must be %s", word,
               ml_quote(table->pool,
                        ml_pool_text(table->pool, value.from, (size_t)(value.to - value.from))),
               wanted);
}

/* Notes the rate, number of rows or markers, or unit that a word of the header and its value say.
 */
static void state(struct ml_table *table, struct ml_location at, struct ml_span word,
                  struct ml_span value)
{
    static const char *const rates[] = {"SampleRate",    "DataRate",           "sample rate",
                                        "sampling rate", "sampling frequency", "FREQUENCY"};
    static const char *const rows[] = {"nRows", "datarows", "NumberOfSamples", "NumFrames",
                                       "NO_OF_FRAMES"};
    struct ml_number_fault fault;
    bool comma;
    double number = 0.0;
    const bool is_number =
        ml_cell_is_decimal(value) && ml_cell_number(value, &number, &comma, &fault);
    for (size_t i = 0; is_number && number > 0.0 && i < sizeof rates / sizeof *rates; i++)
        if (ml_span_is(word, rates[i]))
            table->rate = number;
    const bool is_count = is_number && number >= 0.0 && number < 1e15 && number == floor(number);
    if (is_count && ml_span_is(word, "NumMarkers"))
        table->markers_stated = (int64_t)number;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (ml_span_is(word, rows[i]) && !is_count) {
            report_statement(table, at, rows[i], value, "the number of lines of numbers");
        } else if (ml_span_is(word, rows[i])) {
            table->n_stated = (int64_t)number;
            table->stated_by = rows[i];
        }
    if (ml_span_is(word, "endheader"))
        table->format = "OpenSim";
    if (!ml_span_is(word, "inDegrees"))
        return;
    table->degrees = ml_span_is(value, "yes") ? ML_DEGREES_YES : ML_DEGREES_NO;
    if (table->degrees == ML_DEGREES_NO && !ml_span_is(value, "no"))
        report_statement(table, at, "inDegrees", value, "yes or no");
}

/* A line "word=value", "word: value" or "word value". */
static void read_statement(struct ml_table *table, const struct line *own)
{
    struct ml_span line = own->span;
    while (line.to > line.from && strchr(",; \t", line.to[-1])) /* filled up by a spreadsheet */
        line.to--;
    const char *mark = line.from;
    while (mark < line.to && !strchr("=:\t,;", *mark))
        mark++;
    for (const char *c = line.from; mark == line.to && c < line.to; c++)
        mark = *c == ' ' ? c : mark;
    struct ml_span rest = {mark < line.to ? mark + 1 : mark, line.to}, value = {mark, mark};
    (void)ml_cell_next(&rest, ML_BLANKS, &value);
    state(table, (struct ml_location){.line = own->number, .column = 1},
          ml_span_trim((struct ml_span){line.from, mark}), value);
}

/* Reports a file that ends within its header. */
static void check_rows(const struct heading *h)
{
    struct ml_table *table = h->table;
    for (int i = 0; i < h->n; i++)
        read_statement(table, &h->lines[i]);
    if (table->n_stated > 0)
        ml_problem(&table->problems, (struct ml_location){.line = table->line, .column = 1},
                   "the table has no lines of numbers, but the header says %lld (%s): is the file "
                   "cut off?",
                   (long long)table->n_stated, table->stated_by);
}

/* Collects the lines above the first row of numbers. Of several lines with as many cells the first
 * has the names, if the last has a number: that is a row with a mistake. */
static void collect(struct heading *h, int usual)
{
    enum { MOST = 1000 };
    struct ml_table *table = h->table;
    bool is_found = false;
    h->lines = ml_pool_take(table->pool, MOST, sizeof *h->lines);
    while (h->lines && !is_found && h->n < MOST && !is_end(table)) {
        const struct ml_span line = ml_table_next_line(table);
        is_found = is_row(line, table->separator, usual);
        if (is_found)
            go_back(table, table->start, table->line);
        else if (is_filled(line))
            h->lines[h->n++] = (struct line){line, table->line};
    }
    if (!is_found)
        check_rows(h);
    int last = is_found ? h->n : h->n > 0;
    while (last > 1 && has_number(h->lines[last - 1].span, table->separator) &&
           ml_cell_count_filled(h->lines[last - 1].span, table->separator) ==
               ml_cell_count_filled(h->lines[last - 2].span, table->separator))
        last--;
    if (last < h->n)
        go_back(table, h->lines[last].span.from, h->lines[last].number);
    h->n = last;
}

/* The next cell, or the next that is not empty. */
static bool next_cell(struct ml_span *line, char separator, bool skips, struct ml_span *cell)
{
    bool is_there;
    do
        is_there = ml_cell_next(line, separator, cell);
    while (is_there && skips && cell->from == cell->to);
    return is_there;
}

static int count_named(struct ml_span line, char separator)
{
    struct ml_span cell;
    int n = 0;
    while (next_cell(&line, separator, true, &cell))
        n++;
    return n;
}

/* The three lines that a .trc begins with: its name, words, and their values, between which some
 * programs leave cells empty. */
static void read_trc(struct heading *h)
{
    struct ml_table *table = h->table;
    (void)ml_table_next_line(table);
    struct ml_span words = ml_table_next_line(table), values = ml_table_next_line(table);
    struct ml_span word, value;
    const char separator = ml_cell_separator(words);
    const bool skips = count_named(words, separator) == count_named(values, separator);
    table->format = "TRC";
    while (next_cell(&words, separator, skips, &word) &&
           next_cell(&values, separator, skips, &value)) {
        const struct ml_unit *unit = ml_unit_find(value);
        if (ml_span_is(word, "Units") && unit)
            h->length = unit->scale;
        else if (ml_span_is(word, "Units"))
            ml_problem(&table->problems, ml_table_location_of(table, value.from),
                       "the unit of the markers must be m, cm or mm");
        state(table, ml_table_location_of(table, value.from), word, value);
    }
}

/* Whether all cells are units. */
static bool is_of_units(struct ml_span line, char separator)
{
    struct ml_span cell;
    int n = 0;
    while (ml_cell_next(&line, separator, &cell)) {
        if (cell.from < cell.to && !ml_unit_find(cell))
            return false;
        n += cell.from < cell.to;
    }
    return n > 0;
}

/* x, y or z of a cell such as X or X12; else 0. */
static char part_of(struct ml_span cell)
{
    const int letter = cell.from < cell.to ? *cell.from | 0x20 : 0;
    if (letter < 'x' || letter > 'z')
        return '\0';
    for (const char *c = cell.from + 1; c < cell.to; c++)
        if (*c < '0' || *c > '9')
            return '\0';
    return (char)letter;
}

/* Whether a component begins a marker: it does not come after the component before, as y after
 * x. */
static bool begins(char part, char before) { return part && (!before || part <= before); }

/* Whether a line has the components of the markers that the line above it names: as many as
 * these. `others`: whether that line names the further columns too. */
static bool is_of_parts(const struct ml_table *table, struct ml_span line, struct ml_span above,
                        bool *others)
{
    const char separator = table->separator;
    /* of a .trc some programs name markers without coordinates behind the others */
    const bool has_more = table->format && strcmp(table->format, "TRC") == 0;
    struct ml_span cell;
    const int n = ml_cell_count_filled(line, separator);
    const int above_cells = ml_cell_count(above, separator);
    int markers = 0, further = 0, named = 0, parts = 0, first = n;
    bool has_time = false; /* then these are the names, below a title of as many words */
    char before = '\0';
    for (int i = 0; i < n && ml_cell_next(&line, separator, &cell); i++) {
        const char part = part_of(cell);
        markers += begins(part, before);
        parts += part != '\0';
        further += part == '\0';
        has_time |= ml_span_is(cell, ML_TABLE_TIME);
        first = part && first == n ? i : first;
        before = part;
    }
    while (ml_cell_next(&above, separator, &cell))
        named += cell.from < cell.to;
    *others = (named == markers + further || (has_more && named > markers + further)) &&
              further > 0 && !has_time;
    const bool is_it = parts > markers && (*others || (named == markers && above_cells > first));
    *others &= is_it;
    return is_it;
}

/* Whether a line between the names and the numbers is neither: its first cell is empty, unlike that
 * of the line above, which has more cells that are filled. */
static bool is_of_words(struct ml_span line, struct ml_span above, char separator)
{
    struct ml_span cell, first = line, first_above = above;
    const int n = count_named(line, separator), n_above = count_named(above, separator);
    return n < n_above && ml_cell_next(&first, separator, &cell) && cell.from == cell.to &&
           ml_cell_next(&first_above, separator, &cell) && cell.from < cell.to;
}

/* Chooses among the lines from the last up. */
static void choose(struct heading *h, bool *others)
{
    enum { ABOVE_ITEM = 4 }; /* lines of Visual3D: file, name, type and folder */
    const char separator = h->table->separator;
    int last = h->n - 1;
    struct ml_span line = h->lines[last].span;
    h->units = h->parts = -1;
    h->is_each = last >= ABOVE_ITEM && ml_span_is(first_cell(&line, separator), "ITEM");
    if (h->is_each) {
        h->parts = last;
        h->names = last - ABOVE_ITEM + 1;
        return;
    }
    const bool has_parts =
        last >= 1 && is_of_parts(h->table, h->lines[last].span, h->lines[last - 1].span, others);
    if (last >= 1 && !has_parts &&
        ((is_of_units(h->lines[last].span, separator) &&
          ml_cell_count_filled(h->lines[last - 1].span, separator) >=
              ml_cell_count_filled(h->lines[last].span, separator)) ||
         is_of_words(h->lines[last].span, h->lines[last - 1].span, separator)))
        h->units = last--;
    if (last >= 1 && is_of_parts(h->table, h->lines[last].span, h->lines[last - 1].span, others))
        h->parts = last--;
    h->names = last;
}

/* A column of that name, with its unit cut off. */
static void add_column(struct heading *h, struct ml_span name, struct ml_span marker, char part,
                       struct ml_location location)
{
    const double most = 1e15; /* the difference of two never overflows, and angles have sines */
    struct ml_table *table = h->table;
    const struct ml_unit *unit = ml_unit_cut(&name);
    char *text = part ? ml_pool_format(table->pool, "%.*s/%c", (int)(marker.to - marker.from),
                                       marker.from, part)
                      : ml_pool_text(table->pool, name.from, (size_t)(name.to - name.from));
    if (text && ml_span_is(name, ML_TABLE_TIME) && !part)
        (void)memcpy(text, ML_TABLE_TIME, sizeof ML_TABLE_TIME);
    struct ml_table_column column = {.location = location,
                                     .scale = part && h->length > 0.0 ? h->length : 1.0};
    column.param = (struct ml_param){
        .name = text, .unit = part && h->length > 0.0 ? "m" : "1", .low = -most, .high = most};
    if (unit) {
        column.scale = unit->scale;
        column.param.unit = unit->si;
    }
    if (text)
        table->columns[table->n_column++] = column;
}

/* Columns by a line of names, or by a line of components and a line of markers. */
static void name_columns(struct heading *h, bool others)
{
    struct ml_table *table = h->table;
    const struct line *own = &h->lines[h->parts >= 0 ? h->parts : h->names];
    struct ml_span line = own->span, markers = h->lines[h->names].span, cell, marker = {0};
    struct ml_location location = {.line = own->number, .column = 1};
    const char *counted = own->span.from;
    char before = '\0';
    while (h->parts < 0 && line.from < line.to && strchr("#% ", *line.from))
        line.from++;
    while (next_cell(&line, table->separator, h->skips, &cell)) {
        const char part = (char)(h->parts >= 0 ? part_of(cell) : '\0');
        for (; counted < cell.from; counted++)
            location.column += ((unsigned char)*counted & 0xC0) != 0x80;
        if (h->is_each)
            (void)ml_cell_next(&markers, table->separator, &marker);
        else if (h->parts >= 0 && (begins(part, before) || (!part && others)))
            marker = first_cell(&markers, table->separator);
        table->n_marker += begins(part, before);
        before = part;
        add_column(h, !part && others ? marker : cell, marker, part, location);
    }
}

/* Takes the units of the columns from the line of units. */
static void name_units(struct heading *h)
{
    struct ml_table *table = h->table;
    struct ml_span line = h->lines[h->units].span, cell;
    for (int i = 0; i < table->n_column && ml_cell_next(&line, table->separator, &cell); i++) {
        const struct ml_unit *unit = ml_unit_find(cell);
        if (unit) {
            table->columns[i].param.unit = unit->si;
            table->columns[i].scale = unit->scale;
        }
    }
}

/* Whether the names are those of the markers alone, in mm, as Qualisys writes them. */
static bool is_of_qualisys(const struct heading *h)
{
    struct ml_span line = h->lines[h->names].span;
    return h->parts < 0 && ml_span_is(first_cell(&line, h->table->separator), "MARKER_NAMES");
}

static void name_qualisys(struct heading *h, struct ml_span line)
{
    struct ml_table *table = h->table;
    struct ml_span marker;
    (void)ml_cell_next(&line, table->separator, &marker);
    h->length = 1e-3;
    while (next_cell(&line, table->separator, true, &marker))
        for (int part = 0; part < 3; part++)
            add_column(
                h, marker, marker, "xyz" [part],
                (struct ml_location) { .line = h->lines[h->names].number, .column = 1 });
}

/* The first row, with which the text continues. */
static struct ml_span first_row(struct ml_table *table)
{
    const struct ml_table before = *table;
    const struct ml_span row = ml_table_next_line(table);
    table->at = before.at;
    table->start = before.start;
    table->line = before.line;
    return row;
}

/* Room for the columns, for a column with names of rows, as R writes it without a name, and for a
 * column of times. */
static void make_columns(struct heading *h, bool others)
{
    struct ml_table *table = h->table;
    const struct ml_span line = h->lines[h->parts >= 0 ? h->parts : h->names].span;
    const struct ml_span row = first_row(table);
    const bool is_qualisys = is_of_qualisys(h);
    const int n = ml_cell_count(line, table->separator) * (is_qualisys ? 3 : 1);
    table->columns = ml_pool_take(table->pool, (size_t)n + 2, sizeof *table->columns);
    if (!table->columns)
        return;
    const int n_row = ml_cell_count_filled(row, table->separator);
    h->skips = h->parts < 0 && n_row < ml_cell_count_filled(line, table->separator) &&
               n_row == count_named(line, table->separator);
    if (row.from < row.to && *row.from == '"' && ml_cell_count(row, table->separator) == n + 1)
        add_column(h, (struct ml_span){line.from, line.from}, line, '\0',
                   (struct ml_location){.line = h->lines[h->names].number, .column = 1});
    if (is_qualisys)
        name_qualisys(h, line);
    else
        name_columns(h, others);
    if (h->units >= 0)
        name_units(h);
    table->n_cell = table->n_least = table->n_column;
    while (table->n_least > 1 && !*table->columns[table->n_least - 1].param.name)
        table->n_least--;
}

/* The rate of a file with frames in place of times, as Nexus writes it: a number alone in a line
 * above the names. */
static void read_lone_rate(const struct heading *h)
{
    struct ml_table *table = h->table;
    struct ml_number_fault fault;
    struct ml_span names = h->lines[h->parts >= 0 ? h->parts : h->names].span;
    bool comma;
    double rate;
    if (!ml_span_is(first_cell(&names, table->separator), "Frame"))
        return;
    for (int i = 0; i < h->names && !(table->rate > 0.0); i++) {
        struct ml_span line = h->lines[i].span;
        const bool is_alone = count_named(line, table->separator) == 1;
        const struct ml_span cell = first_cell(&line, table->separator);
        if (is_alone && ml_cell_is_decimal(cell) && ml_cell_number(cell, &rate, &comma, &fault) &&
            rate > 0.0)
            table->rate = rate;
    }
}

/* Columns by their numbers, as many as the first row has cells.
 *   why  the lines above have no names that fit */
static void number_columns(struct heading *h, const char *why)
{
    struct ml_table *table = h->table;
    const struct ml_span row = first_row(table);
    const int n = ml_cell_count_filled(row, table->separator);
    table->n_column = 0;
    table->columns = ml_pool_take(table->pool, (size_t)n + 1, sizeof *table->columns);
    for (int i = 0; i < n && table->columns; i++) {
        const char *name = ml_pool_format(table->pool, ML_TABLE_COLUMN "%d", i + 1);
        const struct ml_location location = {.line = table->line + 1, .column = 1};
        if (name)
            add_column(h, (struct ml_span){name, name + strlen(name)}, row, '\0', location);
    }
    table->n_cell = table->n_least = table->n_column;
    table->names_line = table->line + 1;
    table->nameless = why;
}

/* Whether the first row and the last have the same number of cells, which is not that of the names.
 * Cells may be empty, also the last: those of virtual markers in a .trc. */
static bool is_misnamed(const struct heading *h)
{
    struct ml_table *table = h->table;
    const char *end = table->problems.text + table->problems.length;
    const struct ml_span first = first_row(table);
    const int n = ml_cell_count_filled(first, table->separator);
    const bool is_short = ml_cell_count(first, table->separator) < table->n_least;
    struct ml_span last = {end, end};
    while (line_before(table->at, &end, &last) && !is_filled(last))
        continue;
    const bool has_commas = table->separator == ',' && n == 2 * table->n_cell; /* decimal ones */
    return table->columns && n > 1 && !has_commas && (is_short || n > table->n_cell) &&
           !table->stream && ml_cell_count_filled(last, table->separator) == n &&
           last.from > table->at;
}

void ml_heading_read(struct ml_table *table, const char *example)
{
    static const char trc[] = "PathFileType";
    struct heading h = {.table = table};
    const struct ml_location first = {.line = 1, .column = 1};
    const size_t left = table->problems.length - (size_t)(table->at - table->problems.text);
    bool others = false;
    if (left >= sizeof trc - 1 && memcmp(table->at, trc, sizeof trc - 1) == 0)
        read_trc(&h);
    collect(&h, find_separator(table));
    if (h.n == 0 && h.lines && is_end(table))
        ml_problem(&table->problems, first, "the file is empty; a line names the columns: %s",
                   example);
    else if (h.n == 0 && h.lines)
        number_columns(&h, ml_pool_format(table->pool,
                                          "the first line has numbers and no names; put a line "
                                          "above it that names the columns, such as %s, or name "
                                          "columns by their numbers, `" ML_TABLE_COLUMN "1`",
                                          example));
    if (h.n == 0 || table->problems.count > 0)
        return;
    choose(&h, &others);
    for (int i = 0; i < h.names; i++)
        read_statement(table, &h.lines[i]);
    read_lone_rate(&h);
    table->names_line = h.lines[h.names].number;
    make_columns(&h, others);
    if (is_misnamed(&h))
        number_columns(&h,
                       ml_pool_format(table->pool,
                                      "the lines have other numbers of columns than line %d has "
                                      "names (%d); correct that line, or name columns by their "
                                      "numbers, `" ML_TABLE_COLUMN "1`",
                                      table->names_line, table->n_least));
}
