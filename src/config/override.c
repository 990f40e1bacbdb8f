/* --set PATH=VALUE on the tree of a study file: finds what the path names there, or makes it. */
#include "config/override.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "analysis/registry.h"
#include "yaml/nearest.h"
#include "yaml/yaml.h"

struct walk {
    struct ml_problems *problems;
    struct ml_node *root;
    struct ml_location location;
    const char *path, *end; /* the whole of it */
    const char *from, *to;  /* the step that is taken */
    struct ml_node *above;  /* what the last node but one is in; NULL: nothing */
    const char *so_far;     /* "system.segments": the steps before, for messages */
    bool is_scalar;         /* the value is one: it may be a number of a run */
    const char *fault;      /* why the tree has nothing for the path; NULL: it has */
};

static struct ml_node *override_refuse(struct walk *w, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static struct ml_node *override_refuse(struct walk *w, const char *format, ...)
{
    enum { LONGEST = 600 };
    char text[LONGEST];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(text, sizeof text, format, args);
    va_end(args);
    w->fault = ml_pool_text(w->problems->pool, text, strlen(text));
    w->fault = w->fault ? w->fault : "out of memory";
    return NULL;
}

static bool is_last(const struct walk *w) { return w->to == w->end; }

/* Name of an element of a list of names or of maps; its number, from 1, if it has none. */
static const char *override_name_of(struct walk *w, const struct ml_node *element, int i,
                                    bool is_name)
{
    const struct ml_node *name = is_name ? element : ml_node_find(element, "name");
    const char *number = ml_pool_format(w->problems->pool, "%d", i + 1);
    if (name && name->kind == ML_NODE_SCALAR)
        return name->text;
    return number ? number : "";
}

/* The element of a list that stands where `wanted` does in a list of names, or of what has names.
 */
static struct ml_node *override_find_named(struct walk *w, const struct ml_node *list,
                                           const struct ml_node *names, bool are_names,
                                           const char *wanted)
{
    struct ml_node *element = list->first;
    struct ml_nearest nearest = ml_nearest_any(wanted);
    int i = 0;
    for (const struct ml_node *named = names->first; element && named; named = named->next) {
        const char *name = override_name_of(w, named, i++, are_names);
        if (strcmp(name, wanted) == 0)
            return element;
        ml_nearest_offer(&nearest, name);
        element = element->next;
    }
    return override_refuse(w, "%s has nothing named %s; the nearest is `%s`", w->so_far,
                           ml_quote(w->problems->pool, wanted), nearest.best ? nearest.best : "");
}

static struct ml_node *find_in_list(struct walk *w, const struct ml_node *list, const char *step)
{
    const struct ml_node *system = ml_node_find(w->root, "system");
    const struct ml_node *segments = ml_node_find(system, "segments");
    const struct ml_node *names = ml_node_find(system, "names");
    const struct ml_node *mass = ml_node_find(system, "mass");
    const bool is_initial = strncmp(w->path, "initial.", 8) == 0;
    const bool is_of_system = is_initial || strncmp(w->path, "system.", 7) == 0;
    if (list->first && list->first->kind == ML_NODE_MAP)
        return override_find_named(w, list, list, false, step);
    if (is_initial && segments && segments->kind == ML_NODE_LIST && !ml_node_find(system, "body"))
        return override_find_named(w, list, segments, false, step);
    if (is_of_system && names && names->kind == ML_NODE_LIST)
        return override_find_named(w, list, names, true, step);
    if (is_of_system && mass && mass->kind == ML_NODE_LIST)
        return override_find_named(w, list, mass, false, step);
    if (list->n_child == 2 && strcmp(step, "x") == 0)
        return list->first;
    if (list->n_child == 2 && strcmp(step, "y") == 0)
        return list->last;
    return override_refuse(w, "%s is a list without names; set it as a whole", w->so_far);
}

/* Bytes of the rest of the path that are `name`, as one step or several; 0: it is not. */
static size_t matches(const struct walk *w, const char *name)
{
    const size_t length = strlen(name);
    const char *after = w->from + length;
    const bool fits = length > 0 && length <= (size_t)(w->end - w->from);
    return fits && strncmp(w->from, name, length) == 0 && (after == w->end || *after == '.')
               ? length
               : 0;
}

/* How an axis is called when it has no name: by the key that it moves, if that is one. */
static const char *key_of(const struct ml_node *axis)
{
    const struct ml_node *set = ml_node_find(axis, "set");
    const struct ml_node *first = set && set->kind == ML_NODE_LIST ? set->first : set;
    return first && first->kind == ML_NODE_SCALAR && (first == set || set->n_child == 1)
               ? first->text
               : "";
}

/* How an axis is called by itself: by its name, its key, or its number from 1 on. */
static const char *own_name(const struct walk *w, const struct ml_node *axis, int i)
{
    const struct ml_node *name = ml_node_find(axis, "name");
    const char *key = ml_node_find(axis, "scale_by") ? "" : key_of(axis);
    if (name && name->kind == ML_NODE_SCALAR)
        return name->text;
    if (*key || strcmp(w->so_far, "sweep") != 0)
        return key;
    const char *numbered = ml_pool_format(w->problems->pool, "axis%d", i + 1);
    return numbered ? numbered : "";
}

/* An axis of the sweep, or a range of the sample, by its number from 0 on, its name (see
 * set_name in read_sweep.c), or its key, whose dots are part of it. */
static struct ml_node *override_find_axis(struct walk *w, const struct ml_node *list)
{
    struct ml_pool *pool = w->problems->pool;
    struct ml_node *found = NULL;
    const char *known = "";
    size_t longest = 0;
    int i = 0;
    for (struct ml_node *axis = list->first; axis && known; axis = axis->next, i++) {
        const char *number = ml_pool_format(pool, "%d", i), *own = own_name(w, axis, i);
        const char *names[] = {number ? number : "", own, key_of(axis)};
        for (int k = 0; k < 3; k++)
            if (matches(w, names[k]) > longest) {
                longest = matches(w, names[k]);
                found = axis;
            }
        own = *own ? own : names[2];
        known = ml_pool_format(pool, "%s%s%d%s%s%s", known, i ? ", " : "", i, *own ? " (" : "", own,
                               *own ? ")" : "");
    }
    if (found)
        w->to = w->from + longest;
    return found ? found
                 : override_refuse(
                       w, "%s has no axis %s; there are: %s", w->so_far,
                       ml_quote(pool, ml_pool_text(pool, w->from, (size_t)(w->to - w->from))),
                       known && *known ? known : "none");
}

static struct ml_node *add_child(struct walk *w, struct ml_node *map, const char *key)
{
    struct ml_node *child = ml_pool_take(w->problems->pool, 1, sizeof *child);
    if (child) {
        *child = (struct ml_node){.kind = ML_NODE_MAP,
                                  .location = w->location,
                                  .text = "",
                                  .key = key,
                                  .key_location = w->location};
        ml_node_append(map, child);
    }
    return child;
}

/* The schema's row of a key of the system or of a force; false if the tree does not say of which
 * type it is, or that has no such key. */
static bool find_row(const struct walk *w, const struct ml_node *at, const char *key,
                     struct ml_keys *keys, const struct ml_key **row)
{
    const struct ml_registry *registry = ml_registry();
    const struct ml_node *type = ml_node_find(at, "type");
    const char *word = type && type->kind == ML_NODE_SCALAR ? type->text : "";
    *row = NULL;
    if (strcmp(w->so_far, "system") == 0)
        for (int i = 0; registry->systems[i] && !*row; i++)
            if (strcmp(registry->systems[i]->name, word) == 0) {
                ml_schema_keys(ML_SCOPE_SYSTEM, registry->systems[i], NULL, keys);
                *row = ml_keys_find(keys, key);
            }
    if (strncmp(w->so_far, "forces.", 7) == 0)
        for (int i = 0; registry->forces[i] && !*row; i++)
            if (strcmp(registry->forces[i]->name, word) == 0) {
                const struct ml_params own = ml_force_params(registry->forces[i]);
                ml_schema_keys(ML_SCOPE_FORCE, NULL, &own, keys);
                *row = ml_keys_find(keys, key);
            }
    return *row != NULL;
}

/* Whether what is below a key is set when the numbers of a run are known, rather than in the tree,
 * which may have it in several forms: matrices always, and vectors and segments where the tree has
 * none. */
static bool is_left_for_later(const struct walk *w, const struct ml_node *at, const char *key)
{
    struct ml_keys keys;
    const struct ml_key *row;
    const struct ml_node *child = ml_node_find(at, key);
    if (is_last(w) || !w->is_scalar || !find_row(w, at, key, &keys, &row))
        return false;
    const bool is_pair = memchr(w->to + 1, '.', (size_t)(w->end - w->to - 1)) != NULL;
    if (row->kind == ML_KEY_SEGMENTS)
        return !child || (is_pair && ml_node_find(child, "repeat"));
    return row->kind == ML_KEY_MATRIX
               ? is_pair
               : !child && (row->kind == ML_KEY_NUMBER || row->kind == ML_KEY_OPTIONAL);
}

/* The child that a step names; a new one if a map has no such key. NULL: see w->fault. */
static struct ml_node *descend(struct walk *w, struct ml_node *at, const char *step)
{
    const bool is_axes = strcmp(w->so_far, "sweep") == 0 || strcmp(w->so_far, "sample.over") == 0;
    if (at->kind == ML_NODE_LIST)
        return is_axes ? override_find_axis(w, at) : find_in_list(w, at, step);
    if (at->kind == ML_NODE_SCALAR)
        return override_refuse(w, "%s is a single value and has no key %s; set it as a whole",
                               w->so_far, ml_quote(w->problems->pool, step));
    if (is_left_for_later(w, at, step))
        return override_refuse(w, "%s has no number `%.*s`; set it as a whole", w->so_far,
                               (int)(w->end - w->from), w->from);
    struct ml_node *child = ml_node_find(at, step);
    return child ? child : add_child(w, at, step);
}

/* The node that the path names, or NULL: see w->fault.
 *   parent  what it is in */
static struct ml_node *walk_to(struct walk *w, struct ml_node **parent)
{
    struct ml_pool *pool = w->problems->pool;
    struct ml_node *at = w->root;
    for (w->from = w->path; at && w->from <= w->end; w->from = w->to + 1) {
        const char *dot = memchr(w->from, '.', (size_t)(w->end - w->from));
        w->to = dot ? dot : w->end;
        const char *step = ml_pool_text(pool, w->from, (size_t)(w->to - w->from));
        const bool is_first = w->from == w->path;
        w->so_far = is_first ? "" : ml_pool_text(pool, w->path, (size_t)(w->from - w->path - 1));
        w->above = *parent;
        *parent = at;
        if (w->to == w->from)
            return override_refuse(w, "the path has an empty name");
        at = step && w->so_far ? descend(w, at, step) : override_refuse(w, "out of memory");
    }
    return at;
}

static void remove_of_file(struct ml_node *map, const char *key, const struct ml_node *kept)
{
    struct ml_node *node = ml_node_find(map, key);
    if (node && node != kept && node->location.option == 0)
        ml_node_remove(map, node);
}

/* Takes what the file says of an axis' numbers in another form out of its way. */
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
    struct ml_node *nothing = ml_pool_take(r->pool, 1, sizeof *nothing), *parent = NULL;
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
    struct walk w = {.problems = problems,
                     .root = root,
                     .location = location,
                     .path = text,
                     .end = equals,
                     .is_scalar = own->value->kind == ML_NODE_SCALAR};
    struct ml_node *node = walk_to(&w, &parent);
    own->fault = w.fault;
    if (!node && !w.is_scalar)
        ml_problem(problems, location, "%s", w.fault);
    if (!node)
        return;
    ml_node_replace(node, own->value, location);
    if (strncmp(text, "sweep.", 6) == 0 || strncmp(text, "sample.over.", 12) == 0) {
        override_make_room(parent, node);
        if (w.above && parent->key && strcmp(parent->key, "scale_by") == 0)
            override_make_room(w.above, parent);
    }
}
