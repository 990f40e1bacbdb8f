/* Motions and torques in files of a folder that a test has to itself. */
#ifndef INVERSE_FILES_H
#define INVERSE_FILES_H

#include <string.h>
#include <unistd.h>

#include "check.h"
#include "h5/h5.h"
#include "manylink/inverse.h"
#include "manylink/run.h"
#include "reference/reference.h"
#include "study.h"

enum { MOST_NUMBERS = 6144 }; /* of a dataset */

static char folder[] = "inverse-test-XXXXXX";

static inline void begin_folder(void)
{
    if (!mkdtemp(folder))
        ref_stop("no folder for files");
}

static inline const char *in_folder(const char *name, char path[256])
{
    (void)snprintf(path, 256, "%s/%s", folder, name);
    return path;
}

/* Removes the folder with the files of these names, NULL-terminated. */
static inline void end_folder(const char *const *files)
{
    char path[256];
    for (; *files; files++)
        (void)unlink(in_folder(*files, path));
    (void)rmdir(folder);
}

static inline struct ml_study *parse(const char *text)
{
    struct ml_study *study = NULL;
    struct ml_error err = {0};
    if (ml_study_load(STUDY_TEXT("test.yaml", text), &study, &err))
        ref_stop("%s", err.text);
    return study;
}

/* A motion's torques: "inverse.h5". */
static inline void solve(const char *text, const char *motion)
{
    char path[256];
    struct ml_error err = {0};
    struct ml_inverse_report report = {.size = sizeof report};
    struct ml_study *study = parse(text);
    const struct ml_inverse_options options = {.size = sizeof options,
                                               .output = in_folder("inverse.h5", path),
                                               .motion = motion,
                                               .run = -1,
                                               .n_thread = 2};
    if (ml_inverse(study, &options, &report, &err))
        ref_stop("%s", err.text);
    ml_study_free(study);
}

/* A dataset, "/study/inverse/torque", of a file in the folder; returns its numbers. */
static inline int read_set(const char *name, const char *set, double out[MOST_NUMBERS])
{
    struct ml_h5 h5;
    struct ml_error err = {0};
    char path[256];
    ml_h5_begin(&h5, in_folder(name, path), &err);
    hid_t file = ml_h5_open(&h5);
    hid_t id = ml_h5_check(&h5, H5Dopen2(file, set, H5P_DEFAULT), set);
    struct ml_extent extent = ml_h5_extent(&h5, id);
    unsigned long long n = 1;
    for (int k = 0; k < extent.rank; k++)
        n *= extent.size[k];
    if (h5.status != ML_OK || n > MOST_NUMBERS)
        ref_stop("%s: %s", set, err.text ? err.text : "too large");
    ml_h5_read_range(&h5, id, &extent, H5T_NATIVE_DOUBLE, 0, n, out);
    ml_h5_close(&h5, file);
    (void)ml_h5_end(&h5);
    return (int)n;
}

#endif
