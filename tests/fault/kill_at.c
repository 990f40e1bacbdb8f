/* Loaded before the C library (LD_PRELOAD), it kills the process with SIGKILL in call number
 * KILL_AT of those that change a file or a folder and have KILL_IN in "CALL PATH". A write is half
 * done then, the others are not. It says so in the file KILL_LOG, where without KILL_AT it says in
 * the end how many calls there were. With STOP_IN in place of that, the process is stopped with
 * SIGSTOP once, after write number STOP_AFTER to a path that has STOP_IN in it. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <limits.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static atomic_int calls, stops;

static void say(const char *text)
{
    const char *path = getenv("KILL_LOG");
    FILE *log = path ? fopen(path, "a") : NULL;
    if (log) {
        (void)fprintf(log, "%s\n", text);
        (void)fclose(log);
    }
}

static bool is_it(const char *call, const char *path)
{
    char text[PATH_MAX + 32];
    const char *in = getenv("KILL_IN"), *at = getenv("KILL_AT");
    (void)snprintf(text, sizeof text, "%s %s", call, path);
    if (in && !strstr(text, in))
        return false;
    const bool is_now = atomic_fetch_add(&calls, 1) + 1 == (at ? atoi(at) : -1);
    if (is_now)
        say(text);
    return is_now;
}

static void find_path(int file, char path[PATH_MAX])
{
    char link[64];
    (void)snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t n = readlink(link, path, PATH_MAX - 1);
    path[n > 0 ? n : 0] = '\0';
}

static bool is_it_in(const char *call, int file)
{
    char path[PATH_MAX];
    find_path(file, path);
    return is_it(call, path);
}

static void stop_in(int file)
{
    char path[PATH_MAX];
    const char *in = getenv("STOP_IN"), *after = getenv("STOP_AFTER");
    if (!in)
        return;
    find_path(file, path);
    if (strstr(path, in) && atomic_fetch_add(&stops, 1) + 1 == (after ? atoi(after) : 1))
        (void)kill(getpid(), SIGSTOP);
}

static void end(void) { (void)kill(getpid(), SIGKILL); }

__attribute__((destructor)) static void tell(void)
{
    char text[32];
    (void)snprintf(text, sizeof text, "calls %d", atomic_load(&calls));
    if (!getenv("KILL_AT"))
        say(text);
}

static ssize_t write_or_end(const char *name, int file, const void *bytes, size_t size, off_t at)
{
    ssize_t (*next)(int, const void *, size_t, off_t) = dlsym(RTLD_NEXT, name);
    if (is_it_in("write", file)) {
        (void)next(file, bytes, size / 2, at);
        end();
    }
    const ssize_t written = next(file, bytes, size, at);
    stop_in(file);
    return written;
}

ssize_t pwrite(int file, const void *bytes, size_t size, off_t at)
{
    return write_or_end("pwrite", file, bytes, size, at);
}

ssize_t pwrite64(int file, const void *bytes, size_t size, off_t at)
{
    return write_or_end("pwrite64", file, bytes, size, at);
}

static int sync_or_end(const char *name, int file)
{
    int (*next)(int) = dlsym(RTLD_NEXT, name);
    if (is_it_in("sync", file))
        end();
    return next(file);
}

int fsync(int file) { return sync_or_end("fsync", file); }

int fdatasync(int file) { return sync_or_end("fdatasync", file); }

int rename(const char *from, const char *to)
{
    int (*next)(const char *, const char *) = dlsym(RTLD_NEXT, "rename");
    if (is_it("rename", to))
        end();
    return next(from, to);
}

static int remove_or_end(const char *name, const char *path)
{
    int (*next)(const char *) = dlsym(RTLD_NEXT, name);
    if (is_it(name, path))
        end();
    return next(path);
}

int unlink(const char *path) { return remove_or_end("unlink", path); }

int rmdir(const char *path) { return remove_or_end("rmdir", path); }
