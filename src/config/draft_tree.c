/* From "path=value" to the tree that reading a file gives, and from a tree to a file. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "config/draft.h"
#include "config/yaml_writer.h"
#include "yaml/yaml.h"

enum { MOST_DIGITS = 6 }; /* of an element's number */

/* A walk along a path. */
struct draft_walk {
    struct ml_problems *problems;
    struct ml_location location;
    const char *path, *at; /* what is still to be walked */
};

static bool draft_is_letter(char c) { return isalnum((unsigned char)c) || c == '_' || c == '-'; }

/* Bytes of "[12]" or "[]"; 0: it is neither. */
static size_t draft_bracket(const char *text)
{
    size_t n = 1;
    if (*text != '[')
        return 0;
    while (isdigit((unsigned char)text[n]))
        n++;
    return text[n] == ']' && n <= 1 + MOST_DIGITS ? n + 1 : 0;
}

static size_t draft_key(const char *text)
{
    size_t n = 0;
    while (draft_is_letter(text[n]))
        n++;
    return n;
}

bool ml_draft_is_path(const char *path, size_t length)
{
    const char *at = path;
    for (;;) {
        const size_t key = draft_key(at);
        if (key == 0)
            return false;
        at += key;
        for (size_t n; (n = draft_bracket(at)) > 0;)
            at += n;
        if (at == path + length)
            return true;
        if (*at++ != '.')
            return false;
    }
}

/* Tells that what was walked so far is something else. */
static struct ml_node *draft_refuse(const struct draft_walk *w, const struct ml_node *node,
                                    const char *expected)
{
    ml_problem(w->problems, w->location, "`%.*s` is %s there, and must be %s",
               (int)(w->at - w->path), w->path, ml_node_kind_text(node), expected);
    return NULL;
}

/* An empty map, which may become anything; NULL without memory. */
static struct ml_node *draft_add(const struct draft_walk *w, struct ml_node *parent,
                                 const char *key)
{
    struct ml_node *node = ml_pool_take(w->problems->pool, 1, sizeof *node);
    if (node) {
        *node = (struct ml_node){.kind = ML_NODE_MAP,
                                 .location = w->location,
                                 .key_location = w->location,
                                 .key = key,
                                 .text = ""};
        ml_node_append(parent, node);
    }
    return node;
}

/* The element of a list that has this name; NULL after telling. */
static struct ml_node *draft_named(const struct draft_walk *w, const struct ml_node *list,
                                   const char *name)
{
    for (struct ml_node *element = list->first; element; element = element->next) {
        const struct ml_node *own = ml_node_find(element, "name");
        if (own && own->kind == ML_NODE_SCALAR && strcmp(own->text, name) == 0)
            return element;
    }
    ml_problem(w->problems, w->location,
               "`%.*s` is a list, and nothing in it has the name %s; number its elements from 0: "
               "%.*s[0]",
               (int)(w->at - w->path - 1), w->path, ml_quote(w->problems->pool, name),
               (int)(w->at - w->path - 1), w->path);
    return NULL;
}

/* The child that a key names, made if need be. */
static struct ml_node *draft_step(struct draft_walk *w, struct ml_node *node)
{
    const size_t length = draft_key(w->at);
    const char *key = ml_pool_text(w->problems->pool, w->at, length);
    struct ml_node *child = NULL;
    if (!key)
        return NULL;
    if (node->kind == ML_NODE_LIST)
        child = draft_named(w, node, key);
    else if (node->kind == ML_NODE_SCALAR)
        return --w->at, draft_refuse(w, node, "a map");
    else if (!(child = ml_node_find(node, key)))
        child = draft_add(w, node, key);
    w->at += length;
    return child;
}

/* The element that a bracket names, appended if it is the one behind the last. */
static struct ml_node *draft_element(struct draft_walk *w, struct ml_node *list)
{
    const size_t length = draft_bracket(w->at);
    const int i = length == 2 ? list->n_child : (int)strtol(w->at + 1, NULL, 10);
    if (list->kind == ML_NODE_MAP && list->n_child == 0)
        list->kind = ML_NODE_LIST;
    if (list->kind != ML_NODE_LIST)
        return draft_refuse(w, list, "a list");
    if (i > list->n_child) {
        ml_problem(w->problems, w->location, "`%.*s` has %d elements so far: the next is %.*s[%d]",
                   (int)(w->at - w->path), w->path, list->n_child, (int)(w->at - w->path), w->path,
                   list->n_child);
        return NULL;
    }
    struct ml_node *element = list->first;
    for (int k = 0; k < i && element; k++)
        element = element->next;
    element = element ? element : draft_add(w, list, NULL);
    w->at += length;
    return element;
}

static struct ml_node *draft_walk_to(struct draft_walk *w, struct ml_node *root)
{
    struct ml_node *node = root;
    while (node && *w->at != '=') {
        if (*w->at == '[') {
            node = draft_element(w, node);
        } else {
            w->at += *w->at == '.';
            node = draft_step(w, node);
        }
    }
    return node;
}

static void draft_apply(struct ml_problems *problems, struct ml_node *root, int option)
{
    const char *text = problems->overrides[option - 1], *equals = strchr(text, '=');
    const struct ml_location location = {option, 1, 1};
    const struct ml_node nothing = {.kind = ML_NODE_SCALAR, .is_plain = true, .text = ""};
    struct draft_walk w = {.problems = problems, .location = location, .path = text, .at = text};
    const int before = problems->count;
    const struct ml_node *value = ml_yaml_read(equals + 1, strlen(equals + 1), option, problems);
    if (problems->count > before)
        return;
    struct ml_node *node = draft_walk_to(&w, root);
    if (node)
        ml_node_replace(node, value ? value : &nothing, location);
}

struct ml_node *ml_draft_tree(struct ml_problems *problems, int n)
{
    struct ml_node *root = ml_pool_take(problems->pool, 1, sizeof *root);
    const struct draft_walk w = {.problems = problems}; /* a place of its own */
    const struct ml_node one = {.kind = ML_NODE_SCALAR, .is_plain = true, .text = "1"};
    if (!root)
        return NULL;
    *root = (struct ml_node){.kind = ML_NODE_MAP, .text = "", .location = w.location};
    struct ml_node *version = draft_add(&w, root, "manylink");
    if (!version)
        return NULL;
    ml_node_replace(version, &one, w.location);
    for (int i = 1; i <= n && !problems->pool->is_short; i++)
        draft_apply(problems, root, i);
    return problems->pool->is_short ? NULL : root;
}

static void draft_put_children(struct ml_yaml_writer *w, const struct ml_node *node, int depth);

/* What stands behind "key:" or "-". */
static void draft_put_value(struct ml_yaml_writer *w, const struct ml_node *node, int depth)
{
    if (node->kind != ML_NODE_SCALAR && node->n_child > 0) {
        ml_put(w, "\n");
        draft_put_children(w, node, depth);
        return;
    }
    ml_put(w, " ");
    if (node->kind != ML_NODE_SCALAR)
        ml_put(w, "%s", node->kind == ML_NODE_LIST ? "[]" : "{}");
    else if (node->is_plain)
        ml_put(w, "%s", node->text);
    else
        ml_put_text(w, node->text);
    ml_put(w, "\n");
}

static void draft_put_children(struct ml_yaml_writer *w, const struct ml_node *node, int depth)
{
    for (const struct ml_node *child = node->first; child; child = child->next) {
        ml_put(w, "%*s", 2 * depth, "");
        if (node->kind == ML_NODE_LIST) {
            ml_put(w, "-");
        } else {
            const bool is_simple = draft_key(child->key) == strlen(child->key);
            if (is_simple)
                ml_put(w, "%s", child->key);
            else
                ml_put_text(w, child->key);
            ml_put(w, ":");
        }
        draft_put_value(w, child, depth + 1);
    }
}

char *ml_draft_text(const struct ml_node *root, struct ml_pool *pool)
{
    struct ml_yaml_writer w = {0};
    draft_put_children(&w, root, 0);
    char *text = w.is_short || !w.text ? NULL : ml_pool_text(pool, w.text, w.used);
    free(w.text);
    return text;
}
