/* Compares trajectories of a result with the checksums of their runs, which its seal leaves out:
 * each run once, before numbers of it are read for the first time. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "manylink/fail.h"
#include "store/opened.h"

enum { PIECE = 1 << 16 }; /* numbers that are read at a time */

static const char group[] = "trajectories/";

/* Reading of a dataset. */
struct comparison {
    struct ml_result *result;
    struct ml_opened_dataset *dataset;
    hid_t id;
    double *numbers; /* [PIECE] */
    XXH3_state_t *state;
};

/* The dataset of checksums of a record; "" of other datasets. */
static void path_of_sums(const struct ml_opened_dataset *dataset, char path[2 * ML_NAME_LENGTH])
{
    const char *name = dataset->info.name;
    const bool is_kept = strncmp(name, group, strlen(group)) == 0 && dataset->info.rank > 1;
    *path = '\0';
    if (is_kept)
        (void)snprintf(path, 2 * ML_NAME_LENGTH, "%schecksums/%s", group, name + strlen(group));
}

/* Reads the checksums of the saved runs; false once the result has failed. */
static bool read_sums(struct ml_result *result, struct ml_opened_dataset *dataset, const char *path)
{
    struct ml_h5 *h5 = &result->h5;
    const struct ml_extent all = {.rank = 1, .size = {(unsigned long long)dataset->info.shape[0]}};
    dataset->sums = calloc((size_t)all.size[0] + 1, sizeof *dataset->sums);
    dataset->is_compared = calloc((size_t)all.size[0] + 1, sizeof *dataset->is_compared);
    if (!ml_h5_need(h5, dataset->sums && dataset->is_compared))
        return false;
    hid_t id = ml_h5_open_dataset(h5, result->entry, path);
    ml_h5_read_range(h5, id, &all, H5T_NATIVE_UINT64, 0, all.size[0], dataset->sums);
    ml_h5_close_dataset(h5, id);
    return h5->status == ML_OK;
}

/* The number of a saved run. */
static int64_t run_of(const struct comparison *c, int64_t row)
{
    struct ml_h5 *h5 = &c->result->h5;
    const struct ml_extent all = {.rank = 1,
                                  .size = {(unsigned long long)c->dataset->info.shape[0]}};
    int64_t run = row;
    hid_t id = ml_h5_open_dataset(h5, c->result->entry, "trajectories/run");
    ml_h5_read_range(h5, id, &all, H5T_NATIVE_INT64, (unsigned long long)row, 1, &run);
    ml_h5_close_dataset(h5, id);
    return run;
}

/* Numbers first .. first + n - 1 of the dataset; false once the result has failed. */
static bool read_piece(const struct comparison *c, int64_t first, int64_t n)
{
    const struct ml_extent all = ml_h5_extent(&c->result->h5, c->id);
    ml_h5_read_range(&c->result->h5, c->id, &all, H5T_NATIVE_DOUBLE, (unsigned long long)first,
                     (unsigned long long)n, c->numbers);
    return c->result->h5.status == ML_OK;
}

/* Takes over whether a run has its checksum; false, once the result has failed, if not. */
static bool take_sum(const struct comparison *c, int64_t row, uint64_t sum)
{
    c->dataset->is_compared[row] = sum == c->dataset->sums[row];
    if (!c->dataset->is_compared[row])
        c->result->h5.status = ml_fail(
            c->result->h5.err, ML_E_FILE,
            "%s: %s of run %lld: the checksum does not match: the file is damaged, or was changed "
            "by another program; `plot` draws it all the same with --changed",
            c->result->path, c->dataset->info.name + strlen(group), (long long)run_of(c, row));
    return c->dataset->is_compared[row];
}

/* Compares runs row .. row + n - 1, which fit into a piece. */
static bool compare_short(const struct comparison *c, int64_t row, int64_t n, int64_t size)
{
    bool is_same = read_piece(c, row * size, n * size);
    for (int64_t i = 0; i < n && is_same; i++)
        is_same = take_sum(c, row + i,
                           XXH3_64bits(c->numbers + i * size, (size_t)size * sizeof *c->numbers));
    return is_same;
}

/* Compares a run of more numbers than a piece has. */
static bool compare_long(const struct comparison *c, int64_t row, int64_t size)
{
    (void)XXH3_64bits_reset(c->state);
    for (int64_t k = 0, n; k < size; k += n) {
        n = size - k < PIECE ? size - k : PIECE;
        if (!read_piece(c, row * size + k, n))
            return false;
        (void)XXH3_64bits_update(c->state, c->numbers, (size_t)n * sizeof *c->numbers);
    }
    return take_sum(c, row, XXH3_64bits_digest(c->state));
}

static bool compare_runs(const struct comparison *c, const struct ml_extent box[3])
{
    const int64_t size = ml_result_count(&c->dataset->info, 1, c->dataset->info.rank);
    const int64_t n_run = (int64_t)box[2].size[0], stride = (int64_t)box[1].size[0];
    const int64_t at_once = stride == 1 && size > 0 && PIECE / size > 1 ? PIECE / size : 1;
    bool is_same = true;
    for (int64_t i = 0, n; i < n_run && is_same; i += n) {
        const int64_t row = (int64_t)box[0].size[0] + i * stride;
        n = at_once < n_run - i ? at_once : n_run - i;
        if (memchr(c->dataset->is_compared + row, false, (size_t)n))
            is_same = size <= PIECE ? compare_short(c, row, n, size) : compare_long(c, row, size);
    }
    return is_same;
}

bool ml_opened_compare(struct ml_result *result, struct ml_opened_dataset *dataset, hid_t id,
                       const struct ml_extent box[3])
{
    struct comparison c = {.result = result, .dataset = dataset, .id = id};
    char path[2 * ML_NAME_LENGTH];
    path_of_sums(dataset, path);
    if (result->may_be_changed || !*path || !ml_h5_has(result->entry, path))
        return true;
    if (!dataset->sums && !read_sums(result, dataset, path))
        return false;
    c.numbers = malloc(PIECE * sizeof *c.numbers);
    c.state = XXH3_createState();
    const bool is_same = ml_h5_need(&result->h5, c.numbers && c.state) && compare_runs(&c, box);
    free(c.numbers);
    (void)XXH3_freeState(c.state);
    return is_same;
}
