/* flock() on a file beside the entry that is made. */
#include "engine/kernel_lock.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fail.h"
#include "base/io.h"
#include "base/open.h"

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

/* What the last owner wrote. */
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
