/* Writes the sources of a kernel to a folder and compiles them there. */
#include "engine/kernel_compiler.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include "base/child.h"
#include "base/fail.h"
#include "base/object_file.h"
#include "base/open.h"
#include "base/path.h"
#include "engine/kernel_sources.h"
#include "kernel_build.h"

static const double version_limit = 10; /* s */

static const char unit_name[] = "made.c";

enum {
    TEXT_LENGTH = 1 << 16, /* kept of what a compiler prints, bytes */
    LINE_LENGTH = 300,     /* of it in a message */
    MOST_ARGUMENTS = 96,
    MOST_BYTES = 256 << 20, /* of a file that it makes */
};

static const char *const any_flags[] = {ML_KERNEL_FLAGS, "-w", "-shared", NULL};
static const char *const gnu_flags[] = {ML_KERNEL_FLAGS_GNU, NULL};
static const char *const clang_flags[] = {ML_KERNEL_FLAGS_CLANG, NULL};
static const char *const no_flags[] = {NULL};

/* Errors are sought in English, and a version has one text. */
static const char in_english[] = "LC_ALL=C";

const char *ml_kernel_compiler_flags(void)
{
#define TEXT_OF(...) #__VA_ARGS__
#define TEXT(x) TEXT_OF(x)
    return TEXT((ML_KERNEL_FLAGS)) TEXT((ML_KERNEL_FLAGS_GNU)) TEXT((ML_KERNEL_FLAGS_CLANG));
#undef TEXT
#undef TEXT_OF
}

/* The command of the environment is split at blanks: it may be `ccache gcc`. */
static enum ml_status split_command(struct ml_kernel_compiler *compiler, struct ml_error *err)
{
    static const char blanks[] = " \t";
    const char *other = getenv("MANYLINK_CC");
    const bool is_other = other && other[strspn(other, blanks)];
    compiler->command = ml_path("%s", is_other ? other : ML_KERNEL_CC);
    compiler->split = compiler->command ? ml_path("%s", compiler->command) : NULL;
    if (!compiler->split)
        return ml_fail(err, ML_E_MEMORY, "out of memory");
    char *rest = NULL,
         *word = is_other ? strtok_r(compiler->split, blanks, &rest) : compiler->split;
    for (int n = 0; word && n < ML_KERNEL_MOST_WORDS; n++) {
        compiler->words[n] = word;
        word = is_other ? strtok_r(NULL, blanks, &rest) : NULL;
    }
    return word
               ? ml_fail(err, ML_E_FILE, "MANYLINK_CC has more than %d words", ML_KERNEL_MOST_WORDS)
               : ML_OK;
}

/* The line of a text that says what is wrong: the first with `error`, else the first. */
static const char *kernel_compiler_find_error(const char *text, int *length)
{
    const char *found = strstr(text, "error");
    if (!found)
        found = text + strspn(text, "\n\r\t ");
    while (found > text && found[-1] != '\n')
        found--;
    const size_t n = strcspn(found, "\n");
    *length = n < LINE_LENGTH ? (int)n : LINE_LENGTH;
    return found;
}

/* How a compiler ended that was run. ML_OK if it says that all went well. */
static enum ml_status judge_report(const struct ml_kernel_compiler *compiler,
                                   const struct ml_child_report *report, double limit,
                                   const char *text, struct ml_error *err)
{
    int length = 0;
    const char *line = kernel_compiler_find_error(text, &length);
    if (length == 0) {
        line = "it prints nothing";
        length = (int)strlen(line);
    }
    switch (report->end) {
    case ML_CHILD_STOPPED:
        return ml_fail(err, ML_STOPPED, "stopped");
    case ML_CHILD_TIMED_OUT:
        return ml_fail(err, ML_E_FILE, "`%s` was not done after %g s", compiler->command, limit);
    case ML_CHILD_NOT_STARTED:
        if (report->code == ENOENT)
            return ml_fail(err, ML_E_FILE,
                           "`%s` is not there (MANYLINK_CC or the compiler of the build)",
                           compiler->command);
        return ml_fail(err, ML_E_FILE, "`%s` cannot be started: %s", compiler->command,
                       strerror(report->code));
    case ML_CHILD_SIGNALLED:
        return ml_fail(err, ML_E_FILE, "`%s` was ended by signal %d: %.*s", compiler->command,
                       report->code, length, line);
    case ML_CHILD_EXITED:
        if (ml_child_is_done(*report))
            return ML_OK;
        break;
    }
    return ml_fail(err, ML_E_FILE, "`%s` failed (exit code %d): %.*s", compiler->command,
                   report->code, length, line);
}

static void describe_compiler(struct ml_kernel_compiler *compiler, const char *text)
{
    const char *const *kind = strstr(text, "clang")                      ? clang_flags
                              : strstr(text, "Free Software Foundation") ? gnu_flags
                                                                         : no_flags;
    compiler->own_flags = kind;
    compiler->version = XXH3_64bits(text, strlen(text));
    compiler->version += compiler->version == 0;
    (void)snprintf(compiler->description, sizeof compiler->description, "%s: %.*s",
                   compiler->command, (int)strcspn(text, "\n"), text);
}

enum ml_status ml_kernel_compiler_find(struct ml_kernel_compiler *compiler, double limit,
                                       struct ml_stop stop, struct ml_error *err)
{
    char *arguments[ML_KERNEL_MOST_WORDS + 2] = {NULL}, *text = malloc(TEXT_LENGTH);
    const char *const settings[] = {in_english, NULL};
    *compiler = (struct ml_kernel_compiler){.own_flags = no_flags};
    if (!text)
        return ml_fail(err, ML_E_MEMORY, "out of memory");
    enum ml_status status = split_command(compiler, err);
    if (status != ML_OK) {
        free(text);
        return status;
    }
    int n = 0;
    for (; compiler->words[n]; n++)
        arguments[n] = compiler->words[n];
    arguments[n] = "--version";
    const struct ml_child child = {.arguments = arguments,
                                   .settings = settings,
                                   .limit = limit < version_limit ? limit : version_limit,
                                   .stop = stop,
                                   .most_bytes = MOST_BYTES,
                                   .is_private = true};
    const struct ml_child_report report = ml_child_run(&child, text, TEXT_LENGTH);
    status = judge_report(compiler, &report, child.limit, text, err);
    if (status == ML_OK)
        describe_compiler(compiler, text);
    free(text);
    return status;
}

void ml_kernel_compiler_free(struct ml_kernel_compiler *compiler)
{
    free(compiler->command);
    free(compiler->split);
    *compiler = (struct ml_kernel_compiler){0};
}

static enum ml_status fail_to_write(struct ml_error *err, const char *path)
{
    return ml_fail(err, ML_E_FILE, "%s: cannot be written: %s", path, strerror(errno));
}

/* Makes the folders that a path in a folder goes through. */
static bool make_folders_of(char *path, size_t folder_length)
{
    bool is_made = true;
    for (char *slash = strchr(path + folder_length + 1, '/'); slash && is_made;
         slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        is_made = mkdir(path, 0700) == 0 || errno == EEXIST;
        *slash = '/';
    }
    return is_made;
}

/* Writes a file of so many lines.
 *   lines  NULL at the end, each without its end */
static enum ml_status write_lines(const char *folder, const char *name, const char *const *lines,
                                  struct ml_error *err)
{
    char *path = ml_path("%s/%s", folder, name);
    if (!path)
        return ml_fail(err, ML_E_MEMORY, "out of memory");
    const int made = make_folders_of(path, strlen(folder))
                         ? ml_open_file(path, O_WRONLY | O_CREAT | O_EXCL)
                         : -1;
    FILE *file = made < 0 ? NULL : fdopen(made, "w");
    bool is_good = file != NULL;
    if (made >= 0 && !file)
        (void)close(made);
    for (; is_good && *lines; lines++)
        is_good = fputs(*lines, file) >= 0 && fputc('\n', file) != EOF;
    if (file && fclose(file) != 0)
        is_good = false;
    const enum ml_status status = is_good ? ML_OK : fail_to_write(err, path);
    free(path);
    return status;
}

static enum ml_status write_sources(const struct ml_kernel_task *task, struct ml_error *err)
{
    const char *const unit[] = {task->unit, NULL};
    enum ml_status status = write_lines(task->folder, unit_name, unit, err);
    for (const struct ml_kernel_source *source = ml_kernel_sources; source->path && status == ML_OK;
         source++)
        status = write_lines(task->folder, source->path, source->lines, err);
    return status;
}

/* The words of a command. */
struct kernel_compiler_command {
    char *words[MOST_ARGUMENTS + 1];
    int n;
};

/* What is made for one run of a compiler. */
struct words {
    char *paths[5];                  /* definition and folder of sources, object, unit, TMPDIR */
    char *isa_flags[MOST_ARGUMENTS]; /* NULL at the end */
};

static void add_words(struct kernel_compiler_command *command, const char *const *words)
{
    for (; *words && command->n < MOST_ARGUMENTS; words++)
        command->words[command->n++] = (char *)*words;
}

/* Runs the compiler; all words are there.
 *   own_flags  of its kind, which change the speed of a kernel only
 *   report     out: how it ended */
static enum ml_status run_compiler(const struct ml_kernel_compiler *compiler,
                                   const char *const *own_flags, const struct ml_kernel_task *task,
                                   const struct words *words, struct ml_child_report *report,
                                   struct ml_error *err)
{
    struct kernel_compiler_command command = {.n = 0};
    char *const *paths = words->paths, *text = malloc(TEXT_LENGTH);
    if (!text)
        return ml_fail(err, ML_E_MEMORY, "out of memory");
    add_words(&command, (const char *const *)compiler->words);
    add_words(&command, any_flags);
    add_words(&command, own_flags);
    add_words(&command, (const char *const *)words->isa_flags);
    /* what a unit needs and does not have is to be known now */
    add_words(&command, (const char *const[]){"-Wl,-z,defs", paths[0], paths[1], "-o", paths[2],
                                              paths[3], "-lm", NULL});
    const struct ml_child child = {.arguments = command.words,
                                   .settings = (const char *const[]){in_english, paths[4], NULL},
                                   .limit = task->limit,
                                   .stop = task->stop,
                                   .most_bytes = MOST_BYTES,
                                   .is_private = true};
    *report = ml_child_run(&child, text, TEXT_LENGTH);
    const enum ml_status status = judge_report(compiler, report, task->limit, text, err);
    free(text);
    return status;
}

/* Compiles with the flags for speed; if the compiler fails, once more without them, since another
 * version may not know one. If both fail, err is of the first. */
static enum ml_status kernel_compiler_compile_unit(const struct ml_kernel_compiler *compiler,
                                                   const struct ml_kernel_task *task,
                                                   const struct words *words, struct ml_error *err)
{
    struct ml_child_report report = {.end = ML_CHILD_NOT_STARTED};
    enum ml_status status = run_compiler(compiler, compiler->own_flags, task, words, &report, err);
    if (status != ML_E_FILE || report.end != ML_CHILD_EXITED || !*compiler->own_flags)
        return status;
    struct ml_error again = {0};
    const enum ml_status second = run_compiler(compiler, no_flags, task, words, &report, &again);
    if (second == ML_E_FILE) {
        ml_error_clear(&again);
        return status;
    }
    ml_error_clear(err); /* what the first said; err is not NULL */
    *err = again;        /* of a stop, or empty */
    return second;
}

/* Whether there is an object, all of it: compilers do not always tell of a full disk. */
static enum ml_status check_object(const struct ml_kernel_compiler *compiler, const char *path,
                                   struct ml_error *err)
{
    char why[LINE_LENGTH];
    uint64_t checksum = 0;
    if (ml_open_is_file(path) && ml_object_file_check(path, &checksum, why, sizeof why))
        return ML_OK;
    return ml_fail(err, ML_E_FILE, "`%s` made no whole file, and tells of no error",
                   compiler->command);
}

/* Splits flags of an instruction set, in place. */
static void split_flags(char *flags, struct words *words)
{
    char *rest = NULL, *flag = strtok_r(flags, " ", &rest);
    for (int n = 0; flag && n < MOST_ARGUMENTS - 1; n++) {
        words->isa_flags[n] = flag;
        flag = strtok_r(NULL, " ", &rest);
    }
}

enum ml_status ml_kernel_compile(const struct ml_kernel_compiler *compiler,
                                 const struct ml_kernel_task *task, struct ml_error *err)
{
    struct words words = {.paths = {
                              ml_path("-DML_ISA_NAME=%s", task->isa),
                              ml_path("-I%s", task->folder),
                              ml_path("%s/" ML_KERNEL_OBJECT, task->folder),
                              ml_path("%s/%s", task->folder, unit_name),
                              ml_path("TMPDIR=%s", task->folder),
                          }};
    enum { N_PATH = sizeof words.paths / sizeof *words.paths };
    char *isa_flags = ml_path("%s", task->isa_flags);
    enum ml_status status = isa_flags ? ML_OK : ML_E_MEMORY;
    for (int i = 0; i < N_PATH; i++)
        status = words.paths[i] ? status : ML_E_MEMORY;
    if (status != ML_OK)
        (void)ml_fail(err, ML_E_MEMORY, "out of memory");
    else
        split_flags(isa_flags, &words);
    if (status == ML_OK)
        status = write_sources(task, err);
    if (status == ML_OK)
        status = kernel_compiler_compile_unit(compiler, task, &words, err);
    if (status == ML_OK)
        status = check_object(compiler, words.paths[2], err);
    for (int i = 0; i < N_PATH; i++)
        free(words.paths[i]);
    free(isa_flags);
    return status;
}
