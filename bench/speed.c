/* How long do the steps of a study take, as `manylink run` takes them? A server for
 * bench/compare.py, which has several builds take turns: it reads commands from standard input,
 *
 *   read K ISA PATH    read the study in file PATH as number K
 *   run K OUT.h5       run it on one thread into OUT.h5
 *
 * with a kernel made for it where the library can, and answers each with a line: "ok", or the s of
 * processor time from the first block to the last and the member-steps; what is wrong ends it.
 * Reading, opening and joining the result do not count. Public headers only, so that it can be
 * built with any version's library. */
#define _POSIX_C_SOURCE 200809L
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#if __has_include("manylink/kernel.h") /* since there are kernels made for a study */
#define HAS_KERNELS 1
#else
#define HAS_KERNELS 0
#endif
#if __has_include("manylink/result.h") /* since options begin with their size */
#define HAS_SIZES 1
#else
#define HAS_SIZES 0
#endif
#if __has_include("manylink/manylink.h") /* since one function reads studies */
#define HAS_SOURCES 1
#else
#define HAS_SOURCES 0
#endif
#if __has_include("manylink/outcome.h") /* since outcomes are counted with their first runs */
#define HAS_OUTCOMES 1
#else
#define HAS_OUTCOMES 0
#endif
#include "manylink/run.h"
#include "manylink/study.h"

enum { MOST_STUDIES = 64, LONGEST = 4096 };

/* The library asks before every block, and after the last, whether to stop. */
struct stopwatch {
    pthread_t thread; /* that computes; others ask too */
    int is_running;
    double began, now; /* s of its processor time */
};

static double thread_time(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int look_at_clock(void *context)
{
    struct stopwatch *watch = context;
    if (!pthread_equal(pthread_self(), watch->thread))
        return 0;
    watch->now = thread_time();
    if (!watch->is_running)
        watch->began = watch->now;
    watch->is_running = 1;
    return 0;
}

static void die(const char *what)
{
    (void)fprintf(stderr, "speed: %s\n", what ? what : "failed");
    exit(EXIT_FAILURE);
}

static struct ml_study *read_study(const char *isa, const char *path)
{
    struct ml_study *study = NULL;
    struct ml_error err = {0};
#if HAS_SOURCES
    const struct ml_study_source source = {.size = sizeof source, .path = path};
    (void)setenv("MANYLINK_ISA", isa, 1);
    if (ml_study_load(&source, &study, &err) != ML_OK)
#else
    if (ml_study_read(path, NULL, 0, isa, &study, &err) != ML_OK)
#endif
        die(err.text);
    return study;
}

static void run_study(const struct ml_study *study, const char *out)
{
    struct stopwatch watch = {.thread = pthread_self()};
    struct ml_run_options options = {
        .output = out, .n_thread = 1, .restart = 1, .stop = look_at_clock, .context = &watch};
#if HAS_KERNELS
    options.kernel = ML_KERNEL_ONLY_MADE;
#endif
    struct ml_run_report report = {0};
#if HAS_SIZES
    options.size = sizeof options;
    report.size = sizeof report;
#endif
    struct ml_error err = {0};
    if (ml_run(study, &options, &report, &err) != ML_OK)
        die(err.text);
#if HAS_OUTCOMES
    if (report.sound != report.runs)
#else
    if (report.outcomes[0] != report.runs)
#endif
        die("not all runs finished");
    printf("%.9f %" PRId64 "\n", watch.now - watch.began, report.member_steps);
}

int main(void)
{
    static struct ml_study *studies[MOST_STUDIES];
    char line[LONGEST], isa[16], path[LONGEST];
    int k;
    while (fgets(line, sizeof line, stdin)) {
        if (sscanf(line, "read %d %15s %4095s", &k, isa, path) == 3 && k >= 0 && k < MOST_STUDIES) {
            ml_study_free(studies[k]);
            studies[k] = read_study(isa, path);
            puts("ok");
        } else if (sscanf(line, "run %d %4095s", &k, path) == 2 && k >= 0 && k < MOST_STUDIES &&
                   studies[k]) {
            run_study(studies[k], path);
        } else {
            die("no such command");
        }
        (void)fflush(stdout);
    }
    for (k = 0; k < MOST_STUDIES; k++)
        ml_study_free(studies[k]);
    return EXIT_SUCCESS;
}
