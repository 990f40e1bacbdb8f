/* --set PATH=VALUE on the tree of a study file. */
#include "config/override.h"

#include <string.h>

#include "config/path.h"
#include "yaml/yaml.h"

static void remove_of_file(struct ml_node *map, const char *key, const struct ml_node *kept)
{
    struct ml_node *node = ml_node_find(map, key);
    if (node && node != kept && node->location.option == 0)
        ml_node_remove(map, node);
}

/* Removes the numbers of an axis that the file gives in another form. */
static void override_make_room(struct ml_node *axis, const struct ml_node *set)
{
    static const char *const forms[] = {"from", "to", "count", "scale", "values", "scale_by"};
    if (!axis || !set->key || axis->kind != ML_NODE_MAP)
        return; /* a whole axis */
    if (strcmp(set->key, "values") == 0 || strcmp(set->key, "scale_by") == 0)
        for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
            remove_of_file(axis, forms[i], set);
    else if (ml_node_find(axis, "from") && ml_node_find(axis, "to") && ml_node_find(axis, "count"))
        remove_of_file(axis, "values", set);
}

void ml_override(struct ml_reader *r, struct ml_node *root, int option)
{
    struct ml_problems *problems = &r->problems;
    const struct ml_location location = {option, 1, 1};
    const char *text = problems->overrides[option - 1], *equals = strchr(text, '=');
    struct ml_override *own = &r->overrides[option - 1];
    struct ml_node *nothing = ml_pool_take(r->pool, 1, sizeof *nothing);
    if (!equals || equals == text) {
        ml_problem(problems, location, "an override must be path=value");
        return;
    }
    int before = problems->count;
    const struct ml_node *value = ml_yaml_read(equals + 1, strlen(equals + 1), option, problems);
    if (problems->count > before || problems->pool->is_short || !nothing)
        return;
    *nothing = (struct ml_node){
        .kind = ML_NODE_SCALAR, .is_plain = true, .text = "", .location = location};
    own->value = value ? value : nothing;
    own->path = ml_pool_text(r->pool, text, (size_t)(equals - text));
    const bool is_scalar = own->value->kind == ML_NODE_SCALAR;
    struct ml_path w = {.mode = is_scalar ? ML_PATH_OPTION : ML_PATH_BUILD,
                        .pool = r->pool,
                        .root = root,
                        .location = location,
                        .text = text,
                        .end = equals};
    struct ml_node *node = ml_path_walk(&w);
    own->fault = w.fault;
    if (!node && !is_scalar)
        ml_problem(problems, location, "%s", w.fault);
    if (!node)
        return;
    ml_node_replace(node, own->value, location);
    if (strncmp(text, "sweep", 5) == 0 || strncmp(text, "sample.over", 11) == 0) {
        override_make_room(w.parent, node);
        if (w.above && w.parent->key && strcmp(w.parent->key, "scale_by") == 0)
            override_make_room(w.above, w.parent);
    }
}
