/* Time steps, indicators and saved data of the runs of a study. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config/formulas/define.h"
#include "config/sections/sections.h"
#include "yaml/number.h"

static const double most_steps = (double)(INT64_C(1) << ML_STEP_BITS);
static const double step_error = 1e-9; /* relative, of the number of steps */

/* The round number next to `step` of which a whole number makes the span; 0: none is near.
 *   side  -1: at most the step; 1: at least */
static double round_step(double span, double step, int side)
{
    static const double digits[] = {1, 1.25, 1.5, 2, 2.5, 3, 4, 5, 6, 7.5, 8};
    double best = 0.0;
    for (int power = -1; power <= 1; power++)
        for (size_t i = 0; i < sizeof digits / sizeof *digits; i++) {
            const double decade = pow(10.0, floor(log10(step)) + power);
            const double candidate = digits[i] * decade, steps = span / candidate;
            const bool divides =
                steps >= 0.5 && fabs(steps - nearbyint(steps)) <= step_error * nearbyint(steps);
            if (divides && (candidate - step) * side >= 0.0 &&
                (best == 0.0 || fabs(candidate - step) < fabs(best - step)))
                best = candidate;
        }
    return best;
}

/* "0.0025 (4000 steps)", or ticks; fewer digits where these give the same number of them. */
static const char *step_text(struct ml_reader *r, const char *part, double span, double step)
{
    char number[ML_NUMBER_TEXT];
    (void)snprintf(number, sizeof number, "%.12g", step);
    const double steps = span / strtod(number, NULL);
    if (!(fabs(steps - nearbyint(steps)) <= 0.01 * step_error * steps))
        (void)ml_number_text(step, number);
    const char *text = ml_pool_format(r->pool, "%s (%.0f %s%s)", number, nearbyint(span / step),
                                      part, nearbyint(span / step) == 1.0 ? "" : "s");
    return text ? text : "";
}

/* "; or give `steps: 3` instead", the nearest. */
static const char *steps_text(struct ml_reader *r, double steps)
{
    const char *text = ml_pool_format(r->pool, "; or give `steps: %.0f` instead", nearbyint(steps));
    return text ? text : "";
}

/* Reports that `name`, a step or a tick, does not divide the time. */
static void report_steps(struct ml_reader *r, struct ml_location location, const char *name,
                         double steps)
{
    const double start = r->spec->time.start, step = r->spec->time.step,
                 span = r->spec->time.end - start;
    const char *part = strcmp(name, "tick") == 0 ? "tick" : "step";
    if (steps > most_steps) {
        ml_problem(&r->problems, location, "%s makes more than 2^%d %ss from start to end", name,
                   (int)ML_STEP_BITS, part);
        return;
    }
    if (floor(steps) < 1.0) {
        char number[ML_NUMBER_TEXT];
        ml_problem(&r->problems, location,
                   "%s is longer than the time from start to end, %s s; one that divides it is "
                   "%s",
                   name, ml_number_text(span, number), ml_number_text(span, number));
        return;
    }
    const double below = round_step(span, step, -1), above = round_step(span, step, 1);
    const double fewer = below > 0.0 ? below : span / ceil(steps);
    const double more = above > 0.0 ? above : span / floor(steps);
    ml_problem(&r->problems, location,
               "%s does not divide the time from start to end; these do: %s, %s; or end at %.12g%s",
               name, step_text(r, part, span, fewer), step_text(r, part, span, more),
               start + floor(steps) * step, strcmp(name, "step") == 0 ? steps_text(r, steps) : "");
}

/* Reports that a key is missing, unless an unknown key may stand for it. */
static void report_no_key(struct ml_reader *r, const struct ml_node *node, const char *name)
{
    bool is_known = true;
    const struct ml_keys keys = ml_schema_keys(r->pool, ML_SCOPE_TIME, NULL, NULL);
    for (const struct ml_node *child = node->first; child; child = child->next)
        is_known &= ml_keys_find(&keys, child->key) != NULL;
    if (is_known && !ml_node_find(node, name))
        ml_read_missing(r, node, ml_keys_find(&keys, name));
}

/* Makes spec->time.step the time between looks at a run, and says if it is the wrong key of the
 * three; false without a step. */
static bool choose_step(struct ml_reader *r, const struct ml_node *node)
{
    struct ml_study_spec *spec = r->spec;
    const bool is_adaptive = spec->time.is_adaptive, has_steps = spec->time.n_step > 0;
    const bool has_step = !isnan(spec->time.step) && ml_node_find(node, "step");
    const bool has_tick = !isnan(spec->time.step) && ml_node_find(node, "tick");
    const char *given = has_steps ? "steps" : "step";
    if (is_adaptive && (has_steps || has_step)) {
        ml_problem(&r->problems, ml_read_location(node, given),
                   "an integrator with a tolerance chooses its steps; give `tick`, the time "
                   "between observations of a run, instead of %s",
                   given);
        return false;
    }
    if (has_steps && has_step && ml_node_find(node, "end")) {
        ml_problem(&r->problems, ml_read_location(node, "steps"),
                   "`step` and this key determine each other; leave out either");
        return false;
    }
    if (!is_adaptive && has_tick) {
        ml_problem(&r->problems, ml_read_location(node, "tick"),
                   "tick is for an integrator with a tolerance, which chooses its steps between "
                   "ticks; give `step`, or integrator: {type: dopri54, tolerance: 1e-6}");
        return false;
    }
    if (isnan(spec->time.step) && (is_adaptive || has_steps))
        spec->time.step =
            (spec->time.end - spec->time.start) / (is_adaptive ? 100.0 : (double)spec->time.n_step);
    else if (isnan(spec->time.step) && !ml_node_find(node, "steps"))
        report_no_key(r, node, "step");
    return !isnan(spec->time.step);
}

/* Whether the keys are those of a study; the number of steps is set then.
 *   before  problems that were reported before the keys were read */
static bool read_times(struct ml_reader *r, const struct ml_node *node, int before)
{
    struct ml_study_spec *spec = r->spec;
    const bool has_steps = spec->time.n_step > 0;
    if (isnan(spec->time.end) && has_steps && !isnan(spec->time.step))
        spec->time.end = fma((double)spec->time.n_step, spec->time.step, spec->time.start);
    else if (isnan(spec->time.end))
        report_no_key(r, node, "end");
    if (!choose_step(r, node) || r->problems.count > before)
        return false;
    const char *name = spec->time.is_adaptive ? "tick" : has_steps ? "steps" : "step";
    const double span = spec->time.end - spec->time.start, steps = span / spec->time.step;
    const double rounded = nearbyint(steps);
    if (!(span > 0.0))
        ml_problem(&r->problems, ml_read_location(node, "end"), "end must be after start");
    else if (!(steps <= most_steps) || fabs(steps - rounded) > step_error * rounded)
        report_steps(r, ml_read_location(node, name), name, steps);
    spec->time.n_step = span > 0.0 && steps <= most_steps ? (int64_t)rounded : 0;
    return true;
}

/* Reads the time of a map, which counts iterations. */
static void read_iterations(struct ml_reader *r, const struct ml_node *node)
{
    struct ml_study_spec *spec = r->spec;
    if (!isnan(spec->time.step) && spec->time.step != 1.0)
        ml_problem(&r->problems,
                   ml_read_location(node, ml_node_find(node, "tick") ? "tick" : "step"),
                   "the time of a map counts iterations, and its step is 1; leave it out and give "
                   "`steps`");
    if (spec->time.n_step > 0 && isnan(spec->time.step) && !isnan(spec->time.end))
        ml_problem(&r->problems, ml_read_location(node, "steps"),
                   "the time of a map counts steps: `end` and `steps` determine each other; leave "
                   "out either");
    if (spec->time.start != nearbyint(spec->time.start))
        ml_problem(&r->problems, ml_read_location(node, "start"),
                   "start must be a whole number: the time of a map counts iterations");
    spec->time.step = 1.0;
}

void ml_read_time(struct ml_reader *r, const struct ml_node *node)
{
    struct ml_study_spec *spec = r->spec;
    const int before = r->problems.count;
    ml_read_scope(r, node, ML_SCOPE_TIME, spec);
    r->time = node;
    if (node && ml_study_spec_method(spec)->is_map)
        read_iterations(r, node);
    if (!node || !read_times(r, node, before)) {
        spec->time.start = spec->time.step = spec->time.end = 0.0;
        spec->time.n_step = 0;
    }
}

/* The numbers of each joint of params that have some: one for all, or those of a list or map, where
 * a joint that is not named has the default.
 *   out  [n_param][n] */
static void read_weights(struct ml_reader *r, const struct ml_node *map,
                         const struct ml_params *own, const double *settings, double *out)
{
    const int n = r->spec->model.n;
    for (int p = 0; p < own->n; p++) {
        const struct ml_param *row = &own->row[p];
        const struct ml_node *group = row->group ? ml_node_find(map, row->group) : map;
        const struct ml_node *node = ml_node_find(group, row->name);
        const bool is_one = !node || node->kind == ML_NODE_SCALAR;
        for (int i = 0; row->flags & ML_BY_JOINT && i < n; i++)
            if (is_one)
                ml_define_copy(r->define, &out[p * n + i], &settings[p], 1);
            else
                out[p * n + i] = row->default_value;
        if (row->flags & ML_BY_JOINT && !is_one)
            ml_read_by_segment(r, node, row, out + (long)p * n);
    }
}

/* Values of an indicator's params, behind them those of joints, then poles. */
static double *read_settings(struct ml_reader *r, const struct ml_node *node,
                             const struct ml_indicator *indicator)
{
    const struct ml_params own = ml_indicator_params(indicator);
    const size_t n_joint = r->has_segments ? (size_t)r->spec->model.n : 0;
    const size_t n_setting = (size_t)own.n * (1 + n_joint), n_pole = 2 * n_joint;
    double *settings = ml_pool_take(r->spec->pool, n_setting + 2 * n_pole + 1, sizeof *settings);
    if (!settings)
        return NULL;
    if (indicator->takes_observables) {
        ml_read_observe(r, node);
        return settings;
    }
    const struct ml_keys keys = ml_schema_keys(r->pool, ML_SCOPE_INDICATOR, NULL, &own);
    ml_read_map(r, node, &keys, NULL, settings);
    if (indicator->takes_parameters)
        ml_read_of(r, ml_node_find(node, "of"));
    if (indicator->takes_parameters && ml_node_find(node, "to"))
        ml_read_to(r, ml_node_find(node, "to"));
    ml_read_groups(r, node, &keys, NULL, settings);
    if (r->has_segments)
        read_weights(r, node, &own, settings, settings + own.n);
    if (r->has_segments && indicator->takes_poles && r->system->forces.joint_terms)
        ml_read_poles(r, ml_node_find(node, "poles"), ml_node_find(node, "sample_time"),
                      settings + n_setting);
    return settings;
}

void ml_read_analyse(struct ml_reader *r, const struct ml_node *node)
{
    struct ml_study_spec *spec = r->spec;
    size_t n = 0;
    bool integrates = false;
    while (spec->registry->indicators[n])
        n++;
    ml_read_scope(r, node, ML_SCOPE_ANALYSE, spec);
    r->analyse = node;
    if (spec->indicators.cut && r->system && !r->system->has_formulas)
        ml_problem(
            &r->problems, ml_node_find(node, "cut")->key_location,
            "loops of `%s` are cut at its controllers; leave `cut` out, which is for systems "
            "of type `equations`",
            r->system->name);
    r->settings = ml_pool_take(spec->pool, n, sizeof *r->settings);
    spec->indicators.settings = (const double *const *)r->settings;
    for (size_t i = 0; i < n && r->settings; i++) {
        const struct ml_indicator *indicator = spec->registry->indicators[i];
        const struct ml_node *own =
            indicator->is_on_request ? ml_node_find_kind(node, indicator->name, ML_NODE_MAP) : NULL;
        r->settings[i] = own ? read_settings(r, own, indicator) : NULL;
        integrates |= own && indicator->integrates;
    }
    if ((integrates || spec->time.is_adaptive) && !ml_node_find(node, "every"))
        spec->indicators.observe_every = 1;
}

/* Index of a quantity that can be recorded; -1 after telling. */
static int read_run_find_record(struct ml_reader *r, const struct ml_node *node)
{
    const char *name = ml_read_text(r, node, "a quantity", "the name of a quantity");
    if (!name)
        return -1;
    const char *near = "";
    const int i = ml_find_record(r, name, &near);
    if (i < 0)
        ml_problem(&r->problems, node->location, "quantity %s is not known; the nearest is `%s`",
                   ml_quote(r->pool, name), near);
    return i;
}

/* Marks the records that a list names.
 *   is_kept  [n_record] in and out */
static void read_records(struct ml_reader *r, const struct ml_node *node, bool *is_kept)
{
    if (node->n_child == 0)
        ml_problem(&r->problems, node->location, "quantities is empty; name one at least");
    for (const struct ml_node *child = node->first; child; child = child->next) {
        int i = read_run_find_record(r, child);
        if (i >= 0 && is_kept[i])
            ml_problem(&r->problems, child->location, "quantity `%s` is named twice", child->text);
        if (i >= 0)
            is_kept[i] = true;
        if (i >= 0 && ml_instance_rows(&r->spec->model, &r->system->tables.records[i]) == 0)
            ml_problem(&r->problems, child->location,
                       "`%s` has no numbers: the study has no contact among its forces",
                       r->system->tables.records[i].name);
    }
}

/* Marks the records that are also the state. */
static void mark_state(const struct ml_system *system, bool *is_kept)
{
    for (int i = 0; i < system->tables.n_record; i++)
        for (int j = 0; j < system->tables.n_state; j++)
            if (strcmp(system->tables.records[i].name, system->tables.state[j].name) == 0)
                is_kept[i] = true;
}

/* The records that trajectories keep.
 *   names  those that are given; NULL: the state */
static void read_kept(struct ml_reader *r, const struct ml_node *names)
{
    struct ml_saving *saving = &r->spec->saving;
    const int n = r->system->tables.n_record + 1; /* derivatives come after the system's own */
    int *records = ml_pool_take(r->spec->pool, (size_t)n, sizeof *records);
    bool *is_kept = ml_pool_take(r->pool, (size_t)n, sizeof *is_kept);
    if (!records || !is_kept)
        return;
    if (names)
        read_records(r, names, is_kept);
    else
        mark_state(r->system, is_kept);
    is_kept[n - 1] = r->along != NULL;
    saving->records = records;
    for (int q = 0; q < n; q++)
        if (is_kept[q])
            records[saving->n_record++] = q;
}

static void read_run_runs(struct ml_reader *r, const struct ml_node *node)
{
    bool is_all = node && node->kind == ML_NODE_SCALAR && strcmp(node->text, "all") == 0;
    bool is_map = node && node->kind == ML_NODE_MAP;
    if (node && !is_all && !is_map)
        ml_problem(&r->problems, node->location, "runs must be all, {every: k} or {first: k}");
    ml_read_scope(r, is_map ? node : NULL, ML_SCOPE_RUNS, r->spec);
}

/* Marks an indicator as wanted in the summary. */
static void read_wanted(struct ml_reader *r, const struct ml_node *node, bool *left_out)
{
    int i = -1;
    const struct ml_keys keys = ml_schema_keys(r->pool, ML_SCOPE_SAVE, NULL, NULL);
    if (!ml_read_one_word(r, node, ml_keys_find(&keys, "summary"), &i) || i < 0)
        return;
    if (!left_out[i])
        ml_problem(&r->problems, node->location, "`%s` is named twice", node->text);
    left_out[i] = false;
}

static void read_summary(struct ml_reader *r, const struct ml_node *node)
{
    int n = 0;
    while (r->spec->registry->indicators[n])
        n++;
    bool *left_out = node ? ml_pool_take(r->spec->pool, (size_t)n, sizeof *left_out) : NULL;
    r->spec->indicators.left_out = left_out;
    if (!left_out)
        return;
    memset(left_out, true, (size_t)n * sizeof *left_out);
    if (node->kind != ML_NODE_LIST)
        read_wanted(r, node, left_out);
    else if (node->n_child == 0)
        ml_problem(&r->problems, node->location, "summary is empty; say " ML_SUMMARY_NONE);
    for (const struct ml_node *child = node->kind == ML_NODE_LIST ? node->first : NULL; child;
         child = child->next) {
        if (child->kind == ML_NODE_SCALAR && strcmp(child->text, ML_SUMMARY_NONE) == 0)
            ml_problem(&r->problems, child->location, "`" ML_SUMMARY_NONE "` excludes other names");
        read_wanted(r, child, left_out);
    }
}

void ml_read_save(struct ml_reader *r, const struct ml_node *node)
{
    const struct ml_node *trajectory = ml_node_find_kind(node, "trajectory", ML_NODE_MAP);
    const struct ml_node *quantities = ml_node_find_kind(trajectory, "quantities", ML_NODE_LIST);
    struct ml_saving *saving = &r->spec->saving;
    ml_read_scope(r, node, ML_SCOPE_SAVE, r->spec);
    ml_read_scope(r, trajectory, ML_SCOPE_TRAJECTORY, r->spec);
    read_run_runs(r, ml_node_find(trajectory, "runs"));
    read_summary(r, ml_node_find(node, "summary"));
    if (r->along && !trajectory)
        ml_problem(&r->problems, r->along->location,
                   "of is `" ML_OF_TRAJECTORY "`, but no trajectory is saved; say when to take "
                   "samples with save: {trajectory: {every: ...}}");
    if (!trajectory)
        saving->every = 0;
    if (!trajectory || !r->system)
        return;
    read_kept(r, quantities);
}

void ml_read_accuracy(struct ml_reader *r, const struct ml_node *node)
{
    if (node && r->spec->indicators.accuracy > 0 && ml_study_spec_method(r->spec)->is_map)
        ml_problem(&r->problems, node->location,
                   "a map has no step to make smaller; leave `accuracy` out");
    if (node && r->spec->indicators.accuracy > 0 && r->spec->runs.continuation.n_run > 0)
        ml_problem(&r->problems, node->location,
                   "cannot recompute single runs: " ML_CONTINUED_RUNS
                   "; leave out `accuracy` or `continue`, and compare with a smaller step");
}
