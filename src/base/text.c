/* Decodes UTF-8, and makes characters visible that a terminal would obey or garble. */
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

char *ml_vformat(const char *format, va_list args)
{
    va_list again;
    va_copy(again, args);
    const int length = vsnprintf(NULL, 0, format, again);
    va_end(again);
    char *text = length < 0 ? NULL : malloc((size_t)length + 1);
    if (text)
        (void)vsnprintf(text, (size_t)length + 1, format, args);
    return text;
}

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

/* A character of a text, or its escape. */
struct shown {
    size_t taken; /* bytes of the text that it is or stands for */
    size_t n;
    char bytes[7];
};

static struct shown show_one(const char *text, size_t length)
{
    uint32_t code = 0;
    const size_t n = ml_text_decode(text, length, &code);
    const bool ends_line = text[0] == '\r' && (length == 1 || text[1] == '\n');
    struct shown s = {.taken = n, .n = n};
    if (n > 1 && changes_lines(code)) {
        s.n = (size_t)snprintf(s.bytes, sizeof s.bytes, "\\u%04X", (unsigned)code & 0xFFFFu);
    } else if (n == 0 || !ml_text_is_printable(code) || (text[0] == '\r' && !ends_line)) {
        s.taken = 1;
        s.n =
            (size_t)snprintf(s.bytes, sizeof s.bytes, "\\x%02X", (unsigned)(unsigned char)text[0]);
    } else {
        memcpy(s.bytes, text, n);
    }
    return s;
}

/* Length of the escaped text, which is written to `to` unless that is NULL. */
static size_t show_all(const char *text, size_t length, char *to)
{
    size_t written = 0;
    for (size_t i = 0; i < length;) {
        const struct shown s = show_one(text + i, length - i);
        for (size_t k = 0; to && k < s.n; k++)
            to[written + k] = s.bytes[k];
        written += s.n;
        i += s.taken;
    }
    return written;
}

char *ml_text_escape(char *text)
{
    const size_t length = text ? strlen(text) : 0;
    const size_t escaped = text ? show_all(text, length, NULL) : 0;
    if (escaped == length)
        return text;
    char *other = malloc(escaped + 1);
    if (!other) {
        ml_text_show(text, length);
        return text;
    }
    other[show_all(text, length, other)] = '\0';
    free(text);
    return other;
}

char *ml_ranges(int64_t n, bool (*is_in)(const void *context, int64_t i), const void *context)
{
    enum { MOST = 20 }; /* ranges that are named */
    char *text = NULL;
    size_t size;
    int n_range = 0;
    FILE *out = open_memstream(&text, &size);
    for (int64_t i = 0, end; out && i < n && n_range <= MOST; i = end) {
        end = i + 1;
        if (!is_in(context, i))
            continue;
        while (end < n && is_in(context, end))
            end++;
        const char *comma = n_range++ > 0 ? ", " : "";
        if (n_range > MOST)
            (void)fprintf(out, ", ...");
        else if (end - i > 1)
            (void)fprintf(out, "%s%lld-%lld", comma, (long long)i, (long long)end - 1);
        else
            (void)fprintf(out, "%s%lld", comma, (long long)i);
    }
    if (out && fclose(out) == 0)
        return text;
    free(text);
    return NULL;
}

struct ml_unit_text ml_unit_text(const char *before, const char *unit, const char *after)
{
    struct ml_unit_text out = {""};
    if (strcmp(unit, "1") != 0)
        (void)snprintf(out.text, sizeof out.text, "%s%s%s", before, unit, after);
    return out;
}

struct ml_nearest_text ml_did_you_mean(const char *nearest)
{
    struct ml_nearest_text out = {""};
    if (nearest)
        (void)snprintf(out.text, sizeof out.text, "; did you mean `%s`?", nearest);
    return out;
}
