/* How inverse dynamics treats measured motions: the key `inverse`. */
#include "config/sections.h"

void ml_read_inverse(struct ml_reader *r, const struct ml_node *node)
{
    struct ml_smoothing *smoothing = &r->spec->smoothing;
    const struct ml_node *filter = ml_node_find_kind(node, "filter", ML_NODE_MAP);
    const struct ml_node *spline = ml_node_find_kind(node, "spline", ML_NODE_MAP);
    const int before = r->problems.count;
    if (!node || !r->system)
        return;
    ml_read_scope(r, node, ML_SCOPE_INVERSE, r->spec);
    if (filter)
        ml_read_scope(r, filter, ML_SCOPE_FILTER, r->spec);
    if (filter && r->problems.count == before)
        smoothing->location = ml_read_location(filter, "cutoff");
    else
        smoothing->order = 0;
    if (spline)
        ml_read_scope(r, spline, ML_SCOPE_SPLINE, r->spec);
    if (!r->system->segment_params)
        ml_problem(&r->problems, node->key_location,
                   "system `%s` has no segments to move; leave `inverse` out", r->system->name);
    if (spline && smoothing->order > 0 && smoothing->is_validated)
        ml_problem(&r->problems, spline->key_location,
                   "smoothing gcv takes noise as it was measured, and a filter takes some of it "
                   "away; leave `filter` or `spline` out");
}
