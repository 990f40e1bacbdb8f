/* Locks the work folder with a lock file, and names its owner to those who find it locked. */
#include "store/lock.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/io.h"
#include "base/open.h"
#include "base/path.h"
#include "manylink/fail.h"
#include "store/result.h"

static const char name[] = "lock";

static const long between_tries = 50000000; /* ns */

static void lock_rest(void) { (void)nanosleep(&(struct timespec){.tv_nsec = between_tries}, NULL); }

enum answer { LOCKED, HELD, GONE, FAILED, FOREIGN };

/* Who this process is, for others to read. */
static void write_owner(int file)
{
    char host[ML_HOST_LENGTH], now[ML_TIME_LENGTH], text[ML_OWNER_LENGTH];
    const char *job = getenv("SLURM_JOB_ID");
    ml_provenance_host(host);
    ml_provenance_time(now);
    int length = snprintf(text, sizeof text, "process %ld on %s since %s%s%s\n", (long)getpid(),
                          host, now, job ? ", Slurm job " : "", job ? job : "");
    if (length > 0 && ftruncate(file, 0) == 0) /* text for messages only */
        (void)ml_io_write(file, 0, text, strlen(text));
}

static void read_owner(int file, char text[ML_OWNER_LENGTH])
{
    ssize_t n = pread(file, text, ML_OWNER_LENGTH - 1, 0);
    text[n > 0 ? n : 0] = '\0';
    text[strcspn(text, "\n")] = '\0';
}

/* Whether an open file is still the one of its name: its last owner removes it. */
static bool lock_is_there(const char *path, int file)
{
    struct stat here, there;
    return fstat(file, &here) == 0 && lstat(path, &there) == 0 && here.st_ino == there.st_ino &&
           here.st_dev == there.st_dev;
}

/* Whether the user wants no locks where there are none, by the variable of HDF5. */
static bool does_without(void)
{
    const char *text = getenv("HDF5_USE_FILE_LOCKING");
    return text && (strcmp(text, "FALSE") == 0 || strcmp(text, "0") == 0 ||
                    strcmp(text, "BEST_EFFORT") == 0);
}

/* Locks an open file; a file system that has no locks at all is taken to have given it. */
static enum answer lock_file(const char *path, int file)
{
    if (flock(file, LOCK_EX | LOCK_NB) != 0 && errno != ENOSYS && errno != EOPNOTSUPP &&
        errno != EINVAL && (errno != ENOLCK || !does_without()))
        return errno == EWOULDBLOCK ? HELD : FAILED;
    return lock_is_there(path, file) ? LOCKED : GONE;
}

/* Who owns the files that this process makes: not its user, where a server maps users. */
static bool find_maker(const char *folder, uid_t *maker)
{
    struct stat about;
    char *probe = ml_path("%s/owner", folder), *path = probe ? ml_path_temporary(probe) : NULL;
    const int file = path ? ml_open(path, O_WRONLY | O_CREAT | O_EXCL) : -1;
    const bool is_known = file >= 0 && fstat(file, &about) == 0;
    if (is_known)
        *maker = about.st_uid;
    if (file >= 0) {
        (void)close(file);
        (void)unlink(path);
    }
    free(path);
    free(probe);
    return is_known;
}

/* Whether a folder, and the link that leads to it if it is one, belong to who makes the result: in
 * one of somebody else, links to any file may lie in wait. */
static bool is_own(const char *folder, struct ml_error *err)
{
    struct stat link, about;
    uid_t maker = geteuid();
    if (lstat(folder, &link) != 0 || stat(folder, &about) != 0)
        return true; /* gone again, or opening a file will report the error */
    if ((about.st_uid == maker && link.st_uid == maker) ||
        (find_maker(folder, &maker) && about.st_uid == maker && link.st_uid == maker))
        return true;
    (void)ml_fail(err, ML_E_FILE,
                  "%s: belongs to another user (number %lu; this one is number %lu), who can have "
                  "put anything into it; remove it, or give another name with -o",
                  folder, (unsigned long)(about.st_uid != maker ? about.st_uid : link.st_uid),
                  (unsigned long)maker);
    return false;
}

static enum answer try(struct ml_lock *lock, char owner[ML_OWNER_LENGTH], struct ml_error *err)
{
    const bool is_made = mkdir(lock->folder, 0777) == 0;
    if (!is_made && errno != EEXIST)
        return FAILED;
    if (!is_made && !is_own(lock->folder, err))
        return FOREIGN;
    lock->file = ml_open_file(lock->path, O_RDWR | O_CREAT | O_NOFOLLOW);
    if (lock->file < 0)
        return errno == ENOENT && !ml_path_dangles(lock->folder) ? GONE : FAILED;
    enum answer answer = lock_file(lock->path, lock->file);
    if (answer == LOCKED) {
        write_owner(lock->file);
        return answer;
    }
    const int why = errno;
    read_owner(lock->file, owner);
    (void)close(lock->file);
    errno = why;
    return answer;
}

static enum ml_status wait_for(struct ml_lock *lock, double wait, struct ml_stop stop,
                               void (*notice)(void *context, const char *text), void *context,
                               struct ml_error *err)
{
    const double end = ml_clock() + wait;
    char owner[ML_OWNER_LENGTH] = "", text[2 * ML_OWNER_LENGTH];
    bool is_told = false;
    for (int tries = 1;; tries++) {
        enum answer answer = try(lock, owner, err);
        const int why = errno;
        if (answer == HELD && !*owner && tries == 1) { /* it has just taken the lock */
            lock_rest();
            continue;
        }
        if (!*owner)
            (void)snprintf(owner, sizeof owner, "another process");
        if (answer == LOCKED)
            return ML_OK;
        if (answer == FAILED)
            return ml_fail(err, ML_E_FILE, "%s: cannot be %s: %s%s",
                           ml_path_is_link(lock->path) || access(lock->path, F_OK) == 0
                               ? lock->path
                               : lock->folder,
                           why == ENOLCK ? "locked" : "made", ml_open_reason(why),
                           why == ENOLCK ? "; with HDF5_USE_FILE_LOCKING=FALSE it is made without: "
                                           "make sure that no other process makes the same result"
                                         : "");
        if (answer == FOREIGN)
            return ML_E_FILE;
        if (ml_stop_level(stop) > 0)
            return ml_fail(err, ML_STOPPED, "stopped while waiting for %s", owner);
        if (answer == HELD && ml_clock() >= end)
            return ml_fail(err, ML_E_BUSY, "%s: %s is at work here", lock->folder, owner);
        (void)snprintf(text, sizeof text, "%s is at work here: waiting", owner);
        if (answer == HELD && notice && !is_told) {
            notice(context, text);
            is_told = true;
        }
        lock_rest();
    }
}

enum ml_status ml_lock_take(struct ml_lock *lock, const char *folder, double wait,
                            struct ml_stop stop, void (*notice)(void *context, const char *text),
                            void *context, struct ml_error *err)
{
    *lock =
        (struct ml_lock){.folder = ml_path("%s", folder), .path = ml_path("%s/%s", folder, name)};
    enum ml_status status =
        lock->folder && lock->path ? wait_for(lock, wait, stop, notice, context, err) : ML_E_MEMORY;
    if (status != ML_OK) {
        free(lock->folder);
        free(lock->path);
        *lock = (struct ml_lock){0};
    }
    return status;
}

bool ml_lock_is_held(const struct ml_lock *lock)
{
    return lock->folder && lock_is_there(lock->path, lock->file);
}

void ml_lock_release(struct ml_lock *lock)
{
    if (!lock->folder)
        return;
    if (ml_lock_is_held(lock))
        (void)unlink(lock->path); /* while it is locked: who waits for it looks again */
    (void)rmdir(lock->folder);
    (void)close(lock->file);
    (void)rmdir(lock->folder); /* NFS keeps open files */
    free(lock->folder);
    free(lock->path);
    *lock = (struct ml_lock){0};
}

struct ml_lock_owner ml_lock_look(const char *folder)
{
    struct ml_lock_owner owner = {0};
    char *path = ml_path("%s/%s", folder, name);
    int file = path ? ml_open_file(path, O_RDONLY | O_NOFOLLOW) : -1;
    if (file >= 0) {
        owner.is_held = flock(file, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
        read_owner(file, owner.text);
        (void)close(file);
    }
    free(path);
    return owner;
}
