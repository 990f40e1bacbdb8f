/* Builds paths: of the folder of a file, of temporary files next to it. */
#include "base/path.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"

enum { HOST_LENGTH = 64 };

char *ml_path(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    char *path = ml_vformat(format, args);
    va_end(args);
    return path;
}

char *ml_path_folder(const char *path)
{
    const char *slash = strrchr(path, '/');
    if (!slash)
        return ml_path(".");
    return slash == path ? ml_path("/") : ml_path("%.*s", (int)(slash - path), path);
}

char *ml_path_absolute(const char *path)
{
    char *here = *path == '/' ? NULL : getcwd(NULL, 0);
    if (*path != '/' && !here)
        return NULL;
    char *absolute = ml_path(here ? "%s/%s" : "%s%s", here ? here : "", path);
    free(here);
    return absolute;
}

char *ml_path_program(const char *name)
{
    const char *at = getenv("PATH");
    for (size_t length; at && *at; at += length + (at[length] == ':')) {
        length = strcspn(at, ":");
        char *path = *at == '/' ? ml_path("%.*s/%s", (int)length, at, name) : NULL;
        if (path && access(path, X_OK) == 0)
            return path;
        free(path);
    }
    return NULL;
}

char *ml_path_own(const char *beginning)
{
    char host[HOST_LENGTH] = "";
    (void)gethostname(host, sizeof host - 1); /* without a name the process id has to do */
    return ml_path("%s-%s-%ld", beginning, host, (long)getpid());
}

char *ml_path_temporary(const char *path)
{
    char *own = ml_path_own(""),
         *temporary = own ? ml_path("%s.%s" ML_PATH_TEMPORARY, path, own + 1) : NULL;
    free(own);
    return temporary;
}

bool ml_path_is_link(const char *path)
{
    struct stat about;
    return lstat(path, &about) == 0 && S_ISLNK(about.st_mode);
}

bool ml_path_dangles(const char *path)
{
    struct stat about;
    return ml_path_is_link(path) && stat(path, &about) != 0 && errno == ENOENT;
}

bool ml_path_is_read_only(const char *path)
{
    struct stat about;
    return stat(path, &about) == 0 && !(about.st_mode & (S_IWUSR | S_IWGRP | S_IWOTH));
}

bool ml_path_is_same(const char *a, const char *b)
{
    struct stat of_a, of_b;
    return stat(a, &of_a) == 0 && stat(b, &of_b) == 0 && of_a.st_dev == of_b.st_dev &&
           of_a.st_ino == of_b.st_ino;
}

enum { MOST_LEVELS = 16 };

static void remove_inside(int at, const char *name, int level)
{
    const int file = openat(at, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    DIR *folder = file < 0 ? NULL : fdopendir(file);
    if (file >= 0 && !folder)
        (void)close(file);
    for (struct dirent *entry; folder && (entry = readdir(folder));) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        if (unlinkat(dirfd(folder), entry->d_name, 0) != 0 && level < MOST_LEVELS) {
            remove_inside(dirfd(folder), entry->d_name, level + 1);
            (void)unlinkat(dirfd(folder), entry->d_name, AT_REMOVEDIR);
        }
    }
    if (folder)
        (void)closedir(folder);
}

void ml_tree_remove(const char *path)
{
    remove_inside(AT_FDCWD, path, 0);
    (void)rmdir(path);
}
