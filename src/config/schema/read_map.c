/* Reading one map of a study file by the rows of its scope. */
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "config/schema/reader.h"
#include "expr/number.h"
#include "yaml/nearest.h"

enum { LONGEST_LIST = 600 };

bool ml_read_range(struct ml_reader *r, struct ml_location location, const struct ml_param *param,
                   double value)
{
    if (ml_param_allows(param, value))
        return true;
    ml_report_range(&r->problems, location, param, value);
    return false;
}

const char *ml_read_text(struct ml_reader *r, const struct ml_node *node, const char *key,
                         const char *wanted)
{
    if (node->kind == ML_NODE_SCALAR && !(node->is_plain && node->text[0] == '\0'))
        return node->text;
    ml_problem(&r->problems, node->location, "%s must be %s, not %s", key, wanted,
               ml_node_kind_text(node));
    return NULL;
}

bool ml_read_is_map(struct ml_reader *r, const struct ml_node *map, const char *what)
{
    if (map->kind == ML_NODE_MAP)
        return true;
    ml_problem(&r->problems, map->location, "%s, not %s", what, ml_node_kind_text(map));
    return false;
}

struct ml_location ml_read_location(const struct ml_node *map, const char *key)
{
    const struct ml_node *child = ml_node_find(map, key);
    return child ? child->location : map->location;
}

/* Whether a map is a signal although the number takes no signal; reports that. */
static bool is_signal(struct ml_reader *r, const struct ml_node *node, const struct ml_param *param)
{
    if (!ml_node_find(node, "type"))
        return false;
    ml_problem(
        &r->problems, node->location,
        "%s must be a number and takes no signal; forces do, such as `torque`, `point_force`, "
        "`gravity` and, of masses and springs, `drive`",
        param->name);
    return true;
}

/* A number that is a formula of names, or has functions. False, with the fault as it was if the
 * text may be meant as a plain number, or be no formula at all. */
static bool read_formula(struct ml_reader *r, const struct ml_node *node,
                         const struct ml_param *param, double *out, struct ml_number_fault *fault)
{
    double plain;
    struct ml_number_fault why = *fault, unused;
    if (ml_number_plain(node->text, &plain) || ml_number_hint(node->text, &unused))
        return false;
    if (r->define && r->define_number(r->define, node, param, out, &why))
        return true;
    if (r->spec->numbers.n_definition > 0 || !(param->flags & ML_WHOLE))
        *fault = why;
    return false;
}

/* Whether a number can have its unit at a key; false after telling. */
static bool check_unit(struct ml_reader *r, const struct ml_node *node,
                       const struct ml_param *param, const struct ml_si_unit *unit)
{
    char text[ML_SI_UNIT_TEXT];
    const struct ml_si_unit own = ml_si_unit_of(param->unit);
    if (ml_si_unit_agrees(unit, &own))
        return true;
    ml_problem(&r->problems, node->location, "%s is %s, of unit %s, but must be of unit %s",
               param->name, ml_quote(r->pool, node->text), ml_si_unit_text(unit, text),
               param->unit);
    return false;
}

bool ml_read_unit(struct ml_reader *r, const struct ml_node *node, const struct ml_param *param)
{
    struct ml_si_unit unit = {0};
    struct ml_number_fault unused;
    double value;
    return !node || node->kind != ML_NODE_SCALAR ||
           !ml_expr_number_in(node->text, &value, &unit, &unused) ||
           check_unit(r, node, param, &unit);
}

/* Whether an integer comes without a unit; false after telling. */
static bool check_bare(struct ml_reader *r, const struct ml_node *node,
                       const struct ml_param *param)
{
    struct ml_si_unit unit = {0};
    struct ml_number_fault unused;
    double value;
    if (!ml_expr_number_in(node->text, &value, &unit, &unused) || !unit.is_known)
        return true;
    ml_problem(&r->problems, node->location, "%s is %s, but takes an integer without a unit",
               param->name, ml_quote(r->pool, node->text));
    return false;
}

/* A number without names. One with a unit is left to the names of `define`, if there are any, as
 * these can be the same. */
static bool read_plain(struct ml_reader *r, const struct ml_node *node, struct ml_si_unit *unit,
                       double *out, struct ml_number_fault *fault)
{
    const bool is_number = ml_expr_number_in(node->text, out, unit, fault);
    return is_number && !(unit->is_known && r->spec->numbers.n_definition > 0);
}

bool ml_read_number(struct ml_reader *r, const struct ml_node *node, const struct ml_param *param,
                    double *out)
{
    struct ml_si_unit unit = {0};
    struct ml_number_fault fault;
    double value = 0.0;
    int64_t whole = 0;
    bool is_whole = param->flags & ML_WHOLE;
    if (is_signal(r, node, param))
        return false;
    const char *text = ml_read_text(r, node, param->name, is_whole ? "an integer" : "a number");
    if (!text)
        return false;
    if (param->flags & ML_OR_ALL && strcmp(text, "all") == 0) {
        *out = (double)NAN;
        return true;
    }
    if (is_whole ? ml_integer_read(text, &whole, &fault)
                 : read_plain(r, node, &unit, &value, &fault)) {
        *out = is_whole ? (double)whole : value;
    } else if (!read_formula(r, node, param, out, &fault)) {
        ml_report_text(r, node, param->name, fault.at, fault.what);
        return false;
    }
    return (is_whole ? check_bare(r, node, param) : check_unit(r, node, param, &unit)) &&
           ml_read_range(r, node->location, param, *out);
}

/* Value of a number that is not given: its default, or NaN where other numbers determine the
 * value. */
static double number_absent(const struct ml_param *param)
{
    return param->flags & ML_DERIVED ? (double)NAN : param->default_value;
}

static void store_whole(const struct ml_key *key, int64_t value, void *field)
{
    if (key->param.flags & ML_WHOLE)
        *(double *)field = (double)value;
    else if (key->size == sizeof(int))
        *(int *)field = (int)value;
    else
        *(int64_t *)field = value;
}

static void store_word(const struct ml_key *key, int value, void *field)
{
    if (key->size == sizeof(bool))
        *(bool *)field = value != 0;
    else
        *(int *)field = value;
}

static void read_whole(struct ml_reader *r, const struct ml_node *node, const struct ml_key *key,
                       void *field)
{
    struct ml_param param = key->param;
    double value;
    param.flags |= ML_WHOLE; /* at most ML_INTEGER_BITS of it: exact */
    if (ml_read_number(r, node, &param, &value))
        store_whole(key, (int64_t)value, field);
}

/* A word that is not in the list leaves the default: tables have a row for every value. */
static void read_word(struct ml_reader *r, const struct ml_node *node, const struct ml_key *key,
                      void *field)
{
    int value = ml_words_at(&key->words, 0).value;
    (void)ml_read_one_word(r, node, key, &value);
    store_word(key, value, field);
}

/* One of the words, or a number of things. */
static void read_count(struct ml_reader *r, const struct ml_node *node, const struct ml_key *key,
                       int64_t *out)
{
    char range[ML_RANGE_TEXT];
    struct ml_number_fault fault;
    const bool has_text = node->kind == ML_NODE_SCALAR && node->text[0];
    int64_t n = 0;
    for (int i = 0; has_text && ml_words_at(&key->words, i).text; i++)
        if (strcmp(ml_words_at(&key->words, i).text, node->text) == 0) {
            *out = ml_words_at(&key->words, i).value;
            return;
        }
    if (has_text && ml_integer_read(node->text, &n, &fault) &&
        ml_param_allows(&key->param, (double)n))
        *out = n;
    else
        ml_problem(&r->problems, node->location,
                   "%s is %s but must be one of: %s, or a number of runs %s", key->param.name,
                   has_text ? ml_quote(r->pool, node->text) : ml_node_kind_text(node),
                   ml_words_text(r, key), ml_range_text(&key->param, range));
}

const char *ml_words_text(struct ml_reader *r, const struct ml_key *key)
{
    const char *list = "";
    for (int i = 0; list && ml_words_at(&key->words, i).text; i++)
        list = ml_pool_format(r->pool, "%s%s%s", list, i ? ", " : "",
                              ml_words_at(&key->words, i).text);
    return list ? list : "";
}

static void report_word(struct ml_reader *r, const struct ml_node *node, const struct ml_key *key)
{
    struct ml_nearest nearest = ml_nearest_typo(node->text);
    for (int i = 0; ml_words_at(&key->words, i).text; i++)
        ml_nearest_offer(&nearest, ml_words_at(&key->words, i).text);
    ml_problem(&r->problems, node->location, "%s is %s but must be one of: %s%s", key->param.name,
               ml_quote(r->pool, node->text), ml_words_text(r, key),
               ml_did_you_mean(nearest.best).text);
}

bool ml_read_one_word(struct ml_reader *r, const struct ml_node *node, const struct ml_key *key,
                      int *value)
{
    const char *text = ml_read_text(r, node, key->param.name, "a word");
    struct ml_word word;
    if (!text)
        return false;
    for (int i = 0; (word = ml_words_at(&key->words, i)).text; i++)
        if (strcmp(word.text, text) == 0) {
            *value = word.value;
            return true;
        }
    report_word(r, node, key);
    return false;
}

const char *ml_read_name(struct ml_reader *r, const struct ml_node *node, const char *key)
{
    static const char *const letters =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-";
    const char *text = ml_read_text(r, node, key, "a name");
    if (!text || (text[0] && text[0] != '-' && text[strspn(text, letters)] == '\0'))
        return text;
    ml_problem(
        &r->problems, node->location,
        "%s is %s but must consist of letters A-Z a-z, digits, _ and -, and not begin with -", key,
        ml_quote(r->pool, text));
    return NULL;
}

/* Rows of P.x and P.y, if P is a quantity that can be given as a vector. */
static bool find_components(const struct ml_keys *keys, const char *name, int slots[2])
{
    char component[64];
    for (int i = 0; i < 2; i++) {
        (void)snprintf(component, sizeof component, "%s.%c", name, "xy"[i]);
        const struct ml_key *key = ml_keys_find(keys, component);
        if (!key)
            return false;
        slots[i] = (int)(key - keys->row);
    }
    return true;
}

bool ml_read_pair(struct ml_reader *r, const struct ml_node *node, const struct ml_param *param,
                  const struct ml_node *pair[2])
{
    const bool is_list = node->kind == ML_NODE_LIST;
    pair[0] = is_list ? node->first : ml_node_find(node, "x");
    pair[1] = is_list ? node->last : ml_node_find(node, "y");
    if (node->n_child == 2 && pair[0] && pair[1])
        return true;
    if (node->kind == ML_NODE_SCALAR)
        ml_problem(&r->problems, node->location, "%s must be a list [x, y] of two numbers, not %s",
                   param->name, ml_node_kind_text(node));
    else if (ml_node_find(node, "type") && param->flags & ML_VECTOR)
        ml_problem(&r->problems, node->location,
                   "%s is a vector: give the signal for a component, as in [{type: sine, ...}, 0]",
                   param->name);
    else if (is_signal(r, node, param))
        return false;
    else
        ml_problem(&r->problems, node->location, "%s must be %sa list [x, y] of two, not %s %d",
                   param->name, param->flags & ML_VECTOR ? "" : "a number or ",
                   is_list ? "of" : "a map of", node->n_child);
    return false;
}

static void read_vector(struct ml_reader *r, const struct ml_node *node, const struct ml_keys *keys,
                        const struct ml_key *key, double *values)
{
    int rows[2];
    const struct ml_node *pair[2];
    if (!find_components(keys, key->param.name, rows)) {
        ml_problem(&r->problems, node->location, "%s must be a number, not a list",
                   key->param.name);
        return;
    }
    if (!ml_read_pair(r, node, &key->param, pair))
        return;
    assert(values);
    const struct ml_key *x = &keys->row[rows[0]], *y = &keys->row[rows[1]];
    (void)ml_read_number(r, pair[0], &x->param, &values[x->slot]);
    (void)ml_read_number(r, pair[1], &y->param, &values[y->slot]);
}

/* Reports that a key takes another kind of node. */
static void check_node(struct ml_reader *r, const struct ml_node *node, const struct ml_key *key)
{
    const enum ml_key_field field = ml_key_kinds[key->kind].field;
    if ((field == ML_FIELD_MAP && node->kind != ML_NODE_MAP) ||
        (field == ML_FIELD_LIST && node->kind != ML_NODE_LIST))
        ml_problem(&r->problems, node->location, "%s must be %s, not %s", key->param.name,
                   field == ML_FIELD_MAP ? "a map" : "a list", ml_node_kind_text(node));
}

/* Where a key goes; NULL: code of its own reads it. */
static void *read_map_field_of(const struct ml_key *key, void *fields, double *values)
{
    assert(key->slot < 0 || values);
    assert(key->slot >= 0 || key->size == 0 || fields);
    return key->slot >= 0   ? (void *)&values[key->slot]
           : key->size == 0 ? NULL
                            : (char *)fields + key->offset;
}

/* A text of the study, as long-lived as that; NULL stays. */
static const char *keep_text(struct ml_reader *r, const char *text)
{
    return text ? ml_pool_text(r->spec->pool, text, strlen(text)) : NULL;
}

static void read_key(struct ml_reader *r, const struct ml_node *node, const struct ml_keys *keys,
                     const struct ml_key *key, void *fields, double *values)
{
    union {
        double number;
        int64_t whole;
        const char *text;
    } unused;
    void *own = read_map_field_of(key, fields, values), *field = own ? own : &unused;
    switch (ml_key_kinds[key->kind].field) {
    case ML_FIELD_DOUBLE:
        if (key->kind == ML_KEY_WEIGHTS && node->kind != ML_NODE_SCALAR)
            *(double *)field = (double)NAN; /* the section reads those of the joints */
        else if (key->param.flags & ML_VECTOR ||
                 (key->slot >= 0 && (node->kind == ML_NODE_LIST ||
                                     (node->kind == ML_NODE_MAP && ml_key_is_pair(keys, key)))))
            read_vector(r, node, keys, key, values);
        else if (!ml_read_number(r, node, &key->param, field) && key->kind == ML_KEY_OPTIONAL)
            *(double *)field = number_absent(&key->param);
        break;
    case ML_FIELD_WHOLE:
        read_whole(r, node, key, field);
        break;
    case ML_FIELD_WORD:
        read_word(r, node, key, field);
        break;
    case ML_FIELD_COUNT:
        read_count(r, node, key, field);
        break;
    case ML_FIELD_NAME:
        *(const char **)field = keep_text(r, ml_read_name(r, node, key->param.name));
        break;
    case ML_FIELD_TEXT:
        *(const char **)field = keep_text(r, ml_read_text(r, node, key->param.name, "text"));
        break;
    case ML_FIELD_NODE:
    case ML_FIELD_MAP:
    case ML_FIELD_LIST:
        check_node(r, node, key);
        break;
    }
}

static void set_default(const struct ml_key *key, void *fields, double *values)
{
    void *field = read_map_field_of(key, fields, values);
    switch (field ? ml_key_kinds[key->kind].field : ML_FIELD_NODE) {
    case ML_FIELD_DOUBLE:
        *(double *)field = number_absent(&key->param);
        break;
    case ML_FIELD_WHOLE:
        store_whole(key, (int64_t)key->param.default_value, field);
        break;
    case ML_FIELD_WORD:
        store_word(key, ml_words_at(&key->words, 0).value, field);
        break;
    case ML_FIELD_COUNT:
        *(int64_t *)field = ml_words_at(&key->words, 0).value;
        break;
    case ML_FIELD_NAME:
    case ML_FIELD_TEXT:
        *(const char **)field = NULL;
        break;
    default:
        break;
    }
}

/* A component such as gravity.x is no key of its own in the file. */
static bool is_key(const struct ml_key *key) { return !strchr(key->param.name, '.'); }

/* `mass: 1,0` in a map {...} is the keys `mass` and `0`. */
static bool is_decimal_comma(const struct ml_node *before, const struct ml_node *node)
{
    const bool has_nothing =
        node->kind == ML_NODE_SCALAR && node->is_plain && node->text[0] == '\0';
    const char *digits = before && before->kind == ML_NODE_SCALAR ? before->text : "";
    digits += *digits == '-' || *digits == '+';
    return has_nothing && *node->key && !node->key[strspn(node->key, "0123456789")] && *digits &&
           !digits[strspn(digits, "0123456789")];
}

/* Returns the key that was probably meant; NULL if none is near. */
static const char *read_map_report_unknown(struct ml_reader *r, const struct ml_node *node,
                                           const struct ml_keys *keys)
{
    char list[LONGEST_LIST] = "";
    size_t used = 0;
    struct ml_nearest nearest = ml_nearest_typo(node->key);
    for (int i = 0; i < keys->n; i++) {
        if (!is_key(&keys->row[i]))
            continue;
        const char *name = keys->row[i].param.name;
        ml_nearest_offer(&nearest, name);
        int n = snprintf(list + used, sizeof list - used, "%s%s", used ? ", " : "", name);
        used = n > 0 && used + (size_t)n < sizeof list ? used + (size_t)n : used;
    }
    const char *quoted = ml_quote(r->pool, node->key);
    if (nearest.best)
        ml_problem(&r->problems, node->key_location, "unknown key %s; did you mean `%s`?", quoted,
                   nearest.best);
    else if (used > 0)
        ml_problem(&r->problems, node->key_location, "unknown key %s; the keys here are: %s",
                   quoted, list);
    else
        ml_problem(&r->problems, node->key_location, "unknown key %s; this map has no keys",
                   quoted);
    return nearest.best;
}

void ml_read_missing(struct ml_reader *r, const struct ml_node *map, const struct ml_key *key)
{
    char range[ML_RANGE_TEXT];
    bool has_range = ml_key_has_range(key);
    const char *text = has_range ? ml_range_text(&key->param, range) : "";
    ml_problem(&r->problems, map->location, "key `%s` is missing: %s%s%s%s", key->param.name,
               key->param.doc, *text ? ", " : "", text,
               ml_unit_text(" ", key->param.unit, "").text);
}

/* Whether a motion is a measured one, which has no course of its own. */
static bool is_measured(const struct ml_node *motion)
{
    const struct ml_node *type = ml_node_find(motion, "type");
    if (type)
        return type->kind == ML_NODE_SCALAR && strcmp(type->text, ml_motion_word(ML_MEASURED)) == 0;
    return !ml_node_find(motion, "start") && !ml_node_find(motion, "end");
}

/* Whether the markers of a motion give the length of a segment, from its map. */
static bool has_markers(const struct ml_reader *r, const struct ml_node *segment)
{
    const struct ml_node *name = ml_node_find(segment, "name");
    const struct ml_node *motion = ml_node_find_kind(r->root, "motion", ML_NODE_MAP);
    const struct ml_node *markers =
        motion ? ml_node_find_kind(motion, "markers", ML_NODE_MAP) : NULL;
    return markers && name && name->kind == ML_NODE_SCALAR && ml_node_find(markers, name->text);
}

/* Whether a missing key is reported. A study for measured motions, which bring their times, needs
 * no `time`, segments with markers no `length`, and a file of points replaces all keys of a sample.
 */
static bool is_needed(const struct ml_reader *r, const struct ml_node *map,
                      const struct ml_key *key)
{
    static const char *const timed[] = {"events", "analyse", "save"};
    const struct ml_node *motion = ml_node_find(map, "motion");
    bool is_timed = !r->is_for_inverse || map != r->root || strcmp(key->param.name, "time") != 0 ||
                    (motion && !is_measured(motion));
    for (size_t i = 0; i < sizeof timed / sizeof *timed; i++)
        is_timed |= ml_node_find(map, timed[i]) != NULL;
    if (key->scope == ML_SCOPE_MOTION && is_measured(map))
        return false;
    if (key->scope == ML_SCOPE_SAMPLE && ml_node_find(map, "file"))
        return false;
    if (key->scope == ML_SCOPE_SEGMENT && strcmp(key->param.name, "length") == 0 &&
        has_markers(r, map))
        return false;
    return key->param.flags & ML_REQUIRED && is_timed && !ml_node_find(map, key->param.name);
}

void ml_read_map(struct ml_reader *r, const struct ml_node *map, const struct ml_keys *keys,
                 void *fields, double *values)
{
    for (int i = 0; i < keys->n; i++)
        set_default(&keys->row[i], fields, values);
    bool *is_meant = map ? ml_pool_take(r->pool, (size_t)keys->n + 1, sizeof *is_meant) : NULL;
    if (!is_meant || !keys->row)
        return;
    const struct ml_node *before = NULL;
    for (const struct ml_node *node = map->first; node; node = node->next) {
        const struct ml_key *key = ml_keys_find(keys, node->key);
        const char *meant = NULL;
        if (key && is_key(key))
            read_key(r, node, keys, key, fields, values);
        else if (before && is_decimal_comma(before, node))
            ml_problem(&r->problems, node->key_location,
                       "%s is followed by `,%s`: a decimal comma? write %s.%s", before->key,
                       node->key, before->text, node->key);
        else
            meant = read_map_report_unknown(r, node, keys);
        before = node;
        if (meant)
            is_meant[ml_keys_find(keys, meant) - keys->row] = true;
    }
    for (int i = 0; i < keys->n; i++)
        if (!is_meant[i] && is_needed(r, map, &keys->row[i]))
            ml_read_missing(r, map, &keys->row[i]);
}

void ml_read_scope(struct ml_reader *r, const struct ml_node *map, enum ml_scope scope,
                   void *fields)
{
    const struct ml_keys keys = ml_schema_keys(r->pool, scope, r->system, NULL);
    ml_read_map(r, map, &keys, fields, NULL);
}

void ml_read_groups(struct ml_reader *r, const struct ml_node *map, const struct ml_keys *keys,
                    void *fields, double *values)
{
    for (int i = 0; i < keys->n; i++) {
        const struct ml_key *key = &keys->row[i];
        if (!key->below.group)
            continue;
        const struct ml_node *group = ml_node_find(map, key->param.name);
        const struct ml_keys below = ml_schema_keys(r->pool, key->child, r->system, &key->below);
        bool is_map = group && group->kind == ML_NODE_MAP;
        ml_read_map(r, is_map ? group : NULL, &below, fields, values);
    }
}

int ml_read_word(struct ml_reader *r, const struct ml_node *map, enum ml_scope scope,
                 const char *key)
{
    const struct ml_keys keys = ml_schema_keys(r->pool, scope, NULL, NULL);
    const struct ml_node *node = ml_node_find(map, key);
    int value = -1;
    if (node)
        (void)ml_read_one_word(r, node, ml_keys_find(&keys, key), &value);
    else
        ml_read_missing(r, map, ml_keys_find(&keys, key));
    return value;
}

struct named {
    const char *name;
    struct ml_location location;
    int order;
};

static int compare_named(const void *a, const void *b)
{
    const struct named *p = a, *q = b;
    int order = strcmp(p->name, q->name);
    return order ? order : p->order - q->order;
}

void ml_read_unique(struct ml_reader *r, const struct ml_node *nodes, const char *const *names,
                    int n)
{
    struct named *sorted = ml_pool_take(r->pool, (size_t)n + 1, sizeof *sorted);
    const struct ml_node *node = nodes->first;
    int n_named = 0;
    for (int i = 0; i < n && sorted; i++, node = node->next)
        if (names[i])
            sorted[n_named++] = (struct named){names[i], ml_read_location(node, "name"), i};
    if (n_named > 1)
        qsort(sorted, (size_t)n_named, sizeof *sorted, compare_named);
    for (int i = 1; i < n_named; i++)
        if (strcmp(sorted[i - 1].name, sorted[i].name) == 0)
            ml_problem(&r->problems, sorted[i].location,
                       "name `%s` is used twice: by number %d and number %d of the list",
                       sorted[i].name, sorted[i - 1].order + 1, sorted[i].order + 1);
}
