#include "yaml/number.h"

#include <float.h>
#include <string.h>

#include "check.h"

static void numbers_and_expressions_are_read(void)
{
    const double pi = 3.14159265358979323846;
    const struct {
        const char *text;
        double value;
    } cases[] = {
        {"0", 0.0},
        {"1.5", 1.5},
        {"-2e-3", -2e-3},
        {"+5", 5.0},
        {".5", 0.5},
        {"5.", 5.0},
        {"1e308", 1e308},
        {"0.1", 0.1},
        {"pi", pi},
        {"pi/10", pi / 10},
        {"-6*pi", -6 * pi},
        {"2*sqrt(2)", 2 * sqrt(2.0)},
        {"1-2-3", -4.0},
        {"8/4/2", 1.0},
        {"1 + 2 * 3", 7.0},
        {"(1 + 2) * 3", 9.0},
        {"-(1+2)", -3.0},
        {"2--3", 5.0},
        {"sqrt(sqrt(16))", 2.0},
        {"1e-400", 0.0},
        {"1e2*1e-2", 1.0},
        {"2*-3", -6.0},
        {"-pi*-1", pi},
        {"1e+3", 1000.0},
        {"180deg", pi},
        {"-90 deg", -pi / 2},
        {"60deg", pi / 3},
        {"60*deg", pi / 3},
        {"pi/2 - 1e1deg", pi / 2 - 10.0 * (pi / 180.0)},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double value = (double)NAN;
        struct ml_number_fault fault;
        CHECK_CASE("%s", cases[i].text);
        CHECK(ml_number_read(cases[i].text, &value, &fault));
        CHECK(value == cases[i].value);
    }
}

static void other_texts_are_refused(void)
{
    static const char *const texts[] = {
        "",     " ",         "abc",      "1 2",    "1e",       "1e+",  ".",    "--1",
        "1..2", "0x10",      "010",      "1,5",    "inf",      "-nan", ".inf", "1e999",
        "1/0",  "sqrt 2",    "sqrt()",   "2pi",    "pi2",      "(1",   "1)",   "1_000",
        "yes",  "1:30",      "1e308*10", "2**3",   "1+",       "e5",   "-",    "00.5",
        "3*01", "60degrees", "deg60",    "60deg2", "sqrt(-1)", "٣",    "1\n2",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        double value = (double)NAN;
        struct ml_number_fault fault;
        CHECK_CASE("%s", texts[i]);
        CHECK(!ml_number_read(texts[i], &value, &fault));
        CHECK(fault.what[0] != '\0');
        CHECK(fault.at >= 0 && fault.at <= (int)strlen(texts[i]));
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
        struct ml_number_fault fault;
        CHECK(ml_number_read(ml_number_text(extremes[i], text), &value, &fault));
        CHECK(value == extremes[i]);
    }
}

int main(void)
{
    numbers_and_expressions_are_read();
    other_texts_are_refused();
    integers_are_digits();
    texts_of_numbers_are_short_and_exact();
    return check_done();
}
