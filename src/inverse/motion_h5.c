/* Reads motions from the saved trajectories of a result file, and checks that they fit the study.
 */
#include "inverse/motion_h5.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "h5/h5.h"
#include "manylink/fail.h"
#include "store/result_h5.h"
#include "yaml/nearest.h"
#include "yaml/yaml.h"

struct ml_motion_h5 {
    struct ml_h5 h5;
    hid_t file;
    hid_t dataset[ML_N_MOTION];  /* [run][segment][time]; -1: not kept */
    int64_t n_saved;             /* runs with trajectories */
    int64_t *index;              /* [n_motion] which of them */
    int *segment;                /* [n] which of its segments is the study's i-th */
    uint64_t *sums[ML_N_MOTION]; /* [n_motion] checksums of the trajectories; NULL: not kept */
    double *trajectory;          /* [n][n_time] one, with the segments as they are in the file */
};

bool ml_motion_h5_is(const char *path)
{
    struct ml_h5 h5;
    ml_h5_begin(&h5, path, NULL);
    bool is = ml_h5_is_hdf5(path);
    (void)ml_h5_end(&h5);
    return is;
}

/* Fails as bad input. */
__attribute__((format(printf, 2, 3))) static void motion_h5_refuse(struct ml_h5 *h5,
                                                                   const char *format, ...)
{
    enum { LONGEST = 600 };
    char text[LONGEST];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(text, sizeof text, format, args);
    va_end(args);
    ml_h5_fail(h5, ML_E_INPUT, text);
}

/* A dataset of the trajectories; -1 if it is not kept. */
static hid_t motion_h5_find(struct ml_motion_h5 *r, const char *name)
{
    char path[ML_NAME_LENGTH];
    (void)snprintf(path, sizeof path, "/study/trajectories/%s", name);
    return ml_h5_find_dataset(&r->h5, r->file, path);
}

static void open_file(struct ml_motion_h5 *r)
{
    struct ml_h5 *h5 = &r->h5;
    r->file = ml_result_h5_open(h5, false);
    const struct ml_shard shard = ml_result_h5_shard(h5, r->file).shard;
    if (h5->status != ML_OK)
        return;
    if (shard.count > 1)
        motion_h5_refuse(h5, "is shard %lld of %lld; merge the shards first",
                         (long long)shard.index, (long long)shard.count);
    else if (!ml_h5_has(r->file, "/study/trajectories"))
        motion_h5_refuse(h5, "keeps no trajectories; a run saves them with "
                             "`save: {trajectory: {every: 1, quantities: [angle, rate]}}`");
    r->dataset[ML_MOTION_ANGLE] = motion_h5_find(r, "angle");
    if (h5->status == ML_OK && r->dataset[ML_MOTION_ANGLE] < 0)
        motion_h5_refuse(h5, "keeps no angles; name `angle` among save.trajectory.quantities");
    r->dataset[ML_MOTION_RATE] = motion_h5_find(r, "rate");
    r->dataset[ML_MOTION_ACCELERATION] = motion_h5_find(r, "acceleration");
    for (int q = ML_MOTION_BASE; q < ML_N_MOTION; q++)
        r->dataset[q] = -1; /* the base of a run stays */
}

/* The word that a study's text has at a key of the system; NULL if it has none. */
static const char *motion_h5_word(const struct ml_node *root, const char *key)
{
    const struct ml_node *node = ml_node_find(ml_node_find(root, "system"), key);
    return node && node->kind == ML_NODE_SCALAR ? node->text : NULL;
}

/* Angles mean the same in the result and in the study: the words of their systems are the same. */
static void check_coordinates(struct ml_motion_h5 *r, const struct ml_study *study)
{
    const struct ml_ensemble *e = &study->ensemble;
    struct ml_pool pool = {0};
    char *resolved = ml_h5_read_text(&r->h5, r->file, "/study/resolved");
    const size_t length = resolved ? strlen(resolved) : 0;
    struct ml_problems problems = {
        .pool = &pool, .name = r->h5.path, .text = resolved, .length = length};
    const struct ml_node *root = resolved ? ml_yaml_read(resolved, length, 0, &problems) : NULL;
    for (int i = 0; resolved && i < e->model.system->tables.n_choice; i++) {
        const struct ml_choice *choice = &e->model.system->tables.choices[i];
        const char *own = choice->values[e->model.choice[i]];
        const char *word = motion_h5_word(root, choice->name);
        if (!choice->group && !(word && strcmp(word, own) == 0)) /* a body says nothing of angles */
            motion_h5_refuse(&r->h5,
                             "its angles differ from the study's, which has `%s: %s` in `system`",
                             choice->name, own);
    }
    ml_pool_free(&pool);
    free(resolved);
}

static void read_times(struct ml_motion_h5 *r, struct ml_motions *out)
{
    hid_t id = motion_h5_find(r, "time");
    struct ml_extent extent = id >= 0 ? ml_h5_extent(&r->h5, id) : (struct ml_extent){0};
    if (extent.rank != 1 || extent.size[0] == 0) {
        motion_h5_refuse(&r->h5, "has no times");
        return;
    }
    out->n_time = (int64_t)extent.size[0];
    out->time = ml_pool_take(&out->pool, (size_t)out->n_time, sizeof(double));
    if (out->time)
        ml_h5_read_range(&r->h5, id, &extent, H5T_NATIVE_DOUBLE, 0, extent.size[0], out->time);
    for (int64_t k = 1; out->time && k < out->n_time; k++)
        if (!(out->time[k] > out->time[k - 1])) {
            motion_h5_refuse(&r->h5, "time %lld is not after the time before", (long long)k);
            return;
        }
    (void)H5Dclose(id);
}

/* Which of the file's segments is the study's i-th. */
static void match_segment(struct ml_motion_h5 *r, const struct ml_study *study, int i,
                          char *const *names)
{
    struct ml_nearest nearest = ml_nearest_any(study->spec.segment_names[i]);
    for (int k = 0; k < study->ensemble.model.n; k++) {
        ml_nearest_offer(&nearest, names[k]);
        if (strcmp(names[k], study->spec.segment_names[i]) == 0) {
            r->segment[i] = k;
            return;
        }
    }
    motion_h5_refuse(&r->h5, "has no segment `%s`; the nearest is `%s`",
                     study->spec.segment_names[i], nearest.best ? nearest.best : "");
}

static void match_segments(struct ml_motion_h5 *r, const struct ml_study *study,
                           struct ml_motions *out)
{
    hid_t id = motion_h5_find(r, "segment");
    struct ml_extent extent = ml_h5_extent(&r->h5, id);
    if (r->h5.status == ML_OK && (extent.rank != 1 || extent.size[0] != (unsigned long long)out->n))
        motion_h5_refuse(&r->h5, "has motions of %llu segments, but the study has %d",
                         extent.rank == 1 ? extent.size[0] : 0, out->n);
    char **names = ml_h5_read_texts(&r->h5, id, (unsigned long long)out->n);
    r->segment = ml_pool_take(&out->pool, (size_t)out->n, sizeof *r->segment);
    for (int i = 0; names && r->segment && r->h5.status == ML_OK && i < out->n; i++)
        match_segment(r, study, i, names);
    ml_h5_free_texts((unsigned long long)out->n, names);
    (void)H5Dclose(id);
}

static void check_shapes(struct ml_motion_h5 *r, const struct ml_motions *out)
{
    for (int q = 0; q < ML_N_MOTION && r->h5.status == ML_OK; q++) {
        if (r->dataset[q] < 0)
            continue;
        struct ml_extent extent = ml_h5_extent(&r->h5, r->dataset[q]);
        if (extent.rank != 3 || extent.size[0] != (unsigned long long)r->n_saved ||
            extent.size[1] != (unsigned long long)out->n ||
            extent.size[2] != (unsigned long long)out->n_time)
            motion_h5_refuse(&r->h5, "%s is not of shape [run, segment, time]",
                             ml_motion_name((enum ml_motion_row)q));
    }
}

/* The saved runs, or the one that is wanted. */
static void choose_runs(struct ml_motion_h5 *r, int64_t run, struct ml_motions *out)
{
    hid_t id = motion_h5_find(r, "run");
    struct ml_extent extent = ml_h5_extent(&r->h5, id);
    const int64_t n = r->n_saved = extent.rank == 1 ? (int64_t)extent.size[0] : 0;
    int64_t *saved = ml_pool_take(&out->pool, (size_t)n, sizeof *saved);
    out->run = ml_pool_take(&out->pool, (size_t)n, sizeof *out->run);
    r->index = ml_pool_take(&out->pool, (size_t)n, sizeof *r->index);
    if (!saved || !out->run || !r->index)
        return;
    ml_h5_read_range(&r->h5, id, &extent, H5T_NATIVE_INT64, 0, (unsigned long long)n, saved);
    (void)H5Dclose(id);
    for (int64_t i = 0; i < n; i++)
        if (run < 0 || saved[i] == run) {
            out->run[out->n_motion] = saved[i];
            r->index[out->n_motion++] = i;
        }
    if (n == 0)
        motion_h5_refuse(&r->h5, "keeps the trajectory of no run");
    else if (out->n_motion == 0)
        motion_h5_refuse(
            &r->h5, "keeps no trajectory of run %lld; there are %lld, from run %lld to run %lld",
            (long long)run, (long long)n, (long long)saved[0], (long long)saved[n - 1]);
}

/* The checksums that the result keeps of the trajectories of the motions. */
static void read_checksums(struct ml_motion_h5 *r, enum ml_motion_row row, struct ml_motions *out)
{
    const struct ml_extent extent = {.rank = 1, .size = {(unsigned long long)r->n_saved}};
    char path[ML_NAME_LENGTH];
    (void)snprintf(path, sizeof path, "/study/trajectories/checksums/%s", ml_motion_name(row));
    uint64_t *saved = ml_pool_take(&out->pool, (size_t)r->n_saved, sizeof *saved);
    r->sums[row] = ml_pool_take(&out->pool, (size_t)out->n_motion, sizeof *r->sums[row]);
    if (!saved || !r->sums[row])
        return;
    hid_t id = ml_h5_open_dataset(&r->h5, r->file, path);
    ml_h5_read_range(&r->h5, id, &extent, H5T_NATIVE_UINT64, 0, extent.size[0], saved);
    for (int64_t i = 0; i < out->n_motion; i++)
        r->sums[row][i] = saved[r->index[i]];
    (void)H5Dclose(id);
}

/* Buffer and checksums for ml_motion_h5_read. */
static void prepare_reading(struct ml_motion_h5 *r, struct ml_motions *out)
{
    r->trajectory =
        ml_pool_take(&out->pool, (size_t)out->n * (size_t)out->n_time, sizeof *r->trajectory);
    for (int q = 0; q < ML_N_MOTION; q++)
        if (r->dataset[q] >= 0)
            read_checksums(r, (enum ml_motion_row)q, out);
}

enum ml_status ml_motion_h5_open(const struct ml_study *study, const char *path, int64_t run,
                                 struct ml_motions *out, struct ml_error *err)
{
    struct ml_motion_h5 *r = out->h5 = calloc(1, sizeof *r);
    if (!r)
        return ML_E_MEMORY;
    r->file = -1;
    ml_h5_begin(&r->h5, path, err);
    open_file(r);
    if (r->h5.status == ML_OK)
        check_coordinates(r, study);
    if (r->h5.status == ML_OK)
        read_times(r, out);
    if (r->h5.status == ML_OK)
        match_segments(r, study, out);
    if (r->h5.status == ML_OK)
        choose_runs(r, run, out);
    if (r->h5.status == ML_OK)
        check_shapes(r, out);
    if (r->h5.status == ML_OK)
        prepare_reading(r, out);
    ml_h5_need(&r->h5, !out->pool.is_short);
    for (int q = 0; q < ML_N_MOTION; q++)
        out->is_given[q] = r->dataset[q] >= 0;
    ml_h5_leave(&r->h5);
    return r->h5.status;
}

void ml_motion_h5_close(struct ml_motion_h5 *h5)
{
    if (!h5)
        return;
    ml_h5_enter(&h5->h5);
    ml_h5_close(&h5->h5, h5->file);
    (void)ml_h5_end(&h5->h5);
    free(h5);
}

/* A run that ended early has no numbers from there on. */
static void check_numbers(struct ml_motion_h5 *r, const struct ml_motions *m, int64_t i,
                          enum ml_motion_row q, const double *row)
{
    for (int64_t k = 0; k < m->n_time; k++)
        if (!isfinite(row[k])) {
            motion_h5_refuse(
                &r->h5, "run %lld has no finite %s from t = %g s on; choose another run with --run",
                (long long)m->run[i], ml_motion_name(q), m->time[k]);
            return;
        }
}

/* Reads one trajectory, [segment of the file][time], and compares it with its checksum. */
static void read_trajectory(struct ml_motion_h5 *r, const struct ml_motions *m, int64_t i,
                            enum ml_motion_row q)
{
    const struct ml_extent start = {.rank = 3, .size = {(unsigned long long)r->index[i], 0, 0}};
    const struct ml_extent count = {
        .rank = 3, .size = {1, (unsigned long long)m->n, (unsigned long long)m->n_time}};
    const size_t size = (size_t)m->n * (size_t)m->n_time * sizeof *r->trajectory;
    ml_h5_read_box(&r->h5, r->dataset[q], H5T_NATIVE_DOUBLE, &start, NULL, &count, r->trajectory);
    if (r->h5.status == ML_OK && XXH3_64bits(r->trajectory, size) != r->sums[q][i])
        r->h5.status =
            ml_fail(r->h5.err, ML_E_FILE, "%s: %s of run %lld: the checksum does not match",
                    r->h5.path, ml_motion_name(q), (long long)m->run[i]);
}

/* Reads a row in the study's order of segments; refuses numbers that are not finite. */
static void motion_h5_read_row(struct ml_motion_h5 *r, const struct ml_motions *m, int64_t i,
                               enum ml_motion_row q, double *row)
{
    const size_t n_time = (size_t)m->n_time;
    read_trajectory(r, m, i, q);
    for (int s = 0; s < m->n && r->h5.status == ML_OK; s++) {
        memcpy(row + (size_t)s * n_time, r->trajectory + (size_t)r->segment[s] * n_time,
               n_time * sizeof *row);
        check_numbers(r, m, i, q, row + (size_t)s * n_time);
    }
}

enum ml_status ml_motion_h5_read(const struct ml_motions *motions, int64_t i,
                                 double *const rows[ML_N_MOTION], struct ml_error *err)
{
    struct ml_motion_h5 *r = motions->h5;
    ml_h5_enter(&r->h5); /* threads that read take turns */
    r->h5.err = err;
    for (int q = 0; q < ML_N_MOTION && r->h5.status == ML_OK; q++)
        if (r->dataset[q] >= 0)
            motion_h5_read_row(r, motions, i, (enum ml_motion_row)q, rows[q]);
    const enum ml_status status = r->h5.status;
    r->h5.status = ML_OK; /* the others can be read all the same */
    ml_h5_leave(&r->h5);
    return status;
}

/* Memory for the given rows of a motion, at `rows`, to be freed; NULL without memory. */
static double *take_rows(const struct ml_motions *m, double *rows[ML_N_MOTION])
{
    const size_t n = (size_t)m->n * (size_t)m->n_time;
    double *memory = calloc(ML_N_MOTION * n, sizeof *memory);
    for (int q = 0; memory && q < ML_N_MOTION; q++)
        rows[q] = memory + (size_t)q * n;
    return memory;
}

/* How the run of each motion ended, as enum ml_outcome. */
static enum ml_status motion_h5_read_outcomes(const struct ml_motions *m, int8_t *outcome,
                                              struct ml_error *err)
{
    struct ml_motion_h5 *r = m->h5;
    unsigned long long n_run;
    r->h5.err = err;
    ml_h5_enter(&r->h5);
    hid_t id = ml_result_h5_outcomes(&r->h5, r->file, &n_run);
    int8_t *all = calloc((size_t)n_run + 1, sizeof *all);
    if (ml_h5_need(&r->h5, all))
        ml_result_h5_read_outcomes(&r->h5, id, n_run, 0, n_run, all);
    for (int64_t i = 0; all && i < m->n_motion && r->h5.status == ML_OK; i++)
        outcome[i] = (int8_t)((unsigned long long)m->run[i] < n_run ? all[m->run[i]] : ML_MISSING);
    free(all);
    (void)H5Dclose(id);
    ml_h5_leave(&r->h5);
    return r->h5.status;
}

enum ml_status ml_motion_h5_check(const struct ml_motions *motions, struct ml_error *err)
{
    double *rows[ML_N_MOTION], *memory = take_rows(motions, rows);
    int8_t *outcome = calloc((size_t)motions->n_motion, sizeof *outcome);
    if (!memory || !outcome) {
        free(outcome);
        free(memory);
        return ML_E_MEMORY;
    }
    enum ml_status status = motion_h5_read_outcomes(motions, outcome, err);
    for (int64_t i = 0; i < motions->n_motion && status == ML_OK; i++)
        if (outcome[i] != ML_FINISHED)
            status = ml_motion_h5_read(motions, i, rows, err);
    free(outcome);
    free(memory);
    return status;
}

const uint64_t *ml_motion_h5_checksums(const struct ml_motions *motions, enum ml_motion_row row)
{
    const struct ml_motion_h5 *r = motions->h5;
    return r->sums[row];
}

const int *ml_motion_h5_segments(const struct ml_motions *motions)
{
    const struct ml_motion_h5 *r = motions->h5;
    return r->segment;
}

enum ml_status ml_motion_h5_swept(const struct ml_motions *motions, const char *path,
                                  double *values, struct ml_error *err)
{
    struct ml_motion_h5 *r = motions->h5;
    r->h5.err = err;
    ml_h5_enter(&r->h5);
    hid_t runs = ml_h5_find_group(&r->h5, r->file, "/study/runs");
    hid_t id = ml_h5_find_dataset(&r->h5, runs, path);
    const struct ml_extent extent = id >= 0 ? ml_h5_extent(&r->h5, id) : (struct ml_extent){0};
    const unsigned long long n = extent.rank == 1 ? extent.size[0] : 0;
    double *all = calloc((size_t)n + 1, sizeof *all);
    if (ml_h5_need(&r->h5, all) && n > 0)
        ml_h5_read_range(&r->h5, id, &extent, H5T_NATIVE_DOUBLE, 0, n, all);
    for (int64_t i = 0; all && i < motions->n_motion; i++)
        values[i] = (unsigned long long)motions->run[i] < n ? all[motions->run[i]] : (double)NAN;
    free(all);
    (void)H5Dclose(id);
    (void)H5Gclose(runs);
    ml_h5_leave(&r->h5);
    return r->h5.status;
}
