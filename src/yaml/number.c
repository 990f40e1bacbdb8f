/* Parses numbers strictly, with the reason for a refusal; formats them with as few digits as
 * identify them. */
#include "yaml/number.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const double pi = 3.14159265358979323846, deg = 3.14159265358979323846 / 180.0;
static const char decimal_comma[] = "a decimal comma? the decimal sign is a point";
static const char *const number_words =
    "a number is decimal (1.5, 2e-3, 60deg) or an expression of + - * / ( ) pi deg sqrt(...)";

/* Recursive descent: sum = product {+- product}, product = factor {* / factor},
 * factor = [+-] (number [deg] | pi | deg | sqrt(sum) | (sum)). */
struct scan {
    const char *text, *at;
    int depth;
    struct ml_number_fault *fault; /* fault->what is "" so far */
};

enum { DEEPEST = 64, LONGEST_NUMBER = 64 };

static double number_sum(struct scan *s);

static double number_fail(struct scan *s, const char *what)
{
    if (s->fault->what[0] == '\0') {
        s->fault->at = (int)(s->at - s->text);
        (void)snprintf(s->fault->what, sizeof s->fault->what, "%s", what);
    }
    return 0.0;
}

static bool has_failed(const struct scan *s) { return s->fault->what[0] != '\0'; }

static void skip_blanks(struct scan *s)
{
    while (*s->at == ' ' || *s->at == '\t')
        s->at++;
}

static bool number_take(struct scan *s, char c)
{
    skip_blanks(s);
    if (*s->at != c)
        return false;
    s->at++;
    return true;
}

static const char *skip_digits(const char *c)
{
    while (isdigit((unsigned char)*c))
        c++;
    return c;
}

const char *ml_number_end(const char *c)
{
    c = skip_digits(c);
    if (*c == '.')
        c = skip_digits(c + 1);
    if (*c == 'e' || *c == 'E') {
        const char *exponent = c + 1 + (c[1] == '+' || c[1] == '-');
        if (isdigit((unsigned char)*exponent))
            c = skip_digits(exponent);
    }
    return c;
}

static bool take_word(struct scan *s, const char *word)
{
    size_t length = strlen(word);
    if (strncmp(s->at, word, length) != 0 || isalnum((unsigned char)s->at[length]))
        return false;
    s->at += length;
    return true;
}

static double literal(struct scan *s)
{
    char copy[LONGEST_NUMBER + 1];
    const char *end = ml_number_end(s->at);
    size_t length = (size_t)(end - s->at);
    if (s->at[0] == '0' && isdigit((unsigned char)s->at[1]))
        return number_fail(
            s, "a number must not begin with a needless 0 (YAML 1.1 reads it as octal)");
    if (length > LONGEST_NUMBER)
        return number_fail(s, "a number has at most 64 characters");
    memcpy(copy, s->at, length);
    copy[length] = '\0';
    double value = strtod(copy, NULL);
    if (!isfinite(value))
        return number_fail(s, "the number is too large");
    s->at = end;
    skip_blanks(s);
    return take_word(s, "deg") ? value * deg : value;
}

static double parenthesis(struct scan *s)
{
    if (++s->depth > DEEPEST)
        return number_fail(s, "parentheses are nested more than 64 deep");
    double value = number_sum(s);
    if (!has_failed(s) && !number_take(s, ')'))
        (void)number_fail(s, "`)` is missing");
    s->depth--;
    return value;
}

static double root(struct scan *s)
{
    if (!number_take(s, '('))
        return number_fail(s, "`(` is missing after sqrt");
    double value = parenthesis(s);
    if (!has_failed(s) && value < 0.0)
        (void)number_fail(s, "square root of a negative number");
    return sqrt(value);
}

static double operand(struct scan *s)
{
    skip_blanks(s);
    bool is_point = s->at[0] == '.' && isdigit((unsigned char)s->at[1]);
    if (isdigit((unsigned char)*s->at) || is_point)
        return literal(s);
    if (number_take(s, '('))
        return parenthesis(s);
    if (take_word(s, "pi"))
        return pi;
    if (take_word(s, "deg"))
        return deg;
    if (take_word(s, "sqrt"))
        return root(s);
    return number_fail(s, *s->at ? number_words : "the expression ends too early");
}

static double number_factor(struct scan *s)
{
    if (number_take(s, '-'))
        return -operand(s);
    (void)number_take(s, '+');
    return operand(s);
}

static double product(struct scan *s)
{
    double value = number_factor(s);
    while (!has_failed(s)) {
        if (number_take(s, '*')) {
            value *= number_factor(s);
        } else if (number_take(s, '/')) {
            double divisor = number_factor(s);
            if (!has_failed(s) && divisor == 0.0)
                return number_fail(s, "division by zero");
            value /= divisor;
        } else {
            break;
        }
    }
    return value;
}

static double number_sum(struct scan *s)
{
    double value = product(s);
    while (!has_failed(s)) {
        if (number_take(s, '+'))
            value += product(s);
        else if (number_take(s, '-'))
            value -= product(s);
        else
            break;
    }
    return value;
}

static bool is_word_of(const char *text, const char *const *words)
{
    for (; *words; words++)
        if (strcasecmp(text, *words) == 0)
            return true;
    return false;
}

/* What the writer may have meant: things that other YAML readers take for numbers. NULL: nothing
 * known. */
static const char *hint(const char *text)
{
    static const char *const truths[] = {"yes", "no", "on", "off", "y", "n", "true", "false", NULL};
    static const char *const endless[] = {"inf", "nan", "infinity", NULL};
    const char *unsigned_text = text + (*text == '-' || *text == '+');
    const char *digits_end = skip_digits(unsigned_text);
    bool has_digits = digits_end > unsigned_text;
    if (*text == '\0')
        return "nothing is given";
    if (is_word_of(text, truths))
        return "a truth value (as YAML 1.1 has it) is not a number";
    if (strcmp(text, "~") == 0 || strcasecmp(text, "null") == 0)
        return "null is not a number";
    if (is_word_of(unsigned_text + (*unsigned_text == '.'), endless))
        return "a number must be finite";
    if (has_digits && *digits_end == ':')
        return "numbers in base 60 (as YAML 1.1 has them) are not used; write 12*60 + 30 for 12:30";
    if (has_digits && *digits_end == '_')
        return "digits are written without `_`";
    if (has_digits && *digits_end == ',')
        return decimal_comma;
    if (unsigned_text[0] == '0' && digits_end == unsigned_text + 1 &&
        (isalpha((unsigned char)*digits_end) && *digits_end != 'e' && *digits_end != 'E'))
        return "a number must be decimal";
    return NULL;
}

static void set_fault(struct ml_number_fault *fault, const char *what)
{
    *fault = (struct ml_number_fault){0};
    (void)snprintf(fault->what, sizeof fault->what, "%s", what);
}

/* What `text` may have meant, with the number itself if it is short. */
static void set_hint(struct ml_number_fault *fault, const char *text, const char *known)
{
    enum { SHORT = 24 };
    const char *comma = strchr(text, ',');
    set_fault(fault, known);
    if (known == decimal_comma && comma && strlen(text) <= SHORT)
        (void)snprintf(fault->what, sizeof fault->what, "a decimal comma? write %.*s.%s",
                       (int)(comma - text), text, comma + 1);
}

bool ml_number_read(const char *text, double *out, struct ml_number_fault *fault)
{
    const char *known = hint(text);
    if (known) {
        set_hint(fault, text, known);
        return false;
    }
    *fault = (struct ml_number_fault){0};
    struct scan s = {.text = text, .at = text, .fault = fault};
    double value = number_sum(&s);
    skip_blanks(&s);
    if (!has_failed(&s) && *s.at)
        (void)number_fail(&s, number_words);
    s.at = s.text;
    if (!has_failed(&s) && !isfinite(value))
        (void)number_fail(&s, "the result is too large");
    *out = value;
    return !has_failed(&s);
}

bool ml_integer_read(const char *text, int64_t *out, struct ml_number_fault *fault)
{
    enum { MOST_DIGITS = 16 };
    const int64_t largest = (int64_t)1 << ML_INTEGER_BITS;
    const char *digits = text + (*text == '-');
    size_t length = strlen(digits);
    if (length == 0 || *skip_digits(digits)) {
        const char *known = hint(text);
        set_fault(fault,
                  known ? known : "an integer is written in decimal digits only, such as 256");
        return false;
    }
    if (digits[0] == '0' && (length > 1 || digits > text)) {
        set_fault(fault,
                  "an integer must not begin with a needless 0 or sign (YAML 1.1 reads octal)");
        return false;
    }
    int64_t value = length > MOST_DIGITS ? largest + 1 : strtoll(digits, NULL, 10);
    if (value > largest) {
        set_fault(fault, "the integer is too large, at most 2^53 = 9007199254740992");
        return false;
    }
    *out = digits > text ? -value : value;
    return true;
}

const char *ml_number_text(double value, char text[ML_NUMBER_TEXT])
{
    for (int digits = 15; digits <= 17; digits++) {
        (void)snprintf(text, ML_NUMBER_TEXT, "%.*g", digits, value);
        if (strtod(text, NULL) == value)
            break;
    }
    return text;
}
