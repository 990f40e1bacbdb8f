/* Events of an oscillator are where mathematics has them: x = cos t. */
#include <stdint.h>
#include <string.h>

#include "check.h"
#include "manylink/run.h"
#include "study.h"

enum { MOST = 32 };
static const double pi = 3.14159265358979323846;

/* How it is integrated, and how large the errors of times and values are. */
struct way {
    const char *name, *keys;
    double error;
    int stiffness; /* N/m */
};

static const struct way ways[] = {
    {"rk4", "time: {step: 1e-2, end: 20}\n", 5e-9, 1},
    {"rk4 with a tangent vector",
     "time: {step: 1e-2, end: 20}\nanalyse: {lyapunov: {exponents: 1, transient: 0}}\n", 5e-9, 1},
    {"dop853", "time: {tick: 20, end: 20}\nintegrator: {type: dop853, tolerance: 1e-14}\n", 3e-12,
     1},
    {"tp86", "time: {tick: 0.5, end: 20}\nintegrator: {type: tp86, tolerance: 1e-14}\n", 3e-12, 1},
};

/* What a run has of one event. */
struct found {
    double time, count, times[MOST], kept[MOST];
};

static double read_number(struct ml_result *result, const char *event, const char *what,
                          double *values)
{
    struct ml_error err = {0};
    char path[128];
    double one[MOST] = {0.0}, *to = values ? values : one;
    struct ml_array_info info = {.size = sizeof info};
    (void)snprintf(path, sizeof path, "summary/%s_%s", event, what);
    if (ml_result_find(result, path, &info)) {
        const size_t n = info.rank > 0 ? (size_t)info.shape[0] : 1;
        CHECK(ml_result_read(result, path, NULL, NULL, to, n, &err) == ML_OK);
        (void)fputs(err.text ? err.text : "", stderr);
    }
    ml_error_clear(&err);
    return to[0];
}

static struct found find(struct ml_result *result, const char *event)
{
    struct found found = {0};
    found.time = read_number(result, event, "time", NULL);
    found.count = read_number(result, event, "count", NULL);
    (void)read_number(result, event, "times", found.times);
    (void)read_number(result, event, "position", found.kept);
    return found;
}

static struct ml_result *run_text(const char *text)
{
    struct ml_error err = {0};
    struct ml_study *study = NULL;
    struct ml_result *result = NULL;
    const struct ml_run_options options = {.size = sizeof options, .n_thread = 1, .accuracy = -1};
    CHECK(ml_study_load(STUDY_TEXT("text", text), &study, &err) == ML_OK);
    if (study)
        CHECK(ml_run_memory(study, &options, &result, NULL, &err) == ML_OK);
    (void)fputs(err.text ? err.text : "", stderr);
    ml_error_clear(&err);
    ml_study_free(study);
    return result;
}

/* A run from position 1 at rest, or as `initial` says. */
static struct ml_result *run(const struct way *way, const char *initial, const char *events)
{
    char text[4096];
    (void)snprintf(text, sizeof text,
                   "manylink: 1\n"
                   "system: {type: mass_spring_damper, mass: [1], stiffness: [%d]}\n"
                   "initial: {%s}\n%s"
                   "events:\n%s",
                   way->stiffness, initial, way->keys, events);
    return run_text(text);
}

/* The event of that name, of a run as above. */
static struct found run_for(const struct way *way, const char *initial, const char *event)
{
    char events[512];
    (void)snprintf(events, sizeof events, "  - {name: it, max: 32, keep: [position], %s}\n", event);
    struct ml_result *result = run(way, initial, events);
    const struct found found = find(result, "it");
    ml_result_free(result);
    return found;
}

/* Times are first, first + period, ..., `n` of them. */
static void times_are(const struct found *found, double first, double period, int n, double error)
{
    CHECK(found->count == n);
    for (int i = 0; i < n; i++)
        CHECK_ERROR(fabs(found->times[i] - (first + i * period)), error);
    CHECK(isnan(found->times[n]) && isnan(found->kept[n]));
    CHECK(n > 0 ? found->time == found->times[0] : isnan(found->time));
}

static void crossings_are_where_cosine_is_zero(const struct way *way)
{
    struct found found = run_for(way, "position: 1", "when: position, crosses: 0");
    times_are(&found, pi / 2.0, pi, 6, way->error);
    for (int i = 0; i < 6; i++)
        CHECK_ERROR(fabs(found.kept[i]), 4e-15);
    found = run_for(way, "position: 1", "when: position, crosses: 0, direction: up");
    times_are(&found, 1.5 * pi, 2.0 * pi, 3, way->error);
    found = run_for(way, "position: 1", "when: position, crosses: 0, direction: down");
    times_are(&found, 0.5 * pi, 2.0 * pi, 3, way->error);
    found = run_for(way, "position: 1", "when: position, crosses: 0, from: 5");
    times_are(&found, 2.5 * pi, pi, 4, way->error);
    found = run_for(way, "position: 1", "when: position, crosses: 0, least: 4");
    times_are(&found, 0.5 * pi, 2.0 * pi, 3, way->error);
}

/* 1.5 cos t passes -1.25, -0.75, ... 1.25. */
static void levels_are_passed_one_by_one(const struct way *way)
{
    const struct found found =
        run_for(way, "position: 1.5", "when: position, crosses: 0.25, every: 0.5, direction: down");
    CHECK(found.count == 20.0); /* six in each of three half periods, and two */
    for (int i = 0; i < 6; i++)
        CHECK_ERROR(fabs(found.times[i] - acos((1.25 - 0.5 * i) / 1.5)), way->error);
}

static void extremes_are_where_sine_is_zero(const struct way *way)
{
    struct found found = run_for(way, "position: 1", "of: position");
    times_are(&found, 2.0 * pi, 2.0 * pi, 3, way->error);
    CHECK_ERROR(fabs(found.kept[2] - 1.0), way->error);
    found = run_for(way, "position: 1", "of: position, kind: minimum");
    times_are(&found, pi, 2.0 * pi, 3, way->error);
    found = run_for(way, "position: 1", "of: position, kind: either");
    times_are(&found, pi, pi, 6, way->error);
    found = run_for(way, "position: 1", "of: kinetic_energy");
    times_are(&found, pi / 2.0, pi, 6, way->error);
}

/* `from` is within the step that has the event, right before it or behind it. */
static void the_first_is_the_first_behind_from(const struct way *way)
{
    struct found found = run_for(way, "position: 1", "when: position, crosses: 0, from: 1.5705");
    times_are(&found, 0.5 * pi, pi, 6, way->error);
    found = run_for(way, "position: 1", "when: position, crosses: 0, from: 1.5709");
    times_are(&found, 1.5 * pi, pi, 5, way->error);
    found = run_for(way, "position: 1", "of: position, kind: either, from: 3");
    times_are(&found, pi, pi, 6, way->error);
    /* 12.57 is nearer than 12.56: of steps looked at together, the value turns at the end of its
     * own */
    found = run_for(way, "position: 1", "of: position, kind: either, from: 12.555");
    times_are(&found, 4.0 * pi, pi, 3, way->error);
    found = run_for(way, "position: 1", "of: position, kind: minimum, from: 3.1415");
    times_are(&found, pi, 2.0 * pi, 3, way->error);
    found = run_for(way, "position: 1", "of: position, kind: minimum, from: 3.1417");
    times_are(&found, 3.0 * pi, 2.0 * pi, 2, way->error);
}

static void strobes_are_at_their_times(const struct way *way)
{
    struct found found = run_for(way, "position: 1", "period: 2.5, phase: 0.75");
    times_are(&found, 0.75, 2.5, 8, 0.0);
    for (int i = 0; i < 8; i++)
        CHECK_ERROR(fabs(found.kept[i] - cos(found.times[i])), way->error);
    found = run_for(way, "position: 1", "period: 5");
    times_are(&found, 0.0, 5.0, 5, 0.0);
    found = run_for(way, "position: 1", "period: 5, from: 5.5");
    times_are(&found, 10.0, 5.0, 3, 0.0);
}

/* Above 0.999999 the oscillator is for less than a step. */
static void two_crossings_in_one_step_are_seen(const struct way *way)
{
    const double half = acos(0.999999);
    struct found found = run_for(way, "position: 1", "when: position, crosses: 0.999999");
    CHECK(found.count == 7.0);
    for (int i = 0; i < 7; i++)
        CHECK_ERROR(fabs(found.times[i] - (2.0 * pi * ((i + 1) / 2) + (i % 2 ? -half : half))),
                    10.0 * way->error);
    found = run_for(way, "position: 1", "when: position, crosses: -0.999999, direction: down");
    times_are(&found, pi - half, 2.0 * pi, 3, 10.0 * way->error);
}

static void nothing_is_beyond_the_top(const struct way *way)
{
    const struct found found = run_for(way, "position: 1", "when: position, crosses: 1.0000001");
    times_are(&found, 0.0, 0.0, 0, 0.0);
}

/* A start on the level is no crossing, whichever way it leaves. */
static void a_start_on_the_level_is_none(const struct way *way)
{
    struct found found = run_for(way, "velocity: 1", "when: position, crosses: 0");
    times_are(&found, pi, pi, 6, way->error);
    found = run_for(way, "velocity: -1", "when: position, crosses: 0");
    times_are(&found, pi, pi, 6, way->error);
    found = run_for(way, "position: 1", "when: position, crosses: 1");
    CHECK(found.count <= 6.0); /* it touches the level, within rounding */
}

/* Free motion with velocity 1 is exact: 0.25 and 0.5 are ends of steps. */
static void a_crossing_on_the_end_of_a_step_counts_once(void)
{
    static const struct way free_motion = {"free", "time: {step: 0.0625, end: 2}\n", 0.0, 0};
    const struct found found =
        run_for(&free_motion, "velocity: 1", "when: position, crosses: 0.25, every: 0.25");
    CHECK(found.count == 7.0); /* the one at the end is reached, but not passed */
    for (int i = 0; i < 7; i++)
        CHECK(found.times[i] == 0.25 * (i + 1) && found.kept[i] == found.times[i]);
}

/* A rod that turns freely passes upright once in every turn; its angle goes on beyond pi, and a
 * jump back to -pi, of an angle that is wrapped, would count twice. */
static void an_angle_that_turns_passes_upright_once_a_turn(const struct way *way)
{
    static const struct {
        int rate; /* rad/s */
        const char *direction;
        int n;
    } cases[] = {{1, "either", 3},  {1, "up", 3},    {1, "down", 0},
                 {-1, "either", 3}, {-1, "down", 3}, {-1, "up", 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[1024];
        (void)snprintf(text, sizeof text,
                       "manylink: 1\n"
                       "system: {type: chain, gravity: 0, segments: [{length: 1, mass: 1}]}\n"
                       "initial: {rate: [%d]}\n%s"
                       "events: [{name: it, max: 32, when: angle.1, crosses: pi, every: 2*pi, "
                       "direction: %s}]\n",
                       cases[i].rate, way->keys, cases[i].direction);
        struct ml_result *result = run_text(text);
        const struct found found = find(result, "it");
        CHECK(found.count == cases[i].n);
        for (int k = 0; k < cases[i].n; k++)
            CHECK_ERROR(fabs(found.times[k] - (2 * k + 1) * pi), 1e-12);
        ml_result_free(result);
    }
}

/* The run ends with the earliest of two events in one step; what is counted beside is before it. */
static void a_run_ends_with_the_first_event(const struct way *way)
{
    struct ml_result *result =
        run(way, "position: 1",
            "  - {name: later, when: position, crosses: -1e-4, stop: true}\n"
            "  - {name: it, when: position, crosses: 0, stop: true, max: 1, keep: [position]}\n"
            "  - {name: after, when: position, crosses: -1e-5}\n"
            "  - {name: before, when: position, crosses: 1e-5}\n");
    struct ml_error err = {0};
    const struct found it = find(result, "it");
    double end, outcome;
    CHECK_ERROR(fabs(it.time - pi / 2.0), way->error);
    CHECK(it.count == 1.0 && it.times[0] == it.time);
    CHECK(find(result, "later").count == 0.0 && isnan(find(result, "later").time));
    CHECK(find(result, "after").count == 0.0 && find(result, "before").count == 1.0);
    CHECK(ml_result_read(result, "runs/end_time", NULL, NULL, &end, 1, &err) == ML_OK);
    CHECK(ml_result_read(result, "runs/outcome", NULL, NULL, &outcome, 1, &err) == ML_OK);
    CHECK(end == it.time);
    CHECK(strcmp(ml_outcome_name((int)outcome), "event") == 0);
    CHECK(ml_outcome_is_sound((int)outcome));
    ml_error_clear(&err);
    ml_result_free(result);
}

int main(void)
{
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        CHECK_CASE("%s", ways[i].name);
        crossings_are_where_cosine_is_zero(&ways[i]);
        levels_are_passed_one_by_one(&ways[i]);
        extremes_are_where_sine_is_zero(&ways[i]);
        the_first_is_the_first_behind_from(&ways[i]);
        strobes_are_at_their_times(&ways[i]);
        two_crossings_in_one_step_are_seen(&ways[i]);
        nothing_is_beyond_the_top(&ways[i]);
        a_start_on_the_level_is_none(&ways[i]);
        an_angle_that_turns_passes_upright_once_a_turn(&ways[i]);
        a_run_ends_with_the_first_event(&ways[i]);
    }
    a_crossing_on_the_end_of_a_step_counts_once();
    return check_done();
}
