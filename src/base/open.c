/* open() that is safe against closed standard streams and against FIFOs and links in the way. */
#include "base/open.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* errno of these functions for a file that is not ordinary: open() never sets this number. */
enum { NOT_ORDINARY = ESPIPE };

int ml_open(const char *path, int flags)
{
    const int file = open(path, flags | O_CLOEXEC, 0666);
    if (file < 0 || file > STDERR_FILENO)
        return file;
    const int above = fcntl(file, F_DUPFD_CLOEXEC, STDERR_FILENO + 1), error = errno;
    (void)close(file);
    errno = error;
    return above;
}

static bool is_ordinary(const struct stat *about)
{
    errno = S_ISDIR(about->st_mode) ? EISDIR : NOT_ORDINARY;
    return S_ISREG(about->st_mode);
}

int ml_open_file(const char *path, int flags)
{
    struct stat about;
    const int file = ml_open(path, flags | O_NONBLOCK | O_NOCTTY);
    if (file < 0) {
        errno = errno == ENXIO ? NOT_ORDINARY : errno; /* a FIFO that nobody reads, a socket */
        return -1;
    }
    if (fstat(file, &about) == 0 && is_ordinary(&about))
        return file;
    const int error = errno;
    (void)close(file);
    errno = error;
    return -1;
}

FILE *ml_open_stream(const char *path)
{
    const int file = ml_open_file(path, O_RDONLY);
    FILE *stream = file < 0 ? NULL : fdopen(file, "rb");
    if (file >= 0 && !stream)
        (void)close(file);
    return stream;
}

bool ml_open_is_file(const char *path)
{
    struct stat about;
    return stat(path, &about) == 0 && is_ordinary(&about);
}

enum ml_status ml_open_status(int error)
{
    return error == ENOENT || error == ENOTDIR || error == EISDIR ? ML_E_INPUT : ML_E_FILE;
}

const char *ml_open_reason(int error)
{
    return error == NOT_ORDINARY ? "it is not an ordinary file"
           : error == ELOOP      ? "it is a symbolic link, or goes through too many"
                                 : strerror(error);
}

struct ml_open_hold ml_open_hold_standard(void)
{
    struct ml_open_hold hold = {0};
    for (int file; (file = open("/dev/null", O_RDWR | O_CLOEXEC)) >= 0;) {
        if (file > STDERR_FILENO) {
            (void)close(file);
            break;
        }
        hold.files[hold.n++] = file;
    }
    return hold;
}

void ml_open_release(const struct ml_open_hold *hold)
{
    const int error = errno;
    for (int i = 0; i < hold->n; i++)
        (void)close(hold->files[i]);
    errno = error;
}

void ml_open_leave_files(enum ml_open_leave when)
{
    const long limit = sysconf(_SC_OPEN_MAX), most = 1L << 16;
    for (int file = STDERR_FILENO + 1; file < (limit > 0 && limit < most ? limit : most); file++)
        if (when == ML_LEAVE_AT_ONCE)
            (void)close(file);
        else
            (void)fcntl(file, F_SETFD, FD_CLOEXEC);
}
