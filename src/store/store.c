#include "store/store.h"

#include <assert.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fail.h"
#include "store/durable.h"
#include "store/finished.h"
#include "store/layout.h"
#include "store/names.h"
#include "store/part.h"
#include "store/parts.h"
#include "store/path.h"
#include "store/result.h"
#include "store/trajectories.h"

/* Where a block comes from. */
enum origin { MISSING, FOUND, MADE_HERE };

struct ml_store {
    struct ml_layout layout;
    char *path, *parts;                  /* the final file, the folder of parts */
    atomic_uchar *blocks;                /* [n_block] enum origin */
    struct ml_trajectories trajectories; /* {0} if none are kept, or it is done */
    bool is_done;
    struct ml_tally tally; /* once done */
};

/* Whether the final file is there: ML_OK and *is_there, or it can never be made. */
static enum ml_status look(const char *path, bool *is_there, struct ml_error *err)
{
    struct stat about;
    *is_there = false;
    if (!path[0])
        return ml_fail(err, ML_E_FILE, "the result file has an empty name");
    *is_there = stat(path, &about) == 0;
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

static void note_present(void *context, int64_t block)
{
    struct ml_store *store = context;
    if (block < store->layout.n_block)
        atomic_store(&store->blocks[block], FOUND);
}

static enum ml_status prepare(struct ml_store *store, const struct ml_study *study,
                              const char *path, struct ml_error *err)
{
    ml_layout_init(&store->layout, study);
    store->path = ml_path("%s", path);
    store->parts = ml_path("%s.parts", path);
    store->blocks = calloc((size_t)store->layout.n_block, sizeof *store->blocks);
    if (!store->path || !store->parts || !store->blocks)
        return ml_fail(err, ML_E_MEMORY, "out of memory");
    return ml_names_check(&store->layout, err);
}

/* The finished file is there: it is this study's, or an error. */
static enum ml_status open_finished(struct ml_store *store, struct ml_error *err)
{
    const struct ml_study *study = store->layout.study;
    enum ml_status status = ml_finished_check(store->path, study, &store->tally, err);
    if (status != ML_OK)
        return status;
    for (int64_t i = 0; i < store->layout.n_block; i++)
        atomic_store(&store->blocks[i], FOUND);
    store->is_done = true;
    if (ml_parts_are_of(store->parts, study))
        ml_parts_remove(store->parts); /* the process ended between the last two steps */
    return ML_OK;
}

static enum ml_status open_parts(struct ml_store *store, struct ml_error *err)
{
    enum ml_status status = ml_parts_open(store->parts, store->layout.study, err);
    if (status == ML_OK)
        status = ml_parts_list(store->parts, note_present, store, err);
    if (status == ML_OK && ml_layout_has_trajectories(&store->layout))
        status = ml_trajectories_open(&store->trajectories, &store->layout, store->parts,
                                      ml_store_blocks_present(store) > 0, err);
    return status;
}

enum ml_status ml_store_open(const struct ml_study *study, const char *path, struct ml_store **out,
                             enum ml_store_state *state, struct ml_error *err)
{
    bool is_there = false;
    *out = calloc(1, sizeof **out);
    if (!*out)
        return ml_fail(err, ML_E_MEMORY, "out of memory");
    enum ml_status status = prepare(*out, study, path, err);
    if (status == ML_OK)
        status = look(path, &is_there, err);
    if (status == ML_OK)
        status = is_there ? open_finished(*out, err) : open_parts(*out, err);
    if (status != ML_OK) {
        ml_store_close(*out);
        *out = NULL;
        return status;
    }
    *state = is_there                            ? ML_STORE_DONE
             : ml_store_blocks_present(*out) > 0 ? ML_STORE_RESUMED
                                                 : ML_STORE_NEW;
    return ML_OK;
}

int64_t ml_store_blocks_present(const struct ml_store *store)
{
    int64_t n = 0;
    for (int64_t i = 0; i < store->layout.n_block; i++)
        n += atomic_load(&store->blocks[i]) != MISSING;
    return n;
}

static bool has(void *context, int64_t block)
{
    struct ml_store *store = context;
    assert(block >= 0 && block < store->layout.n_block);
    return atomic_load(&store->blocks[block]) != MISSING;
}

static enum ml_status put(void *context, const struct ml_block *block, struct ml_error *err)
{
    struct ml_store *store = context;
    assert(block->index >= 0 && block->index < store->layout.n_block);
    char *path = ml_parts_block(store->parts, block->index);
    if (!path)
        return ml_fail(err, ML_E_MEMORY, "out of memory");
    enum ml_status status = ML_OK;
    if (ml_layout_has_trajectories(&store->layout))
        status = ml_trajectories_put(&store->trajectories, block, err);
    if (status == ML_OK)
        status = ml_part_write(&store->layout, block, &store->trajectories.checksums, path, err);
    if (status == ML_OK)
        atomic_store(&store->blocks[block->index], MADE_HERE);
    free(path);
    return status;
}

struct ml_sink ml_store_sink(struct ml_store *store)
{
    return (struct ml_sink){.context = store, .has = has, .put = put};
}

static char *part_path(const void *context, int64_t block)
{
    return ml_parts_block(context, block);
}

/* Whether the trajectories of the blocks that were found are as they were put. Those of the others
 * were hashed on their way to the disk, just now. */
static enum ml_status check_found(struct ml_store *store, struct ml_error *err)
{
    enum { MOST = 10 }; /* damaged parts that are named */
    int n_damaged = 0;
    for (int64_t i = 0; i < store->layout.n_block && n_damaged < MOST; i++) {
        if (atomic_load(&store->blocks[i]) != FOUND ||
            ml_layout_block_saved(&store->layout, i) == 0)
            continue;
        char *path = ml_parts_block(store->parts, i);
        if (!path)
            return ml_fail(err, ML_E_MEMORY, "out of memory");
        struct ml_part part;
        enum ml_status status = ml_part_open(&part, &store->layout, i, path, err);
        if (status == ML_OK)
            status = ml_part_check_trajectories(&part, &store->trajectories, err);
        ml_part_close(&part);
        n_damaged += status != ML_OK;
        free(path);
    }
    return n_damaged > 0 ? ML_E_FILE : ML_OK; /* already reported */
}

/* Copies what HDF5 made around the trajectories, and removes it. */
static enum ml_status surround(struct ml_store *store, const char *rest, struct ml_error *err)
{
    enum ml_status status = ml_trajectories_surround(&store->trajectories, rest, err);
    if (status == ML_OK)
        status = ml_durable_rename(store->trajectories.path, store->path, err);
    if (status == ML_OK)
        (void)unlink(rest); /* ml_parts_remove tries again */
    return status;
}

/* Makes the final file beside the parts, where a left-over is cleared away with them. */
static enum ml_status consolidate(struct ml_store *store, const struct ml_provenance *provenance,
                                  const char *temporary, struct ml_error *err)
{
    const bool has_trajectories = ml_layout_has_trajectories(&store->layout);
    enum ml_status status = has_trajectories ? check_found(store, err) : ML_OK;
    if (status == ML_OK)
        status = ml_result_write(&store->layout, &store->trajectories.places, part_path,
                                 store->parts, provenance, temporary, &store->tally, err);
    if (status == ML_OK)
        status = has_trajectories ? surround(store, temporary, err)
                                  : ml_durable_rename(temporary, store->path, err);
    if (status != ML_OK) {
        (void)!truncate(temporary,
                        0);      /* HDF5 may still have it open: a full disk gets its room back */
        (void)unlink(temporary); /* it may not exist */
    }
    return status;
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
    char *name = ml_path("%s/result", store->parts);
    char *temporary = name ? ml_path_temporary(name) : NULL;
    enum ml_status status = temporary ? consolidate(store, provenance, temporary, err)
                                      : ml_fail(err, ML_E_MEMORY, "out of memory");
    free(temporary);
    free(name);
    if (status == ML_OK) {
        store->is_done = true;
        ml_parts_remove(store->parts);
    }
    return status;
}

struct ml_tally ml_store_tally(const struct ml_store *store)
{
    assert(store->is_done);
    return store->tally;
}

void ml_store_close(struct ml_store *store)
{
    if (!store)
        return;
    ml_trajectories_close(&store->trajectories);
    free(store->blocks);
    free(store->parts);
    free(store->path);
    free(store);
}
