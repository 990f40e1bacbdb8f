/* The derivatives of a study: outputs, and parameters that are numbers of a run or axes that move
 * several numbers. */
#include <math.h>
#include <string.h>

#include "config/schema/given.h"
#include "config/schema/reader.h"
#include "config/schema/slots.h"
#include "config/sections/sections.h"

/* Reports a derivative by a number of an event, or of inverse dynamics. */
static bool report_event(struct ml_reader *r, const struct ml_node *node, int slot)
{
    const struct ml_study_spec *spec = r->spec;
    const bool is_of_study = spec->numbers.n_of_runs > 0 && slot >= spec->numbers.of_runs[0].slot;
    if (slot < r->first_event)
        return false;
    ml_problem(&r->problems, node->location, "cannot differentiate by `%s`: %s; leave this key out",
               r->slots[slot].path,
               is_of_study ? "`manylink inverse` alone uses that number"
                           : "the motion does not depend on events");
    return true;
}

/* The signal of a force that its number k says the onset or duration of; NULL: none. */
static const struct ml_signal *moved_signal(const struct ml_force_use *use, int k)
{
    const struct ml_signal *signal = use->signals;
    for (int i = 0; i < use->n_number; i++) {
        if (!(use->numbers[i].flags & ML_SIGNAL))
            continue;
        if (k == i + ML_SIGNAL_ONSET || k == i + ML_SIGNAL_DURATION)
            return signal;
        signal++;
    }
    return NULL;
}

/* Reports a derivative by the time of a jump: tangent vectors jump there too, by a difference that
 * is not computed. A ramp is a jump to forces that act at all joints, as these follow its rate. */
static bool report_jump(struct ml_reader *r, const struct ml_node *node, int slot)
{
    for (int f = 0; f < r->spec->n_force; f++) {
        const struct ml_force_use *use = &r->spec->forces[f];
        if (slot < use->slot || slot >= use->slot + use->n_number)
            continue;
        const struct ml_signal *signal = moved_signal(use, slot - use->slot);
        if (!signal || (signal->type != ML_PULSE_SIGNAL &&
                        !(signal->type == ML_RAMP_SIGNAL && use->type->places == 0 &&
                          !use->type->is_external)))
            return false;
        ml_problem(&r->problems, node->location,
                   "cannot differentiate by `%s`: `%s` jumps at that time; leave this key out",
                   r->slots[slot].path, use->name);
        return true;
    }
    return false;
}

/* Whether a number of a force is neither given nor swept, and its default is another number or
 * none: no law sees a change of it. */
static bool is_absent(const struct ml_reader *r, int slot)
{
    bool is_of_force = false;
    for (int f = 0; f < r->spec->n_force; f++)
        is_of_force |= slot >= r->spec->forces[f].slot &&
                       slot < r->spec->forces[f].slot + r->spec->forces[f].n_number;
    return is_of_force && isnan(r->spec->numbers.base[slot]) && !ml_slot_is_given(r, slot);
}

/* Reports a derivative by a name that moves numbers without derivatives: as for
 * ml_formulas_each_of. */
static bool report_follower(struct ml_reader *r, const struct ml_node *node, int slot,
                            const struct ml_node *formula)
{
    const bool is_clock = slot >= 0 && &r->slots[slot] == r->clock;
    if (slot >= 0 && !is_clock)
        return report_event(r, node, slot) || report_jump(r, node, slot);
    ml_problem(&r->problems, node->location,
               "cannot differentiate by `%s`: `%s` (%s) depends on that number and does not enter "
               "the motion; leave this key out",
               node->text, formula->key ? formula->key : formula->text,
               ml_location_text(&r->problems, formula->location));
    return true;
}

/* Reports a derivative by a number of the system, of a force, or below `define` that cannot be had,
 * and why. */
bool ml_report_no_derivative(struct ml_reader *r, const struct ml_node *node, int slot)
{
    const struct ml_defined *defined = r->spec->numbers.defined;
    if (defined && slot >= defined->first && slot < defined->first + defined->n_name)
        return ml_formulas_each_of(r, slot - defined->first, report_follower, node);
    return report_event(r, node, slot) || report_jump(r, node, slot);
}

/* One number, by itself. */
static bool along_slot(struct ml_reader *r, const struct ml_node *node, const struct ml_slot *slot,
                       struct ml_direction *out)
{
    const long i = slot - r->slots;
    if (ml_report_no_derivative(r, node, (int)i))
        return false;
    if (ml_param_is_of_start(&slot->param) && !ml_slot_is_given(r, i)) {
        ml_problem(&r->problems, node->location,
                   "cannot differentiate by `%s`: the study neither gives nor sweeps that number",
                   slot->path);
        return false;
    }
    if (is_absent(r, (int)i)) {
        ml_problem(
            &r->problems, node->location,
            "cannot differentiate by `%s`: the study does not give that number; give a value",
            slot->path);
        return false;
    }
    int *slots = ml_pool_take(r->spec->pool, 1, sizeof *slots);
    double *weight = ml_pool_take(r->spec->pool, 1, sizeof *weight);
    if (!slots || !weight)
        return false;
    *slots = (int)i;
    *weight = 1.0;
    *out = (struct ml_direction){1, slots, weight};
    return true;
}

/* An axis without a name was told to be wrong. */
static const struct ml_axis *read_derivatives_find_axis(const struct ml_study_spec *spec,
                                                        const char *name)
{
    for (int i = 0; i < spec->runs.n_axis; i++)
        if (!spec->runs.axes[i].sample && spec->runs.axes[i].name &&
            strcmp(spec->runs.axes[i].name, name) == 0)
            return &spec->runs.axes[i];
    return NULL;
}

/* How much quantity i of an axis moves per unit of the first; false unless that is the same all
 * along the axis. */
static bool find_ratio(const struct ml_axis *axis, int i, double *out)
{
    const double *first = axis->swept[0].values, *own = axis->swept[i].values;
    const double rounding = 1e-12;
    bool is_constant = true;
    *out = i == 0 ? 1.0 : axis->swept[i].weight / axis->swept[0].weight;
    if (i == 0 || axis->kind != ML_AXIS_EACH)
        return true;
    *out = (own[axis->count - 1] - own[0]) / (first[axis->count - 1] - first[0]);
    for (int64_t k = 0; k < axis->count; k++)
        is_constant &=
            fabs(own[0] + *out * (first[k] - first[0]) - own[k]) <= rounding * fabs(own[k]);
    return is_constant;
}

/* Everything an axis moves, per unit of its first quantity. Nothing is said of an axis in a study
 * with problems, which may be the axis's own. */
static bool along_axis(struct ml_reader *r, const struct ml_node *node, const struct ml_axis *axis,
                       struct ml_direction *out)
{
    if (r->problems.count > 0 || r->spec->pool->is_short)
        return false;
    size_t n = (size_t)axis->n_swept;
    int *slots = ml_pool_take(r->spec->pool, n, sizeof *slots);
    double *weight = ml_pool_take(r->spec->pool, n, sizeof *weight);
    for (int i = 0; slots && weight && i < axis->n_swept; i++) {
        slots[i] = axis->swept[i].slot;
        const bool has_ratio = find_ratio(axis, i, &weight[i]);
        if (ml_report_no_derivative(r, node, slots[i]))
            return false;
        if (!has_ratio) {
            ml_problem(&r->problems, node->location,
                       "cannot differentiate along axis `%s`: the proportion of its keys changes; "
                       "name the keys instead",
                       axis->name);
            return false;
        }
    }
    *out = (struct ml_direction){axis->n_swept, slots, weight};
    return slots && weight;
}

/* Reports the size of a vector whose components are given or swept: nothing depends on the size. */
static bool is_hidden(struct ml_reader *r, const struct ml_node *node, const struct ml_slot *slot)
{
    for (int axis = 0; axis < 2; axis++) {
        const char *path = ml_pool_format(r->pool, "%s.%c", slot->path, "xy"[axis]);
        const struct ml_slot *component = path ? ml_slot_find(r, path) : NULL;
        long i = component ? component - r->slots : 0;
        if (component && ml_slot_is_given(r, i)) {
            ml_problem(
                &r->problems, node->location,
                "cannot differentiate by `%s`: the study gives a vector; name `%s.x` or `%s.y`",
                slot->path, slot->path, slot->path);
            return true;
        }
    }
    return false;
}

/* Whether it is the name of an axis that an option --set has taken away, after reporting so. */
static bool is_fixed(struct ml_reader *r, const struct ml_node *node)
{
    for (const struct ml_fixed_axis *fixed = r->fixed; fixed; fixed = fixed->next)
        if (strcmp(fixed->name, node->text) == 0 && !ml_slot_find(r, node->text)) {
            ml_problem(
                &r->problems, node->location,
                "cannot differentiate along axis `%s`: %s fixes that axis; name keys instead",
                fixed->name, ml_location_text(&r->problems, fixed->location));
            return true;
        }
    return false;
}

static void read_derivatives_read_one(struct ml_reader *r, const struct ml_node *node)
{
    struct ml_study_spec *spec = r->spec;
    struct ml_instance *model = &spec->model;
    const bool is_text = node->kind == ML_NODE_SCALAR;
    const struct ml_axis *axis = is_text ? read_derivatives_find_axis(spec, node->text) : NULL;
    if (is_text && !axis && is_fixed(r, node))
        return;
    const struct ml_slot *slot = axis ? NULL : ml_read_slot(r, node, "to");
    struct ml_direction *out = &spec->derivatives.directions[model->n_sens];
    if (!(axis ? along_axis(r, node, axis, out)
               : slot && !is_hidden(r, node, slot) && along_slot(r, node, slot, out)))
        return;
    const char *name = axis ? node->text : slot->path;
    for (int p = 0; p < model->n_sens; p++)
        if (strcmp(spec->derivatives.names[p], name) == 0) {
            ml_problem(&r->problems, node->location, "`%s` is named twice", name);
            return;
        }
    spec->derivatives.names[model->n_sens++] = ml_pool_text(spec->pool, name, strlen(name));
}

void ml_read_to(struct ml_reader *r, const struct ml_node *node)
{
    if (r->spec->runs.continuation.n_run > 0) {
        ml_problem(&r->problems, node->location,
                   "derivatives need runs that start from `initial`; leave out `continue` or "
                   "`sensitivity`");
        return;
    }
    struct ml_study_spec *spec = r->spec;
    const bool is_list = node->kind == ML_NODE_LIST;
    size_t n = is_list ? (size_t)node->n_child : 1;
    if (n == 0)
        ml_problem(&r->problems, node->location, "to is empty; name one key at least");
    if (!r->slots || n == 0)
        return;
    spec->derivatives.names = ml_pool_take(spec->pool, n, sizeof *spec->derivatives.names);
    spec->derivatives.directions =
        ml_pool_take(spec->pool, n, sizeof *spec->derivatives.directions);
    if (!spec->derivatives.names || !spec->derivatives.directions)
        return;
    if (!is_list)
        read_derivatives_read_one(r, node);
    for (const struct ml_node *child = is_list ? node->first : NULL; child; child = child->next)
        read_derivatives_read_one(r, child);
}

/* Index of an indicator; -1: there is no such indicator. */
static int find_indicator(const struct ml_reader *r, const char *name)
{
    const struct ml_indicator *const *indicators = r->spec->registry->indicators;
    for (int i = 0; indicators[i]; i++)
        if (strcmp(indicators[i]->name, name) == 0)
            return i;
    return -1;
}

/* Whether an indicator that can be differentiated measures anything of the system. */
static bool has_output(const struct ml_reader *r, const struct ml_indicator *indicator)
{
    const struct ml_instance *model = &r->spec->model;
    struct ml_indicator_use use = {.system = r->system,
                                   .n = model->n,
                                   .is_differentiated = true,
                                   .observables = r->spec->indicators.observables,
                                   .n_observable = r->spec->indicators.n_observable};
    struct ml_output output;
    ml_indicator_sees(indicator, &use);
    return indicator->output(&use, 0, &output);
}

/* Whether indicator i measures anything; false after telling. */
static bool is_measured(struct ml_reader *r, const struct ml_node *node, int i)
{
    if (r->system && !has_output(r, r->spec->registry->indicators[i])) {
        ml_problem(&r->problems, node->location, "of is `%s`, which system `%s` does not have",
                   node->text, r->system->name);
        return false;
    }
    return true;
}

/* i: of an indicator; -1: the trajectory */
static bool is_named_twice(const struct ml_reader *r, int i)
{
    for (int d = 0; d < r->spec->derivatives.n_differentiated; d++)
        if (r->spec->derivatives.differentiated[d] == i)
            return true;
    return i < 0 && r->along;
}

/* Reports an integral over time whose end would move with the parameter. */
static bool report_stop(struct ml_reader *r, const struct ml_node *node, int i)
{
    bool stops = false;
    for (int k = 0; k < r->spec->n_event; k++)
        stops |= r->events[k].stops;
    if (!stops || !r->spec->registry->indicators[i]->integrates)
        return false;
    ml_problem(&r->problems, node->location,
               "of is `%s`, an integral over time, and an event with `stop` moves the end of that "
               "time; leave out either",
               node->text);
    return true;
}

static void read_one_of(struct ml_reader *r, const struct ml_node *node)
{
    struct ml_study_spec *spec = r->spec;
    int i = node->kind == ML_NODE_SCALAR ? find_indicator(r, node->text) : -1;
    if (i >= 0 && spec->registry->indicators[i]->n_tangent) {
        ml_problem(&r->problems, node->location,
                   "of is `%s`, which measures how tangent vectors grow: its derivative would take "
                   "second derivatives; of must be one of: %s",
                   node->text, ml_words_text(r, ml_key_of()));
        return;
    }
    if (!ml_read_one_word(r, node, ml_key_of(), &i))
        return;
    if (is_named_twice(r, i))
        ml_problem(&r->problems, node->location, "`%s` is named twice", node->text);
    else if (i < 0)
        r->along = node;
    else if (!report_stop(r, node, i) && is_measured(r, node, i))
        spec->derivatives.differentiated[spec->derivatives.n_differentiated++] = i;
}

void ml_read_of(struct ml_reader *r, const struct ml_node *of)
{
    struct ml_study_spec *spec = r->spec;
    const bool is_list = of && of->kind == ML_NODE_LIST;
    spec->derivatives.differentiated =
        ml_pool_take(spec->pool, is_list ? (size_t)of->n_child + 1 : 1, sizeof(int));
    if (!spec->derivatives.differentiated)
        return;
    if (is_list && of->n_child == 0)
        ml_problem(&r->problems, of->location, "of is empty; name one at least of: %s",
                   ml_words_text(r, ml_key_of()));
    if (!of)
        spec->derivatives.differentiated[spec->derivatives.n_differentiated++] =
            find_indicator(r, ML_OF_DEFAULT);
    else if (!is_list)
        read_one_of(r, of);
    for (const struct ml_node *child = is_list ? of->first : NULL; child; child = child->next)
        read_one_of(r, child);
}
