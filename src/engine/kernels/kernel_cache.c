/* Finds, checks, puts and removes the entries of the kernel cache. */
#include "engine/kernels/kernel_cache.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <time.h>
#include <unistd.h>
#include <xxhash.h>

#include "base/atomic_file.h"
#include "base/clock.h"
#include "base/io.h"
#include "base/open.h"
#include "base/path.h"
#include "manylink/fail.h"

static const uint64_t magic = 0x316c656e72656b0a; /* "\nkernel1" */

static const char ending_of_lock[] = ".lock";

enum {
    KEY_LENGTH = 32 + 1 + 16, /* digits of the key, -, of the version */
    PIECE = 1 << 16,
    DAY = 24 * 60 * 60, /* s */
};

/* Behind the object in an entry. */
struct seal {
    uint64_t magic, size; /* of the object, bytes */
    struct ml_kernel_key key;
    uint64_t high, low; /* XXH3 (128 bits) of the object, and then of the seal with 0 here */
};

static const char *variable(const char *name)
{
    const char *value = getenv(name);
    return value && *value ? value : NULL;
}

enum ml_status ml_kernel_cache_name(struct ml_kernel_cache *cache, struct ml_error *err)
{
    const char *own = variable("MANYLINK_CACHE"), *caches = variable("XDG_CACHE_HOME");
    const char *home = variable("HOME");
    *cache = (struct ml_kernel_cache){.folder = -1};
    if (own)
        cache->name = ml_path("%s", own);
    else if (caches && *caches == '/')
        cache->name = ml_path("%s/manylink", caches);
    else if (home && *home == '/')
        cache->name = ml_path("%s/.cache/manylink", home);
    else
        return ml_fail(err, ML_E_FILE,
                       "there is no folder to keep it in: neither MANYLINK_CACHE nor HOME is set");
    return cache->name ? ML_OK : ml_fail(err, ML_E_MEMORY, "out of memory");
}

void ml_kernel_cache_close(struct ml_kernel_cache *cache)
{
    if (cache->folder >= 0)
        (void)close(cache->folder);
    free(cache->name);
    free(cache->path);
    *cache = (struct ml_kernel_cache){.folder = -1};
}

/* Makes a folder and those above it, for this user alone; false and errno. */
static bool make_folders(const char *path)
{
    char *part = ml_path("%s", path);
    bool is_made = part != NULL;
    errno = part ? 0 : ENOMEM;
    for (char *slash = part ? strchr(part + 1, '/') : NULL; slash && is_made;
         slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        is_made = mkdir(part, 0700) == 0 || errno == EEXIST || access(part, F_OK) == 0;
        *slash = '/';
    }
    is_made = is_made && (mkdir(path, 0700) == 0 || errno == EEXIST);
    const int error = errno;
    free(part);
    errno = error;
    return is_made;
}

/* A home that is not there is not made: for root it would be a folder of nobody. */
static enum ml_status make_cache(const char *name, struct ml_error *err)
{
    const char *home = variable("HOME");
    const size_t length = home ? strlen(home) : 0;
    if (length > 0 && strncmp(name, home, length) == 0 && name[length] == '/' &&
        access(home, F_OK) != 0)
        return ml_fail(err, ML_E_FILE,
                       "HOME is %s, which is not there: MANYLINK_CACHE can name a folder", home);
    if (!make_folders(name))
        return ml_fail(err, ML_E_FILE, "%s: cannot be made: %s", name, strerror(errno));
    return ML_OK;
}

/* Its files are run later. */
static enum ml_status check_mount(const struct ml_kernel_cache *cache, struct ml_error *err)
{
    struct statvfs about;
    if (fstatvfs(cache->folder, &about) == 0 && (about.f_flag & ST_NOEXEC))
        return ml_fail(err, ML_E_FILE,
                       "%s: its file system is mounted noexec, nothing in it can be loaded: "
                       "MANYLINK_CACHE can name another folder",
                       cache->name);
    return ML_OK;
}

static enum ml_status check_owner(const struct ml_kernel_cache *cache, struct ml_error *err)
{
    struct stat link, about;
    const uid_t user = geteuid();
    if (lstat(cache->name, &link) != 0 || fstat(cache->folder, &about) != 0)
        return ml_fail(err, ML_E_FILE, "%s: %s", cache->name, strerror(errno));
    const uid_t owner = about.st_uid != user ? about.st_uid : link.st_uid;
    if (owner != user)
        return ml_fail(err, ML_E_FILE,
                       "%s: belongs to another user (number %lu; this one is number %lu): "
                       "MANYLINK_CACHE can name another folder",
                       cache->name, (unsigned long)owner, (unsigned long)user);
    if (about.st_mode & (S_IWGRP | S_IWOTH))
        return ml_fail(err, ML_E_FILE,
                       "%s: cannot load native code: other users can write to this folder (mode "
                       "%04o); chmod 700 it",
                       cache->name, (unsigned)about.st_mode & 07777u);
    return ML_OK;
}

/* Opens the folder of that name; ML_OK if it is not there. */
static enum ml_status open_named(struct ml_kernel_cache *cache, struct ml_error *err)
{
    struct stat about;
    cache->folder = ml_open(cache->name, O_RDONLY | O_DIRECTORY);
    if (cache->folder >= 0)
        return ML_OK;
    const int error = errno;
    if (error == ENOENT && !ml_path_dangles(cache->name))
        return ML_OK;
    return ml_fail(err, ML_E_FILE, "%s: %s", cache->name,
                   error == ENOENT ? "is a symbolic link to a missing file"
                   : error == ENOTDIR && stat(cache->name, &about) == 0 ? "is not a folder"
                                                                        : strerror(error));
}

/* The path of an open folder, by its descriptor where the system has such paths; NULL without
 * memory. */
static char *find_path(const struct ml_kernel_cache *cache)
{
    struct stat named, opened;
    char *path = ml_path("/proc/self/fd/%d", cache->folder);
    if (!path || (fstat(cache->folder, &opened) == 0 && stat(path, &named) == 0 &&
                  opened.st_dev == named.st_dev && opened.st_ino == named.st_ino))
        return path;
    free(path); /* a compiler takes -x for an option, and @x for a file of options */
    return ml_path(*cache->name == '/' || *cache->name == '.' ? "%s" : "./%s", cache->name);
}

enum ml_status ml_kernel_cache_open(struct ml_kernel_cache *cache, bool make, struct ml_error *err)
{
    if (cache->path)
        return ML_OK;
    enum ml_status status = open_named(cache, err);
    if (status == ML_OK && cache->folder < 0 && make) {
        status = make_cache(cache->name, err);
        if (status == ML_OK)
            status = open_named(cache, err);
    }
    if (status != ML_OK || cache->folder < 0)
        return status;
    status = check_owner(cache, err);
    if (status == ML_OK)
        status = check_mount(cache, err);
    if (status == ML_OK && !(cache->path = find_path(cache)))
        status = ml_fail(err, ML_E_MEMORY, "out of memory");
    if (status != ML_OK) {
        (void)close(cache->folder);
        cache->folder = -1;
    }
    return status;
}

char *ml_kernel_cache_entry(const char *folder, const struct ml_kernel_key *key,
                            const char *name_ending)
{
    return ml_path("%s/%016llx%016llx-%016llx%s", folder, (unsigned long long)key->high,
                   (unsigned long long)key->low, (unsigned long long)key->version, name_ending);
}

/* XXH3 of the first bytes of a file and then of a seal without its checksum; false and errno. */
static bool find_checksum(int file, struct seal seal, XXH128_hash_t *out)
{
    char piece[PIECE];
    XXH3_state_t *state = XXH3_createState();
    bool is_good = state && XXH3_128bits_reset(state) == XXH_OK;
    errno = state ? 0 : ENOMEM;
    for (uint64_t at = 0, n; is_good && at < seal.size; at += n) {
        n = seal.size - at < PIECE ? seal.size - at : PIECE;
        is_good =
            ml_io_read(file, (off_t)at, piece, n) && XXH3_128bits_update(state, piece, n) == XXH_OK;
    }
    const int error = errno;
    seal.high = seal.low = 0;
    is_good = is_good && XXH3_128bits_update(state, &seal, sizeof seal) == XXH_OK;
    if (is_good)
        *out = XXH3_128bits_digest(state);
    (void)XXH3_freeState(state);
    errno = error;
    return is_good;
}

/* Whether an open file is an entry of this key, all of it, and nobody else's. */
static bool is_sound(int file, const struct ml_kernel_key *key)
{
    struct stat about;
    struct seal seal;
    XXH128_hash_t sum;
    if (fstat(file, &about) != 0 || about.st_uid != geteuid() ||
        (about.st_mode & (S_IWGRP | S_IWOTH)) || about.st_size < (off_t)sizeof seal ||
        !ml_io_read(file, about.st_size - (off_t)sizeof seal, &seal, sizeof seal))
        return false;
    return seal.magic == magic && seal.size == (uint64_t)about.st_size - sizeof seal &&
           seal.key.high == key->high && seal.key.low == key->low &&
           seal.key.version == key->version && find_checksum(file, seal, &sum) &&
           sum.high64 == seal.high && sum.low64 == seal.low;
}

/* The entry of just this version. */
static char *find_version(const char *folder, const struct ml_kernel_key *key, const char *ending)
{
    char *path = ml_kernel_cache_entry(folder, key, ending);
    const int file = path ? ml_open_file(path, O_RDONLY | O_NOFOLLOW) : -1;
    const bool is_found = file >= 0 && is_sound(file, key);
    if (is_found)
        (void)futimens(file, NULL); /* it may be a folder for reading only */
    if (file >= 0)
        (void)close(file);
    if (is_found)
        return path;
    free(path);
    return NULL;
}

/* Whether a name is that of an entry or a lock. */
static bool is_entry(const char *name, const char *name_ending)
{
    return strspn(name, "0123456789abcdef") == 32 && name[32] == '-' &&
           strspn(name + 33, "0123456789abcdef") == 16 &&
           strcmp(name + KEY_LENGTH, name_ending) == 0;
}

/* An entry of any version. */
static char *find_any(const char *path, const struct ml_kernel_key *key, const char *ending)
{
    char wanted[KEY_LENGTH], *found = NULL;
    DIR *folder = opendir(path);
    const int length = snprintf(wanted, sizeof wanted, "%016llx%016llx-",
                                (unsigned long long)key->high, (unsigned long long)key->low);
    for (struct dirent *entry; folder && !found && (entry = readdir(folder));) {
        struct ml_kernel_key one = *key;
        if (!is_entry(entry->d_name, ending) || strncmp(entry->d_name, wanted, (size_t)length) != 0)
            continue;
        one.version = strtoull(entry->d_name + length, NULL, 16);
        found = find_version(path, &one, ending);
    }
    if (folder)
        (void)closedir(folder);
    return found;
}

char *ml_kernel_cache_find(const char *folder, const struct ml_kernel_key *key, const char *ending)
{
    return key->version ? find_version(folder, key, ending) : find_any(folder, key, ending);
}

/* Writes the seal behind the object. */
static enum ml_status seal_object(const char *object, const struct ml_kernel_key *key,
                                  struct ml_error *err)
{
    struct stat about;
    XXH128_hash_t sum;
    const int file = ml_open_file(object, O_RDWR | O_NOFOLLOW);
    bool is_done = file >= 0 && fstat(file, &about) == 0;
    if (is_done) {
        struct seal seal = {.magic = magic, .size = (uint64_t)about.st_size, .key = *key};
        is_done = find_checksum(file, seal, &sum);
        seal.high = is_done ? sum.high64 : 0;
        seal.low = is_done ? sum.low64 : 0;
        is_done = is_done && ml_io_write(file, about.st_size, &seal, sizeof seal);
    }
    const int error = errno;
    if (file >= 0)
        (void)close(file); /* its sync tells of errors */
    return is_done ? ML_OK
                   : ml_fail(err, ML_E_FILE, "%s: cannot be written: %s", object,
                             ml_open_reason(error));
}

enum ml_status ml_kernel_cache_write(const char *folder, const struct ml_kernel_key *key,
                                     const char *ending, const char *object, struct ml_error *err)
{
    char *path = ml_kernel_cache_entry(folder, key, ending);
    enum ml_status status =
        path ? seal_object(object, key, err) : ml_fail(err, ML_E_MEMORY, "out of memory");
    if (status == ML_OK) {
        ml_tree_remove(path); /* a folder of that name would be in the way for ever */
        status = ml_atomic_file_rename(object, path, err);
    }
    free(path);
    return status;
}

/* An entry as it is when the folder is too full. */
struct kernel_cache_found {
    char name[KEY_LENGTH + sizeof ML_KERNEL_CACHE_TEXT];
    uint64_t size;
    struct timespec used;
};

struct kernel_cache_list {
    struct kernel_cache_found *entries;
    size_t n, room;
    uint64_t bytes;
};

static void list_entry(struct kernel_cache_list *list, const char *name, const struct stat *about)
{
    if (list->n == list->room) {
        const size_t room = list->room ? 2 * list->room : 64;
        struct kernel_cache_found *more = realloc(list->entries, room * sizeof *more);
        if (!more)
            return; /* it will be found by the next process */
        list->entries = more;
        list->room = room;
    }
    struct kernel_cache_found *found = &list->entries[list->n];
    if ((size_t)snprintf(found->name, sizeof found->name, "%s", name) >= sizeof found->name)
        return; /* longer than the name of any entry */
    list->n++;
    found->size = (uint64_t)about->st_size;
    found->used = about->st_mtim;
    list->bytes += found->size;
}

static bool kernel_cache_is_temporary(const char *name)
{
    const size_t n = sizeof ML_KERNEL_CACHE_TEMPORARY - 1;
    return strlen(name) == n && strncmp(name, ML_KERNEL_CACHE_TEMPORARY, n - 6) == 0;
}

/* Lists a file if it is an entry, and removes it if it was left behind. */
static void kernel_cache_look_at(struct kernel_cache_list *list, const char *folder, int at,
                                 const char *name)
{
    struct stat about;
    if (fstatat(at, name, &about, AT_SYMLINK_NOFOLLOW) != 0 || about.st_uid != geteuid())
        return;
    const bool is_old = time(NULL) - about.st_mtime > DAY;
    if (S_ISREG(about.st_mode) &&
        (is_entry(name, ML_KERNEL_CACHE_OBJECT) || is_entry(name, ML_KERNEL_CACHE_TEXT)))
        list_entry(list, name, &about);
    else if (is_old && S_ISREG(about.st_mode) && is_entry(name, ending_of_lock))
        (void)unlinkat(at, name, 0);
    else if (is_old && S_ISDIR(about.st_mode) && kernel_cache_is_temporary(name)) {
        char *path = ml_path("%s/%s", folder, name);
        if (path)
            ml_tree_remove(path);
        free(path);
    }
}

static int by_use(const void *a, const void *b)
{
    const struct timespec *s = &((const struct kernel_cache_found *)a)->used,
                          *t = &((const struct kernel_cache_found *)b)->used;
    return s->tv_sec != t->tv_sec ? (s->tv_sec > t->tv_sec ? 1 : -1)
                                  : (s->tv_nsec > t->tv_nsec) - (s->tv_nsec < t->tv_nsec);
}

void ml_kernel_cache_trim(const char *path, int most_entries, uint64_t most_bytes)
{
    struct kernel_cache_list list = {0};
    DIR *folder = opendir(path);
    if (!folder)
        return;
    for (struct dirent *entry; (entry = readdir(folder));)
        kernel_cache_look_at(&list, path, dirfd(folder), entry->d_name);
    if (list.n > 0)
        qsort(list.entries, list.n, sizeof *list.entries, by_use);
    for (size_t i = 0; i < list.n && (list.n - i > (size_t)most_entries || list.bytes > most_bytes);
         i++) {
        (void)unlinkat(dirfd(folder), list.entries[i].name, 0);
        list.bytes -= list.entries[i].size;
    }
    free(list.entries);
    (void)closedir(folder);
}

enum { REASON_LENGTH = 1024 };

static const long between_tries = 20000000; /* ns */

enum answer { LOCKED, NO_LOCKS, STOPPED };

static enum answer kernel_lock_file(int file, double end, struct ml_stop stop)
{
    while (flock(file, LOCK_EX | LOCK_NB) != 0) {
        if (errno != EWOULDBLOCK && errno != EINTR)
            return NO_LOCKS;
        if (ml_stop_level(stop) > 0)
            return STOPPED;
        if (ml_clock() > end)
            return NO_LOCKS;
        (void)nanosleep(&(struct timespec){.tv_nsec = between_tries}, NULL);
    }
    return LOCKED;
}

/* The text that the last owner wrote. */
static enum ml_status read_reason(int file, struct ml_error *err)
{
    char text[REASON_LENGTH];
    const ssize_t n = pread(file, text, sizeof text - 1, 0);
    text[n > 0 ? n : 0] = '\0';
    text[strcspn(text, "\n")] = '\0';
    return *text ? ml_fail(err, ML_E_FILE, "%s (another process has just tried)", text) : ML_OK;
}

enum ml_status ml_kernel_lock_take(struct ml_kernel_lock *lock, const char *path, double wait,
                                   struct ml_stop stop, struct ml_error *err)
{
    const double end = ml_clock() + wait;
    for (;;) {
        *lock = (struct ml_kernel_lock){path, ml_open_file(path, O_RDWR | O_CREAT | O_NOFOLLOW)};
        if (lock->file < 0)
            return ML_OK;
        const enum answer answer = kernel_lock_file(lock->file, end, stop);
        const bool is_gone = !ml_io_has_name(lock->file); /* its owner is done */
        if (answer == LOCKED && !is_gone)
            return ML_OK;
        const enum ml_status status = answer == STOPPED  ? ml_fail(err, ML_STOPPED, "stopped")
                                      : answer == LOCKED ? read_reason(lock->file, err)
                                                         : ML_OK;
        (void)close(lock->file);
        lock->file = -1;
        if (answer != LOCKED || status != ML_OK)
            return status;
    }
}

void ml_kernel_lock_release(struct ml_kernel_lock *lock, const char *reason)
{
    if (lock->file < 0)
        return;
    if (reason) /* read by those who have opened it */
        (void)ml_io_write(lock->file, 0, reason, strnlen(reason, REASON_LENGTH - 1));
    if (ml_io_has_name(lock->file))
        (void)unlink(lock->path);
    (void)close(lock->file);
    lock->file = -1;
}
