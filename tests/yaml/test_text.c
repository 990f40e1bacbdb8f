#include "yaml/yaml.h"

#include <string.h>

#include "check.h"

static bool is_allowed(const char *text, size_t length)
{
    struct ml_pool pool = {0};
    struct ml_problems problems = {.pool = &pool, .name = "test", .text = text, .length = length};
    bool is_good = ml_text_check(text, length, 0, &problems);
    CHECK(is_good == (problems.count == 0));
    ml_pool_free(&pool);
    return is_good;
}

static void utf8_is_what_rfc_3629_says(void)
{
    static const char *const good[] = {"",
                                       "abc\t\r\n",
                                       "\xC3\xA9",
                                       "\xE2\x82\xAC",
                                       "\xF0\x9F\x98\x80",
                                       "\xEF\xBB\xBF_a",
                                       "\xED\x9F\xBF",
                                       "\xEE\x80\x80",
                                       "\xF4\x8F\xBF\xBD"};
    static const char *const bad[] = {"\x80",
                                      "\xC0\xAF",
                                      "\xC1\xBF",
                                      "\xE0\x80\x80",
                                      "\xE0\x9F\xBF",
                                      "\xF0\x80\x80\x80",
                                      "\xF0\x8F\xBF\xBF",
                                      "\xED\xA0\x80",
                                      "\xED\xBF\xBF",
                                      "\xF4\x90\x80\x80",
                                      "\xF5\x80\x80\x80",
                                      "\xFF",
                                      "\xC3",
                                      "\xE2\x82",
                                      "\xF0\x9F\x98",
                                      "\xC3(",
                                      "\x1B[0m",
                                      "\x7F",
                                      "\xC2\x80",
                                      "a\xEF\xBB\xBF",
                                      "\xEF\xBF\xBF",
                                      "\x01"};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        CHECK_CASE("good %d", (int)i);
        CHECK(is_allowed(good[i], strlen(good[i])));
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        CHECK_CASE("bad %d", (int)i);
        CHECK(!is_allowed(bad[i], strlen(bad[i])));
        char shown[8] = "";
        memcpy(shown, bad[i], strlen(bad[i]));
        ml_text_show(shown, strlen(bad[i]));
        CHECK(is_allowed(shown, strlen(bad[i])));
    }
    CHECK(!is_allowed("a\0b", 3));
}

int main(void)
{
    utf8_is_what_rfc_3629_says();
    return check_done();
}
