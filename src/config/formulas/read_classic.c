/* Puts the formulas of a classical system in the place of its name. */
#include <string.h>

#include "config/sections/sections.h"
#include "model/classics.h"
#include "yaml/nearest.h"
#include "yaml/yaml.h"

/* Formulas of systems that are built in, where a study adds states to them; the names and numbers
 * are those of src/model/NAME.kern.h. */
static const struct ml_classic built_in[] = {
    {"lorenz",
     (const char *const[]){"system:", "  type: equations",
                           "  parameters: {sigma: 10, rho: 28, beta: 8/3}",
                           "  state: {x: 0, y: 0, z: 0}", "  rates:", "    x: sigma*(y - x)",
                           "    y: x*(rho - z) - y", "    z: x*y - beta*z", NULL}},
    {"roessler",
     (const char *const[]){"system:", "  type: equations", "  parameters: {a: 0.2, b: 0.2, c: 5.7}",
                           "  state: {x: 0, y: 0, z: 0}",
                           "  rates: {x: -y - z, y: x + a*y, z: b + z*(x - c)}", NULL}},
    {"henon_heiles",
     (const char *const[]){"system:", "  type: equations", "  state: {x: 0, y: 0, px: 0, py: 0}",
                           "  rates: {x: px, y: py, px: -x - 2*x*y, py: -y - x^2 + y^2}",
                           "quantities:", "  energy: (px^2 + py^2 + x^2 + y^2)/2 + x^2*y - y^3/3",
                           "  kinetic_energy: (px^2 + py^2)/2",
                           "  potential_energy: (x^2 + y^2)/2 + x^2*y - y^3/3", NULL}},
    {"duffing",
     (const char *const[]){"system:", "  type: equations",
                           "  parameters: {delta: 0.3, alpha: -1, beta: 1, gamma: 0.5, omega: 1.2}",
                           "  state: {x: 0, v: 0}", "  rates:", "    x: v",
                           "    v: gamma*cos(omega*t) - delta*v - alpha*x - beta*x^3",
                           "quantities:", "  energy: v^2/2 + alpha*x^2/2 + beta*x^4/4",
                           "  kinetic_energy: v^2/2",
                           "  potential_energy: alpha*x^2/2 + beta*x^4/4", NULL}},
    {NULL, NULL},
};

/* Whether a study has sections that add states to its system. */
static bool classic_is_extended(const struct ml_node *root)
{
    const struct ml_node *events = ml_node_find_kind(root, "events", ML_NODE_LIST);
    bool is = ml_node_find(root, ML_REGISTERS) || ml_node_find(root, "signals");
    for (const struct ml_node *event = events ? events->first : NULL; event; event = event->next)
        is |= ml_node_find(event, "after") || ml_node_find_kind(event, "then", ML_NODE_SCALAR);
    return is;
}

static const struct ml_classic *classic_find(const struct ml_node *root, const char *name)
{
    for (const struct ml_classic *c = ml_classics; c->name; c++)
        if (strcmp(c->name, name) == 0)
            return c;
    for (const struct ml_classic *c = built_in; c->name; c++)
        if (strcmp(c->name, name) == 0 && classic_is_extended(root))
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

/* The study of a classic, all of which stands where its name is; NULL without memory. */
static struct ml_node *classic_study(struct ml_reader *r, const struct ml_classic *classic,
                                     struct ml_location location)
{
    const char *text = "";
    for (const char *const *line = classic->lines; text && *line; line++)
        text = ml_pool_format(r->pool, "%s%s\n", text, *line);
    struct ml_node *root = text ? ml_yaml_read(text, strlen(text), 0, &r->problems) : NULL;
    if (root)
        classic_place(root, location);
    return root;
}

/* Quantities that the study does not name itself. */
static void classic_quantities(struct ml_reader *r, struct ml_node *classic, struct ml_node *root)
{
    const struct ml_node *own = ml_node_find(classic, "quantities");
    struct ml_node *all =
        own ? ml_tree_find_or_make(r, root, own, ML_NODE_MAP, "quantities") : NULL;
    for (const struct ml_node *one = own ? own->first : NULL; one; one = one->next)
        if (!ml_node_find(all, one->key))
            ml_tree_take(r, own, one->key, all, one->key);
}

/* Gives a parameter the number of the study. */
static void classic_set(struct ml_reader *r, const struct ml_node *given,
                        const struct ml_node *parameters, const struct ml_classic *classic)
{
    const bool is_listed = strcmp(classic->lines[0], "system:") != 0;
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
    ml_problem(&r->problems, given->key_location,
               "%s is no parameter of %s%s%s%s; `manylink %s` shows its formulas, to be changed "
               "in a study of `type: equations`",
               ml_quote(r->pool, given->key), classic->name,
               nearest.best ? ": the nearest is `" : "", nearest.best ? nearest.best : "",
               nearest.best ? "`" : "",
               is_listed ? ml_pool_format(r->pool, "init %s", classic->name) : "show-equations");
}

void ml_read_classic(struct ml_reader *r, struct ml_node *root)
{
    struct ml_node *system = ml_node_find(root, "system");
    const struct ml_node *type = ml_node_find_kind(system, "type", ML_NODE_SCALAR);
    const struct ml_classic *classic = type ? classic_find(root, type->text) : NULL;
    if (!classic)
        return;
    struct ml_node *study = classic_study(r, classic, type->location);
    struct ml_node *formulas = ml_node_find(study, "system");
    if (!formulas)
        return;
    const struct ml_node *parameters = ml_node_find(formulas, "parameters");
    const struct ml_node *first = system->first;
    const struct ml_location location = system->location;
    ml_node_replace(system, formulas, location);
    classic_quantities(r, study, root);
    for (const struct ml_node *given = first; given; given = given->next)
        if (given != type)
            classic_set(r, given, parameters, classic);
}
