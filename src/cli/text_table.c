/* Writes the cells of text tables: exact numbers, and words quoted where they have to be. */
#include "cli/text_table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/say.h"

enum { NUMBER = 40 };

void put_number(FILE *to, double value, const char *missing)
{
    const double whole = 1e15; /* below it an integer has at most 15 digits */
    char text[NUMBER];
    if (isnan(value)) {
        (void)fputs(missing, to);
        return;
    }
    if (fabs(value) < whole && value == trunc(value) && !(value == 0.0 && signbit(value))) {
        (void)fprintf(to, "%lld", (long long)value);
        return;
    }
    (void)snprintf(text, sizeof text, "%.15g", value);
    if (strtod(text, NULL) != value)
        (void)snprintf(text, sizeof text, "%.17g", value);
    (void)fputs(text, to);
}

void put_word(FILE *to, const char *word, char separator)
{
    const char special[] = {separator, '"', '\r', '\n', '\0'};
    char *text = NULL;
    size_t size;
    FILE *quoted = word[strcspn(word, special)] ? open_memstream(&text, &size) : NULL;
    if (!quoted) {
        say(to, "%s", word);
        return;
    }
    (void)fputc('"', quoted);
    for (; *word; word++)
        (void)fprintf(quoted, *word == '"' ? "\"\"" : "%c", *word);
    (void)fputc('"', quoted);
    if (fclose(quoted) == 0)
        say(to, "%s", text);
    free(text);
}
