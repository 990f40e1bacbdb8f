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

#include "base/stack.h"
#include "cli/command.h"
#include "cli/say.h"
#include "manylink/version.h"

static const struct command *const commands[] = {
    &command_run,   &command_plan,    &command_merge,    &command_status,  &command_verify,
    &command_slurm, &command_compile, &command_evaluate, &command_inverse, &command_info,
    &command_plot,  &command_list,    &command_schema,
};

enum { N_COMMAND = sizeof commands / sizeof *commands };

static int show_overview(FILE *to)
{
    fprintf(to, "usage: manylink COMMAND ...\n\n"
                "Runs thousands to millions of independent integrations of segment chains and\n"
                "other systems and writes them into one HDF5 file.\n\n");
    for (int i = 0; i < N_COMMAND; i++)
        fprintf(to, "  %-9s %-32s %s\n", commands[i]->name, commands[i]->arguments,
                commands[i]->doc);
    fprintf(to,
            "\n`manylink COMMAND --help` tells more; `manylink --version` what this is.\n"
            "`--no-native`, with any command, loads no plugin and makes no kernel: no code but\n"
            "manylink's own is run.\n"
            "Exit codes: 0 done, 1 failed, 2 bad input, 3 finished but some runs did not,\n"
            "130 interrupted and resumable.\n");
    return EXIT_DONE;
}

static int show_version(void)
{
    const char *isa;
    printf(
        "manylink %s (format %d, of results %d; HDF5 %d.%d.%d; instruction sets of this machine:",
        ML_VERSION, ML_FORMAT, ML_RESULT_FORMAT, H5_VERS_MAJOR, H5_VERS_MINOR, H5_VERS_RELEASE);
    for (int i = 0; (isa = ml_isa(i)); i++)
        printf(" %s", isa);
    printf(")\n");
    return EXIT_DONE;
}

/* Takes --no-native out of the arguments, wherever it is; returns how many are left. */
static int take_no_native(int argc, char **argv)
{
    int n = 0;
    for (int i = 0; i < argc; i++)
        if (strcmp(argv[i], "--no-native") == 0)
            refuse_native();
        else
            argv[n++] = argv[i];
    argv[n] = NULL;
    return n;
}

static int run_command(int argc, char **argv)
{
    if (argc < 2) {
        show_overview(stderr);
        return EXIT_BAD_INPUT;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 ||
        strcmp(argv[1], "help") == 0)
        return show_overview(stdout);
    if (strcmp(argv[1], "--version") == 0)
        return show_version();
    for (int i = 0; i < N_COMMAND; i++)
        if (strcmp(argv[1], commands[i]->name) == 0)
            return commands[i]->run(commands[i], argc - 1, argv + 1);
    say(stderr, "manylink: no command `%s`; there are:", argv[1]);
    for (int i = 0; i < N_COMMAND; i++)
        fprintf(stderr, " %s", commands[i]->name);
    fprintf(stderr, "\n");
    return EXIT_BAD_INPUT;
}

/* What is closed would be given to the next file that is opened, and what is printed go into it. */
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
    if (limit.rlim_cur >= ML_STACK_LEAST)
        return true;
    fprintf(stderr,
            "manylink: the stack is limited to %llu kB, and %d are needed: ulimit -s 8192\n",
            (unsigned long long)limit.rlim_cur / 1024, ML_STACK_LEAST / 1024);
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
    /* Files that get too large are told of. */
    (void)signal(SIGXFSZ, SIG_IGN);
    if (!has_stack())
        return EXIT_FAILED;
    int code = run_command(take_no_native(argc, argv), argv);
    if (fflush(stdout) != 0 || ferror(stdout)) {
        fprintf(stderr, "manylink: output cannot be written: %s\n", strerror(errno));
        return code == EXIT_DONE ? EXIT_FAILED : code;
    }
    return code;
}
