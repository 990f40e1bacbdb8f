/* Names of the study's `define` in formulas of a system or force: parameters there. */
#include <string.h>

#include "config/formulas/formulas.h"
#include "config/schema/lay_out.h"

/* Whether a key has formulas, in places of its own or below names. */
static bool has_formulas(enum ml_key_kind kind)
{
    return kind == ML_KEY_FORMULA || kind == ML_KEY_FORMULAS || kind == ML_KEY_FORMULA_LIST ||
           kind == ML_KEY_FORMULA_ROWS || kind == ML_KEY_LIST || kind == ML_KEY_TEXT ||
           kind == ML_KEY_TEXTS;
}

/* Whether formulas at or below a node take a name, which is no argument of a function. */
static bool takes(const struct ml_node *node, const char *name)
{
    bool takes_it = node->kind == ML_NODE_SCALAR && ml_node_has_word(node->text, name);
    for (const struct ml_node *child = node->first; child && !takes_it; child = child->next)
        takes_it = !(child->key && strchr(child->key, '(') && ml_node_has_word(child->key, name)) &&
                   takes(child, name);
    return takes_it;
}

/* Whether formulas of a map take a name that the map does not give. */
static bool needs(const struct ml_node *map, const struct ml_keys *keys, const char *name)
{
    bool needs_it = false;
    for (int i = 0; i < keys->n; i++) {
        const struct ml_key *key = &keys->row[i];
        const struct ml_node *own = key->param.name ? ml_node_find(map, key->param.name) : NULL;
        if (own && (key->kind == ML_KEY_GIVEN || key->kind == ML_KEY_FORMULAS) &&
            ml_node_find(own, name))
            return false;
        needs_it |= own && has_formulas(key->kind) && takes(own, name);
    }
    return needs_it;
}

/* The parameter that follows from a name of `define`. */
static struct ml_node *make_param(struct ml_reader *r, const struct ml_node *defined)
{
    const bool is_map = defined->kind == ML_NODE_MAP;
    struct ml_node *param =
        ml_tree_make(r, defined, is_map ? ML_NODE_MAP : ML_NODE_SCALAR, defined->key, defined->key);
    if (!param)
        return NULL;
    param->location = defined->key_location;
    for (const struct ml_node *child = is_map ? defined->first : NULL; child; child = child->next) {
        const bool is_value = strcmp(child->key, "value") == 0;
        struct ml_node *copy = ml_tree_make(r, child, ML_NODE_SCALAR, child->key,
                                            is_value ? defined->key : child->text);
        ml_tree_append(param, copy);
    }
    return param;
}

const struct ml_node *ml_formula_params(struct ml_reader *r, const struct ml_node *map,
                                        const struct ml_keys *keys)
{
    const struct ml_node *own = ml_node_find_kind(map, "parameters", ML_NODE_MAP);
    const struct ml_node *define = ml_node_find_kind(r->root, "define", ML_NODE_MAP);
    struct ml_node *all = ml_tree_make(r, own ? own : map, ML_NODE_MAP, "parameters", NULL);
    for (const struct ml_node *child = own ? own->first : NULL; child && all; child = child->next)
        ml_tree_take(r, own, child->key, all, child->key);
    for (const struct ml_node *name = define ? define->first : NULL; name && all; name = name->next)
        if (!ml_node_find(all, name->key) && needs(map, keys, name->key))
            ml_tree_append(all, make_param(r, name));
    return all && all->n_child > 0 ? all : NULL;
}
