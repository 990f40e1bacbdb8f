/* Children end with what they are run for, and leave nothing behind. */
#include "base/child.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "check.h"

static char text[64];

static struct ml_child_report run(const char *script, double limit, struct ml_stop stop)
{
    char *const arguments[] = {"sh", "-c", (char *)script, NULL};
    const char *const settings[] = {"LC_ALL=C", "CHILD_TEST=set", NULL};
    return ml_child_run(&(struct ml_child){.arguments = arguments,
                                           .settings = settings,
                                           .limit = limit,
                                           .stop = stop,
                                           .most_bytes = 1 << 20,
                                           .is_private = true},
                        text, sizeof text);
}

static const struct ml_stop never = {0};

static void code_and_words_are_told(void)
{
    struct ml_child_report report = run("echo $CHILD_TEST; echo two >&2; exit 3", 10, never);
    CHECK(report.end == ML_CHILD_EXITED && report.code == 3);
    CHECK(strcmp(text, "set\ntwo\n") == 0);
    report = run("kill -TERM $$", 10, never);
    CHECK(report.end == ML_CHILD_SIGNALLED && report.code == SIGTERM);
    report = run("cat; umask", 10, never); /* nothing to read */
    CHECK(report.end == ML_CHILD_EXITED && report.code == 0);
    CHECK(strstr(text, "077"));
}

static void a_program_that_is_not_there_is_told(void)
{
    char *const arguments[] = {"there-is-no-such-program", NULL};
    const struct ml_child_report report =
        ml_child_run(&(struct ml_child){.arguments = arguments}, text, sizeof text);
    CHECK(report.end == ML_CHILD_NOT_STARTED && report.code == ENOENT);
}

static void many_words_are_cut_off(void)
{
    const struct ml_child_report report =
        run("i=0; while [ $i -lt 20000 ]; do echo words; i=$((i + 1)); done", 20, never);
    CHECK(report.end == ML_CHILD_EXITED && report.code == 0);
    CHECK(strlen(text) == sizeof text - 1);
}

static int stop_soon(void *context)
{
    const double *end = context;
    return ml_clock() > *end;
}

/* The id that the child printed is of a process that was killed; it is this one's to bury. */
static void check_was_killed(void)
{
    int status = 0;
    const pid_t id = (pid_t)strtol(text, NULL, 10);
    CHECK(id > 1 && waitpid(id, &status, 0) == id);
    CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
}

static void what_it_starts_ends_with_it(void)
{
    static const char *const scripts[] = {"sleep 100 & echo $!; wait", "sleep 100 & echo $!"};
    double begin = ml_clock(), end = begin + 0.2;
    struct ml_child_report report = run(scripts[0], 0, (struct ml_stop){stop_soon, &end});
    CHECK(report.end == ML_CHILD_STOPPED);
    check_was_killed();
    report = run(scripts[0], 0.2, never);
    CHECK(report.end == ML_CHILD_TIMED_OUT);
    check_was_killed();
    report = run(scripts[1], 50, never); /* it holds the pipe open */
    CHECK(report.end == ML_CHILD_EXITED && report.code == 0);
    check_was_killed();
    CHECK(ml_clock() - begin < 50);
}

static void a_file_has_a_largest_size(void)
{
    char name[] = "/tmp/manylink-test-child-XXXXXX", script[128];
    const int file = mkstemp(name);
    (void)snprintf(script, sizeof script, "exec head -c 3000000 /dev/zero >%s", name);
    const struct ml_child_report report = run(script, 50, never);
    CHECK(report.end == ML_CHILD_SIGNALLED && report.code == SIGXFSZ);
    CHECK(lseek(file, 0, SEEK_END) == 1 << 20);
    (void)close(file);
    (void)unlink(name);
}

int main(void)
{
    (void)prctl(PR_SET_CHILD_SUBREAPER, 1);
    code_and_words_are_told();
    a_program_that_is_not_there_is_told();
    many_words_are_cut_off();
    what_it_starts_ends_with_it();
    a_file_has_a_largest_size();
    return check_done();
}
