/* The key `require`: bounds that numbers of the summary must keep to. Names are found among the
 * outputs once the study is planned (plan/requirements.h). */
#include <math.h>
#include <string.h>

#include "config/sections/sections.h"

enum { MOST_REQUIREMENTS = 64 };

static void read_requirement(struct ml_reader *r, const struct ml_node *node,
                             struct ml_requirement *out)
{
    *out = (struct ml_requirement){.name = node->key, .below = (double)NAN, .above = (double)NAN};
    if (!ml_read_is_map(r, node, "a requirement must be a map such as {below: 0.3}"))
        return;
    const int before = r->problems.count;
    ml_read_scope(r, node, ML_SCOPE_REQUIREMENT, out);
    if (r->problems.count > before)
        return;
    if (isnan(out->below) && isnan(out->above))
        ml_problem(&r->problems, node->location,
                   "the requirement of `%s` has no bound: give `below`, `above` or both",
                   node->key);
    else if (out->above >= out->below)
        ml_problem(&r->problems, ml_read_location(node, "below"),
                   "no number is above %.10g and below %.10g: give `below` a larger number than "
                   "`above`",
                   out->above, out->below);
}

void ml_read_require(struct ml_reader *r, const struct ml_node *node)
{
    if (!node)
        return;
    const size_t n = (size_t)node->n_child;
    struct ml_requirement *out = ml_pool_take(r->spec->pool, n + 1, sizeof *out);
    if (n == 0 || n > MOST_REQUIREMENTS)
        ml_problem(&r->problems, node->location, "require has %d names but may have 1 to %d",
                   (int)n, (int)MOST_REQUIREMENTS);
    if (!r->spec->runs.sample && !ml_node_find(r->root, "tune"))
        ml_problem(&r->problems, node->key_location,
                   "require counts the runs of a sample, which the study lacks: add `sample` or "
                   "`tune`, or leave `require` out");
    if (!out || n == 0 || n > MOST_REQUIREMENTS)
        return;
    int i = 0;
    for (const struct ml_node *child = node->first; child; child = child->next, i++) {
        read_requirement(r, child, &out[i]);
        out[i].name = ml_pool_text(r->spec->pool, child->key, strlen(child->key));
    }
    r->spec->indicators.requirements = out;
    r->spec->indicators.n_requirement = i;
}
