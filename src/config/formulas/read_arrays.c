/* A system of n degrees of freedom: how many there are, their names and the numbers of its arrays.
 */
#include <string.h>

#include "config/formulas/makers.h"
#include "config/sections/sections.h"
#include "simd/layout.h"

/* As many as have names, else as the first array has rows; 0 after telling. */
static int read_size(struct ml_reader *r, const struct ml_node *system, const struct ml_node *names)
{
    const char *key = names ? "names" : r->system->tables.arrays[0].name;
    const struct ml_node *from = names ? names : ml_node_find(system, key);
    if (!from)
        return 0; /* which has been reported */
    if (from->kind != ML_NODE_LIST)
        ml_problem(&r->problems, from->location,
                   "%s must be a list, or a map beside `names`, not %s: its size is the number of "
                   "degrees of freedom",
                   key, ml_node_kind_text(from));
    else if (from->n_child < 1 || from->n_child > ML_MOST_DOFS)
        ml_problem(&r->problems, from->location, "%s has %d entries but must have 1 to %d", key,
                   from->n_child, (int)ML_MOST_DOFS);
    else
        return from->n_child;
    return 0;
}

/* Given, or 1, 2, ...; NULL after telling or without memory. */
static const char *const *read_arrays_names(struct ml_reader *r, const struct ml_node *node, int n)
{
    const char **names = ml_pool_take(r->pool, (size_t)n, sizeof *names);
    const struct ml_node *child = node ? node->first : NULL;
    const int before = r->problems.count;
    for (int i = 0; names && i < n; i++, child = child ? child->next : NULL)
        names[i] = child ? ml_read_name(r, child, "names") : ml_pool_format(r->pool, "%d", i + 1);
    if (names && node)
        ml_read_unique(r, node, names, n);
    return r->problems.count == before && !r->pool->is_short ? names : NULL;
}

/* One number of a pair where the matrix is symmetric.
 *   values  [n][n]; out [ml_array_size] */
static void store_matrix(const struct ml_param *array, int n, const double *values, double *out)
{
    bool is_symmetric = array->flags & ML_SYMMETRIC;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < (is_symmetric ? i + 1 : n); j++)
            out[is_symmetric ? ml_tri(i, j) : i * n + j] = values[i * n + j];
}

static void read_matrix(struct ml_reader *r, const struct ml_node *node,
                        const struct ml_param *array, double *out)
{
    const int n = r->spec->model.n;
    double *values = ml_pool_take(r->pool, (size_t)n * (size_t)n, sizeof *values);
    if (!values)
        return;
    ml_read_matrix(r, node, array, values);
    store_matrix(array, n, values, out);
}

static void read_array(struct ml_reader *r, const struct ml_node *node, int i_array)
{
    const struct ml_param *array = &r->system->tables.arrays[i_array];
    const int n = r->spec->model.n;
    double *out = r->base + ml_slot_param(ml_expand_first(r->system, i_array, n));
    if (array->flags & ML_MATRIX) {
        read_matrix(r, node, array, out);
        return;
    }
    for (int i = 0; i < n; i++)
        out[i] = array->default_value;
    if (node)
        ml_read_by_segment(r, node, array, out);
}

void ml_read_arrays(struct ml_reader *r, const struct ml_node *system)
{
    const struct ml_node *given = ml_node_find_kind(system, "names", ML_NODE_LIST);
    const struct ml_keys keys = ml_schema_keys(r->pool, ML_SCOPE_SYSTEM, r->system, NULL);
    ml_read_map(r, system, &keys, NULL, NULL);
    int n = read_size(r, system, given);
    const char *const *names = n > 0 ? read_arrays_names(r, given, n) : NULL;
    const struct ml_system *own = names ? ml_expand(r->spec->pool, r->system, n, names) : NULL;
    if (!own)
        return;
    r->system = r->spec->model.system = own;
    if (!ml_read_make_base(r, n))
        return;
    for (int i = 0; i < n; i++)
        ml_read_set_name(r, i, names[i]);
    for (int a = 0; r->has_segments && a < own->tables.n_array; a++)
        read_array(r, ml_node_find(system, own->tables.arrays[a].name), a);
}
