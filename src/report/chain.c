/* Takes the lengths of the segments from the parameters of each result, as inverse dynamics does.
 */
#include "report/parts.h"

#include <stdlib.h>
#include <string.h>

#include "base/numeric_env.h"
#include "inverse/relevant_axes.h"
#include "run/restore.h"
#include "store/opened.h"

enum { MOST_LENGTHS = 1 << 20 };

/* Results of the page: their runs, and the numbers of these; by their parameters without numbers.
 */
struct chain_items {
    int64_t n;
    double *runs; /* [n]; NULL: on the axes that count */
    struct ml_relevant_axes relevant;
};

/* The runs whose motions are in the result, if there are several motions. */
static bool chain_read_runs(struct ml_result *result, struct chain_items *items)
{
    struct ml_array_info info = {.size = sizeof info};
    struct ml_error err = {0};
    items->n = items->relevant.n_item;
    if (!ml_result_find(result, "inverse/run", &info) || info.rank != 1)
        return true;
    items->n = info.shape[0];
    items->runs = calloc((size_t)items->n + 1, sizeof *items->runs);
    const bool is_read = items->runs && ml_result_read(result, info.name, NULL, NULL, items->runs,
                                                       (size_t)items->n, &err) == ML_OK;
    ml_error_clear(&err);
    return is_read;
}

/* Run of the study with the parameters of result i. */
static int64_t chain_run(const struct chain_items *items, const struct ml_study *study, int64_t i)
{
    const int64_t run =
        items->runs ? (int64_t)items->runs[i] : ml_relevant_axes_run(&items->relevant, i);
    return run >= 0 && run < study->ensemble.n_run ? run : 0;
}

/* [results][segments] m, of one row if all are the same. */
static json_t *chain_lengths(const struct ml_study *study, const struct chain_items *items,
                             struct ml_segment_params *segments)
{
    json_t *all = json_array();
    bool is_same = true;
    for (int64_t i = 0; i < items->n; i++) {
        json_t *row = json_array();
        ml_segment_params_load(segments, &study->ensemble, chain_run(items, study, i));
        for (int k = 0; k < segments->n; k++)
            (void)json_array_append_new(row, json_real(segments->length[k]));
        (void)json_array_append_new(all, row);
        is_same = is_same && json_equal(row, json_array_get(all, 0)) != 0;
    }
    for (size_t i = json_array_size(all); is_same && i > 1; i--)
        (void)json_array_remove(all, i - 1);
    return all;
}

static json_t *chain_describe(struct ml_result *result, struct ml_study *study, bool is_own_motion)
{
    struct chain_items items = {0};
    struct ml_segment_params segments = {0};
    json_t *chain = NULL;
    if (ml_segment_params_are_of(study->ensemble.model.system) &&
        ml_relevant_axes_init(&items.relevant, study, is_own_motion, &study->pool) &&
        chain_read_runs(result, &items) && items.n > 0 &&
        items.n <= MOST_LENGTHS / study->ensemble.model.n &&
        ml_segment_params_init(&segments, &study->ensemble)) {
        chain = json_object();
        (void)json_object_set_new(chain, "down", json_boolean(segments.is_down));
        (void)json_object_set_new(chain, "joint", json_boolean(segments.is_joint));
        (void)json_object_set_new(chain, "lengths", chain_lengths(study, &items, &segments));
    }
    ml_segment_params_free(&segments);
    free(items.runs);
    return chain;
}

json_t *ml_report_chain(struct ml_result *result, const struct ml_report_options *options)
{
    const struct ml_restoring how = {options->study, options->plugin, options->no_native != 0,
                                     NULL};
    struct ml_origin origin;
    struct ml_study *study = NULL;
    struct ml_error err = {0};
    json_t *chain = NULL;
    const struct ml_numeric_env before = ml_numeric_env_set();
    if (ml_origin_read(&origin, result->path, &err) == ML_OK && origin.is_inverse &&
        ml_restore(result->path, &origin, &how, &study, &err) == ML_OK)
        chain = chain_describe(result, study,
                               !origin.options || strncmp(origin.options, "motion=", 7) != 0);
    ml_error_clear(&err);
    ml_study_free(study);
    ml_origin_free(&origin);
    ml_numeric_env_restore(&before);
    return chain;
}
