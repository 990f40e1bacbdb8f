#include "store/part.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include "base/fail.h"
#include "store/bytes.h"
#include "store/durable.h"

/* Begins a part; of another byte order it is none. */
struct head {
    uint64_t magic, study; /* identity of the study */
    int64_t block, first, n_run, n_saved;
};

static const uint64_t magic = 0x31747261706c6d; /* "mlpart1" */

/* Places `count` elements of `size` bytes, a multiple of 8 in all but the last, or counts them. */
static void *take(struct ml_part *part, int64_t count, size_t size)
{
    char *piece = part->bytes ? part->bytes + part->size : NULL;
    part->size += (size_t)count * size;
    return piece;
}

/* Run twice: without memory it only counts. Ends with the checksum of what is before. */
static void lay_out(struct ml_part *part)
{
    const struct ml_layout *layout = part->layout;
    const int n_record = ml_ensemble_records(&layout->study->ensemble);
    part->size = 0;
    (void)take(part, 1, sizeof(struct head));
    part->end_time = take(part, part->n_run, sizeof *part->end_time);
    part->steps = take(part, part->n_run, sizeof *part->steps);
    for (int i = 0; i < layout->results.n_output; i++)
        part->summary[i] =
            take(part, part->n_run * ml_layout_output_rows(layout, i), sizeof *part->summary[i]);
    for (int i = 0; i < n_record && part->n_saved > 0; i++)
        if (ml_layout_keeps(layout, i))
            part->checksums.of[i] = take(part, part->n_saved, sizeof *part->checksums.of[i]);
    part->outcome = take(part, part->n_run, sizeof *part->outcome);
    (void)take(part, 1, sizeof(XXH64_hash_t));
}

/* A part with memory for everything, not filled; false without memory. */
static bool begin(struct ml_part *part, const struct ml_layout *layout, int64_t block,
                  const char *path)
{
    *part = (struct ml_part){
        .layout = layout,
        .path = path,
        .block = block,
        .n_run = ml_layout_block_runs(layout, block),
        .n_saved = ml_layout_has_trajectories(layout) ? ml_layout_block_saved(layout, block) : 0,
    };
    lay_out(part);
    part->bytes = malloc(part->size);
    if (part->bytes)
        lay_out(part);
    return part->bytes;
}

static struct head head_of(const struct ml_part *part)
{
    return (struct head){magic,       part->layout->identity,
                         part->block, ml_layout_block_first(part->layout, part->block),
                         part->n_run, part->n_saved};
}

static XXH64_hash_t checksum_of(const struct ml_part *part)
{
    return XXH3_64bits(part->bytes, part->size - sizeof(XXH64_hash_t));
}

static void fill(struct ml_part *part, const struct ml_block *block,
                 const struct ml_checksums *checksums)
{
    const struct ml_layout *layout = part->layout;
    const struct head head = head_of(part);
    const size_t n_run = (size_t)part->n_run;
    memcpy(part->bytes, &head, sizeof head);
    memcpy(part->outcome, block->outcome, n_run * sizeof *block->outcome);
    memcpy(part->steps, block->steps, n_run * sizeof *block->steps);
    memcpy(part->end_time, block->end_time, n_run * sizeof *block->end_time);
    for (int i = 0; i < layout->results.n_output; i++)
        memcpy(part->summary[i], block->summary[i],
               n_run * (size_t)ml_layout_output_rows(layout, i) * sizeof(double));
    for (int i = 0; i < ML_MAX_RECORDS; i++)
        if (part->checksums.of[i])
            memcpy(part->checksums.of[i], checksums->of[i],
                   (size_t)part->n_saved * sizeof(uint64_t));
    const XXH64_hash_t sum = checksum_of(part);
    memcpy(part->bytes + part->size - sizeof sum, &sum, sizeof sum);
}

enum ml_status ml_part_write(const struct ml_layout *layout, const struct ml_block *block,
                             const struct ml_checksums *checksums, const char *path,
                             struct ml_error *err)
{
    struct ml_part part;
    if (!begin(&part, layout, block->index, path))
        return ml_fail(err, ML_E_MEMORY, "out of memory");
    fill(&part, block, checksums);
    enum ml_status status = ml_durable_write(path, part.bytes, part.size, err);
    ml_part_close(&part);
    return status;
}

/* Fails with what is wrong with a part and what to do. */
static enum ml_status fail(const struct ml_part *part, const char *what, struct ml_error *err)
{
    return ml_fail(err, ML_E_FILE,
                   "%s: %s\n"
                   "It is missing or damaged; delete it if it is there and run the same command "
                   "again",
                   part->path, what);
}

static enum ml_status read_file(struct ml_part *part, struct ml_error *err)
{
    struct stat about = {0};
    int file = open(part->path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return fail(part, strerror(errno), err);
    enum ml_status status = ML_OK;
    if (fstat(file, &about) != 0 || !ml_bytes_read(file, 0, part->bytes, part->size))
        status = fail(part, errno ? strerror(errno) : "it ends early", err);
    (void)close(file); /* read only */
    if (status == ML_OK && about.st_size != (off_t)part->size)
        return fail(part, "it is of another size", err);
    return status;
}

static enum ml_status check_head(const struct ml_part *part, struct ml_error *err)
{
    struct head head, expected = head_of(part);
    memcpy(&head, part->bytes, sizeof head);
    if (head.magic != expected.magic)
        return fail(part, "it is no part of a result", err);
    if (head.study != expected.study)
        return fail(part, "it is a part of another study", err);
    if (memcmp(&head, &expected, sizeof head) != 0)
        return fail(part, "it holds other runs than its name says", err);
    return ML_OK;
}

/* The checksum goes last: it fails on all that a head of another part says better. */
static enum ml_status check(const struct ml_part *part, struct ml_error *err)
{
    XXH64_hash_t sum;
    enum ml_status status = check_head(part, err);
    memcpy(&sum, part->bytes + part->size - sizeof sum, sizeof sum);
    if (status == ML_OK && sum != checksum_of(part))
        return fail(part, "its checksum does not match", err);
    return status;
}

enum ml_status ml_part_open(struct ml_part *part, const struct ml_layout *layout, int64_t block,
                            const char *path, struct ml_error *err)
{
    if (!begin(part, layout, block, path))
        return ml_fail(err, ML_E_MEMORY, "out of memory");
    enum ml_status status = read_file(part, err);
    return status == ML_OK ? check(part, err) : status;
}

void ml_part_close(struct ml_part *part)
{
    free(part->bytes);
    *part = (struct ml_part){0};
}

enum ml_status ml_part_check_trajectories(const struct ml_part *part,
                                          struct ml_trajectories *trajectories,
                                          struct ml_error *err)
{
    const struct ml_ensemble *ensemble = &part->layout->study->ensemble;
    enum ml_status status = ml_trajectories_get(trajectories, part->block, err);
    if (status != ML_OK)
        return fail(part, "what it says of its trajectories cannot be checked", err);
    for (int i = 0; i < ML_MAX_RECORDS; i++)
        for (int64_t k = 0; part->checksums.of[i] && k < part->n_saved; k++)
            if (part->checksums.of[i][k] != trajectories->checksums.of[i][k]) {
                (void)ml_fail(err, ML_E_FILE, "%s: %s of run %lld: the checksum does not match",
                              trajectories->path, ml_ensemble_record(ensemble, i)->name,
                              (long long)ml_layout_saved_run(part->layout, part->block, k));
                return fail(part, "its trajectories are not what it says", err);
            }
    return ML_OK;
}
