/* The largest rate and drift of a study that says nothing of observations: against the energy of a
 * pendulum, and against observations at every step. */
#include <math.h>

#include "analysis/measured.h"

/* A rod of length 1 let go at rest, at angles a from downwards: its largest rate is that of
 * omega^2 / 6 = g (1 - cos a) / 2. It swings through the lowest point between two observations. */
static void a_pendulum_is_fastest_at_its_lowest_point(const char *isa)
{
    struct measured m =
        measure("manylink: 1\nsystem: {type: chain, zero: down, segments: [{length: 1, mass: 1}]}\n"
                "time: {step: 0.01, end: 8}\n"
                "sweep: [{set: initial.angle.1, from: 0.3, to: 2.9, count: 48}]\n",
                isa, 1);
    double worst = 0.0;
    for (int run = 0; run < 48; run++) {
        const double a = 0.3 + 2.6 * run / 47.0, exact = sqrt(3.0 * 9.81 * (1.0 - cos(a)));
        worst = fmax(worst, fabs(measured(&m, "max_rate", run)[0] / exact - 1.0));
    }
    CHECK_CASE("%s", isa);
    CHECK_ERROR(worst, 2e-4);
    measured_free(&m);
}

enum { SIDE = 17, N_RUN = SIDE * SIDE };

static struct measured double_pendulums(const char *more)
{
    char text[1024];
    (void)snprintf(text, sizeof text,
                   "manylink: 1\n"
                   "system: {type: chain, segments: [{length: 1, mass: 1}, {length: 1, mass: 1}]}\n"
                   "time: {step: 2e-3, end: 10}\n"
                   "sweep: [{set: initial.angle.1, from: -3, to: 3, count: %d},\n"
                   "        {set: initial.angle.2, from: -3, to: 3, count: %d}]\n%s",
                   SIDE, SIDE, more);
    return measure(text, NULL, 2);
}

static int ascending(const void *a, const void *b)
{
    double p = *(const double *)a, q = *(const double *)b;
    return p < q ? -1 : p > q ? 1 : 0;
}

/* Median and largest of n numbers. */
static void find_spread(int n, double *value, double *median, double *most)
{
    qsort(value, (size_t)n, sizeof *value, ascending);
    *median = value[n / 2];
    *most = value[n - 1];
}

static void few_observations_show_what_all_would(void)
{
    struct measured few = double_pendulums(""), all = double_pendulums("analyse: {every: 1}\n");
    double rate[2 * N_RUN], drift[N_RUN], median, most;
    int n = 0;
    for (int run = 0; run < N_RUN; run++) {
        const double *some = measured(&few, "max_rate", run),
                     *every = measured(&all, "max_rate", run);
        if (!(every[0] > 1e-6)) /* hangs still */
            continue;
        for (int i = 0; i < 2; i++)
            rate[2 * n + i] = fabs(1.0 - some[i] / every[i]);
        drift[n++] =
            1.0 - measured(&few, "energy_drift", run)[0] / measured(&all, "energy_drift", run)[0];
    }
    CHECK(n > N_RUN - 10);
    CHECK_CASE("rates");
    find_spread(2 * n, rate, &median, &most);
    CHECK_ERROR(median, 3e-4);
    CHECK_ERROR(most, 0.02);
    CHECK_CASE("drifts");
    find_spread(n, drift, &median, &most);
    CHECK_ERROR(median, 0.04);
    CHECK_ERROR(most, 0.6);
    measured_free(&few);
    measured_free(&all);
}

/* A rod that turns without gravity onto the stiff end of its joint's range and back. */
static void a_bounce_is_no_faster_than_the_motion(void)
{
    struct measured m =
        measure("manylink: 1\n"
                "system: {type: chain, gravity: 0, segments: [{name: rod, length: 1, mass: 1}]}\n"
                "forces: [{type: joint_limit, joint: rod, upper: 1, stiffness: 2e5}]\n"
                "initial: {rate: 5}\n"
                "time: {step: 1e-3, end: 0.4}\n"
                "sweep: [{set: initial.angle.rod, from: 0, to: 0.1, count: 64}]\n",
                NULL, 2);
    double most = 0.0;
    for (int run = 0; run < 64; run++)
        most = fmax(most, measured(&m, "max_rate", run)[0] / 5.0 - 1.0);
    CHECK_CASE("bounces");
    CHECK_ERROR(most, 1.0 / 32.0); /* the parabola through 1, 1, 3/4 */
    measured_free(&m);
}

int main(void)
{
    for (int i = 0; ml_kernels_at(i); i++)
        a_pendulum_is_fastest_at_its_lowest_point(ml_kernels_at(i)->isa);
    few_observations_show_what_all_would();
    a_bounce_is_no_faster_than_the_motion();
    return check_done();
}
