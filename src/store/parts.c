#include "store/parts.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fail.h"
#include "manylink/version.h"
#include "store/durable.h"
#include "store/identity.h"
#include "store/path.h"

#define TEXT_OF(number) #number
#define TEXT(number) TEXT_OF(number)

/* Begins the identity: parts of two versions of the program may differ in their bits. */
static const char made_by[] =
    "# parts of manylink " ML_VERSION ", result format " TEXT(ML_RESULT_FORMAT) "\n";

static const char identity[] = "identity.yaml";

enum { LINE_LENGTH = 96 };

/* Next line of the identity: which runs a part's number stands for. */
static const char *blocks_of(const struct ml_study *study, char line[LINE_LENGTH])
{
    (void)snprintf(line, LINE_LENGTH, "# blocks of %lld of %lld runs\n",
                   (long long)study->ensemble.block_runs, (long long)study->ensemble.n_run);
    return line;
}

char *ml_parts_block(const char *folder, int64_t block)
{
    return ml_path("%s/block-%08lld", folder, (long long)block);
}

/* Number of a part from its name, -1 if it is no part's name. */
static int64_t block_of(const char *name)
{
    char *end;
    if (strncmp(name, "block-", 6) != 0 || name[6] < '0' || name[6] > '9')
        return -1;
    long long block = strtoll(name + 6, &end, 10);
    return *end == '\0' ? block : -1;
}

static bool is_temporary(const char *name)
{
    size_t length = strlen(name), ending = strlen(ML_PATH_TEMPORARY);
    return length > ending && strcmp(name + length - ending, ML_PATH_TEMPORARY) == 0;
}

enum ml_status ml_parts_list(const char *folder, void (*found)(void *context, int64_t block),
                             void *context, struct ml_error *err)
{
    DIR *directory = opendir(folder);
    if (!directory)
        return ml_fail(err, ML_E_FILE, "%s: cannot be read: %s", folder, strerror(errno));
    for (const struct dirent *entry; (entry = readdir(directory));) {
        int64_t block = block_of(entry->d_name);
        if (block >= 0)
            found(context, block);
    }
    (void)closedir(directory); /* read only */
    return ML_OK;
}

/* The text of a file, to be freed; NULL with errno set. */
static char *read_text(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        return NULL;
    struct stat about;
    size_t size = fstat(fileno(file), &about) == 0 ? (size_t)about.st_size : 0;
    char *text = malloc(size + 1);
    if (text)
        text[fread(text, 1, size, file)] = '\0';
    (void)fclose(file); /* read only */
    return text;
}

static void count(void *context, int64_t block)
{
    (void)block;
    ++*(int64_t *)context;
}

/* A folder without identity: one that was interrupted at birth, or somebody else's. */
static enum ml_status write_identity(const char *folder, const char *path,
                                     const struct ml_study *study, struct ml_error *err)
{
    int64_t n_part = 0;
    enum ml_status status = ml_parts_list(folder, count, &n_part, err);
    if (status != ML_OK)
        return status;
    if (n_part > 0)
        return ml_fail(err, ML_E_OTHER_STUDY, "%s: has parts but no %s saying of which study",
                       folder, identity);
    char blocks[LINE_LENGTH];
    char *text = ml_path("%s%s%s", made_by, blocks_of(study, blocks), study->resolved);
    if (!text)
        return ml_fail(err, ML_E_MEMORY, "out of memory");
    status = ml_durable_write(path, text, strlen(text), err);
    free(text);
    return status;
}

/* Compares the identity there with the study's. */
static enum ml_status check_identity(const char *folder, const char *text,
                                     const struct ml_study *study, struct ml_error *err)
{
    char blocks[LINE_LENGTH];
    size_t length = sizeof made_by - 1;
    if (strncmp(text, made_by, length) != 0)
        return ml_fail(err, ML_E_OTHER_STUDY,
                       "%s: was begun by another version of the program:\n    %.*s\n"
                       "and this one writes\n    %s"
                       "Go on with that version, or remove the folder to begin anew",
                       folder, (int)strcspn(text, "\n"), text, made_by);
    const char *blocks_there = text + length;
    size_t blocks_length = strcspn(blocks_there, "\n");
    const char *resolved = blocks_there + blocks_length + (blocks_there[blocks_length] == '\n');
    enum ml_status status = ml_identity_compare(folder, resolved, study->resolved, err);
    if (status != ML_OK || strncmp(blocks_there, blocks_of(study, blocks), blocks_length + 1) == 0)
        return status;
    return ml_fail(err, ML_E_OTHER_STUDY,
                   "%s: was begun with blocks of another size:\n    %.*s\nand here they are\n    %s"
                   "Remove the folder to begin anew",
                   folder, (int)blocks_length, blocks_there, blocks);
}

static enum ml_status open_identity(const char *folder, const char *path,
                                    const struct ml_study *study, struct ml_error *err)
{
    char *text = read_text(path);
    if (text) {
        enum ml_status status = check_identity(folder, text, study, err);
        free(text);
        return status;
    }
    if (errno != ENOENT)
        return ml_fail(err, ML_E_FILE, "%s: cannot be read: %s", path, strerror(errno));
    return write_identity(folder, path, study, err);
}

enum ml_status ml_parts_open(const char *folder, const struct ml_study *study, struct ml_error *err)
{
    if (mkdir(folder, 0777) != 0 && errno != EEXIST)
        return ml_fail(err, ML_E_FILE, "%s: cannot be made: %s", folder, strerror(errno));
    char *path = ml_path("%s/%s", folder, identity);
    if (!path)
        return ml_fail(err, ML_E_MEMORY, "out of memory");
    enum ml_status status = open_identity(folder, path, study, err);
    free(path);
    return status;
}

bool ml_parts_are_of(const char *folder, const struct ml_study *study)
{
    char *path = ml_path("%s/%s", folder, identity), *text = path ? read_text(path) : NULL;
    bool are = text && check_identity(folder, text, study, NULL) == ML_OK;
    free(text);
    free(path);
    return are;
}

static void remove_in(const char *folder, const char *name)
{
    char *path = ml_path("%s/%s", folder, name);
    if (path)
        (void)unlink(path);
    free(path);
}

void ml_parts_remove(const char *folder)
{
    DIR *directory = opendir(folder);
    if (!directory)
        return;
    for (const struct dirent *entry; (entry = readdir(directory));)
        if (block_of(entry->d_name) >= 0 || is_temporary(entry->d_name) ||
            strcmp(entry->d_name, ML_PATH_TRAJECTORIES) == 0)
            remove_in(folder, entry->d_name);
    (void)closedir(directory); /* read only */
    remove_in(folder, identity);
    (void)rmdir(folder);
}
