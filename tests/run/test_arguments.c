/* Members of public structs that no program can mean are refused by their names, and NULL where
 * there is nothing to do is nothing. */
#include <limits.h>
#include <stdatomic.h>
#include <string.h>

#include "check.h"
#include "manylink/compile.h"
#include "manylink/evaluate.h"
#include "manylink/failure.h"
#include "manylink/inverse.h"
#include "manylink/merge.h"
#include "manylink/plan.h"
#include "manylink/plot.h"
#include "manylink/run.h"
#include "manylink/study.h"
#include "manylink/tune.h"
#include "manylink/verify.h"
#include "study.h"

static struct ml_study *study;
static struct ml_error err;

static void parse_study(void)
{
    static const char text[] = "manylink: 1\nsystem: {type: lorenz}\n"
                               "time: {step: 1e-2, end: 0.1}\n";
    CHECK(ml_study_load(STUDY_TEXT("s", text), &study, &err) == ML_OK);
}

/* The last call was refused with these words. */
static void check_refused(enum ml_status status, const char *words)
{
    CHECK_CASE("%s", words);
    CHECK(status == ML_E_INPUT && err.text && strstr(err.text, words));
    if (err.text && !strstr(err.text, words))
        fputs(err.text, stderr);
    ml_error_clear(&err);
    CHECK_CASE("all");
}

#define OPTIONS(type, ...) (&(struct type){.size = sizeof(struct type), __VA_ARGS__})
#define MEMORY(...) ml_run_memory(study, OPTIONS(ml_run_options, __VA_ARGS__), &result, NULL, &err)
#define RUN(...) ml_run(study, OPTIONS(ml_run_options, .output = "no.h5", __VA_ARGS__), NULL, &err)

static void numbers_of_a_run_are_checked(void)
{
    struct ml_result *result = NULL;
    check_refused(RUN(.shards = -1), "struct ml_run_options: its member `shards` is -1");
    check_refused(RUN(.shards = ML_RUN_MAX_SHARDS + 1), "`shards` is 1048577, and must be 0 .. ");
    check_refused(RUN(.shards = 2, .shard = 2), "there is no shard 2 of 2");
    check_refused(RUN(.kernel = (enum ml_kernel_mode)99), "`kernel` is 99, and must be 0 .. 2");
    check_refused(RUN(.accuracy = ML_RUN_MAX_ACCURACY + 1), "`accuracy` is 4097");
    check_refused(RUN(.n_thread = -1), "`n_thread` is -1");
    check_refused(MEMORY(.kernel = (enum ml_kernel_mode) - 1), "`kernel` is ");
    check_refused(ml_run(study, NULL, NULL, &err), "struct ml_run_options: is missing (NULL)");
    CHECK(!result);
}

static void failures_need_a_sample(void)
{
    struct ml_failures found = {.size = sizeof found};
    check_refused(ml_failures_find(study,
                                   OPTIONS(ml_failure_options, .method = (enum ml_failure_method)3),
                                   &found, &err),
                  "struct ml_failure_options: its member `method` is 3, and must be 0 .. 2");
    check_refused(ml_failures_find(study, OPTIONS(ml_failure_options, .n_thread = 1), &found, &err),
                  "s: cannot find a probability of failure: the study has no `sample`");
    CHECK(found.n == 0 && !found.memory);
    ml_failures_free(&found);
    ml_failures_free(NULL);
}

/* Asks to stop once threads have asked more often than *context. */
static int stop_after(void *context) { return atomic_fetch_sub((atomic_int *)context, 1) < 1; }

/* Numbers that a search has found stay when the caller stops the search; before the first points
 * there is nothing. */
static void tuning_can_be_stopped(void)
{
    static const char text[] =
        "manylink: 1\nsystem: {type: lorenz}\n"
        "time: {step: 1e-2, end: 0.1}\n"
        "tune: {vary: [{set: system.rho, from: 1, to: 99}], minimise: end_x}";
    struct ml_tuning found = {.size = sizeof found};
    atomic_int least = 0, many = 100;
    check_refused(ml_tune(STUDY_TEXT("s", text),
                          OPTIONS(ml_tune_options, .kernel = (enum ml_kernel_mode)3), &found, &err),
                  "struct ml_tune_options: its member `kernel` is 3, and must be 0 .. 2");
    CHECK(ml_tune(STUDY_TEXT("s", text),
                  OPTIONS(ml_tune_options, .n_thread = 1, .stop = stop_after, .context = &least),
                  &found, &err) == ML_STOPPED);
    CHECK(found.n == 0 && !found.memory);
    ml_error_clear(&err);
    CHECK(ml_tune(STUDY_TEXT("s", text),
                  OPTIONS(ml_tune_options, .n_thread = 1, .stop = stop_after, .context = &many),
                  &found, &err) == ML_OK);
    CHECK(found.n == 1 && found.points > 100 && !found.is_converged && found.is_met && !err.text);
    CHECK(found.end && strstr(found.end, "stopped before its end: points differ by "));
    ml_tuning_free(&found);
    ml_tuning_free(NULL);
}

static void numbers_of_other_calls_are_checked(void)
{
    const char *const overrides[] = {"time.end=1"};
    struct ml_study *none = NULL;
    struct ml_plan plan = {.size = sizeof plan};
    struct ml_evaluation evaluation = {.size = sizeof evaluation};
    check_refused(ml_study_load(STUDY_TEXT("s", "", STUDY_SET(overrides, -1)), &none, &err),
                  "`n_override` is -1");
    check_refused(ml_study_load(NULL, &none, &err), "is missing (NULL)");
    check_refused(ml_study_load(STUDY_FILE(NULL), &none, &err), "its member `path` is missing");
    check_refused(ml_study_load(STUDY_TEXT(NULL, "manylink: 2"), &none, &err), "study:1:11");
    check_refused(ml_study_plan(study, OPTIONS(ml_plan_options, .shards = -1), &plan, &err),
                  "`shards` is -1");
    check_refused(
        ml_evaluate(study, OPTIONS(ml_evaluate_options, .n_param = -1), &evaluation, &err),
        "`n_param` is -1");
    check_refused(ml_verify(OPTIONS(ml_verify_options, .path = "no.h5", .n_run = -5), NULL, &err),
                  "`n_run` is -5");
    check_refused(ml_merge(OPTIONS(ml_merge_options, .n_input = -1), NULL, &err),
                  "`n_input` is -1");
    check_refused(ml_plot(OPTIONS(ml_plot_options, .n_run = -1), &err), "`n_run` is -1");
    check_refused(ml_inverse(study, OPTIONS(ml_inverse_options, .shards = -1), NULL, &err),
                  "`shards` is -1");
    check_refused(ml_study_compile(study, OPTIONS(ml_compile_options, .n_thread = -1), NULL, &err),
                  "`n_thread` is -1");
    CHECK(!none);
}

int main(void)
{
    ml_error_clear(NULL);
    ml_study_free(NULL);
    parse_study();
    if (study) {
        numbers_of_a_run_are_checked();
        failures_need_a_sample();
        tuning_can_be_stopped();
        numbers_of_other_calls_are_checked();
    }
    ml_study_free(study);
    return check_done();
}
