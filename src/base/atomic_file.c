/* Writes files atomically: a temporary file, fsync, rename, fsync of the folder. */
#include "base/atomic_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/io.h"
#include "base/open.h"
#include "base/path.h"
#include "manylink/fail.h"

static enum ml_status atomic_file_fail(struct ml_error *err, const char *path, const char *what)
{
    return ml_fail(err, ML_E_FILE, "%s: %s: %s", path, what, ml_open_reason(errno));
}

struct content {
    const void *bytes;
    size_t size;
};

static enum ml_status write_content(void *context, const char *path, struct ml_error *err)
{
    const struct content *content = context;
    (void)unlink(path); /* of a process that had this number, or a link that somebody put there */
    int file = ml_open_file(path, O_WRONLY | O_CREAT | O_EXCL);
    if (file < 0)
        return atomic_file_fail(err, path, "cannot be made");
    enum ml_status status = ML_OK;
    if (!ml_io_write(file, 0, content->bytes, content->size))
        status = atomic_file_fail(err, path, "cannot be written");
    if (close(file) != 0 && status == ML_OK)
        status = atomic_file_fail(err, path, "cannot be written");
    return status;
}

/* Waits until a file, or the names in a folder, are on disk. */
static enum ml_status sync_path(const char *path, struct ml_error *err)
{
    int file = ml_open(path, O_RDONLY | O_NONBLOCK);
    if (file < 0)
        return atomic_file_fail(err, path, "cannot be opened");
    /* EINVAL: a file system without fsync for folders */
    enum ml_status status = ML_OK;
    if (fsync(file) != 0 && errno != EINVAL)
        status = atomic_file_fail(err, path, "cannot be synced to disk");
    (void)close(file); /* read only */
    return status;
}

enum ml_status ml_atomic_file_sync_folder_of(const char *path, struct ml_error *err)
{
    char *folder = ml_path_folder(path);
    if (!folder)
        return ML_E_MEMORY;
    enum ml_status status = sync_path(folder, err);
    free(folder);
    return status;
}

struct ml_access ml_access_of(const char *path)
{
    struct stat file;
    if (lstat(path, &file) != 0 || !S_ISREG(file.st_mode))
        return (struct ml_access){.is_there = false};
    return (struct ml_access){true, file.st_mode & (S_IRWXU | S_IRWXG | S_IRWXO), file.st_uid,
                              file.st_gid};
}

void ml_access_give(const char *path, const struct ml_access *access)
{
    mode_t mode = access->mode;
    if (!access->is_there)
        return;
    if (chown(path, access->owner, access->group) != 0 &&
        chown(path, (uid_t)-1, access->group) != 0)
        mode &= ~(mode_t)S_IRWXG;
    (void)chmod(path, mode);
}

enum ml_status ml_atomic_file_rename(const char *from, const char *to, struct ml_error *err)
{
    enum ml_status status = sync_path(from, err);
    if (status != ML_OK)
        return status;
    if (rename(from, to) != 0)
        return atomic_file_fail(err, to, "cannot be put in place");
    return ml_atomic_file_sync_folder_of(to, err);
}

enum ml_status ml_atomic_file_replace(const char *from, const char *to, struct ml_error *err)
{
    const struct ml_access access = ml_access_of(to);
    ml_access_give(from, &access);
    return ml_atomic_file_rename(from, to, err);
}

enum ml_status ml_atomic_file_make(const char *path, ml_make_fn *make, void *context,
                                   struct ml_error *err)
{
    char *temporary = ml_path_temporary(path);
    if (!temporary)
        return ML_E_MEMORY;
    enum ml_status status = make(context, temporary, err);
    if (status == ML_OK)
        status = ml_atomic_file_replace(temporary, path, err);
    if (status != ML_OK)
        (void)unlink(temporary); /* it may not exist */
    free(temporary);
    return status;
}

enum ml_status ml_atomic_file_write(const char *path, const void *bytes, size_t size,
                                    struct ml_error *err)
{
    return ml_atomic_file_make(path, write_content, &(struct content){bytes, size}, err);
}
