/* Numbers and texts for programs, whatever their locale and rounding. */
#include "manylink/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/numeric_env.h"
#include "expr/number.h"

int ml_number_parse(const char *text, double *value, char *why, size_t size)
{
    const struct ml_numeric_env env = ml_numeric_env_set();
    struct ml_number_fault fault;
    double number = 0.0;
    const bool is_number = ml_expr_number(text, &number, &fault);
    ml_numeric_env_restore(&env);
    if (is_number)
        *value = number;
    else if (size > 0)
        (void)snprintf(why, size, "%s", fault.what);
    return is_number;
}

const char *ml_number_print(double value, char text[ML_NUMBER_TEXT])
{
    const struct ml_numeric_env env = ml_numeric_env_set();
    (void)ml_number_text(value, text);
    ml_numeric_env_restore(&env);
    return text;
}

void ml_text_quote(FILE *to, const char *word)
{
    fputc('\'', to);
    for (; *word; word++)
        if (*word == '\'')
            fputs("'\\''", to);
        else
            fputc(*word, to);
    fputc('\'', to);
}

/* Prints a text of malloc, escaped, and frees it. */
static void text_write(FILE *to, char *text)
{
    text = ml_text_escape(text);
    if (text)
        (void)fputs(text, to);
    free(text);
}

void ml_text_number(FILE *to, double value, const char *missing)
{
    const double whole = 1e15; /* below it an integer has at most 15 digits */
    char text[40];
    if (isnan(value)) {
        (void)fputs(missing, to);
        return;
    }
    if (fabs(value) < whole && value == trunc(value) && !(value == 0.0 && signbit(value))) {
        (void)fprintf(to, "%lld", (long long)value);
        return;
    }
    const struct ml_numeric_env env = ml_numeric_env_set();
    (void)snprintf(text, sizeof text, "%.15g", value);
    if (strtod(text, NULL) != value)
        (void)snprintf(text, sizeof text, "%.17g", value);
    ml_numeric_env_restore(&env);
    (void)fputs(text, to);
}

void ml_text_word(FILE *to, const char *word, char separator)
{
    const char special[] = {separator, '"', '\r', '\n', '\0'};
    char *text = NULL;
    size_t size;
    FILE *quoted = word[strcspn(word, special)] ? open_memstream(&text, &size) : NULL;
    if (!quoted) {
        text_write(to, strdup(word));
        return;
    }
    (void)fputc('"', quoted);
    for (; *word; word++)
        (void)fprintf(quoted, *word == '"' ? "\"\"" : "%c", *word);
    (void)fputc('"', quoted);
    if (fclose(quoted) == 0)
        text_write(to, text);
    else
        free(text);
}

char *ml_duration_print(double seconds, char text[ML_NUMBER_TEXT])
{
    long long s = llround(seconds);
    if (seconds < 10.0)
        (void)snprintf(text, ML_NUMBER_TEXT, "%.2g s", seconds);
    else if (s < 60)
        (void)snprintf(text, ML_NUMBER_TEXT, "%lld s", s);
    else if (s < 3600)
        (void)snprintf(text, ML_NUMBER_TEXT, "%lld min %lld s", s / 60, s % 60);
    else if (s < 48 * 3600)
        (void)snprintf(text, ML_NUMBER_TEXT, "%lld h %lld min", s / 3600, s / 60 % 60);
    else
        (void)snprintf(text, ML_NUMBER_TEXT, "%.1f days", seconds / 86400.0);
    return text;
}
