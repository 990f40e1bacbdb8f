/* Opens a result for writing or going on, puts blocks into it and assembles the final file. */
#include "store/store.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/atomic_file.h"
#include "base/clock.h"
#include "base/path.h"
#include "manylink/fail.h"
#include "store/journal.h"
#include "store/lock.h"
#include "store/seal.h"
#include "store/work_folder.h"

/* Where a block comes from. */
enum origin { MISSING, FOUND, MADE_HERE };

/* Interval at which blocks are synced to disk: a crash of the machine loses that much, and a shared
 * file system is not loaded. */
static const double sync_every = 1.0; /* s */

struct ml_store {
    const struct ml_result_kind *kind;
    struct ml_layout layout;
    struct ml_store_options options;
    struct ml_result_bytes sketched;
    char *path, *parts;                  /* the final file, the folder of parts */
    struct ml_lock lock;                 /* of the folder */
    atomic_uchar *blocks;                /* [n_block of the study] enum origin */
    struct ml_journal journal;           /* {0} if it is done */
    struct ml_trajectories trajectories; /* {0} if none are kept, or it is done */
    double synced;                       /* s, when it was last */
    bool is_dirty;                       /* something was put since then */
    bool is_done, has_parts;             /* the folder of parts is this study's, and was read */
    struct ml_tally tally;               /* once done */
    const struct ml_accuracy *accuracy;  /* borrowed; NULL: none */
    const char *missing;                 /* borrowed; NULL: none */
};

/* Whether the final file is there: ML_OK and *is_there, or it can never be made. */
static enum ml_status store_measure_state(const char *path, bool *is_there, struct ml_error *err)
{
    struct stat about;
    *is_there = false;
    if (!path[0])
        return ml_fail(err, ML_E_FILE, "the result file has an empty name");
    *is_there = stat(path, &about) == 0;
    if (!*is_there && ml_path_dangles(path))
        return ml_fail(err, ML_E_FILE, "%s: is a symbolic link to a missing file", path);
    if (!*is_there && errno == ENOENT)
        return ML_OK;
    if (!*is_there)
        return ml_fail(err, ML_E_FILE, "%s: %s", path, strerror(errno));
    if (S_ISDIR(about.st_mode))
        return ml_fail(err, ML_E_FILE, "%s: is a folder", path);
    if (!S_ISREG(about.st_mode))
        return ml_fail(err, ML_E_FILE, "%s: is not an ordinary file", path);
    return ML_OK;
}

static enum ml_status prepare(struct ml_store *store, const struct ml_study *study,
                              const char *path, const struct ml_store_options *options,
                              struct ml_error *err)
{
    store->options = *options;
    store->kind = options->kind ? options->kind : &ml_result_of_runs;
    const bool has_layout =
        ml_result_kind_lay_out(store->kind, study, options->shard, &store->layout);
    store->path = ml_path("%s", path);
    store->parts = ml_path("%s.parts", path);
    store->blocks = calloc((size_t)ml_ensemble_blocks(&study->ensemble), sizeof *store->blocks);
    if (!has_layout || !store->path || !store->parts || !store->blocks)
        return ML_E_MEMORY;
    return store->kind->has_runs
               ? ml_result_sketch(&store->layout, options->n_accuracy, &store->sketched, err)
               : ML_OK;
}

static enum ml_status store_check_file(const struct ml_store *store, struct ml_tally *tally,
                                       struct ml_error *err)
{
    return store->kind->check(store->kind->context, store->path, &store->layout, tally, err);
}

static enum ml_status lock(struct ml_store *store, double wait, struct ml_error *err)
{
    const struct ml_store_options *o = &store->options;
    return ml_lock_take(&store->lock, store->parts, wait, o->stop, o->notice, o->context, err);
}

/* Without the lock the folder is left alone: somebody removed the locked folder, and a folder of
 * that name belongs to another process. */
static void clear_parts(struct ml_store *store)
{
    ml_trajectories_close(&store->trajectories); /* NFS keeps open files */
    ml_journal_close(&store->journal);
    if (ml_lock_is_held(&store->lock))
        ml_work_folder_clear(store->parts);
    ml_lock_release(&store->lock);
}

/* The finished file is there: it is this study's, or an error. */
static enum ml_status open_finished(struct ml_store *store, struct ml_error *err)
{
    enum ml_status status = store_check_file(store, &store->tally, err);
    if (status == ML_E_FILE && ml_seal_check(store->path, NULL, NULL) != ML_OK)
        return ml_fail(err, status, "Give another name with -o, or discard it with --restart");
    if (status != ML_OK)
        return status;
    if (store->tally.count[ML_MISSING].runs > 0)
        return ml_fail(err, ML_E_FILE,
                       "%s: %lld of %lld runs are missing: it was merged without all shards; merge "
                       "it again, or discard it with --restart",
                       store->path, (long long)store->tally.count[ML_MISSING].runs,
                       (long long)store->layout.n_run);
    store->is_done = true;
    struct ml_layout *layout = &store->layout;
    const bool has_parts = access(store->parts, F_OK) == 0;
    if (has_parts && (store->lock.folder || lock(store, 0.0, NULL) == ML_OK) &&
        ml_work_folder_open(store->parts, layout, NULL) == ML_OK)
        clear_parts(store); /* the process ended between the last two steps */
    return ML_OK;
}

/* A part that was cut off is the common end of a process that was killed. */
static void report_damage(const struct ml_store *store)
{
    const struct ml_store_options *o = &store->options;
    char text[128];
    if (store->journal.n_damaged == 0 || !o->notice)
        return;
    (void)snprintf(text, sizeof text,
                   "parts that were cut off or damaged: %lld; what they held is computed again",
                   (long long)store->journal.n_damaged);
    o->notice(o->context, text);
}

static enum ml_status open_parts(struct ml_store *store, struct ml_error *err)
{
    struct ml_layout *layout = &store->layout;
    enum ml_status status = ml_work_folder_open(store->parts, layout, err);
    if (status == ML_OK) {
        ml_work_folder_clear_temporary(store->parts);
        status = ml_journal_open(&store->journal, layout, store->parts, err);
        store->has_parts = status == ML_OK;
        report_damage(store);
    }
    for (int64_t j = 0; status == ML_OK && j < layout->n_block; j++)
        if (ml_journal_has(&store->journal, ml_layout_block(layout, j)))
            store->blocks[ml_layout_block(layout, j)] = FOUND;
    if (status == ML_OK && ml_layout_has_trajectories(layout))
        status = ml_trajectories_open(&store->trajectories, layout, store->parts,
                                      ml_store_blocks_present(store) > 0, err);
    return status;
}

/* Discards an existing result, but continues a result that was begun after --restart: otherwise the
 * repeated command would start from nothing each time. */
static enum ml_status restart(struct ml_store *store, bool is_there, struct ml_error *err)
{
    const struct ml_store_options *o = &store->options;
    const struct ml_layout *layout = &store->layout;
    const bool is_kept = is_there && o->replaces_others;
    if ((!is_there || is_kept) && ml_work_folder_is_restarted(store->parts, layout)) {
        if (o->notice)
            o->notice(o->context, "continues the result that --restart began; to discard that "
                                  "result too, remove the folder of parts");
        return ML_OK;
    }
    const struct ml_access access = ml_access_of(store->path);
    enum ml_status status = ML_OK;
    if (is_kept)
        ml_work_folder_clear(store->parts);
    else
        status = ml_result_remove(store->path, store->parts, store->kind, err);
    return status == ML_OK ? ml_work_folder_set_restarted(store->parts, &access, err) : status;
}

/* Whether the existing file may be replaced. */
static bool is_replaced(const struct ml_store *store)
{
    struct ml_tally tally;
    const bool replaces_others = store->options.replaces_others || store->kind->replaces_others;
    if (!store->options.replaces_partial && !replaces_others)
        return false;
    const enum ml_status status = store_check_file(store, &tally, NULL);
    return status == ML_OK ? store->options.replaces_partial && tally.count[ML_MISSING].runs > 0
                           : replaces_others && status == ML_E_OTHER_STUDY;
}

/* Finds the result finished, or takes the lock and the existing blocks: in between, another process
 * may have finished the result. */
static enum ml_status open_either(struct ml_store *store, struct ml_error *err)
{
    bool is_there;
    enum ml_status status = store_measure_state(store->path, &is_there, err);
    if (status == ML_OK && is_there && !store->options.restart && !is_replaced(store))
        return open_finished(store, err);
    if (status == ML_OK && is_there && ml_path_is_link(store->path))
        return ml_fail(err, ML_E_FILE,
                       "%s: is a symbolic link; the file that it stands for can be replaced by its "
                       "own name",
                       store->path);
    if (status == ML_OK)
        status = lock(store, store->options.wait, err);
    if (status == ML_OK && store->options.restart)
        status = restart(store, is_there, err);
    if (status == ML_OK)
        status = store_measure_state(store->path, &is_there, err);
    if (status == ML_OK && is_there && !is_replaced(store))
        return open_finished(store, err);
    return status == ML_OK ? open_parts(store, err) : status;
}

enum ml_status ml_store_open(const struct ml_study *study, const char *path,
                             const struct ml_store_options *options, struct ml_store **out,
                             enum ml_store_state *state, struct ml_error *err)
{
    *out = calloc(1, sizeof **out);
    if (!*out)
        return ML_E_MEMORY;
    enum ml_status status = prepare(*out, study, path, options, err);
    if (status == ML_OK)
        status = open_either(*out, err);
    if (status != ML_OK) {
        ml_store_close(*out);
        *out = NULL;
        return status;
    }
    *state = (*out)->is_done                     ? ML_STORE_DONE
             : ml_store_blocks_present(*out) > 0 ? ML_STORE_RESUMED
                                                 : ML_STORE_NEW;
    return ML_OK;
}

static bool is_present(const struct ml_store *store, int64_t block)
{
    return store->is_done || atomic_load(&store->blocks[block]) != MISSING;
}

const struct ml_result_kind *ml_store_kind(const struct ml_store *store) { return store->kind; }

int64_t ml_store_blocks(const struct ml_store *store) { return store->layout.n_block; }

int64_t ml_store_blocks_present(const struct ml_store *store)
{
    int64_t n = 0;
    for (int64_t j = 0; j < store->layout.n_block; j++)
        n += is_present(store, ml_layout_block(&store->layout, j));
    return n;
}

int64_t ml_store_runs(const struct ml_store *store) { return store->layout.n_run; }

int64_t ml_store_runs_present(const struct ml_store *store)
{
    int64_t n = 0;
    for (int64_t j = 0; j < store->layout.n_block; j++) {
        const int64_t block = ml_layout_block(&store->layout, j);
        n += is_present(store, block) ? ml_layout_block_runs(&store->layout, block) : 0;
    }
    return n;
}

struct ml_space ml_store_space(const struct ml_store *store)
{
    const double fixed = 1e6; /* of results of another kind: groups, texts, attributes */
    const struct ml_layout *layout = &store->layout;
    if (store->is_done)
        return (struct ml_space){0};
    const double result = store->sketched.most > 0.0 ? store->sketched.most
                                                     : fixed + ml_space_of_numbers(layout) +
                                                           ml_space_of_trajectories(layout);
    return ml_space_find(result + ml_space_of_parts(layout, result), store->parts);
}

/* A block of another shard counts as there: it is not to be computed here. */
static bool has(void *context, int64_t block)
{
    struct ml_store *store = context;
    return !ml_layout_has_block(&store->layout, block) || is_present(store, block);
}

/* Trajectories first: a part says that they are there. */
static enum ml_status sync_all(struct ml_store *store, struct ml_error *err)
{
    enum ml_status status = ml_trajectories_sync(&store->trajectories, err);
    if (status == ML_OK)
        status = ml_journal_sync(&store->journal, err);
    store->is_dirty = false;
    store->synced = ml_clock();
    return status;
}

static enum ml_status store_write(void *context, const struct ml_block *block, struct ml_error *err)
{
    struct ml_store *store = context;
    assert(ml_layout_has_block(&store->layout, block->index));
    enum ml_status status = ML_OK;
    if (ml_layout_has_trajectories(&store->layout))
        status = ml_trajectories_write(&store->trajectories, block, err);
    if (status == ML_OK)
        status = ml_journal_write(&store->journal, block, store->trajectories.sums, err);
    if (status != ML_OK)
        return status;
    store->is_dirty = true;
    if (ml_clock() - store->synced >= sync_every)
        status = sync_all(store, err);
    if (status == ML_OK)
        atomic_store(&store->blocks[block->index], MADE_HERE);
    return status;
}

static enum ml_status store_idle(void *context, struct ml_error *err)
{
    struct ml_store *store = context;
    return store->is_dirty ? sync_all(store, err) : ML_OK;
}

struct ml_sink ml_store_sink(struct ml_store *store)
{
    return (struct ml_sink){.context = store, .has = has, .put = store_write, .idle = store_idle};
}

/* Forgets a block, with a notice. */
static void drop(struct ml_store *store, int64_t block, const struct ml_error *why)
{
    const struct ml_store_options *o = &store->options;
    ml_journal_drop(&store->journal, block);
    atomic_store(&store->blocks[block], MISSING);
    if (o->notice && why->text)
        o->notice(o->context, why->text);
}

enum ml_status ml_store_check(struct ml_store *store, int64_t *n_damaged)
{
    *n_damaged = 0;
    for (int64_t j = 0; !store->is_done && j < store->layout.n_block; j++) {
        const int64_t block = ml_layout_block(&store->layout, j);
        struct ml_error why = {0};
        struct ml_part part;
        if (atomic_load(&store->blocks[block]) != FOUND ||
            ml_layout_block_saved(&store->layout, block) == 0)
            continue;
        enum ml_status status = ml_journal_get(&store->journal, block, &part, &why);
        if (status == ML_OK)
            status = ml_trajectories_check(&store->trajectories, block, part.sums, &why);
        ml_part_close(&part);
        if (status == ML_E_FILE) {
            drop(store, block, &why);
            ++*n_damaged;
        }
        ml_error_clear(&why);
        if (status == ML_E_MEMORY)
            return status;
    }
    return ML_OK;
}

enum ml_status ml_store_fill(struct ml_store *store, struct ml_error *err)
{
    struct ml_missing_block missing;
    enum ml_status status = ml_missing_block_init(&missing, &store->layout) ? ML_OK : ML_E_MEMORY;
    for (int64_t j = 0; status == ML_OK && !store->is_done && j < store->layout.n_block; j++) {
        const int64_t block = ml_layout_block(&store->layout, j);
        if (!is_present(store, block))
            status = store_write(store, ml_missing_block_of(&missing, block), err);
    }
    ml_missing_block_free(&missing);
    return status;
}

static enum ml_status store_read_part(const void *context, int64_t block, struct ml_part *part,
                                      struct ml_error *err)
{
    return ml_journal_get(context, block, part, err);
}

enum ml_status ml_store_read(const struct ml_store *store, int64_t block, struct ml_part *part,
                             struct ml_error *err)
{
    return ml_journal_get(&store->journal, block, part, err);
}

/* A result that --restart discarded passes on its access. */
static enum ml_status write_in_place(const struct ml_store *store, const char *from,
                                     struct ml_error *err)
{
    ml_work_folder_give_access(store->parts, from);
    return ml_atomic_file_replace(from, store->path, err);
}

/* Copies the HDF5 metadata to the file of the trajectories, and removes the temporary file. */
static enum ml_status copy_metadata(struct ml_store *store, const char *rest, struct ml_error *err)
{
    enum ml_status status = ml_trajectories_copy_metadata(&store->trajectories, rest, err);
    if (status == ML_OK)
        status = write_in_place(store, store->trajectories.path, err);
    if (status == ML_OK)
        (void)unlink(rest); /* ml_work_folder_clear tries again */
    return status;
}

/* Makes the final file beside the parts, where a left-over is cleared away with them. */
static enum ml_status consolidate(struct ml_store *store, const struct ml_provenance *provenance,
                                  const char *temporary, struct ml_error *err)
{
    const bool has_trajectories = ml_layout_has_trajectories(&store->layout);
    const struct ml_result_content content = {store_read_part,
                                              &store->journal,
                                              store->accuracy,
                                              store->missing,
                                              has_trajectories ? &store->trajectories : NULL,
                                              &store->trajectories.offsets,
                                              provenance,
                                              provenance->threads};
    const struct ml_result_kind *kind = store->kind;
    enum ml_status status =
        kind->write(kind->context, &store->layout, &content, temporary, &store->tally, err);
    if (status == ML_OK)
        status = has_trajectories ? copy_metadata(store, temporary, err)
                                  : write_in_place(store, temporary, err);
    if (status != ML_OK) {
        (void)!truncate(temporary,
                        0);      /* HDF5 may still have it open: a full disk gets its room back */
        (void)unlink(temporary); /* it may not exist */
    }
    return status;
}

void ml_store_set_accuracy(struct ml_store *store, const struct ml_accuracy *accuracy)
{
    store->accuracy = accuracy;
}

void ml_store_set_missing(struct ml_store *store, const char *missing) { store->missing = missing; }

enum ml_status ml_store_keep_accuracy(const struct ml_store *store,
                                      const struct ml_accuracy *accuracy, struct ml_error *err)
{
    char *path = ml_path("%s/" ML_ACCURACY_PART_NAME, store->parts);
    const enum ml_status status =
        path ? ml_accuracy_part_write(path, store->layout.identity, accuracy, err) : ML_E_MEMORY;
    free(path);
    return status;
}

enum ml_status ml_store_take_accuracy(const struct ml_store *store, struct ml_accuracy *accuracy)
{
    char *path = ml_path("%s/" ML_ACCURACY_PART_NAME, store->parts);
    if (!path)
        return ML_E_MEMORY;
    ml_accuracy_part_read(path, store->layout.identity, accuracy);
    free(path);
    return ML_OK;
}

/* A file that another process made under that name meanwhile is kept. */
static enum ml_status check_free(const struct ml_store *store, struct ml_error *err)
{
    bool is_there;
    enum ml_status status = store_measure_state(store->path, &is_there, err);
    if (status != ML_OK || !is_there || is_replaced(store))
        return status;
    return ml_fail(
        err, ML_E_FILE,
        "%s: cannot finish: another process made a file of this name meanwhile; rename that file, "
        "then repeat the command",
        store->path);
}

static enum ml_status check_parts(const struct ml_store *store, struct ml_error *err)
{
    return ml_lock_is_held(&store->lock)
               ? ML_OK
               : ml_fail(err, ML_E_FILE, "%s: was removed or renamed while it was written",
                         store->parts);
}

enum ml_status ml_store_finish(struct ml_store *store, const struct ml_provenance *provenance,
                               struct ml_error *err)
{
    if (store->is_done)
        return ML_OK;
    int64_t n_missing = store->layout.n_block - ml_store_blocks_present(store);
    if (n_missing > 0)
        return ml_fail(err, ML_E_FILE, "%s: %lld of %lld blocks are missing", store->path,
                       (long long)n_missing, (long long)store->layout.n_block);
    enum ml_status status = check_free(store, err);
    if (status == ML_OK)
        status = check_parts(store, err);
    if (status != ML_OK)
        return status;
    char *name = ml_path("%s/result", store->parts);
    char *temporary = name ? ml_path_temporary(name) : NULL;
    status = temporary ? consolidate(store, provenance, temporary, err) : ML_E_MEMORY;
    free(temporary);
    free(name);
    if (status == ML_E_FILE)
        (void)check_parts(store, err); /* a missing file has a message of its own */
    if (status == ML_OK) {
        store->is_done = true;
        clear_parts(store);
    }
    return status;
}

struct ml_tally ml_store_tally(const struct ml_store *store)
{
    assert(store->is_done);
    return store->tally;
}

/* Whether there are parts without anything that was computed: they would only keep a corrected
 * study from its name. Damaged journals, and those of a process that a lock did not keep away,
 * stay.
 */
static bool is_empty(const struct ml_store *store)
{
    return store->has_parts && !store->is_done && ml_work_folder_is_empty(store->parts);
}

void ml_store_close(struct ml_store *store)
{
    if (!store)
        return;
    if (store->is_dirty && !store->is_done)
        (void)sync_all(store, NULL); /* the journal lists the finished blocks next time */
    ml_trajectories_close(&store->trajectories);
    ml_journal_close(&store->journal);
    if (is_empty(store))
        clear_parts(store);
    ml_lock_release(&store->lock);
    ml_layout_free(&store->layout);
    free(store->blocks);
    free(store->parts);
    free(store->path);
    free(store);
}
