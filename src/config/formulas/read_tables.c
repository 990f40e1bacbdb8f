/* Tables that formulas call by their names. */
#include <string.h>

#include "config/formulas/formulas.h"
#include "config/schema/reader.h"
#include "config/sections/sections.h"

enum { MOST_TABLES = 64 };

static void read_table(struct ml_reader *r, const struct ml_node *node, struct ml_curve_keys *keys,
                       struct ml_signal *out)
{
    (void)ml_check_formula_name(r, node, NULL);
    keys->name = ml_pool_text(r->spec->pool, node->key, strlen(node->key));
    if (!ml_read_is_map(r, node,
                        "a table must be a map such as {file: lift.csv, x: angle, y: lift}"))
        return;
    ml_read_scope(r, node, ML_SCOPE_TABLE, keys);
    out->type = ML_TABLE_SIGNAL;
    out->breakpoints = ml_read_curve(r, node, keys);
}

void ml_read_tables(struct ml_reader *r, const struct ml_node *node)
{
    struct ml_study_spec *spec = r->spec;
    const size_t n = node ? (size_t)node->n_child : 0;
    struct ml_signal *curves = ml_pool_take(spec->pool, n + 1, sizeof *curves);
    spec->formulas.curves = curves;
    spec->formulas.keys = ml_pool_take(spec->pool, n + 1, sizeof *spec->formulas.keys);
    if (n > MOST_TABLES)
        ml_problem(&r->problems, node->location, "tables has %d names but may have %d at most",
                   (int)n, (int)MOST_TABLES);
    if (n == 0 || n > MOST_TABLES || !curves || !spec->formulas.keys)
        return;
    for (const struct ml_node *child = node->first; child; child = child->next) {
        read_table(r, child, &spec->formulas.keys[spec->formulas.n_curve],
                   &curves[spec->formulas.n_curve]);
        spec->formulas.n_curve++;
    }
}

void ml_tables_end(struct ml_reader *r)
{
    const struct ml_node *node =
        r->spec->formulas.n_curve > 0 ? ml_node_find_kind(r->root, "tables", ML_NODE_MAP) : NULL;
    int i = 0;
    for (const struct ml_node *child = node ? node->first : NULL; child; child = child->next, i++)
        if (!r->spec->formulas.keys[i].is_called)
            ml_notice(r, child->key_location, "no formula calls table `%s`", child->key);
}
