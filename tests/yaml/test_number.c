#include "yaml/number.h"

#include <float.h>
#include <string.h>

#include "check.h"

static void plain_numbers_are_decimal(void)
{
    static const char *const others[] = {"",    "-",   "1+1",   "2*pi", "pi", "1 2",
                                         "010", "1,5", "1e999", "--1",  "1e"};
    double value = 0.0;
    CHECK(ml_number_plain("-2e-3", &value) && value == -2e-3);
    CHECK(ml_number_plain("+.5", &value) && value == 0.5);
    CHECK(ml_number_plain("180 deg", &value) && value == 3.14159265358979323846);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        CHECK_CASE("%s", others[i]);
        CHECK(!ml_number_plain(others[i], &value));
    }
}

static void integers_are_digits(void)
{
    static const char *const texts[] = {"",
                                        "-",
                                        "1.0",
                                        "1e3",
                                        "+1",
                                        "01",
                                        "-0",
                                        "0x1",
                                        "9007199254740993",
                                        "123456789012345678901234567890",
                                        "2*3",
                                        "1 "};
    struct ml_number_fault fault;
    int64_t value = 0;
    CHECK(ml_integer_read("256", &value, &fault) && value == 256);
    CHECK(ml_integer_read("-7", &value, &fault) && value == -7);
    CHECK(ml_integer_read("0", &value, &fault) && value == 0);
    CHECK(ml_integer_read("9007199254740992", &value, &fault) &&
          value == INT64_C(9007199254740992));
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        CHECK_CASE("%s", texts[i]);
        CHECK(!ml_integer_read(texts[i], &value, &fault));
    }
}

static void texts_of_numbers_are_short_and_exact(void)
{
    const struct {
        double value;
        const char *text;
    } cases[] = {{0.1, "0.1"}, {1.0 / 3.0, "0.3333333333333333"}, {20.0, "20"}, {1e-3, "0.001"},
                 {-0.0, "-0"}, {0.1 + 0.2, "0.30000000000000004"}};
    char text[ML_NUMBER_TEXT];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        CHECK(strcmp(ml_number_text(cases[i].value, text), cases[i].text) == 0);
    const double extremes[] = {DBL_MAX, -DBL_MAX, DBL_MIN, 4.9406564584124654e-324,
                               1.0 + DBL_EPSILON};
    for (size_t i = 0; i < sizeof extremes / sizeof *extremes; i++) {
        double value = (double)NAN;
        CHECK(ml_number_plain(ml_number_text(extremes[i], text), &value));
        CHECK(value == extremes[i]);
    }
}

int main(void)
{
    plain_numbers_are_decimal();
    integers_are_digits();
    texts_of_numbers_are_short_and_exact();
    return check_done();
}
