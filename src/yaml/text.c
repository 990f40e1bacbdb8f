/* Checks the encoding of a study file: UTF-8, line ends, no control characters. */
#include "yaml/text.h"

#include <string.h>

size_t ml_text_mark(const char *text, size_t length)
{
    return length >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
}

/* Place of a byte. */
static struct ml_location place_of(const char *text, size_t at, int option)
{
    struct ml_location location = {option, 1, 1};
    for (size_t i = ml_text_mark(text, at); i < at; i++) {
        location.column += ((unsigned char)text[i] & 0xC0) != 0x80; /* characters */
        if (text[i] == '\n') {
            location.line++;
            location.column = 1;
        }
    }
    return location;
}

bool ml_text_check(const char *text, size_t length, int option, struct ml_problems *problems)
{
    uint32_t code = 0;
    for (size_t i = ml_text_mark(text, length), n = 1; i < length; i += n, n = 1) {
        if ((text[i] >= ' ' && text[i] <= '~') || text[i] == '\n')
            continue;
        n = ml_text_decode(text + i, length - i, &code);
        if (n > 0 && ml_text_is_printable(code))
            continue;
        const struct ml_location location = place_of(text, i, option);
        if (n == 0)
            ml_problem(problems, location, "byte 0x%02X is not valid UTF-8; save the file as UTF-8",
                       (unsigned)(unsigned char)text[i]);
        else
            ml_problem(problems, location, "%s (U+%04X) is not allowed",
                       code == 0 ? "a NUL character" : "a control character", (unsigned)code);
        return false;
    }
    return true;
}
