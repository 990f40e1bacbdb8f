/* Keeps the formulas of a study for its resolved text. */
#include "config/formulas/motion_formulas.h"

#include <string.h>

#include "expr/text.h"

enum { MOST_KEYS = 32 };

/* Adds a formula, which was read before and so is a scalar. */
static void keep_one(struct ml_pool *pool, const struct ml_node *place, struct ml_formulas *out)
{
    out->names[out->n] = place->key ? ml_pool_text(pool, place->key, strlen(place->key)) : NULL;
    out->texts[out->n++] = place->text ? ml_expr_text(place->text, pool) : NULL;
}

static const struct ml_node *formulas_child(const struct ml_node *list, int i)
{
    const struct ml_node *child = list->first;
    while (i-- > 0)
        child = child->next;
    return child;
}

/* The whole matrix, of which the lower half may be all that is given. */
static void keep_matrix(struct ml_pool *pool, const struct ml_node *rows, struct ml_formulas *out)
{
    out->n_column = rows->n_child;
    for (int i = 0; i < out->n_column; i++)
        for (int j = 0; j < out->n_column; j++) {
            const struct ml_node *row = formulas_child(rows, i);
            const bool is_there = j < row->n_child;
            const struct ml_node *other = is_there ? row : formulas_child(rows, j);
            keep_one(pool, formulas_child(other, is_there ? j : i), out);
        }
}

/* x and y of where a force acts, and its own. */
static void keep_points(struct ml_pool *pool, const struct ml_node *points, struct ml_formulas *out)
{
    for (const struct ml_node *point = points->first; point; point = point->next) {
        const struct ml_node *at = ml_node_find(point, "at"), *force = ml_node_find(point, "force");
        for (int i = 0; i < 2; i++)
            keep_one(pool, formulas_child(at, i), out);
        for (int i = 0; i < 2; i++)
            keep_one(pool, formulas_child(force, i), out);
    }
}

static void keep_below(struct ml_pool *pool, const struct ml_node *place, struct ml_formulas *out)
{
    const struct ml_node *first = place->first;
    if (place->kind == ML_NODE_SCALAR)
        keep_one(pool, place, out);
    else if (first && first->kind == ML_NODE_LIST)
        keep_matrix(pool, place, out);
    else if (first && first->kind == ML_NODE_MAP)
        keep_points(pool, place, out);
    else
        for (const struct ml_node *child = first; child; child = child->next)
            keep_one(pool, child, out);
}

bool ml_keep_formulas(struct ml_reader *r, const struct ml_node *system, const char *key)
{
    enum { OF_POINT = 4 };
    struct ml_pool *pool = r->spec->pool;
    struct ml_system_source *source = &r->spec->source;
    const struct ml_node *place = ml_node_find(system, key);
    const size_t n = place ? (size_t)place->n_child : 0,
                 most = n * n > OF_POINT * n ? n * n : OF_POINT * n;
    if (!source->formulas)
        source->formulas = ml_pool_take(pool, MOST_KEYS, sizeof *source->formulas);
    if (!source->formulas || source->n_formulas == MOST_KEYS)
        return false;
    if (!place)
        return true;
    struct ml_formulas *out = &source->formulas[source->n_formulas++];
    out->key = ml_pool_text(pool, key, strlen(key));
    out->names = ml_pool_take(pool, most + 1, sizeof *out->names);
    out->texts = ml_pool_take(pool, most + 1, sizeof *out->texts);
    if (out->key && out->names && out->texts)
        keep_below(pool, place, out);
    return !pool->is_short;
}
