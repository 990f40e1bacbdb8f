/* Reads limits of control groups: of version 2 in one tree, of version 1 in one for each kind. */
#include "base/cgroup.h"

#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/open.h"
#include "base/path.h"

/* A kind of limit: its tree in version 1, and a function that reads it in the folder of a group, 0:
 * none. */
struct cgroup_kind {
    const char *tree;
    double (*read)(const char *folder);
};

/* The first two numbers of a file; how many there are. The word "max" is not counted. */
static int cgroup_numbers(const char *folder, const char *name, double numbers[2])
{
    char line[64] = "";
    char *path = ml_path("%s/%s", folder, name);
    FILE *file = path ? ml_open_stream(path) : NULL;
    const bool is_read = file && fgets(line, sizeof line, file);
    if (file)
        (void)fclose(file); /* read only */
    free(path);
    return is_read ? sscanf(line, "%lf %lf", &numbers[0], &numbers[1]) : 0;
}

static double cgroup_read_processors(const char *folder)
{
    double quota[2], period[2];
    if (cgroup_numbers(folder, "cpu.max", quota) == 2 && quota[0] > 0.0 && quota[1] > 0.0)
        return quota[0] / quota[1];
    if (cgroup_numbers(folder, "cpu.cfs_quota_us", quota) > 0 && quota[0] > 0.0 &&
        cgroup_numbers(folder, "cpu.cfs_period_us", period) > 0 && period[0] > 0.0)
        return quota[0] / period[0];
    return 0.0;
}

static double cgroup_read_memory(const char *folder)
{
    const double none = 0x1p60; /* version 1 says about 2^63 */
    double bytes[2];
    if (cgroup_numbers(folder, "memory.max", bytes) < 1 &&
        cgroup_numbers(folder, "memory.limit_in_bytes", bytes) < 1)
        return 0.0;
    return bytes[0] > 0.0 && bytes[0] < none ? bytes[0] : 0.0;
}

/* The least limit of a group and of all that it is in, up to the folder `tree`. */
static double cgroup_least(const char *tree, const char *group, const struct cgroup_kind *kind)
{
    char *folder = ml_path("%s%s", tree, group);
    double least = 0.0;
    while (folder) {
        const double limit = kind->read(folder);
        if (limit > 0.0 && (least <= 0.0 || limit < least))
            least = limit;
        char *slash = strrchr(folder, '/');
        if (!slash || strlen(folder) <= strlen(tree))
            break;
        *slash = '\0';
    }
    free(folder);
    return least;
}

/* Whether a list "a,b,c" has the word. */
static bool cgroup_lists(const char *list, const char *word)
{
    const size_t length = strlen(word);
    for (const char *at = list; at && *at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL)
        if (strncmp(at, word, length) == 0 && (at[length] == ',' || at[length] == '\0'))
            return true;
    return false;
}

/* The limit by a line "NUMBER:KINDS:GROUP" of /proc/self/cgroup; version 2 has no kinds. */
static double cgroup_of_line(const char *root, char *line, const struct cgroup_kind *kind)
{
    char *list = strchr(line, ':'), *group = list ? strchr(list + 1, ':') : NULL;
    if (!group)
        return 0.0;
    *group++ = '\0';
    group[strcspn(group, "\n")] = '\0';
    if (*++list && !cgroup_lists(list, kind->tree))
        return 0.0;
    char *tree = ml_path("%s/sys/fs/cgroup%s%s", root, *list ? "/" : "", *list ? kind->tree : "");
    const double limit =
        tree ? cgroup_least(tree, strcmp(group, "/") == 0 ? "" : group, kind) : 0.0;
    free(tree);
    return limit;
}

static double cgroup_limit(const char *root, const struct cgroup_kind *kind)
{
    char line[4096];
    double least = 0.0;
    char *path = ml_path("%s/proc/self/cgroup", root);
    FILE *file = path ? ml_open_stream(path) : NULL;
    while (file && fgets(line, sizeof line, file)) {
        const double limit = cgroup_of_line(root, line, kind);
        if (limit > 0.0 && (least <= 0.0 || limit < least))
            least = limit;
    }
    if (file)
        (void)fclose(file); /* read only */
    free(path);
    return least;
}

double ml_cgroup_processors(const char *root)
{
    return cgroup_limit(root, &(struct cgroup_kind){"cpu", cgroup_read_processors});
}

double ml_cgroup_memory(const char *root)
{
    return cgroup_limit(root, &(struct cgroup_kind){"memory", cgroup_read_memory});
}

int ml_cgroup_threads(void)
{
    const int n = omp_get_max_threads();
    const double processors = getenv("OMP_NUM_THREADS") ? 0.0 : ml_cgroup_processors("");
    return processors > 0.0 && ceil(processors) < n ? (int)ceil(processors) : n;
}
