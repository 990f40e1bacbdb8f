/* Results of shards joined: their blocks are put into the store of the whole study, as if they had
 * been computed here. */
#include <assert.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/numeric_env.h"
#include "base/path.h"
#include "base/sized.h"
#include "base/text.h"
#include "engine/team/team.h"
#include "manylink/fail.h"
#include "manylink/merge.h"
#include "plan/study_id.h"
#include "run/finish.h"
#include "run/restore.h"
#include "store/result.h"
#include "store/result_h5.h"

/* One merging. */
struct merging {
    const struct ml_merge_options *options;
    struct ml_restored of; /* all inputs */
    char *study_path, *overrides;
    struct ml_shard *shards; /* [n_input] */
    int *input;              /* [n_block] which input has it; -1: none */
    int64_t n_block;
    struct overlap {
        int first, second; /* inputs */
    } overlap;             /* the first one */
    int n_overlap;         /* inputs that have a block of one before them */
    char *missing;         /* text that names lost shards or blocks; "": none was lost */
};

static void notice(const struct merging *m, const char *format, const char *a, const char *b)
{
    char *text = m->options->notice ? ml_path(format, a, b) : NULL;
    if (text)
        m->options->notice(m->options->context, text);
    free(text);
}

/* Notes which blocks an input has. */
static void cover(struct merging *m, int i)
{
    bool is_new = true;
    for (int64_t j = 0; j < ml_shard_blocks(m->shards[i], m->n_block); j++) {
        int *input = &m->input[ml_shard_block(m->shards[i], j)];
        if (*input >= 0 && is_new && m->shards[i].count > 1 && m->shards[*input].count > 1) {
            m->overlap = m->n_overlap++ == 0 ? (struct overlap){*input, i} : m->overlap;
            is_new = false;
        }
        *input = *input < 0 ? i : *input;
    }
}

static void report_overlaps(const struct merging *m)
{
    char more[64] = "";
    if (m->n_overlap == 0)
        return;
    if (m->n_overlap > 1)
        (void)snprintf(more, sizeof more, ", and so do %d more with files before them",
                       m->n_overlap - 1);
    char *text = ml_path("%s overlap%s; a block of several is taken from the first",
                         m->options->inputs[m->overlap.second], more);
    if (text)
        notice(m, "%s and %s", m->options->inputs[m->overlap.first], text);
    free(text);
}

/* The study of the first input, and room for all. */
static enum ml_status merge_begin(struct merging *m, const struct ml_origin *origin,
                                  struct ml_error *err)
{
    const struct ml_merge_options *o = m->options;
    const struct ml_restoring how = {o->study, o->plugin, o->no_native, o->motion};
    enum ml_status status = ml_restore_result(o->inputs[0], origin, &how, &m->of, err);
    if (status != ML_OK)
        return status;
    m->study_path = ml_path("%s", o->study ? o->study : origin->study ? origin->study : "");
    m->overrides = origin->overrides ? ml_path("%s", origin->overrides) : NULL;
    m->n_block = ml_ensemble_blocks(&m->of.shape->ensemble);
    m->shards = calloc((size_t)o->n_input, sizeof *m->shards);
    m->input = malloc((size_t)m->n_block * sizeof *m->input);
    if (!m->study_path || (origin->overrides && !m->overrides) || !m->shards || !m->input)
        return ML_E_MEMORY;
    for (int64_t b = 0; b < m->n_block; b++)
        m->input[b] = -1;
    return ML_OK;
}

/* Blocks of another size would be put under other runs. */
static enum ml_status check_sizes(const struct merging *m, const char *path,
                                  const struct ml_origin *origin, struct ml_error *err)
{
    const struct ml_ensemble *e = &m->of.shape->ensemble;
    if (origin->shard.count == 1 ||
        (origin->block_runs == e->block_runs && origin->n_run == e->n_run))
        return ML_OK;
    return ml_fail(err, ML_E_OTHER_STUDY,
                   "%s: cannot join its blocks: %lld of %lld runs each, and here %lld of %lld",
                   path, (long long)origin->block_runs, (long long)origin->n_run,
                   (long long)e->block_runs, (long long)e->n_run);
}

/* Whether an input has the common study although their texts differ: older versions wrote derived
 * values into the text, newer ones below `derived`. */
static bool is_older(const struct merging *m, const char *path, const struct ml_origin *origin)
{
    const struct ml_merge_options *o = m->options;
    const struct ml_restoring how = {o->study, o->plugin, o->no_native, NULL};
    struct ml_study *study;
    struct ml_error unread = {0};
    const bool is_same = ml_restore(path, origin, &how, &study, &unread) == ML_OK &&
                         ml_study_id_check(path, m->of.study->resolved, study, "", NULL) == ML_OK;
    ml_error_clear(&unread);
    ml_study_free(study);
    return is_same;
}

static enum ml_status check_study(const struct merging *m, const char *path,
                                  const struct ml_origin *origin, struct ml_error *err)
{
    const bool is_same = ml_study_id_check(path, origin->resolved, m->of.study, "", NULL) == ML_OK;
    if (is_same)
        return ml_study_id_check_derived(path, origin->resolved, m->of.study,
                                         "Only shards with the same can be merged", err);
    return is_older(m, path, origin)
               ? ML_OK
               : ml_study_id_check(path, origin->resolved, m->of.study,
                                   "Only shards of one study can be merged", err);
}

/* Reads study and shard from every input. */
static enum ml_status read_inputs(struct merging *m, struct ml_error *err)
{
    enum ml_status status = ML_OK;
    for (int i = 0; i < m->options->n_input && status == ML_OK; i++) {
        const char *path = m->options->inputs[i];
        struct ml_origin origin;
        status = ml_origin_read(&origin, path, err);
        if (status == ML_OK && i == 0)
            status = merge_begin(m, &origin, err);
        if (status == ML_OK)
            status = ml_restored_check_motion(&m->of, path, &origin,
                                              "Only shards of one study can be merged", err);
        if (status == ML_OK)
            status = check_study(m, path, &origin, err);
        if (status == ML_OK)
            status = check_sizes(m, path, &origin, err);
        if (status == ML_OK) {
            m->shards[i] = origin.shard;
            cover(m, i);
        }
        ml_origin_free(&origin);
    }
    return status;
}

static bool is_missing_block(const void *context, int64_t block)
{
    const struct merging *m = context;
    return m->input[block] < 0;
}

static bool is_missing_shard(const void *context, int64_t index)
{
    const struct merging *m = context;
    const struct ml_shard shard = {index, m->shards[0].count};
    return ml_shard_blocks(shard, m->n_block) > 0 &&
           is_missing_block(context, ml_shard_block(shard, 0));
}

/* Whether all inputs are shards of as many: then it is shards that are missing, else blocks. */
static bool are_alike(const struct merging *m)
{
    for (int i = 0; i < m->options->n_input; i++)
        if (m->shards[i].count != m->shards[0].count)
            return false;
    return m->shards[0].count > 1;
}

/* --restart must not discard an input. */
static enum ml_status check_restart(const struct merging *m, struct ml_error *err)
{
    for (int i = 0; m->options->restart && i < m->options->n_input; i++)
        if (ml_path_is_same(m->options->inputs[i], m->options->output))
            return ml_fail(err, ML_E_INPUT,
                           "cannot merge into %s: --restart would discard this input; give another "
                           "name with -o",
                           m->options->output);
    return ML_OK;
}

/* An error, or a notice, about missing shards. */
static enum ml_status check_missing(struct merging *m, struct ml_error *err)
{
    assert(m->shards && m->input);
    const bool is_shards = are_alike(m);
    const int64_t n = is_shards ? m->shards[0].count : m->n_block;
    char *missing = ml_ranges(n, is_shards ? is_missing_shard : is_missing_block, m);
    enum ml_status status = ML_OK;
    if (missing)
        m->missing = *missing ? ml_path("%s missing of %lld: %s", is_shards ? "shards" : "blocks",
                                        (long long)n, missing)
                              : ml_path("%s", "");
    if (!m->missing)
        status = ML_E_MEMORY;
    else if (*m->missing && m->of.is_inverse)
        status =
            ml_fail(err, ML_E_FILE,
                    "%s: %s; results of inverse dynamics are merged once all of them are there",
                    m->options->output, m->missing);
    else if (*m->missing && !m->options->partial)
        status = ml_fail(err, ML_E_FILE, "%s: %s; --partial makes a result without them",
                         m->options->output, m->missing);
    else if (*m->missing)
        notice(m, "%s%s", m->missing, "");
    free(missing);
    return status;
}

/* Numbers that an older version computed by another definition keep their description. */
static void keep_definitions(const struct merging *m, const char *path,
                             const struct ml_source *source)
{
    struct ml_study *study = m->of.study;
    for (int o = 0; !m->of.is_inverse && o < study->results.n_output; o++) {
        struct ml_output *output = &study->results.outputs[o];
        const char *older = source->older[o];
        if (!older || strcmp(output->doc, older) == 0)
            continue;
        notice(m, "%s: %s follows the definition of an older version", path, output->name);
        older = ml_pool_text(&study->pool, older, strlen(older));
        output->doc = older ? older : output->doc;
    }
}

/* Puts the blocks of a result that are not there yet. */
static enum ml_status write_result(struct merging *m, const char *path, struct ml_shard shard,
                                   const struct ml_sink *sink, struct ml_error *err)
{
    struct ml_source source;
    if (ml_shard_blocks(shard, m->n_block) == 0)
        return ML_OK;
    enum ml_status status = ml_source_open(&source, path, m->of.kind, m->of.shape, shard, err);
    if (status == ML_OK)
        keep_definitions(m, path, &source);
    for (int64_t j = 0; status == ML_OK && j < source.layout.n_block; j++) {
        const int64_t block = ml_layout_block(&source.layout, j);
        if (sink->has(sink->context, block))
            continue;
        if (ml_stop_level((struct ml_stop){m->options->stop, m->options->context}) > 0) {
            status = ml_fail(err, ML_STOPPED, "stopped at %s", path);
            break;
        }
        status = ml_source_read(&source, block, err);
        if (status == ML_OK && source.block.outcome[0] != ML_MISSING) /* a partial result itself */
            status = sink->put(sink->context, &source.block, err);
    }
    ml_source_close(&source);
    return status;
}

static enum ml_status write_all(struct merging *m, struct ml_store *store, struct ml_error *err)
{
    const struct ml_sink sink = ml_store_sink(store);
    enum ml_status status = ML_OK;
    for (int i = 0; i < m->options->n_input && status == ML_OK; i++)
        status = write_result(m, m->options->inputs[i], m->shards[i], &sink, err);
    /* The runs of a partial result must not be lost when the result is replaced. */
    if (status == ML_OK && !m->of.is_inverse && access(m->options->output, F_OK) == 0)
        status = write_result(m, m->options->output, ML_UNSHARDED, &sink, err);
    return status;
}

/* Adds the runs of a result that were computed again. */
static enum ml_status join_accuracy(const struct merging *m, const char *path,
                                    struct ml_accuracy *accuracy, struct ml_error *err)
{
    struct ml_accuracy own;
    enum ml_status status = ml_accuracy_read_file(path, &own, err);
    if (status == ML_OK && own.n > 0 && !ml_accuracy_is_of(&own, &m->of.study->ensemble))
        status =
            ml_fail(err, ML_E_FILE, "%s: /study/accuracy has other outputs than its study", path);
    if (own.is_older)
        notice(m, "%s: step errors of an older version are left out%s", path, "");
    if (status == ML_OK && own.n > 0 && !own.is_older && !ml_accuracy_join(accuracy, &own))
        status = ML_E_MEMORY;
    ml_accuracy_free(&own);
    return status;
}

static enum ml_status join_all_accuracy(const struct merging *m, struct ml_accuracy *accuracy,
                                        struct ml_error *err)
{
    const struct ml_merge_options *o = m->options;
    enum ml_status status =
        ml_accuracy_describe(accuracy, &m->of.study->ensemble) ? ML_OK : ML_E_MEMORY;
    for (int i = 0; i < o->n_input && status == ML_OK && !m->of.is_inverse; i++)
        status = join_accuracy(m, o->inputs[i], accuracy, err);
    if (status == ML_OK && !m->of.is_inverse && access(o->output, F_OK) == 0) /* as its blocks */
        status = join_accuracy(m, o->output, accuracy, err);
    return status;
}

/* From the inputs to the final file. A block that was found damaged is read again. */
static enum ml_status complete(struct merging *m, struct ml_store *store, struct ml_error *err)
{
    char began[ML_TIME_LENGTH];
    struct ml_accuracy accuracy;
    enum ml_status status = ML_OK;
    ml_provenance_time(began);
    for (int64_t n_damaged = 1; status == ML_OK && n_damaged > 0;) {
        status = write_all(m, store, err);
        if (status == ML_OK)
            status = ml_store_check(store, &n_damaged);
    }
    if (status == ML_OK && m->options->partial)
        status = ml_store_fill(store, err);
    if (status != ML_OK)
        return status;
    status = join_all_accuracy(m, &accuracy, err);
    ml_store_set_accuracy(store, &accuracy);
    ml_store_set_missing(store, *m->missing ? m->missing : NULL);
    if (status == ML_OK)
        status = ml_finish(store,
                           &(struct ml_making){m->study_path, m->overrides,
                                               m->of.study->ensemble.kernels->isa, NULL, 1, began},
                           err);
    ml_store_set_accuracy(store, NULL);
    ml_accuracy_free(&accuracy);
    return status;
}

/* Notices about torques. */
static void report_notes(const struct merging *m)
{
    const struct ml_merge_options *o = m->options;
    char *notes = ml_path("%s", m->of.task.report.notes), *state = NULL;
    for (char *line = notes ? strtok_r(notes, "\n", &state) : NULL; line && o->notice;
         line = strtok_r(NULL, "\n", &state))
        o->notice(o->context, line);
    free(notes);
}

static enum ml_status merge(struct merging *m, struct ml_merge_report *report, struct ml_error *err)
{
    const struct ml_merge_options *o = m->options;
    const struct ml_store_options how = {
        .kind = m->of.kind,
        .shard = ML_UNSHARDED,
        .restart = o->restart,
        .replaces_partial = true,
        .wait = o->wait,
        .stop = {o->stop, o->context},
        .notice = o->notice,
        .context = o->context,
    };
    struct ml_store *store;
    enum ml_store_state state;
    enum ml_status status = ml_store_open(m->of.shape, o->output, &how, &store, &state, err);
    if (status != ML_OK)
        return status;
    report->was_finished = state == ML_STORE_DONE;
    if (!report->was_finished)
        status = complete(m, store, err);
    if (status == ML_OK) {
        const struct ml_tally tally = ml_store_tally(store);
        report->runs = ml_store_runs(store);
        report->runs_missing = tally.count[ML_MISSING].runs;
        report->sound = ml_tally_report(&tally, report->n_outcome, report->outcomes);
    }
    ml_store_close(store);
    if (status == ML_OK && m->of.is_inverse)
        report_notes(m);
    return status;
}

static enum ml_status merge_all_shards(const struct ml_merge_options *options,
                                       struct ml_merge_report *report, struct ml_error *err)
{
    struct merging m = {.options = options};
    const double start = ml_clock();
    if (options->n_input < 1)
        return ml_fail(err, ML_E_INPUT, "cannot merge: no result of a shard is given");
    enum ml_status status = read_inputs(&m, err);
    if (status == ML_OK)
        report_overlaps(&m);
    if (status == ML_OK)
        status = check_restart(&m, err);
    if (status == ML_OK)
        status = check_missing(&m, err);
    if (status == ML_OK)
        status = merge(&m, report, err);
    report->seconds = ml_clock() - start;
    ml_restored_free(&m.of);
    free(m.study_path);
    free(m.overrides);
    free(m.missing);
    free(m.shards);
    free(m.input);
    return status;
}

enum ml_status ml_merge(const struct ml_merge_options *options, struct ml_merge_report *report,
                        struct ml_error *err)
{
    struct ml_merge_options own_options;
    struct ml_merge_report own_report = {0};
    enum ml_status status =
        ml_sized_read(&own_options, sizeof own_options, options, "ml_merge_options", err);
    if (status == ML_OK)
        status =
            ml_sized_check_numbers(ML_SIZED_NUMBERS({"n_input", own_options.n_input, 0, INT_MAX}),
                                   "ml_merge_options", err);
    if (status == ML_OK)
        status = ml_sized_check(report, "ml_merge_report", err);
    if (status != ML_OK)
        return status;
    const struct ml_numeric_env before = ml_numeric_env_set();
    ml_sized_begin(&own_report, offsetof(struct ml_merge_report, runs), report);
    status = merge_all_shards(&own_options, &own_report, err);
    ml_numeric_env_restore(&before);
    ml_sized_write(report, &own_report, sizeof own_report);
    return status;
}
