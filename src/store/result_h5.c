/* Reading a finished result back: what it is, of which shard, and how its runs ended. */
#include "store/result_h5.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/fail.h"
#include "base/open.h"
#include "manylink/version.h"
#include "store/seal.h"
#include "store/study_id.h"

bool ml_result_h5_is_copy(struct ml_h5 *h5, hid_t group, const char *name)
{
    return ml_h5_lists(h5, group, ML_COPIES_ATTRIBUTE, name) || strncmp(name, "log10_", 6) == 0;
}

static void check_format(struct ml_h5 *h5, hid_t file)
{
    int format = 0;
    if (h5->status == ML_OK && H5Aexists(file, "manylink_format") <= 0)
        ml_h5_fail(h5, ML_E_FILE, "is an HDF5 file, but not a manylink result");
    ml_h5_read_attribute(h5, file, "manylink_format", H5T_NATIVE_INT, 1, &format);
    if (h5->status == ML_OK && (format < 1 || format > ML_RESULT_FORMAT))
        h5->status = ml_fail(h5->err, ML_E_FILE,
                             "%s: is a result of format version %d; this program knows 1 to %d",
                             h5->path, format, ML_RESULT_FORMAT);
}

/* HDF5 tells a folder from a file by a message about neither, and waits for one end of a pipe. */
static void check_kind(struct ml_h5 *h5)
{
    struct stat about;
    if (stat(h5->path, &about) != 0)
        return; /* what follows says why */
    if (S_ISDIR(about.st_mode))
        ml_h5_fail(h5, ML_E_FILE, "is a folder, not a result");
    else if (!S_ISREG(about.st_mode))
        ml_h5_fail(h5, ML_E_FILE, "is not a regular file, so no result");
}

/* Before HDF5 reads more of it than its first bytes. */
static void check_seal(struct ml_h5 *h5, bool may_be_changed)
{
    bool is_sealed = false;
    if (h5->status == ML_OK && !ml_open_is_file(h5->path))
        h5->status =
            ml_fail(h5->err, ML_E_FILE, "%s: cannot be read: %s", h5->path, ml_open_reason(errno));
    if (h5->status == ML_OK && !ml_h5_is_hdf5(h5->path)) {
        ml_h5_fail(h5, ML_E_FILE, "is not a manylink result, and not HDF5 at all");
        return;
    }
    if (h5->status == ML_OK && !may_be_changed)
        h5->status = ml_seal_check(h5->path, &is_sealed, h5->err);
    if (h5->status == ML_OK && !may_be_changed && !is_sealed)
        ml_h5_fail(h5, ML_E_FILE,
                   "is HDF5, but not a manylink result as this version makes them: it has no seal; "
                   "`info` and `plot` read older ones with --changed");
}

hid_t ml_result_h5_open(struct ml_h5 *h5, bool may_be_changed)
{
    check_kind(h5);
    check_seal(h5, may_be_changed);
    hid_t file = ml_h5_open(h5);
    check_format(h5, file);
    return file;
}

enum ml_status ml_result_h5_is_ours(const char *path, struct ml_error *err)
{
    struct ml_h5 h5;
    bool is_sealed;
    ml_h5_begin(&h5, path, err);
    check_kind(&h5);
    if (ml_h5_end(&h5) != ML_OK)
        return h5.status;
    if (ml_seal_check(path, &is_sealed, NULL) != ML_E_MEMORY && is_sealed)
        return ML_OK; /* or was once */
    ml_h5_begin(&h5, path, err);
    ml_h5_close(&h5, ml_result_h5_open(&h5, false));
    return ml_h5_end(&h5);
}

struct ml_result_h5_shard ml_result_h5_shard(struct ml_h5 *h5, hid_t file)
{
    int64_t n[4] = {0, 1, 0, 0};
    hid_t entry = ml_h5_find_group(h5, file, "/study");
    const bool has_shard = entry >= 0 && H5Aexists(entry, ML_SHARD_ATTRIBUTE) > 0;
    if (has_shard)
        ml_h5_read_attribute(h5, entry, ML_SHARD_ATTRIBUTE, H5T_NATIVE_INT64, 4, n);
    (void)H5Gclose(entry);
    if (has_shard &&
        (n[1] == 1 || !ml_shard_is_possible((struct ml_shard){n[0], n[1]}, n[2], n[3])))
        ml_h5_fail(h5, ML_E_FILE, "says to be a shard that there cannot be");
    return (struct ml_result_h5_shard){{n[0], n[1]}, n[2], n[3]};
}

hid_t ml_result_h5_outcomes(struct ml_h5 *h5, hid_t file, unsigned long long *n)
{
    hid_t id = ml_h5_open_dataset(h5, file, "/study/runs/outcome");
    const struct ml_extent extent = ml_h5_extent(h5, id);
    if (h5->status == ML_OK && (extent.rank != 1 || !ml_h5_is_number(id)))
        ml_h5_refuse(h5, id, NULL, "integer [runs]");
    *n = h5->status == ML_OK ? extent.size[0] : 0;
    return id;
}

void ml_result_h5_read_outcomes(struct ml_h5 *h5, hid_t dataset, unsigned long long n_run,
                                unsigned long long first, unsigned long long n, int8_t *outcome)
{
    const struct ml_extent extent = {.rank = 1, .size = {n_run}};
    ml_h5_read_range(h5, dataset, &extent, H5T_NATIVE_INT8, first, n, outcome);
    for (unsigned long long i = 0; i < n && h5->status == ML_OK; i++)
        if (outcome[i] < 0 || outcome[i] >= ML_N_OUTCOME)
            h5->status =
                ml_fail(h5->err, ML_E_FILE, "%s: the outcome in row %llu is %d; there are 0 to %d",
                        h5->path, first + i, outcome[i], ML_N_OUTCOME - 1);
}

void ml_result_h5_tally(struct ml_h5 *h5, hid_t file, struct ml_tally *tally)
{
    enum { PIECE = 4096 };
    int8_t outcome[PIECE];
    unsigned long long n_run;
    *tally = (struct ml_tally){0};
    hid_t id = ml_result_h5_outcomes(h5, file, &n_run);
    for (unsigned long long first = 0, n; first < n_run && h5->status == ML_OK; first += n) {
        n = n_run - first < PIECE ? n_run - first : PIECE;
        ml_result_h5_read_outcomes(h5, id, n_run, first, n, outcome);
        for (unsigned long long i = 0; i < n && h5->status == ML_OK; i++)
            tally->count[outcome[i]]++;
    }
    (void)H5Dclose(id);
}

static void check_shard(struct ml_h5 *h5, hid_t file, struct ml_shard expected)
{
    const struct ml_shard shard = ml_result_h5_shard(h5, file).shard;
    if (h5->status == ML_OK && (shard.index != expected.index || shard.count != expected.count))
        h5->status = ml_fail(h5->err, ML_E_OTHER_STUDY,
                             "%s: is shard %lld of %lld of this study, not %lld of %lld\n"
                             "Give another name with -o, or discard it with --restart",
                             h5->path, (long long)shard.index, (long long)shard.count,
                             (long long)expected.index, (long long)expected.count);
}

static void check_count(struct ml_h5 *h5, const struct ml_tally *tally, int64_t n_run)
{
    int64_t n = 0;
    for (int i = 0; i < ML_N_OUTCOME; i++)
        n += tally->count[i];
    if (h5->status == ML_OK && n != n_run)
        h5->status = ml_fail(h5->err, ML_E_FILE, "%s: has outcomes of %lld runs, not of %lld",
                             h5->path, (long long)n, (long long)n_run);
}

enum ml_status ml_result_h5_check(const char *path, const struct ml_layout *layout,
                                  struct ml_tally *tally, struct ml_error *err)
{
    struct ml_h5 h5;
    ml_h5_begin(&h5, path, err);
    hid_t file = ml_result_h5_open(&h5, false);
    char *resolved = ml_h5_read_text(&h5, file, "/study/resolved");
    if (h5.status == ML_OK)
        h5.status =
            ml_study_id_compare(path, resolved, layout->study->resolved, ML_STUDY_ID_REMEDY, err);
    check_shard(&h5, file, layout->shard);
    ml_result_h5_tally(&h5, file, tally);
    check_count(&h5, tally, layout->n_run);
    free(resolved);
    ml_h5_close(&h5, file);
    return ml_h5_end(&h5);
}
