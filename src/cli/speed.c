/* Measures in a process of its own, which can be ended in the middle of a step. */
#include "cli/speed.h"

#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "manylink/plan.h"

enum { PATIENCE = 4 }; /* s of a processor */
enum {
    PATIENCE_MS = 60000
}; /* of a clock, while other processes have the processor, or it waits */

static struct speed speed_of(const struct ml_study *study)
{
    const struct ml_plan_options options = {.size = sizeof options, .measures = 1};
    struct ml_plan plan = {.size = sizeof plan};
    if (ml_study_plan(study, &options, &plan, NULL) != ML_OK)
        return (struct speed){0};
    return (struct speed){
        .rate = plan.speed.rate, .taken = plan.speed.taken, .is_at_most = plan.speed.is_at_most};
}

/* Runs that are advanced together. */
static int runs_at_once(const struct ml_study *study)
{
    const struct ml_plan_options options = {.size = sizeof options};
    struct ml_plan plan = {.size = sizeof plan};
    return ml_study_plan(study, &options, &plan, NULL) == ML_OK ? plan.room.runs_at_once : 1;
}

/* In the child. */
static void speed_measure(const struct ml_study *study, int to)
{
    const struct rlimit limit = {PATIENCE, PATIENCE};
    (void)setrlimit(RLIMIT_CPU, &limit);
    const struct speed speed = speed_of(study);
    _exit(write(to, &speed, sizeof speed) == sizeof speed ? 0 : 1);
}

struct speed measure_speed(const struct ml_study *study)
{
    struct speed speed = {0};
    int ends[2];
    if (pipe(ends) != 0)
        return speed_of(study);
    const pid_t child = fork();
    if (child == 0)
        speed_measure(study, ends[1]);
    (void)close(ends[1]);
    struct pollfd ready = {.fd = ends[0], .events = POLLIN};
    const int n = child > 0 ? poll(&ready, 1, PATIENCE_MS) : -1;
    const bool is_known = n == 1 && read(ends[0], &speed, sizeof speed) == (ssize_t)sizeof speed;
    if (n >= 0 && !is_known) { /* not one step of one batch */
        speed.rate = (double)runs_at_once(study) / PATIENCE;
        speed.is_at_least = true;
        (void)kill(child, SIGKILL);
    }
    (void)close(ends[0]);
    if (child > 0)
        (void)waitpid(child, NULL, 0);
    return speed;
}
