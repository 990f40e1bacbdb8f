/* Plans say what runs then do. */
#include "manylink/plan.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check.h"
#include "manylink/run.h"
#include "study.h"

static const char text[] =
    "manylink: 1\n"
    "system: {type: chain, segments: [{length: 1, mass: 1}, {length: 1, mass: 1}]}\n"
    "time: {step: 1e-3, end: 0.5}\n"
    "sweep: [{set: initial.angle.1, from: 0.1, to: 3, count: 500}]\n"
    "save: {trajectory: {every: 10}}\n";

/* Says how often tangent vectors are made orthonormal, and from what that was derived. */
static void tells_what_was_derived(void)
{
    static const char lorenz[] = "manylink: 1\n"
                                 "system: {type: lorenz}\n"
                                 "initial: {x: 1}\n"
                                 "time: {step: 0.01, end: 100}\n"
                                 "analyse: {lyapunov: {}}\n";
    static const char *const given[] = {"analyse.lyapunov.renormalise=0.2"};
    const struct ml_plan_options options = {.size = sizeof options};
    struct ml_plan plan = {.size = sizeof plan};
    for (int n = 0; n < 2; n++) {
        struct ml_study *study;
        CHECK(ml_study_load(STUDY_TEXT("text", lorenz, STUDY_SET(given, n)), &study, NULL) ==
              ML_OK);
        CHECK(ml_study_plan(study, &options, &plan, NULL) == ML_OK && plan.tangents.n == 3);
        CHECK(plan.tangents.renormalise_is_given == n && (plan.tangents.growth > 1.0) == (n == 0));
        CHECK(n == 0 || plan.tangents.renormalise == 0.2);
        ml_study_free(study);
    }
}

/* A GPU that is not there is no failure of a plan; a word that names none is. */
static void has_the_reason_of_a_run(const struct ml_study *study)
{
    struct ml_plan_options options = {.size = sizeof options, .device = "gpu"};
    struct ml_plan plan = {.size = sizeof plan};
    (void)setenv("MANYLINK_CUDA_LIBRARY", "libnone.so.1", 1);
    CHECK(ml_study_plan(study, &options, &plan, NULL) == ML_OK && plan.device.n == 0);
    CHECK(strncmp(plan.device.reason, "text: cannot use a GPU: the study must have no traj", 51) ==
          0);
    options.device = "gpu:x";
    CHECK(ml_study_plan(study, &options, &plan, NULL) == ML_E_INPUT);
    options.device = "none";
    CHECK(ml_study_plan(study, &options, &plan, NULL) == ML_OK && !*plan.device.reason);
}

int main(void)
{
    tells_what_was_derived();
    struct ml_study *study;
    struct stat about;
    struct ml_plan_options options = {.size = sizeof options, .n_thread = 2};
    struct ml_plan plan = {.size = sizeof plan};
    const struct ml_run_options running = {
        .size = sizeof running, .output = "plan.h5", .n_thread = 2, .restart = 1};
    struct ml_run_report report = {.size = sizeof report};
    CHECK(ml_study_load(STUDY_TEXT("text", text), &study, NULL) == ML_OK);
    CHECK(ml_study_plan(study, &options, &plan, NULL) == ML_OK);
    CHECK(plan.speed.rate == 0.0 && plan.speed.seconds == 0.0 && !plan.kernel.saves);
    CHECK(ml_run(study, &running, &report, NULL) == ML_OK);
    CHECK(plan.runs == report.runs && plan.room.blocks == report.blocks);
    CHECK(plan.runs * plan.time.steps == report.member_steps &&
          plan.room.n_thread == report.threads);
    CHECK(strcmp(plan.kernel.isa, report.isa) == 0);
    CHECK(plan.kernel.name &&
          strcmp(plan.kernel.name, report.kernel) == 0); /* built in: no rate needed */
    CHECK(strcmp(plan.system.name, "chain") == 0 && plan.system.n_segment == 2 &&
          plan.system.n_force == 0);
    CHECK(strcmp(plan.system.integrator, "rk4") == 0 && plan.time.end == 0.5 && plan.system.solver);
    CHECK(stat("plan.h5", &about) == 0);
    CHECK_ERROR(fabs((double)about.st_size / plan.room.disk - 1.0), 0.02);
    options.rate = 1000.0;
    CHECK(ml_study_plan(study, &options, &plan, NULL) == ML_OK);
    /* On one thread a batch of 16 again: at the step, twice at half of it, once at a quarter. */
    const double again = 16.0 * (1.0 + 2.0 + 2.0 + 4.0) * 500.0 / 1000.0;
    CHECK_ERROR(fabs(plan.speed.seconds - 500.0 * 500.0 / 1000.0 / 2.0 - again), 1e-9);
    options.shards = 4; /* 125 runs each, and one that some may have more */
    CHECK(ml_study_plan(study, &options, &plan, NULL) == ML_OK && plan.runs == 500);
    CHECK_ERROR(fabs(plan.speed.seconds - 126.0 * 500.0 / 1000.0 / 2.0), 1e-9);
    options.measures = 1;
    CHECK(ml_study_plan(study, &options, &plan, NULL) == ML_OK && plan.speed.rate > 0.0);
    options.size = 3;
    CHECK(ml_study_plan(study, &options, &plan, NULL) == ML_E_INPUT);
    has_the_reason_of_a_run(study);
    ml_study_free(study);
    (void)unlink("plan.h5");
    return check_done();
}
