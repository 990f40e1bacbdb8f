/* Finds, appends, removes and replaces nodes of the tree of a study file. */
#include "yaml/node.h"

#include <string.h>

struct ml_node *ml_node_find(const struct ml_node *map, const char *key)
{
    if (!map || map->kind != ML_NODE_MAP)
        return NULL;
    for (struct ml_node *child = map->first; child; child = child->next)
        if (strcmp(child->key, key) == 0)
            return child;
    return NULL;
}

void ml_node_append(struct ml_node *parent, struct ml_node *child)
{
    if (parent->last)
        parent->last->next = child;
    else
        parent->first = child;
    parent->last = child;
    parent->n_child++;
}

void ml_node_remove(struct ml_node *parent, const struct ml_node *child)
{
    struct ml_node *before = NULL;
    for (struct ml_node *at = parent->first; at && at != child; at = at->next)
        before = at;
    if (before)
        before->next = child->next;
    else
        parent->first = child->next;
    if (parent->last == child)
        parent->last = before;
    parent->n_child--;
}

void ml_node_replace(struct ml_node *node, const struct ml_node *value, struct ml_location location)
{
    node->kind = value->kind;
    node->is_plain = value->is_plain;
    node->inset = value->inset;
    node->text = value->text;
    node->n_child = value->n_child;
    node->first = value->first;
    node->last = value->last;
    node->location = node->key_location = location;
}

const char *ml_node_kind_text(const struct ml_node *node)
{
    switch (node->kind) {
    case ML_NODE_SCALAR:
        return node->text[0] == '\0' && node->is_plain ? "nothing" : "a single value";
    case ML_NODE_LIST:
        return "a list";
    case ML_NODE_MAP:
        return "a map";
    }
    return "";
}

const char *ml_quote(struct ml_pool *pool, const char *text)
{
    enum { LONGEST = 60 };
    size_t length = strlen(text), kept = length > LONGEST ? LONGEST : length;
    while (kept < length && kept > 0 && ((unsigned char)text[kept] & 0xC0) == 0x80)
        kept--; /* not inside a character */
    char *quoted = ml_pool_format(pool, "`%.*s%s`", (int)kept, text, kept < length ? "..." : "");
    for (char *c = quoted; c && *c; c++)
        if ((unsigned char)*c < ' ' || *c == 0x7F)
            *c = ' ';
    return quoted ? quoted : "``";
}

bool ml_node_has_word(const char *text, const char *word)
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_";
    const size_t length = strlen(word);
    for (const char *at = length > 0 ? text : NULL; at && (at = strstr(at, word)); at += length)
        if ((at == text || !strchr(letters, at[-1])) &&
            (!at[length] || !strchr(letters, at[length])))
            return true;
    return false;
}

bool ml_node_mentions(const struct ml_node *node, const char *name)
{
    if (node && node->kind == ML_NODE_SCALAR && ml_node_has_word(node->text, name))
        return true;
    for (const struct ml_node *child = node ? node->first : NULL; child; child = child->next)
        if (ml_node_mentions(child, name))
            return true;
    return false;
}
