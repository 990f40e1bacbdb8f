/* Writes the canonical text of a study: every key, with derived values. */
#include "config/resolve.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config/expand.h"
#include "config/native.h"
#include "config/schema.h"
#include "config/yaml_writer.h"
#include "manylink/version.h"
#include "simd/layout.h"
#include "yaml/number.h"

static const char *word(enum ml_scope scope, const struct ml_system *system, const char *name,
                        int value)
{
    struct ml_keys keys;
    ml_schema_keys(scope, system, NULL, &keys);
    return ml_words_of(&ml_keys_find(&keys, name)->words, value);
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
    ml_put(w, "}\n");
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
    }
}

static void put_system(struct ml_yaml_writer *w, const struct ml_study_spec *spec,
                       const double *derived)
{
    const struct ml_system *system = spec->system;
    const struct ml_dims *dims = &spec->dims;
    ml_put(w, "system:\n  type: %s\n", system->name);
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

static void put_initial(struct ml_yaml_writer *w, const struct ml_study_spec *spec,
                        const double *derived)
{
    const struct ml_system *system = spec->system;
    int n = spec->dims.n;
    ml_put(w, "initial:\n");
    for (int q = 0; q < system->n_state; q++) {
        const double *values = spec->base + ml_slot_initial(system, n, q, 0);
        ml_put(w, "  %s: ", system->state[q].name);
        if (ml_dim_is_named(system->state[q].dim[0])) {
            put_by_name(w, spec, values);
        } else {
            ml_put_number(w, values[0]);
            ml_put(w, "\n");
        }
    }
    ml_put_params(w, "  ", ML_AT_START, system->params, system->n_param, spec->base, derived);
}

static void put_integrator(struct ml_yaml_writer *w, const struct ml_study_spec *spec)
{
    const struct ml_control *control = &spec->control;
    const struct {
        const char *name;
        double value;
    } numbers[] = {{"relative", control->relative},
                   {"absolute", control->absolute},
                   {"first_step", spec->first_step},
                   {"step_max", control->step_max},
                   {"max_steps", control->most_steps}};
    if (!spec->is_adaptive && !spec->dims.is_compensated) {
        ml_put(w, "integrator: %s\n", ml_study_spec_method(spec)->name);
        return;
    }
    ml_put(w, "integrator:\n  type: %s\n", ml_study_spec_method(spec)->name);
    if (spec->dims.is_compensated)
        ml_put(w, "  summation: %s\n", word(ML_SCOPE_INTEGRATOR, NULL, "summation", 1));
    for (size_t i = 0; spec->is_adaptive && i < sizeof numbers / sizeof *numbers; i++) {
        if (numbers[i].value == 0.0 || isinf(numbers[i].value))
            continue;
        ml_put(w, "  %s: ", numbers[i].name);
        ml_put_number(w, numbers[i].value);
        ml_put(w, "\n");
    }
}

/* Without what follows in each run from what is swept. */
static void put_time(struct ml_yaml_writer *w, const struct ml_study_spec *spec)
{
    const struct {
        const char *name;
        double value;
        bool is_left_out;
    } times[] = {{"start", spec->start, false},
                 {spec->is_adaptive ? "tick" : "step", spec->step, spec->clock == ML_CLOCK_END},
                 {"end", spec->end, spec->clock == ML_CLOCK_STEP}};
    ml_put(w, "time:\n");
    for (int i = 0; i < 3; i++) {
        if (times[i].is_left_out)
            continue;
        ml_put(w, "  %s: ", times[i].name);
        ml_put_number(w, times[i].value);
        ml_put(w, "\n");
    }
    if (spec->clock != ML_CLOCK_COMMON && !spec->is_adaptive)
        ml_put(w, "  steps: %lld\n", (long long)spec->n_step);
}

static void put_run(struct ml_yaml_writer *w, const struct ml_study_spec *spec)
{
    if (spec->n_step > 0)
        put_time(w, spec);
    put_integrator(w, spec);
    if (spec->system->terms)
        ml_put(w, "solver: %s\n", word(ML_SCOPE_STUDY, NULL, "solver", (int)spec->dims.solver));
}

static void put_posture(struct ml_yaml_writer *w, const struct ml_study_spec *spec,
                        const char *name, const double *values)
{
    bool is_point = spec->motion.type == ML_HAND_PATH;
    ml_put(w, is_point ? "  %s: [" : "  %s: {angle: {", name);
    for (int i = 0; i < (is_point ? 2 : spec->dims.n); i++) {
        ml_put(w, "%s%s%s", i ? ", " : "", is_point ? "" : spec->segment_names[i],
               is_point ? "" : ": ");
        ml_put_number(w, values[i]);
    }
    ml_put(w, is_point ? "]\n" : "}}\n");
}

static void put_motion(struct ml_yaml_writer *w, const struct ml_study_spec *spec)
{
    const struct ml_motion_spec *plan = &spec->motion;
    if (plan->type == ML_NO_MOTION)
        return;
    ml_put(w, "motion:\n  type: %s\n", ml_motion_word(plan->type));
    put_posture(w, spec, "start", plan->start);
    put_posture(w, spec, "end", plan->end);
    ml_put(w, "  duration: ");
    ml_put_number(w, plan->duration);
    ml_put(w, "\n  onset: ");
    ml_put_number(w, plan->onset);
    ml_put(w, "\n");
    if (plan->type == ML_HAND_PATH)
        ml_put(w, "  elbow: %s\n", word(ML_SCOPE_MOTION, NULL, "elbow", (int)plan->elbow));
}

static void put_inverse(struct ml_yaml_writer *w, const struct ml_study_spec *spec)
{
    const struct ml_smoothing *smoothing = &spec->smoothing;
    if (smoothing->order > 0) {
        ml_put(w, "inverse:\n  filter:\n    type: butterworth\n    order: %d\n    cutoff: ",
               smoothing->order);
        ml_put_number(w, smoothing->cutoff);
        ml_put(w, "\n");
    }
    if (smoothing->is_validated)
        ml_put(w, "inverse:\n  spline:\n    smoothing: gcv\n");
}

static void put_range(struct ml_yaml_writer *w, const char *indent, const struct ml_swept *swept,
                      bool is_log)
{
    ml_put(w, "%sfrom: ", indent);
    ml_put_number(w, swept->low);
    ml_put(w, "\n%sto: ", indent);
    ml_put_number(w, swept->high);
    ml_put(w, "\n%sscale: %s\n", indent, word(ML_SCOPE_OVER, NULL, "scale", is_log));
}

static void put_values(struct ml_yaml_writer *w, const char *indent, const struct ml_axis *axis)
{
    const bool is_each = axis->kind == ML_AXIS_EACH;
    ml_put(w, "%svalues: [", indent);
    for (int64_t k = 0; k < axis->count; k++) {
        ml_put(w, "%s%s", k ? ", " : "", is_each ? "[" : "");
        for (int i = 0; i < (is_each ? axis->n_swept : 1); i++) {
            ml_put(w, "%s", i ? ", " : "");
            ml_put_number(w, axis->swept[i].values[k]);
        }
        ml_put(w, "%s", is_each ? "]" : "");
    }
    ml_put(w, "]\n");
}

/* "- set: a", or of several keys "- set: [a, b]". */
static void put_set(struct ml_yaml_writer *w, const char *indent, const struct ml_swept *swept,
                    int n)
{
    ml_put(w, "%s- set: %s", indent, n > 1 ? "[" : "");
    for (int i = 0; i < n; i++)
        ml_put(w, "%s%s", i ? ", " : "", swept[i].path);
    ml_put(w, n > 1 ? "]\n" : "\n");
}

static void put_axis(struct ml_yaml_writer *w, const struct ml_axis *axis)
{
    const bool is_factor = axis->kind == ML_AXIS_FACTOR;
    const char *indent = is_factor ? "      " : "    ";
    put_set(w, "  ", axis->swept, axis->n_swept);
    if (axis->n_swept > 1 || is_factor || strcmp(axis->name, axis->swept->path) != 0)
        ml_put(w, "    name: %s\n", axis->name);
    if (is_factor)
        ml_put(w, "    scale_by:\n");
    if (axis->is_range) {
        put_range(w, indent, axis->swept, axis->is_log);
        ml_put(w, "%scount: %lld\n", indent, (long long)axis->count);
    } else {
        put_values(w, indent, axis);
    }
    if (axis->going_on != ML_APART)
        ml_put(w, "    continue: %s\n", word(ML_SCOPE_AXIS, NULL, "continue", (int)axis->going_on));
}

/* Keys of one range of a sample, from key i on. */
static int keys_of_range(const struct ml_axis *axis, int i)
{
    int n = 1;
    while (i + n < axis->n_swept && axis->swept[i + n].dimension == axis->swept[i].dimension)
        n++;
    return n;
}

static void put_sample(struct ml_yaml_writer *w, const struct ml_study_spec *spec)
{
    const struct ml_axis *axis = spec->axes;
    ml_put(w, "sample:\n  method: %s\n  count: %lld\n  seed: %llu\n  over:\n",
           word(ML_SCOPE_SAMPLE, NULL, "method", (int)spec->sampling), (long long)axis->count,
           (unsigned long long)spec->seed);
    for (int i = 0, n; i < axis->n_swept; i += n) {
        const struct ml_swept *swept = &axis->swept[i];
        n = keys_of_range(axis, i);
        put_set(w, "    ", swept, n);
        if (swept->is_factor)
            ml_put(w, "      scale_by:\n");
        put_range(w, swept->is_factor ? "        " : "      ", swept, swept->is_log);
    }
}

static void put_points(struct ml_yaml_writer *w, const struct ml_study_spec *spec)
{
    if (spec->sampling != ML_GRID) {
        put_sample(w, spec);
        return;
    }
    ml_put(w, spec->n_axis ? "sweep:\n" : "sweep: []\n");
    for (int i = 0; i < spec->n_axis; i++)
        if (!ml_axis_is_way(&spec->axes[i]))
            put_axis(w, &spec->axes[i]);
}

static void put_runs(struct ml_yaml_writer *w, const struct ml_saving *saving)
{
    struct ml_keys keys;
    ml_schema_keys(ML_SCOPE_RUNS, NULL, NULL, &keys);
    bool has_first = (double)saving->run_first < ml_keys_find(&keys, "first")->param.default_value;
    ml_put(w, "    runs: {every: %lld", (long long)saving->run_every);
    if (has_first)
        ml_put(w, ", first: %lld", (long long)saving->run_first);
    ml_put(w, "}\n");
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

static void put_analyse(struct ml_yaml_writer *w, const struct ml_study_spec *spec,
                        const double *const *settings)
{
    ml_put(w, "analyse:\n  every: %lld\n", (long long)spec->observe_every);
    for (int i = 0; spec->registry->indicators[i]; i++)
        if (settings[i])
            put_settings(w, spec, spec->registry->indicators[i], settings[i]);
}

/* One number of an event; what is the default is left out. */
static void put_event_number(struct ml_yaml_writer *w, const char *name, double value,
                             double default_value)
{
    if (value == default_value)
        return;
    ml_put(w, "    %s: ", name);
    ml_put_number(w, value);
    ml_put(w, "\n");
}

static void put_looked(struct ml_yaml_writer *w, const struct ml_event *event,
                       const struct ml_event_numbers *numbers)
{
    static const char *const directions[] = {"down", "either", "up"};
    static const char *const kinds[] = {"maximum", "either", "minimum"};
    const double never = (double)NAN;
    if (event->kind == ML_CROSSING) {
        ml_put(w, "    when: %s\n", event->looked);
        put_event_number(w, "crosses", numbers->level, never);
        put_event_number(w, "every", numbers->every, 0.0);
        ml_put(w, "    direction: %s\n", directions[event->direction + 1]);
    } else if (event->kind == ML_EXTREME) {
        ml_put(w, "    of: %s\n    kind: %s\n", event->looked, kinds[event->direction + 1]);
    } else {
        put_event_number(w, "period", numbers->period, never);
        put_event_number(w, "phase", numbers->phase, never);
    }
}

static void put_events(struct ml_yaml_writer *w, const struct ml_study_spec *spec)
{
    if (spec->n_event > 0)
        ml_put(w, "events:\n");
    for (int i = 0; i < spec->n_event; i++) {
        const struct ml_event *event = &spec->events[i];
        const struct ml_event_numbers numbers = ml_event_of_run(event, spec->base, 1);
        ml_put(w, "  - name: %s\n", event->name);
        put_looked(w, event, &numbers);
        put_event_number(w, "from", numbers.from, (double)-INFINITY);
        put_event_number(w, "least", numbers.least, 0.0);
        put_event_number(w, "attractors", event->attractors, 0.0);
        if (event->aligns)
            ml_put(w, "    align: true\n");
        put_event_number(w, "graded", event->graded, 0.0);
        if (event->stops)
            ml_put(w, "    stop: true\n");
        ml_put(w, "    max: %lld\n", (long long)event->most);
        for (int k = 0; k < event->n_keep; k++)
            ml_put(w, "%s%s", k ? ", " : "    keep: [", event->keep[k].name);
        if (event->n_keep > 0)
            ml_put(w, "]\n");
    }
}

/* What the summary has without being asked for, unless that is all there is. */
static void put_summary(struct ml_yaml_writer *w, const struct ml_study_spec *spec)
{
    const char *separator = "";
    if (spec->left_out == 0)
        return;
    if (~spec->left_out == 0) {
        ml_put(w, "  summary: " ML_SUMMARY_NONE "\n");
        return;
    }
    ml_put(w, "  summary: [");
    for (int i = 0; spec->registry->indicators[i]; i++) {
        if (spec->left_out >> i & 1)
            continue;
        ml_put(w, "%s%s", separator, spec->registry->indicators[i]->name);
        separator = ", ";
    }
    ml_put(w, "]\n");
}

static void put_save(struct ml_yaml_writer *w, const struct ml_study_spec *spec)
{
    const struct ml_system *system = spec->system;
    const struct ml_saving *saving = &spec->saving;
    const char *separator = "";
    if (saving->every == 0 && spec->left_out == 0) {
        ml_put(w, "save: {}\n");
        return;
    }
    ml_put(w, "save:\n");
    put_summary(w, spec);
    if (saving->every == 0)
        return;
    ml_put(w, "  trajectory:\n    every: %lld\n    quantities: [", (long long)saving->every);
    for (int i = 0; i < system->n_record; i++) {
        if (!(saving->records >> i & 1))
            continue;
        ml_put(w, "%s%s", separator, system->records[i].name);
        separator = ", ";
    }
    ml_put(w, "]\n");
    put_runs(w, saving);
}

static void put_show(struct ml_yaml_writer *w, const struct ml_study_spec *spec)
{
    if (!spec->show)
        return;
    ml_put(w, "show: ");
    ml_put_text(w, spec->show);
    ml_put(w, "\n");
}

static void put_accuracy(struct ml_yaml_writer *w, const struct ml_study_spec *spec)
{
    if (spec->accuracy > 0)
        ml_put(w, "accuracy: %lld\n", (long long)spec->accuracy);
    else if (spec->accuracy < 0)
        ml_put(w, "accuracy: off\n");
}

/* Last: what the study does not say by itself. */
static void resolve_put_derived(struct ml_yaml_writer *w, double renormalise)
{
    if (renormalise == 0.0)
        return;
    ml_put(w, ML_DERIVED_LINE "  renormalise: ");
    ml_put_number(w, renormalise);
    ml_put(w, " # (derived: from how tangent vectors grew in the first steps of some runs)\n");
}

/* The measurements, events and records of an integrated study. */
static void put_observed(struct ml_yaml_writer *w, const struct ml_study_spec *spec,
                         const double *const *settings)
{
    if (spec->n_step == 0)
        return;
    put_analyse(w, spec, settings);
    put_events(w, spec);
    put_save(w, spec);
}

char *ml_resolve(const struct ml_study_spec *spec, const double *const *settings,
                 double renormalise)
{
    struct ml_yaml_writer w = {0};
    double *derived = ml_pool_take(spec->pool, (size_t)spec->n_value, sizeof *derived);
    if (!derived)
        return NULL;
    memcpy(derived, spec->base, (size_t)spec->n_value * sizeof *derived);
    if (spec->system->derive)
        spec->system->derive(&spec->dims, derived);
    ml_put(&w, "manylink: %d\ntitle: ", ML_FORMAT);
    ml_put_text(&w, spec->title);
    ml_put(&w, "\n");
    put_system(&w, spec, derived);
    ml_put_forces(&w, spec, derived);
    put_initial(&w, spec, derived);
    put_run(&w, spec);
    put_motion(&w, spec);
    put_inverse(&w, spec);
    put_points(&w, spec);
    put_observed(&w, spec, settings);
    put_show(&w, spec);
    put_accuracy(&w, spec);
    resolve_put_derived(&w, renormalise);
    char *resolved = w.is_short ? NULL : ml_pool_text(spec->pool, w.text, w.used);
    free(w.text);
    return resolved;
}
