/* The rows of the schema as JSON Schema, for editors. */
#include <jansson.h>
#include <math.h>
#include <string.h>

#include "analysis/registry.h"
#include "config/schema/schema.h"
#include "manylink/study.h"
#include "model/classics.h"

/* A key and the map that it is in. */
struct json_key {
    const struct ml_keys *keys;
    const struct ml_key *key;
    const struct ml_system *system;
};

/* References to a jansson object: every function returns a new one, NULL without memory; jansson's
 * _new functions take NULL for a failure and pass it on. */

static json_t *map_of(enum ml_scope scope, const struct ml_system *system,
                      const struct ml_params *own);

static json_t *number_in(const struct ml_param *param)
{
    json_t *number = json_pack("{s:s}", "type", param->flags & ML_WHOLE ? "integer" : "number");
    if (isfinite(param->low))
        json_object_set_new(number, param->flags & ML_OPEN_LOW ? "exclusiveMinimum" : "minimum",
                            json_real(param->low));
    if (isfinite(param->high))
        json_object_set_new(number, "maximum", json_real(param->high));
    return json_pack("{s:[o, {s:s, s:s}]}", "anyOf", number, "type", "string", "pattern",
                     "^[-+*/^(),.<>= 0-9A-Za-z_]+$"); /* a formula */
}

static json_t *list_of(json_t *item)
{
    return json_pack("{s:s, s:o}", "type", "array", "items", item);
}

/* With one item at least. */
static json_t *some_of(json_t *item)
{
    return json_pack("{s:s, s:o, s:i}", "type", "array", "items", item, "minItems", 1);
}

static json_t *either(json_t *a, json_t *b) { return json_pack("{s:[o, o]}", "anyOf", a, b); }

static const struct ml_param any_number = {.low = (double)-INFINITY, .high = (double)INFINITY};
static const struct ml_param any_signal = {
    .unit = "1", .low = (double)-INFINITY, .high = (double)INFINITY};

static json_t *text_of(void) { return json_pack("{s:s}", "type", "string"); }

/* A number is a name too, as the file writes it. */
static json_t *schema_json_name_of(void)
{
    return either(
        json_pack("{s:s, s:s}", "type", "string", "pattern", "^[A-Za-z0-9_][A-Za-z0-9_-]*$"),
        json_pack("{s:s, s:i}", "type", "integer", "minimum", 0));
}

static json_t *words_of(const struct ml_words *words)
{
    json_t *list = json_array();
    for (int i = 0; ml_words_at(words, i).text; i++)
        json_array_append_new(list, json_string(ml_words_at(words, i).text));
    return json_pack("{s:o}", "enum", list);
}

/* A map whose `type` decides about its other keys. */
static json_t *one_of_forces(void)
{
    json_t *list = json_array();
    const struct ml_force *const *forces = ml_registry()->forces;
    for (int i = 0; forces[i]; i++) {
        const struct ml_params own = ml_force_params(forces[i]);
        json_array_append_new(list, map_of(ML_SCOPE_FORCE, NULL, &own));
    }
    return json_pack("{s:o}", "oneOf", list);
}

/* A number, or a signal of it. */
static json_t *signal_of(const struct ml_param *param)
{
    struct ml_param params[ML_SIGNAL_ROWS];
    json_t *list = json_array();
    for (int type = ML_RAMP_SIGNAL; type < ML_N_SIGNAL_TYPE; type++) {
        const struct ml_params own = ml_signal_params(param, type, params);
        json_array_append_new(list, map_of(ML_SCOPE_SIGNAL, NULL, &own));
    }
    return either(number_in(param), json_pack("{s:o}", "oneOf", list));
}

/* A classical system, with numbers or formulas of its parameters. */
static json_t *a_classic(void)
{
    json_t *names = json_array();
    for (const struct ml_classic *c = ml_classics; c->name; c++)
        json_array_append_new(names, json_string(c->name));
    return json_pack("{s:s, s:{s:{s:o}}, s:[s], s:{s:[s, s]}}", "type", "object", "properties",
                     "type", "enum", names, "required", "type", "additionalProperties", "type",
                     "number", "string");
}

static json_t *one_of_systems(void)
{
    json_t *list = json_array();
    const struct ml_system *const *systems = ml_registry()->systems;
    for (int i = 0; systems[i]; i++)
        json_array_append_new(list, map_of(ML_SCOPE_SYSTEM, systems[i], NULL));
    json_array_append_new(list, a_classic());
    return json_pack("{s:o}", "oneOf", list);
}

/* Keys of `initial` and of trajectories: those of any system. */
static json_t *of_any_system(enum ml_scope scope)
{
    json_t *list = json_array();
    const struct ml_system *const *systems = ml_registry()->systems;
    for (int i = 0; systems[i]; i++)
        json_array_append_new(list, map_of(scope, systems[i], NULL));
    return json_pack("{s:o}", "anyOf", list);
}

static json_t *child_of(const struct ml_key *key, const struct ml_system *system)
{
    if (key->child == ML_SCOPE_SYSTEM)
        return one_of_systems();
    if (key->child == ML_SCOPE_FORCE)
        return one_of_forces();
    if (key->child == ML_SCOPE_INITIAL || key->child == ML_SCOPE_TRAJECTORY)
        return of_any_system(key->child);
    return map_of(key->child, system, &key->below);
}

static json_t *per_segment(const struct ml_param *param, json_t *(*one)(const struct ml_param *))
{
    json_t *by_name = json_pack("{s:s, s:o}", "type", "object", "additionalProperties", one(param));
    return either(one(param), either(list_of(one(param)), by_name));
}

static json_t *matrix_of(const struct ml_param *param)
{
    json_t *row =
        either(list_of(number_in(param)),
               json_pack("{s:s, s:o}", "type", "object", "additionalProperties", number_in(param)));
    json_t *by_name = json_pack("{s:s, s:O}", "type", "object", "additionalProperties", row);
    return either(some_of(number_in(param)), either(some_of(row), by_name));
}

/* [x, y], or {x: .., y: ..} */
static json_t *pair_of(const struct ml_param *param, json_t *(*one)(const struct ml_param *))
{
    return either(json_pack("{s:s, s:o, s:i, s:i}", "type", "array", "items", one(param),
                            "minItems", 2, "maxItems", 2),
                  json_pack("{s:s, s:{s:o, s:o}, s:[s, s], s:b}", "type", "object", "properties",
                            "x", one(param), "y", one(param), "required", "x", "y",
                            "additionalProperties", 0));
}

/* A number, or [low, high]; or a map of these by joint. */
static json_t *limit_of(const struct ml_param *param)
{
    struct ml_param low = *param, high = *param;
    low.low = -param->high;
    low.high = 0.0;
    low.flags = high.flags = 0;
    json_t *ends = json_pack("{s:s, s:[o, o], s:i, s:i}", "type", "array", "prefixItems",
                             number_in(&low), number_in(&high), "minItems", 2, "maxItems", 2);
    json_t *one = either(number_in(param), ends);
    json_t *by_name = json_pack("{s:s, s:O}", "type", "object", "additionalProperties", one);
    return either(one, by_name);
}

static json_t *describe_number(const struct json_key *k)
{
    const struct ml_param *param = &k->key->param;
    if (param->flags & ML_VECTOR)
        return pair_of(param, number_in);
    return ml_key_is_pair(k->keys, k->key) ? either(number_in(param), pair_of(param, number_in))
                                           : number_in(param);
}

static json_t *whole_in(const struct ml_param *param)
{
    return json_pack("{s:s, s:I, s:I}", "type", "integer", "minimum", (json_int_t)param->low,
                     "maximum", (json_int_t)param->high);
}

static json_t *records_of(const struct ml_system *system)
{
    if (!system || system->file_key || system->has_formulas)
        return some_of(schema_json_name_of());
    json_t *names = json_array();
    for (int i = 0; i < system->tables.n_record; i++)
        json_array_append_new(names, json_string(system->tables.records[i].name));
    return some_of(either(json_pack("{s:o}", "enum", names), schema_json_name_of()));
}

/* A signal; in a force with a file, the name of a column stands for a signal too. */
static json_t *signal_or_column(const struct ml_param *param)
{
    return either(signal_of(param), text_of());
}

static bool is_of_file(const struct json_key *k)
{
    return k->key->scope == ML_SCOPE_FORCE && ml_keys_find(k->keys, "file") != NULL;
}

static json_t *numbers_of(const struct json_key *k)
{
    const struct ml_param *param = &k->key->param;
    switch (k->key->kind) {
    case ML_KEY_INTEGER:
        return whole_in(param);
    case ML_KEY_SIGNAL:
        return is_of_file(k) ? signal_or_column(param) : signal_of(param);
    case ML_KEY_LIMIT:
        return limit_of(param);
    case ML_KEY_SIGNAL_PAIR:
        return pair_of(param, is_of_file(k) ? signal_or_column : signal_of);
    case ML_KEY_SIGNALS:
        return per_segment(param, signal_of);
    case ML_KEY_QUANTITY:
    case ML_KEY_WEIGHTS:
        return per_segment(param, number_in);
    case ML_KEY_MATRIX:
        return matrix_of(param);
    case ML_KEY_TIMES:
        return either(number_in(param), some_of(number_in(param)));
    case ML_KEY_VALUES:
        return some_of(either(number_in(param), some_of(number_in(param))));
    default:
        return describe_number(k);
    }
}

static json_t *formula_of(void) { return either(number_in(&any_number), text_of()); }

/* A map of names, each with a value of that schema. */
static json_t *map_by_name(json_t *value)
{
    return json_pack("{s:s, s:o}", "type", "object", "additionalProperties", value);
}

/* Schema of the values of a key that is a map of names. */
static json_t *names_of(const struct json_key *k)
{
    switch (k->key->kind) {
    case ML_KEY_NAMED:
        return map_by_name(either(formula_of(), some_of(either(text_of(), some_of(text_of())))));
    case ML_KEY_DEVIATIONS:
        return either(number_in(&k->key->param),
                      map_by_name(either(number_in(&k->key->param), text_of())));
    case ML_KEY_GIVEN:
        return map_by_name(either(number_in(&any_number), map_of(ML_SCOPE_GIVEN, NULL, NULL)));
    case ML_KEY_NUMBERS:
    case ML_KEY_FORMULAS:
        return map_by_name(formula_of());
    case ML_KEY_REST:
        return either(json_pack("{s:s}", "const", "rest"), map_by_name(formula_of()));
    case ML_KEY_QUANTITIES:
        return map_by_name(either(formula_of(), map_of(ML_SCOPE_QUANTITY, NULL, NULL)));
    case ML_KEY_NAMED_SIGNALS:
        return map_by_name(signal_of(&any_signal));
    case ML_KEY_REGISTERS:
        return map_by_name(either(number_in(&any_number), map_of(ML_SCOPE_REGISTER, NULL, NULL)));
    case ML_KEY_CONTROLLERS:
        return map_by_name(map_of(ML_SCOPE_CONTROLLER, NULL, NULL));
    case ML_KEY_REQUIREMENTS:
        return map_by_name(map_of(ML_SCOPE_REQUIREMENT, NULL, NULL));
    default:
        return numbers_of(k);
    }
}

/* Schema of the values of a key. */
static json_t *value_of(const struct json_key *k)
{
    const struct ml_key *key = k->key;
    switch (key->kind) {
    case ML_KEY_WORD:
        return words_of(&key->words);
    case ML_KEY_COUNT:
        return either(words_of(&key->words), whole_in(&key->param));
    case ML_KEY_WORDS:
        return either(words_of(&key->words), some_of(words_of(&key->words)));
    case ML_KEY_METHOD:
        return either(words_of(&key->words), map_of(ML_SCOPE_INTEGRATOR, NULL, NULL));
    case ML_KEY_TRUTH:
        return json_pack("{s:s}", "type", "boolean");
    case ML_KEY_NAME:
    case ML_KEY_SEGMENT:
        return schema_json_name_of();
    case ML_KEY_NAMES:
        return some_of(schema_json_name_of());
    case ML_KEY_MAP:
        return child_of(key, k->system);
    case ML_KEY_LIST:
        return list_of(child_of(key, k->system));
    case ML_KEY_PAIRS:
        return either(list_of(child_of(key, k->system)), some_of(some_of(number_in(&any_number))));
    case ML_KEY_SEGMENTS:
        return either(some_of(map_of(ML_SCOPE_SEGMENT, k->system, NULL)),
                      map_of(ML_SCOPE_REPEAT, k->system, NULL));
    case ML_KEY_PATHS:
    case ML_KEY_ANY_TEXTS:
        return either(text_of(), some_of(text_of()));
    case ML_KEY_RECORDS:
        return records_of(k->system);
    case ML_KEY_CHOSENS:
    case ML_KEY_TEXTS:
        return some_of(text_of());
    case ML_KEY_ENTRIES:
        return either(either(number_in(&any_number), text_of()), some_of(number_in(&any_number)));
    case ML_KEY_TABLES:
        return json_pack("{s:s, s:o}", "type", "object", "additionalProperties",
                         map_of(ML_SCOPE_TABLE, NULL, NULL));
    case ML_KEY_OBSERVABLES:
        return json_pack("{s:s, s:o}", "type", "object", "additionalProperties",
                         map_of(ML_SCOPE_OBSERVABLE, NULL, NULL));
    case ML_KEY_FORMULA:
        return formula_of();
    case ML_KEY_FORMULA_LIST:
        return list_of(formula_of());
    case ML_KEY_FORMULA_ROWS:
        return list_of(list_of(formula_of()));
    case ML_KEY_RUNS:
        return either(json_pack("{s:s}", "const", "all"), map_of(ML_SCOPE_RUNS, NULL, NULL));
    case ML_KEY_POSTURE:
        return either(pair_of(&key->param, number_in), map_of(ML_SCOPE_POSTURE, NULL, NULL));
    case ML_KEY_TEXT:
    case ML_KEY_CHOSEN:
        return text_of();
    default:
        return names_of(k);
    }
}

/* Default of a key; NULL if the default is not among its values. */
static json_t *default_of(const struct ml_key *key)
{
    if (!ml_key_has_default(key))
        return NULL;
    switch (ml_key_kinds[key->kind].default_value) {
    case ML_DEFAULT_NUMBER:
        return key->kind == ML_KEY_INTEGER ? json_integer((json_int_t)key->param.default_value)
                                           : json_real(key->param.default_value);
    case ML_DEFAULT_WORD:
        return json_string(ml_words_at(&key->words, 0).text);
    case ML_DEFAULT_ALL:
        return json_string("all");
    default:
        return NULL;
    }
}

static void annotate(json_t *value, const struct ml_key *key)
{
    const struct ml_param *param = &key->param;
    bool has_unit = strcmp(param->unit, "1") != 0;
    json_object_set_new(value, "description",
                        has_unit ? json_sprintf("%s [%s]", param->doc, param->unit)
                                 : json_string(param->doc));
    json_t *default_value = default_of(key);
    if (default_value)
        json_object_set_new(value, "default", default_value);
}

/* `type` of this very system, force or signal. */
static json_t *own_type(const struct ml_system *system, const struct ml_params *own)
{
    return json_pack("{s:s}", "const", system ? system->name : own->owner);
}

/* Keys besides those of the schema: none, but the numbers that its source adds to a system. */
static json_t *others_in(enum ml_scope scope, const struct ml_system *system)
{
    bool is_open = scope == ML_SCOPE_SYSTEM || scope == ML_SCOPE_INITIAL;
    return is_open && system && (system->file_key || system->has_formulas) ? number_in(&any_number)
                                                                           : json_false();
}

static json_t *map_of(enum ml_scope scope, const struct ml_system *system,
                      const struct ml_params *own)
{
    struct ml_pool pool = {0};
    json_t *properties = json_object(), *required = json_array();
    const struct ml_keys keys = ml_schema_keys(&pool, scope, system, own);
    for (int i = 0; i < keys.n; i++) {
        const struct ml_key *key = &keys.row[i];
        const char *key_name = key->param.name;
        if (strchr(key_name, '.'))
            continue;
        bool is_typed =
            scope == ML_SCOPE_SYSTEM || scope == ML_SCOPE_FORCE || scope == ML_SCOPE_SIGNAL;
        bool is_own = is_typed && strcmp(key_name, "type") == 0;
        json_t *value =
            is_own ? own_type(system, own) : value_of(&(struct json_key){&keys, key, system});
        annotate(value, key);
        json_object_set_new(properties, key_name, value);
        if (key->param.flags & ML_REQUIRED && scope != ML_SCOPE_MOTION) /* by its type */
            json_array_append_new(required, json_string(key_name));
    }
    ml_pool_free(&pool);
    return json_pack("{s:s, s:o, s:o, s:o}", "type", "object", "properties", properties, "required",
                     required, "additionalProperties", others_in(scope, system));
}

char *ml_study_schema(void)
{
    json_t *schema =
        json_pack("{s:s, s:s}", "$schema", "https://json-schema.org/draft/2020-12/schema", "title",
                  "manylink study");
    json_t *study = map_of(ML_SCOPE_STUDY, NULL, NULL);
    json_object_update(schema, study);
    json_decref(study);
    char *dumped = schema ? json_dumps(schema, JSON_INDENT(2) | JSON_REAL_PRECISION(15)) : NULL;
    json_decref(schema);
    return dumped;
}
