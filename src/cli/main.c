/* manylink: the command. Finds the command, prints help and version. */
#include <errno.h>
#include <fcntl.h>
#include <hdf5.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "cli/command.h"
#include "cli/completion.h"
#include "cli/help.h"
#include "manylink/run.h"
#include "manylink/text.h"
#include "manylink/version.h"

static int show_version(void)
{
    const char *isa;
    char *gpus = ml_gpu_text();
    printf(
        "manylink %s (format %d, of results %d; HDF5 %d.%d.%d; instruction sets of this machine:",
        ML_VERSION, ML_FORMAT, ML_RESULT_FORMAT, H5_VERS_MAJOR, H5_VERS_MINOR, H5_VERS_RELEASE);
    for (int i = 0; (isa = ml_isa(i)); i++)
        printf(" %s", isa);
    printf(")\nGPU: %s\n", gpus ? gpus : "not known without memory");
    free(gpus);
    return EXIT_DONE;
}

/* Takes --no-native out of the arguments, wherever it is; returns how many are left. */
static int take_no_native(int argc, char **argv)
{
    int n = 0;
    for (int i = 0; i < argc; i++)
        if (strcmp(argv[i], "--no-native") != 0)
            argv[n++] = argv[i];
    argv[n] = NULL;
    return n;
}

enum { MOST_COMMANDS = 64 };

static const struct command *find_command(const char *name)
{
    for (const struct command *c = commands; c->name; c++)
        if (strcmp(name, c->name) == 0)
            return c;
    const char *names[MOST_COMMANDS] = {NULL};
    int n = 0;
    for (const struct command *c = commands; c->name && n < MOST_COMMANDS; c++)
        names[n++] = c->name;
    const char *nearest = ml_text_nearest(name, names, n);
    say(stderr,
        nearest ? "manylink: no command `%s`; did you mean `%s`? There are:"
                : "manylink: no command `%s`; there are:",
        name, nearest);
    for (const struct command *c = commands; c->name; c++)
        fprintf(stderr, " %s", c->name);
    fprintf(stderr, "\n");
    return NULL;
}

/* Options of manylink itself: `manylink --help run`; returns the exit code. */
static int main_print_page(void (*print)(const struct command *command), const char *name)
{
    const struct command *command = name ? find_command(name) : NULL;
    if (name && !command)
        return EXIT_BAD_INPUT;
    print(command);
    return EXIT_DONE;
}

static int run_command(int argc, char **argv, bool no_native)
{
    const struct command *command = find_command(argv[0]);
    struct command_line line;
    if (!command)
        return EXIT_BAD_INPUT;
    int code = command_line_read(command, argc, argv, &line);
    line.no_native |= no_native;
    if (code < 0 && line.help) {
        print_help(command);
        code = EXIT_DONE;
    }
    if (code < 0)
        code = command->run(&line);
    command_line_free(&line);
    return code;
}

static int main_run(int argc, char **argv, bool no_native)
{
    const char *word = argc > 1 ? argv[1] : NULL;
    if (!word) {
        print_overview(stderr);
        return EXIT_BAD_INPUT;
    }
    if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0 || strcmp(word, "help") == 0)
        return main_print_page(print_help, argv[2]);
    if (strcmp(word, "--man") == 0)
        return main_print_page(print_man, argv[2]);
    if (strcmp(word, "--version") == 0)
        return show_version();
    if (strcmp(word, "--completion") == 0)
        return print_completion(argv[2]);
    if (strcmp(word, "--complete") == 0)
        return print_complete(argv[2]);
    return run_command(argc - 1, argv + 1, no_native);
}

/* The next file that is opened would get the number of a closed stream, and printed text. */
static void open_standard_streams(void)
{
    for (int file = STDIN_FILENO; file <= STDERR_FILENO; file++)
        if (fcntl(file, F_GETFD) < 0)
            (void)open("/dev/null", file == STDIN_FILENO ? O_RDONLY : O_WRONLY);
}

/* Below this not every command can run. */
static bool has_stack(void)
{
    enum { ENOUGH = 1 << 20 };
    struct rlimit limit;
    if (getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur >= ENOUGH)
        return true;
    limit.rlim_cur = limit.rlim_max < ENOUGH ? limit.rlim_max : ENOUGH;
    (void)setrlimit(RLIMIT_STACK, &limit);
    if (limit.rlim_cur >= ML_RUN_STACK)
        return true;
    fprintf(stderr,
            "manylink: cannot run: the stack is limited to %llu kB, and %d kB are needed; `ulimit "
            "-s 8192`\n",
            (unsigned long long)limit.rlim_cur / 1024, ML_RUN_STACK / 1024);
    return false;
}

int main(int argc, char **argv)
{
    open_standard_streams();
    /* HDF5's handler at exit crashes after a full disk. */
    (void)H5dont_atexit();
    /* OpenBLAS reads it when it is loaded, and would start a thread of its own for every core. */
    (void)setenv("OPENBLAS_NUM_THREADS", "1", 1);
    /* A study file may come before options. */
    (void)unsetenv("POSIXLY_CORRECT");
    /* A file that gets too large is an error of `write`, with a message. */
    (void)signal(SIGXFSZ, SIG_IGN);
    if (!has_stack())
        return EXIT_FAILED;
    const int n = take_no_native(argc, argv);
    const int code = main_run(n, argv, n < argc);
    if (fflush(stdout) != 0 || ferror(stdout)) {
        fprintf(stderr, "manylink: cannot write output: %s\n", strerror(errno));
        return code == EXIT_DONE ? EXIT_FAILED : code;
    }
    return code;
}
