/* The key `tune`: ranges of the numbers that are chosen, and the cost. Names of the cost are found
 * among the outputs once the study is planned (plan/cost.h). */
#include <string.h>

#include "config/schema/lay_out.h"
#include "config/sections/sections.h"
#include "statistics/least.h"

void ml_lay_out_tune(struct ml_reader *r, struct ml_node *root)
{
    const struct ml_node *tune = ml_node_find_kind(root, "tune", ML_NODE_MAP);
    if (tune && ml_node_find(tune, "require") && ml_node_find(root, "require"))
        ml_problem(&r->problems, ml_node_find(tune, "require")->key_location,
                   "the study has the key `require` too, of the same meaning; leave either out");
    else if (tune)
        ml_tree_take(r, tune, "require", root, "require");
}

/* Whether a key is a number that all points have in common; a problem if so. */
static bool is_of_time(struct ml_reader *r, const struct ml_node *key)
{
    const bool is = key->kind == ML_NODE_SCALAR && strncmp(key->text, "time.", 5) == 0;
    if (is)
        ml_problem(&r->problems, key->location,
                   "cannot tune `%s`: costs of runs of different lengths or steps cannot be "
                   "compared; leave that range out",
                   key->text);
    return is;
}

static void read_vary(struct ml_reader *r, const struct ml_node *node, struct ml_axis *to)
{
    const int before = r->problems.count;
    if (!ml_read_is_map(r, node, "a range must be a map such as {set: ..., from: ..., to: ...}"))
        return;
    ml_read_scope(r, node, ML_SCOPE_VARY, to);
    const struct ml_node *set = ml_node_find(node, "set");
    for (const struct ml_node *key = set ? set->first : NULL; key; key = key->next)
        (void)is_of_time(r, key);
    if (!set || is_of_time(r, set) || r->problems.count > before)
        return;
    to->swept = ml_read_set(r, set, &to->n_swept);
    if (to->swept && r->problems.count == before && !(to->from < to->to))
        ml_problem(&r->problems, ml_read_location(node, "to"),
                   "to is %.10g but must be larger than `from`, %.10g", to->to, to->from);
    else if (to->swept && r->problems.count == before)
        (void)ml_read_ends(r, set, node, to, false, to->swept, to->n_swept);
}

void ml_read_tune(struct ml_reader *r, const struct ml_node *node)
{
    const struct ml_node *list = ml_node_find_kind(node, "vary", ML_NODE_LIST);
    struct ml_tune_spec *tune = &r->spec->tune;
    if (!node)
        return;
    ml_read_scope(r, node, ML_SCOPE_TUNE, r->spec);
    const long long least = ML_LEAST_CHILDREN * (long long)tune->starts + 1;
    if (tune->points < least)
        ml_problem(
            &r->problems, ml_read_location(node, "points"),
            "points is %lld but must be at least %lld, the study's own numbers and %d points "
            "of each start; raise `points`, or lower `starts`",
            (long long)tune->points, least, (int)ML_LEAST_CHILDREN);
    const int n = list ? list->n_child : 1;
    if (n < 1 || n > ML_TUNE_NUMBERS)
        ml_problem(&r->problems, list->location, "vary has %d ranges but may have 1 to %d", n,
                   (int)ML_TUNE_NUMBERS);
    else if (list && (tune->vary = ml_pool_take(r->spec->pool, (size_t)n, sizeof *tune->vary)))
        for (const struct ml_node *range = list->first; range; range = range->next)
            read_vary(r, range, &tune->vary[tune->n_vary++]);
    /* Outside of a search runs have the study's own numbers. */
    for (int i = 0; tune->vary && i < tune->n_vary; i++)
        for (int k = 0; tune->vary[i].swept && k < tune->vary[i].n_swept; k++)
            if (tune->vary[i].swept[k].slot >= 0)
                r->swept_by[tune->vary[i].swept[k].slot] = NULL;
}
