/* Limits of control groups, of folders as Linux shows them. */
#include "base/cgroup.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/path.h"
#include "check.h"

static char root[] = "cgroup_XXXXXX";

/* Writes a file below the root, with the folders that it is in. */
static void put(const char *name, const char *text)
{
    char path[256];
    (void)snprintf(path, sizeof path, "%s%s", root, name);
    for (char *c = path + 1; *c; c++)
        if (*c == '/') {
            *c = '\0';
            (void)mkdir(path, 0777);
            *c = '/';
        }
    FILE *file = fopen(path, "w");
    CHECK(file && fputs(text, file) >= 0 && fclose(file) == 0);
}

int main(void)
{
    CHECK(mkdtemp(root) != NULL);
    CHECK(ml_cgroup_processors(root) == 0.0 && ml_cgroup_memory(root) == 0.0);

    CHECK_CASE("version 2, limits of the groups around");
    put("/proc/self/cgroup", "0::/batch/job 7/step\n");
    put("/sys/fs/cgroup/batch/job 7/step/cpu.max", "max 100000\n");
    put("/sys/fs/cgroup/batch/job 7/step/memory.max", "4000000000\n");
    put("/sys/fs/cgroup/batch/job 7/cpu.max", "250000 100000\n");
    put("/sys/fs/cgroup/batch/job 7/memory.max", "2000000000\n");
    put("/sys/fs/cgroup/batch/cpu.max", "800000 100000\n");
    CHECK(ml_cgroup_processors(root) == 2.5 && ml_cgroup_memory(root) == 2e9);

    CHECK_CASE("version 2, in a container");
    put("/proc/self/cgroup", "0::/\n");
    CHECK(ml_cgroup_processors(root) == 0.0 && ml_cgroup_memory(root) == 0.0);
    put("/sys/fs/cgroup/cpu.max", "50000 100000\n");
    put("/sys/fs/cgroup/memory.max", "max\n");
    CHECK(ml_cgroup_processors(root) == 0.5 && ml_cgroup_memory(root) == 0.0);
    put("/sys/fs/cgroup/cpu.max", "max 100000\n");

    CHECK_CASE("version 1");
    put("/proc/self/cgroup",
        "5:cpuset:/x\n4:memory:/m\n2:cpuacct,cpu:/c\n1:name=systemd:/\n0::/\n");
    put("/sys/fs/cgroup/cpu/c/cpu.cfs_quota_us", "150000\n");
    put("/sys/fs/cgroup/cpu/c/cpu.cfs_period_us", "100000\n");
    put("/sys/fs/cgroup/memory/m/memory.limit_in_bytes", "1000000000\n");
    CHECK(ml_cgroup_processors(root) == 1.5 && ml_cgroup_memory(root) == 1e9);
    put("/sys/fs/cgroup/cpu/c/cpu.cfs_quota_us", "-1\n");
    put("/sys/fs/cgroup/memory/m/memory.limit_in_bytes", "9223372036854771712\n");
    CHECK(ml_cgroup_processors(root) == 0.0 && ml_cgroup_memory(root) == 0.0);

    CHECK_CASE("nonsense");
    put("/proc/self/cgroup", "\n:\n::\n0:\nx:cpu,memory:\n0::/../../..\n");
    (void)ml_cgroup_processors(root);
    put("/proc/self/cgroup", "0::/\n");
    put("/sys/fs/cgroup/cpu.max", "0 0\n");
    CHECK(ml_cgroup_processors(root) == 0.0);
    ml_tree_remove(root);
    return check_done();
}
