#include "study/resolve.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "manylink/version.h"
#include "simd/layout.h"
#include "study/expand.h"
#include "study/number.h"
#include "study/schema.h"
#include "study/text.h"

struct writer {
    char *text;
    size_t used, size;
    bool is_short;      /* of memory */
    const char *source; /* what numbers are derived from, if not as their doc says; else NULL */
};

__attribute__((format(printf, 2, 3))) static void put(struct writer *w, const char *format, ...)
{
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int length = vsnprintf(NULL, 0, format, again);
    va_end(again);
    if (w->used + (size_t)length + 1 > w->size) {
        size_t size = 2 * (w->size + (size_t)length + 1);
        char *text = realloc(w->text, size);
        w->is_short |= !text;
        w->text = text ? text : w->text;
        w->size = text ? size : w->size;
    }
    if (!w->is_short) {
        (void)vsnprintf(w->text + w->used, w->size - w->used, format, args);
        w->used += (size_t)length;
    }
    va_end(args);
}

static void put_number(struct writer *w, double value)
{
    char text[ML_NUMBER_TEXT];
    put(w, "%s", ml_number_text(value, text));
}

/* Double-quoted, everything that is not printable escaped. */
static void put_text(struct writer *w, const char *text)
{
    uint32_t code = 0;
    size_t left = strlen(text), n = 0;
    put(w, "\"");
    for (; left > 0; text += n, left -= n) {
        n = ml_text_decode(text, left, &code);
        n = n > 0 ? n : 1;
        bool is_break = code < ' ' || code == 0x85 || code == 0x2028 || code == 0x2029;
        if (code == '"' || code == '\\')
            put(w, "\\%c", (char)code);
        else if (is_break || !ml_text_is_printable(code))
            put(w, "\\U%08X", (unsigned)code);
        else
            put(w, "%.*s", (int)n, text);
    }
    put(w, "\"");
}

static const char *word(enum ml_scope scope, const struct ml_system *system, const char *name,
                        int i)
{
    struct ml_keys keys;
    const char *doc = NULL;
    ml_schema_keys(scope, system, NULL, &keys);
    const struct ml_words *words = &ml_keys_find(&keys, name)->words;
    return words->at(words->owner, i, &doc);
}

/* "# com: 0.5 (derived: length/2)": how it is derived is what the doc says in "(default: ...)". */
static void put_derived(struct writer *w, const char *indent, const struct ml_param *param,
                        double value)
{
    static const char *const mark = "(default: ";
    const char *how = strstr(param->doc, mark), *end = strrchr(param->doc, ')');
    if (isnan(value))
        put(w, "%s# %s: none", indent, param->name);
    else
        put(w, "%s# %s: ", indent, param->name);
    if (!isnan(value))
        put_number(w, value);
    if (w->source && !isnan(value))
        put(w, " (derived: %s)\n", w->source);
    else if (how && end > how && !isnan(value))
        put(w, " (derived: %.*s)\n", (int)(end - how - (ptrdiff_t)strlen(mark)),
            how + strlen(mark));
    else
        put(w, isnan(value) ? "\n" : " (derived)\n");
}

static int find_param(const struct ml_param *params, int n, const char *name, char component)
{
    size_t length = strlen(name);
    for (int i = 0; i < n; i++)
        if (strncmp(params[i].name, name, length) == 0 && params[i].name[length] == '.' &&
            params[i].name[length + 1] == component)
            return i;
    return -1;
}

enum place { OF_OWNER, OF_START };

/* Number i of a map; one that has components given is written as a vector. */
static void put_param(struct writer *w, const char *indent, const struct ml_param *params, int n,
                      int i, const double *given, const double *derived)
{
    int x = find_param(params, n, params[i].name, 'x');
    int y = find_param(params, n, params[i].name, 'y');
    bool is_component = strchr(params[i].name, '.') != NULL;
    bool is_vector = x >= 0 && y >= 0 && !isnan(given[x]) && !isnan(given[y]);
    if (is_vector) {
        put(w, "%s%s: [", indent, params[i].name);
        put_number(w, given[x]);
        put(w, ", ");
        put_number(w, given[y]);
        put(w, "]\n");
    } else if (is_component && isnan(derived[i])) {
        return; /* of a vector that is not there */
    } else if (isnan(given[i])) {
        put_derived(w, indent, &params[i], derived[i]);
    } else if (!is_component) {
        put(w, "%s%s: ", indent, params[i].name);
        put_number(w, given[i]);
        put(w, "\n");
    }
}

/* Every number of a map but those of groups. */
static void put_params(struct writer *w, const char *indent, enum place place,
                       const struct ml_param *params, int n, const double *given,
                       const double *derived)
{
    for (int i = 0; i < n; i++)
        if (!params[i].group && ml_param_is_of_start(&params[i]) == (place == OF_START))
            put_param(w, indent, params, n, i, given, derived);
}

static bool is_same_group(const struct ml_param *a, const struct ml_param *b)
{
    return a->group && b->group ? strcmp(a->group, b->group) == 0 : a->group == b->group;
}

/* What a body has besides numbers. */
static void put_parts(struct writer *w, const struct ml_study *study)
{
    const struct ml_shape *shape = &study->ensemble.shape;
    put(w, "    segments: [");
    for (int i = 0; i < shape->n; i++)
        put(w, "%s%s", i ? ", " : "", study->ensemble.system->parts[shape->part[i]]);
    put(w, "]\n");
}

/* Words of a map: those of a group, or those of none. */
static void put_choices(struct writer *w, const char *indent, const struct ml_study *study,
                        const char *group)
{
    const struct ml_system *system = study->ensemble.system;
    for (int i = 0; i < system->n_choice; i++) {
        const struct ml_choice *choice = &system->choices[i];
        if (group && choice->group ? strcmp(choice->group, group) == 0 : group == choice->group)
            put(w, "%s%s: %s\n", indent, choice->name,
                choice->values[study->ensemble.shape.choice[i]]);
    }
}

/* The maps of groups of which some number is given. */
static void put_groups(struct writer *w, const struct ml_study *study, const double *derived)
{
    const struct ml_param *params = study->ensemble.system->params;
    const int n = study->ensemble.system->n_param;
    for (int first = 0, end; first < n; first = end) {
        const char *group = params[first].group;
        bool is_given = false;
        for (end = first; end < n && is_same_group(&params[end], &params[first]); end++)
            is_given |= !isnan(study->base[end]);
        if (!group || !is_given)
            continue;
        put(w, "  %s:\n", group);
        for (int i = first; i < end; i++)
            put_param(w, "    ", params, n, i, study->base, derived);
        put_choices(w, "    ", study, group);
        if (study->ensemble.shape.part && strcmp(group, ML_BODY) == 0)
            put_parts(w, study);
    }
}

/* A number for each segment or degree of freedom. */
static void put_by_name(struct writer *w, const struct ml_study *study, const double *values)
{
    put(w, "{");
    for (int i = 0; i < study->ensemble.shape.n; i++) {
        put(w, "%s%s: ", i ? ", " : "", study->segment_names[i]);
        put_number(w, values[i]);
    }
    put(w, "}\n");
}

/* The file is part of what was computed: another one makes another study. */
static void put_plugin(struct writer *w, const struct ml_study *study)
{
    put(w, "  file: ");
    put_text(w, study->plugin_path);
    put(w, "\n  # %s: XXH3 (64 bits) of the file %016llx\n", study->plugin.plugin->name,
        (unsigned long long)study->plugin.checksum);
}

/* Matrices as rows, whatever form they were given in. */
static void put_matrix(struct writer *w, const struct ml_param *array, int n, const double *values)
{
    bool is_symmetric = array->flags & ML_SYMMETRIC;
    put(w, "  %s:\n", array->name);
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            put(w, j ? ", " : "    - [");
            put_number(w, values[!is_symmetric ? i * n + j : i > j ? ml_tri(i, j) : ml_tri(j, i)]);
        }
        put(w, "]\n");
    }
}

static void put_arrays(struct writer *w, const struct ml_study *study)
{
    const struct ml_system *system = study->ensemble.system;
    const int n = study->ensemble.shape.n;
    put(w, "  names: [");
    for (int i = 0; i < n; i++)
        put(w, "%s%s", i ? ", " : "", study->segment_names[i]);
    put(w, "]\n");
    for (int a = 0; a < system->n_array; a++) {
        const double *values = study->base + ml_slot_param(ml_expand_first(system, a, n));
        if (system->arrays[a].flags & ML_MATRIX) {
            put_matrix(w, &system->arrays[a], n, values);
            continue;
        }
        put(w, "  %s: ", system->arrays[a].name);
        put_by_name(w, study, values);
    }
}

static void put_system(struct writer *w, const struct ml_study *study, const double *derived)
{
    const struct ml_system *system = study->ensemble.system;
    const struct ml_shape *shape = &study->ensemble.shape;
    put(w, "system:\n  type: %s\n", system->name);
    if (system->is_from_file)
        put_plugin(w, study);
    put_choices(w, "  ", study, NULL);
    if (system->arrays) {
        put_arrays(w, study);
        return;
    }
    put_params(w, "  ", OF_OWNER, system->params, system->n_param, study->base, derived);
    put_groups(w, study, derived);
    if (system->segment_params)
        put(w, "  segments:\n");
    w->source = shape->part ? ML_BODY : NULL;
    for (int i = 0; system->segment_params && i < shape->n; i++) {
        int slot = ml_slot_segment(system, i, 0);
        put(w, "    - name: %s\n", study->segment_names[i]);
        put_params(w, "      ", OF_OWNER, system->segment_params, system->n_segment_param,
                   study->base + slot, derived + slot);
    }
    w->source = NULL;
}

static void put_forces(struct writer *w, const struct ml_study *study, const double *derived)
{
    put(w, study->ensemble.n_force ? "forces:\n" : "forces: []\n");
    for (int i = 0; i < study->ensemble.n_force; i++) {
        const struct ml_force_use *use = &study->forces[i];
        put(w, "  - name: %s\n    type: %s\n", use->name, use->type->name);
        if (use->type->places & ML_AT_JOINT)
            put(w, "    joint: %s\n", study->segment_names[use->joint]);
        if (use->type->places & (ML_AT_SEGMENT | ML_OF_SEGMENT))
            put(w, "    segment: %s\n", study->segment_names[use->segment]);
        put_params(w, "    ", OF_OWNER, use->type->params, use->type->n_param,
                   study->base + use->slot, derived + use->slot);
    }
}

static void put_initial(struct writer *w, const struct ml_study *study, const double *derived)
{
    const struct ml_system *system = study->ensemble.system;
    int n = study->ensemble.shape.n;
    put(w, "initial:\n");
    for (int q = 0; q < system->n_state; q++) {
        const double *values = study->base + ml_slot_initial(system, n, q, 0);
        put(w, "  %s: ", system->state[q].name);
        if (ml_dim_is_named(system->state[q].dim[0])) {
            put_by_name(w, study, values);
        } else {
            put_number(w, values[0]);
            put(w, "\n");
        }
    }
    put_params(w, "  ", OF_START, system->params, system->n_param, study->base, derived);
}

static void put_run(struct writer *w, const struct ml_study *study)
{
    const struct ml_ensemble *e = &study->ensemble;
    const struct {
        const char *name;
        double value;
    } times[] = {{"start", e->start}, {"step", e->step}, {"end", study->end}};
    put(w, "time:\n");
    for (int i = 0; i < 3; i++) {
        put(w, "  %s: ", times[i].name);
        put_number(w, times[i].value);
        put(w, "\n");
    }
    put(w, "integrator: %s\n", e->kernels->integrators[e->i_integrator]->name);
    if (e->system->terms)
        put(w, "solver: %s\n",
            word(ML_SCOPE_STUDY, NULL, "solver", 1 + (int)e->shape.solver)); /* after `auto` */
}

static void put_posture(struct writer *w, const struct ml_study *study, const char *name,
                        const double *values)
{
    bool is_point = study->planned.type == ML_HAND_PATH;
    put(w, is_point ? "  %s: [" : "  %s: {angle: {", name);
    for (int i = 0; i < (is_point ? 2 : study->ensemble.shape.n); i++) {
        put(w, "%s%s%s", i ? ", " : "", is_point ? "" : study->segment_names[i],
            is_point ? "" : ": ");
        put_number(w, values[i]);
    }
    put(w, is_point ? "]\n" : "}}\n");
}

static void put_motion(struct writer *w, const struct ml_study *study)
{
    const struct ml_planned *plan = &study->planned;
    if (plan->type == ML_NOT_PLANNED)
        return;
    put(w, "motion:\n  type: %s\n", ml_planned_word(plan->type));
    put_posture(w, study, "start", plan->start);
    put_posture(w, study, "end", plan->end);
    put(w, "  duration: ");
    put_number(w, plan->duration);
    put(w, "\n  onset: ");
    put_number(w, plan->onset);
    put(w, "\n");
    if (plan->type == ML_HAND_PATH)
        put(w, "  elbow: %s\n", word(ML_SCOPE_MOTION, NULL, "elbow", plan->elbow < 0.0));
}

static void put_range(struct writer *w, const char *indent, const struct ml_swept *swept,
                      bool is_log)
{
    put(w, "%sfrom: ", indent);
    put_number(w, swept->low);
    put(w, "\n%sto: ", indent);
    put_number(w, swept->high);
    put(w, "\n%sscale: %s\n", indent, word(ML_SCOPE_OVER, NULL, "scale", is_log));
}

static void put_values(struct writer *w, const struct ml_axis *axis)
{
    put(w, "    values: [");
    for (int64_t k = 0; k < axis->count; k++) {
        put(w, "%s%s", k ? ", " : "", axis->n_swept > 1 ? "[" : "");
        for (int i = 0; i < axis->n_swept; i++) {
            put(w, "%s", i ? ", " : "");
            put_number(w, axis->swept[i].values[k]);
        }
        put(w, "%s", axis->n_swept > 1 ? "]" : "");
    }
    put(w, "]\n");
}

static void put_axis(struct writer *w, const struct ml_axis *axis)
{
    bool is_list = axis->n_swept > 1;
    put(w, "  - set: %s", is_list ? "[" : "");
    for (int i = 0; i < axis->n_swept; i++)
        put(w, "%s%s", i ? ", " : "", axis->swept[i].path);
    put(w, is_list ? "]\n" : "\n");
    if (is_list || strcmp(axis->name, axis->swept->path) != 0)
        put(w, "    name: %s\n", axis->name);
    if (axis->is_range) {
        put_range(w, "    ", axis->swept, axis->is_log);
        put(w, "    count: %lld\n", (long long)axis->count);
    } else {
        put_values(w, axis);
    }
}

static void put_sample(struct writer *w, const struct ml_study *study)
{
    const struct ml_axis *axis = study->axes;
    put(w, "sample:\n  method: %s\n  count: %lld\n  seed: %llu\n  over:\n",
        word(ML_SCOPE_SAMPLE, NULL, "method", (int)study->sampling - 1), (long long)axis->count,
        (unsigned long long)study->seed);
    for (int i = 0; i < axis->n_swept; i++) {
        put(w, "    - set: %s\n", axis->swept[i].path);
        put_range(w, "      ", &axis->swept[i], axis->swept[i].is_log);
    }
}

static void put_points(struct writer *w, const struct ml_study *study)
{
    if (study->sampling != ML_GRID) {
        put_sample(w, study);
        return;
    }
    put(w, study->n_axis ? "sweep:\n" : "sweep: []\n");
    for (int i = 0; i < study->n_axis; i++)
        put_axis(w, &study->axes[i]);
}

static void put_runs(struct writer *w, const struct ml_saving *saving)
{
    struct ml_keys keys;
    ml_schema_keys(ML_SCOPE_RUNS, NULL, NULL, &keys);
    bool has_first = (double)saving->run_first < ml_keys_find(&keys, "first")->param.preset;
    put(w, "    runs: {every: %lld", (long long)saving->run_every);
    if (has_first)
        put(w, ", first: %lld", (long long)saving->run_first);
    put(w, "}\n");
}

static void put_to(struct writer *w, const struct ml_study *study)
{
    const struct ml_ensemble *e = &study->ensemble;
    for (int i = 0; i < e->n_differentiated; i++)
        put(w, "%s%s", i ? ", " : "    of: [", e->kernels->indicators[e->differentiated[i]]->name);
    if (e->saving.records >> e->system->n_record & 1)
        put(w, "%s" ML_OF_TRAJECTORY, e->n_differentiated > 0 ? ", " : "    of: [");
    put(w, "]\n    to: [");
    for (int i = 0; i < study->ensemble.shape.n_parameter; i++)
        put(w, "%s%s", i ? ", " : "", study->parameter_names[i]);
    put(w, "]\n");
}

/* Settings of an indicator; in groups where they belong to one. */
static void put_settings(struct writer *w, const struct ml_study *study,
                         const struct ml_indicator *indicator, const double *settings)
{
    const char *group = NULL;
    put(w, "  %s:\n", indicator->name);
    if (indicator->takes_parameters)
        put_to(w, study);
    for (int i = 0; i < indicator->n_param; i++) {
        const struct ml_param *param = &indicator->params[i];
        bool is_all = param->flags & ML_OR_ALL && isnan(settings[i]);
        if (isnan(settings[i]) && !is_all)
            continue;
        if (param->group && param->group != group)
            put(w, "    %s:\n", param->group);
        group = param->group;
        put(w, "    %s%s: ", group ? "  " : "", param->name);
        if (is_all)
            put(w, "all");
        else
            put_number(w, settings[i]);
        put(w, "\n");
    }
}

static void put_analyse(struct writer *w, const struct ml_study *study)
{
    const struct ml_ensemble *e = &study->ensemble;
    put(w, "analyse:\n  every: %lld\n", (long long)e->observe_every);
    for (int i = 0; e->kernels->indicators[i]; i++)
        if (e->settings[i])
            put_settings(w, study, e->kernels->indicators[i], e->settings[i]);
}

static void put_save(struct writer *w, const struct ml_study *study)
{
    const struct ml_system *system = study->ensemble.system;
    const struct ml_saving *saving = &study->ensemble.saving;
    const char *separator = "";
    if (saving->every == 0) {
        put(w, "save: {}\n");
        return;
    }
    put(w, "save:\n  trajectory:\n    every: %lld\n    quantities: [", (long long)saving->every);
    for (int i = 0; i < system->n_record; i++) {
        if (!(saving->records >> i & 1))
            continue;
        put(w, "%s%s", separator, system->records[i].name);
        separator = ", ";
    }
    put(w, "]\n");
    put_runs(w, saving);
}

char *ml_resolve(struct ml_study *study)
{
    const struct ml_ensemble *e = &study->ensemble;
    struct writer w = {0};
    double *derived = ml_pool_take(&study->pool, (size_t)e->n_value, sizeof *derived);
    if (!derived)
        return NULL;
    memcpy(derived, study->base, (size_t)e->n_value * sizeof *derived);
    if (e->system->derive)
        e->system->derive(&e->shape, derived);
    put(&w, "manylink: %d\ntitle: ", ML_FORMAT);
    put_text(&w, study->title);
    put(&w, "\n");
    put_system(&w, study, derived);
    put_forces(&w, study, derived);
    put_initial(&w, study, derived);
    put_run(&w, study);
    put_motion(&w, study);
    put_points(&w, study);
    put_analyse(&w, study);
    put_save(&w, study);
    char *resolved = w.is_short ? NULL : ml_pool_text(&study->pool, w.text, w.used);
    free(w.text);
    return resolved;
}
