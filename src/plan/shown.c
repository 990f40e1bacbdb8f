/* Chooses the output that viewers show by default, tells what belongs to an output, and checks the
 * names of datasets. */
#include "plan/shown.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "manylink/fail.h"
#include "plan/controlled.h"
#include "plan/drawn.h"
#include "plan/indexed.h"
#include "plan/layout.h"

static bool is_number(const struct ml_output *output) { return output->dim[0] == ML_DIM_NONE; }

/* Whether it is the first time of the study's first event, unless that is a strobe. */
static bool is_event_time(const struct ml_layout *layout, int output)
{
    const struct ml_ensemble *ensemble = &layout->study->ensemble;
    return ensemble->n_event > 0 && ensemble->events[0].kind != ML_STROBE &&
           output == layout->results.first_of_event[0] + ML_EVENT_TIME;
}

/* Whether it is the labels of runs by where they settle, which a study asks for. */
static bool is_label(const struct ml_layout *layout, int output)
{
    const struct ml_ensemble *ensemble = &layout->study->ensemble;
    for (int i = 0; i < ensemble->n_event; i++)
        if (ensemble->events[i].attractors > 0.0 &&
            output ==
                layout->results.first_of_event[i] + ml_event_label_output(&ensemble->events[i]))
            return true;
    return false;
}

/* Whether it is the settling time of a controlled angle. */
static bool is_settling(const struct ml_layout *layout, const struct ml_output *output)
{
    return strcmp(output->indicator->name, "tracking") == 0 &&
           strcmp(output->name, "settling_time") == 0 && ml_controlled_segment(layout) >= 0;
}

/* The less, the rather it is shown. */
static int order_of(const struct ml_layout *layout, int i)
{
    const struct ml_output *output = &layout->results.outputs[i];
    const struct ml_indicator *indicator = output->indicator;
    const bool is_one = is_number(output), has_axes = layout->runs.rank > 0;
    if (!indicator)
        return has_axes && is_label(layout, i) ? 1 : has_axes && is_event_time(layout, i) ? 2 : 5;
    const bool is_first = output->which == 0;
    const bool is_asked = indicator->is_on_request && !indicator->takes_parameters;
    const struct ml_system *system = layout->study->ensemble.model.system;
    const bool is_own = !indicator->is_on_request && indicator->sees[0] &&
                        ml_record(system, indicator->sees[0]) >= system->n_state;
    const bool is_end = strcmp(indicator->name, "end_state") == 0 && is_first;
    if (!has_axes && !is_one && (is_asked || is_end))
        return is_asked ? 0 : 1;
    if (is_one && is_first && (is_asked || is_own))
        return is_asked ? 2 : 3;
    if (has_axes && is_settling(layout, output))
        return 2;
    return is_end ? 4 : 5;
}

static int shown_by_rule(const struct ml_layout *layout)
{
    int shown = -1;
    for (int i = 0, least = INT_MAX; i < layout->results.n_output; i++) {
        const int order = order_of(layout, i);
        if (order < least) {
            least = order;
            shown = i;
        }
    }
    return shown;
}

/* The output of the same indicator that has all exponents; itself if none has. */
static int all_exponents(const struct ml_layout *layout, int output)
{
    const struct ml_output *outputs = layout->results.outputs;
    for (int i = output + 1; i < layout->results.n_output; i++)
        if (outputs[i].dim[0] == ML_DIM_EXPONENT && outputs[i].dim[1] == ML_DIM_NONE &&
            strcmp(outputs[i].unit, outputs[output].unit) == 0 &&
            outputs[i].indicator == outputs[output].indicator)
            return i;
    return output;
}

const char *ml_shown_twin(const struct ml_output *output, char name[ML_NAME_LENGTH])
{
    enum { MOST = ML_NAME_LENGTH - sizeof ML_SHOWN_WRAPPED };
    (void)snprintf(name, ML_NAME_LENGTH, "%.*s" ML_SHOWN_WRAPPED, MOST, output->name);
    return name;
}

/* What the study names; false if it names nothing. */
static bool shown_by_name(const struct ml_layout *layout, struct ml_shown *shown)
{
    const char *name = layout->study->spec.show;
    const int wrapped = ml_shown_wrapped(layout);
    char twin[ML_NAME_LENGTH];
    *shown = (struct ml_shown){-1, -1, false, -1};
    if (!name)
        return false;
    for (int i = 0; i < layout->results.n_output; i++)
        if (strcmp(layout->results.outputs[i].name, name) == 0)
            shown->output = i;
    if (wrapped >= 0 && strcmp(ml_shown_twin(&layout->results.outputs[wrapped], twin), name) == 0)
        *shown = (struct ml_shown){wrapped, -1, true, -1};
    for (int k = 0; shown->output < 0 && k < ml_layout_records(layout); k++)
        if (strcmp(ml_layout_quantity(layout, k)->name, name) == 0)
            shown->record = k;
    if (shown->output >= 0 && !shown->is_wrapped)
        shown->points = ml_points_of_output(layout, shown->output);
    return shown->output >= 0 || shown->record >= 0;
}

bool ml_shown_as_named(const struct ml_layout *layout)
{
    struct ml_shown shown;
    return shown_by_name(layout, &shown) || !layout->study->spec.show;
}

/* Points of events come before an output that no study asks for, or that is the time of one of
 * them. */
static int shown_points(const struct ml_layout *layout, int output)
{
    struct ml_points points[ML_MAX_POINTS];
    int kept[ML_MAX_AXES];
    if (ml_points_find(layout, points) == 0 || ml_drawn_axes(layout, kept) > 1)
        return -1;
    const struct ml_indicator *indicator =
        output >= 0 ? layout->results.outputs[output].indicator : NULL;
    return indicator && indicator->is_on_request ? -1 : 0;
}

struct ml_shown ml_shown_first(const struct ml_layout *layout)
{
    struct ml_shown shown;
    int kept[ML_MAX_AXES];
    const bool is_named = shown_by_name(layout, &shown);
    const bool has_maps = layout->results.n_output > 0;
    if (!is_named && ml_layout_has_trajectories(layout) && (!has_maps || layout->n_run == 1))
        shown.record = 0; /* it says more than one number per output */
    if (shown.output >= 0)
        return shown;
    shown.output = shown_by_rule(layout);
    if (ml_drawn_axes(layout, kept) == 1 && shown.output >= 0)
        shown.output = all_exponents(layout, shown.output);
    shown.is_wrapped = shown.output >= 0 && shown.output == ml_shown_wrapped(layout);
    shown.points = shown_points(layout, shown.output);
    return shown;
}

bool ml_shown_is_last(const struct ml_output *output) { return ml_dim_is_named(output->dim[0]); }

int ml_shown_controlled(const struct ml_layout *layout, int output)
{
    const struct ml_output *of = &layout->results.outputs[output];
    const struct ml_indicator *indicator = of->indicator;
    const bool is_of_loop =
        indicator && (indicator->needs_loop ||
                      (indicator->sees[0] && strcmp(indicator->sees[0], ML_CONTROL_ERROR) == 0));
    return is_of_loop && ml_shown_is_last(of) ? ml_controlled_segment(layout) : -1;
}

int ml_shown_wrapped(const struct ml_layout *layout)
{
    if (!ml_drawn_is_map(layout))
        return -1;
    for (int i = 0; i < layout->results.n_output; i++)
        if (layout->results.outputs[i].is_angle)
            return i;
    return -1;
}

const char *ml_shown_wrapped_name(const struct ml_layout *layout, char name[ML_NAME_LENGTH])
{
    const int i = ml_shown_wrapped(layout);
    const struct ml_output *output = &layout->results.outputs[i];
    char *const *labels = layout->study->spec.segment_names;
    const bool is_named = labels && ml_dim_is_named(output->dim[0]);
    (void)ml_shown_twin(output, name);
    if (is_named)
        ml_name_append(name, labels[ml_layout_output_rows(layout, i) - 1]);
    return name;
}

float ml_shown_wrap(double angle)
{
    const double turn = 6.283185307179586476925, grain = 4096.0; /* rad, 1/rad */
    return (float)(round(remainder(angle, turn) * grain) / grain);
}

int ml_shown_error(const struct ml_layout *layout, int output)
{
    const struct ml_results *results = &layout->results;
    const char *errors = results->outputs[output].errors;
    for (int i = 0; errors && i < results->n_output; i++)
        if (strcmp(results->outputs[i].name, errors) == 0)
            return i;
    return -1;
}

enum { LONGEST = 248 }; /* bytes, so that views can put a word before it */

/* Names met so far in a group. */
struct shown_names {
    char (*name)[ML_NAME_LENGTH];
    int n;
    const char *group;
    struct ml_error *err;
    enum ml_status status;
};

static void names_refuse(struct shown_names *names, const char *name, const char *why)
{
    names->status = ml_fail(names->err, ML_E_INPUT, "\"%s\" cannot name a dataset of /study/%s: %s",
                            name, names->group, why);
}

static void names_add(struct shown_names *names, const char *name)
{
    size_t length = strlen(name);
    if (length == 0 || length > LONGEST)
        names_refuse(names, name, "names have 1 to 248 bytes");
    else if (strchr(name, '/') || strcmp(name, ".") == 0 || name[length - 1] == ' ')
        names_refuse(names, name, "no '/', no space at the end, not \".\" alone");
    for (int i = 0; i < names->n; i++)
        if (strcmp(names->name[i], name) == 0)
            names_refuse(names, name,
                         "the name is taken by another dataset there; take another name");
    (void)snprintf(names->name[names->n++], ML_NAME_LENGTH, "%s", name);
}

static void names_add_swept(struct shown_names *names, const struct ml_axis *axis)
{
    for (int k = 0; k < axis->n_swept; k++)
        names_add(names, axis->swept[k].path);
}

static void add_runs(struct shown_names *names, const struct ml_layout *layout)
{
    static const char *const fixed[] = {"run", "outcome", "end_time", "steps"};
    names->group = "runs";
    names->n = 0;
    for (size_t i = 0; i < sizeof fixed / sizeof fixed[0]; i++)
        names_add(names, fixed[i]);
    for (int i = 0; i < layout->study->spec.n_axis; i++)
        names_add_swept(names, &layout->study->spec.axes[i]);
}

/* Derivatives of the state, along `output`, have the names of its quantities, and those of other
 * outputs the names of the outputs; names must differ for readers. */
static void refuse_state_names(struct shown_names *names, const struct ml_layout *layout)
{
    const struct ml_results *results = &layout->results;
    for (int i = 0; i < results->n_output; i++) {
        const struct ml_output *state = &results->outputs[i];
        const bool is_alone = state->label && !ml_dim_is_named(state->dim[0]);
        for (int k = 0; k < results->n_output && is_alone; k++)
            if (strcmp(state->label, results->outputs[k].name) == 0)
                names_refuse(names, state->label,
                             "derivatives of the state have this name in `sensitivity`; choose "
                             "another name");
    }
}

static void add_summary(struct shown_names *names, const struct ml_layout *layout)
{
    char wrapped[ML_NAME_LENGTH];
    names->group = "summary";
    names->n = 0;
    for (enum ml_dim dim = ML_DIM_NONE + 1; dim < ML_N_DIM; dim++)
        names_add(names, ml_layout_dim_name(dim));
    for (int i = 0; i < layout->results.n_output; i++)
        names_add(names, layout->results.outputs[i].name);
    if (layout->study->ensemble.n_differentiated > 0)
        refuse_state_names(names, layout);
    names_add(names, "outcome");
    names_add(names, "plots");
    if (ml_shown_wrapped(layout) >= 0)
        names_add(names, ml_shown_wrapped_name(layout, wrapped));
    if (ml_layout_is_list(layout))
        names_add(names, "run");
    for (int i = 0; i < layout->study->spec.n_axis; i++) {
        const struct ml_axis *axis = &layout->study->spec.axes[i];
        if (ml_layout_is_list(layout) || axis->n_swept != 1 || axis->kind != ML_AXIS_SAME)
            names_add_swept(names, axis);
        if (!ml_layout_is_list(layout))
            names_add(names, axis->name);
    }
}

/* A column of indices, and that of its halves. */
static void names_add_kind(struct shown_names *names, const struct ml_index_kind *kind)
{
    char half[ML_NAME_LENGTH];
    if (!kind->word)
        return;
    (void)snprintf(half, sizeof half, "%s_half", kind->name);
    names_add(names, kind->name);
    names_add(names, half);
}

/* Scales and tables of indices, beside the axes of a grid. */
static void add_sensitivity(struct shown_names *names, const struct ml_layout *layout,
                            const struct ml_indexed *indexed)
{
    static const char *const fixed[] = {"output", "input", "other_input", "complete"};
    const struct ml_index_table_kinds *of = ml_index_table_kinds(indexed->points.design);
    names->group = "sensitivity/global";
    names->n = 0;
    for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++)
        names_add(names, fixed[i]);
    for (int k = 0; k < ML_INDEX_KINDS; k++)
        names_add_kind(names, &of->kinds[k]);
    names_add_kind(names, &of->second);
    names_add_kind(names, &of->whole);
    for (int i = 0; i < layout->study->spec.n_axis - 1; i++)
        names_add(names, layout->study->spec.axes[i].name);
}

/* Datasets of every table of statistics. */
static void add_statistics(struct shown_names *names, const struct ml_layout *layout)
{
    static const char *const own[] = {
        ML_DESCRIBED_STATISTIC,   ML_DESCRIBED_QUANTILE, ML_DESCRIBED_ESTIMATE, ML_DESCRIBED_INPUT,
        ML_DESCRIBED_CORRELATION, ML_DESCRIBED_BIN,      ML_DESCRIBED_EDGE};
    names->group = "statistics";
    names->n = 0;
    for (enum ml_dim dim = ML_DIM_NONE + 1; dim < ML_N_DIM; dim++)
        names_add(names, ml_layout_dim_name(dim));
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        names_add(names, own[i]);
    for (int i = 0; i < layout->results.n_output; i++)
        if (ml_described_output(layout, i))
            names_add(names, layout->results.outputs[i].name);
    for (int i = 0; i < layout->study->spec.n_axis - 1; i++)
        names_add(names, layout->study->spec.axes[i].name);
}

/* Saved quantities beside their scales. */
static void add_records(struct shown_names *names, const struct ml_layout *layout)
{
    bool has_dim[ML_N_DIM] = {false};
    for (int k = 0; k < ml_layout_records(layout); k++) {
        const struct ml_quantity *record = ml_layout_quantity(layout, k);
        names_add(names, record->name);
        for (int d = 0; d < ML_MAX_DIM; d++)
            has_dim[record->dim[d]] = true;
    }
    for (enum ml_dim dim = ML_DIM_NONE + 1; dim < ML_N_DIM; dim++)
        if (has_dim[dim])
            names_add(names, ml_layout_dim_name(dim));
    names_add(names, "time");
}

static void add_trajectories(struct shown_names *names, const struct ml_layout *layout)
{
    names->group = "trajectories";
    names->n = 0;
    add_records(names, layout);
    names_add(names, "run");
    names_add(names, "checksums");
}

static void add_over_time(struct shown_names *names, const struct ml_layout *layout)
{
    names->group = "statistics/over_time";
    names->n = 0;
    add_records(names, layout);
    names_add(names, ML_DESCRIBED_STATISTIC);
    names_add(names, ML_DESCRIBED_QUANTILE);
    for (int i = 0; i < layout->study->spec.n_axis - 1; i++)
        names_add(names, layout->study->spec.axes[i].name);
}

enum ml_status ml_names_check(const struct ml_layout *layout, struct ml_error *err)
{
    enum { FIXED = 16 + ML_N_DIM }; /* names of a group besides outputs and axes, at most */
    struct ml_indexed indexed;
    size_t most = (size_t)layout->results.n_output + (size_t)ml_layout_swept(layout) +
                  (size_t)ml_layout_records(layout) + 3 * (size_t)layout->study->spec.n_axis +
                  FIXED;
    struct shown_names names = {.err = err, .name = calloc(most, sizeof *names.name)};
    if (!names.name)
        return ml_fail(err, ML_E_MEMORY, "out of memory");
    add_runs(&names, layout);
    add_summary(&names, layout);
    if (ml_indexed_find(&indexed, layout))
        add_sensitivity(&names, layout, &indexed);
    if (ml_described(layout))
        add_statistics(&names, layout);
    if (ml_layout_has_trajectories(layout))
        add_trajectories(&names, layout);
    if (ml_layout_has_trajectories(layout) && ml_described(layout))
        add_over_time(&names, layout);
    free(names.name);
    return names.status;
}
