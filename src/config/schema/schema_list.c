/* The rows of the schema as lines of text, for `list`. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analysis/registry.h"
#include "config/schema/schema.h"
#include "yaml/number.h"

struct visitor {
    void (*visit)(void *context, const struct ml_schema_entry *entry);
    void *context;
    struct ml_pool *pool; /* of the keys */
};

enum { LONGEST = 512 };

static const char *type_text(const struct ml_keys *keys, const struct ml_key *key)
{
    const bool is_number = key->kind == ML_KEY_NUMBER;
    if (is_number && ml_key_is_pair(keys, key))
        return key->param.flags & ML_VECTOR ? "[x, y]" : "number or [x, y]";
    return is_number && key->param.flags & ML_OR_ALL  ? "integer or all"
           : is_number && key->param.flags & ML_WHOLE ? ml_key_kinds[ML_KEY_INTEGER].type
                                                      : ml_key_kinds[key->kind].type;
}

static const char *default_text(const struct ml_key *key, char number[ML_NUMBER_TEXT])
{
    if (key->param.flags & ML_REQUIRED)
        return "required";
    if (!ml_key_has_default(key))
        return "";
    switch (ml_key_kinds[key->kind].default_value) {
    case ML_DEFAULT_WORD:
        return ml_words_at(&key->words, 0).text;
    case ML_DEFAULT_ALL:
        return "all";
    default:
        return ml_number_text(key->param.default_value, number);
    }
}

static const char *range_text(const struct ml_key *key, char text[LONGEST])
{
    size_t used = 0;
    text[0] = '\0';
    if (ml_key_has_range(key))
        return ml_range_text(&key->param, text);
    if (ml_key_kinds[key->kind].allowed != ML_ALLOWED_WORDS)
        return text;
    for (int i = 0; used < LONGEST; i++) {
        const char *word = ml_words_at(&key->words, i).text;
        if (!word)
            break;
        int n = snprintf(text + used, LONGEST - used, "%s%s", i ? " | " : "", word);
        used += n > 0 ? (size_t)n : 0;
    }
    if (key->kind == ML_KEY_COUNT && used < LONGEST) {
        char range[ML_RANGE_TEXT];
        (void)snprintf(text + used, LONGEST - used, " | %s", ml_range_text(&key->param, range));
    }
    return text;
}

/* Where a key stands: "analyse.lyapunov.until.error". */
static void write_path(char path[LONGEST], const char *owner, const struct ml_key *key)
{
    const char *scope = ml_scope_name(key->scope), *group = key->param.group;
    bool is_indicators = key->scope == ML_SCOPE_INDICATOR || key->scope == ML_SCOPE_GROUP;
    (void)snprintf(path, LONGEST, "%s%s%s%s%s%s%s", scope, *scope ? "." : "",
                   is_indicators ? owner : "", is_indicators ? "." : "", group ? group : "",
                   group ? "." : "", key->param.name);
}

static void schema_list_report(const struct visitor *to, const char *owner,
                               const struct ml_keys *keys, const struct ml_key *key)
{
    char path[LONGEST], number[ML_NUMBER_TEXT], range[LONGEST];
    bool is_indicators = key->scope == ML_SCOPE_INDICATOR || key->scope == ML_SCOPE_GROUP;
    write_path(path, owner, key);
    struct ml_schema_entry entry = {
        .path = path,
        .owner = owner,
        .type = type_text(keys, key),
        .unit = key->param.unit,
        .default_value = default_text(key, number),
        .range = range_text(key, range),
        .doc = key->param.doc,
        .is_sweepable = (key->slot >= 0 && !is_indicators) ||
                        (key->kind == ML_KEY_QUANTITY && key->scope == ML_SCOPE_INITIAL) ||
                        ml_key_kinds[key->kind].is_swept || ml_key_is_array(key) || key->is_of_runs,
        .is_vector = key->param.flags & ML_VECTOR,
    };
    to->visit(to->context, &entry);
}

static void report_scope(const struct visitor *to, enum ml_scope scope, const char *owner,
                         const struct ml_system *system, const struct ml_params *own, int from)
{
    const struct ml_keys keys = ml_schema_keys(to->pool, scope, system, own);
    for (int i = from; i < keys.n; i++) {
        const enum ml_scope child = keys.row[i].child;
        schema_list_report(to, owner, &keys, &keys.row[i]);
        if (child == ML_SCOPE_GROUP || child == ML_SCOPE_SYSTEM_GROUP)
            report_scope(to, child, owner, system, &keys.row[i].below, 0);
    }
}

/* Keys that only this system, force or indicator has. */
static void report_own(const struct visitor *to, enum ml_scope scope, const char *owner,
                       const struct ml_system *system, const struct ml_params *own)
{
    report_scope(to, scope, owner, system, own, ml_schema_keys(to->pool, scope, NULL, NULL).n);
}

static void report_forces(const struct visitor *to)
{
    const struct ml_force *const *forces = ml_registry()->forces;
    for (int i = 0; forces[i]; i++) {
        const struct ml_params own = ml_force_params(forces[i]);
        report_own(to, ML_SCOPE_FORCE, own.owner, NULL, &own);
    }
}

/* Signals of a number of any unit. */
static void report_signals(const struct visitor *to)
{
    static const struct ml_param any = {
        .unit = "", .low = (double)-INFINITY, .high = (double)INFINITY};
    struct ml_param params[ML_SIGNAL_ROWS];
    for (int type = ML_RAMP_SIGNAL; type < ML_N_SIGNAL_TYPE; type++) {
        const struct ml_params own = ml_signal_params(&any, type, params);
        report_own(to, ML_SCOPE_SIGNAL, own.owner, NULL, &own);
    }
}

static void report_indicators(const struct visitor *to)
{
    const struct ml_indicator *const *indicators = ml_registry()->indicators;
    for (int i = 0; indicators[i]; i++) {
        const struct ml_params own = ml_indicator_params(indicators[i]);
        report_own(to, ML_SCOPE_INDICATOR, own.owner, NULL, &own);
    }
}

void ml_schema_each_of(struct ml_pool *pool, const struct ml_system *system,
                       void (*visit)(void *context, const struct ml_schema_entry *entry),
                       void *context)
{
    const struct visitor to = {visit, context, pool};
    for (int scope = 0; scope < ML_N_SCOPE; scope++)
        if (scope != ML_SCOPE_FORCE && scope != ML_SCOPE_SIGNAL && scope != ML_SCOPE_REPEAT)
            report_own(&to, (enum ml_scope)scope, system->name, system, NULL);
}

void ml_schema_each(struct ml_pool *pool,
                    void (*visit)(void *context, const struct ml_schema_entry *entry),
                    void *context)
{
    const struct visitor to = {visit, context, pool};
    const struct ml_system *const *systems = ml_registry()->systems;
    for (int scope = 0; scope < ML_N_SCOPE; scope++) {
        const char *owner = scope == ML_SCOPE_OBSERVABLE ? "observe" : "";
        report_scope(&to, (enum ml_scope)scope, owner, NULL, NULL, 0);
        for (int i = 0; scope != ML_SCOPE_FORCE && scope != ML_SCOPE_REPEAT && systems[i]; i++)
            report_own(&to, (enum ml_scope)scope, systems[i]->name, systems[i], NULL);
        if (scope == ML_SCOPE_FORCE)
            report_forces(&to);
        if (scope == ML_SCOPE_SIGNAL)
            report_signals(&to);
        if (scope == ML_SCOPE_INDICATOR)
            report_indicators(&to);
    }
}
