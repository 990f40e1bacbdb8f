/* Effects of one input at a time: of a polynomial by hand; where runs have no finite number. */
#include <math.h>

#include "check.h"
#include "manylink/indices.h"

enum { N = 3, N_POINT = 5, N_RUN = 1 + N * N_POINT };

static double x[N * N_RUN], y[N_RUN];

/* 3 a + (b - 1)^2 + 2 with a in 0 .. 4, b in -2 .. 2, and c without effect in 1 .. 5. */
static void fill(void)
{
    const double low[N] = {0.0, -2.0, 1.0};
    for (int r = 0; r < N_RUN; r++) {
        for (int i = 0; i < N; i++) {
            const int step = r > 0 && (r - 1) / N_POINT == i ? (r - 1) % N_POINT : 2;
            x[i * N_RUN + r] = low[i] + step;
        }
        y[r] = 3.0 * x[r] + (x[N_RUN + r] - 1.0) * (x[N_RUN + r] - 1.0) + 2.0;
    }
}

int main(void)
{
    struct ml_oat_effect e[N];
    fill();
    CHECK(ml_oat_effects_find(x, y, N_POINT, N, e) == N_RUN); /* 9 in the middle */
    CHECK(e[0].at_lowest == -6.0 && e[0].at_highest == 6.0 && e[0].swing == 12.0);
    CHECK_ERROR(fabs(e[0].elasticity - 3.0 * 2.0 / 9.0), 1e-15);
    CHECK(e[1].at_lowest == 8.0 && e[1].at_highest == 0.0 && e[1].swing == 9.0); /* least at 1 */
    CHECK(isnan(e[1].elasticity)); /* b is 0 in the middle */
    CHECK(e[2].swing == 0.0 && e[2].elasticity == 0.0 && e[2].at_lowest == 0.0);
    x[N_RUN] = 1e-16; /* 0 but for rounding, as the output */
    CHECK(ml_oat_effects_find(x, y, N_POINT, N, e) == N_RUN && isnan(e[1].elasticity));
    y[0] = 1e-16;
    CHECK(ml_oat_effects_find(x, y, N_POINT, N, e) == N_RUN && isnan(e[0].elasticity));
    fill();

    y[1] = (double)NAN;      /* a = 0 */
    y[4] = (double)INFINITY; /* a = 3: the next above the middle is 4 */
    CHECK(ml_oat_effects_find(x, y, N_POINT, N, e) == N_RUN - 2);
    CHECK(isnan(e[0].at_lowest) && e[0].at_highest == 6.0 && e[0].swing == 9.0);
    CHECK_ERROR(fabs(e[0].elasticity - 3.0 * 2.0 / 9.0), 1e-15);
    y[5] = (double)NAN; /* no run above the middle */
    CHECK(ml_oat_effects_find(x, y, N_POINT, N, e) == N_RUN - 3 && isnan(e[0].elasticity));
    y[0] = (double)NAN;
    CHECK(ml_oat_effects_find(x, y, N_POINT, N, e) == 0);

    fill(); /* one value of each input, the middle */
    CHECK(ml_oat_effects_find(x, y, 0, N, e) == 1 && e[0].swing == 0.0);
    return check_done();
}
