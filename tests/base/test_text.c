/* Text that is shown: what a terminal would obey or garble is escaped, all else is left alone. */
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "manylink/fail.h"

static const struct {
    const char *text, *shown;
} cases[] = {
    {"", ""},
    {"plain, with\ttab\nand \xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80", NULL},
    {"a line end of DOS\r\nand one at the end\r", NULL},
    {"over\rwritten", "over\\x0Dwritten"},
    {"\x1B[31mred\x1B[0m", "\\x1B[31mred\\x1B[0m"},
    {"\x7F", "\\x7F"},
    {"\xFF", "\\xFF"},
    {"half \xE2\x82", "half \\xE2\\x82"},
    {"\xC2\x9B", "\\xC2\\x9B"}, /* U+009B: begins a command as ESC [ does */
    {"a\xE2\x80\xAEz", "a\\u202Ez"},
    {"a\xE2\x81\xA6z", "a\\u2066z"},
    {"a\xE2\x80\xA8z", "a\\u2028z"},
    {"a\xC2\x85z", "a\\u0085z"},
};

static void what_is_shown_is_escaped(void)
{
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        CHECK_CASE("case %d", (int)i);
        char *given = strdup(cases[i].text), *shown = ml_text_escape(given);
        CHECK(strcmp(shown, cases[i].shown ? cases[i].shown : cases[i].text) == 0);
        CHECK(cases[i].shown || shown == given);
        free(shown);
    }
    CHECK(!ml_text_escape(NULL));
}

static void messages_are_escaped(void)
{
    struct ml_error err = {0};
    (void)ml_fail(&err, ML_E_FILE, "%s: is %s", "a\x1B", "\xFF");
    (void)ml_fail(&err, ML_E_FILE, "\xC2\x9B\n");
    CHECK(strcmp(err.text, "a\\x1B: is \\xFF\n\\xC2\\x9B\n") == 0);
    CHECK(err.count == 2);
    ml_error_clear(&err);
}

int main(void)
{
    what_is_shown_is_escaped();
    messages_are_escaped();
    return check_done();
}
