/* A sample: runs at points drawn from ranges. */
#include <string.h>

#include "config/sections.h"
#include "design/sobol.h"

/* Reports a range without ends. */
static bool has_ends(struct ml_reader *r, const struct ml_node *node)
{
    static const char *const needed[] = {"from", "to"};
    int n_missing = 0;
    for (int i = 0; i < 2; i++)
        if (!ml_node_find(node, needed[i])) {
            ml_problem(&r->problems, node->location,
                       "key `%s` is missing: a range has from and to, or scale_by", needed[i]);
            n_missing++;
        }
    return n_missing == 0;
}

/* Reports `continue` in a sample. */
static bool sample_continues(struct ml_reader *r, const struct ml_node *node)
{
    const struct ml_node *found = ml_node_find(node, "continue");
    if (found)
        ml_problem(&r->problems, found->key_location,
                   "cannot continue runs of a sample: the points have no order; write `sweep: "
                   "[{set: ..., from: ..., to: ..., count: ..., continue: ...}]` in "
                   "place of `sample`, or leave `continue` out");
    return found != NULL;
}

/* One range: the keys that it moves, which follow one random number. NULL after telling.
 *   n  their number */
static struct ml_swept *read_sample_range(struct ml_reader *r, const struct ml_node *node, int *n)
{
    static const char *const of_range[] = {"from", "to", "scale"};
    struct ml_axis range = {0};
    const int before = r->problems.count;
    if (!ml_read_is_map(r, node, "a range must be a map such as {set: ..., from: ..., to: ...}"))
        return NULL;
    if (sample_continues(r, node))
        return NULL;
    ml_read_scope(r, node, ML_SCOPE_OVER, &range);
    const struct ml_node *set = ml_node_find(node, "set");
    const struct ml_node *factor = ml_node_find_kind(node, "scale_by", ML_NODE_MAP);
    const struct ml_node *ends = factor ? factor : node;
    struct ml_swept *swept = set ? ml_read_set(r, set, n) : NULL;
    if (factor) {
        ml_read_excluded(r, node, "scale_by", of_range, 3);
        ml_read_scope(r, factor, ML_SCOPE_OVER_FACTOR, &range);
    }
    if (!swept || r->problems.count > before || !has_ends(r, ends) ||
        (factor && !ml_read_weights(r, set, swept, *n)) ||
        !ml_read_ends(r, set, ends, &range, factor != NULL, swept, *n))
        return NULL;
    if (!(range.from < range.to)) {
        ml_problem(&r->problems, ml_read_location(ends, "to"), "to must be greater than from");
        return NULL;
    }
    for (int i = 0; i < *n; i++) {
        swept[i].is_log = range.is_log;
        swept[i].is_factor = factor != NULL;
    }
    return swept;
}

/* Appends the keys of one range. */
static void append(struct ml_reader *r, struct ml_axis *axis, const struct ml_swept *swept, int n,
                   int dimension)
{
    struct ml_swept *all =
        ml_pool_take(r->spec->pool, (size_t)axis->n_swept + (size_t)n, sizeof *all);
    if (!all)
        return;
    if (axis->n_swept > 0)
        memcpy(all, axis->swept, (size_t)axis->n_swept * sizeof *all);
    for (int i = 0; i < n; i++) {
        all[axis->n_swept + i] = swept[i];
        all[axis->n_swept + i].dimension = dimension;
    }
    axis->swept = all;
    axis->n_swept += n;
}

void ml_read_sample(struct ml_reader *r, const struct ml_node *node)
{
    struct ml_study_spec *spec = r->spec;
    const struct ml_node *over = ml_node_find_kind(node, "over", ML_NODE_LIST);
    ml_read_scope(r, node, ML_SCOPE_SAMPLE, spec);
    int n = over ? over->n_child : 0;
    if (over && n == 0)
        ml_problem(&r->problems, over->location, "over is empty; name one range at least");
    if (spec->sampling == ML_SOBOL && n > ML_SOBOL_DIMENSIONS)
        ml_problem(&r->problems, over->location, "over has %d ranges but method sobol can take %d",
                   n, (int)ML_SOBOL_DIMENSIONS);
    spec->axes = ml_pool_take(spec->pool, 1, sizeof *spec->axes);
    if (n == 0 || !spec->axes)
        return;
    *spec->axes = (struct ml_axis){
        .name = ml_pool_text(spec->pool, "sample", 6), .kind = ML_AXIS_EACH, .count = spec->n_run};
    spec->n_axis = 1;
    int i = 0, n_key = 0;
    for (const struct ml_node *child = over->first; child; child = child->next, i++) {
        const struct ml_swept *swept = read_sample_range(r, child, &n_key);
        if (swept)
            append(r, spec->axes, swept, n_key, i);
    }
    ml_read_hidden(r);
}
