/* Where script and data of a picture are written, and that nothing else is overwritten there. */
#include "plot/script.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/io.h"
#include "base/open.h"

static const char *const names[] = {ML_PLOT_SCRIPT, ML_PLOT_DATA};

enum { N_NAME = sizeof names / sizeof *names };

static void folder_fail(struct ml_plot_source *source, const char *path, const char *what)
{
    ml_plot_fail(source, ML_E_FILE, "%s: %s: %s", path, what, ml_open_reason(errno));
}

/* A path that gnuplot takes for one: neither a command nor an option nor a home. */
static const char *plain_path(struct ml_plot_source *source, const char *path)
{
    return ml_plot_format(source, *path == '/' || *path == '.' ? "%s" : "./%s", path);
}

static const char *folder_path(struct ml_plot_source *source, const struct ml_plot_folder *folder,
                               const char *name)
{
    return ml_plot_format(source, "%s/%s", folder->path, name);
}

/* Whether the script there, and with it the data, was made here. */
static bool is_made_here(struct ml_plot_source *source, const struct ml_plot_folder *folder)
{
    static const char mark[] = ML_PLOT_MARK;
    char begin[sizeof mark - 1];
    const int file =
        ml_open_file(folder_path(source, folder, ML_PLOT_SCRIPT), O_RDONLY | O_NOFOLLOW);
    const bool is = file >= 0 && ml_io_read(file, 0, begin, sizeof begin) &&
                    memcmp(begin, mark, sizeof begin) == 0;
    if (file >= 0)
        (void)close(file); /* read only */
    return is;
}

/* Nobody's files are overwritten. */
static void check_kept(struct ml_plot_source *source, const struct ml_plot_folder *folder)
{
    struct stat about;
    if (is_made_here(source, folder))
        return;
    for (int i = 0; i < N_NAME && source->status == ML_OK; i++) {
        const char *path = folder_path(source, folder, names[i]);
        if (lstat(path, &about) == 0)
            ml_plot_fail(source, ML_E_INPUT,
                         "%s: is there already, and not of a script that `plot` made; choose "
                         "another folder",
                         path);
    }
}

void ml_plot_folder_make(struct ml_plot_source *source, const char *kept,
                         struct ml_plot_folder *folder)
{
    *folder = (struct ml_plot_folder){.is_kept = kept != NULL};
    if (source->status != ML_OK)
        return;
    if (kept) {
        folder->path = plain_path(source, kept);
        if (mkdir(folder->path, 0777) != 0 && errno != EEXIST)
            folder_fail(source, kept, "cannot be made");
        else
            check_kept(source, folder);
        return;
    }
    const char *base = getenv("TMPDIR");
    const char *text = plain_path(
        source, ml_plot_format(source, "%s/manylink-plot-XXXXXX", base && *base ? base : "/tmp"));
    char *path = ml_pool_text(&source->pool, text, strlen(text));
    if (path && mkdtemp(path))
        folder->path = path;
    else
        folder_fail(source, text, "cannot be made");
}

void ml_plot_folder_end(struct ml_plot_source *source, const struct ml_plot_folder *folder)
{
    if (!folder->path || folder->is_kept)
        return;
    for (int i = 0; i < N_NAME; i++)
        (void)unlink(folder_path(source, folder, names[i])); /* it may not exist */
    (void)rmdir(folder->path);
}

FILE *ml_plot_create(struct ml_plot_source *source, const struct ml_plot_folder *folder,
                     const char *name)
{
    if (source->status != ML_OK || ml_plot_is_stopped(source))
        return NULL;
    const char *path = folder_path(source, folder, name);
    const int descriptor = ml_open_file(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW);
    FILE *file = descriptor < 0 ? NULL : fdopen(descriptor, "w");
    if (!file)
        folder_fail(source, path, "cannot be made");
    if (!file && descriptor >= 0)
        (void)close(descriptor);
    return file;
}

void ml_plot_finish(struct ml_plot_source *source, FILE *file)
{
    if (!file)
        return;
    bool is_bad = ferror(file) != 0;
    if (fclose(file) != 0 || is_bad)
        folder_fail(source, "script and data of the picture", "cannot be written");
}
