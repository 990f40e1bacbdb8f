/* Writes the sources of a kernel to a folder and compiles them there. */
#include "engine/kernels/kernel_compiler.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include "base/child.h"
#include "base/io.h"
#include "base/open.h"
#include "base/path.h"
#include "kernel_build.h"
#include "manylink/fail.h"

static const double version_limit = 10; /* s */

static const char unit_name[] = "made.c";

enum {
    TEXT_LENGTH = 1 << 16, /* kept of a compiler's output, bytes */
    LINE_LENGTH = 300,     /* of it in a message */
    MOST_ARGUMENTS = 96,
    BESIDE_NICENESS = 5,
    MOST_BYTES = 256 << 20, /* of a file that it makes */
};

static const char *const any_flags[] = {ML_KERNEL_FLAGS, "-w", NULL};
static const char *const gnu_flags[] = {ML_KERNEL_FLAGS_GNU, NULL};
static const char *const clang_flags[] = {ML_KERNEL_FLAGS_CLANG, NULL};
static const char *const loop_flags[] = {"-ftree-vectorize", "-ftree-slp-vectorize", NULL};
static const char *const no_flags[] = {NULL};

/* clang takes an array apart that it finds without a variable index when it begins, and unrolls
 * loops within loops from the inside, where their bounds are variables yet: the whole optimisation,
 * three times. */
enum { GPU_PASSES = 3 };
static const char *const gpu_passes[GPU_PASSES][8] = {
    {"-c", "-emit-llvm", "-o", "first.bc", unit_name},
    {"-c", "-emit-llvm", "-o", "second.bc", "-x", "ir", "first.bc"},
    {"-S", "-o", ML_KERNEL_OBJECT, "-x", "ir", "second.bc"},
};

const char *ml_kernel_compiler_flags(void)
{
#define TEXT_OF(...) #__VA_ARGS__
#define TEXT(x) TEXT_OF(x)
    return TEXT((ML_KERNEL_FLAGS)) TEXT((ML_KERNEL_FLAGS_GNU)) TEXT((ML_KERNEL_FLAGS_CLANG));
#undef TEXT
#undef TEXT_OF
}

/* A word of a command, to be freed: a path from this folder becomes one from everywhere. NULL
 * without memory, or without this folder. */
static char *make_word(const char *word, size_t length)
{
    char *made = ml_path("%.*s", (int)length, word);
    if (!made || strchr("/-@", *made) || strchr(made, '=') || !strchr(made, '/'))
        return made;
    char *absolute = ml_path_absolute(made);
    free(made);
    return absolute;
}

static bool is_gpu(const char *isa) { return strcmp(isa, ML_KERNEL_GPU) == 0; }

/* Name of a clang, to be freed: many systems have it by a name with its version only. NULL without
 * memory. */
static char *find_clang(void)
{
    const int newest = 40, oldest = 11;
    char name[20] = "clang"; /* room for "clang-" and any int */
    char *path = ml_path_program(name);
    for (int version = newest; !path && version >= oldest; version--) {
        (void)snprintf(name, sizeof name, "clang-%d", version);
        path = ml_path_program(name);
    }
    const char *found = path ? name : "clang";
    free(path);
    return ml_path("%s", found);
}

/* The command of the environment is split at blanks: it may be `ccache gcc`. */
static enum ml_status split_command(struct ml_kernel_compiler *compiler)
{
    static const char blanks[] = " \t";
    const bool for_gpu = compiler->is_for_gpu;
    const char *variable = for_gpu ? "MANYLINK_GPU_CC" : "MANYLINK_CC", *other = getenv(variable);
    const bool is_other = other && other[strspn(other, blanks)];
    const char *at = compiler->command = is_other  ? ml_path("%s", other)
                                         : for_gpu ? find_clang()
                                                   : ml_path("%s", ML_KERNEL_CC);
    int n = 0;
    for (size_t length; at && *(at += is_other ? strspn(at, blanks) : 0); at += length) {
        length = is_other ? strcspn(at, blanks) : strlen(at);
        if (n == ML_KERNEL_MOST_WORDS)
            return ml_fail(&compiler->error, ML_E_FILE, "%s has more than %d words", variable,
                           ML_KERNEL_MOST_WORDS);
        if (!(compiler->words[n++] = make_word(at, length)))
            break;
    }
    return n > 0 && compiler->words[n - 1]
               ? ML_OK
               : ml_fail(&compiler->error, ML_E_MEMORY, "out of memory");
}

/* The line of a text that tells the fault: the first with one of these signs, by rank, else the
 * first. */
static const char *kernel_compiler_find_error(const char *text, int *length)
{
    static const char *const signs[] = {"No space left", "quota exceeded", "error"};
    const char *found = NULL;
    for (size_t i = 0; !found && i < sizeof signs / sizeof *signs; i++)
        found = strstr(text, signs[i]);
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
            return ml_fail(err, ML_E_FILE, "`%s` is not there (%s)", compiler->command,
                           compiler->is_for_gpu ? "MANYLINK_GPU_CC or a clang of PATH"
                                                : "MANYLINK_CC or the compiler of the build");
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

static void hash_program(XXH3_state_t *state, const char *name)
{
    char *path = ml_path_program(name);
    (void)XXH3_64bits_update(state, path ? path : name, strlen(path ? path : name) + 1);
    free(path);
}

/* Hash of all that can change a kernel beside the command: the text of --version, the files that
 * the names in the command and those of assembler and linker mean, and where it finds its
 * libraries. */
static uint64_t find_version(const struct ml_kernel_compiler *compiler, const char *text)
{
    const char *libraries = getenv("LD_LIBRARY_PATH");
    XXH3_state_t *state = XXH3_createState();
    uint64_t version = 0;
    if (state && XXH3_64bits_reset(state) == XXH_OK) {
        (void)XXH3_64bits_update(state, text, strlen(text) + 1);
        for (int i = 0; compiler->words[i]; i++)
            if (!strpbrk(compiler->words[i], "/=") && compiler->words[i][0] != '-')
                hash_program(state, compiler->words[i]);
        hash_program(state, "as");
        hash_program(state, "ld");
        if (libraries)
            (void)XXH3_64bits_update(state, libraries, strlen(libraries));
        version = XXH3_64bits_digest(state);
    }
    (void)XXH3_freeState(state);
    return version + (version == 0);
}

static void describe_compiler(struct ml_kernel_compiler *compiler, const char *text)
{
    const char *const *kind = strstr(text, "clang")                      ? clang_flags
                              : strstr(text, "Free Software Foundation") ? gnu_flags
                                                                         : no_flags;
    compiler->own_flags = kind;
    compiler->version = find_version(compiler, text);
    (void)snprintf(compiler->description, sizeof compiler->description, "%s: %.*s",
                   compiler->command, (int)strcspn(text, "\n"), text);
}

static enum ml_status ask_version(struct ml_kernel_compiler *compiler, double limit,
                                  struct ml_stop stop)
{
    char *arguments[ML_KERNEL_MOST_WORDS + 2] = {NULL}, *text = malloc(TEXT_LENGTH);
    if (!text)
        return ml_fail(&compiler->error, ML_E_MEMORY, "out of memory");
    int n = 0;
    for (; compiler->words[n]; n++)
        arguments[n] = compiler->words[n];
    arguments[n] = "--version";
    const struct ml_child child = {.arguments = arguments,
                                   .limit = limit < version_limit ? limit : version_limit,
                                   .stop = stop,
                                   .most_bytes = MOST_BYTES,
                                   .is_private = true};
    const struct ml_child_report report = ml_child_run(&child, text, TEXT_LENGTH);
    const enum ml_status status =
        judge_report(compiler, &report, child.limit, text, &compiler->error);
    if (status == ML_OK)
        describe_compiler(compiler, text);
    free(text);
    return status;
}

enum ml_status ml_kernel_compiler_find(struct ml_kernel_compiler *compiler, const char *isa,
                                       double limit, struct ml_stop stop)
{
    if (compiler->command)
        return compiler->status;
    compiler->own_flags = no_flags;
    compiler->is_for_gpu = is_gpu(isa);
    compiler->status = split_command(compiler);
    if (compiler->status == ML_OK)
        compiler->status = ask_version(compiler, limit, stop);
    return compiler->status;
}

void ml_kernel_compiler_free(struct ml_kernel_compiler *compiler)
{
    ml_error_clear(&compiler->error);
    free(compiler->command);
    for (int i = 0; i < ML_KERNEL_MOST_WORDS; i++)
        free(compiler->words[i]);
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

/* Flags that depend on the instruction set. */
struct isa_words {
    char *definition, *flags;        /* owned */
    char *split[MOST_ARGUMENTS + 1]; /* of the flags, NULL at the end */
};

static void add_words(struct kernel_compiler_command *command, const char *const *words)
{
    for (; *words && command->n < MOST_ARGUMENTS; words++)
        command->words[command->n++] = (char *)*words;
}

/* Runs the compiler in the task's folder, in which all names are plain.
 *   report  out: how it ended */
static enum ml_status run_compiler(const struct ml_kernel_compiler *compiler,
                                   struct kernel_compiler_command *command,
                                   const struct ml_kernel_task *task,
                                   struct ml_child_report *report, struct ml_error *err)
{
    char *text = malloc(TEXT_LENGTH);
    if (!text)
        return ml_fail(err, ML_E_MEMORY, "out of memory");
    const struct ml_child child = {.arguments = command->words,
                                   .folder = task->folder,
                                   .owns_folder = true,
                                   .limit = task->limit,
                                   .processor_limit = ML_KERNEL_LIMIT,
                                   .stop = task->stop,
                                   .most_bytes = MOST_BYTES,
                                   .is_private = true,
                                   .niceness = task->is_beside ? BESIDE_NICENESS : 0};
    *report = ml_child_run(&child, text, TEXT_LENGTH);
    const enum ml_status status = judge_report(compiler, report, task->limit, text, err);
    free(text);
    return status;
}

/* The words of a command up to its files. */
static struct kernel_compiler_command begin_command(const struct ml_kernel_compiler *compiler,
                                                    const struct isa_words *isa)
{
    struct kernel_compiler_command command = {.n = 0};
    add_words(&command, (const char *const *)compiler->words);
    add_words(&command, any_flags);
    add_words(&command, (const char *const *)isa->split);
    add_words(&command, (const char *const[]){isa->definition, "-I.", NULL});
    return command;
}

/* Makes a shared object.
 *   own_flags  of the compiler's kind, which change the speed of a kernel only */
static enum ml_status make_object(const struct ml_kernel_compiler *compiler,
                                  const char *const *own_flags, const struct ml_kernel_task *task,
                                  const struct isa_words *isa, struct ml_child_report *report,
                                  struct ml_error *err)
{
    struct kernel_compiler_command command = begin_command(compiler, isa);
    add_words(&command, own_flags);
    add_words(&command, task->has_loops ? loop_flags : no_flags);
    /* symbols that a unit lacks are errors now */
    add_words(&command, (const char *const[]){"-shared", "-Wl,-z,defs", "-o", ML_KERNEL_OBJECT,
                                              unit_name, "-lm", NULL});
    return run_compiler(compiler, &command, task, report, err);
}

/* Makes the text of a kernel for a GPU. */
static enum ml_status make_text(const struct ml_kernel_compiler *compiler,
                                const struct ml_kernel_task *task, const struct isa_words *isa,
                                struct ml_error *err)
{
    struct ml_child_report report;
    enum ml_status status = ML_OK;
    for (int pass = 0; pass < GPU_PASSES && status == ML_OK; pass++) {
        struct kernel_compiler_command command = begin_command(compiler, isa);
        add_words(&command, gpu_passes[pass]);
        status = run_compiler(compiler, &command, task, &report, err);
    }
    return status;
}

/* Compiles with the flags for speed; if the compiler fails, once more without them, since another
 * version may not know one. If both fail, err is of the first. */
static enum ml_status kernel_compiler_compile_unit(const struct ml_kernel_compiler *compiler,
                                                   const struct ml_kernel_task *task,
                                                   const struct isa_words *isa,
                                                   struct ml_error *err)
{
    struct ml_child_report report = {.end = ML_CHILD_NOT_STARTED};
    enum ml_status status = make_object(compiler, compiler->own_flags, task, isa, &report, err);
    if (status != ML_E_FILE || report.end != ML_CHILD_EXITED || !*compiler->own_flags)
        return status;
    struct ml_error again = {0};
    const enum ml_status second = make_object(compiler, no_flags, task, isa, &report, &again);
    if (second == ML_E_FILE) {
        ml_error_clear(&again);
        return status;
    }
    ml_error_clear(err); /* the message of the first; err is not NULL */
    *err = again;        /* of a stop, or empty */
    return second;
}

static enum ml_status fail_incomplete(const struct ml_kernel_compiler *compiler, const char *made,
                                      struct ml_error *err)
{
    return ml_fail(
        err, ML_E_FILE,
        "cannot compile: `%s` reported success but wrote no complete %s; is the disk full?",
        compiler->command, made);
}

/* Whether the object file is complete: compilers do not always report a full disk. */
static enum ml_status check_object(const struct ml_kernel_compiler *compiler, const char *path,
                                   struct ml_error *err)
{
    char why[LINE_LENGTH];
    uint64_t checksum = 0;
    if (ml_open_is_file(path) && ml_object_file_check(path, &checksum, why, sizeof why))
        return ML_OK;
    return fail_incomplete(compiler, "object file", err);
}

/* Makes the function ml_gpu_window_ of a text the entry ml_gpu_window, for which clang has no word
 * in C before version 17: the same number of bytes. A NUL ends the text. Refuses a text without it
 * or its end, and one that calls a function that is not there. */
static enum ml_status mark_entry(const struct ml_kernel_compiler *compiler, const char *path,
                                 struct ml_error *err)
{
    static const char from[] = ".visible .func ml_gpu_window_(",
                      to[] = ".visible .entry ml_gpu_window(", outside[] = ".extern .func";
    struct stat about;
    const int file = ml_open_file(path, O_RDWR);
    const bool is_there = file >= 0 && fstat(file, &about) == 0 && about.st_size > 0;
    char *text = is_there ? calloc(1, (size_t)about.st_size + 1) : NULL;
    const bool is_read = text && ml_io_read(file, 0, text, (size_t)about.st_size);
    const char *entry = is_read ? strstr(text, from) : NULL,
               *end = is_read ? strrchr(text, '}') : NULL,
               *other = is_read ? strstr(text, outside) : NULL;
    enum ml_status status = ML_OK;
    if (other) {
        const size_t line = strcspn(other, "\n"), result = strcspn(other, ")");
        other += result < line ? result + 2 : sizeof outside;
        status = ml_fail(err, ML_E_FILE, "it calls `%.*s`, which GPUs do not have",
                         (int)strcspn(other, "\n("), other);
    } else if (!entry || !end || end[1 + strspn(end + 1, "\n")] ||
               !ml_io_write(file, entry - text, to, sizeof to - 1) ||
               !ml_io_write(file, about.st_size, "", 1))
        status = fail_incomplete(compiler, "PTX", err);
    free(text);
    if (file >= 0)
        (void)close(file); /* the cache synchronises it */
    return status;
}

/* To be freed in any case; false without memory. */
static bool make_isa_words(const struct ml_kernel_task *task, struct isa_words *isa)
{
    char *rest = NULL;
    *isa = (struct isa_words){
        ml_path("-DML_ISA_NAME=%s", task->isa), ml_path("%s", task->isa_flags), {NULL}};
    if (!isa->definition || !isa->flags)
        return false;
    char *flag = strtok_r(isa->flags, " ", &rest);
    for (int n = 0; flag && n < MOST_ARGUMENTS; n++) {
        isa->split[n] = flag;
        flag = strtok_r(NULL, " ", &rest);
    }
    return true;
}

enum ml_status ml_kernel_compile(const struct ml_kernel_compiler *compiler,
                                 const struct ml_kernel_task *task, struct ml_error *err)
{
    struct isa_words isa;
    char *object = ml_path("%s/" ML_KERNEL_OBJECT, task->folder);
    enum ml_status status =
        make_isa_words(task, &isa) && object ? ML_OK : ml_fail(err, ML_E_MEMORY, "out of memory");
    if (status == ML_OK)
        status = write_sources(task, err);
    const bool for_gpu = is_gpu(task->isa);
    if (status == ML_OK)
        status = for_gpu ? make_text(compiler, task, &isa, err)
                         : kernel_compiler_compile_unit(compiler, task, &isa, err);
    if (status == ML_OK)
        status = for_gpu ? mark_entry(compiler, object, err) : check_object(compiler, object, err);
    free(isa.definition);
    free(isa.flags);
    free(object);
    return status;
}
