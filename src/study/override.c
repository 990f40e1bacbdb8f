#include "study/override.h"

#include <string.h>

#include "study/nearest.h"
#include "study/yaml.h"

struct walk {
    struct ml_problems *problems;
    struct ml_place place;
    struct ml_node *root;
    const char *list_path; /* "system.segments": for messages, the steps so far */
    bool is_initial;       /* the path begins with `initial` */
    bool is_system;        /* or with `system` */
    const char *diagonal;  /* name of the number reached, if it is one of a list of the system; else
                              NULL */
};

/* Name of an element of a list of names or of maps; its number, from 1, if it has none. */
static const char *name_of(struct walk *w, const struct ml_node *element, int i, bool is_name)
{
    const struct ml_node *name = is_name ? element : ml_node_find(element, "name");
    const char *number = ml_pool_format(w->problems->pool, "%d", i + 1);
    if (name && name->kind == ML_NODE_SCALAR)
        return name->text;
    return number ? number : "";
}

/* The element of a list that stands where `wanted` does in a list of names, or of what has names.
 */
static struct ml_node *find_named(struct walk *w, const struct ml_node *list,
                                  const struct ml_node *names, bool are_names, const char *wanted)
{
    struct ml_node *element = list->first;
    struct ml_nearest nearest = ml_nearest_any(wanted);
    int i = 0;
    for (const struct ml_node *named = names->first; element && named; named = named->next) {
        const char *name = name_of(w, named, i++, are_names);
        if (strcmp(name, wanted) == 0) {
            w->diagonal = w->is_system && element->kind == ML_NODE_SCALAR ? name : NULL;
            return element;
        }
        ml_nearest_offer(&nearest, name);
        element = element->next;
    }
    ml_problem(w->problems, w->place, "%s has nothing named %s; the nearest is `%s`", w->list_path,
               ml_quote(w->problems->pool, wanted), nearest.best ? nearest.best : "");
    return NULL;
}

static struct ml_node *find_in_list(struct walk *w, const struct ml_node *list, const char *step)
{
    const struct ml_node *system = ml_node_find(w->root, "system");
    const struct ml_node *segments = ml_node_find(system, "segments");
    const struct ml_node *names = ml_node_find(system, "names");
    const struct ml_node *mass = ml_node_find(system, "mass");
    if (list->first && list->first->kind == ML_NODE_MAP)
        return find_named(w, list, list, false, step);
    if (w->is_initial && segments && segments->kind == ML_NODE_LIST)
        return find_named(w, list, segments, false, step);
    if ((w->is_initial || w->is_system) && names && names->kind == ML_NODE_LIST)
        return find_named(w, list, names, true, step);
    if ((w->is_initial || w->is_system) && mass && mass->kind == ML_NODE_LIST)
        return find_named(w, list, mass, false, step);
    if (list->n_child == 2 && strcmp(step, "x") == 0)
        return list->first;
    if (list->n_child == 2 && strcmp(step, "y") == 0)
        return list->last;
    ml_problem(w->problems, w->place, "%s is a list without names; set it as a whole",
               w->list_path);
    return NULL;
}

static struct ml_node *add_child(struct walk *w, struct ml_node *map, const char *key)
{
    struct ml_node *child = ml_pool_take(w->problems->pool, 1, sizeof *child);
    if (child) {
        *child = (struct ml_node){
            .kind = ML_NODE_MAP, .place = w->place, .text = "", .key = key, .key_place = w->place};
        ml_node_append(map, child);
    }
    return child;
}

/* A number of a matrix's diagonal as the map of its row. */
static void make_row(struct walk *w, struct ml_node *number)
{
    const struct ml_node old = *number;
    number->kind = ML_NODE_MAP;
    number->place = w->place;
    struct ml_node *child = add_child(w, number, w->diagonal);
    if (child) {
        child->kind = ML_NODE_SCALAR;
        child->is_plain = old.is_plain;
        child->text = old.text;
        child->place = old.place;
    }
    w->diagonal = NULL;
}

/* The child that a step names; a new one if a map has no such key. NULL after telling. */
static struct ml_node *descend(struct walk *w, struct ml_node *at, const char *step)
{
    if (at->kind == ML_NODE_SCALAR && w->diagonal)
        make_row(w, at);
    struct ml_node *child = ml_node_find(at, step);
    if (child)
        return child;
    if (at->kind == ML_NODE_LIST)
        return find_in_list(w, at, step);
    if (at->kind == ML_NODE_SCALAR) {
        ml_problem(w->problems, w->place,
                   "%s is a single value and has no key %s; set it as a whole", w->list_path,
                   ml_quote(w->problems->pool, step));
        return NULL;
    }
    return add_child(w, at, step);
}

static void replace(struct ml_node *node, const struct ml_node *value, struct ml_place place)
{
    node->kind = value->kind;
    node->is_plain = value->is_plain;
    node->text = value->text;
    node->n_child = value->n_child;
    node->first = value->first;
    node->last = value->last;
    node->place = node->key_place = place;
}

/* The node a path names; NULL after telling. */
static struct ml_node *walk_to(struct walk *w, const char *path, size_t length)
{
    struct ml_pool *pool = w->problems->pool;
    struct ml_node *at = w->root;
    const char *end = path + length;
    w->is_initial = length > 7 && strncmp(path, "initial.", 8) == 0;
    w->is_system = length > 6 && strncmp(path, "system.", 7) == 0;
    for (const char *from = path; at && from <= end;) {
        const char *dot = memchr(from, '.', (size_t)(end - from)), *to = dot ? dot : end;
        const char *step = ml_pool_text(pool, from, (size_t)(to - from));
        if (to == from) {
            ml_problem(w->problems, w->place, "the path has an empty name");
            return NULL;
        }
        const char *so_far = ml_pool_text(pool, path, from > path ? (size_t)(from - path - 1) : 0);
        w->list_path = so_far ? so_far : "";
        at = step ? descend(w, at, step) : NULL;
        from = to + 1;
    }
    return at;
}

void ml_override(struct ml_node *root, int option, struct ml_problems *problems)
{
    const struct ml_place place = {option, 1, 1};
    const char *text = problems->overrides[option - 1], *equals = strchr(text, '=');
    const struct ml_node nothing = {
        .kind = ML_NODE_SCALAR, .is_plain = true, .text = "", .place = place};
    if (!equals || equals == text) {
        ml_problem(problems, place, "an override must be path=value");
        return;
    }
    int before = problems->count;
    const struct ml_node *value = ml_yaml_read(equals + 1, strlen(equals + 1), option, problems);
    if (problems->count > before || problems->pool->is_short)
        return;
    struct walk w = {.problems = problems, .place = place, .root = root};
    struct ml_node *node = walk_to(&w, text, (size_t)(equals - text));
    if (node)
        replace(node, value ? value : &nothing, place);
}
