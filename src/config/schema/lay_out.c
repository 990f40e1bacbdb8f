/* Nodes that are added to the tree of a study before anything is read. */
#include "config/schema/lay_out.h"

#include <string.h>

/* A node at the place of another one. */
struct ml_node *ml_tree_make(struct ml_reader *r, const struct ml_node *place,
                             enum ml_node_kind kind, const char *key, const char *text)
{
    struct ml_node *node = ml_pool_take(r->pool, 1, sizeof *node);
    if (node)
        *node = (struct ml_node){.kind = kind,
                                 .is_plain = kind == ML_NODE_SCALAR,
                                 .key = key,
                                 .text = text,
                                 .location = place->location,
                                 .key_location = place->key_location};
    return node;
}

void ml_tree_append(struct ml_node *parent, struct ml_node *child)
{
    if (parent && child)
        ml_node_append(parent, child);
}

/* The map or list below a key, an empty one where the study gives none; NULL where it gives
 * something else, which is reported when the key is read. */
struct ml_node *ml_tree_find_or_make(struct ml_reader *r, struct ml_node *parent,
                                     const struct ml_node *place, enum ml_node_kind kind,
                                     const char *key)
{
    struct ml_node *node = ml_node_find(parent, key);
    if (node || !parent)
        return node && node->kind == kind ? node : NULL;
    node = ml_tree_make(r, place, kind, key, NULL);
    ml_tree_append(parent, node);
    return node;
}

/* Gives a map the value of a key of `from`, if it is there, under another key. */
void ml_tree_take(struct ml_reader *r, const struct ml_node *from, const char *key,
                  struct ml_node *to, const char *as)
{
    const struct ml_node *value = ml_node_find(from, key);
    struct ml_node *copy = value ? ml_pool_take(r->pool, 1, sizeof *copy) : NULL;
    if (!copy)
        return;
    *copy = *value;
    copy->key = as;
    copy->next = NULL;
    ml_tree_append(to, copy);
}

struct ml_node *ml_tree_add(struct ml_reader *r, struct ml_node *map, const struct ml_node *place,
                            const char *key, const char *text)
{
    struct ml_node *own = key && text ? ml_tree_make(r, place, ML_NODE_SCALAR, key, text) : NULL;
    if (own)
        own->is_plain = false;
    ml_tree_append(map, own);
    return own;
}

const char *ml_tree_formula(struct ml_reader *r, const char *name, const char *form)
{
    const char *text = form ? "" : NULL;
    for (const char *at = form; text && *at;) {
        const size_t length = strcspn(at, "%");
        text = ml_pool_format(r->pool, "%s%.*s%s%s", text, (int)length, at, at[length] ? name : "",
                              at[length] ? "_" : "");
        at += length + (at[length] != '\0');
    }
    return text;
}

bool ml_tree_is_set(const struct ml_node *map, const char *key)
{
    const struct ml_node *own = ml_node_find(map, key);
    return own && own->location.option > 0;
}

void ml_tree_check_own(struct ml_reader *r, const char *name, const char *owner)
{
    const struct ml_node *first = ml_node_find(ml_node_find(r->root, "define"), name);
    for (const struct ml_node *other = first ? first->next : NULL; other; other = other->next)
        if (strcmp(other->key, name) == 0)
            ml_problem(&r->problems, first->key_location,
                       "`%s` is the name of a number of %s; take another name", name, owner);
}

bool ml_has_formulas(const struct ml_node *map)
{
    static const char *const types[] = {"states", "formula", "point_formula"};
    const struct ml_node *type = ml_node_find_kind(map, "type", ML_NODE_SCALAR);
    bool has = false;
    for (size_t i = 0; type && i < sizeof types / sizeof *types; i++)
        has |= strcmp(type->text, types[i]) == 0;
    return has;
}
