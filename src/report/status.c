/* How far a result and its shards are, as a page of text: blocks that are done are counted in a
 * result file or in the journals of its work folder. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/fail.h"
#include "base/open.h"
#include "base/path.h"
#include "base/ranges.h"
#include "base/text.h"
#include "manylink/result.h"
#include "plan/shard.h"
#include "store/journal.h"
#include "store/lock.h"
#include "store/result_h5.h"
#include "store/store.h"
#include "store/work_folder.h"

/* How far a result is, from what is on disk: without the study, and while others write. */
enum status_state {
    STATUS_NOT_BEGUN,
    STATUS_UNDERWAY, /* there are parts, or a folder for them */
    STATUS_COMPLETE, /* there is a result file, though runs may be missing in it */
};

struct status_progress {
    enum status_state state;
    struct ml_shard shard;
    int64_t block_runs, n_run;    /* of the whole study; 0: not known */
    int64_t runs_missing;         /* of a result file that was merged without all shards */
    int64_t n_block, blocks_done; /* that fall to the shard */
    unsigned char *is_done;       /* [blocks of the study] 1: there; NULL: sizes are not known */
    struct ml_lock_owner owner;   /* of the folder of parts */
    double age;                   /* s since the last block; < 0: no block yet */
};

/* Blocks of the whole study. */
static int64_t status_all_blocks(const struct status_progress *s)
{
    return s->block_runs > 0 ? ml_shard_all_blocks(s->block_runs, s->n_run) : 0;
}

/* Once the sizes are known; false without memory. */
static bool status_begin_blocks(struct status_progress *s)
{
    s->n_block = ml_shard_blocks(s->shard, status_all_blocks(s));
    s->is_done = calloc((size_t)status_all_blocks(s) + 1, sizeof *s->is_done);
    return s->is_done;
}

static void status_set_done(struct status_progress *s, int64_t block)
{
    s->blocks_done += !s->is_done[block];
    s->is_done[block] = 1;
}

static enum ml_status status_read_result(struct status_progress *s, const char *path,
                                         struct ml_error *err)
{
    struct ml_h5 h5;
    struct ml_tally tally = {0}; /* of a result of inverse dynamics nothing is missing */
    ml_h5_begin(&h5, path, err);
    hid_t file = ml_result_h5_open(&h5, false);
    const struct ml_result_h5_shard about = ml_result_h5_shard(&h5, file);
    if (h5.status == ML_OK && ml_h5_has(file, "/study/runs"))
        ml_result_h5_tally(&h5, file, &tally);
    ml_h5_close(&h5, file);
    enum ml_status status = ml_h5_end(&h5);
    s->state = STATUS_COMPLETE;
    s->shard = about.shard;
    s->block_runs = about.block_runs;
    s->n_run = about.n_run;
    s->runs_missing = tally.count[ML_MISSING];
    for (int i = 0; i < ML_N_OUTCOME && s->shard.count == 1; i++)
        s->n_run += tally.count[i];
    if (status == ML_OK && !status_begin_blocks(s))
        return ml_fail(err, ML_E_MEMORY, "out of memory");
    for (int64_t j = 0; status == ML_OK && j < s->n_block; j++)
        status_set_done(s, ml_shard_block(s->shard, j));
    return status;
}

static void status_note_part(void *context, const struct ml_part_head *head, off_t at)
{
    struct status_progress *s = context;
    (void)at;
    if (head->block >= 0 && head->block < status_all_blocks(s) && !head->is_missing)
        status_set_done(s, head->block);
}

static void status_note_journal(void *context, const char *path)
{
    struct status_progress *s = context;
    struct stat about;
    int64_t n_damaged = 0;
    int file = ml_open_file(path, O_RDONLY | O_NOFOLLOW);
    if (file < 0)
        return; /* gone by now: the result is finished */
    ml_journal_scan(file, status_note_part, s, &n_damaged);
    if (fstat(file, &about) == 0) {
        const double age = difftime(time(NULL), about.st_mtime);
        s->age = s->age < 0.0 || age < s->age ? age : s->age;
    }
    (void)close(file); /* read only */
}

static enum ml_status status_read_parts(struct status_progress *s, const char *folder,
                                        struct ml_error *err)
{
    struct ml_work_folder_about about;
    s->owner = ml_lock_look(folder);
    s->state = STATUS_UNDERWAY;
    if (!ml_work_folder_read(folder, &about))
        return ML_OK;
    s->shard = about.shard;
    s->block_runs = about.block_runs;
    s->n_run = about.n_run;
    if (!status_begin_blocks(s))
        return ml_fail(err, ML_E_MEMORY, "out of memory");
    return ml_work_folder_each_journal(folder, status_note_journal, s, err);
}

static void status_free(struct status_progress *progress)
{
    free(progress->is_done);
    progress->is_done = NULL;
}

/* Looks at the result file at `path` and its parts. Free in any case. */
static enum ml_status status_read(struct status_progress *progress, const char *path,
                                  struct ml_error *err)
{
    *progress = (struct status_progress){.shard = ML_UNSHARDED, .age = -1.0};
    char *folder = ml_path("%s.parts", path);
    if (!folder)
        return ml_fail(err, ML_E_MEMORY, "out of memory");
    enum ml_status status = ML_OK;
    if (access(path, F_OK) == 0)
        status = status_read_result(progress, path, err);
    else if (errno != ENOENT)
        status = ml_fail(err, ML_E_FILE, "%s: %s", path, strerror(errno));
    else if (access(folder, F_OK) == 0 && status_read_parts(progress, folder, NULL) != ML_OK) {
        status_free(progress); /* it was finished between the two looks */
        *progress = (struct status_progress){.shard = ML_UNSHARDED, .age = -1.0};
        status = access(path, F_OK) == 0 ? status_read_result(progress, path, err) : ML_OK;
    }
    free(folder);
    return status;
}

static void status_print_owner(FILE *out, const struct status_progress *s)
{
    if (s->owner.is_held)
        (void)fprintf(out, ", %s is at work", *s->owner.text ? s->owner.text : "a process");
    else
        (void)fprintf(out, ", nobody is at work");
    if (s->age >= 0.0)
        (void)fprintf(out, ", the last block %.0f s ago", s->age);
}

static void status_print_progress(FILE *out, const struct status_progress *s)
{
    switch (s->state) {
    case STATUS_NOT_BEGUN:
        (void)fprintf(out, "not begun");
        break;
    case STATUS_UNDERWAY:
        (void)fprintf(out, "%lld of %lld blocks are done", (long long)s->blocks_done,
                      (long long)s->n_block);
        status_print_owner(out, s);
        break;
    case STATUS_COMPLETE:
        if (s->runs_missing > 0)
            (void)fprintf(out, "merged, but %lld of %lld runs are missing",
                          (long long)s->runs_missing, (long long)s->n_run);
        else
            (void)fprintf(out, "finished");
        break;
    }
    if (s->shard.count > 1)
        (void)fprintf(out, " (shard %lld of %lld)", (long long)s->shard.index,
                      (long long)s->shard.count);
}

/* The shards of a result, found by their names beside it. */
struct status_family {
    int64_t count; /* expected number; 0: no shards */
    struct status_member {
        struct status_progress progress;
        char *fault; /* why it cannot be read; NULL: it can */
    } * members;
    int64_t block_runs, n_run; /* of the study of the first that can be read; 0: not known */
    int64_t n_block;
    unsigned char *is_done;
};

static bool status_is_missing(const void *context, int64_t block)
{
    const unsigned char *is_done = context;
    return !is_done[block];
}

static void status_print_missing(FILE *out, const unsigned char *is_done, int64_t n_block,
                                 const char *indent)
{
    char *text = ml_ranges(n_block, status_is_missing, is_done);
    if (text && *text)
        (void)fprintf(out, "%smissing blocks: %s\n", indent, text);
    free(text);
}

/* Adds the blocks of a shard to those of all, once it is of the same study as the first one. False
 * without memory. */
static bool status_add_blocks(struct status_family *family, int64_t index,
                              const struct status_progress *s)
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

/* Notes how far a shard is; of its blocks only their sum is kept. What cannot be read is told, and
 * hides none of the others. */
static enum ml_status status_read_shard(struct status_family *family, const char *folder,
                                        const char *name, int length, int64_t index,
                                        struct ml_error *err)
{
    struct status_progress *s = &family->members[index].progress;
    struct ml_error why = {0};
    if (s->state == STATUS_COMPLETE || family->members[index].fault)
        return ML_OK;
    char *path = ml_path("%s/%.*s", folder, length, name);
    enum ml_status status = path ? status_read(s, path, &why) : ML_E_MEMORY;
    if (status == ML_OK && !status_add_blocks(family, index, s))
        status = ML_E_MEMORY;
    if (status == ML_E_FILE && why.text) {
        family->members[index].fault = why.text;
        why.text = NULL;
        status = ML_OK;
    }
    status_free(s);
    ml_error_clear(&why);
    free(path);
    return status == ML_OK ? ML_OK : ml_fail(err, status, "out of memory");
}

static enum ml_status status_read_family(struct status_family *family, const char *folder,
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
        if (!family->members) {
            family->count = shard.count;
            family->members = calloc((size_t)shard.count, sizeof *family->members);
        }
        if (!family->members)
            status = ml_fail(err, ML_E_MEMORY, "out of memory");
        else if (shard.count == family->count)
            status = status_read_shard(family, folder, entry->d_name, length, shard.index, err);
    }
    (void)closedir(directory); /* read only */
    return status;
}

struct status_in_state {
    const struct status_family *family;
    enum status_state state;
};

static bool status_is_in_state(const void *context, int64_t i)
{
    const struct status_in_state *in = context;
    return !in->family->members[i].fault && in->family->members[i].progress.state == in->state;
}

static void status_print_in_state(FILE *out, const struct status_family *family,
                                  enum status_state state, const char *word)
{
    char *text =
        ml_ranges(family->count, status_is_in_state, &(struct status_in_state){family, state});
    if (text && *text)
        (void)fprintf(out, "  %-10s %s\n", word, text);
    free(text);
}

static void status_print_family(FILE *out, const struct status_family *family)
{
    int64_t n_finished = 0, n_done = 0;
    for (int64_t i = 0; i < family->count; i++)
        n_finished +=
            !family->members[i].fault && family->members[i].progress.state == STATUS_COMPLETE;
    for (int64_t b = 0; b < family->n_block; b++)
        n_done += family->is_done[b];
    (void)fprintf(out, "  %lld of %lld shards are finished, %lld of %lld blocks are done\n",
                  (long long)n_finished, (long long)family->count, (long long)n_done,
                  (long long)family->n_block);
    status_print_in_state(out, family, STATUS_COMPLETE, "finished");
    for (int64_t i = 0; i < family->count; i++) {
        if (!family->members[i].fault && family->members[i].progress.state != STATUS_UNDERWAY)
            continue;
        (void)fprintf(out, "  shard %-4lld ", (long long)i);
        if (family->members[i].fault) {
            (void)fputs(family->members[i].fault, out);
            continue;
        }
        status_print_progress(out, &family->members[i].progress);
        (void)fputc('\n', out);
    }
    status_print_in_state(out, family, STATUS_NOT_BEGUN, "not begun");
    if (family->is_done)
        status_print_missing(out, family->is_done, family->n_block, "  ");
}

static void status_free_family(struct status_family *family)
{
    for (int64_t i = 0; family->members && i < family->count; i++)
        free(family->members[i].fault);
    free(family->members);
    free(family->is_done);
}

static enum ml_status status_print_shards(FILE *out, const char *path, struct ml_error *err)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    char *folder = ml_path_folder(path);
    struct status_family family = {0};
    enum ml_status status = folder ? status_read_family(&family, folder, name, err)
                                   : ml_fail(err, ML_E_MEMORY, "out of memory");
    if (status == ML_OK && family.count > 0)
        status_print_family(out, &family);
    status_free_family(&family);
    free(folder);
    return status;
}

static enum ml_status status_print_page(FILE *out, const char *path, struct ml_error *err)
{
    struct status_progress progress;
    enum ml_status status = status_read(&progress, path, err);
    if (status == ML_OK) {
        (void)fprintf(out, "%s: ", path);
        status_print_progress(out, &progress);
        (void)fputc('\n', out);
        if (progress.state == STATUS_UNDERWAY && progress.is_done && progress.shard.count == 1)
            status_print_missing(out, progress.is_done, progress.n_block, "  ");
        if (progress.state != STATUS_COMPLETE || progress.runs_missing > 0)
            status = status_print_shards(out, path, err);
    }
    status_free(&progress);
    return status;
}

enum ml_status ml_result_status(const char *path, char **text, struct ml_error *err)
{
    size_t size;
    *text = NULL;
    FILE *out = open_memstream(text, &size);
    if (!out)
        return ml_fail(err, ML_E_MEMORY, "out of memory");
    enum ml_status status = status_print_page(out, path, err);
    if (fclose(out) != 0 && status == ML_OK)
        status = ml_fail(err, ML_E_MEMORY, "out of memory");
    *text = ml_text_escape(*text);
    if (status != ML_OK) {
        free(*text);
        *text = NULL;
    }
    return status;
}
