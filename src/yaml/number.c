/* Parses decimal numbers strictly, with the reason for a refusal; formats them with as few digits
 * as identify them. */
#include "yaml/number.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const double deg = 3.14159265358979323846 / 180.0;
static const char decimal_comma[] = "a decimal comma? the decimal sign is a point";
enum { LONGEST_NUMBER = 64 };

static const char *skip_digits(const char *c)
{
    while (isdigit((unsigned char)*c))
        c++;
    return c;
}

/* Where a number ends: digits with at most one point, and an exponent. */
static const char *number_end(const char *c)
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

const char *ml_number_literal(const char **at, double *out)
{
    char copy[LONGEST_NUMBER + 1];
    const char *begin = *at, *end = number_end(begin);
    const size_t length = (size_t)(end - begin);
    if (begin[0] == '0' && isdigit((unsigned char)begin[1]))
        return "a number must not begin with a needless 0 (YAML 1.1 reads it as octal)";
    if (length > LONGEST_NUMBER)
        return "a number has at most 64 characters";
    memcpy(copy, begin, length);
    copy[length] = '\0';
    *out = strtod(copy, NULL);
    if (!isfinite(*out))
        return "the number is too large";
    *at = end;
    return NULL;
}

void ml_number_degrees(const char **at, double *value)
{
    const char *end = *at;
    while (*end == ' ' || *end == '\t')
        end++;
    const bool is_in_degrees =
        strncmp(end, "deg", 3) == 0 && !isalnum((unsigned char)end[3]) && end[3] != '_';
    *value = is_in_degrees ? *value * deg : *value;
    *at = is_in_degrees ? end + 3 : *at;
}

static bool is_word_of(const char *text, const char *const *words)
{
    for (; *words; words++)
        if (strcasecmp(text, *words) == 0)
            return true;
    return false;
}

/* The likely meaning of a text: forms that other YAML readers take for numbers. NULL: unknown. */
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

/* The likely meaning of `text`, with the number itself if short. */
static void set_hint(struct ml_number_fault *fault, const char *text, const char *known)
{
    enum { SHORT = 24 };
    const char *comma = strchr(text, ',');
    set_fault(fault, known);
    if (known == decimal_comma && comma && strlen(text) <= SHORT)
        (void)snprintf(fault->what, sizeof fault->what, "a decimal comma? write %.*s.%s",
                       (int)(comma - text), text, comma + 1);
}

bool ml_number_hint(const char *text, struct ml_number_fault *fault)
{
    const char *known = hint(text);
    if (known)
        set_hint(fault, text, known);
    return known != NULL;
}

bool ml_number_plain(const char *text, double *out)
{
    const char *at = text + (*text == '-' || *text == '+');
    const bool is_one =
        isdigit((unsigned char)*at) || (*at == '.' && isdigit((unsigned char)at[1]));
    if (!is_one || hint(text) || ml_number_literal(&at, out))
        return false;
    ml_number_degrees(&at, out);
    if (*at)
        return false;
    *out = *text == '-' ? -*out : *out;
    return true;
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
