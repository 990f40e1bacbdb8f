/* Another program as a child process: in a folder and an environment of its own, and never longer
 * than it is wanted. */
#ifndef ML_BASE_CHILD_H
#define ML_BASE_CHILD_H

#include <stdbool.h>
#include <stddef.h>

#include "base/stop.h"

/* A program and its arguments. */
struct ml_child {
    char *const *arguments; /* NULL at the end; the first is the program, sought in PATH */
    const char *folder;     /* where it runs, which is not that of this process; NULL: / */
    bool owns_folder;       /* if this process is killed that folder goes, with its files */
    double limit;           /* s until it is killed; 0: none */
    double processor_limit; /* s of processor time of each of its processes; 0: `limit` and 1 s */
    struct ml_stop stop;    /* any level: it is killed */
    size_t most_bytes;      /* of a file that it makes; 0: any size */
    bool is_private;        /* its files are for this user alone */
    int niceness;           /* by which it yields to this process */
};

enum ml_child_end {
    ML_CHILD_EXITED,      /* code: its exit code; -1: not known */
    ML_CHILD_SIGNALLED,   /* code: the signal */
    ML_CHILD_NOT_STARTED, /* code: errno */
    ML_CHILD_TIMED_OUT,
    ML_CHILD_STOPPED,
};

struct ml_child_report {
    enum ml_child_end end;
    int code;
};

/* Runs a program to its end, with nothing on its standard input. Its environment is that of this
 * process as far as ML_CHILD_KEEPS names it, its messages are in English, its temporary files in
 * its folder. The program and its children are one process group, which is killed when the time is
 * over, when the program is to stop, when it has ended, and when this process ends in any way.
 *   text  [size > 0] out: the first size - 1 bytes that it prints, with a 0 at the end */
struct ml_child_report ml_child_run(const struct ml_child *child, char *text, size_t size);

/* Where programs and their libraries are, where a user's fonts are, and where ccache and fontconfig
 * keep their caches. Other variables that make a compiler read, write or run something (CPATH,
 * LIBRARY_PATH, DEPENDENCIES_OUTPUT, LD_PRELOAD, GNUPLOT_LIB, ...) can be in the command itself:
 * `env NAME=... cc`. */
#define ML_CHILD_KEEPS                                                                       \
    "PATH", "LD_LIBRARY_PATH", "HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME", "FONTCONFIG_FILE", \
        "FONTCONFIG_PATH", "GDFONTPATH"

/* Whether the child ended well. A process that ignores SIGCHLD does not learn its end: then the
 * files of the child show that. */
static inline bool ml_child_is_done(struct ml_child_report report)
{
    return report.end == ML_CHILD_EXITED && (report.code == 0 || report.code == -1);
}

#endif
