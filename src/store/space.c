/* Estimates the bytes that a result and its work folder need, and asks what the disk has. */
#include "store/space.h"

#include <dirent.h>
#include <math.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/statvfs.h>

#include "base/path.h"

static const double fixed = 1e6; /* groups, texts, attributes */

double ml_space_of_runs(const struct ml_layout *layout)
{
    const double columns = 25.0; /* outcome, end_time, steps, run */
    const double swept = 8.0 * ml_layout_swept(layout);
    double rows = 0.0;
    for (int i = 0; i < layout->results.n_output; i++)
        rows += ml_layout_output_rows(layout, i);
    return (8.0 * rows + columns + swept) * (double)layout->n_run;
}

double ml_space_of_trajectories(const struct ml_layout *layout)
{
    return 8.0 * (double)ml_trajectory_rows(&layout->study->ensemble) *
           (double)layout->results.n_sample * (double)layout->n_saved;
}

double ml_space_of_parts(const struct ml_layout *layout)
{
    return (ml_layout_has_trajectories(layout) ? 2.0 : 1.0) * ml_space_of_runs(layout);
}

/* Bytes that the files of a folder take. */
static double used_by(const char *folder)
{
    DIR *directory = opendir(folder);
    double used = 0.0;
    for (const struct dirent *entry; directory && (entry = readdir(directory));) {
        char *path = ml_path("%s/%s", folder, entry->d_name);
        struct stat about;
        if (path && stat(path, &about) == 0 && S_ISREG(about.st_mode))
            used += 512.0 * (double)about.st_blocks;
        free(path);
    }
    if (directory)
        (void)closedir(directory); /* read only */
    return used;
}

void ml_space(const struct ml_layout *layout, const char *parts, double *needed, double *available)
{
    struct statvfs about;
    *needed = *available = 0.0;
    if (statvfs(parts, &about) != 0 || about.f_blocks == 0)
        return;
    const double all = fixed + ml_space_of_runs(layout) + ml_space_of_trajectories(layout) +
                       ml_space_of_parts(layout);
    *needed = fmax(0.0, all - used_by(parts));
    *available = (double)about.f_bavail * (double)about.f_frsize;
}
