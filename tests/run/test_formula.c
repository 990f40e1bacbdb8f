/* Formulas of a caller's names: values against the C library, truths, units, and refusals at their
 * place. */
#include <string.h>

#include "check.h"
#include "manylink/formula.h"
#include "manylink/manylink.h"

/* Names a to d, of which `a` is an angle and `a.b` a length, and entries k[1] .. k[9]. */
static int name_of(void *context, const char *name, const char **unit)
{
    ++*(int *)context;
    if (strcmp(name, "a.b") == 0) {
        *unit = "m";
        return 4;
    }
    if (strncmp(name, "k[", 2) == 0 && name[2] > '0' && name[2] <= '9' && name[3] == ']')
        return 5 + name[2] - '0';
    if (strlen(name) != 1 || name[0] < 'a' || name[0] > 'd')
        return -1;
    *unit = name[0] == 'a' ? "rad" : NULL;
    return name[0] - 'a';
}

static void values_are_those_of_c(void)
{
    static const double numbers[15] = {0.5, -2.0, (double)NAN, 7.0, 3.0, 0.0, 11.0, 12.0};
    static const struct {
        const char *text;
        double value;
        int is_condition;
    } cases[] = {
        {"a + 2*b - d/4", 0.5 - 4.0 - 7.0 / 4, 0},
        {"abs(b) + sqrt(d)", 2.0 + 2.6457513110645907, 0},
        {"hypot(b, a.b)", 3.6055512754639891, 0},
        {"k[2]^2 - k[1 + 0]", 133.0, 0},
        {"where(a < 30 deg, 1, 2)", 1.0, 0},
        {"a < 28 deg", 0.0, 1},
        {"a.b <= 3 m and b != 3", 1.0, 1},
        {"b > 0 || not (d == 7) || a >= 0.5", 1.0, 1},
        {"b > 0 && c > 0", 0.0, 1},
        {"c == c", 0.0, 1},
        {"c != c", 1.0, 1},
        {"sum(i, 1, 2, k[i]) > 22.5", 1.0, 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct ml_formula *formula = NULL;
        int calls = 0;
        CHECK_CASE("%s", cases[i].text);
        CHECK(ml_formula_read(cases[i].text, name_of, &calls, &formula, NULL) == ML_OK);
        if (!formula)
            continue;
        CHECK(calls > 0 && ml_formula_is_condition(formula) == cases[i].is_condition);
        CHECK_ERROR(fabs(ml_formula_value(formula, numbers) - cases[i].value), 1e-15);
        ml_formula_free(formula);
    }
}

static void refusals_have_a_place(void)
{
    static const struct {
        const char *text, *what;
        int at;
    } cases[] = {
        {"a + e", "there is no `e` here", 4},
        {"2*k[0]", "there is no `k[0]` here", 2},
        {"a < 2 m", "a comparison of unlike units: 1 and m", 2},
        {"a.b + 3 s", "a sum of unlike units: m and s", 4},
        {"a <", "the formula ends too early", 3},
        {"", "the formula ends too early", 0},
        {"a = 1", "a comparison is a == b", 2},
        {"a & b", "write `and` or && in place of &", 2},
        {"(a < b) + 1", "a comparison is not a number", 8},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct ml_formula *formula = NULL;
        struct ml_error error = {0};
        int calls = 0;
        CHECK_CASE("%s", cases[i].text);
        CHECK(ml_formula_read(cases[i].text, name_of, &calls, &formula, &error) == ML_E_INPUT);
        CHECK(!formula && error.text && strstr(error.text, cases[i].what));
        const char *caret = error.text ? strrchr(error.text, '^') : NULL;
        const char *line = caret ? caret : error.text;
        while (line && line > error.text && line[-1] != '\n')
            line--;
        CHECK(caret && caret - line == (int)strlen("cannot read `") + cases[i].at);
        ml_error_clear(&error);
    }
}

int main(void)
{
    values_are_those_of_c();
    refusals_have_a_place();
    return check_done();
}
