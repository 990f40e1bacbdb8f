#include "expr/number.h"

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
        {"2^10", 1024.0},
        {"-2^2", -4.0},
        {"2^-2", 0.25},
        {"2^0.5", sqrt(2.0)},
        {"abs(1 - 3)", 2.0},
        {"0.1*3 + 0.2", 0.1 * 3.0 + 0.2},
        {"0.2 - 0.1*3", 0.2 - 0.1 * 3.0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double value = (double)NAN;
        struct ml_number_fault fault;
        CHECK_CASE("%s", cases[i].text);
        CHECK(ml_expr_number(cases[i].text, &value, &fault));
        CHECK(value == cases[i].value);
    }
}

static void other_texts_are_refused(void)
{
    static const char *const texts[] = {
        "",         " ",   "abc",  "1 2", "1e",    "1e+",    ".",         "--1",   "1..2",
        "0x10",     "010", "1,5",  "inf", "-nan",  ".inf",   "1e999",     "1/0",   "sqrt 2",
        "sqrt()",   "2pi", "pi2",  "(1",  "1)",    "1_000",  "yes",       "1:30",  "1e308*10",
        "2**3",     "1+",  "e5",   "-",   "00.5",  "3*01",   "60degrees", "deg60", "60deg2",
        "sqrt(-1)", "٣",   "1\n2", "2^",  "1 < 2", "sin(1)", "min(1)",

    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        double value = (double)NAN;
        struct ml_number_fault fault;
        CHECK_CASE("%s", texts[i]);
        CHECK(!ml_expr_number(texts[i], &value, &fault));
        CHECK(fault.what[0] != '\0');
        CHECK(fault.at >= 0 && fault.at <= (int)strlen(texts[i]));
    }
}

/* Each operation is rounded by itself; a formula of a system fuses 0.1*3 - 0.3. */
static void products_are_rounded_before_they_are_added(void)
{
    volatile double product = 0.1 * 3.0;
    double value = 0.0;
    struct ml_number_fault fault;
    CHECK(product - 0.3 != fma(0.1, 3.0, -0.3) && ml_expr_number("0.1*3 - 0.3", &value, &fault));
    CHECK(value == product - 0.3);
}

int main(void)
{
    numbers_and_expressions_are_read();
    other_texts_are_refused();
    products_are_rounded_before_they_are_added();
    return check_done();
}
