/* The functions of every instruction set against values in 60 digits
 * (tests/reference/functions.txt), the C library's long double functions, and differences of these.
 */
#include <float.h>
#include <string.h>

#include "check.h"
#include "engine/kernels/kernels.h"
#include "simd/functions.h"

/* Fewer where long doubles are computed by integers, which takes a hundred times as long. */
enum { L = ML_LANES, ROWS = LDBL_MANT_DIG > 64 ? 16 : 256, N = ROWS * L };

static _Alignas(64) double a[N], da[N], b[N], db[N], v[N], d[N], first_v[N], first_d[N];

/* What is known of a function. */
struct about {
    const char *name;
    double ulps; /* its largest error */
    long double (*of_1)(long double);
    long double (*of_2)(long double, long double);
    double range[2], second[2]; /* of the arguments of the sweep; log2 of them if is_log */
    double slopes[2];           /* of the first where derivatives are compared with differences */
    bool is_log;
};

static long double sign_of(long double x) { return (long double)((x > 0.0L) - (x < 0.0L)); }

static long double python_mod(long double x, long double y) { return x - y * floorl(x / y); }

static const struct about abouts[] = {
    {"sqrt", 0.501, sqrtl, NULL, {-1022, 1023}, {0}, {-9, 9}, true},
    {"cbrt", 1.0, cbrtl, NULL, {-1074, 1023}, {0}, {-9, 9}, true},
    {"hypot", 1.0, NULL, hypotl, {-9, 9}, {-9, 9}, {-9, 9}, true},
    {"exp", 1.0, expl, NULL, {-746, 710}, {0}, {-30, 30}},
    {"log", 1.0, logl, NULL, {-1074, 1023}, {0}, {-9, 9}, true},
    {"pow", 1.0, NULL, powl, {-5, 5}, {-8, 7}, {-1, 2}, true},
    {"sin", 1.6, sinl, NULL, {-1e5, 1e5}, {0}, {-9, 9}},
    {"cos", 1.6, cosl, NULL, {-1e5, 1e5}, {0}, {-9, 9}},
    {"tan", 1.0, tanl, NULL, {-1e5, 1e5}, {0}, {-1.5, 1.5}},
    {"asin", 1.0, asinl, NULL, {-1, 1}, {0}, {-0.9, 0.9}},
    {"acos", 1.0, acosl, NULL, {-1, 1}, {0}, {-0.9, 0.9}},
    {"atan", 1.0, atanl, NULL, {-5, 5}, {0}, {-5, 5}},
    {"atan2", 1.0, NULL, atan2l, {-3, 3}, {-3, 3}, {-3, 3}},
    {"sinh", 1.5, sinhl, NULL, {-5, 5}, {0}, {-5, 5}},
    {"cosh", 1.5, coshl, NULL, {-5, 5}, {0}, {-5, 5}},
    {"tanh", 1.0, tanhl, NULL, {-5, 5}, {0}, {-5, 5}},
    {"erf", 1.0, erfl, NULL, {-6, 6}, {0}, {-3, 3}},
    {"abs", 0.0, fabsl, NULL, {-3, 3}, {0}, {-3, 3}},
    {"sign", 0.0, sign_of, NULL, {-3, 3}, {0}, {-3, 3}},
    {"floor", 0.0, floorl, NULL, {-30, 30}, {0}, {-30, 30}},
    {"mod", 0.6, NULL, python_mod, {-30, 30}, {-3, 3}, {-30, 30}},
    {"min", 0.0, NULL, fminl, {-3, 3}, {-3, 3}, {-3, 3}},
    {"max", 0.0, NULL, fmaxl, {-3, 3}, {-3, 3}, {-3, 3}},
};
enum { N_ABOUT = sizeof abouts / sizeof *abouts };

static const struct about *about(const char *name)
{
    for (int i = 0; i < N_ABOUT; i++)
        if (strcmp(abouts[i].name, name) == 0)
            return &abouts[i];
    fprintf(stderr, "no test of `%s`\n", name);
    exit(1);
}

/* A deterministic number in [0, 1). */
static double uniform(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(*seed >> 11) * 0x1p-53;
}

static double spacing(double x) { return nextafter(fabs(x), (double)INFINITY) - fabs(x); }

static void evaluate(const struct ml_function *f)
{
    for (int i = 0; i < N; i++)
        v[i] = d[i] = (double)NAN;
    f->rows(ROWS, a, da, f->n_argument == 2 ? b : NULL, f->n_argument == 2 ? db : NULL, v, d);
}

/* Arguments from the range and `second`; their derivatives are 0 or half to all of themselves. */
static void fill(const struct about *of, const double range[2])
{
    uint64_t seed = 35;
    for (int i = 0; i < N; i++) {
        a[i] = range[0] + (range[1] - range[0]) * uniform(&seed);
        b[i] = of->second[0] + (of->second[1] - of->second[0]) * uniform(&seed);
        a[i] = of->is_log ? exp2(a[i]) : a[i];
        b[i] = of->is_log ? exp2(b[i]) : b[i];
        da[i] = i % 3 == 1 ? 0.0 : a[i] * (0.5 + 0.5 * uniform(&seed));
        db[i] = i % 3 == 2 ? 0.0 : -b[i] * (0.5 + 0.5 * uniform(&seed));
    }
}

static long double exact(const struct about *of, long double x, long double y)
{
    return of->of_1 ? of->of_1(x) : of->of_2(x, y);
}

static void error_is_small_in_a_sweep(const struct ml_kernels *k, const struct ml_function *f)
{
    const struct about *of = about(f->name);
    double worst = 0.0;
    CHECK_CASE("%s %s, sweep", k->isa, f->name);
    fill(of, of->range);
    evaluate(f);
    for (int i = 0; i < N; i++) {
        long double y = exact(of, (long double)a[i], (long double)b[i]);
        double ulps = (double)(fabsl((long double)v[i] - y) / (long double)spacing((double)y));
        worst = v[i] == (double)y || ulps <= worst ? worst : ulps;
    }
    CHECK_ERROR(worst, of->ulps + 0.01);
}

/* Whether a whole number changes between the arguments x and X, y and Y. */
static bool has_jump(const struct about *of, long double x, long double X, long double y,
                     long double Y)
{
    const bool is_mod = of->of_2 == python_mod;
    return (is_mod || of->of_1 == floorl) &&
           floorl(is_mod ? x / y : x) != floorl(is_mod ? X / Y : X);
}

/* Central differences in long double, whose own error is some 1e-12 of the value. */
static void derivatives_are_those_of_differences(const struct ml_kernels *k,
                                                 const struct ml_function *f)
{
    const struct about *of = about(f->name);
    double worst = 0.0;
    CHECK_CASE("%s %s, derivatives", k->isa, f->name);
    fill(of, of->slopes);
    evaluate(f);
    for (int i = 0; i < N; i++) {
        const long double h = 1e-7L, x = (long double)a[i], y = (long double)b[i];
        const long double dx = h * (long double)da[i], dy = h * (long double)db[i];
        if (has_jump(of, x + dx, x - dx, y + dy, y - dy))
            continue;
        long double ahead = exact(of, x + dx, y + dy), behind = exact(of, x - dx, y - dy);
        double expected = (double)((ahead - behind) / (2.0L * h));
        double size = fmax(fabs(expected), fabs(v[i]));
        worst = fmax(worst, size > 0.0 ? fabs(d[i] - expected) / size : fabs(d[i]));
    }
    CHECK_ERROR(worst, 1e-10);
}

/* At points where functions are defined by rule. */
static void derivatives_at_ends_are_those_of_the_rules(const struct ml_kernels *k)
{
    const double inf = (double)INFINITY, nan = (double)NAN;
    const struct {
        const char *name;
        double a, da, b, db, d;
    } cases[] = {
        {"pow", -2.0, 1.0, 3.0, 0.0, 12.0}, {"pow", -2.0, 0.0, 3.0, 1.0, nan},
        {"pow", -2.0, 1.0, 0.0, 0.0, 0.0},  {"pow", 0.0, 1.0, 2.0, 0.0, 0.0},
        {"pow", 0.0, 3.0, 1.0, 0.0, 3.0},   {"pow", 0.0, 1.0, 0.5, 0.0, inf},
        {"pow", 0.0, 1.0, -1.0, 0.0, -inf}, {"pow", 0.0, 1.0, 0.0, 0.0, 0.0},
        {"pow", 0.0, 0.0, 2.0, 1.0, 0.0},   {"pow", 1e-200, 1.0, 2.0, 0.0, 2e-200},
        {"hypot", 0.0, 1.0, 0.0, 1.0, 0.0}, {"hypot", 1e200, 1.0, 0.0, 1.0, 1.0},
        {"abs", 0.0, 1.0, 0.0, 0.0, 0.0},   {"abs", -2.0, 3.0, 0.0, 0.0, -3.0},
        {"min", 1.0, 2.0, 1.0, 3.0, 3.0},   {"max", 1.0, 2.0, 1.0, 3.0, 3.0},
        {"mod", -1.0, 1.0, 3.0, 1.0, 2.0},  {"sqrt", 0.0, 1.0, 0.0, 0.0, inf},
        {"cbrt", 0.0, 1.0, 0.0, 0.0, inf},  {"tanh", 300.0, 1.0, 0.0, 0.0, 4.0 * exp(-600.0)},
        {"sign", 0.0, 1.0, 0.0, 0.0, 0.0},  {"asin", 1.0, 1.0, 0.0, 0.0, inf}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct ml_function *f = k->registry->functions;
        while (strcmp(f->name, cases[i].name) != 0)
            f++;
        CHECK_CASE("%s %s(%g, %g), derivative", k->isa, f->name, cases[i].a, cases[i].b);
        for (int j = 0; j < N; j++) {
            a[j] = cases[i].a, da[j] = cases[i].da;
            b[j] = cases[i].b, db[j] = cases[i].db;
        }
        evaluate(f);
        CHECK(isnan(cases[i].d)
                  ? isnan(d[0])
                  : d[0] == cases[i].d || fabs(d[0] - cases[i].d) <= 1e-13 * fabs(cases[i].d));
    }
}

/* Cases of the file wait here until there are N of one function, in units of the last place: by how
 * much the value exceeds the nearest double. */
static double nearest[N], rest[N];

static bool is_no_common_number(double x) { return isnan(x) || isinf(x) || x == 0.0; }

/* The same value: to the bit where it is 0 or no number, else nearly. */
static bool is_same(double x, double y)
{
    if (is_no_common_number(y))
        return isnan(y) ? isnan(x) : x == y && !signbit(x) == !signbit(y);
    return fabs(x - y) <= 2.0 * spacing(y);
}

static void check_values(const struct ml_kernels *k, const char *name, int n)
{
    double worst = 0.0;
    const struct ml_function *f = k->registry->functions;
    while (f->name && strcmp(f->name, name) != 0)
        f++;
    CHECK_CASE("%s %s, values", k->isa, name);
    CHECK(f->name);
    if (!f->name)
        return;
    evaluate(f);
    for (int i = 0; i < n; i++) {
        if (is_no_common_number(nearest[i])) {
            CHECK(is_same(v[i], nearest[i]));
            continue;
        }
        double ulps = fabs((v[i] - nearest[i]) / spacing(nearest[i]) - rest[i]);
        if (!(ulps <= about(name)->ulps))
            fprintf(stderr, "%s(%a, %a) = %a: %g\n", name, a[i], b[i], v[i], ulps);
        worst = ulps <= worst ? worst : ulps;
    }
    CHECK_ERROR(worst, about(name)->ulps);
}

/* Reads a line; returns whether there is one. */
static bool read_case(FILE *file, char name[16], int i)
{
    char line[256], words[4][64];
    if (!fgets(line, sizeof line, file))
        return false;
    const int n =
        sscanf(line, "%15s %63s %63s %63s %63s", name, words[0], words[1], words[2], words[3]);
    a[i] = strtod(words[0], NULL);
    b[i] = n == 5 ? strtod(words[1], NULL) : 0.0;
    nearest[i] = strtod(words[n - 3], NULL);
    rest[i] = strtod(words[n - 2], NULL);
    return true;
}

static void values_are_those_in_60_digits(const struct ml_kernels *k)
{
    FILE *file = fopen(ML_SOURCE_DIR "/tests/reference/functions.txt", "r");
    char name[16] = "", next[16] = "";
    int n = 0, n_case = 0;
    CHECK(file);
    memset(da, 0, sizeof da);
    memset(db, 0, sizeof db);
    while (file && read_case(file, next, n)) {
        n_case++;
        if (n > 0 && (strcmp(next, name) != 0 || n == N - 1)) {
            const double last[] = {a[n], b[n], nearest[n], rest[n]};
            check_values(k, name, n);
            a[0] = last[0], b[0] = last[1], nearest[0] = last[2], rest[0] = last[3];
            n = 0;
        }
        memcpy(name, next, sizeof name);
        n++;
    }
    check_values(k, name, n);
    CHECK(n_case > 4000);
    if (file)
        (void)fclose(file);
}

static void special_values_are_as_in_the_c_library(const struct ml_kernels *k,
                                                   const struct ml_function *f)
{
    static const double special[] = {0.0,
                                     -0.0,
                                     1.0,
                                     -1.0,
                                     0.5,
                                     -0.5,
                                     2.0,
                                     -2.0,
                                     3.0,
                                     -3.0,
                                     DBL_MIN,
                                     -DBL_MIN,
                                     DBL_TRUE_MIN,
                                     -DBL_TRUE_MIN,
                                     DBL_MAX,
                                     -DBL_MAX,
                                     1e15,
                                     -1e15,
                                     (double)INFINITY,
                                     -(double)INFINITY,
                                     (double)NAN,
                                     0x1.fffffffffffffp-1};
    enum { N_SPECIAL = sizeof special / sizeof *special };
    const struct about *of = about(f->name);
    const bool is_angle = of->of_1 == sinl || of->of_1 == cosl || of->of_1 == tanl;
    if (strcmp(f->name, "mod") == 0 || strcmp(f->name, "min") == 0 || strcmp(f->name, "max") == 0)
        return; /* these stand in the file */
    CHECK_CASE("%s %s, special values", k->isa, f->name);
    for (int i = 0; i < N; i++) {
        a[i] = special[i % N_SPECIAL];
        b[i] = special[i / N_SPECIAL % N_SPECIAL];
    }
    evaluate(f);
    for (int i = 0; i < N; i++) {
        double y = (double)exact(of, (long double)a[i], (long double)b[i]);
        y = is_angle && fabs(a[i]) > 1e15 ? (double)NAN : y;
        if (of->of_1 == sign_of)
            y = a[i] == 0.0 || isnan(a[i]) ? a[i] : y;
        if (of->of_1 == sinl) /* of -0 it is 0 */
            y += 0.0;
        CHECK(is_same(v[i], y));
        if (!is_same(v[i], y))
            fprintf(stderr, "%s(%a, %a) = %a, not %a\n", f->name, a[i], b[i], v[i], y);
    }
}

/* Of NaN any. */
static bool has_bits(double x, double y)
{
    return isnan(x) ? isnan(y) : x == y && !signbit(x) == !signbit(y);
}

/* Also beside others that take another way, and those of which vectors are computed lane by lane.
 */
static void bits_do_not_depend_on_the_lane(const struct ml_kernels *k, const struct ml_function *f)
{
    CHECK_CASE("%s %s, lanes", k->isa, f->name);
    fill(about(f->name), about(f->name)->range);
    for (int i = 0; i < N; i += 37)
        a[i] = i % 2 ? 1e12 + i : (double)INFINITY;
    evaluate(f);
    memcpy(first_v, v, sizeof v);
    memcpy(first_d, d, sizeof d);
    double *const all[] = {a, da, b, db};
    for (int j = 0; j < 4; j++) {
        double last = all[j][N - 1];
        memmove(all[j] + 1, all[j], (N - 1) * sizeof *a);
        all[j][0] = last;
    }
    evaluate(f);
    for (int i = 0; i + 1 < N; i++) {
        CHECK(has_bits(v[i + 1], first_v[i]));
        CHECK(has_bits(d[i + 1], first_d[i]));
    }
}

static void bits_are_those_of_the_baseline(const struct ml_kernels *k, int i)
{
    const struct ml_function *f = &k->registry->functions[i],
                             *baseline = &ml_kernels_at(0)->registry->functions[i];
    CHECK_CASE("%s %s, bits", k->isa, f->name);
    CHECK(strcmp(f->name, baseline->name) == 0);
    fill(about(f->name), about(f->name)->range);
    for (int j = 0; j < N; j += 37)
        a[j] *= 1e9;
    evaluate(baseline);
    memcpy(first_v, v, sizeof v);
    memcpy(first_d, d, sizeof d);
    evaluate(f);
    for (int j = 0; j < N; j++) {
        CHECK(has_bits(v[j], first_v[j]));
        CHECK(has_bits(d[j], first_d[j]));
    }
}

int main(void)
{
    const struct ml_kernels *k;
    for (int i = 0; (k = ml_kernels_at(i)); i++) {
        values_are_those_in_60_digits(k);
        derivatives_at_ends_are_those_of_the_rules(k);
        for (int j = 0; k->registry->functions[j].name; j++) {
            error_is_small_in_a_sweep(k, &k->registry->functions[j]);
            derivatives_are_those_of_differences(k, &k->registry->functions[j]);
            special_values_are_as_in_the_c_library(k, &k->registry->functions[j]);
            bits_do_not_depend_on_the_lane(k, &k->registry->functions[j]);
            bits_are_those_of_the_baseline(k, j);
        }
    }
    return check_done();
}
