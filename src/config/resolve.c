/* Writes the canonical text of a study: every key, with derived values. What is a number, a word or
 * a text follows from the rows of the schema; code of its own writes the rest. */
#include "config/resolve.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "config/expand.h"
#include "config/native.h"
#include "config/schema.h"
#include "config/yaml_writer.h"

/* How keys of a map stand: one below the other, so as an element of a list, or {a: 1, b: 2}. */
enum form { BLOCK, ELEMENT, FLOW };

/* What the text is made of, and the map that is being written. */
struct resolving {
    struct ml_yaml_writer *w;
    const struct ml_study_spec *spec;
    const double *derived;         /* [n_value] */
    const double *const *settings; /* [indicator] */
    struct map {
        enum form form;
        int indent, n;        /* n: keys so far */
        const void *fields;   /* struct that its keys are read into */
        const double *values; /* numbers that runs can differ in; NULL: there are none */
    } at;
};

/* "name:" behind the keys before it. */
static void put_key(struct resolving *t, const char *name)
{
    const bool is_dash = t->at.form == ELEMENT && t->at.n == 0;
    if (t->at.form == FLOW)
        ml_put(t->w, "%s%s:", t->at.n > 0 ? ", " : "", name);
    else
        ml_put(t->w, "%*s%s%s:", t->at.indent - (is_dash ? 2 : 0), "", is_dash ? "- " : "", name);
    t->at.n++;
}

/* One of several names in brackets; *n are there so far. */
static void put_item(struct resolving *t, int *n, const char *name)
{
    ml_put(t->w, "%s%s", (*n)++ > 0 ? ", " : "", name);
}

static bool is_same_group(const struct ml_param *a, const struct ml_param *b)
{
    return a->group && b->group ? strcmp(a->group, b->group) == 0 : a->group == b->group;
}

/* What a body has besides numbers. */
static void put_parts(struct ml_yaml_writer *w, const struct ml_study_spec *spec)
{
    const struct ml_dims *dims = &spec->dims;
    ml_put(w, "    segments: [");
    for (int i = 0; i < dims->n; i++)
        ml_put(w, "%s%s", i ? ", " : "", spec->system->parts[dims->part[i]]);
    ml_put(w, "]\n");
}

/* Words of a map: those of a group, or those of none. */
static void put_choices(struct ml_yaml_writer *w, const char *indent,
                        const struct ml_study_spec *spec, const char *group)
{
    const struct ml_system *system = spec->system;
    for (int i = 0; i < system->n_choice; i++) {
        const struct ml_choice *choice = &system->choices[i];
        if (group && choice->group ? strcmp(choice->group, group) == 0 : group == choice->group)
            ml_put(w, "%s%s: %s\n", indent, choice->name, choice->values[spec->dims.choice[i]]);
    }
}

/* The maps of groups of which some number is given. */
static void put_groups(struct ml_yaml_writer *w, const struct ml_study_spec *spec,
                       const double *derived)
{
    const struct ml_param *params = spec->system->params;
    const int n = spec->system->n_param;
    for (int first = 0, end; first < n; first = end) {
        const char *group = params[first].group;
        bool is_given = false;
        for (end = first; end < n && is_same_group(&params[end], &params[first]); end++)
            is_given |= !isnan(spec->base[end]);
        if (!group || !is_given)
            continue;
        ml_put(w, "  %s:\n", group);
        for (int i = first; i < end; i++)
            ml_put_param(w, "    ", params, n, i, spec->base, derived);
        put_choices(w, "    ", spec, group);
        if (spec->dims.part && strcmp(group, ML_BODY) == 0)
            put_parts(w, spec);
    }
}

/* A number for each segment or degree of freedom. */
static void put_by_name(struct ml_yaml_writer *w, const struct ml_study_spec *spec,
                        const double *values)
{
    ml_put(w, "{");
    for (int i = 0; i < spec->dims.n; i++) {
        ml_put(w, "%s%s: ", i ? ", " : "", spec->segment_names[i]);
        ml_put_number(w, values[i]);
    }
    ml_put(w, "}");
}

/* The file is part of what was computed: another one makes another study. */
static void put_plugin(struct ml_yaml_writer *w, const struct ml_study_spec *spec)
{
    ml_put(w, "  file: ");
    ml_put_text(w, spec->plugin_path);
    ml_put(w, ML_NATIVE_CHECKSUM, spec->plugin.plugin->name,
           (unsigned long long)spec->plugin.checksum);
}

static void put_arrays(struct ml_yaml_writer *w, const struct ml_study_spec *spec)
{
    const struct ml_system *system = spec->system;
    const int n = spec->dims.n;
    ml_put(w, "  names: [");
    for (int i = 0; i < n; i++)
        ml_put(w, "%s%s", i ? ", " : "", spec->segment_names[i]);
    ml_put(w, "]\n");
    for (int a = 0; a < system->n_array; a++) {
        const double *values = spec->base + ml_slot_param(ml_expand_first(system, a, n));
        if (system->arrays[a].flags & ML_MATRIX) {
            ml_put_matrix(w, "  ", &system->arrays[a], n, values);
            continue;
        }
        ml_put(w, "  %s: ", system->arrays[a].name);
        put_by_name(w, spec, values);
        ml_put(w, "\n");
    }
}

static void put_system(struct resolving *t)
{
    const struct ml_study_spec *spec = t->spec;
    const double *derived = t->derived;
    struct ml_yaml_writer *w = t->w;
    const struct ml_system *system = spec->system;
    const struct ml_dims *dims = &spec->dims;
    ml_put(w, "\n  type: %s\n", system->name);
    if (system->is_from_file)
        put_plugin(w, spec);
    put_choices(w, "  ", spec, NULL);
    if (system->arrays) {
        put_arrays(w, spec);
        return;
    }
    ml_put_params(w, "  ", ML_OF_OWNER, system->params, system->n_param, spec->base, derived);
    put_groups(w, spec, derived);
    if (system->segment_params)
        ml_put(w, "  segments:\n");
    w->source = dims->part ? ML_BODY : NULL;
    for (int i = 0; system->segment_params && i < dims->n; i++) {
        int slot = ml_slot_segment(system, i, 0);
        ml_put(w, "    - name: %s\n", spec->segment_names[i]);
        ml_put_params(w, "      ", ML_OF_OWNER, system->segment_params, system->n_segment_param,
                      spec->base + slot, derived + slot);
    }
    w->source = NULL;
}

static void put_initial(struct resolving *t)
{
    const struct ml_study_spec *spec = t->spec;
    const double *derived = t->derived;
    struct ml_yaml_writer *w = t->w;
    const struct ml_system *system = spec->system;
    int n = spec->dims.n;
    ml_put(w, "\n");
    for (int q = 0; q < system->n_state; q++) {
        const double *values = spec->base + ml_slot_initial(system, n, q, 0);
        ml_put(w, "  %s: ", system->state[q].name);
        if (ml_dim_is_named(system->state[q].dim[0]))
            put_by_name(w, spec, values);
        else
            ml_put_number(w, values[0]);
        ml_put(w, "\n");
    }
    ml_put_params(w, "  ", ML_AT_START, system->params, system->n_param, spec->base, derived);
}

static void put_forces(struct resolving *t) { ml_put_forces(t->w, t->spec, t->derived); }

static void put_rows(struct resolving *t, enum form form, enum ml_scope scope, const void *fields,
                     const double *values);

/* The method alone, where that is all. */
static void put_integrator(struct resolving *t)
{
    const struct ml_study_spec *spec = t->spec;
    if (!spec->is_adaptive && !spec->dims.is_compensated) {
        ml_put(t->w, " %s\n", ml_study_spec_method(spec)->name);
        return;
    }
    ml_put(t->w, "\n");
    put_rows(t, BLOCK, ML_SCOPE_INTEGRATOR, spec, NULL);
}

static void put_posture(struct resolving *t, const double *values)
{
    const bool is_point = t->spec->motion.type == ML_HAND_PATH;
    if (is_point) {
        ml_put(t->w, " [");
        ml_put_number(t->w, values[0]);
        ml_put(t->w, ", ");
        ml_put_number(t->w, values[1]);
        ml_put(t->w, "]\n");
        return;
    }
    ml_put(t->w, " {angle: ");
    put_by_name(t->w, t->spec, values);
    ml_put(t->w, "}\n");
}

static void put_start(struct resolving *t) { put_posture(t, t->spec->motion.start); }

static void put_end(struct resolving *t) { put_posture(t, t->spec->motion.end); }

/* The keys that an axis or a range moves: one, or a list. */
static void put_set(struct resolving *t)
{
    const struct ml_axis *axis = t->at.fields;
    int n = 0;
    ml_put(t->w, axis->n_swept > 1 ? " [" : " ");
    while (n < axis->n_swept)
        put_item(t, &n, axis->swept[n].path);
    ml_put(t->w, axis->n_swept > 1 ? "]\n" : "\n");
}

static void put_values(struct resolving *t)
{
    const struct ml_axis *axis = t->at.fields;
    const bool is_each = axis->kind == ML_AXIS_EACH;
    for (int64_t k = 0; k < axis->count; k++) {
        ml_put(t->w, "%s%s", k ? ", " : " [", is_each ? "[" : "");
        for (int i = 0; i < (is_each ? axis->n_swept : 1); i++) {
            ml_put(t->w, "%s", i ? ", " : "");
            ml_put_number(t->w, axis->swept[i].values[k]);
        }
        ml_put(t->w, "%s", is_each ? "]" : "");
    }
    ml_put(t->w, "]\n");
}

static void put_sweep(struct resolving *t)
{
    const struct ml_study_spec *spec = t->spec;
    ml_put(t->w, spec->n_axis ? "\n" : " []\n");
    for (int i = 0; i < spec->n_axis; i++) {
        if (!ml_axis_is_way(&spec->axes[i]))
            put_rows(t, ELEMENT, ML_SCOPE_AXIS, &spec->axes[i], NULL);
    }
}

/* The ranges of a sample, each of keys that share a random number. */
static void put_over(struct resolving *t)
{
    const struct ml_study_spec *spec = t->spec;
    const struct ml_axis *all = spec->axes;
    ml_put(t->w, "\n");
    for (int i = 0, n; i < all->n_swept; i += n) {
        const struct ml_swept *swept = &all->swept[i];
        for (n = 1; i + n < all->n_swept && swept[n].dimension == swept->dimension;)
            n++;
        const struct ml_axis range = {.kind = swept->is_factor ? ML_AXIS_FACTOR : ML_AXIS_SAME,
                                      .from = swept->low,
                                      .to = swept->high,
                                      .is_range = true,
                                      .is_log = swept->is_log,
                                      .swept = &all->swept[i],
                                      .n_swept = n};
        put_rows(t, ELEMENT, ML_SCOPE_OVER, &range, NULL);
    }
}

static void put_to(struct ml_yaml_writer *w, const struct ml_study_spec *spec)
{
    for (int i = 0; i < spec->n_differentiated; i++)
        ml_put(w, "%s%s", i ? ", " : "    of: [",
               spec->registry->indicators[spec->differentiated[i]]->name);
    if (spec->saving.records >> spec->system->n_record & 1)
        ml_put(w, "%s" ML_OF_TRAJECTORY, spec->n_differentiated > 0 ? ", " : "    of: [");
    ml_put(w, "]\n    to: [");
    for (int i = 0; i < spec->dims.n_sens; i++)
        ml_put(w, "%s%s", i ? ", " : "", spec->parameter_names[i]);
    ml_put(w, "]\n");
}

/* NaN is `all`, or a number that is not given. */
static bool is_shown(const struct ml_param *param, double setting)
{
    return !isnan(setting) || param->flags & ML_OR_ALL;
}

static bool has_settings(const struct ml_indicator *indicator, const double *settings)
{
    bool has_some = indicator->takes_parameters;
    for (int i = 0; i < indicator->n_param; i++)
        has_some |= is_shown(&indicator->params[i], settings[i]);
    return has_some;
}

/* Settings of an indicator; in groups where they belong to one. */
static void put_settings(struct ml_yaml_writer *w, const struct ml_study_spec *spec,
                         const struct ml_indicator *indicator, const double *settings)
{
    const char *group = NULL;
    ml_put(w, has_settings(indicator, settings) ? "  %s:\n" : "  %s: {}\n", indicator->name);
    if (indicator->takes_parameters)
        put_to(w, spec);
    for (int i = 0; i < indicator->n_param; i++) {
        const struct ml_param *param = &indicator->params[i];
        if (!is_shown(param, settings[i]))
            continue;
        if (param->group && param->group != group)
            ml_put(w, "    %s:\n", param->group);
        group = param->group;
        ml_put(w, "    %s%s: ", group ? "  " : "", param->name);
        if (isnan(settings[i]))
            ml_put(w, "all");
        else
            ml_put_number(w, settings[i]);
        ml_put(w, "\n");
    }
}

static void put_indicator(struct resolving *t, const char *name)
{
    const struct ml_indicator *const *indicators = t->spec->registry->indicators;
    for (int i = 0; indicators[i]; i++)
        if (t->settings[i] && strcmp(indicators[i]->name, name) == 0)
            put_settings(t->w, t->spec, indicators[i], t->settings[i]);
}

static void put_looked(struct resolving *t)
{
    const struct ml_event *event = t->at.fields;
    ml_put(t->w, " %s\n", event->looked);
}

static void put_keep(struct resolving *t)
{
    const struct ml_event *event = t->at.fields;
    int n = 0;
    ml_put(t->w, " [");
    while (n < event->n_keep)
        put_item(t, &n, event->keep[n].name);
    ml_put(t->w, "]\n");
}

static void put_events(struct resolving *t)
{
    const struct ml_study_spec *spec = t->spec;
    ml_put(t->w, "\n");
    for (int i = 0; i < spec->n_event; i++) {
        const struct ml_event_numbers numbers = ml_event_of_run(&spec->events[i], spec->base, 1);
        double values[ML_EVENT_NUMBERS];
        for (int k = 0; k < ML_EVENT_NUMBERS; k++)
            values[k] = *(const double *)((const char *)&numbers + ml_event_number_rows[k].offset);
        put_rows(t, ELEMENT, ML_SCOPE_EVENT, &spec->events[i], values);
    }
}

/* What the summary has without being asked for, unless that is all there is. */
static void put_summary(struct resolving *t)
{
    const struct ml_study_spec *spec = t->spec;
    int n = 0;
    ml_put(t->w, ~spec->left_out == 0 ? " " ML_SUMMARY_NONE "\n" : " [");
    for (int i = 0; ~spec->left_out != 0 && spec->registry->indicators[i]; i++)
        if (!(spec->left_out >> i & 1))
            put_item(t, &n, spec->registry->indicators[i]->name);
    ml_put(t->w, ~spec->left_out == 0 ? "" : "]\n");
}

static void put_quantities(struct resolving *t)
{
    const struct ml_study_spec *spec = t->spec;
    int n = 0;
    ml_put(t->w, " [");
    for (int i = 0; i < spec->system->n_record; i++)
        if (spec->saving.records >> i & 1)
            put_item(t, &n, spec->system->records[i].name);
    ml_put(t->w, "]\n");
}

static void put_runs(struct resolving *t)
{
    ml_put(t->w, " {");
    put_rows(t, FLOW, ML_SCOPE_RUNS, t->spec, NULL);
    ml_put(t->w, "}\n");
}

static void put_save(struct resolving *t)
{
    const bool has_some = t->spec->saving.every > 0 || t->spec->left_out != 0;
    ml_put(t->w, has_some ? "\n" : " {}\n");
    if (has_some)
        put_rows(t, BLOCK, ML_SCOPE_SAVE, t->spec, NULL);
}

/* Last: what the study does not say by itself. */
static void put_derived(struct ml_yaml_writer *w, double renormalise)
{
    if (renormalise == 0.0)
        return;
    ml_put(w, ML_DERIVED_LINE "  renormalise: ");
    ml_put_number(w, renormalise);
    ml_put(w, " # (derived: from how tangent vectors grew in the first steps of some runs)\n");
}

typedef void put_fn(struct resolving *t);

/* Keys that are no plain values. */
static const struct {
    enum ml_scope scope;
    const char *name;
    put_fn *put;
} written_by[] = {
    {ML_SCOPE_STUDY, "system", put_system},   {ML_SCOPE_STUDY, "forces", put_forces},
    {ML_SCOPE_STUDY, "initial", put_initial}, {ML_SCOPE_STUDY, "integrator", put_integrator},
    {ML_SCOPE_STUDY, "sweep", put_sweep},     {ML_SCOPE_STUDY, "events", put_events},
    {ML_SCOPE_STUDY, "save", put_save},       {ML_SCOPE_MOTION, "start", put_start},
    {ML_SCOPE_MOTION, "end", put_end},        {ML_SCOPE_AXIS, "set", put_set},
    {ML_SCOPE_AXIS, "values", put_values},    {ML_SCOPE_AXIS_FACTOR, "values", put_values},
    {ML_SCOPE_OVER, "set", put_set},          {ML_SCOPE_SAMPLE, "over", put_over},
    {ML_SCOPE_EVENT, "when", put_looked},     {ML_SCOPE_EVENT, "of", put_looked},
    {ML_SCOPE_EVENT, "keep", put_keep},       {ML_SCOPE_SAVE, "summary", put_summary},
    {ML_SCOPE_TRAJECTORY, "runs", put_runs},  {ML_SCOPE_TRAJECTORY, "quantities", put_quantities},
};

static put_fn *find_put(const struct ml_key *key)
{
    for (size_t i = 0; i < sizeof written_by / sizeof *written_by; i++)
        if (written_by[i].scope == key->scope && strcmp(written_by[i].name, key->param.name) == 0)
            return written_by[i].put;
    return NULL;
}

static int64_t whole_of(const struct ml_key *key, const void *field)
{
    return key->param.flags & ML_WHOLE ? (int64_t) * (const double *)field
           : key->size == sizeof(int)  ? *(const int *)field
                                       : *(const int64_t *)field;
}

static const char *word_of(const struct ml_key *key, const void *field)
{
    const bool is_truth = key->size == sizeof(bool);
    return ml_words_of(&key->words, is_truth ? *(const bool *)field : *(const int *)field);
}

/* Whether a key that may be left open is, or says no. */
static bool is_open(const struct ml_key *key, const void *field)
{
    switch (ml_key_kinds[key->kind].field) {
    case ML_FIELD_DOUBLE:
        return key->kind == ML_KEY_OPTIONAL && (isnan(*(const double *)field) ||
                                                *(const double *)field == key->param.default_value);
    case ML_FIELD_WORD:
        return key->kind == ML_KEY_TRUTH && !*(const bool *)field;
    case ML_FIELD_NAME:
    case ML_FIELD_TEXT:
        return !*(const char *const *)field;
    default:
        return false;
    }
}

static void put_count(struct ml_yaml_writer *w, const struct ml_key *key, int64_t count)
{
    const char *word = count <= 0 ? ml_words_of(&key->words, (int)count) : NULL;
    if (word)
        ml_put(w, "%s", word);
    else
        ml_put(w, "%lld", (long long)count);
}

static void put_value(struct ml_yaml_writer *w, const struct ml_key *key, const void *field)
{
    switch (ml_key_kinds[key->kind].field) {
    case ML_FIELD_DOUBLE:
        ml_put_number(w, *(const double *)field);
        break;
    case ML_FIELD_WHOLE:
        ml_put(w, "%lld", (long long)whole_of(key, field));
        break;
    case ML_FIELD_COUNT:
        put_count(w, key, *(const int64_t *)field);
        break;
    case ML_FIELD_TEXT:
        ml_put_text(w, *(const char *const *)field);
        break;
    case ML_FIELD_NAME:
        ml_put(w, "%s", *(const char *const *)field);
        break;
    default:
        ml_put(w, "%s", word_of(key, field));
        break;
    }
}

static void put_row(struct resolving *t, const struct ml_key *key)
{
    put_fn *put = find_put(key);
    const struct map *at = &t->at;
    const void *field = key->slot >= 0  ? (const void *)&at->values[key->slot]
                        : key->size > 0 ? (const char *)at->fields + key->offset
                                        : NULL;
    const bool is_map = put || key->kind == ML_KEY_MAP;
    if ((key->when && !key->when(at->fields)) || (!is_map && (!field || is_open(key, field))))
        return;
    if (key->child == ML_SCOPE_INDICATOR) {
        put_indicator(t, key->param.name);
        return;
    }
    put_key(t, key->param.name);
    if (put) {
        put(t);
    } else if (is_map) {
        ml_put(t->w, "\n");
        put_rows(t, BLOCK, key->child, at->fields, at->values);
    } else {
        ml_put(t->w, " ");
        put_value(t->w, key, field);
        ml_put(t->w, at->form == FLOW ? "" : "\n");
    }
}

static void put_rows(struct resolving *t, enum form form, enum ml_scope scope, const void *fields,
                     const double *values)
{
    struct ml_keys keys;
    const struct map above = t->at;
    t->at = (struct map){form, above.indent + (form == ELEMENT ? 4 : 2), 0, fields, values};
    ml_schema_keys(scope, NULL, NULL, &keys);
    for (int i = 0; i < keys.n; i++)
        put_row(t, &keys.row[i]);
    t->at = above;
}

char *ml_resolve(const struct ml_study_spec *spec, const double *const *settings,
                 double renormalise)
{
    struct ml_yaml_writer w = {0};
    double *derived = ml_pool_take(spec->pool, (size_t)spec->n_value, sizeof *derived);
    struct resolving t = {&w, spec, derived, settings, {.indent = -2}};
    if (!derived)
        return NULL;
    memcpy(derived, spec->base, (size_t)spec->n_value * sizeof *derived);
    if (spec->system->derive)
        spec->system->derive(&spec->dims, derived);
    put_rows(&t, BLOCK, ML_SCOPE_STUDY, spec, NULL);
    put_derived(&w, renormalise);
    char *resolved = w.is_short ? NULL : ml_pool_text(spec->pool, w.text, w.used);
    free(w.text);
    return resolved;
}
