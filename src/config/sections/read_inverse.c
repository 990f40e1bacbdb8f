/* How inverse dynamics treats measured motions, and which datasets it keeps: the key `inverse`. */
#include "config/sections/inverse_sets.h"
#include "config/sections/sections.h"

/* Marks a dataset as wanted. */
static void keep_one(struct ml_reader *r, const struct ml_node *node, unsigned *kept)
{
    int set = -1;
    const struct ml_keys keys = ml_schema_keys(r->pool, ML_SCOPE_INVERSE, NULL, NULL);
    if (!ml_read_one_word(r, node, ml_keys_find(&keys, "keep"), &set) || set < 0)
        return;
    if (*kept >> set & 1)
        ml_problem(&r->problems, node->location, "`%s` is named twice", node->text);
    *kept |= 1u << set;
}

static void read_kept(struct ml_reader *r, const struct ml_node *node)
{
    const bool is_list = node && node->kind == ML_NODE_LIST;
    if (node && !is_list)
        keep_one(r, node, &r->spec->inverse.outputs.kept);
    if (is_list && node->n_child == 0)
        ml_problem(&r->problems, node->location,
                   "keep is empty; for the torque alone give `torque`");
    for (const struct ml_node *child = is_list ? node->first : NULL; child; child = child->next)
        keep_one(r, child, &r->spec->inverse.outputs.kept);
}

/* Reports kept datasets of cycles in a study without cycles. */
static void check_kept(struct ml_reader *r, const struct ml_node *node)
{
    for (int set = 0; set < ML_N_JOINT_SET; set++)
        if ((r->spec->inverse.outputs.kept >> set & 1) && ml_inverse_set_is_of_cycles(set) &&
            !ml_node_find(node, "cycles"))
            ml_problem(&r->problems, ml_node_find(node, "keep")->location,
                       "keep names `%s`, but `inverse` has no `cycles`",
                       ml_inverse_word(NULL, set).text);
}

void ml_read_inverse(struct ml_reader *r, const struct ml_node *node)
{
    struct ml_smoothing *smoothing = &r->spec->inverse.smoothing;
    const struct ml_node *filter = ml_node_find_kind(node, "filter", ML_NODE_MAP);
    const struct ml_node *spline = ml_node_find_kind(node, "spline", ML_NODE_MAP);
    const struct ml_node *report = ml_node_find_kind(node, "report", ML_NODE_MAP);
    const int before = r->problems.count;
    r->spec->inverse.outputs.from = r->spec->inverse.outputs.to = (double)NAN;
    if (!node || !r->system)
        return;
    ml_read_scope(r, node, ML_SCOPE_INVERSE, r->spec);
    read_kept(r, ml_node_find(node, "keep"));
    check_kept(r, node);
    if (filter)
        ml_read_scope(r, filter, ML_SCOPE_FILTER, r->spec);
    if (filter && r->problems.count == before)
        smoothing->location = ml_read_location(filter, "cutoff");
    else
        smoothing->order = 0;
    if (spline)
        ml_read_scope(r, spline, ML_SCOPE_SPLINE, r->spec);
    if (report)
        ml_read_scope(r, report, ML_SCOPE_REPORTED, r->spec);
    ml_read_cycles(r, ml_node_find_kind(node, "cycles", ML_NODE_MAP));
    if (r->spec->inverse.outputs.to <= r->spec->inverse.outputs.from)
        ml_problem(&r->problems, ml_read_location(report, "to"),
                   "to is %g but must be greater than from, %g s", r->spec->inverse.outputs.to,
                   r->spec->inverse.outputs.from);
    if (!r->system->tables.segment_params)
        ml_problem(&r->problems, node->key_location,
                   "system `%s` has no segments to move; leave `inverse` out", r->system->name);
    if (spline && smoothing->order > 0 && smoothing->is_validated)
        ml_problem(&r->problems, spline->key_location,
                   "smoothing gcv estimates the noise as measured, but a filter removes part of "
                   "that noise; leave `filter` or `spline` out");
}
