/* How inverse dynamics treats measured motions: the key `inverse`. */
#include "config/sections.h"

static void read_filter(struct ml_reader *r, const struct ml_node *node)
{
    struct ml_filter_keys filter = {0};
    const int before = r->problems.count;
    if (!ml_read_is_map(r, node,
                        "a filter is a map such as {type: butterworth, order: 2, cutoff: 6}"))
        return;
    ml_read_scope(r, node, ML_SCOPE_FILTER, &filter);
    if (r->problems.count > before)
        return;
    r->spec->smoothing.order = (int)filter.order;
    r->spec->smoothing.cutoff = filter.cutoff;
    r->spec->smoothing.location = ml_read_location(node, "cutoff");
}

static void read_spline(struct ml_reader *r, const struct ml_node *node)
{
    struct ml_spline_keys spline = {0};
    if (!ml_read_is_map(r, node, "how the spline smooths is a map such as {smoothing: gcv}"))
        return;
    ml_read_scope(r, node, ML_SCOPE_SPLINE, &spline);
    r->spec->smoothing.is_validated = spline.smoothing == 1;
}

void ml_read_inverse(struct ml_reader *r, const struct ml_node *node)
{
    struct ml_inverse_keys keys = {0};
    if (!node || !r->system)
        return;
    if (!r->system->segment_params)
        ml_problem(&r->problems, node->key_location,
                   "system `%s` has no segments to move; leave `inverse` out", r->system->name);
    ml_read_scope(r, node, ML_SCOPE_INVERSE, &keys);
    if (keys.filter)
        read_filter(r, keys.filter);
    if (keys.spline)
        read_spline(r, keys.spline);
    if (keys.spline && r->spec->smoothing.order > 0 && r->spec->smoothing.is_validated)
        ml_problem(&r->problems, keys.spline->key_location,
                   "smoothing gcv takes noise as it was measured, and a filter takes some of it "
                   "away; leave `filter` or `spline` out");
}
