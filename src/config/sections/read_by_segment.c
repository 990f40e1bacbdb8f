/* Elements for segments or degrees of freedom: by name, in their order, or one number for all. */
#include <string.h>

#include "config/formulas/define.h"
#include "config/sections/sections.h"
#include "yaml/nearest.h"

int ml_read_segment(struct ml_reader *r, const struct ml_node *node, const char *key)
{
    const char *part = ml_system_part(r->system, 1);
    const char *wanted = ml_pool_format(r->pool, "the name of a %s", part ? part : "segment");
    const char *name = wanted ? ml_read_text(r, node, key, wanted) : NULL;
    if (!name)
        return -1;
    const int n = r->spec->model.n;
    for (int i = 0; i < n; i++)
        if (strcmp(r->spec->segment_names[i], name) == 0)
            return i;
    struct ml_nearest nearest = ml_nearest_any(name);
    for (int i = 0; i < n; i++)
        ml_nearest_offer(&nearest, r->spec->segment_names[i]);
    ml_problem(&r->problems, node->location, "%s is %s, which is no %s; %sthe nearest is `%s`", key,
               ml_quote(r->pool, name), part,
               strcmp(key, "joint") == 0 ? "a joint has the name of the segment beyond it, and "
                                         : "",
               nearest.best ? nearest.best : "");
    return -1;
}

int ml_read_segment_key(struct ml_reader *r, const struct ml_node *node)
{
    const struct ml_node named = {
        .kind = ML_NODE_SCALAR, .location = node->key_location, .text = node->key};
    return ml_read_segment(r, &named, "the key");
}

static void read_by_name(struct ml_reader *r, const struct ml_node *node,
                         const struct ml_param *param, ml_read_one_fn *read_one, void *context)
{
    for (const struct ml_node *child = node->first; child; child = child->next) {
        int i = ml_read_segment_key(r, child);
        if (i >= 0)
            read_one(r, child, param, i, context);
    }
}

static void read_by_order(struct ml_reader *r, const struct ml_node *node,
                          const struct ml_param *param, ml_read_one_fn *read_one, void *context)
{
    int n = r->spec->model.n, i = 0;
    if (node->n_child != n) {
        ml_problem(&r->problems, node->location,
                   "%s has %d numbers but there are %d %s; give one for each, or a map by name, "
                   "or one number for all",
                   param->name, node->n_child, n, ml_system_part(r->system, n));
        return;
    }
    for (const struct ml_node *child = node->first; child; child = child->next, i++)
        read_one(r, child, param, i, context);
}

void ml_read_each_segment(struct ml_reader *r, const struct ml_node *node,
                          const struct ml_param *param, ml_read_one_fn *read_one, void *context)
{
    if (node->kind == ML_NODE_MAP)
        read_by_name(r, node, param, read_one, context);
    else
        read_by_order(r, node, param, read_one, context);
}

static void read_one_number(struct ml_reader *r, const struct ml_node *node,
                            const struct ml_param *param, int i, void *values)
{
    (void)ml_read_number(r, node, param, (double *)values + i);
}

void ml_read_by_segment(struct ml_reader *r, const struct ml_node *node,
                        const struct ml_param *param, double *values)
{
    if (node->kind != ML_NODE_SCALAR)
        ml_read_each_segment(r, node, param, read_one_number, values);
    else if (ml_read_number(r, node, param, &values[0]))
        for (int i = 1; i < r->spec->model.n; i++)
            ml_define_copy(r->define, &values[i], &values[0], 1);
}
