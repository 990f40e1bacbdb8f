/* Counts blocks that are done, in a result file or in the journals of its work folder, and finds
 * the shards of a result by their names. */
#include "report/standing.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/compare.h"
#include "base/open.h"
#include "base/path.h"
#include "manylink/fail.h"
#include "store/journal.h"
#include "store/result_h5.h"
#include "store/store.h"
#include "store/work_folder.h"

/* Blocks of the whole study. */
static int64_t standing_all_blocks(const struct ml_standing *s)
{
    return s->block_runs > 0 ? ml_shard_all_blocks(s->block_runs, s->n_run) : 0;
}

/* Once the sizes are known; false without memory. */
static bool standing_begin_blocks(struct ml_standing *s)
{
    s->n_block = ml_shard_blocks(s->shard, standing_all_blocks(s));
    s->is_done = calloc((size_t)standing_all_blocks(s) + 1, sizeof *s->is_done);
    return s->is_done;
}

static void standing_set_done(struct ml_standing *s, int64_t block)
{
    s->blocks_done += !s->is_done[block];
    s->is_done[block] = 1;
}

/* Reads a result file.
 *   folder       of parts
 *   is_replaced  out: whether these are parts of another result in its place, as of an extension;
 *                those of the result itself stay where a process ended before it removed them */
static enum ml_status standing_read_result(struct ml_standing *s, const char *path,
                                           const char *folder, bool *is_replaced,
                                           struct ml_error *err)
{
    struct ml_work_folder_about parts;
    struct ml_h5 h5;
    struct ml_tally tally = {0}; /* of a result of inverse dynamics nothing is missing */
    ml_h5_begin(&h5, path, err);
    hid_t file = ml_result_h5_open(&h5, false);
    const struct ml_result_h5_shard about = ml_result_h5_shard(&h5, file);
    char *resolved = ml_h5_read_text(&h5, file, "/study/resolved");
    if (h5.status == ML_OK && ml_h5_has(file, "/study/runs"))
        ml_result_h5_tally(&h5, file, &tally);
    ml_h5_close(&h5, file);
    enum ml_status status = ml_h5_end(&h5);
    s->state = ML_STANDING_COMPLETE;
    s->has_result = true;
    s->shard = about.shard;
    s->block_runs = about.block_runs;
    s->n_run = about.n_run;
    s->runs_missing = tally.count[ML_MISSING].runs;
    for (int i = 0; i < ML_N_OUTCOME && s->shard.count == 1; i++)
        s->n_run += tally.count[i].runs;
    *is_replaced =
        status == ML_OK && (s->runs_missing > 0 ? ml_work_folder_read(folder, &parts)
                                                : ml_work_folder_is_of_other(folder, resolved));
    free(resolved);
    if (status == ML_OK && !standing_begin_blocks(s))
        return ML_E_MEMORY;
    for (int64_t j = 0; status == ML_OK && j < s->n_block; j++)
        standing_set_done(s, ml_shard_block(s->shard, j));
    return status;
}

/* The journals of a folder as they are read. The newest is that of the process at work. */
struct standing_journals {
    struct ml_standing *standing;
    double newest;    /* s, by the clock of the file system; < 0: none */
    int64_t n_newest; /* blocks of it */
    int64_t n;        /* blocks of the one that is read */
};

static double standing_time(const struct stat *about)
{
    return (double)about->st_mtim.tv_sec + 1e-9 * (double)about->st_mtim.tv_nsec;
}

static void standing_note_part(void *context, const struct ml_part_head *head, off_t at)
{
    struct standing_journals *journals = context;
    struct ml_standing *s = journals->standing;
    (void)at;
    if (head->block < 0 || head->block >= standing_all_blocks(s) || head->is_missing)
        return;
    standing_set_done(s, head->block);
    journals->n++;
}

static void standing_note_journal(void *context, const char *path)
{
    struct standing_journals *journals = context;
    struct ml_standing *s = journals->standing;
    struct stat about;
    int64_t n_damaged = 0;
    int file = ml_open_file(path, O_RDONLY | O_NOFOLLOW);
    if (file < 0)
        return;                                     /* gone by now: the result is finished */
    const bool is_known = fstat(file, &about) == 0; /* before it grows on */
    journals->n = 0;
    ml_journal_scan(file, standing_note_part, journals, &n_damaged);
    (void)close(file); /* read only */
    if (!is_known)
        return;
    const double age = difftime(time(NULL), about.st_mtime);
    s->age = s->age < 0.0 || age < s->age ? age : s->age;
    if (standing_time(&about) > journals->newest) {
        journals->newest = standing_time(&about);
        journals->n_newest = journals->n;
    }
}

/* How fast the process at work was from its start, when it wrote the lock, to its last block. */
static void standing_find_rate(struct standing_journals *journals, const char *folder)
{
    struct stat about;
    char *path = ml_path("%s/lock", folder);
    if (journals->standing->owner.is_held && path && stat(path, &about) == 0) {
        const double seconds = journals->newest - standing_time(&about);
        if (journals->n_newest > 0 && seconds > 0.0)
            journals->standing->rate = (double)journals->n_newest / seconds;
    }
    free(path);
}

static enum ml_status standing_read_parts(struct ml_standing *s, const char *folder,
                                          struct ml_error *err)
{
    struct ml_work_folder_about about;
    struct standing_journals journals = {.standing = s, .newest = -1.0};
    s->owner = ml_lock_look(folder);
    s->state = ML_STANDING_UNDERWAY;
    if (!ml_work_folder_read(folder, &about))
        return ML_OK;
    s->shard = about.shard;
    s->block_runs = about.block_runs;
    s->n_run = about.n_run;
    if (!standing_begin_blocks(s))
        return ML_E_MEMORY;
    enum ml_status status =
        ml_work_folder_each_journal(folder, standing_note_journal, &journals, err);
    standing_find_rate(&journals, folder);
    return status;
}

void ml_standing_free(struct ml_standing *standing)
{
    free(standing->is_done);
    standing->is_done = NULL;
}

static struct ml_standing standing_begin(bool has_result)
{
    return (struct ml_standing){.has_result = has_result, .shard = ML_UNSHARDED, .age = -1.0};
}

/* Reads a result file, or the parts of the result that will replace it. */
static enum ml_status standing_read_last(struct ml_standing *s, const char *path,
                                         const char *folder, struct ml_error *err)
{
    bool is_replaced;
    enum ml_status status = standing_read_result(s, path, folder, &is_replaced, err);
    if (status != ML_OK || !is_replaced)
        return status;
    ml_standing_free(s);
    *s = standing_begin(true);
    if (standing_read_parts(s, folder, NULL) == ML_OK)
        return ML_OK;
    ml_standing_free(s); /* it was replaced between the two looks */
    *s = standing_begin(true);
    return standing_read_result(s, path, folder, &is_replaced, err);
}

enum ml_status ml_standing_read(struct ml_standing *standing, const char *path,
                                struct ml_error *err)
{
    *standing = standing_begin(false);
    char *folder = ml_path("%s.parts", path);
    if (!folder)
        return ML_E_MEMORY;
    enum ml_status status = ML_OK;
    if (access(path, F_OK) == 0)
        status = standing_read_last(standing, path, folder, err);
    else if (errno != ENOENT)
        status = ml_fail(err, ML_E_FILE, "%s: %s", path, strerror(errno));
    else if (access(folder, F_OK) == 0 && standing_read_parts(standing, folder, NULL) != ML_OK) {
        ml_standing_free(standing); /* it was finished between the two looks */
        *standing = standing_begin(false);
        status = access(path, F_OK) == 0 ? standing_read_last(standing, path, folder, err) : ML_OK;
    }
    free(folder);
    return status;
}

double ml_standing_left(const struct ml_standing *s)
{
    return s->rate > 0.0 ? (double)(s->n_block - s->blocks_done) / s->rate : -1.0;
}

/* Adds the blocks of a shard to those of all, once it is of the same study as the first one. False
 * without memory. */
static bool family_add_blocks(struct ml_family *family, int64_t index, const struct ml_standing *s)
{
    if (!s->is_done || s->block_runs == 0)
        return true;
    if (!family->is_done) {
        family->block_runs = s->block_runs;
        family->n_run = s->n_run;
        family->n_block = ml_shard_all_blocks(s->block_runs, s->n_run);
        family->is_done = calloc((size_t)family->n_block + 1, 1);
    }
    if (!family->is_done)
        return false;
    if (s->block_runs != family->block_runs || s->n_run != family->n_run) {
        family->members[index].fault =
            ml_path("is of a study of %lld runs, and the first one of %lld\n", (long long)s->n_run,
                    (long long)family->n_run);
        return family->members[index].fault;
    }
    for (int64_t j = 0; j < s->n_block; j++)
        family->is_done[ml_shard_block(s->shard, j)] |= s->is_done[ml_shard_block(s->shard, j)];
    return true;
}

/* Notes how far a shard is; of its blocks only their sum is kept. A shard that cannot be read is
 * told, and hides no other shard. */
static enum ml_status family_read_shard(struct ml_family *family, const char *folder,
                                        const char *name, int length, int64_t index)
{
    struct ml_standing *s = &family->members[index].standing;
    struct ml_error why = {0};
    if (s->state == ML_STANDING_COMPLETE || family->members[index].fault)
        return ML_OK;
    char *path = ml_path("%s/%.*s", folder, length, name);
    enum ml_status status = path ? ml_standing_read(s, path, &why) : ML_E_MEMORY;
    if (status == ML_OK && !family_add_blocks(family, index, s))
        status = ML_E_MEMORY;
    if (status == ML_E_FILE && why.text) {
        family->members[index].fault = why.text;
        why.text = NULL;
        status = ML_OK;
    }
    ml_standing_free(s);
    ml_error_clear(&why);
    free(path);
    return status;
}

/* The family of so many shards, which is made if there is none; NULL without memory. */
static struct ml_family *families_find(struct ml_families *all, int64_t count)
{
    for (int i = 0; i < all->n; i++)
        if (all->families[i].count == count)
            return &all->families[i];
    struct ml_family *more = realloc(all->families, ((size_t)all->n + 1) * sizeof *more);
    if (!more)
        return NULL;
    all->families = more;
    struct ml_family *family = &more[all->n++];
    *family = (struct ml_family){.count = count};
    family->members = calloc((size_t)count, sizeof *family->members);
    return family->members ? family : NULL;
}

static enum ml_status families_read_folder(struct ml_families *all, const char *folder,
                                           const char *result, struct ml_error *err)
{
    DIR *directory = opendir(folder);
    enum ml_status status = ML_OK;
    if (!directory)
        return ml_fail(err, ML_E_FILE, "%s: %s", folder, strerror(errno));
    struct ml_shard shard;
    int length;
    for (const struct dirent *entry; status == ML_OK && (entry = readdir(directory));) {
        if (!ml_shard_name_read(entry->d_name, result, &shard, &length))
            continue;
        struct ml_family *family = families_find(all, shard.count);
        status = family ? family_read_shard(family, folder, entry->d_name, length, shard.index)
                        : ML_E_MEMORY;
    }
    (void)closedir(directory); /* read only */
    if (all->n > 1)
        qsort(all->families, (size_t)all->n, sizeof *all->families, ml_compare_int64);
    return status;
}

enum ml_status ml_families_read(struct ml_families *families, const char *path,
                                struct ml_error *err)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    char *folder = ml_path_folder(path);
    *families = (struct ml_families){0};
    enum ml_status status =
        folder ? families_read_folder(families, folder, name, err) : ML_E_MEMORY;
    free(folder);
    return status;
}

enum ml_status ml_standing_check(const struct ml_standing *standing,
                                 const struct ml_families *families, const char *path,
                                 struct ml_error *err)
{
    if (standing->state != ML_STANDING_NOT_BEGUN || families->n > 0)
        return ML_OK;
    const size_t length = strlen(path),
                 stem = length - (length > 3 && !strcmp(path + length - 3, ".h5") ? 3 : 0);
    char *study = ml_path("%.*s.yaml", (int)stem, path);
    const bool is_there = study && access(study, F_OK) == 0;
    const enum ml_status status =
        is_there
            ? ML_OK
            : ml_fail(err, ML_E_INPUT, "%s: not begun, and no study %s is here; is the name right?",
                      path, study ? study : "");
    free(study);
    return status;
}

void ml_families_free(struct ml_families *families)
{
    for (int k = 0; k < families->n; k++) {
        struct ml_family *family = &families->families[k];
        for (int64_t i = 0; family->members && i < family->count; i++)
            free(family->members[i].fault);
        free(family->members);
        free(family->is_done);
    }
    free(families->families);
    *families = (struct ml_families){0};
}

int64_t ml_family_finished(const struct ml_family *family)
{
    int64_t n = 0;
    for (int64_t i = 0; i < family->count; i++)
        n += !family->members[i].fault && family->members[i].standing.state == ML_STANDING_COMPLETE;
    return n;
}

int64_t ml_family_blocks_done(const struct ml_family *family)
{
    int64_t n = 0;
    for (int64_t b = 0; b < family->n_block; b++)
        n += family->is_done[b];
    return n;
}

/* All blocks that are left at the rate of all, but no sooner than the last process has done its
 * own. */
double ml_family_left(const struct ml_family *family, int64_t *at_work)
{
    double rate = 0.0, longest = 0.0;
    *at_work = 0;
    for (int64_t i = 0; i < family->count; i++) {
        const struct ml_standing *s = &family->members[i].standing;
        *at_work += s->owner.is_held;
        rate += s->rate;
        longest = fmax(longest, ml_standing_left(s));
    }
    const double left = (double)(family->n_block - ml_family_blocks_done(family));
    return rate > 0.0 ? fmax(longest, left / rate) : -1.0;
}
