/* Spaces the tokens of a formula. */
#include "expr/text.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

static bool is_word_byte(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '.' || c == '\'';
}

/* Bytes of the token at `c`: a number with its exponent, a name, an operator. */
static size_t token_length(const char *c)
{
    size_t n = 0;
    const bool is_number = isdigit((unsigned char)*c) || *c == '.';
    while (is_word_byte(c[n]) || (is_number && n > 0 && (c[n] == '+' || c[n] == '-') &&
                                  (c[n - 1] == 'e' || c[n - 1] == 'E')))
        n++;
    if (n > 0)
        return n;
    return (strchr("<>=!", c[0]) && c[1] == '=') || (strchr("&|", c[0]) && c[1] == c[0]) ? 2 : 1;
}

/* Whether the token stands between blanks, behind another of which `is_operand` says whether a
 * value ends there. */
static bool is_spaced(const char *token, size_t n, bool is_operand)
{
    const bool is_sign = n == 1 && (*token == '+' || *token == '-');
    const bool is_word =
        (n == 3 && (strncmp(token, "and", n) == 0 || strncmp(token, "not", n) == 0)) ||
        (n == 2 && strncmp(token, "or", n) == 0);
    return is_word || (is_sign && is_operand) || (strchr("<>=!&|", *token) != NULL);
}

char *ml_expr_text(const char *text, struct ml_pool *pool)
{
    char *out = ml_pool_take(pool, 3 * strlen(text) + 1, 1);
    size_t at = 0;
    bool is_operand = false, is_apart = false; /* two words, or a number and its unit */
    bool is_number = false, is_unit = false;   /* of the token before */
    for (const char *c = text; out && *c;) {
        if (isspace((unsigned char)*c)) {
            c++;
            is_apart = true;
            continue;
        }
        const size_t n = token_length(c);
        const bool spaced = is_spaced(c, n, is_operand);
        const bool is_word = is_word_byte(*c);
        const bool is_power = *c == '^' && is_apart && is_unit; /* of the number, not of its unit */
        if (at > 0 && out[at - 1] != ' ' &&
            (spaced || is_power || (is_apart && is_word && is_word_byte(out[at - 1]))))
            out[at++] = ' ';
        memcpy(out + at, c, n);
        at += n;
        if (spaced || *c == ',')
            out[at++] = ' ';
        is_operand = !spaced && (is_word || *c == ')' || *c == ']');
        is_unit = !spaced && (is_word ? is_unit || (is_number && is_apart)
                                      : is_unit && !is_apart && (*c == '/' || *c == '^'));
        is_number = isdigit((unsigned char)*c) || *c == '.';
        is_apart = false;
        c += n;
    }
    while (at > 0 && out[at - 1] == ' ')
        at--;
    if (out)
        out[at] = '\0';
    return out;
}
