/* Studies that run at once in several threads, into files and into memory, give what they give one
 * after the other; also where the progress callback of each runs another study. */
#include <pthread.h>
#include <string.h>
#include <unistd.h>

#include "check.h"
#include "manylink/draft.h"
#include "manylink/run.h"
#include "manylink/verify.h"
#include "study.h"

enum { N_RUN = 96, N_THREAD = 4, N_ROUND = 3 };

static const char lorenz[] = "manylink: 1\n"
                             "system: {type: lorenz}\n"
                             "initial: {x: 1, y: 1, z: 1}\n"
                             "time: {step: 1e-2, end: 1}\n"
                             "sweep: [{set: system.rho, from: 1, to: 30, count: 96}]\n"
                             "save: {trajectory: {every: 10}}\n";
static const char chain[] =
    "manylink: 1\n"
    "system: {type: chain, segments: [{length: 1, mass: 1}, {length: 1, mass: 1}]}\n"
    "time: {step: 1e-2, end: 1}\n"
    "sweep: [{set: initial.angle.1, from: 0.1, to: 3, count: 96}]\n"
    "save: {trajectory: {every: 10}}\n";

/* What one thread does again and again. */
struct task {
    const char *text, *dataset, *path;
    int is_in_memory;
    const struct ml_study *shared; /* a study that another thread runs too; NULL: one of its own */
    double values[N_RUN];          /* found */
    int n_bad;
    int runs_inside; /* the progress callback runs a study: so many times, at most, in each run */
    _Atomic int n_inside, n_progress; /* that it did, and calls from inside of these */
    pthread_t thread;
};

static void count_progress(void *context, const struct ml_run_progress *progress)
{
    struct task *t = context;
    t->n_progress += progress->runs > 0;
}

/* Runs a study of its own while another one waits. */
static void run_inside(void *context, const struct ml_run_progress *progress)
{
    struct task *t = context;
    const struct ml_run_options options = {
        .size = sizeof options, .n_thread = 2, .progress = count_progress, .context = t};
    struct ml_study *study = NULL;
    struct ml_result *result = NULL;
    double values[N_RUN];
    if (progress->runs_done < progress->runs || t->n_inside >= t->runs_inside)
        return;
    t->n_inside++;
    t->n_bad += ml_study_load(STUDY_TEXT("text", lorenz), &study, NULL) != ML_OK ||
                ml_run_memory(study, &options, &result, NULL, NULL) != ML_OK ||
                ml_result_read(result, "summary/end_x", NULL, NULL, values, N_RUN, NULL) != ML_OK;
    ml_result_free(result);
    ml_study_free(study);
}

static enum ml_status run_once(struct task *t, const struct ml_study *study, struct ml_error *err)
{
    const struct ml_run_options options = {.size = sizeof options,
                                           .output = t->is_in_memory ? NULL : t->path,
                                           .n_thread = 2,
                                           .restart = !t->is_in_memory,
                                           .progress = t->runs_inside ? run_inside : NULL,
                                           .context = t};
    struct ml_verify_options verify = {
        .size = sizeof verify, .path = t->path, .n_run = 10, .n_thread = 1};
    struct ml_result *result;
    enum ml_status status = t->is_in_memory ? ml_run_memory(study, &options, &result, NULL, err)
                                            : ml_run(study, &options, NULL, err);
    if (status == ML_OK && !t->is_in_memory)
        status = ml_verify(&verify, NULL, err);
    if (status == ML_OK && !t->is_in_memory)
        status = ml_result_open(t->path, &result, err);
    if (status != ML_OK)
        return status;
    status = ml_result_read(result, t->dataset, NULL, NULL, t->values, N_RUN, err);
    ml_result_free(result);
    return status;
}

static void *work(void *context)
{
    struct task *t = context;
    for (int i = 0; i < N_ROUND; i++) {
        struct ml_error err = {0};
        struct ml_study *own = NULL;
        enum ml_status status = ML_OK;
        if (!t->shared)
            status = ml_study_load(STUDY_TEXT("text", t->text), &own, &err);
        if (status == ML_OK)
            status = run_once(t, t->shared ? t->shared : own, &err);
        t->n_bad += status != ML_OK;
        (void)fputs(err.text ? err.text : "", stderr);
        ml_error_clear(&err);
        ml_study_free(own);
    }
    return NULL;
}

/* With one lock for the whole process the first of them never ends. */
static void a_progress_callback_may_run_a_study(void)
{
    static struct task tasks[2];
    CHECK_CASE("progress callback");
    (void)alarm(120);
    for (int i = 0; i < 2; i++) {
        tasks[i] = (struct task){.text = chain,
                                 .dataset = "summary/energy_drift",
                                 .is_in_memory = 1,
                                 .runs_inside = N_ROUND};
        CHECK(pthread_create(&tasks[i].thread, NULL, work, &tasks[i]) == 0);
    }
    for (int i = 0; i < 2; i++) {
        CHECK(pthread_join(tasks[i].thread, NULL) == 0);
        CHECK(tasks[i].n_bad == 0 && tasks[i].n_inside == N_ROUND);
        CHECK(tasks[i].n_progress >= N_ROUND);
    }
    (void)alarm(0);
    CHECK(memcmp((void *)tasks[0].values, (void *)tasks[1].values, sizeof tasks[0].values) == 0);
}

int main(void)
{
    static struct task alone[N_THREAD], tasks[N_THREAD];
    struct ml_study *study;
    CHECK(ml_study_load(STUDY_TEXT("text", chain), &study, NULL) == ML_OK);
    const struct task all[N_THREAD] = {
        {.text = lorenz, .dataset = "summary/end_x", .path = "threads_a.h5"},
        {.text = lorenz, .dataset = "summary/end_x", .is_in_memory = 1},
        {.text = chain, .dataset = "summary/energy_drift", .path = "threads_b.h5", .shared = study},
        {.text = chain, .dataset = "summary/energy_drift", .is_in_memory = 1, .shared = study},
    };
    for (int i = 0; i < N_THREAD; i++) {
        alone[i] = tasks[i] = all[i];
        (void)work(&alone[i]);
    }
    for (int i = 0; i < N_THREAD; i++)
        CHECK(pthread_create(&tasks[i].thread, NULL, work, &tasks[i]) == 0);
    for (int i = 0; i < N_THREAD; i++) {
        CHECK_CASE("task %d", i);
        CHECK(pthread_join(tasks[i].thread, NULL) == 0);
        CHECK(tasks[i].n_bad == 0 && alone[i].n_bad == 0);
        CHECK(memcmp((void *)tasks[i].values, (void *)alone[i].values, sizeof alone[i].values) ==
              0);
        CHECK(alone[i].values[1] != 0.0 && alone[i].values[1] != alone[i].values[2]);
    }
    CHECK(memcmp((void *)alone[0].values, (void *)alone[1].values, sizeof alone[0].values) == 0);
    CHECK(memcmp((void *)alone[2].values, (void *)alone[3].values, sizeof alone[2].values) == 0);
    ml_study_free(study);
    (void)unlink("threads_a.h5");
    (void)unlink("threads_b.h5");
    a_progress_callback_may_run_a_study();
    return check_done();
}
