/* Periods and attractors of points that are made by hand, and of the logistic map, whose cycles are
 * known. */
#include <math.h>
#include <stdlib.h>

#include "basins/attractors.h"
#include "check.h"

#define TURN 0x1.921fb54442d18p+2 /* 2 pi */

static const double plain[] = {0.0, 0.0}, turning[] = {TURN, 0.0};

static int period_of(const struct ml_cycle_metric *metric, int n_point, const double *points)
{
    return ml_cycle_of(metric, n_point, points).period;
}

/* The last 64 points of x -> r x (1 - x). */
static void iterate(double r, double *points)
{
    double x = 0.3;
    for (int i = 0; i < 4000; i++) {
        x = r * x * (1.0 - x);
        if (i >= 4000 - 64)
            points[i - (4000 - 64)] = x;
    }
}

/* May, Simple mathematical models with very complicated dynamics, Nature 261 (1976) 459: periods 1,
 * 2, 4, 8 and the window of 3; at r = 4 none. */
static void the_logistic_map_has_its_periods(void)
{
    static const struct {
        double r;
        int period;
    } known[] = {{2.8, 1}, {3.2, 2}, {3.5, 4}, {3.55, 8}, {3.83, 3}, {4.0, 0}};
    const struct ml_cycle_metric metric = {1, plain, 1e-9};
    double points[64];
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        iterate(known[i].r, points);
        CHECK_CASE("r = %g", known[i].r);
        CHECK(period_of(&metric, 64, points) == known[i].period);
        CHECK((ml_cycle_of(&metric, 64, points).end == ML_CYCLE_APERIODIC) ==
              (known[i].period == 0));
    }
}

static void angles_are_the_same_after_a_turn(void)
{
    const double points[] = {0.1, 1.0, 0.1 + TURN, 1.0, 0.1 + 2 * TURN, 1.0, 0.1 - TURN, 1.0};
    const struct ml_cycle_metric turns = {2, turning, 1e-9}, does_not = {2, plain, 1e-9};
    CHECK(period_of(&turns, 4, points) == 1);
    CHECK(period_of(&does_not, 4, points) == 0);
}

static void what_is_not_a_number_has_not_settled(void)
{
    const double points[] = {1.0, 1.0, (double)NAN, 1.0};
    const struct ml_cycle_metric metric = {1, plain, 1e-3};
    CHECK(period_of(&metric, 4, points) == 0);
    CHECK(period_of(&metric, 1, points) == 0); /* nothing comes back */
}

/* Points c + A rho^i of a run that comes in along a line, from side to side or in a spiral: they
 * have settled on a cycle of one where the last is within the tolerance of c, and else on none. */
static void what_comes_in_has_no_other_period(void)
{
    enum { N = 20 };
    static const double tolerances[] = {1e-1, 1e-2, 1e-3, 1e-4};
    static const double angles[] = {0.0, 0.1, 0.5, 1.4142, 2.0, 3.0, 3.141592653589793};
    static const double rates[] = {0.5, 0.8, 0.9, 0.95, 0.98};
    int n_settled = 0;
    for (size_t i = 0; i < 4 * 7 * 5; i++) {
        const struct ml_cycle_metric metric = {2, plain, tolerances[i % 4]};
        const double angle = angles[i / 4 % 7], rate = rates[i / 28];
        double points[2 * N];
        for (int k = 0; k < N; k++) {
            points[2 * k] = 1.0 + 0.3 * pow(rate, k) * cos(angle * k);
            points[2 * k + 1] = 0.3 * pow(rate, k) * sin(angle * k);
        }
        const struct ml_cycle cycle = ml_cycle_of(&metric, N, points);
        CHECK_CASE("tolerance %g, angle %g, rate %g", metric.tolerance, angle, rate);
        CHECK(cycle.period <= 1);
        CHECK(cycle.end != ML_CYCLE_SETTLED || 0.3 * pow(rate, N - 1) <= 1.2 * metric.tolerance);
        n_settled += cycle.end == ML_CYCLE_SETTLED;
    }
    CHECK(n_settled >= 30);
}

/* The same about a cycle of three, and a cycle that is within the tolerance of a point. */
static void periods_are_those_of_the_end(void)
{
    enum { N = 24 };
    static const double cycle[] = {1.0, 2.0, 4.0};
    const struct ml_cycle_metric fine = {1, plain, 1e-3}, coarse = {1, plain, 5.0};
    double points[N];
    for (int k = 0; k < N; k++)
        points[k] = cycle[k % 3] + 0.5 * pow(-0.5, k);
    CHECK(period_of(&fine, N, points) == 3);
    for (int k = 0; k < N; k++)
        points[k] = cycle[k % 3];
    CHECK(period_of(&fine, N, points) == 3);
    CHECK(period_of(&coarse, N, points) == 1);
    for (int k = 0; k < N; k++)
        points[k] = cycle[k % 3] + 0.5 * pow(-0.98, k);
    CHECK(period_of(&fine, N, points) == 0);
}

/* Adds runs, then labels them. */
static void find(struct ml_attractors *found, int n_run, int n_point, const double *const *runs,
                 int *label)
{
    for (int i = 0; i < n_run; i++) {
        const struct ml_cycle cycle = ml_cycle_of(&found->metric, n_point, runs[i]);
        if (cycle.end == ML_CYCLE_SETTLED)
            CHECK(ml_attractors_add(found, 10 + i, &cycle, n_point, runs[i]));
    }
    CHECK(ml_attractors_merge(found));
    for (int i = 0; i < n_run; i++) {
        const struct ml_cycle cycle = ml_cycle_of(&found->metric, n_point, runs[i]);
        label[i] = ml_attractors_label(found, &cycle, n_point, runs[i]);
    }
}

/* Cycles may begin anywhere. */
static void runs_are_labelled_by_their_attractor(void)
{
    const double a[] = {1.0, 2.0, 1.0, 2.0}, b[] = {2.0, 1.0, 2.0, 1.0}, c[] = {5.0, 5.0, 5.0, 5.0};
    const double d[] = {1.0, 2.0, 3.0, 4.0};
    const double *const runs[] = {c, a, b, d, a, c, b};
    const int wanted[] = {0, 1, 1, -1, 1, 0, 1};
    struct ml_attractors found = {.metric = {1, plain, 1e-6}, .most = 2};
    int label[7];
    find(&found, 7, 4, runs, label);
    for (int i = 0; i < 7; i++)
        CHECK(label[i] == wanted[i]);
    CHECK(found.n == 2 && found.found[0].count == 2 && found.found[1].count == 4);
    CHECK(found.found[0].first == 10 && found.found[1].first == 11);
    CHECK(found.found[0].period == 1 && found.found[1].period == 2);
    ml_attractors_free(&found);
}

/* Which run comes first does not matter: those that come in are of the attractor of the run that
 * has settled best; what ends within ten tolerances and comes nearer is so too. */
static void late_runs_belong_to_the_attractor(void)
{
    enum { N = 12, RUNS = 9 };
    static double points[RUNS][N];
    const double *runs[RUNS];
    int label[RUNS];
    for (int order = 0; order < 2; order++) {
        struct ml_attractors found = {.metric = {1, plain, 1e-3}, .most = N / 2};
        for (int i = 0; i < RUNS; i++) {
            for (int k = 0; k < N; k++)
                points[i][k] = 3.0 + pow(0.5, i) * 0.1 * pow(-0.7, k);
            runs[order == 0 ? i : RUNS - 1 - i] = points[i];
        }
        find(&found, RUNS, N, runs, label);
        CHECK_CASE("order %d", order);
        CHECK(found.n == 1 && found.found[0].period == 1);
        CHECK_ERROR(fabs(found.points[0] - 3.0), 1e-5);
        CHECK(found.found[0].count >= RUNS - 1 && found.found[0].late >= 2);
        ml_attractors_free(&found);
    }
}

/* A family of cycles, as many as runs: each is found again, by an angle after any number of turns
 * and through the place where turns begin. Gone through one by one they would take minutes. */
static void there_is_room_for_many(void)
{
    enum { N = 100000 };
    const double *const modulus[] = {plain, turning};
    for (int m = 0; m < 2; m++) {
        const double tolerance = 1e-2 * TURN / N;
        struct ml_attractors found = {.metric = {1, modulus[m], tolerance}, .most = 1};
        const struct ml_cycle cycle = {ML_CYCLE_SETTLED, 1, 0.0};
        int n_other = 0;
        for (int i = 0; i < N; i++) {
            const double at[] = {TURN * i / N, TURN * i / N};
            CHECK(ml_attractors_add(&found, i, &cycle, 2, at));
        }
        CHECK(ml_attractors_merge(&found));
        for (int i = 0; i < N; i++) {
            const double turns = m == 0 ? 0.0 : TURN * (i % 7 - 3);
            const double x = TURN * i / N + turns + (i % 3 - 1) * 0.4 * tolerance;
            const double at[] = {x, x};
            n_other += ml_attractors_label(&found, &cycle, 2, at) != i;
        }
        CHECK_CASE("modulus %d", m);
        CHECK(found.n == N && n_other == 0);
        ml_attractors_free(&found);
    }
}

/* Runs that each settle better than the run before, on the same fixed point: the list of points
 * near to one does not grow with the runs. */
static void settling_better_takes_no_room(void)
{
    const double at[] = {1.0, 1.0};
    struct ml_attractors found = {.metric = {1, plain, 1e-3}, .most = 1};
    for (int i = 0; i < 1000; i++) {
        const struct ml_cycle cycle = {ML_CYCLE_SETTLED, 1, 1e-6 / (1 + i)};
        CHECK(ml_attractors_add(&found, i, &cycle, 2, at));
    }
    CHECK(found.n == 1 && found.near.n == 1);
    ml_attractors_free(&found);
}

int main(void)
{
    the_logistic_map_has_its_periods();
    angles_are_the_same_after_a_turn();
    what_is_not_a_number_has_not_settled();
    what_comes_in_has_no_other_period();
    periods_are_those_of_the_end();
    runs_are_labelled_by_their_attractor();
    late_runs_belong_to_the_attractor();
    there_is_room_for_many();
    settling_better_takes_no_room();
    return check_done();
}
