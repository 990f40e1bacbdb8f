/* Removes folders of temporary files. */
#include "base/tree.h"

#include <dirent.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

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
