/* UTF-8 decoded, and what a terminal would obey or garble made visible. */
#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

size_t ml_text_decode(const char *text, size_t length, uint32_t *code)
{
    const unsigned char *s = (const unsigned char *)text;
    static const uint32_t lowest[] = {0, 0, 0x80, 0x800, 0x10000};
    size_t n = s[0] < 0x80 ? 1 : s[0] < 0xC2 ? 0 : s[0] < 0xE0 ? 2 : s[0] < 0xF0 ? 3 : 4;
    if (n == 0 || n > length || s[0] > 0xF4)
        return 0;
    *code = n == 1 ? s[0] : s[0] & (0xFFu >> (n + 1));
    for (size_t i = 1; i < n; i++) {
        if ((s[i] & 0xC0) != 0x80)
            return 0;
        *code = *code << 6 | (s[i] & 0x3Fu);
    }
    bool is_surrogate = *code >= 0xD800 && *code < 0xE000;
    return *code < lowest[n] || is_surrogate || *code > 0x10FFFF ? 0 : n;
}

bool ml_text_is_printable(uint32_t code)
{
    return code == '\t' || code == '\n' || code == '\r' || (code >= ' ' && code < 0x7F) ||
           code == 0x85 || (code >= 0xA0 && code != 0xFEFF && code != 0xFFFE && code != 0xFFFF);
}

void ml_text_show(char *text, size_t length)
{
    uint32_t code = 0;
    for (size_t i = 0, n = 0; i < length; i += n ? n : 1) {
        n = ml_text_decode(text + i, length - i, &code);
        if (n == 0 || !ml_text_is_printable(code))
            memset(text + i, '?', n ? n : 1);
    }
}

/* U+061C, U+200E .. 202E and U+2066 .. 2069: marks of direction and line ends. */
static bool changes_lines(uint32_t code)
{
    return code == 0x61C || code == 0x200E || code == 0x200F ||
           (code >= 0x2028 && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069) || code == 0x85;
}

/* Writes the character at `text`, or what stands for it, to `out` [7]; returns its bytes. */
static size_t escape_one(const char *text, size_t length, char out[7])
{
    uint32_t code = 0;
    const size_t n = ml_text_decode(text, length, &code);
    const bool ends_line = text[0] == '\r' && (length == 1 || text[1] == '\n');
    out[0] = '\0';
    if (n > 1 && changes_lines(code))
        (void)snprintf(out, 7, "\\u%04X", (unsigned)code & 0xFFFFu);
    else if (n == 0 || !ml_text_is_printable(code) || (text[0] == '\r' && !ends_line))
        (void)snprintf(out, 7, "\\x%02X", (unsigned)(unsigned char)text[0]);
    if (out[0] != '\0')
        return n > 1 && changes_lines(code) ? n : 1;
    memcpy(out, text, n);
    out[n] = '\0';
    return n;
}

/* Length of the escaped text, which is written to `to` unless that is NULL. */
static size_t escape_all(const char *text, size_t length, char *to)
{
    char one[7];
    size_t written = 0;
    for (size_t i = 0; i < length;) {
        i += escape_one(text + i, length - i, one);
        const size_t n = strlen(one);
        if (to)
            memcpy(to + written, one, n);
        written += n;
    }
    return written;
}

char *ml_text_escape(char *text)
{
    const size_t length = text ? strlen(text) : 0;
    const size_t escaped = text ? escape_all(text, length, NULL) : 0;
    if (escaped == length)
        return text;
    char *other = malloc(escaped + 1);
    if (!other) {
        ml_text_show(text, length);
        return text;
    }
    other[escape_all(text, length, other)] = '\0';
    free(text);
    return other;
}
