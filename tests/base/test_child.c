/* Children end with what they are run for, and leave nothing behind. */
#include "base/child.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "check.h"

static char text[200], folder[] = "/tmp/manylink-test-child-XXXXXX";

static struct ml_child_report run(const char *script, double limit, struct ml_stop stop)
{
    char *const arguments[] = {"sh", "-c", (char *)script, NULL};
    return ml_child_run(&(struct ml_child){.arguments = arguments,
                                           .folder = folder,
                                           .owns_folder = true,
                                           .limit = limit,
                                           .stop = stop,
                                           .most_bytes = 1 << 20,
                                           .is_private = true},
                        text, sizeof text);
}

static const struct ml_stop never = {0};

static void code_and_words_are_told(void)
{
    struct ml_child_report report = run("echo one; echo two >&2; exit 3", 10, never);
    CHECK(report.end == ML_CHILD_EXITED && report.code == 3);
    CHECK(strcmp(text, "one\ntwo\n") == 0);
    report = run("kill -TERM $$", 10, never);
    CHECK(report.end == ML_CHILD_SIGNALLED && report.code == SIGTERM);
    report = run("cat; umask", 10, never); /* nothing to read */
    CHECK(report.end == ML_CHILD_EXITED && report.code == 0);
    CHECK(strstr(text, "077"));
}

/* It runs where it is told to, and has no more of the environment than it is to have. */
static void folder_and_environment_are_its_own(void)
{
    char wanted[200], *const arguments[] = {"env", NULL};
    (void)setenv("CPATH", ":", 1);
    (void)setenv("LD_PRELOAD", "", 1);
    (void)setenv("GDFONTPATH", "/fonts", 1);
    (void)setenv("LC_ALL", "nowhere", 1);
    struct ml_child_report report = run("pwd; echo $CPATH-${LD_PRELOAD-none}-$GDFONTPATH-$LC_ALL-"
                                        "$TMPDIR",
                                        10, never);
    (void)snprintf(wanted, sizeof wanted, "%s\n-none-/fonts-C-.\n", folder);
    CHECK(report.end == ML_CHILD_EXITED && strcmp(text, wanted) == 0);
    (void)clearenv();
    report = ml_child_run(&(struct ml_child){.arguments = arguments}, text, sizeof text);
    CHECK(report.end == ML_CHILD_EXITED && strcmp(text, "LC_ALL=C\n") == 0);
    (void)setenv("PATH", "/usr/bin:/bin", 1);
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
    CHECK(access(folder, F_OK) == 0); /* it is this process's to remove */
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

static void processor_time_has_a_limit(void)
{
    char *const arguments[] = {"sh", "-c", "while :; do :; done", NULL};
    char printed[8];
    const struct ml_child child = {.arguments = arguments, .limit = 600, .processor_limit = 1};
    const struct ml_child_report report = ml_child_run(&child, printed, sizeof printed);
    CHECK(report.end == ML_CHILD_SIGNALLED && (report.code == SIGXCPU || report.code == SIGKILL));
}

static void a_file_has_a_largest_size(void)
{
    struct stat about;
    char name[100];
    const struct ml_child_report report = run("exec head -c 3000000 /dev/zero >large", 50, never);
    CHECK(report.end == ML_CHILD_SIGNALLED && report.code == SIGXFSZ);
    (void)snprintf(name, sizeof name, "%s/large", folder);
    CHECK(stat(name, &about) == 0 && about.st_size == 1 << 20);
    CHECK(unlink(name) == 0);
}

/* Of a process that is killed all goes: what it runs, what that started, and their folder. What is
 * above the folder stays. */
static void who_is_killed_leaves_nothing(void)
{
    enum { N_LEFT = 3 }; /* the shell, what it has started, the guard */
    char name[100];
    const pid_t other = fork();
    if (other == 0) {
        (void)run("mkdir -p a/b; ln -s / a/link; sleep 100 & >began; wait", 0, never);
        _exit(1);
    }
    (void)snprintf(name, sizeof name, "%s/began", folder);
    while (access(name, F_OK) != 0)
        (void)usleep(1000);
    CHECK(kill(other, SIGKILL) == 0 && waitpid(other, NULL, 0) == other);
    int n = 0, n_killed = 0;
    for (int status; waitpid(-1, &status, 0) > 0; n++)
        n_killed += WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
    CHECK(n == N_LEFT && n_killed == N_LEFT - 1);
    CHECK(access(folder, F_OK) != 0 && access("/tmp", F_OK) == 0);
}

int main(void)
{
    (void)prctl(PR_SET_CHILD_SUBREAPER, 1);
    if (!mkdtemp(folder))
        return 1;
    folder_and_environment_are_its_own();
    code_and_words_are_told();
    a_program_that_is_not_there_is_told();
    many_words_are_cut_off();
    what_it_starts_ends_with_it();
    processor_time_has_a_limit();
    a_file_has_a_largest_size();
    who_is_killed_leaves_nothing();
    return check_done();
}
