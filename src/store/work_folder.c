/* Creates, checks, lists and removes the files of a work folder, and with them a result. */
#include "store/work_folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/atomic_file.h"
#include "base/open.h"
#include "base/path.h"
#include "manylink/fail.h"
#include "manylink/version.h"
#include "plan/study_change.h"

#define TEXT_OF(number) #number
#define TEXT(number) TEXT_OF(number)

/* Begins the identity: parts of two versions of the program may differ in their bits. */
static const char made_by[] =
    "# parts of manylink " ML_VERSION ", result format " TEXT(ML_RESULT_FORMAT) "\n";

static const char identity[] = "identity.yaml";

/* Adds a remedy about --restart. */
static const char restarted[] = "restarted";

/* Begins the name of a journal. */
static const char journal[] = "blocks-";

enum { LINE_LENGTH = 96 };

/* Next lines of the identity: which runs a part's number stands for, and which of them are here. */
static const char *blocks_of(const struct ml_study *study, char line[LINE_LENGTH])
{
    (void)snprintf(line, LINE_LENGTH, "# blocks of %lld of %lld runs\n",
                   (long long)study->ensemble.block_runs, (long long)study->ensemble.n_run);
    return line;
}

static const char *shard_of(const struct ml_layout *layout, char line[LINE_LENGTH])
{
    (void)snprintf(line, LINE_LENGTH, "# shard %lld of %lld%s%s\n", (long long)layout->shard.index,
                   (long long)layout->shard.count, layout->of ? " of " : "",
                   layout->of ? layout->of : "");
    return line;
}

char *ml_work_folder_journal(const char *folder, int i)
{
    char *name = ml_path_own("blocks"), *path;
    path = name ? ml_path(i > 0 ? "%s/%s-%d" : "%s/%s", folder, name, i) : NULL;
    free(name);
    return path;
}

static bool is_journal(const char *name) { return strncmp(name, journal, sizeof journal - 1) == 0; }

static bool is_temporary(const char *name)
{
    size_t length = strlen(name), ending = strlen(ML_PATH_TEMPORARY);
    return length > ending && strcmp(name + length - ending, ML_PATH_TEMPORARY) == 0;
}

static int select_journals(const struct dirent *entry)
{
    return is_journal(entry->d_name) && !is_temporary(entry->d_name);
}

enum ml_status ml_work_folder_each_journal(const char *folder,
                                           void (*visit)(void *context, const char *path),
                                           void *context, struct ml_error *err)
{
    struct dirent **entries;
    const int n = scandir(folder, &entries, select_journals, alphasort);
    enum ml_status status = ML_OK;
    if (n < 0)
        return ml_fail(err, ML_E_FILE, "%s: cannot be read: %s", folder, strerror(errno));
    for (int i = 0; i < n; i++) {
        char *path = ml_path("%s/%s", folder, entries[i]->d_name);
        if (path)
            visit(context, path);
        else
            status = ML_E_MEMORY;
        free(path);
        free(entries[i]);
    }
    free(entries);
    return status;
}

/* The text of a file, to be freed; NULL with errno set. */
static char *work_folder_read_text(const char *path)
{
    struct stat about;
    const int file = ml_open_file(path, O_RDONLY | O_NOFOLLOW);
    if (file < 0)
        return NULL;
    size_t size = fstat(file, &about) == 0 ? (size_t)about.st_size : 0;
    char *text = malloc(size + 1);
    if (text)
        text[ml_io_read(file, 0, text, size) ? size : 0] = '\0';
    (void)close(file); /* read only */
    return text;
}

static void count(void *context, const char *path)
{
    (void)path;
    ++*(int64_t *)context;
}

/* A folder without identity: one that was interrupted at birth, or somebody else's. */
static enum ml_status write_identity(const char *folder, const char *path,
                                     const struct ml_layout *layout, struct ml_error *err)
{
    int64_t n_journal = 0;
    enum ml_status status = ml_work_folder_each_journal(folder, count, &n_journal, err);
    if (status != ML_OK)
        return status;
    if (n_journal > 0)
        return ml_fail(err, ML_E_OTHER_STUDY,
                       "%s: has parts but no %s saying of which study; --restart discards them",
                       folder, identity);
    char blocks[LINE_LENGTH], part[LINE_LENGTH];
    char *text = ml_path("%s%s%s%s", made_by, blocks_of(layout->study, blocks),
                         shard_of(layout, part), layout->study->resolved);
    if (!text)
        return ML_E_MEMORY;
    status = ml_atomic_file_write(path, text, strlen(text), err);
    free(text);
    return status;
}

/* Cuts the first line off a text. */
static const char *after_line(const char *text)
{
    const size_t length = strcspn(text, "\n");
    return text + length + (text[length] == '\n');
}

/* The study's text of an identity. */
static const char *study_of(const char *text) { return after_line(after_line(after_line(text))); }

/* Compares a line of the identity. */
static enum ml_status check_line(const char *folder, const char *there, const char *here,
                                 const char *what, struct ml_error *err)
{
    char line[ML_STUDY_ID_LINE];
    if (strncmp(there, here, strlen(here)) == 0)
        return ML_OK;
    return ml_fail(err, ML_E_OTHER_STUDY,
                   "%s: was begun %s:\n    %s\nand here it is\n    %s"
                   "Give another name with -o, or discard what is there with --restart",
                   folder, what, ml_study_id_line(there, line), here);
}

/* Compares the identity there with the study's. */
static enum ml_status check_identity(const char *folder, const char *text,
                                     const struct ml_layout *layout, struct ml_error *err)
{
    char line[LINE_LENGTH];
    enum ml_status status =
        check_line(folder, text, made_by, "by another version of the program", err);
    const char *blocks = after_line(text), *part = after_line(blocks);
    if (status == ML_OK)
        status = ml_study_id_check(folder, study_of(text), layout->study, ML_STUDY_ID_REMEDY, err);
    if (status == ML_OK)
        status = ml_study_id_check_derived(
            folder, study_of(text), layout->study,
            "Give that of there below the key `derived`, or discard what is there with --restart",
            err);
    if (status == ML_OK)
        status = check_line(folder, blocks, blocks_of(layout->study, line),
                            "with blocks of another size", err);
    if (status == ML_OK)
        status = check_line(
            folder, part, shard_of(layout, line),
            layout->of ? "as another shard, or of another motion" : "as another shard", err);
    return status;
}

static void look_for_bytes(void *context, const char *path)
{
    struct stat about;
    bool *has_bytes = context;
    *has_bytes = *has_bytes || lstat(path, &about) != 0 || about.st_size > 0;
}

bool ml_work_folder_is_empty(const char *folder)
{
    bool has_bytes = false;
    return ml_work_folder_each_journal(folder, look_for_bytes, &has_bytes, NULL) == ML_OK &&
           !has_bytes;
}

/* The match of the parts of a folder with this text of the study. */
static void work_folder_identify(struct ml_layout *layout, const char *resolved)
{
    layout->identity = ml_study_id_hash(resolved) ^ (layout->of ? ml_study_id_hash(layout->of) : 0);
}

static enum ml_status open_identity(const char *folder, const char *path, struct ml_layout *layout,
                                    struct ml_error *err)
{
    char *text = work_folder_read_text(path);
    if (text && check_identity(folder, text, layout, NULL) != ML_OK &&
        ml_work_folder_is_empty(folder)) {
        ml_work_folder_clear(folder);
        free(text);
        return write_identity(folder, path, layout, err);
    }
    if (text) {
        enum ml_status status = check_identity(folder, text, layout, err);
        work_folder_identify(layout, study_of(text));
        free(text);
        return status;
    }
    if (errno != ENOENT)
        return ml_fail(err, ML_E_FILE, "%s: cannot be read: %s", path, ml_open_reason(errno));
    return write_identity(folder, path, layout, err);
}

enum ml_status ml_work_folder_open(const char *folder, struct ml_layout *layout,
                                   struct ml_error *err)
{
    char *path = ml_path("%s/%s", folder, identity);
    work_folder_identify(layout, layout->study->resolved);
    if (!path)
        return ML_E_MEMORY;
    enum ml_status status = open_identity(folder, path, layout, err);
    free(path);
    return status;
}

enum ml_status ml_work_folder_set_restarted(const char *folder, const struct ml_access *access,
                                            struct ml_error *err)
{
    char *path = ml_path("%s/%s", folder, restarted);
    enum ml_status status = path ? ml_atomic_file_write(path, "", 0, err) : ML_E_MEMORY;
    if (status == ML_OK)
        ml_access_give(path, access);
    free(path);
    return status;
}

void ml_work_folder_give_access(const char *folder, const char *result)
{
    char *path = ml_path("%s/%s", folder, restarted);
    const struct ml_access access = path ? ml_access_of(path) : (struct ml_access){false};
    ml_access_give(result, &access);
    free(path);
}

bool ml_work_folder_is_restarted(const char *folder, const struct ml_layout *layout)
{
    char *path = ml_path("%s/%s", folder, identity), *mark = ml_path("%s/%s", folder, restarted);
    char *text = path && mark && access(mark, F_OK) == 0 ? work_folder_read_text(path) : NULL;
    const bool are = text && check_identity(folder, text, layout, NULL) == ML_OK;
    free(text);
    free(mark);
    free(path);
    return are;
}

bool ml_work_folder_read(const char *folder, struct ml_work_folder_about *about)
{
    char *path = ml_path("%s/%s", folder, identity),
         *text = path ? work_folder_read_text(path) : NULL;
    long long block_runs = 0, n_run = 0, index = 0, count = 0;
    const bool is_good =
        text && strncmp(text, made_by, sizeof made_by - 1) == 0 &&
        sscanf(text + sizeof made_by - 1, "# blocks of %lld of %lld runs # shard %lld of %lld",
               &block_runs, &n_run, &index, &count) == 4 &&
        ml_shard_is_possible((struct ml_shard){index, count}, block_runs, n_run);
    *about = (struct ml_work_folder_about){{index, count}, block_runs, n_run};
    free(text);
    free(path);
    return is_good;
}

bool ml_work_folder_is_of_other(const char *folder, const char *resolved)
{
    char *path = ml_path("%s/%s", folder, identity),
         *text = path ? work_folder_read_text(path) : NULL;
    const bool is_other =
        text && *study_of(text) && ml_study_difference(study_of(text), resolved).changes != 0;
    free(text);
    free(path);
    return is_other;
}

static void remove_in(const char *folder, const char *name)
{
    char *path = ml_path("%s/%s", folder, name);
    if (path)
        (void)unlink(path);
    free(path);
}

static bool is_ours(const char *name)
{
    return is_journal(name) || is_temporary(name) || strcmp(name, ML_TRAJECTORIES_NAME) == 0 ||
           strcmp(name, ML_ACCURACY_PART_NAME) == 0 || strcmp(name, restarted) == 0;
}

static void remove_all(const char *folder, bool (*is_one)(const char *name))
{
    DIR *directory = opendir(folder);
    if (!directory)
        return;
    for (const struct dirent *entry; (entry = readdir(directory));)
        if (is_one(entry->d_name))
            remove_in(folder, entry->d_name);
    (void)closedir(directory); /* read only */
}

void ml_work_folder_clear_temporary(const char *folder) { remove_all(folder, is_temporary); }

void ml_work_folder_clear(const char *folder)
{
    remove_all(folder, is_ours);
    remove_in(folder, identity);
}

enum ml_status ml_result_remove(const char *path, const char *parts,
                                const struct ml_result_kind *kind, struct ml_error *err)
{
    if (access(path, F_OK) == 0) {
        enum ml_status status = ml_result_h5_check_discard(path, kind->mark, err);
        if (status != ML_OK)
            return status;
        if (unlink(path) != 0)
            return ml_fail(err, ML_E_FILE, "%s: cannot be removed: %s", path, strerror(errno));
    }
    ml_work_folder_clear(parts);
    return ML_OK;
}
