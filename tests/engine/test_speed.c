/* Measuring how fast an ensemble is looks at runs from all over it, counts those that end early,
 * and ends when it is told to. */
#include "engine/assess/speed.h"

#include <math.h>
#include <string.h>

#include "check.h"
#include "manylink/study.h"
#include "plan/study.h"
#include "study.h"

/* One rod without gravity turns at a constant rate: it is at 1 rad after 1 s / rate of 10 s. */
#define TURNING                                                                      \
    "manylink: 1\n"                                                                  \
    "system: {type: chain, gravity: 0, segments: [{name: a, length: 1, mass: 1}]}\n" \
    "events: [{name: there, when: angle.a, crosses: 1, stop: true}]\n"

static const char by_step[] =
    TURNING "time: {step: 1e-3, end: 10}\n"
            "sweep: [{set: initial.rate.a, from: 0.05, to: 4, count: 640}]\n";
static const char by_tolerance[] =
    TURNING "time: {end: 10, tick: 0.01}\n"
            "integrator: {type: tsit54, tolerance: 1e-9}\n"
            "sweep: [{set: initial.rate.a, from: 0.05, to: 4, count: "
            "640}]\n";
/* Steps of a stiff stop are some 1e-7 s: 1e10 of them. */
static const char endless[] =
    "manylink: 1\n"
    "system: {type: chain, segments: [{name: a, length: 1, mass: 1}, {name: b, length: 1, mass: "
    "1}]}\n"
    "forces: [{type: joint_limit, joint: b, upper: 0.2, lower: -0.2, stiffness: 1e10}]\n"
    "initial: {angle: {a: 2}}\n"
    "time: {end: 1000}\n"
    "integrator: {type: tsit54, tolerance: 1e-9}\n"
    "sweep: [{set: initial.angle.a, from: 1, to: 2, count: 100}]\n";

static struct ml_study *parse(const char *text)
{
    struct ml_study *study = NULL;
    CHECK(ml_study_load(STUDY_TEXT("text", text), &study, NULL) == ML_OK);
    return study;
}

/* Asks to stop when it has been asked itself so many times. */
struct patience {
    int64_t left, asked;
};

static int patience_level(void *context)
{
    struct patience *patience = context;
    patience->asked++;
    return patience->asked > patience->left;
}

/* However long a study is, it is not looked at much longer once it is told to end. */
static void ends_when_told(const char *text)
{
    static const int64_t after[] = {0, 1, 20};
    const double hour = 3600.0;
    struct ml_study *study = parse(text);
    for (size_t i = 0; i < sizeof after / sizeof *after; i++) {
        struct patience patience = {.left = after[i]};
        (void)ml_ensemble_speed(&study->ensemble, hour,
                                (struct ml_stop){patience_level, &patience});
        CHECK(patience.asked > after[i] && patience.asked < after[i] + 10);
    }
    ml_study_free(study);
}

/* The part of all steps that is taken, by the law of the motion: each lane is as far as its rate.
 */
static double taken_of(int n_run)
{
    const double first = 0.05, last = 4.0, end = 10.0, at = 1.0;
    double sum = 0.0;
    for (int i = 0; i < n_run; i++)
        sum += fmin(1.0, at / (first + (last - first) * i / (n_run - 1)) / end);
    return sum / n_run;
}

static void counts_runs_that_end(const char *text, double much)
{
    struct ml_study *study = parse(text);
    const struct ml_speed speed = ml_ensemble_speed(&study->ensemble, much, (struct ml_stop){0});
    CHECK(speed.rate > 0.0 && !speed.is_at_most);
    CHECK_ERROR(fabs(speed.taken / taken_of(640) - 1.0), 2e-3); /* parts of steps count as whole */
    ml_study_free(study);
}

/* Nobody knows whether events end runs that are followed over a few of their steps only. */
static void tells_that_events_may_come(void)
{
    struct ml_study *study = parse(by_step);
    struct ml_ensemble e = study->ensemble;
    e.time.n_step = INT64_C(1) << 40;
    e.time.step = 1e-9;
    const struct ml_speed speed = ml_ensemble_speed(&e, 1e-3, (struct ml_stop){0});
    CHECK(speed.rate > 0.0 && speed.is_at_most);
    CHECK_ERROR(fabs(speed.taken - 1.0), 1e-9);
    ml_study_free(study);
}

int main(void)
{
    ends_when_told(by_step);
    ends_when_told(by_tolerance);
    ends_when_told(endless);
    counts_runs_that_end(by_step, 60.0);
    counts_runs_that_end(by_tolerance, 60.0);
    tells_that_events_may_come();
    return check_done();
}
