/* Periods and attractors of points that are made by hand, and of the logistic map, whose cycles are
 * known. */
#include <math.h>
#include <stdlib.h>

#include "basins/cycle.h"
#include "check.h"

#define TURN 0x1.921fb54442d18p+2 /* 2 pi */

static const double plain[] = {0.0, 0.0}, turning[] = {TURN, 0.0};

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
        CHECK(ml_cycle_period(&metric, 64, points) == known[i].period);
    }
}

static void angles_are_the_same_after_a_turn(void)
{
    const double points[] = {0.1, 1.0, 0.1 + TURN, 1.0, 0.1 + 2 * TURN, 1.0, 0.1 - TURN, 1.0};
    const struct ml_cycle_metric turns = {2, turning, 1e-9}, does_not = {2, plain, 1e-9};
    CHECK(ml_cycle_period(&turns, 4, points) == 1);
    CHECK(ml_cycle_period(&does_not, 4, points) == 0);
}

static void what_is_not_a_number_has_not_settled(void)
{
    const double points[] = {1.0, 1.0, (double)NAN, 1.0};
    const struct ml_cycle_metric metric = {1, plain, 1e-3};
    CHECK(ml_cycle_period(&metric, 4, points) == 0);
    CHECK(ml_cycle_period(&metric, 1, points) == 0); /* nothing comes back */
}

/* Cycles may begin anywhere; the most frequent one is the first. */
static void runs_are_labelled_by_their_attractor(void)
{
    const double a[] = {1.0, 2.0, 1.0, 2.0}, b[] = {2.0, 1.0, 2.0, 1.0}, c[] = {5.0, 5.0, 5.0, 5.0};
    const double d[] = {1.0, 2.0, 3.0, 4.0};
    const double *const runs[] = {c, a, b, d, a, c, b};
    const int wanted[] = {0, 1, 1, -1, 1, 0, 1};
    struct ml_attractors found = {.metric = {1, plain, 1e-6}, .most = 2};
    int label[2];
    for (int i = 0; i < 7; i++)
        CHECK(ml_attractors_add(&found, 10 + i, 4, runs[i]) == wanted[i]);
    CHECK(found.n == 2 && found.count[0] == 2 && found.count[1] == 4);
    CHECK(found.first[0] == 10 && found.first[1] == 11);
    CHECK(found.period[0] == 1 && found.period[1] == 2);
    ml_attractors_rank(&found, label);
    CHECK(label[0] == 2 && label[1] == 1);
    ml_attractors_free(&found);
}

static void there_is_room_for_many(void)
{
    struct ml_attractors found = {.metric = {1, plain, 1e-3}, .most = 1};
    for (int i = 0; i < 100; i++) {
        const double at[] = {i, i};
        CHECK(ml_attractors_add(&found, i, 2, at) == i);
    }
    CHECK(found.n == 100 && found.points[99] == 99.0);
    ml_attractors_free(&found);
}

int main(void)
{
    the_logistic_map_has_its_periods();
    angles_are_the_same_after_a_turn();
    what_is_not_a_number_has_not_settled();
    runs_are_labelled_by_their_attractor();
    there_is_room_for_many();
    return check_done();
}
