/* Walks along a path through the tree of a study, and makes missing nodes. */
#include "config/schema/path.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/registry.h"
#include "config/schema/schema.h"
#include "yaml/nearest.h"

enum { MOST_DIGITS = 6 }; /* of an element's number */

/* NULL, and why. */
#define REFUSE(w, ...) ((w)->fault = ml_pool_format((w)->pool, __VA_ARGS__), (struct ml_node *)NULL)

size_t ml_path_bracket(const char *text)
{
    size_t n = 1;
    if (*text != '[')
        return 0;
    while (isdigit((unsigned char)text[n]))
        n++;
    return text[n] == ']' && n <= 1 + MOST_DIGITS ? n + 1 : 0;
}

static bool is_last(const struct ml_path *w) { return w->to == w->end; }

/* Name of an element of a list of names or of maps; its number, from 1, if it has none. */
static const char *path_name_of(struct ml_path *w, const struct ml_node *element, int i,
                                bool is_name)
{
    const struct ml_node *name = is_name ? element : ml_node_find(element, "name");
    const char *number = ml_pool_format(w->pool, "%d", i + 1);
    if (name && name->kind == ML_NODE_SCALAR)
        return name->text;
    return number ? number : "";
}

/* The element of a list that stands where `wanted` does in a list of names, or of maps with names.
 */
static struct ml_node *path_find_named(struct ml_path *w, const struct ml_node *list,
                                       const struct ml_node *names, bool are_names,
                                       const char *wanted)
{
    struct ml_node *element = list->first;
    struct ml_nearest nearest = ml_nearest_any(wanted);
    int i = 0;
    for (const struct ml_node *named = names->first; element && named; named = named->next) {
        const char *name = path_name_of(w, named, i++, are_names);
        if (strcmp(name, wanted) == 0)
            return element;
        ml_nearest_offer(&nearest, name);
        element = element->next;
    }
    return REFUSE(w, "%s has nothing named %s; the nearest is `%s`", w->so_far,
                  ml_quote(w->pool, wanted), nearest.best ? nearest.best : "");
}

static struct ml_node *find_in_list(struct ml_path *w, const struct ml_node *list, const char *step)
{
    const struct ml_node *system = ml_node_find(w->root, "system");
    const struct ml_node *segments = ml_node_find(system, "segments");
    const struct ml_node *names = ml_node_find(system, "names");
    const struct ml_node *mass = ml_node_find(system, "mass");
    const bool is_initial = strncmp(w->text, "initial.", 8) == 0;
    const bool is_of_system = is_initial || strncmp(w->text, "system.", 7) == 0;
    const bool is_component =
        strncmp(w->so_far, "forces.", 7) == 0 && (strcmp(step, "x") == 0 || strcmp(step, "y") == 0);
    if (list->first && list->first->kind == ML_NODE_MAP && !is_component)
        return path_find_named(w, list, list, false, step);
    if (is_initial && segments && segments->kind == ML_NODE_LIST && !ml_node_find(system, "body"))
        return path_find_named(w, list, segments, false, step);
    if (is_of_system && names && names->kind == ML_NODE_LIST)
        return path_find_named(w, list, names, true, step);
    if (is_of_system && mass && mass->kind == ML_NODE_LIST)
        return path_find_named(w, list, mass, false, step);
    if (list->n_child == 2 && strcmp(step, "x") == 0)
        return list->first;
    if (list->n_child == 2 && strcmp(step, "y") == 0)
        return list->last;
    return REFUSE(w, "%s is a list without names; set it as a whole", w->so_far);
}

/* Bytes of the rest of the path that are `name`, as one step or several; 0: it is not. */
static size_t matches(const struct ml_path *w, const char *name)
{
    const size_t length = strlen(name);
    const char *after = w->from + length;
    const bool fits = length > 0 && length <= (size_t)(w->end - w->from);
    return fits && strncmp(w->from, name, length) == 0 &&
                   (after == w->end || *after == '.' || *after == '[')
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
static const char *own_name(const struct ml_path *w, const struct ml_node *axis, int i)
{
    const struct ml_node *name = ml_node_find(axis, "name");
    const char *key = ml_node_find(axis, "scale_by") ? "" : key_of(axis);
    if (name && name->kind == ML_NODE_SCALAR)
        return name->text;
    if (*key || strcmp(w->so_far, "sweep") != 0)
        return key;
    const char *numbered = ml_pool_format(w->pool, "axis%d", i + 1);
    return numbered ? numbered : "";
}

/* An axis of the sweep, or a range of the sample or of `tune`, by its number from 0 on, its name
 * (see set_name in read_sweep.c), or its key, whose dots are part of it. */
static struct ml_node *path_find_axis(struct ml_path *w, const struct ml_node *list)
{
    struct ml_pool *pool = w->pool;
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
                 : REFUSE(w, "%s has no axis %s; there are: %s", w->so_far,
                          ml_quote(pool, ml_pool_text(pool, w->from, (size_t)(w->to - w->from))),
                          known && *known ? known : "none");
}

/* An empty map, which may become any node; NULL if the path must exist, or without memory. */
static struct ml_node *add_child(struct ml_path *w, struct ml_node *parent, const char *key)
{
    struct ml_node *child =
        w->mode == ML_PATH_FIND ? NULL : ml_pool_take(w->pool, 1, sizeof *child);
    if (child) {
        *child = (struct ml_node){.kind = ML_NODE_MAP,
                                  .location = w->location,
                                  .text = "",
                                  .key = key,
                                  .key_location = w->location};
        ml_node_append(parent, child);
    }
    return child;
}

static const char *type_of(const struct ml_node *at)
{
    const struct ml_node *type = ml_node_find(at, "type");
    return type && type->kind == ML_NODE_SCALAR ? type->text : "";
}

/* The schema's row of a key of the system or of a force; false if the tree does not say of which
 * type it is, or that has no such key. */
static bool find_row(const struct ml_path *w, const struct ml_node *at, const char *key,
                     const struct ml_key **row)
{
    const struct ml_registry *registry = ml_registry();
    const char *word = type_of(at);
    *row = NULL;
    if (strcmp(w->so_far, "system") == 0)
        for (int i = 0; registry->systems[i] && !*row; i++)
            if (strcmp(registry->systems[i]->name, word) == 0) {
                const struct ml_keys keys =
                    ml_schema_keys(w->pool, ML_SCOPE_SYSTEM, registry->systems[i], NULL);
                *row = ml_keys_find(&keys, key);
            }
    if (strncmp(w->so_far, "forces.", 7) == 0)
        for (int i = 0; registry->forces[i] && !*row; i++)
            if (strcmp(registry->forces[i]->name, word) == 0) {
                const struct ml_params own = ml_force_params(registry->forces[i]);
                const struct ml_keys keys = ml_schema_keys(w->pool, ML_SCOPE_FORCE, NULL, &own);
                *row = ml_keys_find(&keys, key);
            }
    return *row != NULL;
}

/* Whether a value below a key is set when the numbers of a run are known, rather than in the tree,
 * which may have it in several forms: matrices always, and vectors and segments where the tree has
 * none. */
static bool is_left_for_later(const struct ml_path *w, const struct ml_node *at, const char *key)
{
    const struct ml_key *row;
    const struct ml_node *child = ml_node_find(at, key);
    if (is_last(w) || w->mode != ML_PATH_OPTION)
        return false;
    if (!find_row(w, at, key, &row)) /* an array that formulas name */
        return strcmp(w->so_far, "system") == 0 && strcmp(type_of(at), "equations") == 0;
    const bool is_pair = memchr(w->to + 1, '.', (size_t)(w->end - w->to - 1)) != NULL;
    if (row->kind == ML_KEY_SEGMENTS)
        return !child || (is_pair && ml_node_find(child, "repeat"));
    return row->kind == ML_KEY_MATRIX
               ? is_pair
               : !child && (row->kind == ML_KEY_NUMBER || row->kind == ML_KEY_OPTIONAL);
}

/* The element that a bracket counts; a new one if it is the one behind the last. */
static struct ml_node *find_element(struct ml_path *w, struct ml_node *list)
{
    const int i = w->to == w->from + 2 ? list->n_child : (int)strtol(w->from + 1, NULL, 10);
    struct ml_node *element = list->first;
    if (list->kind == ML_NODE_MAP && list->n_child == 0)
        list->kind = ML_NODE_LIST;
    if (list->kind != ML_NODE_LIST)
        return REFUSE(w, "`%s` is %s there, and must be a list", w->so_far,
                      ml_node_kind_text(list));
    if (i > list->n_child)
        return REFUSE(w, "`%s` has %d elements so far: the next is %s[%d]", w->so_far,
                      list->n_child, w->so_far, list->n_child);
    for (int k = 0; k < i && element; k++)
        element = element->next;
    return element ? element : add_child(w, list, NULL);
}

/* The child that a step names; a new one if a map has no such key. NULL: see w->fault. */
static struct ml_node *descend(struct ml_path *w, struct ml_node *at)
{
    const char *step = ml_pool_text(w->pool, w->from, (size_t)(w->to - w->from));
    const bool is_axes = strcmp(w->so_far, "sweep") == 0 || strcmp(w->so_far, "sample.over") == 0 ||
                         strcmp(w->so_far, "tune.vary") == 0;
    if (!step)
        return REFUSE(w, "out of memory");
    if (*step == '[')
        return find_element(w, at);
    if (at->kind == ML_NODE_LIST)
        return is_axes ? path_find_axis(w, at) : find_in_list(w, at, step);
    if (at->kind == ML_NODE_SCALAR)
        return REFUSE(w, "%s is a single value and has no key %s; set it as a whole", w->so_far,
                      ml_quote(w->pool, step));
    if (is_left_for_later(w, at, step))
        return REFUSE(w, "%s has no number `%.*s`; set it as a whole", w->so_far,
                      (int)(w->end - w->from), w->from);
    struct ml_node *child = ml_node_find(at, step);
    return child ? child : add_child(w, at, step);
}

/* Takes the next step off the path, with the text of the steps before it. */
static void path_next(struct ml_path *w)
{
    const bool is_key = w->from > w->text && w->from[-1] == '.';
    const size_t bracket = ml_path_bracket(w->from);
    const size_t before = (size_t)(w->from - w->text) - (is_key ? 1 : 0);
    const char *so_far = ml_pool_text(w->pool, w->text, before);
    w->to = w->from + (bracket ? bracket : strcspn(w->from, ".["));
    w->to = w->to < w->end ? w->to : w->end;
    w->so_far = so_far ? so_far : "";
}

struct ml_node *ml_path_walk(struct ml_path *w)
{
    struct ml_node *at = w->root;
    for (w->from = w->text; at;) {
        path_next(w);
        w->above = w->parent;
        w->parent = at;
        at = w->to > w->from ? descend(w, at) : REFUSE(w, "the path has an empty name");
        if (w->to == w->end)
            break;
        w->from = *w->to == '.' ? w->to + 1 : w->to;
    }
    w->fault = at || w->fault ? w->fault : "out of memory";
    return at;
}
