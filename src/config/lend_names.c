/* Names of the study's `define` in formulas of a system or force: each becomes a parameter there,
 * of the same name and unit, as if the study had given it. */
#include <string.h>

#include "config/sections.h"

/* Whether the map has a name of its own with this text. */
static bool has_own(const struct ml_node *map, const char *name)
{
    static const char *const keys[] = {"parameters", "state", "coordinates", "define"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        const struct ml_node *own = ml_node_find_kind(map, keys[i], ML_NODE_MAP);
        if (own && ml_node_find(own, name))
            return true;
    }
    return false;
}

/* Whether a formula of the map takes the name, which is no argument of a function.
 *   events  those whose formulas for registers count as well; NULL: none */
static bool takes_name(const struct ml_node *map, const struct ml_node *events, const char *name)
{
    static const char *const keys[] = {
        "rates",  "next", "define",      "kinetic",    "potential", "dissipation", "forces",
        "points", "mass", "hamiltonian", "lagrangian", "C",         "G",           "Q",
        "D",      "E",    "constraints", "force",      "torque"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (ml_node_mentions(ml_node_find(map, keys[i]), name))
            return true;
    for (const struct ml_node *own = events ? events->first : NULL; own; own = own->next)
        if (ml_node_mentions(ml_node_find(own, "set"), name) ||
            ml_node_mentions(ml_node_find(own, "when"), name) ||
            ml_node_mentions(ml_node_find(ml_node_find(own, "after"), "delay"), name))
            return true;
    const struct ml_node *functions = ml_node_find_kind(map, "functions", ML_NODE_MAP);
    for (const struct ml_node *f = functions ? functions->first : NULL; f; f = f->next)
        if (!ml_node_has_word(f->key, name) && ml_node_mentions(f, name))
            return true;
    return false;
}

/* Whether the registers of the study are among the states of a system or force of a type. */
static bool has_registers(const struct ml_node *map, const char *type)
{
    const struct ml_node *name = ml_node_find_kind(map, "name", ML_NODE_SCALAR);
    return strcmp(type, "equations") == 0 || (name && strcmp(name->text, ML_REGISTERS) == 0);
}

/* A scalar with the text; NULL without memory. */
static struct ml_node *make_text(struct ml_reader *r, const struct ml_node *at, const char *key,
                                 const char *text)
{
    struct ml_node *node = ml_pool_take(r->pool, 1, sizeof *node);
    if (node)
        *node = (struct ml_node){.kind = ML_NODE_SCALAR,
                                 .is_plain = true,
                                 .key = key,
                                 .key_location = at->key_location,
                                 .location = at->key_location,
                                 .text = text};
    return node;
}

/* The parameter that follows from a name: that name, with its unit and doc. */
static struct ml_node *make_param(struct ml_reader *r, const struct ml_node *defined)
{
    struct ml_node *param = ml_pool_take(r->pool, 1, sizeof *param);
    if (!param || defined->kind != ML_NODE_MAP)
        return param ? make_text(r, defined, defined->key, defined->key) : NULL;
    *param = *defined;
    param->first = param->last = param->next = NULL;
    param->n_child = 0;
    for (const struct ml_node *child = defined->first; child; child = child->next) {
        const bool is_value = strcmp(child->key, "value") == 0;
        struct ml_node *copy =
            make_text(r, child, child->key, is_value ? defined->key : child->text);
        if (!copy)
            return NULL;
        ml_node_append(param, copy);
    }
    return param;
}

bool ml_has_formulas(const struct ml_node *map)
{
    static const char *const types[] = {"equations", "states", "formula", "point_formula"};
    const struct ml_node *type = ml_node_find_kind(map, "type", ML_NODE_SCALAR);
    bool has = false;
    for (size_t i = 0; type && i < sizeof types / sizeof *types; i++)
        has |= strcmp(type->text, types[i]) == 0;
    return has;
}

static void lend_to(struct ml_reader *r, const struct ml_node *define, struct ml_node *map)
{
    const struct ml_node *events = ml_node_find_kind(r->root, "events", ML_NODE_LIST);
    const struct ml_node *type = ml_node_find_kind(map, "type", ML_NODE_SCALAR);
    struct ml_node *params = ml_node_find(map, "parameters");
    if (!ml_has_formulas(map) || (params && params->kind != ML_NODE_MAP))
        return;
    if (!ml_node_find(r->root, ML_REGISTERS) || !has_registers(map, type->text))
        events = NULL;
    for (const struct ml_node *name = define->first; name; name = name->next) {
        if (has_own(map, name->key) || !takes_name(map, events, name->key))
            continue;
        struct ml_node *param = make_param(r, name);
        if (param && !params && (params = make_text(r, name, "parameters", NULL))) {
            params->kind = ML_NODE_MAP;
            ml_node_append(map, params);
        }
        if (param && params)
            ml_node_append(params, param);
    }
}

void ml_lend_names(struct ml_reader *r, const struct ml_node *root)
{
    const struct ml_node *define = ml_node_find_kind(root, "define", ML_NODE_MAP);
    const struct ml_node *forces = ml_node_find_kind(root, "forces", ML_NODE_LIST);
    struct ml_node *system = ml_node_find(root, "system");
    if (define && system && system->kind == ML_NODE_MAP)
        lend_to(r, define, system);
    for (struct ml_node *force = define && forces ? forces->first : NULL; force;
         force = force->next)
        if (force->kind == ML_NODE_MAP)
            lend_to(r, define, force);
}
