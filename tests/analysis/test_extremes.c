/* The largest rate and drift of a study that says nothing of observations: against the energy of a
 * pendulum, all samples, and observations at every step. */
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
    double drift[N_RUN], median, most;
    int n = 0;
    for (int run = 0; run < N_RUN; run++) {
        const double *some = measured(&few, "max_rate", run),
                     *every = measured(&all, "max_rate", run);
        if (!(every[0] > 1e-6)) /* hangs still */
            continue;
        CHECK(some[0] == every[0] && some[1] == every[1]);
        drift[n++] =
            1.0 - measured(&few, "energy_drift", run)[0] / measured(&all, "energy_drift", run)[0];
    }
    CHECK(n > N_RUN - 10);
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
    CHECK_ERROR(most, 1e-2);
    measured_free(&m);
}

/* Runs of three rods, let go at rest, with all their samples. */
static struct measured sampled_chains(const char *angles, const char *more, const char *isa)
{
    char text[1024];
    (void)snprintf(text, sizeof text,
                   "manylink: 1\n"
                   "system: {type: chain, angles: %s, segments: [{name: a, length: 1, mass: 1},\n"
                   "         {name: b, length: 1, mass: 1}, {name: c, length: 0.5, mass: 2}]}\n"
                   "time: {step: 5e-3, end: 2.015}\n"
                   "sweep: [{set: initial.angle.a, from: 0.1, to: 3, count: 37}]\n"
                   "save: {trajectory: {every: 1, quantities: [rate, energy]}}\n%s",
                   angles, more);
    return measure(text, isa, 2);
}

/* The largest rates are those of all samples, drifts those of every fifth and the last. */
static void samples_show_what_kernels_measure(const char *angles, const char *more, const char *isa)
{
    struct measured m = sampled_chains(angles, more, isa);
    const int64_t n = m.results.n_sample;
    const double scale = (3.5 + 2.5 + 0.5) * 9.81; /* kg m of the segments, and gravity */
    double error = 0.0;
    CHECK_CASE("%s, %s, %s", isa ? isa : "any", angles, more);
    for (int run = 0; run < 37; run++) {
        const double *rate = measured_record(&m, "rate", run);
        const double *energy = measured_record(&m, "energy", run);
        double largest[3] = {0.0}, drift = fabs(energy[n - 1] - energy[0]);
        for (int64_t i = 0; i < 3 * n; i++)
            largest[i / n] = fmax(largest[i / n], fabs(rate[i]));
        for (int64_t k = 0; k < n; k += 5)
            drift = fmax(drift, fabs(energy[k] - energy[0]));
        CHECK(memcmp(measured(&m, "max_rate", run), largest, sizeof largest) == 0);
        error = fmax(error, fabs(measured(&m, "energy_drift", run)[0] * scale / drift - 1.0));
    }
    CHECK_ERROR(error, 2e-15);
    measured_free(&m);
}

int main(void)
{
    for (int i = 0; ml_kernels_at(i); i++)
        a_pendulum_is_fastest_at_its_lowest_point(ml_kernels_at(i)->isa);
    for (int i = 0; ml_kernels_at(i); i++) {
        samples_show_what_kernels_measure("segment", "", ml_kernels_at(i)->isa);
        samples_show_what_kernels_measure("joint", "", ml_kernels_at(i)->isa);
    }
    samples_show_what_kernels_measure("joint", "integrator: {type: gauss4}\n", NULL);
    samples_show_what_kernels_measure("segment",
                                      "integrator: {type: rk4, summation: compensated}\n", NULL);
    samples_show_what_kernels_measure("joint", "analyse: {lyapunov: {}}\n", NULL);
    samples_show_what_kernels_measure(
        "joint", "events: [{name: zero, when: angle.b, crosses: 0, max: 9}]\n", NULL);
    few_observations_show_what_all_would();
    a_bounce_is_no_faster_than_the_motion();
    return check_done();
}
