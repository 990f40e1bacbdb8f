/* Runs gnuplot and puts its picture in place: a whole one, or none. */
#include "plot/gnuplot.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

#include "base/fail.h"
#include "base/open.h"
#include "store/bytes.h"
#include "store/path.h"

enum { MESSAGE_LENGTH = 600 };

static const long between_looks = 2000000; /* ns */

static void gnuplot_fail(struct ml_plot_source *source, const char *format, const char *detail)
{
    if (source->h5.status == ML_OK)
        source->h5.status = ml_fail(source->h5.err, ML_E_FILE, format, detail);
}

/* gnuplot opens a pipe to a shell for names that begin with | or <, and other files for ~ and -. */
static char *plain_name(const char *path)
{
    return ml_path(*path == '/' || *path == '.' ? "%s" : "./%s", path);
}

/* What the child does: without the settings of the user, its words in a file. It ends with its
 * parent, however that ends. Writes errno to `report` if it cannot begin. */
static _Noreturn void become(const char *script, const char *output, int messages, int report,
                             pid_t parent)
{
    char *const arguments[] = {"gnuplot", "-d", "-c", (char *)script, (char *)output, NULL};
    const int nothing = open("/dev/null", O_RDONLY);
#ifdef __linux__
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
    if (getppid() == parent && nothing >= 0 && dup2(nothing, STDIN_FILENO) >= 0 &&
        dup2(messages, STDOUT_FILENO) >= 0 && dup2(messages, STDERR_FILENO) >= 0)
        (void)execvp(arguments[0], arguments);
    const int error = errno;
    (void)!write(report, &error, sizeof error);
    _exit(127);
}

/* 0 or an errno; the words of the child go into an open file. */
static int spawn(const char *script, const char *output, int messages, pid_t *child)
{
    int report[2], error = 0;
    const pid_t parent = getpid();
    if (pipe(report) != 0)
        return errno;
    (void)fcntl(report[0], F_SETFD, FD_CLOEXEC);
    (void)fcntl(report[1], F_SETFD, FD_CLOEXEC); /* closed once gnuplot has begun */
    *child = fork();
    if (*child == 0)
        become(script, output, messages, report[1], parent);
    const int why = errno;
    (void)close(report[1]);
    ssize_t n;
    do
        n = *child > 0 ? read(report[0], &error, sizeof error) : 0;
    while (n < 0 && errno == EINTR);
    (void)close(report[0]);
    if (*child < 0)
        return why;
    if (n == (ssize_t)sizeof error)
        (void)waitpid(*child, NULL, 0);
    return n == (ssize_t)sizeof error ? error : 0;
}

/* Waits for the child; whether it ended well. Ends it when the drawing is to stop. */
static bool has_succeeded(struct ml_plot_source *source, pid_t child)
{
    int status = 0;
    for (pid_t ended; (ended = waitpid(child, &status, WNOHANG)) != child;) {
        if (ended < 0 && errno != EINTR)
            return false;
        if (ml_plot_is_stopped(source))
            (void)kill(child, SIGKILL);
        (void)nanosleep(&(struct timespec){.tv_nsec = between_looks}, NULL);
    }
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static void fail_with_messages(struct ml_plot_source *source, int messages)
{
    char text[MESSAGE_LENGTH + 1] = "";
    const ssize_t n = pread(messages, text, MESSAGE_LENGTH, 0);
    text[n > 0 ? n : 0] = '\0';
    gnuplot_fail(source, "gnuplot made no picture:\n%s", text);
}

/* Whether a picture has its end: gnuplot does not tell of a disk that is full. */
static bool is_whole(const char *path, const struct ml_plot_picture *kind)
{
    enum { TAIL = 64 };
    char tail[TAIL];
    struct stat about;
    const size_t length = strlen(kind->end);
    const int file = ml_open_file(path, O_RDONLY | O_NOFOLLOW);
    bool is = false;
    if (file < 0)
        return false;
    if (fstat(file, &about) == 0 && about.st_size >= (off_t)length) {
        const size_t n = about.st_size < TAIL ? (size_t)about.st_size : TAIL;
        const bool is_read = ml_bytes_read(file, about.st_size - (off_t)n, tail, n);
        for (size_t i = 0; is_read && i + length <= n; i++)
            is = is || memcmp(tail + i, kind->end, length) == 0;
    }
    (void)close(file); /* read only */
    return is;
}

/* Runs gnuplot into a file that may be left in any state on failure. */
static void run(struct ml_plot_source *source, const struct ml_plot_folder *folder,
                const struct ml_plot_picture *kind, const char *output)
{
    const char *script = ml_plot_folder_path(source, folder, ML_PLOT_SCRIPT);
    FILE *messages = tmpfile();
    pid_t child = -1;
    if (!messages)
        gnuplot_fail(source, "a temporary file cannot be made: %s", strerror(errno));
    if (source->h5.status == ML_OK) {
        const int error = spawn(script, output, fileno(messages), &child);
        const bool is_done = error == 0 && has_succeeded(source, child);
        if (error == ENOENT)
            gnuplot_fail(source, "%s",
                         "pictures are drawn by gnuplot, which is not installed or not in PATH: on "
                         "Debian, apt-get install gnuplot-nox; --script FOLDER alone does without "
                         "it");
        else if (error != 0)
            gnuplot_fail(source, "gnuplot cannot be started: %s", strerror(error));
        else if (!is_done && !ml_plot_is_stopped(source))
            fail_with_messages(source, fileno(messages));
        else if (is_done && !is_whole(output, kind))
            gnuplot_fail(source, "%s: gnuplot did not finish the picture: is the disk full?",
                         output);
    }
    if (messages)
        (void)fclose(messages);
}

/* Makes the empty file that gnuplot writes to: not where a link leads that somebody put there. */
static bool make_temporary(const char *path)
{
    (void)unlink(path);
    const int file = ml_open_file(path, O_WRONLY | O_CREAT | O_EXCL);
    return file >= 0 && close(file) == 0;
}

void ml_plot_run_gnuplot(struct ml_plot_source *source, const struct ml_plot_folder *folder,
                         const char *picture)
{
    char *name = source->h5.status == ML_OK ? plain_name(picture) : NULL;
    char *temporary = name ? ml_path_temporary(name) : NULL;
    const struct ml_plot_picture *kind = ml_plot_picture_of(picture);
    free(name);
    if (!temporary || !kind) {
        ml_h5_fail(&source->h5, ML_E_MEMORY, "out of memory");
        free(temporary);
        return;
    }
    if (!make_temporary(temporary))
        source->h5.status =
            ml_fail(source->h5.err, ML_E_FILE, "%s: cannot be made: %s", picture, strerror(errno));
    run(source, folder, kind, temporary);
    if (source->h5.status == ML_OK && rename(temporary, picture) != 0)
        gnuplot_fail(source, "the picture cannot be put in place: %s", strerror(errno));
    if (source->h5.status != ML_OK)
        (void)unlink(temporary); /* it may not exist */
    free(temporary);
}
