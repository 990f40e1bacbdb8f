#include "study/text.h"

#include <string.h>

size_t ml_text_mark(const char *text, size_t length)
{
    return length >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
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

bool ml_text_check(const char *text, size_t length, int option, struct ml_problems *problems)
{
    struct ml_place place = {option, 1, 1};
    uint32_t code = 0;
    for (size_t i = ml_text_mark(text, length), n = 0; i < length; i += n, place.column++) {
        n = ml_text_decode(text + i, length - i, &code);
        if (n == 0) {
            ml_problem(problems, place, "byte 0x%02X is not valid UTF-8; save the file as UTF-8",
                       (unsigned)(unsigned char)text[i]);
            return false;
        }
        if (!ml_text_is_printable(code)) {
            ml_problem(problems, place, "%s (U+%04X) is not allowed",
                       code == 0 ? "a NUL character" : "a control character", (unsigned)code);
            return false;
        }
        if (code == '\n') {
            place.line++;
            place.column = 0;
        }
    }
    return true;
}
