/* Printing what holds names of files and text of others. */
#include "cli/say.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "manylink/text.h"

void say(FILE *to, const char *format, ...)
{
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    const int length = vsnprintf(NULL, 0, format, again);
    va_end(again);
    char *text = length < 0 ? NULL : malloc((size_t)length + 1);
    if (text)
        (void)vsnprintf(text, (size_t)length + 1, format, args);
    va_end(args);
    text = ml_text_escape(text);
    if (text)
        fputs(text, to);
    free(text);
}

/* $'...', which not every shell knows (POSIX.1-2024), for what must not reach the terminal as it
 * is.
 */
static void say_escaped(FILE *to, const char *word)
{
    fputs("$'", to);
    for (; *word; word++)
        if ((unsigned char)*word < ' ' || (unsigned char)*word >= 0x7F)
            fprintf(to, "\\%03o", (unsigned)(unsigned char)*word);
        else
            fprintf(to, strchr("'\\", *word) ? "\\%c" : "%c", *word);
    fputc('\'', to);
}

void say_word(FILE *to, const char *word)
{
    static const char plain[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./:=,+@%";
    bool is_clean = true;
    for (const char *c = word; *c; c++)
        is_clean = is_clean && ((*c >= ' ' && *c < 0x7F) || *c == '\n' || *c == '\t');
    if (!is_clean)
        say_escaped(to, word);
    else if (!*word || word[strspn(word, plain)])
        ml_text_quote(to, word);
    else
        fputs(word, to);
}
