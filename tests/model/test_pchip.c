/* Smooth curves through samples: those of scipy 1.10.1, and what makes them safe to drive a motor
 * with. */
#include "model/forces/pchip.h"

#include <stdint.h>

#include "check.h"

enum { MOST = 64 };

/* Value and two derivatives at t. */
static void measure_state(int n, const double *time, const double (*cubic)[4], double t,
                          double out[3])
{
    int k = 0;
    while (k < n - 2 && t >= time[k + 1])
        k++;
    const double u = t - time[k], *c = cubic[k];
    out[0] = c[0] + u * (c[1] + u * (c[2] + u * c[3]));
    out[1] = c[1] + u * (2.0 * c[2] + 3.0 * u * c[3]);
    out[2] = 2.0 * c[2] + 6.0 * u * c[3];
}

/* scipy.interpolate.PchipInterpolator(time, value): rows of t, value, first and second derivative.
 */
static void check_like_scipy(int n, const double *time, const double *value, int n_row,
                             const double (*row)[4])
{
    double cubic[MOST][4], found[3];
    ml_pchip(n, time, value, cubic);
    for (int i = 0; i < n_row; i++) {
        measure_state(n, time, (const double(*)[4])cubic, row[i][0], found);
        CHECK_CASE("%d samples, t = %g", n, row[i][0]);
        for (int d = 0; d < 3; d++)
            CHECK_ERROR(fabs(found[d] - row[i][1 + d]), 3e-15 * fmax(fabs(row[i][1 + d]), 1.0));
    }
}

static void curves_are_those_of_scipy(void)
{
    /* data RPN 14 of Fritsch, Carlson, SIAM J. Numer. Anal. 17, 1980: steep, then level */
    static const double time[] = {7.99, 8.09, 8.19, 8.7, 9.2, 10, 12, 15, 20};
    static const double value[] = {0,        2.76429e-5, 4.37498e-2, 0.169183, 0.469428,
                                   0.943740, 0.998636,   0.999919,   0.999994};
    static const double row[][4] = {
        {8.0, 2.7674338631872482e-07, 5.5345184082426873e-05, 0.0055334704538470229},
        {8.14, 0.017697167375919493, 0.57172502067745068, 3.3532432592645485},
        {8.5, 0.11663257693927551, 0.20580225251505585, 0.27202673194790927},
        {9.0, 0.33753432684619816, 0.68124687766927616, 0.18953103041694064},
        {9.7, 0.82856937865231639, 0.63316199617066582, -1.1662641625831187},
        {11, 0.98604336253505021, 0.025866439773565023, -0.029710725070100603},
        {13.3, 0.99951579388929557, 0.00046749618645022773, -0.00029985513078845658},
        {19.5, 0.99999331411076331, 2.757803782829463e-06, -5.6010885834844844e-06},
    };
    check_like_scipy(9, time, value, 8, row);
    /* it turns, stands still and turns again */
    static const double turns[] = {0, 0.5, 0.6, 1.1, 2.0, 2.3};
    static const double at[] = {1.0, -2, -2, 0.5, 3, -4};
    static const double turned[][4] = {
        {0, 1, -11.000000000000002, 16.000000000000014},
        {0.2, -0.84800000000000042, -7.3199999999999994, 20.800000000000004},
        {0.55, -2, 0, 0},
        {0.9, -0.64433566433566425, 6.7594405594405584, -0.25174825174823923},
        {1.9, 2.9505261542298582, 0.96621485510374505, -8.9642867420645196},
        {2.1, 1.8487654320987623, -21.157407407407447, -155.5555555555556},
        {2.3, -4.0000000000000018, -29.861111111111143, 68.51851851851859},
    };
    check_like_scipy(6, turns, at, 7, turned);
}

/* The parabola's derivative at an end is 6.5 and -3.5 here, where the curve must not turn. */
static void ends_are_held_back(void)
{
    static const double time[] = {0, 1, 2}, back[] = {0, 1, -9}, on[] = {0, 1, 11};
    double cubic[2][4];
    CHECK_CASE("ends");
    ml_pchip(3, time, back, cubic);
    CHECK(cubic[0][1] == 3.0);
    ml_pchip(3, time, on, cubic);
    CHECK(cubic[0][1] == 0.0);
}

static void two_samples_make_a_line(void)
{
    static const double time[] = {2, 6}, value[] = {1, 3};
    double cubic[1][4];
    CHECK_CASE("two samples");
    ml_pchip(2, time, value, cubic);
    CHECK(cubic[0][0] == 1.0 && cubic[0][1] == 0.5 && cubic[0][2] == 0.0 && cubic[0][3] == 0.0);
}

static void lines_stay_lines(void)
{
    static const double time[] = {-1, 0.1, 0.15, 2, 7, 7.3};
    double value[6], cubic[5][4], found[3];
    for (int i = 0; i < 6; i++)
        value[i] = 3.0 - 0.7 * time[i];
    ml_pchip(6, time, value, cubic);
    for (int k = 0; k <= 830; k++) {
        const double t = -1.0 + 0.01 * k;
        measure_state(6, time, (const double(*)[4])cubic, t, found);
        CHECK_CASE("a line at t = %g", t);
        CHECK_ERROR(fabs(found[0] - (3.0 - 0.7 * t)), 3e-15);
        CHECK_ERROR(fabs(found[1] + 0.7), 2e-14);
    }
}

/* Numbers in [0, 1) by an odd multiplier. */
static double next(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 11) * 0x1p-53;
}

/* Uneven samples with jumps over decades, rising except where they stand still. */
static void curves_rise_where_samples_rise(void)
{
    enum { N = 40, FINE = 200 };
    uint64_t state = 7;
    for (int round = 0; round < 50; round++) {
        double time[N] = {0.0}, value[N] = {0.0}, cubic[N][4], found[3];
        for (int i = 1; i < N; i++) {
            time[i] = time[i - 1] + 0.01 + next(&state);
            value[i] = value[i - 1] + (i % 7 == 0 ? 0.0 : pow(10.0, -4.0 * next(&state)));
        }
        ml_pchip(N, time, value, cubic);
        CHECK_CASE("round %d", round);
        for (int i = 0; i < (N - 1) * FINE; i++) {
            const int k = i / FINE;
            const double t = time[k] + (time[k + 1] - time[k]) * (i % FINE) / FINE;
            measure_state(N, time, (const double(*)[4])cubic, t, found);
            CHECK(found[1] >= 0.0 && found[0] >= value[k] && found[0] <= value[k + 1]);
        }
    }
}

static void value_and_rate_have_no_jumps(void)
{
    enum { N = 60 };
    uint64_t state = 3;
    double time[N] = {0.0}, value[N] = {0.0}, cubic[N][4];
    for (int i = 1; i < N; i++) {
        time[i] = time[i - 1] + 0.05 + next(&state);
        value[i] = next(&state) - 0.5;
    }
    ml_pchip(N, time, value, cubic);
    for (int k = 0; k + 2 < N; k++) {
        const double u = time[k + 1] - time[k], *c = cubic[k];
        const double end = c[0] + u * (c[1] + u * (c[2] + u * c[3]));
        const double rate = c[1] + u * (2.0 * c[2] + 3.0 * u * c[3]);
        CHECK_CASE("knot %d", k + 1);
        CHECK_ERROR(fabs(end - cubic[k + 1][0]), 5e-16);
        CHECK_ERROR(fabs(rate - cubic[k + 1][1]), 1e-14);
    }
}

int main(void)
{
    curves_are_those_of_scipy();
    ends_are_held_back();
    two_samples_make_a_line();
    lines_stay_lines();
    curves_rise_where_samples_rise();
    value_and_rate_have_no_jumps();
    return check_done();
}
