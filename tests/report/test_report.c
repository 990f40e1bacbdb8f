/* ml_report as programs call it: what it tells of the page, and what it refuses. */
#include "manylink/report.h"

#include <stdbool.h>
#include <string.h>

#include "check.h"
#include "manylink/run.h"
#include "study.h"

static const char study_text[] =
    "manylink: 1\n"
    "system: {type: chain, segments: [{name: a, length: 1, mass: 1}]}\n"
    "time: {step: 0.001, end: 2}\n"
    "sweep: [{set: initial.angle.a, from: 0.1, to: 3, count: 100}]\n";

/* Runs the study into a file, its motions saved or not. */
static void make_result(const char *path, bool saves, const char *end)
{
    const char *const keep[] = {end, "save.trajectory.every=1"};
    struct ml_study *study = NULL;
    struct ml_error err = {0};
    const struct ml_run_options options = {
        .size = sizeof options, .output = path, .restart = 1, .accuracy = -1};
    CHECK(ml_study_load(STUDY_TEXT("report", study_text, STUDY_SET(keep, 1 + saves)), &study,
                        &err) == ML_OK &&
          ml_run(study, &options, NULL, &err) == ML_OK);
    if (err.text)
        fputs(err.text, stderr);
    ml_error_clear(&err);
    ml_study_free(study);
}

static struct ml_report_made made_of(const char *path, int64_t motions)
{
    struct ml_report_made made = {.size = sizeof made};
    const struct ml_report_options options = {
        .size = sizeof options, .result = path, .output = "report.html", .motions = motions};
    CHECK(ml_report(&options, &made, NULL) == ML_OK);
    return made;
}

static void motions_are_as_many_as_asked_for(void)
{
    CHECK(made_of("report.h5", 0).motions == 64);
    CHECK(made_of("report.h5", -1).motions == 0);
    CHECK(made_of("report.h5", 7).motions == 7);
    CHECK(made_of("report.h5", 1000).motions == 100);
    const struct ml_report_made made = made_of("report.h5", 1);
    CHECK(made.kept == 100 && made.left_out == 0);
    CHECK(made.every == 1 && made.times == 2001); /* all that were saved */
    CHECK(made.size == sizeof made);
}

/* 30001 were saved of an angle and a rate. */
static void times_make_half_a_million_numbers(void)
{
    const struct {
        int64_t motions, every, times;
    } wanted[] = {{100, 12, 2501}, {20, 3, 10001}, {1, 2, 15001}};
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        const struct ml_report_made made = made_of("long.h5", wanted[i].motions);
        CHECK(made.every == wanted[i].every && made.times == wanted[i].times);
    }
}

static void runs_are_computed_again_only_where_asked_for(void)
{
    CHECK(made_of("bare.h5", 0).motions == 0);
    CHECK(made_of("bare.h5", -1).computed == 0);
    const struct ml_report_made made = made_of("bare.h5", 9);
    CHECK(made.kept == 0 && made.motions == 9 && made.computed == 9 && made.times == 2001);
    CHECK(made_of("bare.h5", 1000).computed == 100);
    CHECK(made_of("report.h5", 9).computed == 0);
}

/* An int (*stop)(void *context). */
static int stop_at_once(void *context)
{
    (void)context;
    return 2;
}

static void a_stop_leaves_no_page(void)
{
    const struct ml_report_options options = {.size = sizeof options,
                                              .result = "bare.h5",
                                              .output = "stopped.html",
                                              .motions = 9,
                                              .stop = stop_at_once};
    (void)remove("stopped.html");
    CHECK(ml_report(&options, NULL, NULL) == ML_STOPPED);
    FILE *page = fopen("stopped.html", "r");
    CHECK(!page);
    if (page)
        (void)fclose(page);
}

static void what_is_not_given_is_refused_by_name(void)
{
    struct ml_error err = {0};
    struct ml_report_options options = {.size = sizeof options, .output = "report.html"};
    CHECK(ml_report(&options, NULL, &err) == ML_E_INPUT && strstr(err.text, "`result`"));
    ml_error_clear(&err);
    options = (struct ml_report_options){.size = sizeof options, .result = "report.h5"};
    CHECK(ml_report(&options, NULL, &err) == ML_E_INPUT && strstr(err.text, "`output`"));
    ml_error_clear(&err);
    options = (struct ml_report_options){.result = "report.h5", .output = "report.html"};
    CHECK(ml_report(&options, NULL, &err) == ML_E_INPUT && strstr(err.text, "ml_report_options"));
    ml_error_clear(&err);
}

int main(void)
{
    make_result("report.h5", true, "time.end=2");
    make_result("long.h5", true, "time.end=30");
    make_result("bare.h5", false, "time.end=2");
    motions_are_as_many_as_asked_for();
    times_make_half_a_million_numbers();
    runs_are_computed_again_only_where_asked_for();
    a_stop_leaves_no_page();
    what_is_not_given_is_refused_by_name();
    return check_done();
}
