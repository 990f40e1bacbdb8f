/* Cuts lines into cells, and reads numbers without a copy where these are short. */
#include "columns/cells.h"

#include <string.h>
#include <strings.h>

#include "expr/number.h"

static bool is_blank(char c) { return c == ' ' || c == '\t'; }

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

struct ml_span ml_span_trim(struct ml_span s)
{
    while (s.from < s.to && is_blank(*s.from))
        s.from++;
    while (s.to > s.from && is_blank(s.to[-1]))
        s.to--;
    return s;
}

bool ml_span_is(struct ml_span span, const char *text)
{
    const size_t length = strlen(text);
    return (size_t)(span.to - span.from) == length && strncasecmp(span.from, text, length) == 0;
}

static bool is_separator(char c, char separator)
{
    return separator == ML_BLANKS ? is_blank(c) : c == separator;
}

/* The byte behind the quote that ends the text quoted from `from` on, if a separator or the end of
 * the line follows; else NULL. */
static const char *quote_end(const char *from, const char *to, char separator)
{
    const char *end = from + 1;
    while (end < to && (*end != *from || (end + 1 < to && end[1] == *from)))
        end += *end == *from ? 2 : 1;
    if (end >= to)
        return NULL;
    const char *next = end + 1;
    while (next < to && *next == ' ' && separator != ML_BLANKS)
        next++;
    return next == to || is_separator(*next, separator) ? end + 1 : NULL;
}

/* Where a cell without quotes ends. */
static const char *plain_end(const char *from, const char *to, char separator)
{
    if (separator != ML_BLANKS) {
        const char *found = from < to ? memchr(from, separator, (size_t)(to - from)) : NULL;
        return found ? found : to;
    }
    while (from < to && !is_blank(*from))
        from++;
    return from;
}

bool ml_cell_next(struct ml_span *line, char separator, struct ml_span *cell)
{
    if (!line->from)
        return false;
    const char *from = line->from, *to = line->to;
    while (from < to && is_blank(*from) && *from != separator)
        from++;
    if (separator == ML_BLANKS)
        from = ml_span_trim((struct ml_span){from, to}).from;
    if (separator == ML_BLANKS && from == to)
        return false;
    const bool may_be_quoted = from < to && (*from == '"' || *from == '\'');
    const char *quoted = may_be_quoted ? quote_end(from, to, separator) : NULL;
    const char *end = plain_end(quoted ? quoted : from, to, separator);
    *cell =
        quoted ? (struct ml_span){from + 1, quoted - 1} : ml_span_trim((struct ml_span){from, end});
    *line = end < to ? (struct ml_span){end + 1, to} : (struct ml_span){NULL, NULL};
    return true;
}

int ml_cell_count(struct ml_span line, char separator)
{
    struct ml_span cell;
    int n = 0;
    while (ml_cell_next(&line, separator, &cell))
        n++;
    return n;
}

int ml_cell_count_filled(struct ml_span line, char separator)
{
    struct ml_span cell;
    int n = 0;
    for (int i = 1; ml_cell_next(&line, separator, &cell); i++)
        n = cell.from < cell.to ? i : n;
    return n;
}

/* Whether blanks stand between decimal numbers of which some have a comma. */
static bool is_of_blanks(struct ml_span line)
{
    struct ml_span cell;
    int n = 0;
    while (ml_cell_next(&line, ML_BLANKS, &cell)) {
        if (!ml_cell_is_decimal(cell))
            return false;
        n++;
    }
    return n > 1;
}

char ml_cell_separator(struct ml_span line)
{
    static const char separators[] = "\t;,";
    char found = '\0';
    line = ml_span_trim(line);
    for (const char *s = separators; *s; s++) {
        struct ml_span first, rest = line;
        (void)ml_cell_next(&rest, *s, &first);
        if (!rest.from || (*s == ',' && is_of_blanks(line)))
            continue;
        if (ml_cell_is_decimal(first))
            return *s;
        if (!found)
            found = *s;
    }
    if (!found && ml_cell_count(line, ML_BLANKS) > 1)
        found = ML_BLANKS;
    return found;
}

bool ml_cell_is_gap(struct ml_span cell)
{
    static const char *const words[] = {"", "nan", "-nan", "+nan", "na", "n/a", "null"};
    static const char *const begins[] = {"1.#ind", "1.#qnan", "nan("}; /* older C libraries' */
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (ml_span_is(cell, words[i]))
            return true;
    cell.from += *cell.from == '-' || *cell.from == '+';
    for (size_t i = 0; i < sizeof begins / sizeof *begins; i++) {
        const size_t length = strlen(begins[i]);
        if ((size_t)(cell.to - cell.from) >= length &&
            strncasecmp(cell.from, begins[i], length) == 0)
            return true;
    }
    return false;
}

/* Digits, sign and decimal sign of a number. */
struct decimal {
    bool is_one, is_negative, is_long; /* long: more digits than a double is sure to hold */
    uint64_t digits;
    int exponent; /* of ten */
    char mark;    /* decimal sign; 0: none */
};

static const char *scan_digits(const char *c, const char *to, struct decimal *d)
{
    const uint64_t most = ((uint64_t)1 << 53) / 10 - 1;
    for (; c < to && is_digit(*c); c++) {
        d->is_long |= d->digits > most;
        d->digits = d->digits * 10 + (uint64_t)(*c - '0');
        d->exponent -= d->mark != 0;
    }
    return c;
}

/* Adds an exponent, as e-3; where it ends. */
static const char *scan_exponent(const char *c, const char *to, struct decimal *d)
{
    const char *at = c + 1;
    const bool is_negative = at < to && *at == '-';
    int exponent = 0;
    at += at < to && (*at == '-' || *at == '+');
    if (at == to || !is_digit(*at))
        return c;
    for (; at < to && is_digit(*at); at++)
        exponent = exponent < 10000 ? exponent * 10 + (*at - '0') : exponent;
    d->exponent += is_negative ? -exponent : exponent;
    return at;
}

static struct decimal scan(struct ml_span cell)
{
    struct decimal d = {0};
    const char *c = cell.from, *to = cell.to;
    d.is_negative = c < to && *c == '-';
    c += c < to && (*c == '-' || *c == '+');
    const char *whole = c;
    c = scan_digits(c, to, &d);
    const char *mark = c;
    if (c < to && (*c == '.' || *c == ',')) {
        d.mark = *c;
        c = scan_digits(c + 1, to, &d);
    }
    const bool has_whole = mark > whole, has_part = d.mark && c > mark + 1;
    d.is_one = d.mark == ',' ? has_whole && has_part : has_whole || has_part;
    if (c < to && (*c == 'e' || *c == 'E'))
        c = scan_exponent(c, to, &d);
    d.is_one &= c == to;
    return d;
}

bool ml_cell_is_decimal(struct ml_span cell) { return scan(cell).is_one; }

bool ml_cell_number(struct ml_span cell, double *out, bool *comma, struct ml_number_fault *fault)
{
    enum { LONGEST = 400, MOST_POWER = 22 }; /* powers of ten up to there are exact */
    static const double tens[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                  1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                  1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    const struct decimal d = scan(cell);
    *comma = d.is_one && d.mark == ',';
    if (d.is_one && !d.is_long && d.exponent >= -MOST_POWER && d.exponent <= MOST_POWER) {
        /* one rounding (W. D. Clinger, PLDI 1990) */
        const double digits = (double)d.digits;
        const double value =
            d.exponent < 0 ? digits / tens[-d.exponent] : digits * tens[d.exponent];
        *out = d.is_negative ? -value : value;
        return true;
    }
    char text[LONGEST + 1];
    const size_t length = (size_t)(cell.to - cell.from);
    const size_t copied = length < LONGEST ? length : LONGEST;
    if (copied > 0)
        memcpy(text, cell.from, copied);
    text[copied] = '\0';
    if (*comma)
        *strchr(text, ',') = '.';
    struct ml_si_unit unit;
    if (!ml_expr_number_in(text, out, &unit, fault))
        return false;
    if (unit.is_known) {
        fault->at = 0;
        (void)snprintf(fault->what, sizeof fault->what,
                       "a unit stands behind the name of a column, as in `height (cm)`");
    }
    return !unit.is_known;
}

const struct ml_unit *ml_unit_find(struct ml_span text)
{
    static const struct ml_unit units[] = {
        {"s", "s", 1.0},
        {"sec", "s", 1.0},
        {"ms", "s", 1e-3},
        {"m", "m", 1.0},
        {"cm", "m", 1e-2},
        {"mm", "m", 1e-3},
        {"rad", "rad", 1.0},
        {"deg", "rad", ML_DEGREE},
        {"degrees", "rad", ML_DEGREE},
        {"\u00b0", "rad", ML_DEGREE},
        {"rad/s", "rad/s", 1.0},
        {"deg/s", "rad/s", ML_DEGREE},
        {"m/s", "m/s", 1.0},
        {"mm/s", "m/s", 1e-3},
        {"rad/s^2", "rad/s^2", 1.0},
        {"m/s^2", "m/s^2", 1.0},
        {"kg", "kg", 1.0},
        {"g", "kg", 1e-3},
        {"N", "N", 1.0},
        {"kN", "N", 1e3},
        {"Nm", "N m", 1.0},
        {"N m", "N m", 1.0},
        {"N.m", "N m", 1.0},
        {"N*m", "N m", 1.0},
        {"Nmm", "N m", 1e-3},
        {"N mm", "N m", 1e-3},
        {"N.mm", "N m", 1e-3},
        {"Nm/kg", "N m/kg", 1.0},
        {"N m/kg", "N m/kg", 1.0},
        {"Nmm/kg", "N m/kg", 1e-3},
        {"W", "W", 1.0},
        {"W/kg", "W/kg", 1.0},
        {"Hz", "Hz", 1.0},
        {"V", "V", 1.0},
        {"mV", "V", 1e-3},
    };
    text = ml_span_trim(text);
    const bool is_bracketed =
        text.to - text.from > 2 &&
        ((*text.from == '(' && text.to[-1] == ')') || (*text.from == '[' && text.to[-1] == ']'));
    if (is_bracketed)
        text = ml_span_trim((struct ml_span){text.from + 1, text.to - 1});
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (ml_span_is(text, units[i].text))
            return &units[i];
    return NULL;
}

const struct ml_unit *ml_unit_cut(struct ml_span *name)
{
    if (name->from == name->to || (name->to[-1] != ')' && name->to[-1] != ']'))
        return NULL;
    const char *open = name->to - 1;
    while (open > name->from && *open != '(' && *open != '[')
        open--;
    const struct ml_unit *unit = ml_unit_find((struct ml_span){open, name->to});
    if (unit && open > name->from)
        *name = ml_span_trim((struct ml_span){name->from, open});
    return unit;
}
