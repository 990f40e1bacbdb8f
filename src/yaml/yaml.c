/* Parses the supported part of YAML, and names constructs that it does not support. */
#include "yaml/yaml.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

struct builder {
    struct ml_problems *problems;
    struct ml_pool *pool;
    int option;
    bool is_lost; /* the tree is not sound any more */
    struct ml_node *root;
    struct ml_node *open[ML_YAML_DEPTH]; /* lists and maps around the next node */
    int depth;
    const char *key; /* of the next node, if a map is open and its key was read */
    struct ml_location key_location;
};

static struct ml_location yaml_location_of(const struct builder *b, yaml_mark_t mark)
{
    return (struct ml_location){b->option, (int)mark.line + 1, (int)mark.column + 1};
}

static void yaml_refuse(struct builder *b, yaml_mark_t mark, const char *what)
{
    ml_problem(b->problems, yaml_location_of(b, mark), "%s", what);
    b->is_lost = true;
}

static void yaml_begin(struct builder *b, struct ml_node *node, yaml_mark_t mark)
{
    if (b->depth == ML_YAML_DEPTH)
        yaml_refuse(b, mark, "lists and maps are nested more than 64 deep");
    else
        b->open[b->depth++] = node;
}

/* Puts a new node where the document is; a scalar where a key is due becomes the key. */
static struct ml_node *yaml_location(struct builder *b, enum ml_node_kind kind, yaml_mark_t mark)
{
    struct ml_node *parent = b->depth > 0 ? b->open[b->depth - 1] : NULL;
    struct ml_node *node = ml_pool_take(b->pool, 1, sizeof *node);
    if (!node) {
        b->is_lost = true;
        return NULL;
    }
    *node = (struct ml_node){.kind = kind, .location = yaml_location_of(b, mark), .text = ""};
    if (parent && parent->kind == ML_NODE_MAP) {
        node->key = b->key;
        node->key_location = b->key_location;
        b->key = NULL;
    }
    if (parent)
        ml_node_append(parent, node);
    else
        b->root = node;
    return node;
}

static bool is_key_due(const struct builder *b)
{
    return b->depth > 0 && b->open[b->depth - 1]->kind == ML_NODE_MAP && !b->key;
}

static void take_scalar(struct builder *b, const yaml_event_t *event)
{
    const char *text =
        ml_pool_text(b->pool, (const char *)event->data.scalar.value, event->data.scalar.length);
    if (!text || strlen(text) != event->data.scalar.length) {
        yaml_refuse(b, event->start_mark, "a NUL character is not allowed");
        return;
    }
    if (is_key_due(b)) {
        b->key = text;
        b->key_location = yaml_location_of(b, event->start_mark);
        return;
    }
    struct ml_node *node = yaml_location(b, ML_NODE_SCALAR, event->start_mark);
    if (node) {
        node->text = text;
        const bool is_line = event->start_mark.line == event->end_mark.line;
        const size_t width = event->end_mark.column - event->start_mark.column;
        node->is_plain = event->data.scalar.style == YAML_PLAIN_SCALAR_STYLE && is_line;
        node->inset = !node->is_plain && is_line && width == strlen(text) + 2;
    }
}

static void take_collection(struct builder *b, enum ml_node_kind kind, const yaml_event_t *event)
{
    if (is_key_due(b)) {
        yaml_refuse(b, event->start_mark, "a key must be a single word, not a list or map");
        return;
    }
    struct ml_node *node = yaml_location(b, kind, event->start_mark);
    if (node)
        yaml_begin(b, node, event->start_mark);
}

static int compare_keys(const void *a, const void *b)
{
    const struct ml_node *p = *(struct ml_node *const *)a, *q = *(struct ml_node *const *)b;
    int order = strcmp(p->key, q->key);
    if (order == 0)
        order = p->key_location.line - q->key_location.line;
    return order ? order : p->key_location.column - q->key_location.column;
}

static void check_duplicates(struct builder *b, const struct ml_node *map)
{
    struct ml_node **sorted = ml_pool_take(b->pool, (size_t)map->n_child, sizeof(struct ml_node *));
    int n = 0;
    for (struct ml_node *child = map->first; child && sorted; child = child->next)
        sorted[n++] = child;
    if (n > 1)
        qsort(sorted, (size_t)n, sizeof(struct ml_node *), compare_keys);
    const struct ml_node *first = n > 0 ? sorted[0] : NULL; /* of equal ones */
    for (int i = 1; i < n; i++) {
        if (strcmp(first->key, sorted[i]->key) != 0) {
            first = sorted[i];
            continue;
        }
        ml_problem(b->problems, sorted[i]->key_location,
                   "key %s is given twice; it is first given in line %d, column %d",
                   ml_quote(b->pool, first->key), first->key_location.line,
                   first->key_location.column);
    }
}

static void yaml_end(struct builder *b)
{
    const struct ml_node *node = b->open[--b->depth];
    assert(node);
    if (node->kind == ML_NODE_MAP)
        check_duplicates(b, node);
}

static void check_plain(struct builder *b, const yaml_event_t *event, const yaml_char_t *anchor,
                        const yaml_char_t *tag)
{
    struct ml_location where = yaml_location_of(b, event->start_mark);
    if (anchor)
        ml_problem(b->problems, where, "an anchor (&name) is not allowed; write the value out");
    if (tag)
        ml_problem(b->problems, where, "a tag (!type) is not allowed; every value is plain text");
}

static void begin_document(struct builder *b, const yaml_event_t *event)
{
    const yaml_version_directive_t *version = event->data.document_start.version_directive;
    bool is_other = version && (version->major != 1 || version->minor != 2);
    if (b->root)
        yaml_refuse(b, event->start_mark, "a second document (---) is not allowed");
    if (is_other || event->data.document_start.tag_directives.start !=
                        event->data.document_start.tag_directives.end)
        ml_problem(b->problems, yaml_location_of(b, event->start_mark),
                   "directives other than %%YAML 1.2 are not allowed");
}

static void yaml_take(struct builder *b, const yaml_event_t *event)
{
    switch (event->type) {
    case YAML_DOCUMENT_START_EVENT:
        begin_document(b, event);
        break;
    case YAML_ALIAS_EVENT:
        yaml_refuse(b, event->start_mark, "an alias (*name) is not allowed; write the value out");
        break;
    case YAML_SCALAR_EVENT:
        check_plain(b, event, event->data.scalar.anchor, event->data.scalar.tag);
        take_scalar(b, event);
        break;
    case YAML_SEQUENCE_START_EVENT:
        check_plain(b, event, event->data.sequence_start.anchor, event->data.sequence_start.tag);
        take_collection(b, ML_NODE_LIST, event);
        break;
    case YAML_MAPPING_START_EVENT:
        check_plain(b, event, event->data.mapping_start.anchor, event->data.mapping_start.tag);
        take_collection(b, ML_NODE_MAP, event);
        break;
    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT:
        yaml_end(b);
        break;
    default:
        break;
    }
}

static void report_syntax(struct builder *b, const yaml_parser_t *parser)
{
    struct ml_location where = yaml_location_of(b, parser->problem_mark);
    const char *problem = parser->problem ? parser->problem : "out of memory";
    const char *tab = strstr(problem, "cannot start any token") ? " (a tab cannot indent)" : "";
    const size_t at = parser->problem_mark.index,
                 n = (size_t)(parser->input.string.end - parser->input.string.start);
    const bool is_entry = at < n && parser->input.string.start[at] == '[';
    const char *remedy =
        is_entry ? " (inside of {...} a formula with [ ] needs quotation marks)" : tab;
    bool has_context = parser->context && parser->context_mark.index < parser->problem_mark.index;
    if (has_context)
        ml_problem(b->problems, where, "not valid YAML: %s%s %s that begins in line %d, column %d",
                   problem, remedy, parser->context, (int)parser->context_mark.line + 1,
                   (int)parser->context_mark.column + 1);
    else
        ml_problem(b->problems, where, "not valid YAML: %s%s", problem, remedy);
    b->is_lost = true;
}

static void yaml_parse(struct builder *b, yaml_parser_t *parser)
{
    bool is_done = false;
    while (!is_done && !b->is_lost) {
        yaml_event_t event;
        if (!yaml_parser_parse(parser, &event)) {
            report_syntax(b, parser);
            return;
        }
        is_done = event.type == YAML_STREAM_END_EVENT;
        yaml_take(b, &event);
        yaml_event_delete(&event);
    }
}

struct ml_node *ml_yaml_read(const char *text, size_t length, int option,
                             struct ml_problems *problems)
{
    struct builder b = {.problems = problems, .pool = problems->pool, .option = option};
    yaml_parser_t parser;
    size_t skipped = ml_text_mark(text, length);
    if (!ml_text_check(text, length, option, problems))
        return NULL;
    if (!yaml_parser_initialize(&parser)) {
        b.pool->is_short = 1;
        return NULL;
    }
    yaml_parser_set_encoding(&parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&parser, (const unsigned char *)text + skipped, length - skipped);
    yaml_parse(&b, &parser);
    yaml_parser_delete(&parser);
    if (!b.is_lost && !b.root && option == 0)
        ml_problem(problems, (struct ml_location){0, 1, 1},
                   "the file is empty; a study begins with `manylink: 1`");
    return b.is_lost ? NULL : b.root;
}

size_t ml_text_mark(const char *text, size_t length)
{
    return length >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
}

/* Place of a byte. */
static struct ml_location place_of(const char *text, size_t at, int option)
{
    struct ml_location location = {option, 1, 1};
    for (size_t i = ml_text_mark(text, at); i < at; i++) {
        location.column += ((unsigned char)text[i] & 0xC0) != 0x80; /* characters */
        if (text[i] == '\n') {
            location.line++;
            location.column = 1;
        }
    }
    return location;
}

bool ml_text_check(const char *text, size_t length, int option, struct ml_problems *problems)
{
    uint32_t code = 0;
    for (size_t i = ml_text_mark(text, length), n = 1; i < length; i += n, n = 1) {
        if ((text[i] >= ' ' && text[i] <= '~') || text[i] == '\n')
            continue;
        n = ml_text_decode(text + i, length - i, &code);
        if (n > 0 && ml_text_is_printable(code))
            continue;
        struct ml_location location = place_of(text, i, option);
        location.line += problems->lines_before;
        if (n == 0 && i == 0 && length > 4 && memcmp(text, "\x89HDF", 4) == 0)
            ml_problem(
                problems, location,
                "this is an HDF5 file, such as a result, and a study is YAML; `manylink info` "
                "prints what a result holds");
        else if (n == 0)
            ml_problem(problems, location, "byte 0x%02X is not valid UTF-8; save the file as UTF-8",
                       (unsigned)(unsigned char)text[i]);
        else
            ml_problem(problems, location, "%s (U+%04X) is not allowed",
                       code == 0 ? "a NUL character" : "a control character", (unsigned)code);
        return false;
    }
    return true;
}
