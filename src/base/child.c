/* Runs another program: gnuplot, a compiler. */
#include "base/child.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

#include "base/clock.h"
#include "base/open.h"

extern char **environ;

/* ms between two looks at a child: while it may print, and after it closed its output. */
enum { LOOK = 20, LOOK_AT_END = 1 };

struct running {
    pid_t id, guard;    /* guard: -1 without a guard */
    int output, report; /* ends to read of its output, and of why it did not start */
    int alive;          /* end to write of a pipe, open as long as this process is */
    size_t used, size;  /* of the text */
    char *text;
};

/* The environment of a child, to be freed; NULL without memory.
 *   has_folder  its temporary files go to where it runs */
static char **make_environment(bool has_folder)
{
    static const char *const names[] = {ML_CHILD_KEEPS};
    enum { N_NAME = sizeof names / sizeof *names };
    char **made = malloc((N_NAME + 3) * sizeof *made);
    size_t n = 0;
    if (!made)
        return NULL;
    for (int i = 0; i < N_NAME; i++) {
        const size_t length = strlen(names[i]);
        char **at = environ;
        while (at && *at && (strncmp(*at, names[i], length) != 0 || (*at)[length] != '='))
            at++;
        if (at && *at)
            made[n++] = *at;
    }
    made[n++] = "LC_ALL=C";
    if (has_folder)
        made[n++] = "TMPDIR=.";
    made[n] = NULL;
    return made;
}

static void lower_limit(int resource, double value)
{
    struct rlimit limit;
    if (getrlimit(resource, &limit) == 0 && (double)limit.rlim_max > value) {
        limit.rlim_cur = limit.rlim_max = (rlim_t)value;
        (void)setrlimit(resource, &limit);
    }
}

/* Limits that the system enforces, also after the parent has died. */
static void set_limits(const struct ml_child *child)
{
    lower_limit(RLIMIT_CORE, 0);
    const double limit = child->processor_limit > 0 ? child->processor_limit
                         : child->limit > 0         ? child->limit + 1
                                                    : 0;
    if (limit > 0)
        lower_limit(RLIMIT_CPU, ceil(limit));
    if (child->most_bytes > 0)
        lower_limit(RLIMIT_FSIZE, (double)child->most_bytes);
    if (child->is_private)
        (void)umask(077);
    if (child->niceness > 0)
        (void)!nice(child->niceness);
}

static void begin_child(char **environment)
{
    sigset_t none;
    (void)setpgid(0, 0);
    (void)sigemptyset(&none);
    (void)sigprocmask(SIG_SETMASK, &none, NULL);
    (void)signal(SIGCHLD, SIG_DFL); /* ignored, it could not wait for children of its own */
    ml_open_leave_files(ML_LEAVE_AT_EXEC);
    environ = environment;
}

/* The part of the child. Writes errno to `report` if it cannot begin. */
static _Noreturn void become_program(const struct ml_child *child, char **environment, int output,
                                     int report, pid_t parent)
{
    const int nothing = open("/dev/null", O_RDONLY);
#ifdef __linux__
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
    begin_child(environment);
    set_limits(child);
    if (getppid() == parent && nothing >= 0 && dup2(nothing, STDIN_FILENO) >= 0 &&
        dup2(output, STDOUT_FILENO) >= 0 && dup2(output, STDERR_FILENO) >= 0 &&
        chdir(child->folder ? child->folder : "/") == 0)
        (void)execvp(child->arguments[0], child->arguments);
    const int error = errno;
    (void)!write(report, &error, sizeof error);
    _exit(127);
}

/* A pipe above the standard descriptors that no other program inherits. */
static bool make_pipe(int ends[2])
{
    const struct ml_open_hold hold = ml_open_hold_standard();
    const bool is_made = pipe(ends) == 0;
    ml_open_release(&hold);
    for (int i = 0; is_made && i < 2; i++)
        (void)fcntl(ends[i], F_SETFD, FD_CLOEXEC);
    return is_made;
}

static void close_pipe(const int ends[2])
{
    const int error = errno;
    (void)close(ends[0]);
    (void)close(ends[1]);
    errno = error;
}

/* Waits for this process's end and then kills the child's group: the system kills the first process
 * of a group at most, and the first process of a compiler is not the one that computes. A program
 * of its own, which holds no memory and no file of this process. $1  process group $2  the folder
 * to remove, where it runs; empty: none */
static const char guard_script[] =
    "read -r end; kill -9 \"-$1\"; [ -n \"$2\" ] && cd -P .. && "
    "for wait in 0 1 1; do sleep $wait; rm -rf -- \"$2\" && break; done";

static _Noreturn void become_guard(const char *folder, char *const *arguments, char **environment,
                                   int alive)
{
    const int nothing = open("/dev/null", O_WRONLY);
    begin_child(environment);
    if (nothing >= 0 && dup2(alive, STDIN_FILENO) >= 0 && dup2(nothing, STDOUT_FILENO) >= 0 &&
        dup2(nothing, STDERR_FILENO) >= 0 && chdir(folder) == 0)
        (void)execv("/bin/sh", arguments);
    _exit(127);
}

/* Begins the guard of a child, on systems that can have one. */
static void start_guard(struct running *running, const struct ml_child *child, char **environment)
{
    int alive[2];
    char group[32];
    const char *folder = child->folder ? child->folder : "/", *slash = strrchr(folder, '/');
    const char *name = !child->owns_folder ? "" : slash ? slash + 1 : folder;
    char *const arguments[] = {"sh", "-c", (char *)guard_script, "sh", group, (char *)name, NULL};
    (void)snprintf(group, sizeof group, "%ld", (long)running->id);
    running->guard = running->alive = -1;
    if (!make_pipe(alive))
        return;
    running->guard = fork();
    if (running->guard == 0)
        become_guard(folder, arguments, environment, alive[0]);
    (void)close(alive[0]);
    running->alive = alive[1];
}

static void end_guard(const struct running *running)
{
    if (running->guard > 0) {
        (void)kill(running->guard, SIGKILL);
        while (waitpid(running->guard, NULL, 0) < 0 && errno == EINTR)
            ;
    }
    if (running->alive >= 0)
        (void)close(running->alive);
}

/* Begins it; false and errno. */
static bool start_child(struct running *running, const struct ml_child *child, char **environment)
{
    int output[2], report[2];
    const pid_t parent = getpid();
    if (!make_pipe(output))
        return false;
    if (!make_pipe(report)) {
        close_pipe(output);
        return false;
    }
    running->id = fork();
    if (running->id == 0)
        become_program(child, environment, output[1], report[1], parent);
    if (running->id < 0) {
        close_pipe(output);
        close_pipe(report);
        return false;
    }
    (void)setpgid(running->id, running->id); /* whoever of the two comes first */
    (void)close(output[1]);
    (void)close(report[1]); /* the other copy is closed once the program has begun */
    running->output = output[0];
    running->report = report[0];
    (void)fcntl(running->output, F_SETFL, O_NONBLOCK);
    start_guard(running, child, environment);
    return true;
}

/* 0 once the program has begun, or why it could not. */
static int child_find_error(const struct running *running)
{
    int error = 0;
    ssize_t n;
    do
        n = read(running->report, &error, sizeof error);
    while (n < 0 && errno == EINTR);
    return n == (ssize_t)sizeof error ? error : 0;
}

/* Takes the bytes printed so far; false at the end of the output. */
static bool take_output(struct running *running)
{
    char piece[4096];
    for (ssize_t n; (n = read(running->output, piece, sizeof piece)) != 0;) {
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return errno == EAGAIN;
        const size_t room = running->size - 1 - running->used;
        const size_t kept = (size_t)n < room ? (size_t)n : room;
        memcpy(running->text + running->used, piece, kept);
        running->used += kept;
    }
    return false;
}

/* Whether the child has ended; its id stays taken. */
static bool has_ended(pid_t id)
{
    siginfo_t about = {0};
    const int answer = waitid(P_PID, (id_t)id, &about, WEXITED | WNOHANG | WNOWAIT);
    return answer == 0 ? about.si_pid == id : errno != EINTR;
}

/* Waits until it has ended, or is to be killed: then how it ends. */
static enum ml_child_end watch_child(struct running *running, const struct ml_child *child)
{
    const double end = child->limit > 0 ? ml_clock() + child->limit : (double)INFINITY;
    bool is_open = true;
    while (!has_ended(running->id)) {
        if (ml_stop_level(child->stop) > 0)
            return ML_CHILD_STOPPED;
        if (ml_clock() > end)
            return ML_CHILD_TIMED_OUT;
        struct pollfd ready = {.fd = is_open ? running->output : -1, .events = POLLIN};
        (void)poll(&ready, 1, is_open ? LOOK : LOOK_AT_END);
        is_open = is_open && take_output(running);
    }
    if (is_open)
        (void)take_output(running);
    return ML_CHILD_EXITED;
}

/* Kills the rest of its group, and records its end. */
static struct ml_child_report end_child(const struct running *running, enum ml_child_end end)
{
    int status = 0;
    pid_t id;
    (void)kill(-running->id, SIGKILL);
    (void)kill(running->id, SIGKILL); /* it may not have made the group yet */
    end_guard(running);               /* before another process may get this id */
    do
        id = waitpid(running->id, &status, 0);
    while (id < 0 && errno == EINTR);
    if (end != ML_CHILD_EXITED)
        return (struct ml_child_report){end, 0};
    if (id != running->id)
        return (struct ml_child_report){ML_CHILD_EXITED, -1};
    return WIFSIGNALED(status) ? (struct ml_child_report){ML_CHILD_SIGNALLED, WTERMSIG(status)}
                               : (struct ml_child_report){ML_CHILD_EXITED, WEXITSTATUS(status)};
}

struct ml_child_report ml_child_run(const struct ml_child *child, char *text, size_t size)
{
    struct running running = {.text = text, .size = size};
    char **environment = make_environment(child->folder != NULL);
    struct ml_child_report report = {ML_CHILD_NOT_STARTED, ENOMEM};
    *text = '\0';
    if (!environment)
        return report;
    if (start_child(&running, child, environment)) {
        const int error = child_find_error(&running);
        const enum ml_child_end end = error ? ML_CHILD_EXITED : watch_child(&running, child);
        report = end_child(&running, end);
        if (error)
            report = (struct ml_child_report){ML_CHILD_NOT_STARTED, error};
        (void)close(running.output);
        (void)close(running.report);
        text[running.used] = '\0';
    } else {
        report.code = errno;
    }
    free(environment);
    return report;
}
