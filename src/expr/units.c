/* Reads units, and moves the decimal point of numbers in them. */
#include "expr/units.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_POWER = 9,
    ROOM = 256,          /* digits of a number */
    MOST_EXPONENT = 9999 /* beyond, a number is 0 or too large */
};

static const char *const base_units[ML_BASE_UNITS] = {"kg", "m", "s", "A", "K", "Hz"};

/*   tens, sixties, degrees, power  as of ml_si_unit */
static const struct {
    const char *text, *prefixes; /* letters of those that it takes */
    int tens, sixties, degrees, power[ML_BASE_UNITS];
} units[] = {
    {"m", "GMkcmunp", 0, 0, 0, {0, 1, 0, 0, 0}}, {"g", "kmun", -3, 0, 0, {1, 0, 0, 0, 0}},
    {"s", "mun", 0, 0, 0, {0, 0, 1, 0, 0}},      {"min", "", 0, 1, 0, {0, 0, 1, 0, 0}},
    {"h", "", 0, 2, 0, {0, 0, 1, 0, 0}},         {"rad", "mu", 0, 0, 0, {0, 0, 0, 0, 0}},
    {"deg", "", 0, 0, 1, {0, 0, 0, 0, 0}},       {"Hz", "GMk", 0, 0, 0, {0, 0, 0, 0, 0, 1}},
    {"N", "GMkmun", 0, 0, 0, {1, 1, -2, 0, 0}},  {"J", "GMkmun", 0, 0, 0, {1, 2, -2, 0, 0}},
    {"W", "GMkmun", 0, 0, 0, {1, 2, -3, 0, 0}},  {"Pa", "GMkm", 0, 0, 0, {1, -1, -2, 0, 0}},
    {"A", "kmunp", 0, 0, 0, {0, 0, 0, 1, 0}},    {"C", "mun", 0, 0, 0, {0, 0, 1, 1, 0}},
    {"V", "GMkmun", 0, 0, 0, {1, 2, -3, -1, 0}}, {"ohm", "GMkm", 0, 0, 0, {1, 2, -3, -2, 0}},
    {"F", "munp", 0, 0, 0, {-1, -2, 4, 2, 0}},   {"H", "mun", 0, 0, 0, {1, 2, -2, -2, 0}},
    {"K", "m", 0, 0, 0, {0, 0, 0, 0, 1}},
};

static int tens_of(char prefix)
{
    static const struct {
        char letter;
        int tens;
    } prefixes[] = {{'G', 9},  {'M', 6},  {'k', 3},  {'c', -2},
                    {'m', -3}, {'u', -6}, {'n', -9}, {'p', -12}};
    size_t i = 0;
    while (prefixes[i].letter != prefix)
        i++;
    return prefixes[i].tens;
}

/* Whether a character continues a word, or makes the word a function or an array. */
static bool continues_word(char c)
{
    return isalnum((unsigned char)c) || (c && strchr("_.'([", c));
}

/* The unit of a word; its length, 0: it is none. */
static size_t find_word(const char *at, struct ml_si_unit *out)
{
    size_t length = 0;
    while (isalpha((unsigned char)at[length]))
        length++;
    for (size_t n_prefix = 0; n_prefix <= 1 && n_prefix < length; n_prefix++)
        for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
            if (strlen(units[i].text) != length - n_prefix || continues_word(at[length]) ||
                strncmp(at + n_prefix, units[i].text, length - n_prefix) != 0 ||
                (n_prefix > 0 && !strchr(units[i].prefixes, *at)))
                continue;
            *out = (struct ml_si_unit){.is_known = true,
                                       .sixties = units[i].sixties,
                                       .tens = units[i].tens + (n_prefix > 0 ? tens_of(*at) : 0),
                                       .degrees = units[i].degrees};
            memcpy(out->power, units[i].power, sizeof out->power);
            return length;
        }
    return 0;
}

size_t ml_si_unit_word(const char *at)
{
    struct ml_si_unit unused;
    return find_word(at, &unused);
}

struct ml_si_unit ml_si_unit_times(const struct ml_si_unit *a, const struct ml_si_unit *b,
                                   int power)
{
    struct ml_si_unit out = {.is_known = a->is_known && b->is_known && abs(power) <= MOST_POWER,
                             .sixties = a->sixties + power * b->sixties,
                             .tens = a->tens + power * b->tens,
                             .degrees = a->degrees + power * b->degrees};
    out.is_known &= abs(out.sixties) <= 2 * MOST_POWER && abs(out.degrees) <= MOST_POWER;
    for (int i = 0; i < ML_BASE_UNITS; i++) {
        out.power[i] = a->power[i] + power * b->power[i];
        out.is_known &= abs(out.power[i]) <= MOST_POWER * MOST_POWER;
    }
    return out.is_known ? out : (struct ml_si_unit){0};
}

bool ml_si_unit_take(const char **at, int sign, struct ml_si_unit *unit)
{
    struct ml_si_unit by;
    const size_t length = find_word(*at, &by);
    const char *c = *at + length;
    char *end;
    long power = 1;
    if (length == 0)
        return false;
    if (*c == '^') {
        if (!isdigit((unsigned char)c[1]) && !(c[1] == '-' && isdigit((unsigned char)c[2])))
            return false;
        power = strtol(c + 1, &end, 10);
        c = end;
    }
    *at = c;
    if (power < -MOST_POWER || power > MOST_POWER)
        return false;
    *unit = ml_si_unit_times(unit, &by, sign * (int)power);
    return unit->is_known;
}

/* A whole number in decimal digits. */
struct digits {
    unsigned char digit[ROOM]; /* [n] the last one first */
    int n;
};

static void times_sixty(struct digits *x)
{
    int carry = 0;
    for (int i = 0; i < x->n || carry > 0; i++) {
        carry += i < x->n ? 60 * x->digit[i] : 0;
        x->digit[i] = (unsigned char)(carry % 10);
        carry /= 10;
        x->n = i >= x->n ? i + 1 : x->n;
    }
}

/* Rounded down; whether something is left. */
static bool by_sixty(struct digits *x)
{
    int rest = 0;
    for (int i = x->n - 1; i >= 0; i--) {
        rest = 10 * rest + x->digit[i];
        x->digit[i] = (unsigned char)(rest / 60);
        rest %= 60;
    }
    return rest > 0;
}

/* Takes the digits of a number, and its exponent less the number of digits behind the point. */
static int take_digits(const char *from, size_t length, struct digits *out)
{
    size_t end = 0;
    int exponent = 0, n = 0;
    while (end < length && from[end] != 'e' && from[end] != 'E')
        end++;
    if (end < length) {
        const long given = strtol(from + end + 1, NULL, 10);
        exponent = given > MOST_EXPONENT    ? MOST_EXPONENT
                   : given < -MOST_EXPONENT ? -MOST_EXPONENT
                                            : (int)given;
    }
    for (size_t i = end; i-- > 0;) {
        if (from[i] == '.')
            exponent -= n;
        else
            out->digit[n++] = (unsigned char)(from[i] - '0');
    }
    out->n = n;
    return exponent;
}

double ml_si_unit_value(const char *digits, size_t length, const struct ml_si_unit *unit)
{
    enum { MORE = 100 }; /* digits of a quotient */
    static const double degree = 3.14159265358979323846 / 180.0;
    struct digits x = {.n = 0};
    char text[ROOM + 32];
    int at = 0, exponent = take_digits(digits, length, &x) + unit->tens;
    bool has_rest = false;
    for (int i = 0; i < unit->sixties; i++)
        times_sixty(&x);
    if (unit->sixties < 0) {
        memmove(x.digit + MORE, x.digit, (size_t)x.n);
        memset(x.digit, 0, MORE);
        x.n += MORE;
        exponent -= MORE;
    }
    for (int i = 0; i < -unit->sixties; i++)
        has_rest |= by_sixty(&x);
    for (int i = x.n - 1; i >= 0; i--)
        text[at++] = (char)('0' + x.digit[i]);
    (void)snprintf(text + at, sizeof text - (size_t)at, "%se%d", has_rest ? ".1" : "", exponent);
    double value = strtod(text, NULL);
    for (int i = 0; i < unit->degrees; i++)
        value *= degree;
    for (int i = 0; i < -unit->degrees; i++)
        value /= degree;
    return value;
}

struct ml_si_unit ml_si_unit_plain(const struct ml_si_unit *unit)
{
    struct ml_si_unit out = *unit;
    out.sixties = out.tens = out.degrees = 0;
    return out;
}

struct ml_si_unit ml_si_unit_of(const char *text)
{
    const struct ml_si_unit none = {0};
    struct ml_si_unit unit = {.is_known = true};
    if (!text)
        return none;
    const char *at = strncmp(text, "1/", 2) == 0 ? text + 1 : text;
    if (at == text && !ml_si_unit_take(&at, 1, &unit))
        return none;
    while (*at == ' ' || *at == '/') {
        const int sign = *at++ == '/' ? -1 : 1;
        if (!ml_si_unit_take(&at, sign, &unit))
            return none;
    }
    return *at ? none : unit;
}

bool ml_si_unit_agrees(const struct ml_si_unit *a, const struct ml_si_unit *b)
{
    return !a->is_known || !b->is_known ||
           (a->sixties == b->sixties && a->tens == b->tens && a->degrees == b->degrees &&
            memcmp(a->power, b->power, sizeof a->power) == 0);
}

/* Factors with a power of that sign. */
static void write_powers(FILE *to, const struct ml_si_unit *unit, int sign, bool is_first)
{
    for (int i = 0; i < ML_BASE_UNITS; i++) {
        const int power = sign * unit->power[i];
        if (power <= 0)
            continue;
        (void)fprintf(to, "%s%s", sign < 0 ? "/" : is_first ? "" : " ", base_units[i]);
        if (power > 1)
            (void)fprintf(to, "^%d", power);
        is_first = false;
    }
}

const char *ml_si_unit_text(const struct ml_si_unit *unit, char text[ML_SI_UNIT_TEXT])
{
    FILE *to = fmemopen(text, ML_SI_UNIT_TEXT, "w");
    bool has_factor = unit->tens != 0 || unit->sixties != 0 || unit->degrees != 0, is_any = false;
    text[0] = '\0';
    if (!to)
        return text;
    if (unit->tens != 0)
        (void)fprintf(to, "10^%d ", unit->tens);
    if (unit->sixties != 0)
        (void)fprintf(to, "60^%d ", unit->sixties);
    if (unit->degrees != 0)
        (void)fprintf(to, "deg^%d ", unit->degrees);
    for (int i = 0; i < ML_BASE_UNITS; i++)
        is_any |= unit->power[i] > 0;
    if (!is_any)
        (void)fputs("1", to);
    write_powers(to, unit, 1, true);
    write_powers(to, unit, -1, !has_factor);
    (void)fclose(to);
    return text;
}
