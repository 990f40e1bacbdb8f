/* Puts the formulas of a classical system in the place of its name. */
#include <string.h>

#include "config/sections.h"
#include "model/classics.h"
#include "yaml/nearest.h"
#include "yaml/yaml.h"

static const struct ml_classic *classic_find(const char *name)
{
    for (const struct ml_classic *c = ml_classics; c->name; c++)
        if (strcmp(c->name, name) == 0)
            return c;
    return NULL;
}

/* Everything in it stands where its name is written. */
static void classic_place(struct ml_node *node, struct ml_location location)
{
    node->location = node->key_location = location;
    for (struct ml_node *child = node->first; child; child = child->next)
        classic_place(child, location);
}

/* The map `system` of the classic's study; NULL without memory. */
static struct ml_node *classic_system(struct ml_reader *r, const struct ml_classic *classic,
                                      struct ml_location location)
{
    const char *text = "";
    for (const char *const *line = classic->lines; text && *line; line++)
        text = ml_pool_format(r->pool, "%s%s\n", text, *line);
    struct ml_node *root = text ? ml_yaml_read(text, strlen(text), 0, &r->problems) : NULL;
    struct ml_node *system = ml_node_find(root, "system");
    if (system)
        classic_place(system, location);
    return system;
}

/* Gives a parameter the number of the study. */
static void classic_set(struct ml_reader *r, const struct ml_node *given,
                        const struct ml_node *parameters, const char *name)
{
    struct ml_nearest nearest = ml_nearest_any(given->key);
    struct ml_node *parameter = ml_node_find(parameters, given->key);
    if (parameter && parameter->kind == ML_NODE_MAP)
        parameter = ml_node_find(parameter, "value");
    if (parameter) {
        ml_node_replace(parameter, given, given->location);
        return;
    }
    for (const struct ml_node *child = parameters ? parameters->first : NULL; child;
         child = child->next)
        ml_nearest_offer(&nearest, child->key);
    ml_problem(
        &r->problems, given->key_location,
        "%s is no parameter of %s%s%s%s; `manylink init %s` shows its formulas, to be changed "
        "in a study of `type: equations`",
        ml_quote(r->pool, given->key), name, nearest.best ? ": the nearest is `" : "",
        nearest.best ? nearest.best : "", nearest.best ? "`" : "", name);
}

void ml_read_classic(struct ml_reader *r, struct ml_node *root)
{
    struct ml_node *system = ml_node_find(root, "system");
    const struct ml_node *type = ml_node_find_kind(system, "type", ML_NODE_SCALAR);
    const struct ml_classic *classic = type ? classic_find(type->text) : NULL;
    struct ml_node *formulas = classic ? classic_system(r, classic, type->location) : NULL;
    if (!formulas)
        return;
    const struct ml_node *parameters = ml_node_find(formulas, "parameters");
    const struct ml_node *first = system->first;
    const struct ml_location location = system->location;
    ml_node_replace(system, formulas, location);
    for (const struct ml_node *given = first; given; given = given->next)
        if (given != type)
            classic_set(r, given, parameters, type->text);
}
