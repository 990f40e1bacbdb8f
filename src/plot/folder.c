#include "plot/folder.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fail.h"

static void fail(struct ml_plot_source *source, const char *path, const char *what)
{
    if (source->h5.status == ML_OK)
        source->h5.status =
            ml_fail(source->h5.err, ML_E_FILE, "%s: %s: %s", path, what, strerror(errno));
}

void ml_plot_folder_make(struct ml_plot_source *source, const char *kept,
                         struct ml_plot_folder *folder)
{
    *folder = (struct ml_plot_folder){.path = kept, .is_kept = kept != NULL};
    if (source->h5.status != ML_OK)
        return;
    if (kept) {
        if (mkdir(kept, 0777) != 0 && errno != EEXIST)
            fail(source, kept, "cannot be made");
        return;
    }
    const char *base = getenv("TMPDIR");
    const char *text = ml_plot_format(source, "%s/manylink-plot-XXXXXX", base ? base : "/tmp");
    char *path = ml_pool_text(&source->pool, text, strlen(text));
    if (path && mkdtemp(path))
        folder->path = path;
    else
        fail(source, text, "cannot be made");
}

void ml_plot_folder_end(struct ml_plot_source *source, const struct ml_plot_folder *folder)
{
    static const char *const names[] = {ML_PLOT_SCRIPT, ML_PLOT_DATA, ML_PLOT_BINARY,
                                        ML_PLOT_MORE_DATA, ML_PLOT_MESSAGES};
    if (!folder->path || folder->is_kept)
        return;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        (void)unlink(ml_plot_folder_path(source, folder, names[i])); /* it may not exist */
    (void)rmdir(folder->path);
}

const char *ml_plot_folder_path(struct ml_plot_source *source, const struct ml_plot_folder *folder,
                                const char *name)
{
    return ml_plot_format(source, "%s/%s", folder->path, name);
}

FILE *ml_plot_create(struct ml_plot_source *source, const struct ml_plot_folder *folder,
                     const char *name)
{
    if (source->h5.status != ML_OK)
        return NULL;
    const char *path = ml_plot_folder_path(source, folder, name);
    FILE *file = fopen(path, "we");
    if (!file)
        fail(source, path, "cannot be made");
    return file;
}

void ml_plot_finish(struct ml_plot_source *source, FILE *file)
{
    if (!file)
        return;
    bool is_bad = ferror(file) != 0;
    if (fclose(file) != 0 || is_bad)
        fail(source, "script and data of the picture", "cannot be written");
}
