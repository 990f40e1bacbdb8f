/* Counts the blocks that are done, from a result file or from the journals of its work folder. */
#include "store/result_progress.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/fail.h"
#include "base/open.h"
#include "base/path.h"
#include "store/journal.h"
#include "store/result_h5.h"
#include "store/work_folder.h"

/* Blocks of the whole study. */
static int64_t all_blocks(const struct ml_result_progress *s)
{
    return s->block_runs > 0 ? ml_shard_all_blocks(s->block_runs, s->n_run) : 0;
}

/* Once the sizes are known; false without memory. */
static bool begin_blocks(struct ml_result_progress *s)
{
    s->n_block = ml_shard_blocks(s->shard, all_blocks(s));
    s->is_done = calloc((size_t)all_blocks(s) + 1, sizeof *s->is_done);
    return s->is_done;
}

static void set_done(struct ml_result_progress *s, int64_t block)
{
    s->blocks_done += !s->is_done[block];
    s->is_done[block] = 1;
}

static enum ml_status read_result(struct ml_result_progress *s, const char *path,
                                  struct ml_error *err)
{
    struct ml_h5 h5;
    struct ml_tally tally;
    ml_h5_begin(&h5, path, err);
    hid_t file = ml_result_h5_open(&h5, false);
    const struct ml_result_h5_shard about = ml_result_h5_shard(&h5, file);
    ml_result_h5_tally(&h5, file, &tally);
    ml_h5_close(&h5, file);
    enum ml_status status = ml_h5_end(&h5);
    s->state = ML_COMPLETE;
    s->shard = about.shard;
    s->block_runs = about.block_runs;
    s->n_run = about.n_run;
    s->runs_missing = tally.count[ML_MISSING];
    for (int i = 0; i < ML_N_OUTCOME && s->shard.count == 1; i++)
        s->n_run += tally.count[i];
    if (status == ML_OK && !begin_blocks(s))
        return ml_fail(err, ML_E_MEMORY, "out of memory");
    for (int64_t j = 0; status == ML_OK && j < s->n_block; j++)
        set_done(s, ml_shard_block(s->shard, j));
    return status;
}

static void note_part(void *context, const struct ml_part_head *head, off_t at)
{
    struct ml_result_progress *s = context;
    (void)at;
    if (head->block >= 0 && head->block < all_blocks(s) && !head->is_missing)
        set_done(s, head->block);
}

static void note_journal(void *context, const char *path)
{
    struct ml_result_progress *s = context;
    struct stat about;
    int64_t n_damaged = 0;
    int file = ml_open_file(path, O_RDONLY | O_NOFOLLOW);
    if (file < 0)
        return; /* gone by now: the result is finished */
    ml_journal_scan(file, note_part, s, &n_damaged);
    if (fstat(file, &about) == 0) {
        const double age = difftime(time(NULL), about.st_mtime);
        s->age = s->age < 0.0 || age < s->age ? age : s->age;
    }
    (void)close(file); /* read only */
}

static enum ml_status read_parts(struct ml_result_progress *s, const char *folder,
                                 struct ml_error *err)
{
    struct ml_work_folder_about about;
    s->owner = ml_lock_look(folder);
    s->state = ML_UNDERWAY;
    if (!ml_work_folder_read(folder, &about))
        return ML_OK;
    s->shard = about.shard;
    s->block_runs = about.block_runs;
    s->n_run = about.n_run;
    if (!begin_blocks(s))
        return ml_fail(err, ML_E_MEMORY, "out of memory");
    return ml_work_folder_each_journal(folder, note_journal, s, err);
}

enum ml_status ml_result_progress_read(struct ml_result_progress *progress, const char *path,
                                       struct ml_error *err)
{
    *progress = (struct ml_result_progress){.shard = ML_UNSHARDED, .age = -1.0};
    char *folder = ml_path("%s.parts", path);
    if (!folder)
        return ml_fail(err, ML_E_MEMORY, "out of memory");
    enum ml_status status = ML_OK;
    if (access(path, F_OK) == 0)
        status = read_result(progress, path, err);
    else if (errno != ENOENT)
        status = ml_fail(err, ML_E_FILE, "%s: %s", path, strerror(errno));
    else if (access(folder, F_OK) == 0 && read_parts(progress, folder, NULL) != ML_OK) {
        ml_result_progress_free(progress); /* it was finished between the two looks */
        *progress = (struct ml_result_progress){.shard = ML_UNSHARDED, .age = -1.0};
        status = access(path, F_OK) == 0 ? read_result(progress, path, err) : ML_OK;
    }
    free(folder);
    return status;
}

void ml_result_progress_free(struct ml_result_progress *progress)
{
    free(progress->is_done);
    progress->is_done = NULL;
}
