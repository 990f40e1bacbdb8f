/* From "path=value" to the tree that reading a file gives, and from a tree to a file. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "config/schema/path.h"
#include "config/schema/yaml_writer.h"
#include "config/sections/read_study.h"
#include "yaml/yaml.h"

static bool draft_is_letter(char c) { return isalnum((unsigned char)c) || c == '_' || c == '-'; }

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
        for (size_t n; (n = ml_path_bracket(at)) > 0;)
            at += n;
        if (at == path + length)
            return true;
        if (*at++ != '.')
            return false;
    }
}

static void draft_apply(struct ml_problems *problems, struct ml_node *root, int option)
{
    const char *text = problems->overrides[option - 1], *equals = strchr(text, '=');
    const struct ml_location location = {option, 1, 1};
    const struct ml_node nothing = {.kind = ML_NODE_SCALAR, .is_plain = true, .text = ""};
    struct ml_path path = {.mode = ML_PATH_BUILD,
                           .pool = problems->pool,
                           .root = root,
                           .location = location,
                           .text = text,
                           .end = equals};
    const int before = problems->count;
    const struct ml_node *value = ml_yaml_read(equals + 1, strlen(equals + 1), option, problems);
    struct ml_node *node = problems->count == before ? ml_path_walk(&path) : NULL;
    if (node)
        ml_node_replace(node, value ? value : &nothing, location);
    else if (path.fault)
        ml_problem(problems, location, "%s", path.fault);
}

struct ml_node *ml_draft_tree(struct ml_problems *problems, int n)
{
    struct ml_node *root = ml_pool_take(problems->pool, 1, sizeof *root);
    struct ml_node *version = ml_pool_take(problems->pool, 1, sizeof *version);
    if (!root || !version)
        return NULL;
    *root = (struct ml_node){.kind = ML_NODE_MAP, .text = ""}; /* a place of its own */
    *version =
        (struct ml_node){.kind = ML_NODE_SCALAR, .is_plain = true, .text = "1", .key = "manylink"};
    ml_node_append(root, version);
    for (int i = 1; i <= n && !problems->pool->is_short; i++)
        draft_apply(problems, root, i);
    return problems->pool->is_short ? NULL : root;
}

static void draft_write_children(struct ml_yaml_writer *w, const struct ml_node *node, int depth);

/* The value after "key:" or "-". */
static void draft_write_value(struct ml_yaml_writer *w, const struct ml_node *node, int depth)
{
    if (node->kind != ML_NODE_SCALAR && node->n_child > 0) {
        ml_write(w, "\n");
        draft_write_children(w, node, depth);
        return;
    }
    ml_write(w, " ");
    if (node->kind != ML_NODE_SCALAR)
        ml_write(w, "%s", node->kind == ML_NODE_LIST ? "[]" : "{}");
    else if (node->is_plain)
        ml_write(w, "%s", node->text);
    else
        ml_write_text(w, node->text);
    ml_write(w, "\n");
}

static void draft_write_children(struct ml_yaml_writer *w, const struct ml_node *node, int depth)
{
    for (const struct ml_node *child = node->first; child; child = child->next) {
        ml_write(w, "%*s", 2 * depth, "");
        if (node->kind == ML_NODE_LIST) {
            ml_write(w, "-");
        } else {
            const bool is_simple = draft_key(child->key) == strlen(child->key);
            if (is_simple)
                ml_write(w, "%s", child->key);
            else
                ml_write_text(w, child->key);
            ml_write(w, ":");
        }
        draft_write_value(w, child, depth + 1);
    }
}

char *ml_draft_text(const struct ml_node *root, struct ml_pool *pool)
{
    struct ml_yaml_writer w = {0};
    draft_write_children(&w, root, 0);
    char *text = w.is_short || !w.text ? NULL : ml_pool_text(pool, w.text, w.used);
    free(w.text);
    return text;
}
