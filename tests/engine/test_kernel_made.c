/* Kernels made while the program runs: through the cache, and whatever state that or the compiler
 * is in. With a word as its argument it makes one kernel, for tests/fault/kernel_*.sh:
 *   make  prints `made`, `cached` or the message
 *   hold  the same once a line comes on standard input */
#include "engine/kernels/kernel_made.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/path.h"
#include "check.h"
#include "engine/kernels/kernel_cache.h"

static char work[] = "/tmp/manylink-test-made-XXXXXX";

/* A unit of few lines: what is tested here is all around it. */
static const char unit[] =
    "#include \"simd/layout.h\"\n"
    "extern __attribute__((visibility(\"default\"))) const int ml_kernel_made;\n"
    "const int ml_kernel_made = 8 + OFFSET;\n";

static char defined_unit[400];

/* Another offset is another kernel. */
static struct ml_kernel_request request_of(int offset)
{
    (void)snprintf(defined_unit, sizeof defined_unit, "#define OFFSET %d\n%s", offset, unit);
    return (struct ml_kernel_request){
        .unit = defined_unit, .isa = "baseline", .otherwise = "; the general kernel runs"};
}

static struct ml_error err;
static struct ml_made_kernel kernel;

/* Text of the last failure. */
static const char *message(void) { return err.text ? err.text : ""; }

static enum ml_status make(const struct ml_kernel_request *request)
{
    ml_error_clear(&err);
    ml_made_kernel_close(&kernel);
    return ml_kernel_make(request, &kernel, &err);
}

/* How many names the folder has that end so; all for "". */
static int count(const char *folder, const char *ending)
{
    int n = 0;
    DIR *names = opendir(folder);
    for (struct dirent *entry; names && (entry = readdir(names));) {
        const size_t length = strlen(entry->d_name), end = strlen(ending);
        n += entry->d_name[0] != '.' && length >= end &&
             strcmp(entry->d_name + length - end, ending) == 0;
    }
    if (names)
        (void)closedir(names);
    return n;
}

static void write_text(const char *name, const char *text, mode_t mode)
{
    (void)unlink(name);
    const int file = open(name, O_WRONLY | O_CREAT | O_EXCL, mode);
    if (file < 0 || write(file, text, strlen(text)) != (ssize_t)strlen(text) || close(file) != 0)
        exit(1);
}

/* Fails with these words, in one line, and leaves no file in the cache but `left` entries. */
static void check_fails(const struct ml_kernel_request *request, const char *words, int left)
{
    CHECK(make(request) == ML_E_FILE);
    CHECK(kernel.handle == NULL && kernel.path == NULL);
    if (!strstr(message(), words))
        fprintf(stderr, "`%s` lacks `%s`\n", message(), words);
    CHECK(strstr(message(), words));
    CHECK(strstr(message(), "no kernel is made for this study: ") == message());
    CHECK(strstr(message(), "; the general kernel runs\n"));
    CHECK(strchr(message(), '\n') == message() + strlen(message()) - 1);
    CHECK(count("cache", "") == left);
}

static void fresh_cache(void)
{
    ml_tree_remove("cache");
    (void)setenv("MANYLINK_CACHE", "cache", 1);
    (void)unsetenv("MANYLINK_CC");
}

/* A compiler that is this script, in which $out is the file to write, "$@" what it is called with,
 * and $work this folder, which is not where it runs; it tells its version. */
static void use_compiler(const char *script)
{
    char text[2000];
    (void)snprintf(text, sizeof text,
                   "#!/bin/sh\n"
                   "[ \"$1\" != --version ] || { echo version 1; exit; }\n"
                   "work=%s\n"
                   "echo called >>$work/calls\n"
                   "for word; do [ \"$last\" != -o ] || out=$word; last=$word; done\n"
                   "%s\n",
                   work, script);
    write_text("compiler", text, 0700);
    (void)unlink("calls");
    (void)setenv("MANYLINK_CC", "./compiler", 1);
}

static int count_calls(void)
{
    struct stat about;
    return stat("calls", &about) == 0 ? (int)about.st_size / (int)strlen("called\n") : 0;
}

static const char *real_compiler(void)
{
    const char *cc = getenv("CC");
    return cc && *cc ? cc : "cc";
}

static void the_second_call_takes_it_from_the_cache(void)
{
    fresh_cache();
    struct stat about;
    struct ml_kernel_request request = request_of(5);
    CHECK(!ml_kernel_cached(&request));
    CHECK(count("cache", "") == 0);
    CHECK(make(&request) == ML_OK);
    if (err.text)
        fputs(err.text, stderr);
    CHECK(kernel.symbol && *(const int *)kernel.symbol == 13);
    CHECK(!kernel.is_cached && kernel.seconds > 0 && strlen(kernel.compiler) > 5);
    CHECK(stat("cache", &about) == 0 && (about.st_mode & 0777) == 0700);
    CHECK(stat(kernel.path, &about) == 0 && (about.st_mode & 0077) == 0);
    CHECK(count("cache", "") == 1 && count("cache", ".so") == 1);
    CHECK(ml_kernel_cached(&request));
    CHECK(make(&request) == ML_OK);
    CHECK(kernel.symbol && *(const int *)kernel.symbol == 13);
    CHECK(kernel.is_cached);
    ml_made_kernel_discard(&kernel);
    CHECK(!kernel.handle && !ml_kernel_cached(&request) && count("cache", "") == 0);
    request = request_of(6);
    CHECK(make(&request) == ML_OK && *(const int *)kernel.symbol == 14 && !kernel.is_cached);
    request.isa = "v9";
    CHECK(make(&request) == ML_E_INPUT);
}

/* What the unit of the engine needs is embedded, for every instruction set. */
static void the_instruction_set_is_that_of_the_request(void)
{
    static const char *const isas[] = {"one", "baseline", "v3", "v4"};
    static const int widths[] = {1, 2, 4, 8};
    fresh_cache();
#if defined __x86_64__
    const int n = 4;
#else
    const int n = 2;
#endif
    for (int i = 0; i < n; i++) {
        const struct ml_kernel_request request = {
            .unit = "#include \"simd/vmath.h\"\n#include \"simd/sincos_large.c\"\n"
                    "extern __attribute__((visibility(\"default\"))) const int ml_kernel_made;\n"
                    "const int ml_kernel_made = ML_WIDTH;\n",
            .isa = isas[i]};
        CHECK_CASE("%s", isas[i]);
        CHECK(make(&request) == ML_OK && *(const int *)kernel.symbol == widths[i]);
    }
    CHECK_CASE("all");
    CHECK(count("cache", ".so") == n);
}

static void other_places_are_found(void)
{
    const struct ml_kernel_request request = request_of(1);
    fresh_cache();
    (void)unsetenv("MANYLINK_CACHE");
    (void)setenv("HOME", work, 1);
    (void)setenv("XDG_CACHE_HOME", "relative", 1); /* which the specification ignores */
    ml_tree_remove(".cache");
    CHECK(make(&request) == ML_OK);
    CHECK(count(".cache/manylink", ".so") == 1);
    char place[100];
    (void)snprintf(place, sizeof place, "%s/place/below", work);
    (void)setenv("XDG_CACHE_HOME", place, 1);
    CHECK(make(&request) == ML_OK && !kernel.is_cached);
    CHECK(count("place/below/manylink", ".so") == 1);
    (void)unsetenv("XDG_CACHE_HOME");
    (void)unsetenv("HOME");
    check_fails(&request, "neither MANYLINK_CACHE nor HOME is set", 0);
    (void)snprintf(place, sizeof place, "%s/home", work);
    (void)setenv("HOME", place, 1);
    check_fails(&request, "/home, which is not there: MANYLINK_CACHE can name a folder", 0);
    CHECK(access("home", F_OK) != 0);
    (void)setenv("MANYLINK_CACHE", "@cache", 1); /* no file of options */
    CHECK(make(&request) == ML_OK && count("@cache", ".so") == 1);
    ml_tree_remove("@cache");
}

/* Changes one entry so that it is none; it is made again, and nothing of it is run. */
static void check_made_again(const char *how, int (*change)(const char *path))
{
    const struct ml_kernel_request request = request_of(5);
    char path[200];
    CHECK_CASE("%s", how);
    CHECK(make(&request) == ML_OK);
    (void)snprintf(path, sizeof path, "%s", kernel.path);
    ml_made_kernel_close(&kernel); /* it is mapped */
    CHECK(change(path) == 0);
    CHECK(!ml_kernel_cached(&request));
    CHECK(make(&request) == ML_OK && !kernel.is_cached);
    CHECK(kernel.symbol && *(const int *)kernel.symbol == 13);
    CHECK(make(&request) == ML_OK && kernel.is_cached);
    CHECK_CASE("all");
}

static int truncate_half(const char *path)
{
    struct stat about;
    return stat(path, &about) != 0 || truncate(path, about.st_size / 2) != 0;
}

static int truncate_all(const char *path) { return truncate(path, 0); }

static int lengthen(const char *path)
{
    struct stat about;
    return stat(path, &about) != 0 || truncate(path, about.st_size + 1) != 0;
}

static int flip(const char *path, off_t at)
{
    char byte = 0;
    const int file = open(path, O_RDWR);
    const int is_bad =
        pread(file, &byte, 1, at) != 1 || (byte ^= 4, pwrite(file, &byte, 1, at)) != 1;
    (void)close(file);
    return is_bad;
}

static int flip_object(const char *path) { return flip(path, 4097); }

static int flip_seal(const char *path)
{
    struct stat about;
    return stat(path, &about) != 0 || flip(path, about.st_size - 30);
}

static int open_to_others(const char *path) { return chmod(path, 0722); }

static int replace_by_link(const char *path)
{
    return rename(path, "elsewhere.so") != 0 || symlink("../elsewhere.so", path) != 0;
}

/* A sound entry of another unit under this one's name. */
static int replace_by_other(const char *path)
{
    const struct ml_kernel_request request = request_of(6);
    struct ml_made_kernel other;
    const int is_bad =
        ml_kernel_make(&request, &other, NULL) != ML_OK || rename(other.path, path) != 0;
    ml_made_kernel_close(&other);
    (void)request_of(5);
    return is_bad;
}

static int replace_by_folder(const char *path)
{
    char below[300];
    (void)snprintf(below, sizeof below, "%s/below", path);
    return unlink(path) != 0 || mkdir(path, 0700) != 0 || mkdir(below, 0700) != 0;
}

static int replace_by_text(const char *path)
{
    write_text(path, "no object\n", 0600);
    return 0;
}

static void what_is_no_sound_entry_is_made_again(void)
{
    fresh_cache();
    check_made_again("half", truncate_half);
    check_made_again("empty", truncate_all);
    check_made_again("longer", lengthen);
    check_made_again("object", flip_object);
    check_made_again("seal", flip_seal);
    check_made_again("mode", open_to_others);
    check_made_again("link", replace_by_link);
    check_made_again("other", replace_by_other);
    check_made_again("text", replace_by_text);
    check_made_again("folder", replace_by_folder);
    CHECK(count("cache", "") == 1);
}

static void a_folder_of_others_is_refused(void)
{
    const struct ml_kernel_request request = request_of(5);
    fresh_cache();
    (void)mkdir("cache", 0700);
    (void)chmod("cache", 0777);
    check_fails(&request,
                "cache: cannot load native code: other users can write to this folder (mode 0777)",
                0);
    (void)chmod("cache", 0720);
    check_fails(&request, "(mode 0720)", 0);
    (void)rmdir("cache");
    (void)symlink("elsewhere", "cache");
    check_fails(&request, "cache: is a symbolic link to a missing file", 0);
    (void)mkdir("elsewhere", 0700);
    CHECK(make(&request) == ML_OK); /* a link to a folder of one's own: caches may be large */
    CHECK(count("elsewhere", ".so") == 1);
    (void)chmod("elsewhere", 0777);
    check_fails(&request, "other users can write to this folder", 1);
    ml_tree_remove("elsewhere");
    write_text("elsewhere", "text", 0600);
    check_fails(&request, "cache: is not a folder", 0);
    (void)unlink("cache");
    (void)rename("elsewhere", "cache");
    check_fails(&request, "cache: is not a folder", 0);
    (void)setenv("MANYLINK_CACHE", "cache/below", 1);
    check_fails(&request, "cache/below: Not a directory", 0);
    (void)unlink("cache");
    if (geteuid() == 0) {
        fresh_cache();
        CHECK(mkdir("cache", 0700) == 0 && chown("cache", 12345, 12345) == 0);
        check_fails(&request, "belongs to another user (number 12345; this one is number 0)", 0);
    }
}

/* Who may write above the folder can put another one in its place, at any time: of that nothing is
 * loaded. It is exchanged after it was checked, by the compiler, which is run then. */
static void what_is_checked_is_what_is_loaded(void)
{
    const struct ml_kernel_request request = request_of(5);
    char script[1000];
    fresh_cache();
    (void)snprintf(script, sizeof script,
                   "%s \"$@\" || exit 1\n"
                   "[ ! -d $work/other ] || exit 0\n"
                   "name=$(basename $work/cache/*.lock .lock)\n"
                   "mkdir $work/other $work/other/$(basename $(pwd))\n"
                   "cp $out $work/other/$(basename $(pwd))/kernel.so\n"
                   "echo 'const int ml_kernel_made = 7;' | %s -shared -nostdlib -fPIC -x c - "
                   "-o $work/other/$name.so\n"
                   "mv $work/cache $work/true && mv $work/other $work/cache && mkdir $work/other",
                   real_compiler(), real_compiler());
    use_compiler(script);
    CHECK(make(&request) == ML_OK && kernel.symbol && *(const int *)kernel.symbol == 13);
    CHECK(count("true", ".so") == 1 && count("true", "") == 1);
    ml_tree_remove("cache");
    ml_tree_remove("other");
    ml_tree_remove("true");
}

/* A compiler that fails in some way: one line says how, and nothing is left. */
static void check_compiler(const char *script, const char *words)
{
    const struct ml_kernel_request request = request_of(5);
    fresh_cache();
    use_compiler(script);
    CHECK_CASE("%s", script);
    check_fails(&request, words, 0);
    CHECK(count_calls() == 1);
    CHECK_CASE("all");
}

static void a_compiler_that_fails_is_told(void)
{
    check_compiler("echo note; echo 'made.c:1: error: no such thing'; echo more; exit 1",
                   "`./compiler` failed (exit code 1): made.c:1: error: no such thing;");
    check_compiler(
        "echo 'ld: final link failed: No space left on device'; echo 'error: ld'; exit 1",
        "(exit code 1): ld: final link failed: No space left on device;");
    check_compiler("exit 3", "`./compiler` failed (exit code 3): it prints nothing;");
    check_compiler("printf '\\033[31m\\377rubbish\\n'; exit 1", "\\x1B[31m\\xFFrubbish;");
    check_compiler("head -c 300000 /dev/zero | tr '\\0' a; exit 1", "aaaaaa;");
    check_compiler("kill -SEGV $$", "`./compiler` was ended by signal 11");
    check_compiler("echo all is well", "reported success but wrote no complete object file");
    check_compiler(": >$out", "cannot be loaded: ");
    check_compiler("head -c 5000 /dev/urandom >$out", "cannot be loaded: ");
    check_compiler("mkfifo $out", "wrote no complete object file");
    check_compiler("ln -s /etc/passwd $out", "cannot be written: it is a symbolic link");
    char script[300];
    (void)snprintf(script, sizeof script,
                   "%s \"$@\" && head -c 9000 $out >$out.1 && mv $out.1 $out", real_compiler());
    check_compiler(script, "wrote no complete object file");
    (void)snprintf(script, sizeof script,
                   "echo 'int other;' | %s -shared -nostdlib -fPIC -x c - -o $out",
                   real_compiler());
    check_compiler(script, "has no symbol `ml_kernel_made`");
    check_compiler("rm -r $work/cache; exit 1", "cache: was removed while it was compiled;");
    check_compiler("rm -r $work/cache", "cache: was removed while it was compiled;");
}

static void a_compiler_that_is_not_there_is_told(void)
{
    const struct ml_kernel_request request = request_of(5);
    fresh_cache();
    CHECK(make(&request) == ML_OK);
    (void)setenv("MANYLINK_CC", "  there-is-none -x", 1);
    check_fails(&request, "`  there-is-none -x` is not there (MANYLINK_CC or the compiler", 1);
    (void)setenv("MANYLINK_CC", "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17", 1);
    check_fails(&request, "MANYLINK_CC has more than 16 words", 1);
    write_text("compiler", "#!/bin/sh\n", 0600);
    (void)setenv("MANYLINK_CC", "./compiler", 1);
    check_fails(&request, "`./compiler` cannot be started: Permission denied", 1);
    write_text("compiler", "#!/bin/sh\nsleep 100\n", 0700);
    struct ml_kernel_request hasty = request;
    hasty.limit = 0.3;
    check_fails(&hasty, "`./compiler` was not done after 0.3 s", 1);
}

/* On a node without the compiler, what was made on another is used. */
static void a_cached_kernel_needs_no_compiler(void)
{
    const struct ml_kernel_request request = request_of(5);
    char script[300];
    fresh_cache();
    (void)snprintf(script, sizeof script, "exec %s \"$@\"", real_compiler());
    use_compiler(script);
    CHECK(make(&request) == ML_OK && !kernel.is_cached);
    CHECK(unlink("compiler") == 0);
    CHECK(ml_kernel_cached(&request));
    CHECK(make(&request) == ML_OK && kernel.is_cached && !*kernel.compiler);
    use_compiler(script); /* of another version */
    CHECK(system("sed -i 's/version 1/version 2/' compiler") == 0);
    CHECK(!ml_kernel_cached(&request));
    CHECK(make(&request) == ML_OK && !kernel.is_cached);
    CHECK(strcmp(kernel.compiler, "./compiler: version 2") == 0);
    CHECK(count("cache", ".so") == 2);
}

/* Words of MANYLINK_CC come first. */
static void a_compiler_may_have_words(void)
{
    const struct ml_kernel_request request = request_of(5);
    char command[300];
    fresh_cache();
    (void)snprintf(command, sizeof command, "env  %s -g", real_compiler());
    (void)setenv("MANYLINK_CC", command, 1);
    CHECK(make(&request) == ML_OK && !kernel.is_cached);
}

/* As under a parent that ignores SIGCHLD, and with signals blocked. */
static void it_is_made_where_children_are_not_waited_for(void)
{
    const struct ml_kernel_request request = request_of(5);
    sigset_t all;
    fresh_cache();
    (void)sigfillset(&all);
    (void)sigprocmask(SIG_BLOCK, &all, NULL);
    (void)signal(SIGCHLD, SIG_IGN);
    CHECK(make(&request) == ML_OK && !kernel.is_cached);
    use_compiler("echo error: words; exit 1");
    check_fails(&request, "wrote no complete object file", 1);
    (void)signal(SIGCHLD, SIG_DFL);
    (void)sigprocmask(SIG_UNBLOCK, &all, NULL);
}

static int stop_soon(void *context)
{
    const double *end = context;
    return ml_clock() > *end;
}

/* Whether processes that compilers left become children of this one: not under qemu-user. */
static bool adopts;

/* Waits for all processes that compilers left; how many of them were not killed. */
static int bury(void)
{
    int n = 0;
    for (int status; waitpid(-1, &status, 0) > 0;)
        n += !WIFSIGNALED(status) || WTERMSIG(status) != SIGKILL;
    return n;
}

static void it_stops_and_hangs_no_longer_than_it_may(void)
{
    struct ml_kernel_request request = request_of(5);
    fresh_cache();
    (void)bury();
    use_compiler("echo text >$out; sleep 100 & wait");
    double begin = ml_clock(), end = begin + 0.3;
    request.stop = (struct ml_stop){stop_soon, &end};
    CHECK(make(&request) == ML_STOPPED);
    CHECK(strstr(message(), "stopped"));
    CHECK(ml_clock() - begin < 2);
    CHECK(count("cache", "") == 0);
    request.stop = (struct ml_stop){0};
    request.limit = 0.5;
    begin = ml_clock();
    check_fails(&request, "`./compiler` was not done after 0.5 s", 0);
    CHECK(ml_clock() - begin < 20);
    CHECK(bury() == 0);
}

enum { N_PROCESS = 16 };

/* 16 processes make the same kernel at once; how many ended with this code. */
static int count_processes(const struct ml_kernel_request *request, int code)
{
    int n = 0;
    for (int i = 0; i < N_PROCESS; i++)
        if (fork() == 0) {
            const enum ml_status status = make(request);
            const bool is_good = status == ML_OK && *(const int *)kernel.symbol == 13;
            const bool is_told = strstr(message(), "was not done after") != NULL;
            ml_made_kernel_close(&kernel);
            ml_error_clear(&err);
            _exit(is_good ? 0 : is_told ? 1 : 2);
        }
    for (int status; waitpid(-1, &status, 0) > 0;)
        n += WIFEXITED(status) && WEXITSTATUS(status) == code;
    return n;
}

static void of_many_processes_one_compiles(void)
{
    struct ml_kernel_request request = request_of(5);
    char script[300];
    fresh_cache();
    (void)snprintf(script, sizeof script, "sleep 0.3; exec %s \"$@\"", real_compiler());
    use_compiler(script);
    CHECK(count_processes(&request, 0) == N_PROCESS);
    CHECK(count_calls() == 1);
    CHECK(count("cache", "") == 1 && count("cache", ".so") == 1);
    fresh_cache();
    use_compiler("sleep 100");
    request.limit = 3;
    const double begin = ml_clock();
    CHECK(count_processes(&request, 1) == N_PROCESS); /* one tries, all know */
    CHECK(count_calls() == 1);
    CHECK(ml_clock() - begin < 2 * request.limit + 20);
    CHECK(count("cache", "") == 0);
}

/* One process compiles without an end; another that waits for it can be stopped. Killed, the first
 * leaves what the next does not mind, and no compiler. */
static void a_process_that_is_killed_is_no_obstacle(void)
{
    struct ml_kernel_request request = request_of(5);
    char script[300];
    fresh_cache();
    (void)snprintf(script, sizeof script, "[ -e $work/go ] || { sleep 100; exit; }; exec %s \"$@\"",
                   real_compiler());
    use_compiler(script);
    const pid_t other = fork();
    if (other == 0) {
        (void)make(&request);
        _exit(1);
    }
    while (count_calls() == 0)
        (void)usleep(1000);
    double end = ml_clock() + 0.3;
    request.stop = (struct ml_stop){stop_soon, &end};
    CHECK(make(&request) == ML_STOPPED);
    CHECK(ml_clock() < end + 2);
    CHECK(count_calls() == 1);
    CHECK(kill(other, SIGKILL) == 0);
    CHECK(bury() == 1 || !adopts); /* what has killed the compiler and its child */
    while (!adopts && count("cache", "") > 1)
        (void)usleep(1000);
    CHECK(count("cache", "") == 1 && count("cache", ".lock") == 1);
    write_text("go", "", 0600);
    request.stop = (struct ml_stop){0};
    CHECK(make(&request) == ML_OK && !kernel.is_cached);
    CHECK(count("cache", "") == 1 && count("cache", ".so") == 1);
}

static void make_old(const char *name, long seconds)
{
    struct timeval times[2];
    (void)gettimeofday(&times[0], NULL);
    times[0].tv_sec -= seconds;
    times[1] = times[0];
    CHECK(utimes(name, times) == 0);
}

static void what_is_too_much_goes(void)
{
    static const char locked[] = "cache/00000000000000000000000000000000-0000000000000000.lock";
    char paths[4][200];
    struct stat about;
    fresh_cache();
    for (int i = 0; i < 4; i++) {
        const struct ml_kernel_request request = request_of(i);
        CHECK(make(&request) == ML_OK);
        (void)snprintf(paths[i], sizeof paths[i], "%s", kernel.path);
        make_old(paths[i], 1000 * (4 - i));
    }
    const struct ml_kernel_request first = request_of(0);
    CHECK(make(&first) == ML_OK && kernel.is_cached); /* used just now */
    write_text("cache/notes.txt", "mine", 0600);
    write_text("cache/mine.so", "mine", 0600);
    write_text(locked, "", 0600);
    (void)mkdir("cache/make-abcdef", 0700);
    (void)mkdir("cache/make-ghijkl", 0700);
    (void)mkdir("cache/make-ghijkl/engine", 0700);
    write_text("cache/make-ghijkl/engine/text", "text", 0600);
    (void)symlink("/", "cache/make-ghijkl/engine/link");
    ml_kernel_cache_trim("cache", 4, 1 << 30);
    CHECK(count("cache", ".so") == 5 && count("cache", "") == 9);
    make_old("cache/notes.txt", 100000);
    make_old("cache/mine.so", 100000);
    make_old(locked, 100000);
    make_old("cache/make-ghijkl", 100000);
    ml_kernel_cache_trim("cache", 2, 1 << 30);
    CHECK(access(paths[0], F_OK) == 0 && access(paths[3], F_OK) == 0);
    CHECK(access(paths[1], F_OK) != 0 && access(paths[2], F_OK) != 0);
    CHECK(count("cache", "") == 5); /* two entries, what is not its own, and a folder in use */
    CHECK(access("cache/make-abcdef", F_OK) == 0);
    CHECK(stat(paths[0], &about) == 0);
    ml_kernel_cache_trim("cache", 10, (uint64_t)about.st_size + 100);
    CHECK(access(paths[0], F_OK) == 0 && access(paths[3], F_OK) != 0);
}

/* What tests/fault/kernel_disk.sh asks for. */
static int serve(const char *word)
{
    const struct ml_kernel_request request = request_of(5);
    if (strcmp(word, "hold") == 0)
        (void)getchar();
    if (make(&request) == ML_OK)
        (void)puts(kernel.is_cached ? "cached" : "made");
    else
        (void)fputs(message(), stdout);
    ml_made_kernel_close(&kernel);
    ml_error_clear(&err);
    return 0;
}

int main(int n, char **words)
{
    if (n > 1)
        return serve(words[1]);
    if (!mkdtemp(work) || chdir(work) != 0)
        return 1;
    adopts = prctl(PR_SET_CHILD_SUBREAPER, 1) == 0;
    the_second_call_takes_it_from_the_cache();
    the_instruction_set_is_that_of_the_request();
    other_places_are_found();
    what_is_no_sound_entry_is_made_again();
    a_folder_of_others_is_refused();
    what_is_checked_is_what_is_loaded();
    a_compiler_that_fails_is_told();
    a_compiler_that_is_not_there_is_told();
    a_cached_kernel_needs_no_compiler();
    a_compiler_may_have_words();
    it_is_made_where_children_are_not_waited_for();
    it_stops_and_hangs_no_longer_than_it_may();
    of_many_processes_one_compiles();
    a_process_that_is_killed_is_no_obstacle();
    what_is_too_much_goes();
    ml_made_kernel_close(&kernel);
    ml_error_clear(&err);
    if (chdir("/") == 0)
        ml_tree_remove(work);
    return check_done();
}
