/* Reading a finished result back: its kind, shard, outcomes, and the runs computed again. */
#include "store/result_h5.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/open.h"
#include "manylink/fail.h"
#include "manylink/version.h"
#include "plan/datasets.h"
#include "plan/study_id.h"
#include "store/seal.h"

bool ml_result_h5_is_copy(struct ml_h5 *h5, hid_t group, const char *name)
{
    return ml_h5_lists(h5, group, ML_COPIES_ATTRIBUTE, name) || strncmp(name, "log10_", 6) == 0;
}

static void check_format(struct ml_h5 *h5, hid_t file)
{
    int format = 0;
    if (h5->status == ML_OK && H5Aexists(file, "manylink_format") <= 0)
        ml_h5_fail(h5, ML_E_INPUT, "is an HDF5 file, but not a manylink result");
    ml_h5_read_attribute(h5, file, "manylink_format", H5T_NATIVE_INT, 1, &format);
    if (h5->status == ML_OK && (format < 1 || format > ML_RESULT_FORMAT))
        h5->status = ml_fail(h5->err, ML_E_FILE,
                             "%s: is a result of format version %d; this program knows 1 to %d",
                             h5->path, format, ML_RESULT_FORMAT);
}

/* HDF5 refuses a folder with an unclear message, and waits for the other end of a pipe. */
static void result_h5_check_kind(struct ml_h5 *h5)
{
    struct stat about;
    if (stat(h5->path, &about) != 0)
        return; /* the next check has the reason */
    if (S_ISDIR(about.st_mode))
        ml_h5_fail(h5, ML_E_INPUT, "is a folder, not a result");
    else if (!S_ISREG(about.st_mode))
        ml_h5_fail(h5, ML_E_FILE, "is not a regular file, so no result");
}

/* Before HDF5 reads more of it than its first bytes. */
static void check_seal(struct ml_h5 *h5, bool may_be_changed)
{
    bool is_sealed = false;
    if (h5->status == ML_OK && !ml_open_is_file(h5->path))
        h5->status = ml_fail(h5->err, ml_open_status(errno), "%s: cannot be read: %s", h5->path,
                             ml_open_reason(errno));
    if (h5->status == ML_OK && !ml_h5_is_hdf5(h5->path)) {
        ml_h5_fail(h5, ML_E_INPUT, "is not a manylink result, and not HDF5 at all");
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
    result_h5_check_kind(h5);
    check_seal(h5, may_be_changed);
    hid_t file = ml_h5_open(h5);
    check_format(h5, file);
    return file;
}

const struct ml_result_mark ml_result_h5_of_runs = {.group = "/study/runs/steps",
                                                    .called = "`run`"};

void ml_result_h5_check_mark(struct ml_h5 *h5, hid_t file, const struct ml_result_mark *mark,
                             enum ml_status failure)
{
    if (h5->status == ML_OK && !ml_h5_has(file, mark->group))
        h5->status = ml_fail(h5->err, failure,
                             "%s: is there already, and is no result of %s; choose another name "
                             "with -o",
                             h5->path, mark->called);
}

enum ml_status ml_result_h5_check_discard(const char *path, const struct ml_result_mark *mark,
                                          struct ml_error *err)
{
    struct ml_h5 h5;
    bool is_sealed;
    ml_h5_begin(&h5, path, err);
    result_h5_check_kind(&h5);
    if (ml_h5_end(&h5) != ML_OK)
        return h5.status;
    const enum ml_status seal = ml_seal_check(path, &is_sealed, NULL);
    if (seal != ML_OK && seal != ML_E_MEMORY && is_sealed)
        return ML_OK; /* damaged: of which kind it was cannot be read safely */
    ml_h5_begin(&h5, path, err);
    hid_t file =
        ml_result_h5_open(&h5, seal == ML_OK && is_sealed); /* the seal was checked above */
    ml_result_h5_check_mark(&h5, file, mark, ML_E_INPUT);
    ml_h5_close(&h5, file);
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
        ml_h5_fail(h5, ML_E_FILE,
                   "its attribute " ML_SHARD_ATTRIBUTE
                   " is impossible: no shard has these numbers");
    return (struct ml_result_h5_shard){{n[0], n[1]}, n[2], n[3]};
}

bool ml_result_h5_is_empty(struct ml_h5 *h5, hid_t file)
{
    const struct ml_result_h5_shard about = ml_result_h5_shard(h5, file);
    return h5->status == ML_OK && about.shard.count > 1 &&
           ml_shard_blocks(about.shard, ml_shard_all_blocks(about.block_runs, about.n_run)) == 0;
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
    if (ml_result_h5_is_empty(h5, file))
        return;
    hid_t id = ml_result_h5_outcomes(h5, file, &n_run);
    for (unsigned long long first = 0, n; first < n_run && h5->status == ML_OK; first += n) {
        n = n_run - first < PIECE ? n_run - first : PIECE;
        ml_result_h5_read_outcomes(h5, id, n_run, first, n, outcome);
        for (unsigned long long i = 0; i < n && h5->status == ML_OK; i++)
            tally->count[outcome[i]].runs++;
    }
    (void)H5Dclose(id);
}

int ml_result_h5_attractors(struct ml_h5 *h5, hid_t file, const char *event, const char *name,
                            int most, double *values)
{
    char path[2 * ML_NAME_LENGTH];
    (void)snprintf(path, sizeof path, "/study/attractors/%s/%s", event, name);
    hid_t id = ml_h5_find_dataset(h5, file, path);
    if (id < 0)
        return 0;
    const struct ml_extent extent = ml_h5_extent(h5, id);
    const unsigned long long size = extent.rank == 0 ? 1 : extent.size[0];
    const unsigned long long n = size < (unsigned long long)most ? size : (unsigned long long)most;
    if (h5->status == ML_OK && extent.rank > 1)
        ml_h5_refuse(h5, id, NULL, "a number for each attractor");
    ml_h5_read_range(h5, id, &extent, H5T_NATIVE_DOUBLE, 0, n, values);
    (void)H5Oclose(id);
    return h5->status == ML_OK ? (int)n : 0;
}

void ml_result_h5_check_shard(struct ml_h5 *h5, hid_t file, struct ml_shard expected,
                              enum ml_status failure)
{
    const struct ml_shard shard = ml_result_h5_shard(h5, file).shard;
    if (h5->status == ML_OK && (shard.index != expected.index || shard.count != expected.count))
        h5->status = ml_fail(h5->err, failure,
                             "%s: is shard %lld of %lld of this study, not %lld of %lld\n"
                             "Give another name with -o, or discard it with --restart",
                             h5->path, (long long)shard.index, (long long)shard.count,
                             (long long)expected.index, (long long)expected.count);
}

static void check_count(struct ml_h5 *h5, const struct ml_tally *tally, int64_t n_run)
{
    int64_t n = 0;
    for (int i = 0; i < ML_N_OUTCOME; i++)
        n += tally->count[i].runs;
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
        h5.status = ml_study_id_check(path, resolved, layout->study, ML_STUDY_ID_REMEDY, err);
    ml_result_h5_check_mark(&h5, file, &ml_result_h5_of_runs, ML_E_OTHER_STUDY);
    ml_result_h5_check_shard(&h5, file, layout->shard, ML_E_OTHER_STUDY);
    ml_result_h5_tally(&h5, file, tally);
    check_count(&h5, tally, layout->n_run);
    free(resolved);
    ml_h5_close(&h5, file);
    return ml_h5_end(&h5);
}

/* A group that is being read. */
struct accuracy_reading {
    struct ml_h5 *h5;
    hid_t group; /* /study/accuracy */
    struct ml_accuracy *out;
};

/* Path of an output below the group. */
static const char *accuracy_path(const struct accuracy_reading *r, enum ml_accuracy_values which,
                                 int output, char path[2 * ML_MAX_OUTPUT_NAME])
{
    const enum ml_dataset dataset = (enum ml_dataset)(ML_DATA_DIFFERENCE + 2 * (int)which);
    const int accuracy = ml_dataset_group(ML_DATA_ACCURACY_RUN) + 1;
    (void)snprintf(path, 2 * ML_MAX_OUTPUT_NAME, "%.*s/%s", ml_dataset_group(dataset) - accuracy,
                   ml_dataset(dataset)->path + accuracy, r->out->outputs[output].name);
    return path;
}

/* Names of the outputs. */
static void accuracy_read_names(struct accuracy_reading *r)
{
    enum { MOST_NAMES = 1 << 16 };
    hid_t id = ml_h5_open_dataset(r->h5, r->group, "quantity");
    const struct ml_extent extent = ml_h5_extent(r->h5, id);
    const unsigned long long n = extent.size[0];
    if (r->h5->status == ML_OK && (extent.rank != 1 || n > MOST_NAMES || !ml_h5_is_text(id)))
        ml_h5_refuse(r->h5, id, NULL, "at most %d texts", (int)MOST_NAMES);
    char **texts = r->h5->status == ML_OK ? ml_h5_read_texts(r->h5, id, n) : NULL;
    r->out->outputs = texts ? calloc(n + 1, sizeof *r->out->outputs) : NULL;
    ml_h5_need(r->h5, !texts || r->out->outputs);
    for (unsigned long long o = 0; r->out->outputs && o < n; o++)
        (void)snprintf(r->out->outputs[o].name, sizeof r->out->outputs[o].name, "%s", texts[o]);
    r->out->n_output = r->out->outputs ? (int)n : 0;
    ml_h5_free_texts(n, texts);
    (void)H5Oclose(id);
}

/* Unit and rows of an output. */
static void accuracy_read_shape(struct accuracy_reading *r, int output, int n_run)
{
    char path[2 * ML_MAX_OUTPUT_NAME];
    struct ml_accuracy *a = r->out;
    hid_t id =
        ml_h5_open_dataset(r->h5, r->group, accuracy_path(r, ML_ACCURACY_DIFFERENCE, output, path));
    const struct ml_extent extent = ml_h5_extent(r->h5, id);
    unsigned long long rows = 1;
    for (int k = 1; k < extent.rank && rows <= INT_MAX; k++)
        rows *= extent.size[k];
    if (r->h5->status == ML_OK && (extent.rank < 1 || extent.size[0] != (unsigned long long)n_run ||
                                   rows > (unsigned long long)(INT_MAX - a->outputs[output].first)))
        ml_h5_refuse(r->h5, id, NULL, "numbers of %d runs", n_run);
    char *unit = ml_h5_find_text(r->h5, id, "units");
    (void)snprintf(a->outputs[output].unit, sizeof a->outputs[output].unit, "%s",
                   unit ? unit : "1");
    a->outputs[output + 1].first =
        a->outputs[output].first + (r->h5->status == ML_OK ? (int)rows : 0);
    free(unit);
    (void)H5Oclose(id);
}

static int accuracy_read_size(struct accuracy_reading *r)
{
    hid_t id = ml_h5_open_dataset(r->h5, r->group, "run");
    const struct ml_extent extent = ml_h5_extent(r->h5, id);
    if (r->h5->status == ML_OK && (extent.rank != 1 || extent.size[0] > INT_MAX))
        ml_h5_refuse(r->h5, id, NULL, "a list of runs");
    (void)H5Oclose(id);
    return r->h5->status == ML_OK ? (int)extent.size[0] : 0;
}

static void accuracy_read_column(struct accuracy_reading *r, const char *name, hid_t type,
                                 void *values)
{
    const unsigned long long n = (unsigned long long)r->out->n;
    const struct ml_extent extent = {.rank = 1, .size = {n}};
    hid_t id = ml_h5_open_dataset(r->h5, r->group, name);
    ml_h5_read_range(r->h5, id, &extent, type, 0, n, values);
    (void)H5Oclose(id);
}

static void accuracy_read_values(struct accuracy_reading *r, enum ml_accuracy_values which,
                                 int output)
{
    char path[2 * ML_MAX_OUTPUT_NAME];
    const struct ml_accuracy *a = r->out;
    const unsigned long long n =
        (unsigned long long)a->n * (unsigned long long)ml_accuracy_rows(a, output);
    hid_t id = ml_h5_open_dataset(r->h5, r->group, accuracy_path(r, which, output, path));
    const struct ml_extent extent = ml_h5_extent(r->h5, id);
    unsigned long long there = 1;
    for (int k = 0; k < extent.rank && there <= n; k++)
        there *= extent.size[k];
    if (r->h5->status == ML_OK && there != n)
        ml_h5_refuse(r->h5, id, NULL, "%d numbers of %d runs", ml_accuracy_rows(a, output), a->n);
    ml_h5_read_range(r->h5, id, &extent, H5T_NATIVE_DOUBLE, 0, n,
                     ml_accuracy_row(a, which, output, 0));
    (void)H5Oclose(id);
}

/* In the order in which they were put, as merging requires. */
static void accuracy_check_runs(const struct accuracy_reading *r)
{
    for (int i = 0; i < r->out->n && r->h5->status == ML_OK; i++)
        if (r->out->runs[i] < 0 || r->out->runs[i] == INT64_MAX ||
            (i > 0 && r->out->runs[i] <= r->out->runs[i - 1]))
            ml_h5_fail(r->h5, ML_E_FILE, "/study/accuracy/run is no ascending list of runs");
}

/* Which runs were computed with the finest step too: their numbers are there. */
static void accuracy_mark_finest(struct ml_accuracy *a)
{
    for (int i = 0; i < a->n; i++)
        for (int o = 0; o < a->n_output; o++)
            for (int k = 0; k < ml_accuracy_rows(a, o); k++)
                if (!isnan(ml_accuracy_row(a, ML_ACCURACY_FINEST, o, i)[k]))
                    a->is_finest[i] = 1;
}

static void accuracy_read_all(struct accuracy_reading *r)
{
    struct ml_accuracy *a = r->out;
    char *compared = ml_h5_find_text(r->h5, r->group, ML_ACCURACY_ATTRIBUTE);
    a->is_adaptive = compared && strncmp(compared, ML_ACCURACY_FINER_TOLERANCE,
                                         strlen(ML_ACCURACY_FINER_TOLERANCE)) == 0;
    a->is_older = compared &&
                  strcmp(compared, a->is_adaptive ? ML_ACCURACY_TOLERANCE : ML_ACCURACY_STEP) != 0;
    free(compared);
    char *unstable = ml_h5_find_text(r->h5, r->group, ML_ACCURACY_UNSTABLE);
    a->is_unstable = unstable != NULL;
    free(unstable);
    const int n = accuracy_read_size(r);
    accuracy_read_names(r);
    for (int o = 0; o < a->n_output; o++)
        accuracy_read_shape(r, o, n);
    if (r->h5->status != ML_OK)
        return;
    if (!ml_h5_need(r->h5, ml_accuracy_take(a, n)))
        return;
    accuracy_read_column(r, "run", H5T_NATIVE_INT64, a->runs);
    accuracy_check_runs(r);
    accuracy_read_column(r, "outcome", H5T_NATIVE_INT8, a->outcomes[0]);
    accuracy_read_column(r, "outcome_finer", H5T_NATIVE_INT8, a->outcomes[1]);
    for (int k = 0; k < ML_N_ACCURACY; k++)
        for (int o = 0; o < a->n_output; o++)
            accuracy_read_values(r, (enum ml_accuracy_values)k, o);
    accuracy_mark_finest(a);
}

void ml_accuracy_read(struct ml_h5 *h5, hid_t file, struct ml_accuracy *out)
{
    *out = (struct ml_accuracy){0};
    struct accuracy_reading r = {
        .h5 = h5, .group = ml_h5_find_group(h5, file, "/study/accuracy"), .out = out};
    if (r.group < 0)
        return;
    accuracy_read_all(&r);
    (void)H5Gclose(r.group);
    if (h5->status != ML_OK)
        ml_accuracy_free(out);
}

enum ml_status ml_accuracy_read_file(const char *path, struct ml_accuracy *out,
                                     struct ml_error *err)
{
    struct ml_h5 h5;
    ml_h5_begin(&h5, path, err);
    hid_t file = ml_h5_open(&h5);
    *out = (struct ml_accuracy){0};
    if (h5.status == ML_OK)
        ml_accuracy_read(&h5, file, out);
    ml_h5_close(&h5, file);
    return ml_h5_end(&h5);
}
