#include "plot/gnuplot.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/fail.h"
#include "store/path.h"

extern char **environ;

enum { MESSAGE_LENGTH = 600 };

static void fail(struct ml_plot_source *source, const char *format, const char *detail)
{
    if (source->h5.status == ML_OK)
        source->h5.status = ml_fail(source->h5.err, ML_E_FILE, format, detail);
}

/* Ctrl-C reaches gnuplot as well: who waits for it outlives it, to clean up. */
struct ignored {
    struct sigaction interrupt, quit;
};

static void ignore_signals(struct ignored *before)
{
    struct sigaction ignore = {.sa_handler = SIG_IGN};
    (void)sigemptyset(&ignore.sa_mask);
    (void)sigaction(SIGINT, &ignore, &before->interrupt);
    (void)sigaction(SIGQUIT, &ignore, &before->quit);
}

static void restore_signals(const struct ignored *before)
{
    (void)sigaction(SIGINT, &before->interrupt, NULL);
    (void)sigaction(SIGQUIT, &before->quit, NULL);
}

/* What posix_spawnp returns; without the settings of the user, and its words in a file. */
static int spawn(const char *script, const char *output, const char *messages, pid_t *child)
{
    char *const arguments[] = {"gnuplot", "-d", "-c", (char *)script, (char *)output, NULL};
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t usual;
    (void)sigemptyset(&usual);
    (void)sigaddset(&usual, SIGINT);
    (void)sigaddset(&usual, SIGQUIT);
    (void)posix_spawn_file_actions_init(&actions);
    (void)posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    (void)posix_spawn_file_actions_addopen(&actions, 1, messages, O_WRONLY | O_CREAT | O_TRUNC,
                                           0666);
    (void)posix_spawn_file_actions_adddup2(&actions, 1, 2);
    (void)posix_spawnattr_init(&attributes);
    (void)posix_spawnattr_setsigdefault(&attributes, &usual);
    (void)posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
    int error = posix_spawnp(child, arguments[0], &actions, &attributes, arguments, environ);
    (void)posix_spawnattr_destroy(&attributes);
    (void)posix_spawn_file_actions_destroy(&actions);
    return error;
}

/* Waits for the child; whether it ended well. */
static bool has_succeeded(pid_t child)
{
    int status = 0;
    pid_t ended;
    do
        ended = waitpid(child, &status, 0);
    while (ended < 0 && errno == EINTR);
    return ended == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static void fail_with_messages(struct ml_plot_source *source, const char *path)
{
    char text[MESSAGE_LENGTH + 1] = "";
    FILE *file = fopen(path, "re");
    if (file) {
        text[fread(text, 1, MESSAGE_LENGTH, file)] = '\0';
        (void)fclose(file); /* read only */
    }
    fail(source, "gnuplot made no picture:\n%s", text);
}

static bool is_filled(const char *path)
{
    struct stat about;
    return stat(path, &about) == 0 && about.st_size > 0;
}

/* Runs gnuplot into a file that may be left in any state on failure. */
static void run(struct ml_plot_source *source, const struct ml_plot_folder *folder,
                const char *output)
{
    const char *script = ml_plot_folder_path(source, folder, ML_PLOT_SCRIPT);
    const char *messages = ml_plot_folder_path(source, folder, ML_PLOT_MESSAGES);
    struct ignored before;
    pid_t child;
    if (source->h5.status != ML_OK)
        return;
    ignore_signals(&before);
    int error = spawn(script, output, messages, &child);
    bool is_done = error == 0 && has_succeeded(child) && is_filled(output);
    restore_signals(&before);
    if (error == ENOENT)
        fail(source, "%s",
             "pictures are drawn by gnuplot, which is not installed or not in PATH: on Debian, "
             "apt-get install gnuplot-nox; --script FOLDER alone does without it");
    else if (error != 0)
        fail(source, "gnuplot cannot be started: %s", strerror(error));
    else if (!is_done)
        fail_with_messages(source, messages);
    (void)unlink(messages);
}

void ml_plot_run_gnuplot(struct ml_plot_source *source, const struct ml_plot_folder *folder,
                         const char *picture)
{
    char *temporary = source->h5.status == ML_OK ? ml_path_temporary(picture) : NULL;
    if (!temporary) {
        ml_h5_fail(&source->h5, ML_E_MEMORY, "out of memory");
        return;
    }
    int file = open(temporary, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    if (file < 0 || close(file) != 0)
        source->h5.status =
            ml_fail(source->h5.err, ML_E_FILE, "%s: cannot be made: %s", picture, strerror(errno));
    run(source, folder, temporary);
    if (source->h5.status == ML_OK && rename(temporary, picture) != 0)
        fail(source, "the picture cannot be put in place: %s", strerror(errno));
    if (source->h5.status != ML_OK)
        (void)unlink(temporary); /* it may not exist */
    free(temporary);
}
